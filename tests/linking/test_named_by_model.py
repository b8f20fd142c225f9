"""Names that a model gives: linked where the graph has something like it, and to nothing otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from askgraph.indexes.names import NameEntry, NameIndex
from askgraph.linking.named_by_model import link_names

NAMES = [
    ("p1", "Ada Lovelace"),
    ("p2", "Charles Babbage"),
    ("d1", "Engines"),
    ("c1", "Springfield"),
    ("c2", "Springfield"),
    ("c3", "Springfield Mills"),
]


@pytest.fixture
def names(tmp_path: Path) -> NameIndex:
    return NameIndex.build((NameEntry(id, name) for id, name in NAMES), tmp_path / "names")


def test_a_name_is_linked_to_its_node_also_with_a_typo(names):
    assert link_names(["Ada Lovelace"], names).ids == ("p1",)
    assert link_names(["ada lovelase"], names).ids == ("p1",)


def test_a_name_like_no_other_is_linked_to_nothing_and_the_nearest_are_told(names):
    found = link_names(["Xyzzy Quux", "Ada Lovelace"], names)
    assert found.ids == ("p1",)
    assert list(found.unlinked) == ["Xyzzy Quux"]


def test_a_name_that_comes_twice_is_linked_once(names):
    found = link_names(["Ada Lovelace", "Ada Lovelace", " Ada Lovelace "], names)
    assert [link.id for link in found.links] == ["p1"]


def test_links_stand_in_the_order_of_the_names_not_of_their_scores(names):
    assert link_names(["Charls Babage", "Ada Lovelace"], names).ids == ("p2", "p1")


def test_all_things_of_one_name_are_linked_and_what_is_only_like_it_is_not(names):
    found = link_names(["Springfield"], names, limit=1)
    assert found.ids == ("c1", "c2")
    assert [link.alternatives for link in found.links] == [1, 1]


def test_every_link_has_its_score_and_the_name_that_matched(names):
    (link,) = link_names(["ada lovelace"], names).links
    assert link.name == "Ada Lovelace"
    assert 0.98 < link.score < 1


def test_blank_names_ask_for_nothing(names):
    assert link_names(["", "  "], names).links == ()
