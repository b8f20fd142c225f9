"""Values as a reader sees them."""

from __future__ import annotations

import pytest

from askgraph.core.values import Value, display


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([1, 2], "1, 2"),
        (list(range(12)), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"),
        ([0.5] * 1_536, "0.5, 0.5, 0.5, … (1,536 in all)"),
        ({"vector": list(range(100))}, "vector: 0, 1, 2, … (100 in all)"),
        (True, "yes"),
        ("two\n lines", "two lines"),
    ],
)
def test_a_value_is_shown_on_one_line_and_a_vector_by_its_beginning(value: Value, shown: str) -> None:
    assert display(value) == shown
