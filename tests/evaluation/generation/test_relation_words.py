"""Labels become words of a sentence, or are left alone."""

from __future__ import annotations

import pytest

from askgraph.evaluation.generation.english import english, is_speakable, without_aside
from askgraph.evaluation.generation.relation_words import noun_words, relation_words

ENGLISH = english()


@pytest.mark.parametrize(
    ("label", "noun", "nouns"),
    [
        ("hasManager", "manager", "managers"),
        ("has BOM Part", "BOM part", "BOM parts"),
        ("category", "category", "categories"),
        ("area of expertise", "area of expertise", "areas of expertise"),
        ("SUPPLIER", "supplier", "suppliers"),
    ],
)
def test_nouns(label: str, noun: str, nouns: str) -> None:
    words = relation_words(label, "thing", ENGLISH)
    assert words is not None
    assert (words.kind, words.noun, words.nouns) == ("noun", noun, nouns)


@pytest.mark.parametrize(
    ("label", "base", "third", "is_symmetric"),
    [
        ("manages", "manage", "manages", False),
        ("WORKS_FOR", "work for", "works for", False),
        ("participates", "participate in", "participates in", False),
        ("interacts", "interact with", "interacts with", True),
        ("belongTo", "belong to", "belongs to", False),
        ("carries", "carry", "carries", False),
    ],
)
def test_verbs(label: str, base: str, third: str, is_symmetric: bool) -> None:
    words = relation_words(label, "thing", ENGLISH)
    assert words is not None
    assert (words.kind, words.base, words.third, words.is_symmetric) == ("verb", base, third, is_symmetric)


@pytest.mark.parametrize(
    ("label", "target", "state", "states"),
    [
        ("memberOf", "department", "a member of", "members of"),
        ("PART_OF", "thing", "part of", "part of"),
        ("isLocatedIn", "city", "located in", "located in"),
        ("employedBy", "company", "employed by", "employed by"),
        ("soldByAgent", "agent", "sold by", "sold by"),
        ("associates", "gene", "associated with", "associated with"),
        ("responsibleFor", "product", "responsible for", "responsible for"),
        ("in country", "country", "in", "in"),
        ("writtenBy", "person", "written by", "written by"),
    ],
)
def test_states(label: str, target: str, state: str, states: str) -> None:
    words = relation_words(label, target, ENGLISH)
    assert words is not None
    assert (words.kind, words.state, words.slots()["states"]) == ("state", state, states)


@pytest.mark.parametrize(
    ("label", "past"),
    [("ACTED_IN", "acted in"), ("DIRECTED", "directed"), ("wrote", "wrote"), ("shipped", "shipped")],
)
def test_the_past(label: str, past: str) -> None:
    words = relation_words(label, "thing", ENGLISH)
    assert words is not None
    assert (words.kind, words.past) == ("past", past)


@pytest.mark.parametrize(
    "label",
    [
        "P31",
        "x",
        "has_x",
        "FOLLOW",
        "usesVersion",
        "in country",
        "",
        "a1b2",
        "has",
        "rel-7",
        "the very long label of it",
    ],
)
def test_what_cannot_be_said_has_no_words(label: str) -> None:
    assert relation_words(label, "thing", ENGLISH) is None


@pytest.mark.parametrize(
    ("label", "noun"),
    [
        ("weight (g)", "weight"),
        ("hasAge", "age"),
        ("dateOfBirth", "date of birth"),
        ("ID", "ID"),
        ("k3", None),
        ("is part of", None),
        ("founded", None),
        ("paintedIn", None),
        ("years of experience", "years of experience"),
        ("", None),
    ],
)
def test_properties_are_nouns(label: str, noun: str | None) -> None:
    assert noun_words(label, ENGLISH) == noun


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("gene", "genes"),
        ("company", "companies"),
        ("day", "days"),
        ("box", "boxes"),
        ("analysis", "analyses"),
        ("person", "people"),
        ("member of staff", "members of staff"),
        ("species", "species"),
        ("hardware", "hardware"),
        ("address", "addresses"),
        ("bus", "buses"),
    ],
)
def test_plurals(noun: str, plural: str) -> None:
    assert ENGLISH.plural(noun) == plural


def test_articles() -> None:
    assert [ENGLISH.one(noun) for noun in ("gene", "employee", "hardware")] == [
        "a gene",
        "an employee",
        "hardware",
    ]


@pytest.mark.parametrize(
    ("base", "past"),
    [("ship", "shipped"), ("offer", "offered"), ("study", "studied"), ("plan", "planned"), ("love", "loved")],
)
def test_verbs_in_the_past(base: str, past: str) -> None:
    verb = ENGLISH.verb(past)
    assert verb is not None
    assert verb.base == base


def test_codes_are_not_speakable() -> None:
    assert is_speakable("product manager")
    assert not any(map(is_speakable, ("", "xq", "p31", "a b", "one two three four five", "ABCDEF")))
    assert without_aside("weight (g)") == "weight"


@pytest.mark.parametrize(
    ("noun", "is_plural"),
    [
        ("pages", True),
        ("years of experience", True),
        ("weight", False),
        ("address", False),
        ("status", False),
    ],
)
def test_nouns_that_are_counted(noun: str, is_plural: bool) -> None:
    assert ENGLISH.is_plural(noun) == is_plural
