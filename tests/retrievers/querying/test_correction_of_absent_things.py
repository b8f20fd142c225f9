"""What a graph does not have at all is said, and never taken for what it has."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from askgraph import Graph

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
pytestmark = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the benchmarks are not in a source package")
ABSENT = {
    "movies": (
        "MATCH (p:Person)-[:MARRIED_TO]->(q:Person) RETURN q.name",
        "MATCH (m:Movie) RETURN m.budget",
        "MATCH (p:Person) WHERE p.salary > 1000 RETURN p.name",
        "MATCH (s:Studio) RETURN s.revenue",
        "MATCH (c:City) WHERE c.population > 100000 RETURN c.name",
        "MATCH (p:Person)-[:HATES]->(c:City) RETURN p.name",
        "MATCH (m:Movie)-[:FILMED_IN]->(c:City) RETURN c.name",
        "MATCH (m:Movie {title: 'Casablanca'}) RETURN m.released",
        "MATCH (p:Person {name: 'Humphrey Bogart'})-[:ACTED_IN]->(m:Movie) RETURN m.title",
        "MATCH (m:Movie)<-[:REVIEWED]-(c:Critic) RETURN c",
    ),
    "hetionet": (
        "MATCH (c:Compound)-[:treats]->(d:Disease {name: 'melanoma'}) RETURN c.name",
        "MATCH (d:Disease)-[:presents]->(s:Symptom) RETURN s.name",
        "MATCH (g:Gene)-[:expressed_in]->(a:Anatomy) RETURN a.name",
        "MATCH (g:Gene) RETURN g.length",
        "MATCH (d:Disease {name: 'common cold'})-[:associates]->(g:Gene) RETURN g.name",
        "MATCH (g:Gene {name: 'ZZZ9'}) RETURN g.chromosome",
        "MATCH (d:Disease) RETURN d.prevalence",
        "MATCH (p:Pathway)-[:inhibits]->(d:Disease) RETURN p.name",
    ),
}


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module("corrected_cypher")
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module", params=list(ABSENT))
def graph(
    request: pytest.FixtureRequest, benchmark: ModuleType, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Graph]]:
    with benchmark.opened(request.param, tmp_path_factory.mktemp(request.param)) as opened:
        yield request.param, opened


def test_what_is_not_there_is_reported_and_nothing_is_put_in_its_place(graph: tuple[str, Graph]) -> None:
    name, opened = graph
    for query in ABSENT[name]:
        correction = opened.correct(query)
        assert correction.text == query, (query, correction.changes)
        assert not correction.is_sound, query
