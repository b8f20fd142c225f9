"""How like a template a path is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from askgraph.retrievers.traversal.path_space import PathSpace, probabilities


class CountingEmbedder:
    """Puts every text on an axis of its own, and counts what it was asked."""

    name = "counting"
    dimensions = 64
    unrelated = 0.0
    same = 0.9

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self._axes: dict[str, int] = {}

    def embed(self, texts):
        self.batches.append(list(texts))
        found = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            found[row, self._axes.setdefault(text, len(self._axes))] = 1.0
        return found


def test_a_probability_is_exp_of_the_cosine():
    paths = np.array([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0], [0.0, 0.0], [1.0, 1.0]], dtype=np.float32)
    found = probabilities(paths, np.array([5.0, 0.0], dtype=np.float32))
    assert found.tolist() == pytest.approx([math.e, 1.0, 1 / math.e, 1.0, math.exp(math.sqrt(0.5))])


def test_each_text_is_embedded_once_and_new_ones_in_one_batch():
    embedder = CountingEmbedder()
    space = PathSpace(embedder)
    space.texts(["manager", "phone", "manager"])
    space.texts(["phone", "city"])
    assert embedder.batches == [["manager", "phone"], ["city"]]


def test_without_an_embedder_words_are_compared_by_their_stems():
    space = PathSpace(None)
    question, same, other = space.texts(["Which managers are there?", "has manager", "price"])
    assert float(question @ same) == pytest.approx(1.0)
    assert float(question @ other) == 0.0


def test_a_text_without_words_says_nothing():
    (vector,) = PathSpace(None).texts(["!?"])
    assert not vector.any()
