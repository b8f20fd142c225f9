"""Subgraphs of graphs on real servers: fetched around the question, and what an embedded graph of the same gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from askgraph import Settings, open_graph
from askgraph.retrievers.subgraph.selection import SubgraphSelection

from .conftest import clinic


def turtle() -> str:
    """The clinic as RDF."""
    graph = clinic()
    lines = [
        "@prefix : <http://clinic.example.org/> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
    ]
    for node, data in graph.nodes(data=True):
        lines.append(f':{node} a :{data["label"]} ; rdfs:label "{data["name"]}" .')
    lines += [f":{source} :{data['type']} :{target} ." for source, target, data in graph.edges(data=True)]
    return "\n".join(lines)


def cypher() -> str:
    """The clinic as one statement."""
    graph = clinic()
    nodes = [f"({node}:{data['label']} {{name: '{data['name']}'}})" for node, data in graph.nodes(data=True)]
    edges = [
        f"({source})-[:{data['type'].upper()}]->({target})" for source, target, data in graph.edges(data=True)
    ]
    return "CREATE " + ", ".join([*nodes, *edges])


def names_by_step(selection: SubgraphSelection) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for item in selection.nodes:
        found.setdefault(item.step, []).append(item.node.name)
    return found


def check(location: str, settings: Settings) -> None:
    with open_graph(location, settings=settings) as graph:
        found = graph.subgraph("glass bone disease", nested="c3")
        again = graph.subgraph("glass bone disease", nested="c3")
    steps = names_by_step(found)
    assert steps["seed"] == ["glass bone disease"]
    assert sorted(steps["neighbours"]) == ["COL1", "COL2", "COL3", "bonefix", "brittle nails"]
    assert {"COL4", "COL5", "COL6"} <= set(steps["diamond"])
    ends = {(item.edge.source, item.edge.target) for item in found.edges}
    assert len(ends) > 10
    assert all({source, target} <= set(found.by_id) for source, target in ends)
    assert any("on a server" in note for note in found.notes)
    assert again.to_dict() == found.to_dict()


@pytest.mark.server("oxigraph")
def test_an_endpoint_is_asked_around_the_question(oxigraph: Any, tmp_path: Path) -> None:
    oxigraph.load(turtle())
    settings = Settings.load(
        cache_dir=tmp_path / "cache", data_dir=tmp_path / "data", embedder="none", timeout=60
    )
    check(oxigraph.url.replace("http://", "sparql+http://", 1), settings)


@pytest.mark.server("neo4j")
def test_a_database_is_asked_around_the_question(neo4j: Any, tmp_path: Path) -> None:
    neo4j.load(cypher())
    settings = Settings.load(
        cache_dir=tmp_path / "cache",
        data_dir=tmp_path / "data",
        embedder="none",
        timeout=60,
        user=neo4j.user,
        password=neo4j.password,
    )
    check(neo4j.url, settings)
