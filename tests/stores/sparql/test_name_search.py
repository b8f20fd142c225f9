"""Names looked up where they are: by Virtuoso's own index of texts, exactly on the others; by the vendors' published
protocol on servers that cannot be had here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.servers.virtuoso_server import VirtuosoServer
from tests.stores.sparql.scripted_server import YES, Asked, Line, ScriptedServer, results
from tests.stores.sparql.support import ENGINES, open_store

from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError
from askgraph.stores.rdf.names import LabelSettings
from askgraph.stores.sparql.engines import Engine
from askgraph.stores.sparql.name_search import full_text_pattern, search_settings, wordings
from askgraph.stores.sparql.store import SparqlStore

GRAPH = """
@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ada a :Person ; rdfs:label "Ada Lovelace"@en ; skos:altLabel "Augusta Ada King"@en ;
   :bio "a friend of Charles Babbage" .
:charles a :Person ; rdfs:label "Charles Babbage" .
:mary a :Person ; rdfs:label "Mary Somerville"@en-GB, "Mary Fairfax"@de .
:engine a :Machine ; rdfs:label "analytical engine"^^xsd:string .
:acme :name "ACME" .
:quote rdfs:label "it's \\"quoted\\" AND 'more'" .
"""
EVIL = [
    "' OR 'a'",
    '" } DROP ALL #',
    "')) . ?s ?p ?o",
    "AND OR NOT",
    "*",
    "\\",
    "<http://e/ada>",
    "",
    "   ",
    "\x00",
]


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.server(name)) for name in ENGINES]
)
def store(request: pytest.FixtureRequest) -> Iterator[SparqlStore]:
    server = request.getfixturevalue(request.param)
    server.load(GRAPH)
    with open_store(server) as opened:
        yield opened


def found(store: SparqlStore, *texts: str, limit: int = 20) -> list[list[str]]:
    return [
        [node.id.removeprefix("http://e/") for node in nodes]
        for nodes in store.find_names(texts, limit=limit)
    ]


def test_names_are_found_in_the_usual_wordings_and_languages(store: SparqlStore) -> None:
    texts = ("Ada Lovelace", "ada lovelace", "Augusta Ada King", "Charles Babbage", "analytical engine",
             "Mary Somerville", "mary fairfax", "nobody at all")  # fmt: skip
    assert found(store, *texts) == [
        ["ada"], ["ada"], ["ada"], ["charles"], ["engine"], ["mary"], ["mary"], [],
    ]  # fmt: skip


def test_nodes_come_with_their_names_and_types(store: SparqlStore) -> None:
    ((ada,),) = store.find_names(["Ada Lovelace"])
    assert [name.text for name in ada.names] == ["Ada Lovelace", "Augusta Ada King"]
    assert ada.types == ("http://e/Person",)


def test_all_texts_go_out_in_one_request_and_their_nodes_in_another(store: SparqlStore) -> None:
    found(store, "warm up")
    before = store.client.requests
    found(store, "Ada Lovelace", "Charles Babbage", "Mary Somerville", "analytical engine", "nobody")
    assert store.client.requests - before <= 3


def test_a_text_cannot_leave_its_place(store: SparqlStore) -> None:
    found_evil = found(store, *EVIL)
    assert all(not set(ids) - {"quote"} for ids in found_evil)
    assert found(store, "it's \"quoted\" AND 'more'") == [["quote"]]
    assert found(store) == []


def test_a_property_of_this_graph_names_nodes_once_its_schema_is_known(store: SparqlStore) -> None:
    from tests.stores.sparql.test_plans import store_address

    with open_store(store_address(store)) as fresh:
        fresh.schema()
        assert found(fresh, "acme") == [["acme"]]
    with open_store(store_address(store), label_properties=("http://e/name",)) as told:
        assert found(told, "acme") == [["acme"]]


def test_the_limit_holds(store: SparqlStore) -> None:
    assert len(found(store, "Ada Lovelace", limit=1)[0]) == 1


def test_names_take_no_longer_than_allowed(store: SparqlStore) -> None:
    with pytest.raises(DeadlineExceededError):
        store.find_names(["Ada"], budget=Budget(seconds=0))


# --- Virtuoso's index


def test_virtuoso_finds_words_in_any_order_and_only_in_names(virtuoso: VirtuosoServer) -> None:
    virtuoso.load(GRAPH)
    with open_store(virtuoso) as store:
        assert found(store, "lovelace", "Lovelace Ada", "king", "babbage charles") == [
            ["ada"], ["ada"], ["ada"], ["charles"],
        ]  # fmt: skip
        assert store.capabilities.finds_names
        assert not any("no index of texts" in limit for limit in store.capabilities.limits)


@pytest.mark.server("oxigraph")
def test_a_server_without_an_index_says_so_in_its_limits(request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("oxigraph")
    server.load(GRAPH)
    with open_store(server) as store:
        assert found(store, "lovelace") == [[]]
        assert any("no index of texts" in limit for limit in store.capabilities.limits)


# --- wordings and patterns


def test_wordings() -> None:
    assert wordings("ada lovelace") == ("ada lovelace", "Ada lovelace", "Ada Lovelace", "ADA LOVELACE")
    assert wordings("  iPhone  15 ")[:2] == ("iPhone 15", "IPhone 15")
    assert wordings("ß") == ("ß", "SS") or "ß" in wordings("ß")
    assert wordings("  ") == ()


SETTINGS = search_settings(LabelSettings(languages=("de", "no tag!")), languages=["fr"])


def test_search_settings_have_only_tags_that_are_tags() -> None:
    assert SETTINGS.languages[:2] == ("de", "fr")
    assert "no tag!" not in SETTINGS.languages


@pytest.mark.parametrize(
    ("engine", "expected"),
    [
        (Engine.VIRTUOSO, "<bif:contains> \"'Ada' AND 'Lovelace'\""),
        (Engine.QLEVER, 'contains-word> "Ada Lovelace"'),
        (Engine.FUSEKI, 'text#query> ("Ada AND Lovelace" 20)'),
        (Engine.GRAPHDB, '<http://www.ontotext.com/connectors/lucene#query> "Ada AND Lovelace"'),
        (Engine.WIKIDATA, 'API/search> "Ada Lovelace"'),
        (Engine.OXIGRAPH, ""),
    ],
)
def test_each_index_is_asked_in_its_own_way_and_only_for_words(engine: Engine, expected: str) -> None:
    assert expected in full_text_pattern(engine, "Ada, \"Lovelace'\\", SETTINGS, 20)
    assert full_text_pattern(engine, " '\" ", SETTINGS, 20) == ""


ADA = {"type": "uri", "value": "http://e/ada"}
LABEL = {"type": "uri", "value": "http://www.w3.org/2000/01/rdf-schema#label"}


def labelled(text: str) -> str:
    return results(["name"], [{"name": text}])


def test_graphdb_is_asked_by_the_lucene_connector_that_it_lists() -> None:
    connector = "http://www.ontotext.com/connectors/lucene/instance#names"

    def script(asked: Asked, line: Line) -> None:
        query = asked.query
        headers = {"Server": "GraphDB/10.8.1 RDF4J/4.3.15"}
        if query.startswith("ASK"):
            line.reply(YES, headers=headers)
        elif "listConnectors" in query:
            line.reply(results(["x"], [{"x": {"type": "uri", "value": connector}}]))
        elif "lucene#query" in query and "?text" in query:
            line.reply(results(["text", "x"], [{"text": "0", "x": ADA}]))
        elif "lucene#query" in query:
            line.reply(results(["x"], [{"x": ADA}]))
        elif "isLiteral(?name)" in query:
            line.reply(labelled("Ada Lovelace"))
        else:
            line.reply(results(["s", "p", "o"], [{"s": ADA, "p": LABEL, "o": "Ada Lovelace"}]))

    with ScriptedServer(script) as server, closing(open_store(server.url)) as store:
        assert found(store, "ada") == [["ada"]]
        assert any(f"?search a <{connector}>" in asked.query for asked in server.asked)


def test_an_index_that_finds_nothing_that_is_there_is_none() -> None:
    """A Fuseki without jena-text takes the search for ordinary triples, and finds none."""

    def script(asked: Asked, line: Line) -> None:
        if asked.query.startswith("ASK"):
            line.reply(YES, headers={"Fuseki-Request-Id": "1"})
        elif "isLiteral(?name)" in asked.query:
            line.reply(labelled("Ada Lovelace"))
        else:
            line.reply(json.dumps({"head": {"vars": ["x"]}, "results": {"bindings": []}}))

    with ScriptedServer(script) as server, closing(open_store(server.url)) as store:
        assert found(store, "Ada Lovelace") == [[]]
        assert "text#query" not in server.asked[-1].query, "it was then looked up exactly"
        assert "VALUES ?name" in server.asked[-1].query


def test_an_index_that_fails_leaves_exact_look_ups() -> None:
    def script(asked: Asked, line: Line) -> None:
        if asked.query.startswith("ASK"):
            line.reply(YES, headers={"Server": "Virtuoso/07.20"})
        elif "isLiteral(?name)" in asked.query:
            line.reply(labelled("Lovelace"))
        elif "bif:contains" in asked.query and "?text" in asked.query:
            said = "Virtuoso 37000 Error XM029: Free-text expression, line 1"
            line.reply(said, status="400 Bad Request", type="text/plain")
        else:
            is_probe = asked.query.endswith("LIMIT 1")
            line.reply(results(["x"], [{"x": ADA}] if is_probe else []))

    with ScriptedServer(script) as server, closing(open_store(server.url)) as store:
        assert found(store, "Ada") == [[]]
        assert "VALUES ?name" in server.asked[-1].query


def test_a_small_graph_without_an_index_is_better_copied(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = request.getfixturevalue("oxigraph")
    server.load(GRAPH)
    with open_store(server) as store:
        assert not store.capabilities.finds_names
    monkeypatch.setattr("askgraph.stores.sparql.store.COPIED_NODES", 3)
    with open_store(server) as store:
        assert store.capabilities.finds_names, "too large to be copied in passing"
