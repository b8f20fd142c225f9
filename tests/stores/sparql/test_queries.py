"""Checked query text on real servers: rows, truth values, triples, caps and what they are told as."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from tests.stores.sparql.support import ENGINES, open_store, passed

from askgraph.core.budget import Budget
from askgraph.core.errors import QueryFailedError
from askgraph.core.graph import Node
from askgraph.core.hidden import Hidden
from askgraph.core.values import LanguageText
from askgraph.stores.sparql.queries import query_form
from askgraph.stores.sparql.store import SparqlStore

GRAPH = """
@prefix : <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:a :name "Ada"@en, "Ada"@de-AT ; :age 36 ; :height 1.5 ; :weight 1.5e0 ; :here true ; :born "1815-12-10"^^xsd:date ;
   :seen "2020-02-03T04:05:06Z"^^xsd:dateTime ; :small "5"^^xsd:int ;
   :text "a\\"b\\\\c\\nd ✓ 😀" ;
   :knows :b, [ :name "nobody" ] .
:b :name "Bob" ; :age 41 ; :knows :a .
"""
P = "PREFIX : <http://e/> "


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.server(name)) for name in ENGINES]
)
def store(request: pytest.FixtureRequest) -> Iterator[SparqlStore]:
    server = request.getfixturevalue(request.param)
    server.load(GRAPH)
    with open_store(server) as opened:
        yield opened


def test_values_come_as_python_has_them(store: SparqlStore) -> None:
    query = P + (
        "SELECT ?age ?height ?weight ?here ?born ?seen ?small ?text WHERE { :a :age ?age ; :height ?height ; "
        ":weight ?weight ; :here ?here ; :born ?born ; :seen ?seen ; :small ?small ; :text ?text }"
    )
    result = store.query(passed(query))
    assert result.columns == ("age", "height", "weight", "here", "born", "seen", "small", "text")
    assert result.rows == [
        (36, Decimal("1.5"), 1.5, True, datetime.date(1815, 12, 10),
         datetime.datetime(2020, 2, 3, 4, 5, 6, tzinfo=datetime.UTC), 5, 'a"b\\c\nd ✓ 😀'),
    ]  # fmt: skip
    assert [type(cell) for cell in result.rows[0][:4]] == [int, Decimal, float, bool]
    assert not result.truncated


def test_iris_are_nodes_and_nothing_is_none(store: SparqlStore) -> None:
    query = P + "SELECT ?s ?born WHERE { ?s :age ?age OPTIONAL { ?s :born ?born } } ORDER BY ?s"
    assert store.query(passed(query)).rows == [
        (Node("http://e/a"), datetime.date(1815, 12, 10)),
        (Node("http://e/b"), None),
    ]


def test_languages_have_the_capitals_of_bcp_47(store: SparqlStore) -> None:
    query = P + "SELECT ?name WHERE { :a :name ?name } ORDER BY LANG(?name)"
    rows = store.query(passed(query)).rows
    assert sorted(cell.language for (cell,) in rows if isinstance(cell, LanguageText)) == ["de-AT", "en"]


def test_blank_nodes_are_nodes_of_this_result_alone(store: SparqlStore) -> None:
    result = store.query(passed(P + 'SELECT ?x WHERE { ?x :name "nobody" }'))
    ((node,),) = result.rows
    assert isinstance(node, Node)
    assert node.id.startswith("_:")
    if store.client.engine.names_blank_nodes:
        assert [found.id for found in store.nodes([node.id])] == [node.id], (
            "Virtuoso takes what it calls them"
        )
        assert list(store.neighbors([node.id], "in").nodes) == ["http://e/a"]
    else:
        assert any("hold within this result only" in note for note in result.notes)
        assert list(store.nodes([node.id])) == []
        assert "http://e/b" in store.neighbors(["http://e/a"]).nodes
        assert not any(id.startswith("_:") for id in store.neighbors(["http://e/a"]).nodes)


def test_yes_or_no(store: SparqlStore) -> None:
    result = store.query(passed(P + "ASK { :a :knows :b }"))
    assert (result.shape, result.columns, result.rows) == ("boolean", ("answer",), [(True,)])
    assert store.query(passed(P + "ASK { :b :knows :b }")).rows == [(False,)]


def test_triples(store: SparqlStore) -> None:
    result = store.query(
        passed(P + "CONSTRUCT { ?y :isKnownBy ?x } WHERE { ?x :knows ?y FILTER(isIRI(?y)) }")
    )
    assert result.shape == "triples"
    assert result.columns == ("subject", "predicate", "object")
    assert sorted(result.rows, key=str) == [
        (Node("http://e/a"), Node("http://e/isKnownBy"), Node("http://e/b")),
        (Node("http://e/b"), Node("http://e/isKnownBy"), Node("http://e/a")),
    ]
    described = store.query(passed("DESCRIBE <http://e/b>"))
    assert (Node("http://e/b"), Node("http://e/age"), 41) in described.rows


def test_the_smallest_cap_holds_and_a_cut_is_said(store: SparqlStore) -> None:
    for result in (
        store.query(passed("SELECT ?p ?o WHERE { ?s ?p ?o FILTER(!isBLANK(?o)) }", row_cap=3)),
        store.query(passed("SELECT ?p WHERE { ?s ?p ?o }", row_cap=100), budget=Budget(rows=3)),
        store.query(passed("CONSTRUCT WHERE { <http://e/a> <http://e/name> ?o }", row_cap=1)),
    ):
        assert len(result.rows) in (1, 3)
        assert result.truncated
        assert len(result.notes) == 1
        assert result.notes[0].startswith("Only the first")
    whole = store.query(passed("SELECT ?s WHERE { ?s <http://e/age> ?o }", row_cap=2))
    assert (len(whole.rows), whole.truncated) == (2, False)
    assert store.query(passed("SELECT ?p WHERE { ?s ?p ?o }", notes=("the gate's",))).notes == ("the gate's",)


@pytest.mark.parametrize("given", ["SELECT ?s WHERE { ?s ?p ?o }", None, 1, b"ASK {}"])
def test_only_a_checked_query_is_taken(given: Any, store: SparqlStore) -> None:
    before = store.client.requests
    for method in (store.query, store.explain):
        with pytest.raises(TypeError, match="CheckedQuery"):
            method(given)
    assert store.client.requests == before


def test_another_language_and_missing_parameters_are_refused(store: SparqlStore) -> None:
    with pytest.raises(QueryFailedError, match="Cypher"):
        store.query(passed("MATCH (n) RETURN n", language="cypher"))
    with pytest.raises(QueryFailedError, match="name"):
        store.query(passed("ASK {}", parameters=("name",)))


def test_there_is_no_explanation(store: SparqlStore) -> None:
    for checked in (passed("ASK {}"), passed("ASK {}", explain=True)):
        with pytest.raises(QueryFailedError) as caught:
            store.explain(checked) if not checked.explain else store.query(checked)
        assert caught.value.code == "explain"


def test_what_is_hidden_is_not_named_even_if_the_gate_let_it_through(store: SparqlStore) -> None:
    from tests.stores.sparql.test_plans import store_address

    with open_store(store_address(store), hidden=Hidden(properties=("http://e/age",))) as hiding:
        rows = hiding.query(passed("SELECT DISTINCT ?p WHERE { ?s ?p ?o }")).rows
        assert (Node("http://e/name"),) in rows
        assert (Node("http://e/age"),) not in rows
        triples = hiding.query(passed("DESCRIBE <http://e/b>")).rows
        assert 41 not in [row[2] for row in triples]


def test_the_form_of_a_query_is_seen_behind_its_prologue() -> None:
    assert query_form("select * {}") == "SELECT"
    prologue = "# ASK\nBASE <http://e/> PREFIX : <http://e/SELECT#> prefix a-b.c: <x>\n"
    assert query_form(f"{prologue}construct {{}} WHERE {{}}") == "CONSTRUCT"
    for text in ("PREFIX : <http://e/> DELETE {}", "SELECTED", "", "PREFIX a b SELECT", "<http://e/>"):
        with pytest.raises(QueryFailedError):
            query_form(text)
