"""The rules of a language."""

from __future__ import annotations

import pytest

from askgraph.core.errors import SettingsError
from askgraph.linking.language import language

ENGLISH = language("en")


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("departments", "department"),
        ("cities", "city"),
        ("boxes", "box"),
        ("people", "person"),
        ("bus", "bus"),
        ("analysis", "analysis"),
        ("gas", "gas"),
        ("classes", "class"),
        ("genes", "gene"),
    ],
)
def test_plurals_find_their_singular(plural: str, singular: str) -> None:
    assert ENGLISH.singular(plural) == singular


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("manager", "manages"),
        ("expert", "expertise"),
        ("supplier", "supplies"),
        ("compatible", "compatibility"),
    ],
)
def test_forms_of_one_word_are_the_same_word(one: str, other: str) -> None:
    assert ENGLISH.is_same_word(ENGLISH.stem(one), ENGLISH.stem(other))


@pytest.mark.parametrize(
    ("form", "verb"), [("written", "write"), ("spoke", "speaks"), ("won", "winning"), ("led", "lead")]
)
def test_irregular_forms_of_a_verb_are_the_same_word(form: str, verb: str) -> None:
    assert ENGLISH.stem(form) == ENGLISH.stem(verb)


@pytest.mark.parametrize(
    ("agents", "deed"),
    [
        ("actors", "acted"),
        ("directors", "directed"),
        ("writer", "wrote"),
        ("winners", "won"),
        ("owner", "owned"),
    ],
)
def test_who_does_it_is_called_after_the_deed(agents: str, deed: str) -> None:
    assert ENGLISH.stem(deed) in ENGLISH.deeds(agents)


@pytest.mark.parametrize("word", ["film", "city", "her", "or"])
def test_who_does_nothing_has_no_deeds(word: str) -> None:
    assert not ENGLISH.deeds(word)


@pytest.mark.parametrize(("one", "other"), [("price", "prize"), ("gene", "general"), ("part", "party")])
def test_different_words_stay_different(one: str, other: str) -> None:
    assert not ENGLISH.is_same_word(ENGLISH.stem(one), ENGLISH.stem(other))


@pytest.mark.parametrize("phrase", sorted(ENGLISH.phrases))
def test_a_phrase_stands_for_a_word_that_says_something_or_for_none(phrase: str) -> None:
    word = ENGLISH.phrases[phrase]
    assert len(phrase.split()) > 1
    assert not word or not ENGLISH.is_filler(word)


def test_a_language_without_rules_is_a_setting_that_cannot_be_used() -> None:
    with pytest.raises(SettingsError, match="'xx'"):
        language("xx")
