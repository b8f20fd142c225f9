"""The bounds of a reading as conditions of a plan."""

from __future__ import annotations

import datetime

from ...core.plan import And, Comparator, Compare, Condition, Constant, Expression, Or
from ...core.values import ValueType
from ...linking.comparisons import FIRST_YEAR, LAST_YEAR, Period
from .reading import Bound


def bound_condition(value: Expression, bound: Bound) -> Condition:
    """The condition on a value that a bound sets."""
    period = _period(bound)
    if period is None:
        number = bound.number.first.year if isinstance(bound.number, Period) else bound.number
        return Compare(value, bound.comparator, Constant(number))
    if bound.route.has_years:
        first, last = period.years or (period.first.year, period.first.year)
        return _within(value, bound.comparator, Constant(first), Constant(last + 1))
    kinds = [_within_period(value, bound.comparator, period, kind) for kind in bound.route.value_types]
    return kinds[0] if len(kinds) == 1 else Or(tuple(kinds))


def _period(bound: Bound) -> Period | None:
    """The time that a bound speaks of: a year where the values are times."""
    if isinstance(bound.number, Period):
        return bound.number
    is_year = not bound.is_named and isinstance(bound.number, int) and FIRST_YEAR <= bound.number <= LAST_YEAR
    return Period.of_year(int(bound.number)) if is_year and bound.route.is_time else None


def _within_period(value: Expression, comparator: Comparator, period: Period, kind: ValueType) -> Condition:
    return _within(value, comparator, _constant(period.first, kind), _constant(period.beyond, kind))


def _within(value: Expression, comparator: Comparator, first: Constant, beyond: Constant) -> Condition:
    """A comparison with a span: "after 2010" is from 2011 on."""
    match comparator:
        case "<":
            return Compare(value, "<", first)
        case "<=":
            return Compare(value, "<", beyond)
        case ">":
            return Compare(value, ">=", beyond)
        case ">=":
            return Compare(value, ">=", first)
    return And((Compare(value, ">=", first), Compare(value, "<", beyond)))


def _constant(day: datetime.date, kind: ValueType) -> Constant:
    if kind is ValueType.TEXT:
        # Written dates are ordered as texts.
        return Constant(day.isoformat())
    # A datetime is a date too; a day without a zone is compared with times without one.
    return Constant(datetime.datetime.combine(day, datetime.time()) if kind is ValueType.DATETIME else day)
