"""What the columns of a text file hold, judged by every value in them.

A sample can only exclude a type; what it leaves is checked on the whole column. So a column that is numbers for a
million rows and then a word is text. A text that a type would change stays text: ``007``, ``+49 30``, ``1.50 EUR``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .conversion import DAY, MOMENT, ZONED_MOMENT, is_json_array, quote
from .declared import DeclaredType, Kind

if TYPE_CHECKING:
    import duckdb

_SAMPLE: Final = 2_000
# A decimal number of so many digits always survives as a double.
_SAFE_DIGITS: Final = 15

_INTEGER: Final = "0|-?[1-9][0-9]*"
_NUMBER: Final = r"-?((0|[1-9][0-9]*)(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
_NOT_FINITE: Final = "-?[iI]nf(inity)?|NaN|nan"


def _significant(text: str) -> str:
    return f"trim(replace(replace(regexp_extract({text}, '^[^eE]*'), '.', ''), '-', ''), '0')"


# A short text has few digits: the costly comparison is for the others.
_EXACT_AS_DOUBLE: Final = (
    f"CASE WHEN length({{text}}) <= {_SAFE_DIGITS} THEN true"
    f" ELSE length({_significant('{text}')}) <= {_SAFE_DIGITS}"
    f" OR {_significant('{text}')} = {_significant('CAST(TRY_CAST({text} AS DOUBLE) AS VARCHAR)')} END"
)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A kind, and what must hold for every text: a pattern, a condition in SQL over ``{text}``; and a pattern that one
    of them must match."""

    kind: Kind
    pattern: str
    condition: str = "true"
    implies_pattern: bool = False
    one_matches: str = ".*"


# The narrowest first: the first that fits every value is taken.
_CANDIDATES: Final = (
    _Candidate(Kind.BOOLEAN, "(?i:true|false)"),
    _Candidate(
        Kind.INTEGER, _INTEGER, "CAST(TRY_CAST({text} AS BIGINT) AS VARCHAR) = {text}", implies_pattern=True
    ),
    _Candidate(Kind.BIG_INTEGER, _INTEGER),
    _Candidate(
        Kind.FLOAT,
        f"{_NUMBER}|{_NOT_FINITE}",
        f"CASE WHEN isfinite(TRY_CAST({{text}} AS DOUBLE)) THEN {_EXACT_AS_DOUBLE}"
        f" ELSE regexp_full_match({{text}}, {quote(_NOT_FINITE)}) END",
        one_matches=_NUMBER,
    ),
    _Candidate(Kind.DECIMAL, r"-?(0|[1-9][0-9]*)(\.[0-9]+)?"),
    _Candidate(Kind.DATE, DAY, "TRY_CAST({text} AS DATE) IS NOT NULL"),
    _Candidate(Kind.DATETIME, MOMENT, "TRY_CAST({text} AS TIMESTAMP) IS NOT NULL"),
    _Candidate(Kind.DATETIME, ZONED_MOMENT, "askgraph_zoned({text}) IS NOT NULL"),
)

# A JSON number that is no 64-bit integer and written without point or exponent is a big integer.
_ELEMENT_TYPE: Final = """
    CASE json_type(element)
        WHEN 'UBIGINT' THEN CASE WHEN TRY_CAST(element AS BIGINT) IS NULL THEN 'OTHER' ELSE 'BIGINT' END
        WHEN 'DOUBLE' THEN CASE WHEN regexp_full_match(CAST(element AS VARCHAR), '-?[0-9]+')
            OR NOT isfinite(CAST(element AS DOUBLE)) THEN 'OTHER' ELSE 'DOUBLE' END
        ELSE json_type(element) END
"""

_ELEMENTS: Final[dict[frozenset[str], Kind]] = {
    frozenset({"BOOLEAN"}): Kind.BOOLEAN,
    frozenset({"BIGINT"}): Kind.INTEGER,
    frozenset({"DOUBLE"}): Kind.FLOAT,
    frozenset({"BIGINT", "DOUBLE"}): Kind.FLOAT,
    frozenset({"VARCHAR"}): Kind.TEXT,
    frozenset(): Kind.TEXT,
}

TEXT: Final = DeclaredType(Kind.TEXT)
_COLUMNS_AT_ONCE: Final = 100


def infer_types(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str]
) -> list[DeclaredType | None]:
    """The type of each of these VARCHAR columns of a table, ``None`` for one without a value.

    Empty texts do not make a column of numbers or dates a column of texts: they stand for no value there.
    """
    samples = _samples(connection, table, columns)
    return [
        _infer(connection, table, column, sample) if sample else None
        for column, sample in zip(columns, samples, strict=True)
    ]


def _samples(connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str]) -> list[list[str]]:
    samples: list[list[str]] = []
    # DuckDB does not survive thousands of aggregates in one query.
    for start in range(0, len(columns), _COLUMNS_AT_ONCE):
        batch = columns[start : start + _COLUMNS_AT_ONCE]
        lists = ", ".join(f"list(DISTINCT {column}) FILTER ({column} IS NOT NULL)" for column in batch)
        own = ", ".join(batch)
        row = connection.execute(
            f"SELECT {lists} FROM (SELECT {own} FROM {table} LIMIT {_SAMPLE})"
        ).fetchone()
        assert row is not None
        samples.extend(
            found or _first_values(connection, table, column)
            for column, found in zip(batch, row, strict=True)
        )
    return samples


def _first_values(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> list[str]:
    """For a column that is empty where the sample was taken."""
    found = connection.execute(f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL LIMIT {_SAMPLE}")
    return [value for (value,) in found.fetchall()]


def _infer(
    connection: duckdb.DuckDBPyConnection, table: str, column: str, sample: Iterable[str]
) -> DeclaredType:
    texts = [text for text in sample if text]
    if not texts:
        return TEXT
    for candidate in _CANDIDATES:
        pattern = re.compile(candidate.pattern)
        if all(pattern.fullmatch(text.strip(" ")) for text in texts) and _holds(
            connection, table, column, candidate, texts
        ):
            return DeclaredType(candidate.kind)
    if all(text.strip(" ").startswith("[") and text.strip(" ").endswith("]") for text in texts):
        return _infer_list(connection, table, column)
    return TEXT


def _holds(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    column: str,
    candidate: _Candidate,
    texts: Sequence[str],
) -> bool:
    """Whether the whole column is of this kind, as its sample is. Blanks round a value do not count."""
    padded = any(value != value.strip(" ") for value in texts)
    if not padded and _all_hold(connection, table, column, candidate, texts, column):
        return True
    return _has_padding(connection, table, column) and _all_hold(
        connection, table, column, candidate, texts, f"trim({column})"
    )


def _has_padding(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> bool:
    row = connection.execute(f"SELECT bool_or({column} <> trim({column})) FROM {table}").fetchone()
    return row is not None and bool(row[0])


def _all_hold(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    column: str,
    candidate: _Candidate,
    texts: Sequence[str],
    text: str,
) -> bool:
    condition = candidate.condition.format(text=text)
    if not candidate.implies_pattern:
        condition = f"regexp_full_match({text}, {quote(candidate.pattern)}) AND ({condition})"
    whole = f"bool_and(coalesce({condition}, false))"
    if not any(re.fullmatch(candidate.one_matches, value.strip(" ")) for value in texts):
        whole += f" AND bool_or(regexp_full_match({text}, {quote(candidate.one_matches)}))"
    row = connection.execute(f"SELECT {whole} FROM {table} WHERE {column} <> ''").fetchone()
    return row is not None and bool(row[0])


def _infer_list(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> DeclaredType:
    """Every value is a JSON array? Of one type of elements it is a list column, of several a JSON column."""
    row = connection.execute(
        f"SELECT bool_and({is_json_array(column)} AND askgraph_json({column}) IS NOT NULL)"
        f" FROM {table} WHERE {column} IS NOT NULL"
    ).fetchone()
    if row is None or not row[0]:
        return TEXT
    kinds = connection.execute(
        f"SELECT DISTINCT {_ELEMENT_TYPE} FROM"
        f" (SELECT unnest(json_extract({column}, '$[*]')) AS element FROM {table} WHERE {column} IS NOT NULL)"
    ).fetchall()
    element = _ELEMENTS.get(frozenset(kind for (kind,) in kinds if kind != "NULL"))
    return DeclaredType(Kind.JSON) if element is None else DeclaredType(element, is_list=True)
