"""What a message says of the time that was allowed."""

from __future__ import annotations

import pytest

from askgraph.core.budget import Budget


@pytest.mark.parametrize(
    ("seconds", "stated"),
    [
        (30, "the time of 30 s"),
        (13.9347, "the time of 13.9 s"),
        (0.197863, "the time of 0.2 s"),
        (3600, "the time of 3600 s"),
        (0.0001, "the time"),
        (0, "the time"),
    ],
)
def test_a_share_of_the_time_is_stated_in_few_digits(seconds: float, stated: str) -> None:
    assert Budget(seconds=seconds).stated_time == stated
