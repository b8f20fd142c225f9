"""Numbers are set in the unit that a property counts in."""

from __future__ import annotations

import pytest

from askgraph.linking.units import in_unit_of


@pytest.mark.parametrize(
    ("number", "unit", "label", "expected"),
    [
        (2, "hours", "duration in minutes", 120),
        (90, "minutes", "duration_hours", 1.5),
        (500, "gb", "ram gb", 500),
        (2, "tb", "disk_gb", 2000),
        (3, "km", "length m", 3000),
        (5, "kg", "length m", 5),
        (5, "", "duration in minutes", 5),
        (5, "euro", "price", 5),
    ],
)
def test_a_number_is_converted_where_both_units_are_known(
    number: float, unit: str, label: str, expected: float
) -> None:
    assert in_unit_of(number, unit, label) == expected
