"""The rows of a query as facts, as a table and as short answers: nothing that the query gave is left behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...core.evidence import Fact, ShortAnswer
from ...core.graph import Edge, Node
from ...core.plan import ColumnKind, Table
from ...core.query_result import Cell, FoundPath, QueryResult, cell_to_json, display_cell
from ...core.values import Value
from ...querying.languages import guess_language
from .row_order import said_of_rows

RETRIEVER = "query"
_EMPTY_TEXT = '""'
"""What stands for a name or value that is there and has no characters."""


def row_facts(result: QueryResult, query: str, *, limit: int) -> tuple[Fact, ...]:
    """The first ``limit`` rows, each as a fact that names its columns and the nodes and edges that it is made of.

    What the query's order says of a row ("with the least price") is the fact's ``step``, and stands behind its text.
    """
    orders = said_of_rows(result, query, guess_language(query))
    return tuple(
        Fact(
            text=_in_words(result.columns, row) + (f" ({said})" if said else ""),
            kind="count" if _is_figure(result) else "row",
            score=1.0,
            retriever=RETRIEVER,
            step=said,
            elements=tuple(dict.fromkeys(id for cell in row for id in _elements(cell))),
            provenance={"query": query},
            row={name: _named(cell) for name, cell in zip(result.columns, row, strict=True)},
        )
        for row, said in zip(result.rows[:limit], orders[:limit], strict=True)
    )


def as_table(result: QueryResult) -> Table:
    """All rows as a table: nodes by id, edges and paths in words."""
    kinds: list[ColumnKind] = [
        "node" if _holds_nodes(result.rows, place) else "value" for place in range(len(result.columns))
    ]
    rows = [tuple(_plain(cell) for cell in row) for row in result.rows]
    return Table(result.columns, tuple(kinds), rows, result.truncated, result.notes)


def short_answers(result: QueryResult) -> tuple[ShortAnswer, ...]:
    """What a query that a model wrote answers with, each thing once.

    The first column that holds nodes is the answer; where none does, every value of the first column that tells rows
    apart. A single row without nodes answers with all its values. Yes or no answers a query that asks whether.
    """
    if result.shape == "boolean":
        return (ShortAnswer("Yes" if result.rows[0][0] else "No", value=bool(result.rows[0][0])),)
    if not result.rows:
        return ()
    if len(result.rows) == 1 and not any(isinstance(cell, Node) for cell in result.rows[0]):
        cells: Sequence[Cell] = result.rows[0]
    else:
        place = _answering_column(result)
        cells = [row[place] for row in result.rows]
    answers: dict[Any, ShortAnswer] = {}
    for cell in _items(cells):
        if cell is not None:
            key = (cell.id if isinstance(cell, Node) else None, display_cell(cell))
            node = cell.id if isinstance(cell, Node) else None
            value = None if isinstance(cell, Node) else _plain(cell)
            answers.setdefault(key, ShortAnswer(display_cell(cell) or _EMPTY_TEXT, node, value))
    return tuple(answers.values())


def nodes_in(result: QueryResult) -> Iterator[Node]:
    """Every node in the rows, also those of edges' paths, lists and maps."""
    for row in result.rows:
        for cell in row:
            yield from nodes_of(cell)


def _answering_column(result: QueryResult) -> int:
    for place in range(len(result.columns)):
        if _holds_nodes(result.rows, place):
            return place
    for place in range(len(result.columns)):
        if len({display_cell(row[place]) for row in result.rows}) > 1:
            return place
    return 0


def _holds_nodes(rows: Sequence[tuple[Cell, ...]], place: int) -> bool:
    cells = [row[place] for row in rows if row[place] is not None]
    return bool(cells) and all(isinstance(cell, Node) for cell in cells)


def _is_figure(result: QueryResult) -> bool:
    return len(result.rows) == len(result.columns) == 1 and isinstance(result.rows[0][0], int | float)


def _in_words(columns: Sequence[str], row: Sequence[Cell]) -> str:
    parts = [f"{name}: {_cell_in_words(cell)}" for name, cell in zip(columns, row, strict=True)]
    return "; ".join(parts) or "an empty row"


def _cell_in_words(cell: Cell) -> str:
    return "nothing" if cell is None else display_cell(cell)


def _plain(cell: Any) -> Value:
    """A cell as a value: a node by its id, an edge or a path in words, lists and maps through and through."""
    match cell:
        case Node():
            return cell.id
        case Edge() | FoundPath():
            return display_cell(cell)
        case list() | tuple():
            return [_plain(item) for item in cell]
        case dict():
            return {str(key): _plain(item) for key, item in cell.items()}
    return cell  # type: ignore[no-any-return]


def _named(cell: Any) -> Value:
    """A cell as what a fact says: a node by its name (its id is among the elements), all else as a value."""
    match cell:
        case Node():
            return cell.name
        case list() | tuple():
            return [_named(item) for item in cell]
        case dict():
            return {str(key): _named(item) for key, item in cell.items()}
    return _plain(cell)


def _items(cell: Any) -> Iterator[Any]:
    if isinstance(cell, list | tuple):
        for item in cell:
            yield from _items(item)
    else:
        yield cell


def nodes_of(cell: Any) -> Iterator[Node]:
    """Every node in one cell, also those of paths, lists and maps."""
    match cell:
        case Node():
            yield cell
        case FoundPath():
            yield from cell.nodes
        case list() | tuple():
            for item in cell:
                yield from nodes_of(item)
        case dict():
            for item in cell.values():
                yield from nodes_of(item)


def _elements(cell: Any) -> Iterator[str]:
    match cell:
        case Node() | Edge():
            yield cell.id
        case FoundPath():
            yield from (node.id for node in cell.nodes)
            yield from (edge.id for edge in cell.edges)
        case list() | tuple():
            for item in cell:
                yield from _elements(item)
        case dict():
            for item in cell.values():
                yield from _elements(item)


def row_to_json(columns: Sequence[str], row: Sequence[Cell]) -> Mapping[str, Any]:
    """One row as strict JSON data, by column."""
    return {name: cell_to_json(cell) for name, cell in zip(columns, row, strict=True)}
