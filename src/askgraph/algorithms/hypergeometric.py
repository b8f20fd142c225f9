"""The tail of the hypergeometric distribution, for many draws at once, to full precision however small it is.

Probabilities are computed by Loader's saddle-point method (C. Loader, "Fast and Accurate Computation of Binomial
Probabilities", 2000), which needs no difference of large logarithms of factorials: the relative error stays near 1e-14
for any size of the population. Tails are summed by the ratio of neighbouring terms.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

_COLUMNS: Final = 32
_EPSILON: Final = 1e-18
# ln(n!) - (n + 1/2) ln(n) + n - ln(2 pi) / 2 for n = 0 to 15 (0 at n = 0, where it is not used).
_STIRLING_ERRORS: Final = np.array(
    [0.0]
    + [
        math.log(math.factorial(n)) - (n + 0.5) * math.log(n) + n - 0.5 * math.log(2 * math.pi)
        for n in range(1, 16)
    ]
)
_FIRST_STIRLING_ERRORS: Final[list[float]] = _STIRLING_ERRORS.tolist()
_HALF_LOG_TWO_PI: Final = 0.5 * math.log(2 * math.pi)


def log_upper_tail(observed: ArrayLike, draws: ArrayLike, marked: int, population: int) -> Floats:
    """The natural logarithm of ``P(X >= observed)`` for each pair of observation and draws.

    ``X`` is the number of marked items among ``draws`` items taken without putting back from ``population`` items of
    which ``marked`` are marked.

    Args:
        observed: whole numbers, shape ``(n)``.
        draws: whole numbers from 0 to ``population``, shape ``(n)``.
        marked: 0 to ``population``.
        population: all items.

    Returns:
        Shape ``(n)``; 0 where it is certain, minus infinity where it cannot be.
    """
    x, k = np.asarray(observed, dtype=np.int64), np.asarray(draws, dtype=np.int64)
    result = np.zeros(len(x))
    lowest = np.maximum(0, k - (population - marked))
    highest = np.minimum(k, marked)
    result[x > highest] = -np.inf
    open_ = (x > lowest) & (x <= highest)
    # Above the mean the terms fall from the first on; below it the sum of the others is the small one.
    above = open_ & (x * population > k * marked)
    below = open_ & ~above
    if above.any():
        result[above] = _log_sum_upwards(x[above], k[above], marked, population)
    if below.any():
        result[below] = np.log1p(-np.exp(_log_sum_downwards(x[below] - 1, k[below], marked, population)))
    return result


def log_lower_tail(observed: ArrayLike, draws: ArrayLike, marked: int, population: int) -> Floats:
    """The natural logarithm of ``P(X < observed)``, exact where ``P(X >= observed)`` is too near to 1 to be told apart.

    Meant for observations that are not above the mean; minus infinity where nothing lies below. Arguments as for
    :func:`log_upper_tail`.
    """
    x, k = np.asarray(observed, dtype=np.int64), np.asarray(draws, dtype=np.int64)
    result = np.full(len(x), -np.inf)
    some = x > np.maximum(0, k - (population - marked))
    if some.any():
        result[some] = _log_sum_downwards(x[some] - 1, k[some], marked, population)
    return result


def log_upper_tail_of_one(observed: int, draws: int, marked: int, population: int) -> float:
    """:func:`log_upper_tail` of a single observation, without the cost of arrays."""
    if observed <= max(0, draws - (population - marked)):
        return 0.0
    if observed > min(draws, marked):
        return -math.inf
    if observed * population > draws * marked:
        return _log_sum_of_one(observed, draws, marked, population)
    below = _log_sum_of_one(draws - observed + 1, draws, population - marked, population)
    return math.log1p(-math.exp(below))


def exact_upper_tail(observed: int, draws: int, marked: int, population: int) -> Fraction:
    """``P(X >= observed)`` as a fraction; arguments as for :func:`log_upper_tail`, one each."""
    return Fraction(_upper_count(observed, draws, marked, population), math.comb(population, draws))


def compare_upper_tails(one: tuple[int, int], other: tuple[int, int], marked: int, population: int) -> int:
    """Compare ``P(X >= observed)`` of two pairs (observed, draws) exactly: -1, 0 or 1 as the first is smaller, equal
    or larger."""
    first = _upper_count(*one, marked, population) * math.comb(population, other[1])
    second = _upper_count(*other, marked, population) * math.comb(population, one[1])
    return (first > second) - (first < second)


def _upper_count(observed: int, draws: int, marked: int, population: int) -> int:
    """How many of the possible draws have as many marked items or more."""
    first = max(observed, 0, draws - (population - marked))
    last = min(draws, marked)
    if first > last:
        return 0
    unmarked = population - marked
    term = math.comb(marked, first) * math.comb(unmarked, draws - first)
    total = term
    for x in range(first, last):
        term = term * ((marked - x) * (draws - x)) // ((x + 1) * (unmarked - draws + x + 1))
        total += term
    return total


def _log_sum_upwards(x: Integers, k: Integers, marked: int, population: int) -> Floats:
    """The logarithm of ``P(X = x) + P(X = x + 1) + …``, where the terms fall."""
    total, term = np.ones(len(x)), np.ones(len(x))
    going = np.arange(len(x))
    steps = np.arange(_COLUMNS)
    start = x.copy()
    while len(going):
        at = start[going, None] + steps
        draws = k[going, None]
        # Beyond the last possible value a factor is 0, and with it every further term.
        up = np.maximum(marked - at, 0) * np.maximum(draws - at, 0).astype(np.float64)
        ratio = up / ((at + 1) * np.maximum(population - marked - draws + at + 1, 1).astype(np.float64))
        terms = term[going, None] * np.cumprod(ratio, axis=1)
        total[going] += terms.sum(axis=1)
        term[going] = terms[:, -1]
        start[going] += _COLUMNS
        going = going[terms[:, -1] > _EPSILON * total[going] * (1 - np.minimum(ratio[:, -1], 0.999999))]
    return _log_probability(x, k, marked, population) + np.log(total)


def _log_sum_downwards(x: Integers, k: Integers, marked: int, population: int) -> Floats:
    """The logarithm of ``P(X = x) + P(X = x - 1) + …``, where the terms fall.

    What is not marked among the draws is distributed likewise, and from it this is a sum upwards.
    """
    return _log_sum_upwards(k - x, k, population - marked, population)


def _log_sum_of_one(x: int, draws: int, marked: int, population: int) -> float:
    total = term = 1.0
    at, rest = x, population - marked - draws + 1
    while at < marked and at < draws:
        ratio = (marked - at) * (draws - at) / ((at + 1) * (rest + at))
        term *= ratio
        total += term
        at += 1
        if term <= _EPSILON * total * (1 - ratio):
            break
    rate = draws / population
    return (
        _log_binomial_of_one(x, marked, rate)
        + _log_binomial_of_one(draws - x, population - marked, rate)
        - _log_binomial_of_one(draws, population, rate)
        + math.log(total)
    )


def _log_binomial_of_one(x: int, count: int, rate: float) -> float:
    if x == 0:
        return count * math.log1p(-rate) if count else 0.0
    if x == count:
        return count * math.log(rate)
    rest = count - x
    correction = _stirling_error_of_one(count) - _stirling_error_of_one(x) - _stirling_error_of_one(rest)
    deviance = _deviance_of_one(x, count * rate) + _deviance_of_one(rest, count * (1 - rate))
    return correction - deviance - _HALF_LOG_TWO_PI + 0.5 * math.log(count / (x * rest))


def _stirling_error_of_one(n: int) -> float:
    if n <= 15:
        return _FIRST_STIRLING_ERRORS[n]
    square = 1.0 / (n * n)
    return (
        1 / 12
        - square
        * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - square * 691 / 360360))))
    ) / n


def _deviance_of_one(x: int, mean: float) -> float:
    difference, both = x - mean, x + mean
    if abs(difference) >= 0.1 * both:
        return x * math.log(x / mean) - difference
    v = difference / both
    total, power, square = difference * v, 2 * x * v, v * v
    for j in range(3, 25, 2):
        power *= square
        total += power / j
        if abs(power) < 1e-18 * total:
            break
    return total


def _log_probability(x: Integers, k: Integers, marked: int, population: int) -> Floats:
    """The logarithm of ``P(X = x)``, where that is possible.

    It is a quotient of binomial probabilities of one rate, ``draws / population``, whose logarithms are small numbers.
    """
    rate = k / population
    return (
        _log_binomial(x, marked, rate)
        + _log_binomial(k - x, population - marked, rate)
        - _log_binomial(k, population, rate)
    )


def _log_binomial(x: Integers, count: int, rate: Floats) -> Floats:
    """The logarithm of the probability of ``x`` successes in ``count`` trials of this rate."""
    result = np.empty(len(x))
    none, all_ = x == 0, x == count
    with np.errstate(divide="ignore"):
        result[none] = count * np.log1p(-rate[none]) if count else 0.0
        result[all_ & ~none] = count * np.log(rate[all_ & ~none])
    inner = ~(none | all_)
    if inner.any():
        s, p = x[inner].astype(np.float64), rate[inner]
        rest = count - s
        size = np.full(1, count)
        correction = _stirling_error(size) - _stirling_error(x[inner]) - _stirling_error(count - x[inner])
        deviance = _deviance(s, count * p) + _deviance(rest, count * (1 - p))
        result[inner] = correction - deviance - _HALF_LOG_TWO_PI + 0.5 * np.log(count / (s * rest))
    return result


def _stirling_error(n: Integers) -> Floats:
    """What Stirling's formula for ``ln n!`` lacks."""
    inverse = 1.0 / np.maximum(n, 1)
    square = inverse * inverse
    series = inverse * (
        1 / 12
        - square
        * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - square * 691 / 360360))))
    )
    return np.where(n <= 15, _STIRLING_ERRORS[np.minimum(n, 15)], series)


def _deviance(x: Floats, mean: Floats) -> Floats:
    """``x ln(x / mean) + mean - x``, without loss where both are near to each other."""
    result = x * np.log(x / mean) + mean - x
    near = np.abs(x - mean) < 0.1 * (x + mean)
    if near.any():
        difference, both = (x - mean)[near], (x + mean)[near]
        v = difference / both
        total = difference * v
        power, square = 2 * x[near] * v, v * v
        for j in range(1, 12):
            power = power * square
            total = total + power / (2 * j + 1)
        result[near] = total
    return result
