"""Metapaths followed: in both directions, to nodes and to values, within bounds."""

from __future__ import annotations

import pytest
from tests.retrievers.conftest import hub

from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError
from askgraph.retrievers.exploring.metapath_text import MetapathReader
from askgraph.retrievers.exploring.metapaths import MetapathRetriever
from askgraph.stores.memory import from_networkx


class Following:
    def __init__(self, store, **options):
        self.store = store
        self.reader = MetapathReader(store.schema())
        self.retriever = MetapathRetriever(store, store.schema(), **options)

    def __call__(self, text, sources, **budget):
        return self.retriever.follow(self.reader.read(text), sources, Budget(**budget))


@pytest.fixture(scope="module")
def follow(company_store):
    return Following(company_store)


def named(found):
    return [answer.text for answer in found.answers]


def test_two_hops_lead_to_the_answer_with_the_path_as_its_fact(follow):
    found = follow("HAS_MANAGER -> MEMBER_OF", ["p1"])
    assert named(found) == ["Engines"]
    (fact,) = found.evidence.facts
    assert fact.text == "Ada Lovelace has manager Charles Babbage; Charles Babbage member of Engines"
    assert set(fact.elements) >= {"p1", "p2", "d1"}


def test_an_edge_is_followed_against_its_direction_where_it_leads_nowhere_along_it(follow):
    assert named(follow("MEMBER_OF", ["d1"])) == ["Ada Lovelace", "Charles Babbage"]
    assert named(follow("RESPONSIBLE_FOR", ["a"])) == ["Engines"]


def test_the_direction_that_a_model_says_is_the_one_that_is_followed(follow):
    assert named(follow("HAS_MANAGER", ["p1"])) == ["Charles Babbage"]
    assert named(follow("<- HAS_MANAGER", ["p2"])) == ["Ada Lovelace"]
    assert follow("<- HAS_MANAGER", ["p1"]).stopped_at == "HAS_MANAGER"


def test_where_a_path_comes_back_its_beginning_is_no_answer(follow):
    assert named(follow("MEMBER_OF <- MEMBER_OF", ["p1"])) == ["Charles Babbage"]


def test_values_at_the_end_are_answers(follow):
    found = follow("HAS_MANAGER -> phone", ["p1"])
    assert [(answer.text, answer.node) for answer in found.answers] == [("+44 2", None)]
    assert (
        found.evidence.facts[0].text
        == "Ada Lovelace has manager Charles Babbage; Charles Babbage phone +44 2"
    )
    assert named(follow("phone", ["p1"])) == ["+44 1"]


def test_a_path_that_leads_nowhere_says_where_it_ended(follow):
    found = follow("HAS_MANAGER -> HAS_MANAGER", ["p1"])
    assert found.stopped_at == "HAS_MANAGER"
    assert found.answers == found.evidence.facts == ()


def test_provenance_of_edges_stays_with_the_fact(follow):
    facts = follow("MEMBER_OF -> RESPONSIBLE_FOR", ["p1"]).evidence.facts
    assert {"source": "ledger 7", "license": "CC0"} in [dict(fact.provenance) for fact in facts]


def test_nothing_to_start_from_finds_nothing(follow):
    assert follow("MEMBER_OF", []).answers == ()
    assert follow("MEMBER_OF", ["no such node"]).answers == ()


def test_a_hub_is_followed_as_far_as_the_budget_says_and_no_further():
    with from_networkx(hub(3_000)) as store:
        found = Following(store, max_facts=10)("FOLLOWS", ["hub"], fan_out=500)
    assert len(found.ends) == 500
    assert len(found.evidence.facts) == 10
    assert any("3,000" in note for note in found.evidence.notes)
    assert any("the first 10 are facts" in note for note in found.evidence.notes)


def test_a_hub_costs_what_is_followed_of_it():
    with from_networkx(hub(3_000)) as store:
        assert named(Following(store)("LIVES_IN", ["hub"], fan_out=5)) == ["New York"]


def test_the_time_is_kept(follow):
    with pytest.raises(DeadlineExceededError):
        follow("MEMBER_OF", ["p1"], seconds=0)


def test_of_very_many_ends_as_many_are_answers_as_the_budget_has_rows():
    with from_networkx(hub(300)) as store:
        found = Following(store)("<- FOLLOWS", ["hub"], rows=100)
    assert len(found.answers) == len(found.ends) == 100
    assert any("Of 300 things at its end the first 100 are answers." in note for note in found.evidence.notes)


def test_ids_behind_a_hub_are_made_at_once_and_not_one_by_one(monkeypatch):
    from askgraph.stores.property.texts import TextTable

    made = []
    texts = TextTable.texts

    def counting(self, numbers):
        made.append(len(numbers))
        return texts(self, numbers)

    monkeypatch.setattr(TextTable, "texts", counting)
    with from_networkx(hub(900)) as store:
        follow = Following(store, max_facts=20)
        made.clear()
        found = follow("<- FOLLOWS", ["hub"])
    assert len(found.answers) == 900
    assert len(found.evidence.facts) == 20
    assert max(made) > 100
    assert len(made) < 40
