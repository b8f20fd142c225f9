"""Which routes are walked: all that could be the answer, and hardly any other."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product

import networkx
import numpy as np
import pytest

from askgraph import Graph, Settings, open_graph
from askgraph.core.budget import Budget
from askgraph.linking.schema_terms import HopKind
from askgraph.retrievers.hop_table import HopTable
from askgraph.retrievers.reading.routes import ROUTES_KEPT, Route, RouteFinder
from askgraph.retrievers.relevance import Relevance
from askgraph.retrievers.seeds import Seed, seeds_of
from askgraph.strategies.relevances import Relevances

TYPES = ("Person", "Town", "Ship")
RELATIONS = (
    "KNOWS",
    "LIVES_IN",
    "BUILT",
    "SAILED",
    "OWNS",
    "HARBOUR_OF",
    "NAMED_AFTER",
    "FOUNDED",
    "VISITED",
)
QUESTIONS = (
    "Which ships were built by those who live in the town of Ada Moss?",
    "Who knows Ada Moss?",
    "What did Ada Moss own?",
    "Which towns did the ships of Ada Moss visit?",
)


def harbour() -> networkx.MultiDiGraph:
    """Thirty nodes, and edges of nine kinds between nodes chosen by lot."""
    dice = random.Random(7)
    graph = networkx.MultiDiGraph()
    for number in range(30):
        name = "Ada Moss" if not number else f"Thing {number}"
        graph.add_node(number, label=TYPES[number % 3], name=name)
    for relation in RELATIONS:
        for _ in range(25):
            graph.add_edge(dice.randrange(30), dice.randrange(30), type=relation)
    return graph


@pytest.fixture(scope="module")
def graph() -> Iterator[Graph]:
    with open_graph(harbour(), settings=Settings.load(save_runs=False, embedder="none")) as opened:
        yield opened


def weighed(graph: Graph, question: str) -> tuple[Relevance, Seed]:
    linked = graph.linked(question)
    relevance, _ = Relevances(graph.parts()).of(linked)
    return relevance, seeds_of(linked, graph.store, Budget())[0]


def finder(graph: Graph) -> RouteFinder:
    schema = graph.schema()
    return RouteFinder(graph.store, schema, HopTable(schema), max_hops=3)


def best(routes: Sequence[Route], types: frozenset[str] | None) -> list[tuple[HopKind, ...]]:
    """The routes of a hop or more that lead to nodes of some types, the best first."""
    fitting = [
        route for route in routes if route.hops and (types is None or types.intersection(route.end_types))
    ]
    return [route.hops for route in sorted(fitting, key=lambda item: (-item.score.total, repr(item.hops)))]


@pytest.mark.parametrize(
    ("question", "wanted"),
    list(product(QUESTIONS, ([None], *([kind] for kind in TYPES), [*TYPES, None], ["Ship", "Town"]))),
)
def test_none_of_the_best_routes_is_left_out(graph, question, wanted):
    relevance, seed = weighed(graph, question)
    ends = [None if kind is None else frozenset({kind}) for kind in wanted]
    asked = frozenset(kind for kind in wanted if kind is not None)
    kept = finder(graph).from_seed(seed, relevance, asked, Budget(), wanted=ends)
    every = finder(graph).from_seed(seed, relevance, asked, Budget())
    assert len(every) >= len(kept)
    for types in ends:
        assert best(kept, types)[:ROUTES_KEPT] == best(every, types)[:ROUTES_KEPT]
    assert {r.hops for r in kept if len(r.hops) == 1} == {r.hops for r in every if len(r.hops) == 1}
    assert {r.hops: r.ends for r in kept}.items() <= {r.hops: r.ends for r in every}.items()


def test_routes_that_could_not_be_used_are_not_walked(graph, monkeypatch):
    relevance, seed = weighed(graph, QUESTIONS[0])
    walked = []
    neighbors = graph.store.neighbors

    def counted(*args, **named):
        walked.append(1)
        return neighbors(*args, **named)

    monkeypatch.setattr(graph.store, "neighbors", counted)
    kept = finder(graph).from_seed(seed, relevance, frozenset(), Budget(), wanted=[None])
    # Twenty of each length are worth a thought.
    assert len(kept) <= len(walked) < 45


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_path_has_the_same_score_alone_and_among_others(graph, question):
    relevance, seed = weighed(graph, question)
    lasts = [
        HopKind(type, way, "Person", end) for type in RELATIONS for way in (True, False) for end in TYPES
    ]
    for before in ((), (lasts[4],), (lasts[10], lasts[33])):
        scores = relevance.scores(before, lasts, seed.mention)
        alone = [relevance.score((*before, last), seed.mention) for last in lasts]
        assert len(scores) == len(lasts)
        np.testing.assert_allclose(scores.totals, [score.total for score in alone], rtol=0, atol=1e-12)
        for place, score in enumerate(alone):
            assert scores[place].total == pytest.approx(score.total, abs=1e-12)
            assert (scores[place].heard, scores[place].silent) == (score.heard, score.silent)


def test_a_path_adds_up_what_its_hops_are(graph):
    relevance, seed = weighed(graph, "Which ships were built by those who live in the town of Ada Moss?")
    lives, built, owns = (
        HopKind("LIVES_IN", True, "Person", "Town"),
        HopKind("BUILT", True, "Person", "Ship"),
        HopKind("OWNS", True, "Ship", "Town"),
    )
    one, other, silent = (relevance.score([hop], seed.mention) for hop in (lives, built, owns))
    both = relevance.score([lives, built], seed.mention)
    assert both.explained.tolist() == np.maximum(one.explained, other.explained).tolist()
    assert both.stray == pytest.approx((one.stray + other.stray) / 2)
    assert (both.hops, both.heard, both.silent) == (2, 2, 0)
    assert relevance.score([lives, owns], seed.mention).heard == 1 + silent.heard


def test_going_back_over_the_edge_that_one_came_by_costs(graph):
    relevance, seed = weighed(graph, "Who knows Ada Moss?")
    there, back = HopKind("BUILT", True, "Person", "Ship"), HopKind("BUILT", False, "Ship", "Person")
    onward = HopKind("SAILED", False, "Ship", "Person")
    assert relevance.score([there, back], seed.mention).turns == 1
    assert relevance.score([there, onward], seed.mention).turns == 0


def chain() -> networkx.MultiDiGraph:
    """Four edges from a country to what is built of its ore, and four to where that is kept."""
    graph = networkx.MultiDiGraph()
    graph.add_node("c", label="Country", name="Chile")
    for place, kind in enumerate(("Mine", "Ore", "Wire", "Motor")):
        graph.add_node(kind, label=kind, name=f"The {kind}")
        graph.add_edge("c" if not place else ("Mine", "Ore", "Wire")[place - 1], kind, type=f"STEP_{place}")
    graph.add_node("Shelf", label="Shelf", name="The Shelf")
    graph.add_edge("Wire", "Shelf", type="KEPT_ON")
    return graph


@pytest.mark.parametrize(
    ("question", "end"),
    [("Which motors hang together with Chile?", "Motor"), ("What of Chile is kept where?", "Shelf")],
)
def test_one_hop_beyond_the_most_leads_to_what_is_asked_for_alone(question, end):
    with open_graph(chain(), settings=Settings.load(save_runs=False, embedder="none")) as opened:
        relevance, seed = weighed(opened, question)
        asked = frozenset(link.id for link in opened.linked(question).asked)
        found = finder(opened).from_seed(seed, relevance, asked, Budget())
        assert {route.ends for route in found if len(route.hops) == 4} == {(end,)}
        assert max(len(route.hops) for route in found) == 4
