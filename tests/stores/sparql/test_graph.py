"""Nodes, hops, relations and edges of a real graph on real servers, beside the same graph embedded."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from pathlib import Path

import pytest
from tests.stores.sparql.support import ENGINES, open_store

from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError, OpenError, SettingsError
from askgraph.core.graph import Node
from askgraph.stores.base import Neighbors
from askgraph.stores.rdf.store import RdfStore
from askgraph.stores.sparql import node_reading
from askgraph.stores.sparql.store import SparqlStore

NOWHERE = "http://nowhere.invalid/x"
RUDE = ("> } DROP ALL #", '" } #', "", "no iri", "http://e/a b", "http://e/<x>", "_:b0", "\ud800")


@pytest.fixture(scope="module")
def embedded(ck25_turtle: Path) -> Iterator[RdfStore]:
    with RdfStore.from_files(ck25_turtle) as store:
        yield store


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.server(name)) for name in ENGINES]
)
def store(request: pytest.FixtureRequest, ck25_turtle: Path) -> Iterator[SparqlStore]:
    server = request.getfixturevalue(request.param)
    server.load(ck25_turtle)
    with open_store(server) as opened:
        yield opened


@pytest.fixture(scope="module")
def some_nodes(embedded: RdfStore) -> list[str]:
    """Every tenth node."""
    return [node.id for node in islice(embedded.nodes(), 0, 3_000, 10)]


def same_value(value: object) -> object:
    """A value without what an engine may not keep: the way in which it was written."""
    if isinstance(value, list):
        return sorted(map(str, map(same_value, value)))
    return (
        float(value)
        if isinstance(value, int | float | Decimal) and not isinstance(value, bool)
        else str(value)
    )


def same_node(node: Node) -> tuple[object, ...]:
    properties = {key: same_value(value) for key, value in node.properties.items()}
    return node.id, node.names, node.types, properties


def rows(hops: Neighbors) -> list[tuple[int, bool, str, str, str]]:
    return [
        (origin, forward, hops.type_names[type], node, edge)
        for origin, forward, type, node, edge in zip(
            hops.origins.tolist(),
            hops.forward.tolist(),
            hops.edge_types.tolist(),
            hops.nodes,
            hops.edges,
            strict=True,
        )
    ]


def test_nodes_have_their_names_types_and_properties(
    store: SparqlStore, embedded: RdfStore, some_nodes: list[str]
) -> None:
    asked = [some_nodes[0], NOWHERE, *some_nodes, some_nodes[0]]
    found = list(store.nodes(asked))
    assert [node.id for node in found] == [id for id in asked if id != NOWHERE]
    assert list(map(same_node, found)) == list(map(same_node, embedded.nodes(asked)))


@pytest.mark.parametrize("direction", ["out", "in", "both"])
def test_hops_are_those_of_the_embedded_graph(
    direction: str, store: SparqlStore, embedded: RdfStore, some_nodes: list[str]
) -> None:
    ids = [NOWHERE, *some_nodes[:120], some_nodes[3]]
    found = store.neighbors(ids, direction)  # type: ignore[arg-type]
    assert rows(found) == rows(embedded.neighbors(ids, direction))  # type: ignore[arg-type]
    assert not found.cut


def test_hops_over_some_types_and_over_none(
    store: SparqlStore, embedded: RdfStore, some_nodes: list[str]
) -> None:
    types = [item.id for item in embedded.schema().edge_types[:2]]
    assert rows(store.neighbors(some_nodes, types=types)) == rows(embedded.neighbors(some_nodes, types=types))
    assert len(store.neighbors(some_nodes, types=[])) == 0
    assert len(store.neighbors(some_nodes, types=[NOWHERE])) == 0


def hubs(embedded: RdfStore, count: int) -> list[str]:
    degrees = embedded.adjacency.out_offsets[1:] - embedded.adjacency.out_offsets[:-1]
    degrees = degrees + embedded.adjacency.in_offsets[1:] - embedded.adjacency.in_offsets[:-1]
    return embedded.ids(degrees.argsort()[::-1][:count])


@pytest.mark.parametrize("limit", [1, 7, 60])
def test_of_a_hub_the_first_hops_are_given_and_the_cut_is_said(
    limit: int, store: SparqlStore, embedded: RdfStore, some_nodes: list[str]
) -> None:
    ids = [*hubs(embedded, 5), *some_nodes[:20]]
    found, wanted = (graph.neighbors(ids, limit_per_node=limit) for graph in (store, embedded))
    assert rows(found) == rows(wanted)
    assert dict(found.cut) == dict(wanted.cut)


def test_a_frontier_goes_out_in_few_requests(store: SparqlStore, some_nodes: list[str]) -> None:
    ids = some_nodes[:60]
    store.schema()
    for ask in (store.neighbors, store.relations, lambda ids: list(store.nodes(ids))):
        before = store.client.requests
        ask(ids)
        assert store.client.requests - before <= 3


def test_relations_are_counted(store: SparqlStore, embedded: RdfStore, some_nodes: list[str]) -> None:
    assert list(store.relations(some_nodes)) == embedded.relations(some_nodes)
    assert list(store.relations([NOWHERE])) == []


def test_edges_by_their_ids(store: SparqlStore, embedded: RdfStore) -> None:
    edges = list(islice(embedded.edges(), 0, 700, 7))
    missing = f"{NOWHERE}|{edges[0].type}|{edges[0].target}"
    asked = [missing, *(edge.id for edge in edges), "nonsense", edges[0].id]
    assert [edge.id for edge in store.edges(asked)] == [edge.id for edge in edges] + [edges[0].id]


def test_ids_cannot_leave_their_place_in_a_query(store: SparqlStore) -> None:
    assert list(store.nodes(RUDE)) == []
    assert len(store.neighbors(RUDE)) == 0
    assert list(store.relations(RUDE)) == []
    assert list(store.edges([f"{text}|http://e/p|{text}" for text in RUDE])) == []
    assert [list(found) for found in store.find_names(RUDE[:4])] == [[], [], [], []]


def test_pages_give_every_node_once_and_can_be_taken_up(store: SparqlStore, embedded: RdfStore) -> None:
    pages = list(store.node_pages())
    found = [node.id for page in pages for node in page.nodes]
    assert sorted(found) == sorted(node.id for node in embedded.nodes() if not node.id.startswith("_:"))
    assert [node.id for page in store.node_pages() for node in page.nodes] == found, "in a fixed order"
    for place in (0, len(pages) // 2, len(pages) - 2):
        later = [node.id for page in store.node_pages(pages[place].cursor) for node in page.nodes]
        assert later == [node.id for page in pages[place + 1 :] for node in page.nodes]
    assert list(store.node_pages(pages[-1].cursor)) == []
    for nonsense in ("[1]", "x", '["http://e/no", ""]', '["objects", "zz"]'):
        with pytest.raises(SettingsError, match="no place"):
            next(store.node_pages(nonsense))


def test_pages_of_many_nodes_are_short_and_miss_nobody(
    store: SparqlStore, embedded: RdfStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_reading, "PAGE", 100)
    pages = list(store.node_pages())
    assert max(len(page.nodes) for page in pages) <= 100
    found = [node.id for page in pages for node in page.nodes]
    assert sorted(found) == sorted(node.id for node in embedded.nodes())


def test_the_schema_has_the_counts_of_the_embedded_graph(store: SparqlStore, embedded: RdfStore) -> None:
    found, wanted = store.schema(), embedded.schema()
    if found.notes:
        pytest.skip(f"the server was too busy to count: {found.notes}")
    assert {(item.id, item.count, item.total, item.label, item.parents) for item in found.node_types} == {
        (item.id, item.count, item.total, item.label, item.parents) for item in wanted.node_types
    }
    assert {(item.id, item.count, item.label, item.ends) for item in found.edge_types} == {
        (item.id, item.count, item.label, item.ends) for item in wanted.edge_types
    }
    assert (found.node_count, found.edge_count) == (wanted.node_count, wanted.edge_count)


def test_no_time_no_hops(store: SparqlStore, some_nodes: list[str]) -> None:
    with pytest.raises(DeadlineExceededError):
        store.neighbors(some_nodes, budget=Budget(seconds=0))


def test_what_it_is(store: SparqlStore) -> None:
    capabilities = store.capabilities
    assert capabilities.kind == "rdf"
    assert capabilities.remote
    assert capabilities.query_languages == ("sparql",)
    assert capabilities.version == store.capabilities.version
    assert all(limit.endswith(".") for limit in capabilities.limits)


def test_a_closed_store_says_so(store: SparqlStore) -> None:
    endpoint = store.client.endpoint
    graphs = "&".join(f"default-graph-uri={graph}" for graph in endpoint.default_graphs)
    closed = open_store(f"{endpoint.shown}?{graphs}")
    closed.close()
    closed.close()
    with pytest.raises(OpenError):
        closed.schema()
    with pytest.raises(OpenError):
        closed.neighbors(["http://e/x"])
