"""What a query text gave: rows of values, nodes, edges and paths, whatever the language and the engine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .graph import Edge, Node
from .printable import printable, shortened
from .values import Value, display, display_list, to_json_value
from .words import quantity

_MOST_ROWS_SHOWN = 10
_WIDEST_CELL = 32

ResultShape = Literal["rows", "boolean", "triples"]


@dataclass(frozen=True, slots=True)
class FoundPath:
    """A path as an engine gave it: its nodes in order, and between each two the edge that joins them."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "nodes": [node.to_dict() for node in self.nodes],
            "edges": [edge.to_dict() for edge in self.edges],
        }


Cell = Value | Node | Edge | FoundPath
"""What stands in a column of a row. Lists and maps may hold nodes, edges and paths too. An IRI of an RDF graph is a
:class:`Node` that has its id and, where they were looked up, its names."""


@dataclass(frozen=True, slots=True, repr=False)
class QueryResult:
    """The rows that a query gave.

    Attributes:
        columns: the columns' names.
        rows: tuples of cells in the order of ``columns``; null is ``None``.
        shape: ``"rows"``; ``"boolean"`` for ASK, which has one row with one truth value in the column ``answer``;
            ``"triples"`` for CONSTRUCT and DESCRIBE, whose columns are ``subject``, ``predicate`` and ``object``.
        truncated: whether there were more rows than a cap (the gate's, the budget's, the server's) let through.
        notes: what was cut, changed, or is doubtful, in plain sentences.
        warnings: what the engine itself said of the query, in plain sentences.
    """

    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    shape: ResultShape = "rows"
    truncated: bool = False
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "columns": list(self.columns),
            "rows": [[cell_to_json(cell) for cell in row] for row in self.rows],
            "shape": self.shape,
            "truncated": self.truncated,
            "notes": list(self.notes),
            "warnings": list(self.warnings),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Strict JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=indent)

    def __repr__(self) -> str:
        """A line about the result, and its first rows."""
        more = ", and there are more" if self.truncated else ""
        lines = [f"<QueryResult of {quantity(len(self), 'row')}{more}>"]
        if self.columns:
            cells = [list(self.columns), *(map(display_cell, row) for row in self.rows[:_MOST_ROWS_SHOWN])]
            lines += _aligned([[shortened(printable(cell), _WIDEST_CELL) for cell in row] for row in cells])
        if len(self) > _MOST_ROWS_SHOWN:
            lines.append("…")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """A table for a notebook."""
        from .query_result_html import result_to_html

        return result_to_html(self)


@dataclass(frozen=True, slots=True)
class QueryExplanation:
    """How an engine would run a query, told without running it.

    Attributes:
        text: the plan as the engine draws it, or as lines of operators, indented.
        operators: the names of its operators, from the result down.
        estimated_rows: rows that the engine expects; ``None`` where it does not say.
        writes: whether the engine takes it for a query that writes; ``None`` where it does not say.
        warnings: what the engine said of the query, in plain sentences.
    """

    text: str
    operators: tuple[str, ...] = ()
    estimated_rows: float | None = None
    writes: bool | None = None
    warnings: tuple[str, ...] = ()


def cell_to_json(cell: Any) -> Any:
    """A cell as strict JSON data: nodes, edges and paths as objects tagged with ``$type``."""
    match cell:
        case Node():
            return {"$type": "node", **cell.to_dict()}
        case Edge():
            return {"$type": "edge", **cell.to_dict()}
        case FoundPath():
            return {"$type": "path", **cell.to_dict()}
        case list() | tuple():
            return [cell_to_json(item) for item in cell]
        case dict():
            plain = {str(key): cell_to_json(item) for key, item in cell.items()}
            return {"$type": "map", "value": plain} if "$type" in plain else plain
    return to_json_value(cell)


def display_cell(cell: Any) -> str:
    """A cell as a reader wants to see it, on one line; of a long list its first items and their number."""
    match cell:
        case None:
            return ""
        case Node():
            return display(cell.name)
        case Edge():
            return display(cell.type)
        case FoundPath():
            return display(_display_path(cell))
        case list() | tuple():
            return display_list(cell, display_cell)
        case dict():
            return ", ".join(f"{key}: {display_cell(item)}" for key, item in cell.items())
    return display(cell)


def _display_path(path: FoundPath) -> str:
    if not path.nodes:
        return ""
    parts = [path.nodes[0].name]
    for edge, before, after in zip(path.edges, path.nodes, path.nodes[1:], strict=False):
        arrow = f"-[{edge.type}]->" if edge.source == before.id else f"<-[{edge.type}]-"
        parts += [arrow, after.name]
    return " ".join(parts)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
