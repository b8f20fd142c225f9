"""Other ways to write a name."""

from __future__ import annotations

import pytest

from askgraph.retrievers.seed_discovery.name_variations import name_variations


@pytest.mark.parametrize(
    ("name", "variation"),
    [
        ("John Smith", "Smith, John"),
        ("Smith, John", "John Smith"),
        ("John Smith", "J. Smith"),
        ("John Ronald Tolkien", "J. R. Tolkien"),
        ("Grita D. Tasha", "Grita Tasha"),
        ("Grita D. Tasha", "Tasha, Grita D."),
        ("José Ñandú", "Jose Nandu"),
        ("Jean-Luc Picard", "Jean Luc Picard"),
        ("data-base", "database"),
        ("Mercury (planet)", "Mercury"),
        ("Smith,  John", "J. Smith"),
    ],
)
def test_a_name_is_also_looked_for_as(name, variation):
    assert variation in name_variations(name)


@pytest.mark.parametrize("name", ["", "  ", "Ada", "!?", ",", "Smith,", "x" * 5000, "a b c d e f g h i j k"])
def test_nothing_is_made_up_of_names_that_are_none(name):
    found = name_variations(name)
    assert len(found) <= 1
    assert name.strip() not in found


def test_a_name_is_no_variation_of_itself_and_none_comes_twice():
    found = name_variations("Ada Lovelace")
    assert "Ada Lovelace" not in found
    assert len(set(found)) == len(found)
