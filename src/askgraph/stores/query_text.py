"""What every store does with a checked query before and after its engine runs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.budget import Budget
from ..core.checked_query import CheckedQuery
from ..core.errors import QueryFailedError
from ..core.words import quantity


def insist_on_checked(checked: Any, language: str, parameters: Mapping[str, Any]) -> None:
    """See that a query may be sent to an engine of this language with these parameters.

    Raises:
        TypeError: anything but a :class:`CheckedQuery`, a text above all.
        QueryFailedError: it is in another language, or parameters are missing.
    """
    if not isinstance(checked, CheckedQuery):
        raise TypeError(
            f"a store takes a CheckedQuery, not a {type(checked).__name__}: askgraph.querying.check makes one"
        )
    if checked.language != language:
        raise QueryFailedError(
            f"this graph takes {LANGUAGE_NAMES[language]}, and the query is "
            f"{LANGUAGE_NAMES.get(checked.language, checked.language)}",
            code="language",
        )
    missing = checked.missing_parameters(parameters)
    if missing:
        names = ", ".join(f"${name}" for name in missing)
        raise QueryFailedError(
            f"the query needs {quantity(len(missing), 'parameter')} without a value: {names}",
            code="parameters",
            advice="Give each a value: --parameter name=value, or parameters={…}.",
        )


LANGUAGE_NAMES = {"cypher": "Cypher", "sparql": "SPARQL"}
"""What people call the languages."""


def most_rows(checked: CheckedQuery, budget: Budget) -> int:
    """How many rows of a result are read: the smaller of the gate's cap and the budget's."""
    return budget.rows if checked.row_cap is None else min(checked.row_cap, budget.rows)


def cut_notes(rows: int, truncated: bool) -> tuple[str, ...]:
    """What is said of a result that was cut to its first rows."""
    if not truncated:
        return ()
    return (f"Only the first {f'{rows:,} rows' if rows != 1 else 'row'}: there are more.",)


def size_of(value: Any) -> int:
    """About how many bytes a value takes in memory, with all that is in it."""
    match value:
        case str():
            return 50 + len(value)
        case list() | tuple():
            return 60 + sum(map(size_of, value))
        case dict():
            return 60 + sum(50 + len(key) + size_of(item) for key, item in value.items())
    return 32
