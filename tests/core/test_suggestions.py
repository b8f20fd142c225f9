"""A wrong name is answered with the right one."""

from __future__ import annotations

import pytest

from askgraph.core.suggestions import did_you_mean, nearest_names
from askgraph.core.words import human_label


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Persn", "Person"),
        ("person", "Person"),
        ("works_for", "WORKS_FOR"),
        ("worksfor", "WORKS_FOR"),
        ("Zürich", "Zurich"),
    ],
)
def test_a_slip_finds_what_was_meant(wrong: str, right: str) -> None:
    assert nearest_names(wrong, ["Company", "Person", "WORKS_FOR", "Zurich"])[0] == right


def test_an_iri_is_found_by_its_last_part_and_by_its_label() -> None:
    candidates = ["http://a.org/onto#P31", "http://a.org/onto#hasManager"]
    assert nearest_names("manager", candidates) == ("http://a.org/onto#hasManager",)
    labels = {"http://a.org/onto#P31": "instance of"}
    assert nearest_names("instance", candidates, labels=labels) == ("http://a.org/onto#P31",)


def test_nothing_alike_suggests_nothing() -> None:
    assert did_you_mean("xyzzy", ["Person", "Company"]) is None
    assert did_you_mean("!?", ["Person"]) is None
    assert did_you_mean("a", []) is None


def test_several_are_named_the_nearest_first() -> None:
    assert did_you_mean("Persona", ["Person", "Personal", "Dog"]) == "Did you mean 'Personal' or 'Person'?"


@pytest.mark.parametrize(
    ("identifier", "label"),
    [
        ("PRODUCES_ITEM", "produces item"),
        ("KNOWS", "knows"),
        ("hasManager", "has manager"),
        ("Gene", "Gene"),
        ("GO", "GO"),
        ("DNA", "DNA"),
        ("partOfBOM", "part of BOM"),
        ("Known As it is", "Known As it is"),
        ("date-of-birth", "date of birth"),
        ("", ""),
        ("___", "___"),
        ("größe", "größe"),
    ],
)
def test_an_identifier_as_people_say_it(identifier: str, label: str) -> None:
    assert human_label(identifier) == label
