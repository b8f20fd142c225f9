"""Direct queries."""

from __future__ import annotations

import json
from typing import Any

from ..core.graph import Edge, Node
from ..core.query_result import Cell, FoundPath, QueryResult
from ..core.values import display
from .config import KGConfig
from .log import logger
from .session import graph_of


def execute_sparql_query(
    query: str | None = None,
    config: KGConfig | None = None,
    timeout: float | None = None,
    *,
    sparql_query: str | None = None,
    typed: bool = False,
) -> list[dict[str, Any]]:
    """The rows of a SPARQL query, each a mapping from variables to what is bound to them.

    Args:
        query: SELECT, ASK, CONSTRUCT or DESCRIBE; what writes is refused. ``sparql_query`` is another name for it.
        config: says where the graph is; the default configuration otherwise.
        timeout: seconds that it may take.
        typed: values as they are in the graph: numbers, dates, texts with a language. Texts otherwise.

    Returns:
        For ASK one row, ``{"boolean": True}`` or ``{"boolean": False}``; of triples rows with ``subject``,
        ``predicate`` and ``object``. Variables that nothing is bound to are left out of their row.

    Raises:
        QueryError: it is no query, or writes, or the engine cannot run it.
        OpenError, DeadlineExceededError: the graph is not reached, or not in time. An error is never an empty list.
    """
    text = sparql_query if query is None else query
    if not isinstance(text, str):
        raise TypeError("execute_sparql_query needs a query: a text")
    result = graph_of(config or KGConfig.default()).query(text, timeout=timeout, schema_check=False)
    for note in (*result.notes, *result.warnings):
        logger.warning("%s", note)
    return rows_of(result, typed=typed)


def rows_of(result: QueryResult, *, typed: bool = False) -> list[dict[str, Any]]:
    """The rows of a result as mappings."""
    if result.shape == "boolean":
        return [{"boolean": bool(result.rows[0][0])}]
    shown = _typed if typed else _as_text
    return [
        {column: shown(cell) for column, cell in zip(result.columns, row, strict=True) if cell is not None}
        for row in result.rows
    ]


def _typed(cell: Cell) -> Any:
    return cell.id if isinstance(cell, Node) else cell


def _as_text(cell: Cell) -> str:
    if isinstance(cell, Node):
        return cell.id
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return json.dumps(cell.to_dict()) if isinstance(cell, Edge | FoundPath) else display(cell)
