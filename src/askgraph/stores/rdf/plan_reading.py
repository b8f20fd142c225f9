"""What can be told of a plan before it is written down: which values a match must have, and whether it matters how
often something matches."""

from __future__ import annotations

from ...core.plan import Aggregate, And, Compare, Condition, IsNull, Not, Plan, PropertyOf


def counts_matches(plan: Plan) -> bool:
    """Whether it makes a difference how often something matches."""
    if not plan.is_grouped:
        return not plan.distinct
    return any(
        isinstance(column.expression, Aggregate)
        and (column.expression.argument is None or not column.expression.distinct)
        and column.expression.function not in ("minimum", "maximum")
        for column in plan.columns
    )


def conjuncts(condition: Condition | None) -> list[Condition]:
    """The conditions all of which must hold."""
    match condition:
        case None:
            return []
        case And(parts):
            return [conjunct for part in parts for conjunct in conjuncts(part)]
        case _:
            return [condition]


def compared(condition: Condition) -> list[PropertyOf]:
    """The properties without which a condition cannot be true."""
    match condition:
        case Compare(left, _, right):
            return [side for side in (left, right) if isinstance(side, PropertyOf)]
        case Not(Compare() as inner):
            return compared(inner)
        case Not(IsNull(PropertyOf() as item)):
            return [item]
    return []


def sees_null(condition: Condition, item: PropertyOf) -> bool:
    """Whether a condition holds only where a property is missing."""
    return any(isinstance(part, IsNull) and part.expression == item for part in conjuncts(condition))
