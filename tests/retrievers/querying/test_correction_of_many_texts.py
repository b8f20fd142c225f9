"""Whatever can be read can be corrected: nothing fails, the text that comes out is a query, and is left as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.querying.sparql.w3c import QUERY_KINDS, w3c_tests
from tests.querying.tck import tck_queries
from tests.retrievers.movie_graph import movies

import askgraph
from askgraph.core.errors import QueryError
from askgraph.core.settings import Settings
from askgraph.engine import Graph

_EVERY_TCK, _EVERY_W3C = 17, 5


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory, ck25_turtle: Path) -> Iterator[dict[str, Graph]]:
    folder = tmp_path_factory.mktemp("graphs")
    settings = Settings.load(
        embedder="none", save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data"
    )
    with (
        askgraph.open_graph(movies(), settings=settings) as property_graph,
        askgraph.open_graph(ck25_turtle, settings=settings) as rdf_graph,
    ):
        yield {"cypher": property_graph, "sparql": rdf_graph}


def corrected(graph: Graph, texts: list[str]) -> int:
    """How many of the texts are queries; each is corrected, and then once more."""
    count = 0
    for text in texts:
        try:
            correction = graph.correct(text)
        except QueryError:
            continue
        count += 1
        again = graph.correct(correction.text)
        assert again.text == correction.text, text
        assert again.changes == (), text
        if not correction.changes:
            assert correction.text == text
    return count


def test_queries_of_the_cypher_suite(graphs: dict[str, Graph]) -> None:
    texts = list(dict.fromkeys(query.text for query in tck_queries()))[::_EVERY_TCK]
    assert corrected(graphs["cypher"], texts) > 100


def test_queries_of_the_sparql_suites(graphs: dict[str, Graph]) -> None:
    texts = [test.text for suite in ("sparql10", "sparql11") for test in w3c_tests(suite, QUERY_KINDS)]
    assert corrected(graphs["sparql"], texts[::_EVERY_W3C]) > 50
