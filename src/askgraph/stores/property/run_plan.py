"""Running a plan on the embedded property graph."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.budget import Budget
from ...core.plan import ColumnKind, NodeReference, Plan, Table
from ...core.schema import Schema
from ...core.values import Value
from ..plan_names import check_plan_names, patterns_of
from .catalog import Catalog, read_catalog
from .deadline import within_deadline
from .plan_to_sql import PlanQuery, plan_query
from .sql_pattern import GraphNames
from .sql_values import reader

if TYPE_CHECKING:
    import duckdb

_BATCH = 1_000
_DOING = "running a plan"


def run_plan(
    connection: duckdb.DuckDBPyConnection,
    plan: Plan,
    schema: Schema,
    budget: Budget | None = None,
    *,
    catalog: Catalog | None = None,
    find_rows: Callable[[Sequence[str]], Sequence[int]] | None = None,
) -> Table:
    """Run a plan.

    Args:
        connection: a connection (or cursor) on the graph that nobody else uses meanwhile.
        plan: what to find.
        schema: the graph's schema: its names are checked and its hierarchy of types is used.
        budget: the deadline, the most rows, and the most bytes of the result; ``None`` for no limits.
        catalog: of the same graph, if the caller has read it.
        find_rows: the rows of node ids, -1 where there is none, if the caller knows a faster way than a query.

    Raises:
        PlanError: the plan names a type or key that the graph does not have.
        DeadlineExceededError: the time of the budget is up.
    """
    check_plan_names(plan, schema)
    with within_deadline(connection, budget, _DOING):
        catalog = catalog or read_catalog(connection)
        names = GraphNames(catalog, schema, _rows_of_ids(connection, plan, find_rows))
        query = plan_query(plan, names, _most_rows(plan, budget))
        result = connection.execute(query.sql, dict(query.parameters))
        rows, notes = _read_rows(result, query, budget)
    truncated = bool(notes)
    if budget is not None and len(rows) > budget.rows:
        del rows[budget.rows :]
        truncated = True
    kinds: tuple[ColumnKind, ...] = tuple(
        "node" if isinstance(column.expression, NodeReference) else "value" for column in plan.columns
    )
    return Table(tuple(column.name for column in plan.columns), kinds, rows, truncated, notes)


def _most_rows(plan: Plan, budget: Budget | None) -> int:
    """One row more than the budget allows, so that a cut is noticed."""
    limits = [
        limit for limit in (plan.limit, None if budget is None else budget.rows + 1) if limit is not None
    ]
    return min(limits, default=sys.maxsize)


def _rows_of_ids(
    connection: duckdb.DuckDBPyConnection,
    plan: Plan,
    find_rows: Callable[[Sequence[str]], Sequence[int]] | None,
) -> Mapping[str, int]:
    ids = dict.fromkeys(id for pattern in patterns_of(plan) for node in pattern.nodes for id in node.ids)
    if not ids:
        return {}
    if find_rows is not None:
        return {id: row for id, row in zip(ids, find_rows(list(ids)), strict=True) if row >= 0}
    found = connection.execute(
        "SELECT id, row FROM nodes WHERE id IN (SELECT unnest($ids))", {"ids": list(ids)}
    )
    return dict(found.fetchall())


def _read_rows(
    result: duckdb.DuckDBPyConnection, query: PlanQuery, budget: Budget | None
) -> tuple[list[tuple[Value, ...]], tuple[str, ...]]:
    read = _row_reader(query.cells)
    most_bytes = sys.maxsize if budget is None else budget.bytes
    rows: list[tuple[Value, ...]] = []
    size = 0
    while batch := result.fetchmany(_BATCH):
        for cells in batch:
            size += sum(map(sys.getsizeof, cells))
            if size > most_bytes:
                return rows, (f"The result was cut after {len(rows):,} rows, at {most_bytes:,} bytes.",)
            rows.append(read(cells))
    return rows, ()


def _row_reader(cells: Sequence[Sequence[str]]) -> Callable[[Sequence[Any]], tuple[Value, ...]]:
    """What turns the cells of a query's row into the values of a plan's columns."""
    columns = []
    position = 0
    for types in cells:
        columns.append([(position + i, reader(column_type)) for i, column_type in enumerate(types)])
        position += len(types)

    def read(row: Sequence[Any]) -> tuple[Value, ...]:
        return tuple(
            next((decode(row[i]) for i, decode in column if row[i] is not None), None) for column in columns
        )

    return read
