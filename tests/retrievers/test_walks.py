"""Hops that are read for chosen relations: all of them, side by side where a server is asked, in one order."""

from __future__ import annotations

import threading
from dataclasses import replace

import networkx
import pytest

from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError
from askgraph.retrievers.walks import paths_of, read_relations
from askgraph.stores.memory import from_networkx


@pytest.fixture(scope="module")
def store():
    graph = networkx.MultiDiGraph()
    graph.add_node("hub", label="Person", name="Grace")
    for type, count in (("FOLLOWS", 90), ("LIKES", 60), ("KNOWS", 3), ("OWNS", 2)):
        for number in range(count):
            graph.add_node(f"{type}{number}", label="Thing", name=f"{type} {number}")
            ends = ("hub", f"{type}{number}") if number % 2 else (f"{type}{number}", "hub")
            graph.add_edge(*ends, type=type)
    with from_networkx(graph) as opened:
        yield opened


class Remote:
    """The same store, as if a server had it; notes in which threads it is asked, two at a time at least."""

    def __init__(self, store, *, fails=False):
        self._store = store
        self._fails = fails
        self._together = threading.Barrier(2, timeout=10)
        self.threads = set()

    def __getattr__(self, name):
        return getattr(self._store, name)

    @property
    def capabilities(self):
        return replace(self._store.capabilities, remote=True)

    def neighbors(self, ids, direction="both", **options):
        if self._fails:
            raise DeadlineExceededError("the time was up")
        if len(self.threads) < 2:
            self.threads.add(threading.get_ident())
            self._together.wait()
        return self._store.neighbors(ids, direction, **options)


def texts(read):
    return [(item.origin, item.type, item.forward, item.target) for item in read.crossings]


def test_a_server_is_asked_for_several_relations_at_a_time_and_gives_the_same(store):
    counts = list(store.relations(["hub"]))
    assert len(counts) == 8
    alone = read_relations(store, ["hub"], counts, 20, Budget())
    remote = Remote(store)
    together = read_relations(remote, ["hub"], counts, 20, Budget())
    assert len(remote.threads) == 2
    assert texts(together) == texts(alone)
    assert together.cut == alone.cut
    assert len(texts(alone)) == 4 * 20 + 5


def test_what_a_server_fails_with_is_raised(store):
    with pytest.raises(DeadlineExceededError):
        read_relations(Remote(store, fails=True), ["hub"], store.relations(["hub"]), 20, Budget())


def test_the_ids_of_the_edges_of_many_walks_are_those_of_each(store):
    read = read_relations(store, ["hub"], list(store.relations(["hub"])), 20, Budget())
    paths = paths_of([[crossing] for crossing in read.crossings], store.schema())
    assert len({path.hops[0].edge for path in paths}) == len(paths)
    for crossing, path in zip(read.crossings, paths, strict=True):
        (edge,) = store.edges([path.hops[0].edge])
        assert {edge.source, edge.target} == {crossing.origin, crossing.target}
        assert edge.type == crossing.type
