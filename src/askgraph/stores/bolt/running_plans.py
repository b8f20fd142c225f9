"""Running a plan on a server: one query, whose rows are read up to the budget."""

from __future__ import annotations

from typing import Any, Final

from ...core.budget import Budget
from ...core.plan import ColumnKind, NodeReference, Plan, Table
from ...core.values import Value
from ..query_text import size_of
from .plan_to_cypher import GraphWords, plan_to_cypher
from .server import BoltServer, Statement
from .values import from_bolt, to_bolt

_DOING: Final = "running a plan"


def run_plan(server: BoltServer, plan: Plan, words: GraphWords, budget: Budget | None = None) -> Table:
    """Run a plan.

    Args:
        server: that has the graph.
        plan: what to find.
        words: what the wording of its query depends on.
        budget: the deadline, the most rows, and the most bytes of the result.

    Raises:
        PlanError: the plan names a type or key that the graph does not have.
        DeadlineExceededError, CapExceededError, ServerError: the time is up; it needs too much memory; the server is
            gone.
    """
    budget = server.budget(budget)
    planned = plan_to_cypher(plan, words, budget.rows + 1)
    parameters = {name: to_bolt(value, name) for name, value in planned.parameters.items()}
    rows: list[tuple[Value, ...]] = []
    size = 0
    is_full = False

    def take(row: list[Any]) -> bool:
        nonlocal size, is_full
        cells = tuple(
            planned.constants[place] if place in planned.constants else from_bolt(cell)
            for place, cell in enumerate(row)
        )
        size += sum(map(size_of, cells))
        is_full = size > budget.bytes
        if is_full or len(rows) == budget.rows:
            rows.append(cells)
            return False
        rows.append(cells)
        return True

    server.read(Statement(planned.text, parameters, _DOING, may_take_long=True), take, budget)
    notes: tuple[str, ...] = ()
    if is_full:
        rows.pop()
        notes = (f"The result was cut after {len(rows):,} rows, at {budget.bytes:,} bytes.",)
    truncated = is_full or len(rows) > budget.rows
    del rows[budget.rows :]
    kinds: tuple[ColumnKind, ...] = tuple(
        "node" if isinstance(column.expression, NodeReference) else "value" for column in plan.columns
    )
    return Table(tuple(column.name for column in plan.columns), kinds, rows, truncated, notes)
