"""The document on the multi-strategy engine: its examples on a real Neo4j and a real SPARQL endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.documents.byokg_examples import CHECKS, DRUGS_CYPHER, DRUGS_TURTLE

from askgraph import Graph, Settings, open_graph


@pytest.fixture(scope="module")
def on_neo4j(neo4j: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    neo4j.clear()
    neo4j.load(*DRUGS_CYPHER)
    folder = tmp_path_factory.mktemp("askgraph")
    user, password = neo4j.auth
    settings = Settings.load(
        user=user, password=password, save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data"
    )
    with open_graph(neo4j.url, settings=settings) as graph:
        yield graph


@pytest.fixture(scope="module")
def on_fuseki(fuseki: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    fuseki.load(DRUGS_TURTLE)
    folder = tmp_path_factory.mktemp("askgraph")
    settings = Settings.load(save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data")
    with open_graph(f"sparql+{fuseki.url}", settings=settings) as graph:
        yield graph


@pytest.mark.parametrize("example", CHECKS)
def test_an_example_of_the_document_runs_on_neo4j(on_neo4j: Graph, example: str) -> None:
    CHECKS[example](on_neo4j, "property")


@pytest.mark.parametrize("example", CHECKS)
def test_an_example_of_the_document_runs_on_a_sparql_endpoint(on_fuseki: Graph, example: str) -> None:
    CHECKS[example](on_fuseki, "rdf")
