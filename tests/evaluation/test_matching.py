"""When an answer counts as right."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.core.evidence import ShortAnswer
from askgraph.core.graph import Name, Node
from askgraph.core.values import LanguageText, TypedLiteral
from askgraph.evaluation.gold import GoldItem
from askgraph.evaluation.matching import (
    Candidate,
    Lookup,
    candidates_of_answers,
    candidates_of_gold,
    keys_of,
)


def same(one: Any, other: Any) -> bool:
    return Candidate(keys_of(one)).is_same(Candidate(keys_of(other)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Müller-Lüdenscheidt", "muller ludenscheidt"),
        ("  Berlin ", "BERLIN"),
        (1234, "1,234"),
        (1234, "1234"),
        (1234, 1234.0),
        (0.1 + 0.2, 0.3),
        (Decimal("12.50"), 12.5),
        (Decimal("12.3333333333333333"), 37 / 3),
        ("1e3", 1000),
        (True, "yes"),
        (False, "FALSE"),
        (datetime.date(2020, 1, 31), "2020-01-31"),
        (datetime.date(2020, 1, 31), datetime.datetime(2020, 1, 31)),
        (datetime.datetime(2020, 1, 31, 12, tzinfo=datetime.UTC), "2020-01-31T13:00:00+01:00"),
        (LanguageText("Chat", "fr"), "chat"),
        (TypedLiteral("5", "urn:metre"), 5),
        ("+", "+"),
        (2**70, str(2**70)),
        (float("inf"), float("inf")),
    ],
)
def test_these_are_the_same(one: Any, other: Any) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Berlin", "Bern"),
        (1, True),
        (0, False),
        (0, "no"),
        (12.34, 12.35),
        (31003000336, 31003000337),
        ("+", "-"),
        (datetime.date(2020, 1, 31), "2020-02-01"),
        (datetime.datetime(2020, 1, 31, 12), datetime.date(2020, 1, 31)),
        (2**70, 2**70 + 1),
    ],
)
def test_these_are_not(one: Any, other: Any) -> None:
    assert not same(one, other)


@given(st.one_of(st.text(), st.integers(), st.floats(allow_nan=False), st.booleans(), st.dates()))
def test_everything_is_the_same_as_itself(value: Any) -> None:
    assert keys_of(value)
    assert same(value, value)


ADA = Node("p1", (Name("Ada Lovelace"), Name("Countess of Lovelace")))
OTHER_ADA = Node("p2", (Name("Ada Lovelace"),))
NODES = {"p1": ADA, "p2": OTHER_ADA}


def is_right(answer: ShortAnswer, gold: GoldItem) -> bool:
    (given,), (right,) = candidates_of_answers([answer], NODES), candidates_of_gold([gold], NODES)
    return given.is_same(right)


def test_a_node_is_right_by_its_id_by_any_name_and_by_the_last_part_of_its_id() -> None:
    answer = ShortAnswer("Ada Lovelace", "p1")
    for form in ("p1", "ada lovelace", "Countess of Lovelace"):
        assert is_right(answer, GoldItem((form,)))
    assert not is_right(answer, GoldItem(("P1x",)))
    iri = Candidate(frozenset({("id", "http://x/Ada")}))
    assert candidates_of_answers([ShortAnswer("A", "http://x/Ada")], {})[0].is_same(iri)
    assert is_right(ShortAnswer("whatever", "http://x/Ada_L"), GoldItem(("ada l",)))


def test_of_two_nodes_only_the_id_counts() -> None:
    assert is_right(ShortAnswer("Ada Lovelace", "p1"), GoldItem(("Ada Lovelace",), "p1"))
    assert not is_right(ShortAnswer("Ada Lovelace", "p2"), GoldItem(("Ada Lovelace",), "p1"))


def test_a_text_is_right_for_a_node_of_that_name() -> None:
    assert is_right(
        ShortAnswer("Countess of Lovelace", value="Countess of Lovelace"), GoldItem(("p1",), "p1")
    )


def test_the_value_counts_and_so_does_the_text_shown() -> None:
    assert is_right(ShortAnswer("1,234", value=1234), GoldItem((1234,)))
    assert is_right(ShortAnswer("Yes", value=True), GoldItem(("yes",)))


candidates = st.builds(
    Candidate,
    st.frozensets(st.tuples(st.just("text"), st.sampled_from("abcd")), max_size=2),
    st.none() | st.sampled_from(["x", "y"]),
)


@given(st.lists(candidates, max_size=6), candidates)
def test_the_lookup_finds_what_comparing_one_by_one_finds(known: list[Candidate], other: Candidate) -> None:
    # A node has its id among its keys.
    known = [
        Candidate(item.keys | ({("id", item.node)} if item.node else set()), item.node) for item in known
    ]
    other = Candidate(other.keys | ({("id", other.node)} if other.node else set()), other.node)
    expected = [place for place, item in enumerate(known) if item.is_same(other)]
    assert Lookup(known).same_as(other) == expected
