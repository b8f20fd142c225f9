"""Units of measure: how many minutes two hours are, where the graph counts in minutes."""

from __future__ import annotations

from typing import Final

from ..core.words import normalize, split_identifier

# Of each dimension its units by what one of them is of the first.
_DIMENSIONS: Final = (
    {"ms": 0.001, "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "min": 60.0, "mins": 60.0,
     "minute": 60.0, "minutes": 60.0, "h": 3600.0, "hr": 3600.0, "hrs": 3600.0, "hour": 3600.0, "hours": 3600.0,
     "day": 86_400.0, "days": 86_400.0, "week": 604_800.0, "weeks": 604_800.0},
    {"mm": 0.001, "cm": 0.01, "m": 1.0, "metre": 1.0, "metres": 1.0, "meter": 1.0, "meters": 1.0, "km": 1000.0},
    {"mg": 0.001, "g": 1.0, "gram": 1.0, "grams": 1.0, "kg": 1000.0, "t": 1_000_000.0},
    {"kb": 0.001, "mb": 1.0, "gb": 1000.0, "tb": 1_000_000.0},
)  # fmt: skip


def in_unit_of(number: int | float, unit: str, label: str) -> int | float:
    """A number of ``unit`` in the unit that the label of a property names ("duration in minutes"); as it is where one
    of the two is unknown, or they measure different things."""
    words = normalize(split_identifier(label)).split()
    for sizes in _DIMENSIONS:
        own = next((word for word in reversed(words) if word in sizes), None)
        if unit in sizes and own is not None:
            converted = number * sizes[unit] / sizes[own]
            return int(converted) if converted == int(converted) else converted
    return number
