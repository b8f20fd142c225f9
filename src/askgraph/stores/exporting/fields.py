"""Property columns as columns of a CSV or Parquet table: their headers and their cells, in SQL.

A header is a key, a colon and a type of neo4j-admin (``born:date``, ``tags:string[]``), or one of ours where it
has none: ``big_integer``, ``decimal``, ``json`` (a value in the strict JSON of :mod:`askgraph.core.values`). A
key whose values are of several types has a column for each. In CSV an empty cell is no value, and ``""`` is an
empty text; lists are separated by semicolons, or a JSON array where their texts do not allow that. Parquet
columns have the type of their values where there is one, and the bare key as their name if no doubt can arise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.errors import ExportError
from ..property.database import quote
from ..property.staging import PropertySource

# Column types that share a header: which of them a value is, its text tells.
_MOMENTS: Final = ("datetime", "zoned_datetime")
_HEADER_TYPES: Final = {
    "integer": "long",
    "float": "double",
    "text": "string",
    "time": "localtime",
    "datetime": "localdatetime",
    "zoned_datetime": "datetime",
}
_NATIVE_IN_PARQUET: Final = (
    "boolean", "integer", "float", "text", "date", "time", "datetime", "zoned_datetime", "bytes",
    "boolean[]", "integer[]", "float[]", "text[]",
)  # fmt: skip
_PLAIN_KEY: Final = re.compile(r"\w+(?:[ -]\w+)*")


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a table.

    Attributes:
        header: its name.
        text: SQL for its cell as text, null where there is no value.
        native: SQL for its cell in Parquet.
        is_quoted: whether its texts stand in quotes in CSV, so that an empty one is told from none.
        column_type: of the values; empty for what is no property.
    """

    header: str
    text: str
    native: str
    is_quoted: bool = False
    column_type: str = ""


def property_fields(properties: Sequence[PropertySource], *, parquet: bool) -> list[Field]:
    """A field for each property column, but one for dates with times of both sorts.

    Raises:
        ExportError: a key that no header can hold.
    """
    fields = []
    merged = {
        source.key
        for source in properties
        if source.column_type == "zoned_datetime"
        and any(other.key == source.key and other.column_type == "datetime" for other in properties)
    }
    for source in properties:
        _check_key(source.key)
        is_only = sum(other.key == source.key for other in properties) == 1
        if source.key in merged and source.column_type in _MOMENTS:
            if source.column_type == "datetime":
                fields.append(_moments(source.key, properties))
            continue
        header = f"{source.key}:{_header_type(source.column_type)}"
        if (
            parquet
            and is_only
            and source.column_type in _NATIVE_IN_PARQUET
            and _PLAIN_KEY.fullmatch(source.key)
        ):
            header = source.key
        text = cell_text(source.column_type, source.column)
        native = source.column if source.column_type in _NATIVE_IN_PARQUET else text
        is_quoted = source.column_type in ("text", "bytes", "json", "point")
        fields.append(Field(header, text, native, is_quoted, source.column_type))
    return _told_apart(fields) if parquet else fields


def _moments(key: str, properties: Iterable[PropertySource]) -> Field:
    texts = [
        cell_text(source.column_type, source.column)
        for source in properties
        if source.key == key and source.column_type in _MOMENTS
    ]
    both = f"coalesce({', '.join(texts)})"
    return Field(f"{key}:datetime", both, both, column_type="datetime")


def _header_type(column_type: str) -> str:
    element = column_type.removesuffix("[]")
    return _HEADER_TYPES.get(element, element) + column_type[len(element) :]


def _check_key(key: str) -> None:
    # Readers strip blanks from headers, and a header is one line.
    if not key or key != key.strip() or any(character in key for character in "\r\n\x00"):
        raise ExportError(
            f"the property key {key!r} cannot be the header of a table",
            advice="Export as jsonl, which holds any key.",
        )


def _told_apart(fields: Sequence[Field]) -> list[Field]:
    """Parquet knows no case in names of columns; blanks before the colon mean nothing and make them different."""
    seen: set[str] = set()
    found = []
    for field in fields:
        header = field.header
        if header.casefold() in seen and ":" not in header:
            header += f":{_header_type(field.column_type)}"
        while header.casefold() in seen:
            key, _, kind = header.rpartition(":")
            header = f"{key} :{kind}"
        seen.add(header.casefold())
        found.append(Field(header, field.text, field.native, field.is_quoted, field.column_type))
    return found


def cell_text(column_type: str, column: str) -> str:
    """SQL for the text of a cell of a property column."""
    if column_type.endswith("[]"):
        return texts_as_cell(f"list_transform({column}, lambda e: {cell_text(column_type[:-2], 'e')})")
    match column_type:
        case "zoned_datetime":
            return f"({column} AT TIME ZONE 'UTC')::VARCHAR || 'Z'"
        case "bytes":
            return f"to_base64({column})"
    return f"{column}::VARCHAR"


def texts_as_cell(texts: str) -> str:
    """SQL for a list of texts in one cell: with semicolons between them, or as a JSON array."""
    unsafe = "e IS NULL OR e = '' OR contains(e, ';') OR contains(e, chr(0)) OR starts_with(ltrim(e), '[')"
    plain = f"len({texts}) > 0 AND len(list_filter({texts}, lambda e: {unsafe})) = 0"
    return f"CASE WHEN {plain} THEN array_to_string({texts}, ';') ELSE to_json({texts})::VARCHAR END"


def header_line(fields: Sequence[Field]) -> str:
    """The first line of a CSV file."""
    return ",".join(_quoted_header(field.header) for field in fields) + "\n"


def _quoted_header(header: str) -> str:
    if re.search(r"[\s,\"']", header) is None:
        return header
    doubled = header.replace('"', '""')
    return f'"{doubled}"'


def named_columns(fields: Sequence[Field]) -> str:
    """The select list of a Parquet table."""
    return ", ".join(f"{field.native} AS {quote(field.header)}" for field in fields)
