from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.algorithms.hypergeometric import (
    compare_upper_tails,
    exact_upper_tail,
    log_lower_tail,
    log_upper_tail,
    log_upper_tail_of_one,
)

from .naive import upper_tail


@st.composite
def draws_of(draw: st.DrawFn) -> tuple[int, int, int, int]:
    population = draw(st.integers(1, 400))
    marked = draw(st.integers(0, population))
    draws = draw(st.integers(0, population))
    return draw(st.integers(0, draws + 1)), draws, marked, population


def log_of(value: Fraction) -> float:
    if value == 0:
        return -math.inf
    return math.log(value.numerator) - math.log(value.denominator)


@given(draws_of())
def test_the_tail_is_that_of_exact_arithmetic(case: tuple[int, int, int, int]) -> None:
    observed, draws, marked, population = case
    exact = upper_tail(observed, draws, marked, population)
    assert exact_upper_tail(observed, draws, marked, population) == exact
    found = log_upper_tail([observed], [draws], marked, population)[0]
    one = log_upper_tail_of_one(observed, draws, marked, population)
    if exact in (0, 1):
        assert found == one == log_of(exact)
    else:
        assert found == pytest.approx(log_of(exact), rel=1e-11, abs=1e-12)
        assert one == pytest.approx(found, rel=1e-12, abs=1e-13)


@given(draws_of())
def test_what_lacks_to_certainty_is_exact_where_the_tail_is_nearly_certain(
    case: tuple[int, int, int, int],
) -> None:
    observed, draws, marked, population = case
    exact = 1 - upper_tail(observed, draws, marked, population)
    if observed * population > draws * marked or observed > min(draws, marked):
        return
    found = log_lower_tail([observed], [draws], marked, population)[0]
    assert found == pytest.approx(log_of(exact), rel=1e-11, abs=1e-12)


@given(draws_of(), draws_of())
def test_tails_are_compared_exactly(
    case: tuple[int, int, int, int], other: tuple[int, int, int, int]
) -> None:
    observed, draws, marked, population = case
    second = (other[0], min(other[1], population))
    one, two = upper_tail(observed, draws, marked, population), upper_tail(*second, marked, population)
    assert compare_upper_tails((observed, draws), second, marked, population) == (one > two) - (one < two)


@pytest.mark.parametrize(
    ("observed", "draws", "marked", "population"),
    [
        (200, 260, 300, 130_000),  # far below the smallest double
        (3, 9_000, 900, 130_000),  # a hub: nearly certain
        (60, 9_000, 900, 130_000),  # about the mean
        (1, 1, 1, 2_000_000),
        (900, 130_000, 900, 130_000),
    ],
)
def test_large_networks_lose_no_digits(observed: int, draws: int, marked: int, population: int) -> None:
    exact = exact_upper_tail(observed, draws, marked, population)
    found = log_upper_tail_of_one(observed, draws, marked, population)
    # The difference of two logarithms of whole numbers of a hundred thousand digits is itself only so exact.
    assert found == pytest.approx(log_of(exact), rel=1e-9, abs=1e-9)


def test_an_array_is_taken_as_its_members_are() -> None:
    observed, draws = np.arange(0, 30), np.arange(30, 60)
    found = log_upper_tail(observed, draws, 50, 300)
    each = [log_upper_tail_of_one(int(x), int(k), 50, 300) for x, k in zip(observed, draws, strict=True)]
    assert found.tolist() == pytest.approx(each, rel=1e-12)
