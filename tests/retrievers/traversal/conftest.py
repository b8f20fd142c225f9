"""Small graphs whose every path can be checked by eye."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.budget import Budget
from askgraph.core.evidence import Mention
from askgraph.retrievers.seeds import Seed
from askgraph.retrievers.traversal.stopping import CONSERVATIVE, AdaptiveStopping
from askgraph.retrievers.traversal.template import Template
from askgraph.retrievers.traversal.traversal import PathTraversal, Traversed


@pytest.fixture(scope="session")
def plain_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings that keep nothing and compare words alone: no test here is about what words mean."""
    folder = tmp_path_factory.mktemp("askgraph")
    return Settings.load(
        save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data", embedder="none"
    )


OpenTurtle = Callable[[str], Graph]


@pytest.fixture
def open_turtle(tmp_path: Path, plain_settings: Settings) -> Iterator[OpenTurtle]:
    """Opens an embedded graph made of Turtle."""
    graphs: list[Graph] = []

    def opened(turtle: str) -> Graph:
        file = tmp_path / f"graph-{len(graphs)}.ttl"
        file.write_text(turtle, encoding="utf-8")
        folder = tmp_path / f"graph-{len(graphs)}.graph"
        load_graph([file], folder)
        graphs.append(open_graph(folder, settings=plain_settings))
        return graphs[-1]

    yield opened
    for graph in graphs:
        graph.close()


@pytest.fixture
def open_networkx(plain_settings: Settings) -> Iterator[Callable[[Any], Graph]]:
    """Opens a property graph in memory."""
    graphs: list[Graph] = []

    def opened(content: Any) -> Graph:
        graphs.append(open_graph(content, settings=plain_settings))
        return graphs[-1]

    yield opened
    for graph in graphs:
        graph.close()


def traverse(
    graph: Graph,
    start: str | list[str],
    template: str | Template,
    *,
    stopping: AdaptiveStopping = CONSERVATIVE,
    max_hops: int = 3,
    budget: Budget | None = None,
) -> Traversed:
    """The subgraphs around nodes, by their ids."""
    starts = [start] if isinstance(start, str) else start
    nodes = list(graph.store.nodes(starts))
    assert [node.id for node in nodes] == starts
    seeds = [Seed(Mention("", 0, 0), node.name, 1.0, (node.id,), node.types) for node in nodes]
    traversal = PathTraversal(graph.store, graph.schema(), None, max_hops=max_hops)
    wanted = Template(template) if isinstance(template, str) else template
    return traversal.subgraphs(seeds, wanted, budget or Budget(), stopping=stopping)


def triples_of(found: Traversed) -> set[tuple[str, str, str]]:
    """Every triple of every subgraph in words."""
    return {
        (triple.source_name, triple.relation_name, triple.target_name)
        for subgraph in found.subgraphs
        for triple in subgraph.triples
    }
