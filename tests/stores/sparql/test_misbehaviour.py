"""What real servers do that no client expects: each line of what was measured of Fuseki, Virtuoso and Oxigraph."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from tests.servers.fuseki_server import FusekiServer
from tests.servers.oxigraph_server import OxigraphServer
from tests.servers.virtuoso_server import VirtuosoServer
from tests.stores.sparql.support import ENGINES, address_of, client_of, open_store, passed

from askgraph.core.budget import Budget
from askgraph.core.errors import (
    AskgraphError,
    BadReplyError,
    DeadlineExceededError,
    QueryFailedError,
    SettingsError,
    UnreachableError,
)
from askgraph.stores.address import parse_address
from askgraph.stores.sparql.client import SparqlClient
from askgraph.stores.sparql.endpoint import Endpoint

ON_EVERY_ENGINE = [pytest.param(name, marks=pytest.mark.server(name)) for name in ENGINES]
DIGITS = " ".join(map(str, range(10)))
# More work, and more rows, than any server does within its time-out.
WORK = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f FILTER(?a != ?c && ?c != ?e) }"
ROWS = "SELECT * WHERE { ?a ?p ?b . ?c ?q ?d }"
GRAPH = "".join(f'<http://e/n{i}> <http://e/p{i % 3}> "{i}" .\n' for i in range(2_000))


def numbers(count: int, *, form: str = "SELECT ?a ?b ?c ?d", rest: str = "") -> str:
    """A query that gives so many rows out of nothing; ``count`` is ten times a power of ten at most 10,000."""
    places = "abcde"[: len(str(count)) - 1]
    return f"{form} WHERE {{ {' '.join(f'VALUES ?{name} {{ {DIGITS} }}' for name in places)} }} {rest}"


def loaded(name: str, request: pytest.FixtureRequest) -> Any:
    server = request.getfixturevalue(name)
    if name not in LOADED:
        server.load(GRAPH)
        LOADED.add(name)
    return server


LOADED: set[str] = set()


@pytest.fixture(params=ON_EVERY_ENGINE)
def server(request: pytest.FixtureRequest) -> Any:
    return loaded(request.param, request)


@pytest.mark.parametrize("name", ON_EVERY_ENGINE)
def test_a_time_out_before_the_first_row_is_told(
    name: str, request: pytest.FixtureRequest, start_server: Callable[..., Any]
) -> None:
    """Fuseki says so with 503, Virtuoso with 500; Oxigraph says nothing and goes on, so we stop waiting."""
    if name == "oxigraph":
        server = start_server("oxigraph")  # ends with this test, and its query with it
        server.load(GRAPH)
    else:
        server = loaded(name, request)
    with closing(client_of(address_of(server))) as client:
        client.greet(Budget())
        started = time.monotonic()
        with pytest.raises(DeadlineExceededError):
            client.select(WORK, Budget(seconds=4))
        assert time.monotonic() - started < 4.4


@pytest.mark.parametrize("name", [*ON_EVERY_ENGINE[:2]])
def test_a_time_out_after_rows_came_is_no_answer(name: str, request: pytest.FixtureRequest) -> None:
    """Status 200, rows, and then a sentence of the server's in the middle of the JSON."""
    server = loaded(name, request)
    with closing(client_of(address_of(server))) as client:
        client.greet(Budget())
        with pytest.raises(DeadlineExceededError, match="ended the query by its own time-out"):
            client.select(ROWS, Budget(seconds=30, rows=10**8, bytes=10**10))
        cut = client.select(ROWS, Budget(seconds=30, rows=100))
        assert (len(cut.rows), cut.truncated) == (100, True)


def test_we_stop_where_the_server_does_not(start_server: Callable[..., Any]) -> None:
    server = start_server("oxigraph", timeout=60)
    server.load(GRAPH)
    with closing(client_of(server.url)) as client:
        started = time.monotonic()
        with pytest.raises(DeadlineExceededError):
            client.select(WORK, Budget(seconds=1))
        assert time.monotonic() - started < 1.2
        assert client.ask("ASK {}", Budget(seconds=5)), "it answers others meanwhile"


# --- Virtuoso


def test_virtuoso_cuts_rows_and_says_so_in_a_header(virtuoso: VirtuosoServer) -> None:
    with closing(client_of(address_of(virtuoso))) as client:
        found = client.select(numbers(10_000), Budget(rows=20_000))
        assert (len(found.rows), found.truncated) == (virtuoso.row_cap, True)
        assert found.notes == ("The server gives at most 1,000 rows and has cut the rest off.",)
        assert not client.select(numbers(10_000, rest="LIMIT 1000"), Budget(rows=20_000)).truncated
        assert not client.select(numbers(100), Budget(rows=20_000)).truncated


def test_virtuoso_cuts_triples_and_says_nothing(request: pytest.FixtureRequest) -> None:
    virtuoso: VirtuosoServer = loaded("virtuoso", request)
    with closing(client_of(address_of(virtuoso))) as client:
        client.greet(Budget())
        found = client.construct("CONSTRUCT { ?s <http://e/q> ?o } WHERE { ?s ?p ?o }", Budget(rows=20_000))
        assert virtuoso.row_cap <= len(found.rows) < 2_000
        assert found.truncated
        assert found.notes
        few = client.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 5", Budget(rows=20_000))
        assert (len(few.rows), few.truncated) == (5, False)


def test_virtuoso_sorts_no_deep_pages(virtuoso: VirtuosoServer) -> None:
    with closing(client_of(address_of(virtuoso))) as client, pytest.raises(QueryFailedError) as caught:
        client.select(numbers(10_000, rest="ORDER BY ?a ?b ?c ?d LIMIT 10 OFFSET 50000"), Budget())
    assert caught.value.code == "too-many-rows"


def test_virtuoso_gives_a_part_for_the_whole_and_it_is_not_taken(request: pytest.FixtureRequest) -> None:
    virtuoso: VirtuosoServer = loaded("virtuoso", request)
    address = parse_address(address_of(virtuoso))
    with pytest.raises(SettingsError, match="timeout"):
        Endpoint.of(parse_address(f"{address_of(virtuoso)}&timeout=300"))
    # As if somebody had set it on the way.
    endpoint = replace(Endpoint.of(address), options=(("timeout", "300"),))
    part = pytest.raises(DeadlineExceededError, match="a part for the whole")
    with closing(SparqlClient(endpoint)) as client, part:
        client.select(WORK, Budget(seconds=10))


def test_an_error_in_one_expression_is_an_error_with_a_type(virtuoso: VirtuosoServer) -> None:
    with (
        closing(client_of(address_of(virtuoso))) as client,
        pytest.raises(QueryFailedError, match="Division by 0"),
    ):
        client.select("SELECT (1/0 AS ?x) WHERE {}", Budget())


# --- nothing is changed, nobody is called


@pytest.mark.parametrize(
    "text", ["INSERT DATA { <a:a> <a:b> <a:c> }", "CLEAR ALL", "", "# SELECT\nDROP ALL", "PREFIX"]
)
def test_what_is_no_query_is_not_even_sent(text: str, server: Any) -> None:
    with open_store(server) as store:
        before = store.client.requests
        with pytest.raises(QueryFailedError):
            store.query(passed(text))
        assert store.client.requests == before


@pytest.mark.parametrize("name", [*ON_EVERY_ENGINE[1:]])
def test_service_that_the_server_refuses_is_an_error_with_a_type(
    name: str, request: pytest.FixtureRequest
) -> None:
    server = request.getfixturevalue(name)
    with open_store(server) as store, pytest.raises(QueryFailedError) as caught:
        store.query(passed("SELECT * WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"))
    assert caught.value.code == "service"


def test_from_an_unknown_graph_is_empty(server: Any) -> None:
    # A data set that the address names counts more than FROM, so there is none here.
    with open_store(server.url) as store:
        result = store.query(passed("SELECT ?s FROM <http://nowhere.invalid/> WHERE { ?s ?p ?o }"))
        assert (result.rows, result.truncated) == ([], False)


def test_syntax_errors_have_their_place(server: Any) -> None:
    with open_store(server) as store, pytest.raises(QueryFailedError) as caught:
        store.query(passed("SELECT ?s WHERE {\n ?s nothing:here ?o }"))
    assert caught.value.code == "syntax"
    assert not isinstance(caught.value, BadReplyError)


# --- outages


def test_a_server_that_is_killed_at_work_is_told_and_comes_back(start_server: Callable[..., Any]) -> None:
    server: OxigraphServer = start_server("oxigraph", timeout=60)
    server.load(f"{GRAPH}<http://e/a> <http://e/p> <http://e/b> .")
    with open_store(server) as store:
        errors: list[AskgraphError] = []

        def ask() -> None:
            try:
                store.client.select(ROWS, Budget(seconds=20, rows=10**9, bytes=10**12))
            except AskgraphError as error:
                errors.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        time.sleep(0.4)
        server.kill()
        thread.join(5)
        assert not thread.is_alive()
        assert isinstance(errors[0], UnreachableError)
        with pytest.raises(UnreachableError, match="nothing answers"):
            store.neighbors(["http://e/a"], budget=Budget(seconds=2))
        server.restart()
        assert list(store.neighbors(["http://e/a"]).nodes) == ["http://e/b"]


def test_a_server_that_falls_silent_is_left_at_the_deadline(start_server: Callable[..., Any]) -> None:
    server: OxigraphServer = start_server("oxigraph")
    with open_store(server) as store:
        server.pause()
        started = time.monotonic()
        with pytest.raises(DeadlineExceededError):
            list(store.client.select("SELECT * WHERE {}", Budget(seconds=0.8)).rows)
        assert time.monotonic() - started < 1.0
        server.resume()
        assert store.client.ask("ASK {}", Budget(seconds=5))


def test_fuseki_on_disk_is_as_fuseki_in_memory(fuseki: FusekiServer) -> None:
    fuseki.load(GRAPH)
    with closing(client_of(fuseki.tdb_url)) as client:
        assert client.greet(Budget()).engine == "Apache Jena Fuseki"
        with pytest.raises(DeadlineExceededError):
            client.select(WORK, Budget(seconds=4))
