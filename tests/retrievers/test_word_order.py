"""How much of a question's words a path tells in the order in which they stand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from askgraph.retrievers.word_order import begin, go_on

LEAST, BONUS = 0.35, 0.5


def told(hops: list[list[float]], way: list[int]) -> float:
    ways = [np.array(way, dtype=np.intp)]
    state = begin(ways)
    for hop in hops:
        state = go_on(state, np.array(hop), ways, least=LEAST, bonus=BONUS)
    return float(state[0][-1])


def best_split(hops: list[list[float]], way: list[int]) -> float:
    """The same, by trying every split."""
    best = 0.0
    for cuts in itertools.combinations_with_replacement(range(len(way) + 1), len(hops) - 1):
        bounds = [0, *cuts, len(way)]
        total = 0.0
        for hop, (start, end) in zip(hops, itertools.pairwise(bounds), strict=True):
            words = [hop[row] for row in way[start:end]]
            total += sum(words) + (BONUS if any(word >= LEAST for word in words) else 0.0)
        best = max(best, total)
    return best


def test_words_in_the_order_of_the_hops_are_told_in_full() -> None:
    director, actor = [1.0, 0.0], [0.0, 1.0]
    assert told([director, actor], [0, 1]) == 2.0 + 2 * BONUS


def test_words_against_the_order_of_the_hops_are_not() -> None:
    director, actor = [1.0, 0.0], [0.0, 1.0]
    assert told([actor, director], [0, 1]) == 1.0 + BONUS


@pytest.mark.parametrize("seed", range(40))
def test_it_is_the_best_of_all_splits(seed: int) -> None:
    random = np.random.default_rng(seed)
    words, hops = int(random.integers(1, 6)), int(random.integers(1, 4))
    explained = np.where(random.random((hops, words)) < 0.5, 0.0, random.random((hops, words))).tolist()
    way = random.permutation(words).tolist()
    assert told(explained, way) == pytest.approx(best_split(explained, way))
