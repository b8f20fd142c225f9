"""A thing is found by every name it has: those that the graph gives it, in whatever way, and those of its owner."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import networkx
import pytest

from askgraph import Settings, load_graph, open_graph
from askgraph.linking.own_names import NO_OWN_NAMES, OwnNames

SETTINGS = {"save_runs": False, "embedder": "none"}

TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <https://schema.org/> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix own: <http://example.org/terms/> .
:d1 a :Disease ; rdfs:label "myocardial infarction"@en ; {synonym} ; :treatedBy :t1 .
:d2 a :Disease ; rdfs:label "hypertension"@en ; :treatedBy :t2 .
:t1 a :Drug ; rdfs:label "aspirin" .
:t2 a :Drug ; rdfs:label "ramipril" .
"""


def answer_of(location: object, question: str, descriptions: Path | None = None) -> set[str]:
    settings = Settings.load(**SETTINGS)
    with open_graph(location, settings=settings, descriptions=descriptions) as graph:
        return {item.text for item in graph.ask(question).answers}


@pytest.mark.parametrize(
    "synonym",
    [
        'skos:altLabel "heart attack"@en',
        'skos:hiddenLabel "Heart Attack"',
        'schema:alternateName "heart attack", "cardiac infarction"',
        'oio:hasExactSynonym "heart attack"',
        'oio:hasRelatedSynonym "heart attack"',
        'own:synonym "heart attack"',
        'own:alternativeName "heart attack"',
        'own:also_known_as "heart attack"',
        'own:brandName "heart attack"',
    ],
)
def test_rdf_synonyms_name_a_node(tmp_path: Path, synonym: str) -> None:
    file = tmp_path / "diseases.ttl"
    file.write_text(TURTLE.replace("{synonym}", synonym), encoding="utf-8")
    load_graph(file, tmp_path / "diseases.graph")
    assert answer_of(tmp_path / "diseases.graph", "Which drugs is a heart attack treated by?") == {"aspirin"}


def clinic(**properties: object) -> networkx.MultiDiGraph:
    graph = networkx.MultiDiGraph()
    graph.add_node("d1", label="Disease", name="myocardial infarction", **properties)
    graph.add_node("d2", label="Disease", name="hypertension")
    graph.add_node("t1", label="Drug", name="aspirin")
    graph.add_node("t2", label="Drug", name="ramipril")
    graph.add_edge("t1", "d1", type="TREATS")
    graph.add_edge("t2", "d2", type="TREATS")
    return graph


@pytest.mark.parametrize(
    "key", ["synonyms", "alias", "altLabel", "also_known_as", "exact_synonyms", "Alternate Name"]
)
@pytest.mark.parametrize("value", ["heart attack", ["MI", "heart attack"], "MI|heart attack|coronary"])
def test_synonyms_in_tables_name_a_node(key: str, value: object) -> None:
    assert answer_of(clinic(**{key: value}), "Which drugs treat a heart attack?") == {"aspirin"}


DICTIONARY = """
[names]
"Myocardial Infarction" = ["heart attack", "MI"]
d2 = ["high blood pressure"]

[edge_types.TREATS]
synonyms = ["is good against"]

[node_types.Drug]
synonyms = ["medicine", "pill"]
"""


@pytest.fixture
def dictionary(tmp_path: Path) -> Path:
    file = tmp_path / "words.toml"
    file.write_text(DICTIONARY, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which drugs treat a heart attack?", {"aspirin"}),
        ("Which drugs treat MI?", {"aspirin"}),
        ("which drugs treat hart attack", {"aspirin"}),
        ("Which drugs treat high blood pressure?", {"ramipril"}),
        ("Which medicine is good against hypertension?", {"ramipril"}),
        ("How many pills are there?", {"2"}),
    ],
)
def test_the_words_of_a_users_dictionary_are_understood(
    dictionary: Path, question: str, answer: set[str]
) -> None:
    assert answer_of(clinic(), question, dictionary) == answer
    assert answer_of(clinic(), question) != answer


def test_another_dictionary_makes_the_index_stale_and_only_what_it_says_is_indexed(
    tmp_path: Path, dictionary: Path
) -> None:
    file = tmp_path / "diseases.ttl"
    file.write_text(TURTLE.replace("{synonym} ;", ""), encoding="utf-8")
    load_graph(file, tmp_path / "diseases.graph")
    settings = Settings.load(**SETTINGS)
    with open_graph(tmp_path / "diseases.graph", settings=settings) as graph:
        graph.build_index()
    only_names = tmp_path / "names.toml"
    only_names.write_text(DICTIONARY.split("[edge_types")[0], encoding="utf-8")
    with open_graph(tmp_path / "diseases.graph", settings=settings, descriptions=only_names) as graph:
        assert graph.index_status().state == "stale"
        assert graph.build_index().changed == 1
        assert {item.text for item in graph.ask("Which drugs is a heart attack treated by?").answers} == {
            "aspirin"
        }


def named(id: str, *names: str) -> object:
    from askgraph.core.graph import Name, Node

    return Node(id, tuple(map(Name, names)))


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (("d9", "myocardial infarction"), ("heart attack", "MI")),
        (("d9", "MYOCARDIAL  INFARCTION!"), ("heart attack", "MI")),
        (("d2", "hypertension"), ("high blood pressure",)),
        (("d3", "hypotension"), ()),
    ],
)
def test_a_node_is_known_by_its_name_or_id(node: tuple[str, str], expected: tuple[str, ...]) -> None:
    own = OwnNames({"Myocardial infarction": ["heart attack", "MI"], "d2": ["high blood pressure"]})
    of: Callable[..., tuple[str, ...]] = own.of
    assert of(named(*node)) == expected
    assert NO_OWN_NAMES.of(named(*node)) == ()  # type: ignore[arg-type]  # made above
