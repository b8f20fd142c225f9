"""Plans run on a server, as SPARQL.

The query is the one that :mod:`askgraph.stores.rdf.plan_to_sparql` writes, in the dialect of the engine. The rows come
back in the order of plans whatever the engine's own order is; where a plan has a limit, the engine's order decides
which rows they are.

What plans mean and engines do is the same but for this, seen on real servers with the conformance suite (every plan of
it gives the right rows on all three) and with a thousand made-up plans each, over made-up graphs:

* Oxigraph: no other rows in those thousand. It keeps ``xsd:int`` and its kin as ``xsd:integer``.
* Fuseki: 1 plan in 100 fails with a fault of the server's own (a null pointer in a join): an error with a type.
* Virtuoso: 7 plans in 100 fail with an error of its compiler, mostly sums and averages of values of mixed kinds; 1 in
  100 gives other rows: nodes that are to have no type, among optional edges. Floats come with six digits, and so do
  sums and averages of them.
* Numbers are compared by the engine: a decimal beside a float, integers beyond 64 bits, NaN. TDB2 keeps no integer
  beyond 64 bits, and prints ``2.50`` as ``2.5``.
* An average is what the engine divides: a decimal of 15 to 24 digits, given as a float.
* Where a schema was sampled and not counted, every property is taken for one that may be missing.
* A blank node is named by a label that holds for one reply only, but on Virtuoso.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cmp_to_key
from typing import Any

from ...core.budget import Budget
from ...core.plan import Aggregate, Column, ColumnKind, Constant, NodeReference, Plan, Table
from ...core.schema import Schema
from ...core.values import Value
from ..rdf.plan_to_sparql import plan_to_sparql
from ..rdf.sparql_context import SparqlContext
from ..rdf.sparql_words import ABSENT
from ..rdf.value_order import order_key
from .client import SparqlClient
from .terms import Row, value_of


def run_plan(
    plan: Plan, schema: Schema, context: SparqlContext, client: SparqlClient, budget: Budget
) -> Table:
    """The rows of a plan.

    Raises:
        PlanError: it names a type or key that the graph does not have.
        DeadlineExceededError, QueryFailedError, ServerError: as :meth:`SparqlClient.select`.
    """
    asked = plan
    if plan.limit is None or plan.limit > budget.rows:
        # One row more than may be given tells that there were more.
        asked = replace(plan, limit=budget.rows + 1)
    found = client.select(plan_to_sparql(asked, schema, context), budget)
    places = _places(plan)
    rows = [tuple(_cell(column, row, places) for column in plan.columns) for row in found.rows]
    kinds: tuple[ColumnKind, ...] = tuple(
        "node" if isinstance(column.expression, NodeReference) else "value" for column in plan.columns
    )
    return Table(
        tuple(column.name for column in plan.columns),
        kinds,
        _sorted(rows, plan),
        found.truncated,
        found.notes,
    )


def _places(plan: Plan) -> dict[object, int]:
    """Which variable of the reply holds a column: one that is shown twice is selected once, constants are not."""
    places: dict[object, int] = {}
    for column in plan.columns:
        if not isinstance(column.expression, Constant):
            places.setdefault(_key(column), len(places))
    return places


def _key(column: Column) -> object:
    return column.name if isinstance(column.expression, Aggregate) else column.expression


def _cell(column: Column, row: Row, places: dict[object, int]) -> Value:
    if isinstance(column.expression, Constant):
        return column.expression.value
    value = value_of(row[places[_key(column)]])
    if value == ABSENT:
        return None
    if isinstance(column.expression, Aggregate) and column.expression.function == "average":
        return None if value is None else float(value)  # type: ignore[arg-type]
    return value


def _sorted(rows: list[tuple[Value, ...]], plan: Plan) -> Sequence[tuple[Value, ...]]:
    """The rows in the order of plans: as asked, then by the other columns, null last."""
    names = [column.name for column in plan.columns]
    asked: dict[str, bool] = {}
    for item in plan.order:
        asked.setdefault(item.column, item.descending)
    if plan.is_grouped and all(isinstance(column.expression, Aggregate) for column in plan.columns):
        return rows
    order = [(names.index(name), asked.get(name, False)) for name in dict.fromkeys([*asked, *names])]

    def compare(one: tuple[Value, ...], other: tuple[Value, ...]) -> int:
        for place, descending in order:
            sign = _compare(one[place], other[place])
            if sign:
                null = one[place] is None or other[place] is None
                return -sign if descending and not null else sign
        return 0

    return sorted(rows, key=cmp_to_key(compare))


def _compare(one: Value, other: Value) -> int:
    if one is None or other is None:
        return (one is None) - (other is None)
    left: Any = order_key(one)
    right: Any = order_key(other)
    return int(right < left) - int(left < right)
