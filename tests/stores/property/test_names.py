"""Which properties name a node."""

from __future__ import annotations

from typing import Any

import pytest

from askgraph.core.graph import Name
from askgraph.core.values import LanguageText
from askgraph.stores.property.names import name_rules


def names(properties: dict[str, Any], *, others: tuple[str, ...] = (), **given: Any) -> list[str]:
    rules = name_rules([*properties, *others], **given)
    return [name.text for name in rules.names("id:1", properties)]


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({"name": "Ann"}, ["Ann"]),
        ({"Display Name": "Ann", "NAME": "Anna"}, ["Anna", "Ann"]),
        ({"symbol": "BRCA1", "name": "BRCA1 DNA repair"}, ["BRCA1 DNA repair", "BRCA1"]),
        ({"title": "Dr.", "name": "Ann"}, ["Ann"]),
        ({"title": "Alien", "year": 1979}, ["Alien"]),
        ({"title": 1984}, ["1984"]),
        ({"label": "Gene", "title": "BRCA1"}, ["BRCA1"]),
        ({"first_name": "Ann", "lastName": "Lee", "title": "Dr."}, ["Ann Lee"]),
        ({"first_name": "Ann", "lastName": "Lee"}, ["Ann Lee"]),
        ({"first_name": "Ann", "productName": "Bolt"}, ["Bolt"]),
        ({"surname": "Lee"}, ["Lee"]),
        ({"product_name": "Bolt", "size": "M"}, ["Bolt"]),
        ({"http://schema.org/name": "Ann", "schema:alias": "A."}, ["Ann", "A."]),
        (
            {"name": "Aspirin", "synonyms": ["ASA", "Aspirin", " "], "alias": "aspro"},
            ["Aspirin", "ASA", "aspro"],
        ),
        (
            {"name": "aspirin", "synonyms": "ASA| Aspro ;|acetylsalicylic acid"},
            ["aspirin", "ASA", "Aspro", "acetylsalicylic acid"],
        ),
        ({"name": "Ann; Lee", "altLabel": "Annie", "Brand Name": "A|B"}, ["Ann; Lee", "Annie", "A", "B"]),
        ({"name": ["Ann", "Anna"]}, ["Ann", "Anna"]),
        ({"name": "  ", "synonyms": ["x"]}, ["x"]),
        ({"name": True}, ["id:1"]),
        ({"size": "M"}, ["id:1"]),
        ({}, ["id:1"]),
    ],
)
def test_usual_keys_give_the_names(properties: dict[str, Any], expected: list[str]) -> None:
    assert names(properties) == expected


def test_chosen_keys_are_the_only_ones() -> None:
    assert names({"code": "A-1", "name": "Ann", "alias": "An"}, chosen=["code"]) == ["A-1", "An"]
    assert names({"code": "A-1", "name": "Ann", "nick": "An"}, chosen=["name", "code"], aliases=["nick"]) == [
        "Ann",
        "A-1",
        "An",
    ]
    assert names({"name": "Ann"}, chosen=["code"]) == ["id:1"]


def test_a_name_knows_its_property_and_language() -> None:
    rules = name_rules(["name"])
    assert rules.names("x", {"name": LanguageText("Köln", "de")}) == (Name("Köln", "name", "de"),)
    assert rules.names("x", {}) == (Name("x", ""),)
