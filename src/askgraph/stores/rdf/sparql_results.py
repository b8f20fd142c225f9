"""The rows of a plan that ran as SPARQL."""

from __future__ import annotations

from typing import Any

from ...core.budget import Budget
from ...core.plan import Aggregate, Column, ColumnKind, Constant, NodeReference, Plan, Table
from ...core.values import Value
from .literals import canonical_language, literal_value
from .sparql_process import SparqlProcess


def run_as_sparql(plan: Plan, query: str, process: SparqlProcess, budget: Budget) -> Table:
    """Run the query of a plan and read its columns.

    Args:
        plan: what was asked.
        query: the plan as SPARQL.
        process: where it runs.
        budget: deadline, rows, bytes.
    """
    solutions = process.select(query, budget)
    shown: dict[object, int] = {}
    for column in plan.columns:
        # A column that is shown twice is selected once; constants are not selected.
        if not isinstance(column.expression, Constant):
            key = column.name if isinstance(column.expression, Aggregate) else column.expression
            shown.setdefault(key, len(shown))
    rows = [tuple(_cell(column, terms, shown) for column in plan.columns) for terms in solutions.rows]
    kinds: tuple[ColumnKind, ...] = tuple(
        "node" if isinstance(column.expression, NodeReference) else "value" for column in plan.columns
    )
    return Table(tuple(column.name for column in plan.columns), kinds, rows, solutions.truncated)


def _cell(column: Column, terms: list[Any], shown: dict[object, int]) -> Value:
    match column.expression:
        case Constant(value):
            return value
        case Aggregate(function):
            value = _value(terms[shown[column.name]])
            return float(value) if function == "average" and value is not None else value  # type: ignore[arg-type]
        case expression:
            return _value(terms[shown[expression]])


def _value(term: list[Any] | None) -> Value:
    match term:
        case ["node", str() as id]:
            return id
        case ["literal", text, datatype, language]:
            return literal_value(text, datatype, None if language is None else canonical_language(language))
    return None
