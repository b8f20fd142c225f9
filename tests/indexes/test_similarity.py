from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.indexes.rewording import rewordings
from askgraph.indexes.similarity import WeightedName, name_similarity, word_similarity
from askgraph.indexes.spelling import form_of, variants_of, words_of


def name(text, weights=None):
    words = words_of(form_of(text))
    return WeightedName(form_of(text), words, tuple(weights or [1.0] * len(words)))


def similarity(one, other):
    return name_similarity(name(one), name(other))


@pytest.mark.parametrize(
    ("asked", "better", "worse"),
    [
        ("karn brant", "karen brant", "karl brant"),
        ("h hoch", "heinrich hoch", "hoch"),
        ("h hoch", "heinrich hoch", "karen hoch"),
        ("heinrich hoch", "h hoch", "k hoch"),
        ("heinr hoch", "heinrich hoch", "hannah hoch"),
        ("brant karn", "karen brant", "karen brand"),
        ("karen brant", "karen brants", "karen brunt"),
        ("karenbrant", "karen brant", "karen"),
        ("sensor 1013", "sensor 10134", "motor 1013"),
        ("acme", "acme holdings", "acme international holdings"),
        ("acme holdings", "acme inc holdings", "acme"),
        ("world health", "world health organisation", "world trade organisation"),
    ],
)
def test_of_two_names_the_one_that_was_meant_is_more_alike(asked, better, worse):
    assert similarity(asked, better) > similarity(asked, worse)


def test_a_missing_word_that_tells_little_costs_little():
    weights = [1.0, 0.1]
    assert name_similarity(name("acme"), name("acme inc", weights)) > similarity("acme", "acme zanzibar")


@pytest.mark.parametrize("other", ["sensor 1013", "sensor 1021", "sensor 11012"])
def test_another_number_is_another_thing(other):
    assert similarity("sensor 1012", other) < 0.8


NAMES = st.lists(st.text("abch12", min_size=1, max_size=6), min_size=1, max_size=4).map(" ".join)


@given(NAMES, NAMES)
def test_similarity_lies_between_nothing_and_nearly_the_same(one, other):
    assert 0.0 <= similarity(one, other) <= 0.97 + 1e-9


@given(NAMES)
def test_nothing_is_more_like_a_name_than_itself(one):
    assert similarity(one, one) == pytest.approx(0.97)


@given(st.text("abcyies1東", min_size=1, max_size=8), st.text("abcyies1東", min_size=1, max_size=8))
def test_words_are_as_alike_one_way_round_as_the_other(one, other):
    assert word_similarity(one, other) == word_similarity(other, one)
    assert (word_similarity(one, other) == 1.0) == (one == other)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Karen Brant's", "karen brant"),
        ("hinges", "hinge"),
        ("big companies", "big company"),
    ],
)
def test_other_forms_of_a_name(written, meant):
    assert meant in variants_of(written)


def test_a_name_in_its_plain_form_has_no_possessive_to_lose():
    assert variants_of("Karen Brant") == []


class Words:
    def __init__(self, *known: str) -> None:
        self._known = known

    def knows(self, word: str) -> bool:
        return word in self._known

    def likeness(self, word: str) -> float:
        return max(word_similarity(word, known) for known in self._known)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("heinrichhoch", ("heinrich", "hoch")),
        ("dr heinrichhohc", ("dr", "heinrich", "hohc")),
        ("sensor1012", ("sensor", "1012")),
        ("hein rich hoch", ("heinrich", "hoch")),
        ("hoch heinri ch", ("hoch", "heinrich")),
    ],
)
def test_words_are_cut_and_joined_where_that_makes_them_known(written, meant):
    assert meant in rewordings(written.split(), Words("heinrich", "hoch", "dr", "sensor", "1012"))


@pytest.mark.parametrize("written", ["heinrich hoch", "h hoch", "xqzzq", "x" * 1000])
def test_what_is_known_or_hopeless_or_an_initial_stays(written):
    assert rewordings(written.split(), Words("heinrich", "hoch")) == []
