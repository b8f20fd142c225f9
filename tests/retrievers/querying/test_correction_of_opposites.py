"""A query that asks for one thing is never answered with its opposite, however near the two are spelt."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import askgraph
from askgraph.core.settings import Settings
from askgraph.engine import Graph
from askgraph.retrievers.querying.correction.opposites import are_opposite

_STATES = ("complete", "approved", "hypertension", "North Korea", "symmetric", "active", "benign tumor")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    import networkx

    made = networkx.MultiDiGraph()
    for number, state in enumerate(_STATES):
        made.add_node(
            number,
            label="Account",
            name=f"N{number}",
            status=state,
            active=True,
            founded=1,
            minAge=1,
            enabled=1,
            maleCount=2,
        )
    made.add_node("m", label="Member", name="Mo")
    for number, type in enumerate(("APPROVED", "CONNECTED_TO", "PARENT_OF", "UPREGULATES", "INCLUDES")):
        made.add_edge(number, "m", type=type)
    folder = tmp_path_factory.mktemp("opposites")
    settings = Settings.load(save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data")
    with askgraph.open_graph(made, settings=settings) as opened:
        yield opened


@pytest.mark.parametrize(
    "state", ["incomplete", "unapproved", "hypotension", "South Korea", "asymmetric", "inactive"]
)
def test_a_value_is_not_taken_for_its_opposite(graph: Graph, state: str) -> None:
    correction = graph.correct(f"MATCH (a:Account {{status: '{state}'}}) RETURN a")
    assert correction.changes == ()
    assert not correction.is_sound


@pytest.mark.parametrize("key", ["inactive", "unfounded", "maxAge", "disabled", "femaleCount", "notActive"])
def test_a_property_is_not_taken_for_its_opposite(graph: Graph, key: str) -> None:
    assert graph.correct(f"MATCH (a:Account) RETURN a.{key}").changes == ()


@pytest.mark.parametrize(
    "type", ["UNAPPROVED", "DISCONNECTED_TO", "CHILD_OF", "DOWNREGULATES", "EXCLUDES", "NOT_CONNECTED_TO"]
)
def test_a_relation_is_not_taken_for_its_opposite(graph: Graph, type: str) -> None:
    assert graph.correct(f"MATCH (a:Account)-[:{type}]->(b:Member) RETURN a").changes == ()


@pytest.mark.parametrize("label", ["NonMember", "Nonmember"])
def test_a_type_is_not_taken_for_its_opposite(graph: Graph, label: str) -> None:
    assert graph.correct(f"MATCH (m:{label}) RETURN m").changes == ()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("{status: 'complet'}", "complete"),
        ("{status: 'hypertensoin'}", "hypertension"),
        ("{activ: 1}", "active"),
    ],
)
def test_a_slip_is_put_right_as_before(graph: Graph, written: str, meant: str) -> None:
    assert meant in graph.correct(f"MATCH (a:Account {written}) RETURN a").text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("parent of", "has child"),
        ("written by", "author"),
        ("interest", "interests"),
        ("min age", "age"),
        ("india", "indiana"),
        ("department", "departments"),
    ],
)
def test_other_names_are_no_opposites(one: str, other: str) -> None:
    assert not are_opposite(one.split(), other.split())
    assert not are_opposite(other.split(), one.split())
