"""A relation that a query excludes, or that may be meant the other way round, is never guessed without a word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.engine.conftest import company
from tests.strategies.conftest import COMPANY_TURTLE

import askgraph
from askgraph.core.errors import QueryFailedError
from askgraph.core.settings import Settings
from askgraph.engine import Graph
from askgraph.strategies.finding import query_runner

_PREFIX = "PREFIX : <http://example.org/company/> "


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("excluded")
    return Settings.load(save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data")


@pytest.fixture(scope="module")
def graph(settings: Settings) -> Iterator[Graph]:
    with askgraph.open_graph(company(), settings=settings) as opened:
        yield opened


@pytest.fixture(scope="module")
def rdf(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    file: Path = tmp_path_factory.mktemp("rdf") / "company.ttl"
    file.write_text(COMPANY_TURTLE, encoding="utf-8")
    with askgraph.open_graph(file, settings=settings) as opened:
        yield opened


@pytest.mark.parametrize(
    "pattern",
    [
        "NOT (e)-[:MEMBEROF]->(:Department)",
        "NOT EXISTS { (e)-[:member_of]->(:Department) }",
        "NOT (e)<-[:MEMBER_OF]-(:Department)",
    ],
)
def test_another_spelling_or_the_only_direction_is_put_right_and_said_to_be_excluded(graph, pattern):
    correction = graph.correct(f"MATCH (e:Employee) WHERE {pattern} RETURN e")
    assert "(e)-[:MEMBER_OF]->(:Department)" in correction.text
    assert correction.is_sound
    assert "other rows are left out" in correction.changes[0].reason


@pytest.mark.parametrize(
    "pattern", ["NOT (e)-[:HAS_MANAGER]->(:Department)", "NOT (e)-[:MEMBER_OF]->(:Product)"]
)
def test_a_relation_that_only_fits_its_ends_is_a_guess_that_is_not_run(graph, pattern):
    query = f"MATCH (e:Employee) WHERE {pattern} RETURN e.name AS name"
    correction = graph.correct(query)
    assert not correction.is_sound
    runner = query_runner(graph.parts())
    budget = graph.settings.budget()
    with pytest.raises(QueryFailedError, match=r"excludes|does not join"):
        runner.run(runner.prepare(query, {}, budget), budget)


def test_the_same_guess_is_made_where_the_relation_must_be_there(graph):
    correction = graph.correct("MATCH (d:Department) WHERE (d)-[:MEMBER_OF]->(:Product) RETURN d")
    assert "RESPONSIBLE_FOR" in correction.text
    assert correction.is_sound


@pytest.mark.parametrize("where", ["", "NOT "])
def test_who_manages_is_not_taken_for_who_has_a_manager(graph, where):
    query = f"MATCH (a:Employee), (b:Employee) WHERE {where}(a)-[:MANAGES]->(b) RETURN a"
    correction = graph.correct(query)
    assert correction.changes == ()
    [problem] = correction.problems
    assert "the other way round" in problem.message
    assert problem.suggestions == ("HAS_MANAGER",)


@pytest.mark.parametrize("type", ["MANAGER", "has_manager"])
def test_who_is_the_manager_is_who_one_has_as_manager(graph, type):
    correction = graph.correct(f"MATCH (a:Employee)-[:{type}]->(b:Employee) RETURN b")
    assert "HAS_MANAGER" in correction.text


@pytest.mark.parametrize(
    "body", ["FILTER NOT EXISTS { ?e :manages ?x }", "MINUS { ?e :manages ?x }", "?e :manages ?x"]
)
def test_the_same_holds_in_sparql(rdf, body):
    correction = rdf.correct(f"{_PREFIX}SELECT ?e {{ ?e a :Employee . {body} }}")
    assert correction.changes == ()
    assert not correction.is_sound


def test_a_direction_in_sparql_is_said_to_be_excluded(rdf):
    query = (
        f"{_PREFIX}SELECT ?d {{ ?d a :Department FILTER NOT EXISTS {{ ?d :memberOf ?x . ?x a :Employee }} }}"
    )
    correction = rdf.correct(query)
    assert "^:memberOf" in correction.text
    assert "other rows are left out" in correction.changes[0].reason


def test_what_stands_beside_an_exclusion_is_put_right_as_ever(graph):
    query = "MATCH (e:Employe) WHERE NOT (e)-[:HAS_MANAGER]->() RETURN e"
    correction = graph.correct(query)
    assert "(e:Employee)" in correction.text
    assert "left out" not in correction.changes[0].reason
