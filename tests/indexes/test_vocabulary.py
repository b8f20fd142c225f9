from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from askgraph.indexes.strings import StringTableBuilder
from askgraph.indexes.vocabulary import Vocabulary, vocabulary_arrays

WORDS = st.text(
    st.sampled_from("abcdé東𝒜") | st.characters(exclude_categories=["Cs", "Zs"]), min_size=1, max_size=12
)


def vocabulary_of(words):
    ordered = sorted(set(words))
    return Vocabulary(vocabulary_arrays(ordered, StringTableBuilder(ordered).build())), ordered


@given(st.lists(WORDS, max_size=40), WORDS)
def test_words_and_prefixes_are_found_where_they_are(words, wanted):
    vocabulary, ordered = vocabulary_of(words)
    assert len(vocabulary) == len(ordered)
    assert [vocabulary.find(word) for word in ordered] == list(range(len(ordered)))
    assert (vocabulary.find(wanted) is not None) == (wanted in ordered)
    prefix = wanted[:2]
    found = [ordered[row] for row in vocabulary.with_prefix(prefix)]
    assert found == [word for word in ordered if word.startswith(prefix)]


def test_a_vocabulary_larger_than_its_landmarks_finds_every_word():
    vocabulary, ordered = vocabulary_of([f"word{number}" for number in range(1000)])
    assert [vocabulary.find(word) for word in ordered] == list(range(1000))
    assert all(vocabulary.find(word + "x") is None for word in ordered)
    assert len(vocabulary.with_prefix("word9")) == 111


NEAR_WORDS = st.text(st.sampled_from("abc"), min_size=1, max_size=6)


@given(st.lists(NEAR_WORDS, max_size=60), NEAR_WORDS)
def test_every_word_within_one_edit_is_found(words, asked):
    vocabulary, ordered = vocabulary_of(words)
    found = {ordered[row] for row in vocabulary.within_one_edit(asked)}
    assert {word for word in ordered if OSA.distance(asked, word) <= 1} <= found
    # Each side may lose one letter, no more.
    assert all(OSA.distance(asked, word) <= 2 for word in found)


@given(st.lists(NEAR_WORDS, min_size=1, max_size=60), NEAR_WORDS)
def test_a_word_that_shares_a_pair_of_letters_is_resembling_and_the_same_word_comes_first(words, asked):
    vocabulary, ordered = vocabulary_of([*words, asked])
    found = [ordered[row] for row in vocabulary.resembling(asked, limit=1000)]
    assert found[0] == asked or set(found[0]) == set(asked)

    def pairs(word):
        padded = f"^{word}$"
        return {padded[place : place + 2] for place in range(len(padded) - 1)}

    assert set(found) == {word for word in ordered if pairs(word) & pairs(asked)}
    assert len(vocabulary.resembling(asked, limit=2)) <= 2


def test_words_two_edits_away_resemble():
    vocabulary, ordered = vocabulary_of(["heinrich", "hannah", "karen", "kardinal", "konstantinopel"])
    for written, meant in (("hienrcih", "heinrich"), ("kerin", "karen"), ("konstntinopol", "konstantinopel")):
        assert ordered[vocabulary.resembling(written, limit=1)[0]] == meant


def test_a_vocabulary_of_nothing():
    vocabulary, _ = vocabulary_of([])
    assert vocabulary.find("a") is None
    assert len(vocabulary.within_one_edit("a")) == len(vocabulary.resembling("a", limit=5)) == 0
    assert list(vocabulary.with_prefix("a")) == []
