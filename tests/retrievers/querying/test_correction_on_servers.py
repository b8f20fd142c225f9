"""Correction over a real Neo4j: names are looked up by the server's own full-text index, values by bounded queries."""

from __future__ import annotations

import csv
import importlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from askgraph import Graph, Settings, open_graph
from askgraph.core.errors import AskgraphError
from askgraph.retrievers.querying.query_diagnostic import repair_problems

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
pytestmark = [
    pytest.mark.server("neo4j"),
    pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the benchmarks are not in a source package"),
]


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module("corrected_cypher")
    finally:
        sys.path.remove(str(BENCHMARKS))


def _value(header: str, text: str) -> tuple[str, Any]:
    key, _, kind = header.partition(":")
    return key, int(text) if kind == "int" else text


def _loaded(server: Any, nodes: Path, edges: Path) -> None:
    """The movies, as their tables have them."""
    server.clear()
    with nodes.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            label = row.pop("label")
            values = dict(_value(key, text) for key, text in row.items() if text)
            server.driver.execute_query(f"CREATE (n:{label}) SET n = $values", values=values)
    with edges.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            source, target, kind = row.pop("source"), row.pop("target"), row.pop("type")
            values = dict(_value(key, text) for key, text in row.items() if text)
            server.driver.execute_query(
                f"MATCH (a {{id: $source}}), (b {{id: $target}}) CREATE (a)-[r:{kind}]->(b) SET r = $values",
                source=source,
                target=target,
                values=values,
            )
    server.driver.execute_query(
        "CREATE FULLTEXT INDEX names IF NOT EXISTS "
        "FOR (n:Person|Movie|Studio|City|Genre|Award) ON EACH [n.name, n.title]"
    )
    server.driver.execute_query("CALL db.awaitIndexes(60)")


@pytest.fixture(scope="module")
def graph(neo4j: Any, benchmark: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    _loaded(neo4j, *benchmark.GRAPHS["movies"])
    folder = tmp_path_factory.mktemp("neo4j")
    settings = Settings.load(
        embedder="none",
        save_runs=False,
        cache_dir=folder / "cache",
        data_dir=folder / "data",
        user=neo4j.user,
        password=neo4j.password,
    )
    with open_graph(neo4j.url, settings=settings) as opened:
        yield opened


def test_spoilt_queries_are_put_right_by_what_the_server_has(graph: Graph, benchmark: ModuleType) -> None:
    assert graph.store.capabilities.finds_names
    verdicts: Counter[str] = Counter()
    wrong = []
    for number, (question, found) in enumerate(benchmark.spoilt("movies", "odd")):
        if number % 6:
            continue
        gold = benchmark.rows_of(graph, question["cypher"])
        verdict = benchmark.verdict(graph, found, graph.correct(found.text), gold)
        verdicts[verdict] += 1
        if verdict in ("silent", "shown"):
            wrong.append(found.text)
    assert sum(verdicts.values()) >= 30
    assert verdicts["right"] >= 0.85 * sum(verdicts.values()), (verdicts, wrong)
    assert verdicts["silent"] == 0, wrong


def test_right_queries_are_left_alone(graph: Graph, benchmark: ModuleType) -> None:
    for question in benchmark.questions("movies")[::3]:
        correction = graph.correct(question["cypher"])
        assert correction.text == question["cypher"], question["id"]
        assert correction.is_sound, (question["id"], correction.problems)


@pytest.mark.parametrize(
    ("query", "kind", "name"),
    [
        ("MATCH (m:Movie) RETURN x.title", "unknown-variable", "x"),
        ("MATCH (m:Movie) RETURN substring(m.title)", "arguments", "substring"),
        ("MATCH (m:Movie) RETURN m.title + date(m.title)", "", ""),
        ("MATCH (m:Movie) RETURN m.title, m.released + count(*)", "aggregate", ""),
    ],
)
def test_errors_of_the_server_are_understood(graph: Graph, query: str, kind: str, name: str) -> None:
    with pytest.raises(AskgraphError) as caught:
        graph.query(query, schema_check=False)
    (problem,) = repair_problems(caught.value)
    assert not kind or problem.kind == kind, problem
    assert name in problem.text
