"""Query texts that have passed the gate: their rows, their warnings, their plans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import neo4j

from ...core.budget import Budget
from ...core.checked_query import CheckedQuery
from ...core.errors import QueryFailedError
from ...core.graph import Edge, Node
from ...core.query_result import Cell, FoundPath, QueryExplanation, QueryResult
from ...core.values import Value
from ..query_text import cut_notes, insist_on_checked, most_rows, size_of
from .elements import ElementReader
from .engines import Engine
from .server import BoltServer, Statement
from .values import to_bolt

_DOING: Final = "working on the query"
_BYTES_OF_AN_ELEMENT: Final = 400
_QUIET: Final = frozenset({"00000", "00001", "00N00", "02000", "02N42"})
"""Statuses that say no more than that all went well, or that there are no rows."""


def run_checked(
    server: BoltServer,
    engine: Engine,
    elements: ElementReader,
    checked: CheckedQuery,
    parameters: Mapping[str, Value],
    budget: Budget | None,
) -> QueryResult:
    """The first rows of a query: as many as the gate and the budget allow, and as fit into the budget's bytes.

    Raises what :meth:`askgraph.stores.base.GraphStore.query` says.
    """
    _insist(engine, checked, parameters)
    if checked.explain:
        explanation = explain_checked(server, engine, checked, parameters, budget)
        lines = tuple((line,) for line in explanation.text.splitlines())
        return QueryResult(("plan",), lines, notes=checked.notes, warnings=explanation.warnings)
    budget = server.budget(budget)
    cap = most_rows(checked, budget)
    rows: list[tuple[Cell, ...]] = []
    size = 0
    is_cut = False

    def take(row: list[Any]) -> bool:
        nonlocal size, is_cut
        cells = tuple(elements.cell(value) for value in row)
        size += sum(map(size_of_cell, cells))
        if len(rows) == cap or size > budget.bytes:
            is_cut = True
            return False
        rows.append(cells)
        return True

    statement = Statement(checked.text, _sent(parameters, checked), _DOING, may_take_long=True)
    reply = server.read(statement, take, budget)
    notes = (*checked.notes, *cut_notes(len(rows), is_cut), *elements.left_out.notes)
    if size > budget.bytes:
        notes = (*notes, f"The result was cut at {budget.bytes:,} bytes.")
    columns = checked.columns if len(checked.columns or ()) == len(reply.columns) else reply.columns
    return QueryResult(columns or (), rows, "rows", is_cut, notes, warnings_of(reply.summary))


def explain_checked(
    server: BoltServer,
    engine: Engine,
    checked: CheckedQuery,
    parameters: Mapping[str, Value],
    budget: Budget | None,
) -> QueryExplanation:
    """How the server would run a query; it does not run it. Raises as :func:`run_checked` does."""
    _insist(engine, checked, parameters)
    text = checked.text if checked.explain else f"EXPLAIN {checked.text}"
    summary = server.read(
        Statement(text, _sent(parameters, checked), "planning the query"), lambda row: True, budget
    ).summary
    if summary is None or summary.plan is None:
        raise QueryFailedError(
            f"{engine.product} does not tell how it would run a query", code="explain", advice="Run it."
        )
    drawn = summary.plan["args"].get("string-representation", "")
    if not engine.tells_plans:
        return QueryExplanation(str(drawn).strip(), warnings=warnings_of(summary))
    operators = list(_operators(summary.plan, 0))
    return QueryExplanation(
        text="\n".join("  " * depth + line for depth, _, line in operators),
        operators=tuple(name for _, name, _ in operators),
        estimated_rows=_estimate(summary.plan),
        writes=summary.query_type not in (None, "r"),
        warnings=warnings_of(summary),
    )


def warnings_of(summary: neo4j.ResultSummary | None) -> tuple[str, ...]:
    """What the server said of a query beside its rows, in sentences; performance hints and deprecations too."""
    if summary is None:
        return ()
    said = [
        _sentence(status.status_description)
        for status in summary.gql_status_objects
        if status.gql_status not in _QUIET and status.is_notification
    ]
    return tuple(dict.fromkeys(said))


def size_of_cell(cell: Any) -> int:
    """About how many bytes a cell takes in memory."""
    match cell:
        case Node() | Edge():
            return _BYTES_OF_AN_ELEMENT + size_of(dict(cell.properties))
        case FoundPath():
            return sum(map(size_of_cell, (*cell.nodes, *cell.edges)))
        case list():
            return 60 + sum(map(size_of_cell, cell))
        case dict():
            return 60 + sum(50 + len(key) + size_of_cell(item) for key, item in cell.items())
    return size_of(cell)


def _insist(engine: Engine, checked: CheckedQuery, parameters: Mapping[str, Value]) -> None:
    insist_on_checked(checked, "cypher", parameters)
    if checked.dialect != engine.dialect:
        raise QueryFailedError(
            f"the query was checked for {checked.dialect!r}, and this server takes {engine.dialect!r}",
            code="language",
            advice="Check it again for this graph.",
        )


def _sent(parameters: Mapping[str, Value], checked: CheckedQuery) -> dict[str, Any]:
    return {name: to_bolt(value, name) for name, value in parameters.items() if name in checked.parameters}


def _sentence(description: str) -> str:
    """ "warn: label does not exist. …" without its first word."""
    _, _, text = description.partition(": ")
    text = (text or description).strip()
    return text[:1].upper() + text[1:]


def _operators(plan: Mapping[str, Any], depth: int) -> Iterator[tuple[int, str, str]]:
    """Depth, name, and name with details of each operator, from the result down."""
    name = str(plan["operatorType"]).partition("@")[0]
    details = " ".join(str(plan["args"].get("Details", "")).split())
    yield depth, name, f"{name} {details}".rstrip()
    children: Sequence[Mapping[str, Any]] = plan.get("children", ())
    for child in children:
        yield from _operators(child, depth + 1)


def _estimate(plan: Mapping[str, Any]) -> float | None:
    rows = plan["args"].get("EstimatedRows")
    return float(rows) if isinstance(rows, int | float) else None
