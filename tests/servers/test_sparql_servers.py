"""What SPARQL servers do with queries that no gate has seen: what the gate and the stores have to reckon with."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.servers.datasets import ENDLESS_ROWS_SPARQL, PREFIX, RUNAWAY_SPARQL, numbered_things
from tests.servers.fuseki_server import FusekiServer
from tests.servers.listening import listener
from tests.servers.oxigraph_server import OxigraphServer
from tests.servers.processes import Server
from tests.servers.sparql import READ_AT_MOST, SparqlServer, post
from tests.servers.virtuoso_server import VirtuosoServer

NUMBERS = f"PREFIX : <{PREFIX}> SELECT ?x WHERE {{ ?a :number ?x }}"
PAIRS = f"PREFIX : <{PREFIX}> SELECT ?x ?y WHERE {{ ?a :number ?x . ?b :number ?y }}"
JSON = "application/sparql-results+json"
THINGS = 2000
# More than 64 bits.
LONG = 12345678901234567890123

LITERALS = f"""@prefix : <{PREFIX}> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:int :value "7"^^xsd:int . :decimal :value 2.50 . :truth :value true . :text :value "Hi"@en-GB ."""

ALL = [pytest.param(name, marks=pytest.mark.server(name)) for name in ("fuseki", "oxigraph", "virtuoso")]


@pytest.fixture(scope="module", params=ALL)
def server(request: pytest.FixtureRequest) -> SparqlServer:
    """Two thousand things with a number and a label."""
    loaded: SparqlServer = request.getfixturevalue(request.param)
    loaded.load(numbered_things(THINGS))
    return loaded


def test_it_has_what_was_loaded(server: SparqlServer) -> None:
    count = server.ask(f"PREFIX : <{PREFIX}> SELECT (COUNT(*) AS ?n) WHERE {{ ?a :number ?x }}")
    assert count.values("n") == [str(THINGS)]


def test_an_update_on_the_query_endpoint_is_refused(server: SparqlServer) -> None:
    text = "DELETE WHERE { ?s ?p ?o }"
    assert server.ask(text).status >= 400
    assert post(server.url, {"update": text}).status >= 400
    assert len(server.ask(NUMBERS + " LIMIT 5").bindings) == 5


def test_a_syntax_error_is_a_400(server: SparqlServer) -> None:
    assert server.ask("SELECT * {").status == 400


def test_an_unknown_graph_is_empty_and_never_fetched(server: SparqlServer) -> None:
    with listener() as (url, arrived):
        reply = post(server.url, {"query": f"SELECT * FROM <{url}> WHERE {{ ?s ?p ?o }}"}, accept=JSON)
    assert reply.bindings == []
    assert arrived == []


# Fuseki


@pytest.fixture(scope="module")
def loaded_fuseki(fuseki: FusekiServer) -> FusekiServer:
    fuseki.load(numbered_things(THINGS))
    return fuseki


@pytest.mark.parametrize("endpoint", ["url", "tdb_url"])
def test_fuseki_says_503_when_time_is_up_before_any_output(
    loaded_fuseki: FusekiServer, endpoint: str
) -> None:
    started = time.monotonic()
    reply = post(getattr(loaded_fuseki, endpoint), {"query": RUNAWAY_SPARQL})
    assert (reply.status, reply.text.strip()) == (503, "Query timed out")
    assert loaded_fuseki.timeout <= time.monotonic() - started < loaded_fuseki.timeout + 10


def test_fuseki_breaks_its_json_off_when_time_is_up_after_output_began(loaded_fuseki: FusekiServer) -> None:
    reply = post(loaded_fuseki.url, {"query": ENDLESS_ROWS_SPARQL}, accept=JSON, at_most=1_000_000_000)
    assert reply.status == 200
    assert "Query cancelled due to timeout" in reply.text[-200:]
    with pytest.raises(ValueError, match="Expecting"):
        _ = reply.bindings


def test_fuseki_calls_out_only_where_it_is_allowed_to(loaded_fuseki: FusekiServer) -> None:
    with listener() as (url, arrived):
        query = f"SELECT * WHERE {{ SERVICE <{url}> {{ ?s ?p ?o }} }}"
        assert loaded_fuseki.ask(query).status == 422
        assert arrived == []
        post(loaded_fuseki.calling_url, {"query": query}, patience=60)
    assert arrived[0].startswith(b"GET /sparql?query=")


def test_fuseki_gives_all_rows(loaded_fuseki: FusekiServer) -> None:
    assert len(loaded_fuseki.ask(PAIRS + " LIMIT 20000").bindings) == 20_000


def test_fuseki_keeps_the_type_of_a_number(fuseki: FusekiServer) -> None:
    fuseki.load(LITERALS)
    (row,) = fuseki.ask(f"SELECT ?o WHERE {{ <{PREFIX}int> ?p ?o }}").bindings
    assert row["o"]["datatype"].endswith("#int")
    assert fuseki.ask(f"SELECT ?o WHERE {{ <{PREFIX}decimal> ?p ?o }}").values("o") == ["2.50"]


@pytest.mark.server("fuseki")
def test_fuseki_on_disk_changes_numbers(start_server: Callable[..., FusekiServer]) -> None:
    """An integer is kept modulo 2^64; a decimal is printed shorter, and then not found again by its text."""
    server = start_server("fuseki")
    server.load(f"@prefix : <{PREFIX}> . :long :value {LONG} . :decimal :value 2.50 .")
    values = "SELECT ?o WHERE { ?s ?p ?o } ORDER BY ?s"
    by_text = 'SELECT ?s WHERE { ?s ?p ?o FILTER(STR(?o) = "2.50") }'
    assert server.ask(values).values("o") == ["2.50", str(LONG)]
    assert len(server.ask(by_text).bindings) == 1
    server.restart()  # until then it may remember what it was given
    kept = (LONG + 2**63) % 2**64 - 2**63
    assert post(server.tdb_url, {"query": values}, accept=JSON).values("o") == ["2.5", str(kept)]
    assert post(server.tdb_url, {"query": by_text}, accept=JSON).bindings == []


@pytest.mark.server("fuseki")
def test_fuseki_fetches_and_reads_files_where_it_takes_updates(
    start_server: Callable[..., FusekiServer], tmp_path: Path
) -> None:
    """Which is why what takes updates is no place for anybody's queries. Only ever tried on a server of this test."""
    server = start_server("fuseki")
    file = tmp_path / "secret.ttl"
    file.write_text(f"<{PREFIX}a> <{PREFIX}b> 'a secret' .\n", encoding="utf-8")
    assert server.update(f"LOAD <{file.as_uri()}>").status < 300
    assert server.ask("SELECT ?o WHERE { ?s ?p ?o }").values("o") == ["a secret"]
    with listener() as (url, arrived):
        server.update(f"LOAD <{url}>")
    assert arrived[0].startswith(b"GET /sparql")


# Oxigraph


@pytest.fixture(scope="module")
def loaded_oxigraph(oxigraph: OxigraphServer) -> OxigraphServer:
    oxigraph.load(numbered_things(THINGS))
    return oxigraph


def test_oxigraph_says_200_and_breaks_its_json_off_when_time_is_up(loaded_oxigraph: OxigraphServer) -> None:
    reply = loaded_oxigraph.ask(RUNAWAY_SPARQL, patience=60)
    assert reply.status == 200
    assert reply.text.endswith("The SPARQL operation has been cancelled")
    with pytest.raises(ValueError, match="Expecting"):
        _ = reply.bindings


def test_oxigraph_sends_rows_without_a_cap(loaded_oxigraph: OxigraphServer) -> None:
    assert len(loaded_oxigraph.ask(ENDLESS_ROWS_SPARQL).body) == READ_AT_MOST


def test_oxigraph_calls_out(loaded_oxigraph: OxigraphServer) -> None:
    with listener() as (url, arrived):
        loaded_oxigraph.ask(f"SELECT * WHERE {{ SERVICE <{url}> {{ ?s ?p ?o }} }}", patience=60)
    assert arrived[0].startswith(b"POST /sparql")


def test_oxigraph_changes_types_and_language_tags(oxigraph: OxigraphServer) -> None:
    oxigraph.load(LITERALS)
    (number,) = oxigraph.ask(f"SELECT ?o WHERE {{ <{PREFIX}int> ?p ?o }}").bindings
    (text,) = oxigraph.ask(f"SELECT ?o WHERE {{ <{PREFIX}text> ?p ?o }}").bindings
    assert number["o"]["datatype"].endswith("#integer")
    assert text["o"]["xml:lang"] == "en-gb"


def test_oxigraph_knows_no_cast_to_the_smaller_integers(oxigraph: OxigraphServer) -> None:
    reply = oxigraph.ask('SELECT (<http://www.w3.org/2001/XMLSchema#int>("5") AS ?n) WHERE {}')
    assert reply.status >= 400
    assert "not supported" in reply.text


@pytest.mark.server("oxigraph")
def test_oxigraph_fetches_where_it_takes_updates(start_server: Callable[..., OxigraphServer]) -> None:
    server = start_server("oxigraph", takes_updates=True)
    with listener() as (url, arrived):
        post(server.update_url, {"update": f"LOAD <{url}>"}, patience=60)
    assert arrived[0].startswith(b"GET /sparql")
    assert server.ask("ASK { ?s ?p ?o }").text.count("false") == 1


# Virtuoso


@pytest.fixture(scope="module")
def loaded_virtuoso(virtuoso: VirtuosoServer) -> VirtuosoServer:
    virtuoso.load(numbered_things(THINGS))
    return virtuoso


def test_virtuoso_says_500_when_time_is_up(loaded_virtuoso: VirtuosoServer) -> None:
    reply = loaded_virtuoso.ask(RUNAWAY_SPARQL)
    assert reply.status == 500
    assert reply.text.startswith("Virtuoso S1T00 Error SR171: Transaction timed out")


def test_virtuoso_cuts_rows_and_says_so_in_a_header_alone(loaded_virtuoso: VirtuosoServer) -> None:
    reply = loaded_virtuoso.ask(PAIRS)
    assert reply.status == 200
    assert len(reply.bindings) == loaded_virtuoso.row_cap
    assert reply.headers["x-sparql-maxrows"] == str(loaded_virtuoso.row_cap)
    assert "x-sparql-maxrows" not in loaded_virtuoso.ask(NUMBERS + " LIMIT 10").headers


def test_virtuoso_cuts_a_constructed_graph_and_says_nothing(loaded_virtuoso: VirtuosoServer) -> None:
    query = f"PREFIX : <{PREFIX}> CONSTRUCT {{ ?a :n ?x }} WHERE {{ ?a :number ?x }}"
    reply = loaded_virtuoso.ask(query, accept="application/n-triples")
    assert reply.status == 200
    assert loaded_virtuoso.row_cap <= reply.text.count(" .\n") < THINGS
    assert "x-sparql-maxrows" not in reply.headers


def test_virtuoso_refuses_a_deep_page_of_sorted_rows(loaded_virtuoso: VirtuosoServer) -> None:
    reply = loaded_virtuoso.ask(PAIRS + " ORDER BY ?x ?y LIMIT 10 OFFSET 20000")
    assert reply.status == 500
    assert "SR353" in reply.text


def test_virtuoso_gives_a_wrong_count_when_asked_for_partial_answers(loaded_virtuoso: VirtuosoServer) -> None:
    everything = RUNAWAY_SPARQL.replace("< 0", "> 0")
    reply = loaded_virtuoso.ask(everything, timeout="1000")
    assert reply.status == 200
    assert reply.headers["x-sql-state"] == "S1TAT"
    # Wrong, or none at all where time was up earlier still.
    assert reply.values("n") != [str(THINGS**3)]


def test_virtuoso_refuses_to_call_out(loaded_virtuoso: VirtuosoServer) -> None:
    with listener() as (url, arrived):
        reply = loaded_virtuoso.ask(f"SELECT * WHERE {{ SERVICE <{url}> {{ ?s ?p ?o }} }}")
    assert reply.status == 500
    assert "SQ070" in reply.text
    assert arrived == []


def test_virtuoso_shows_its_own_graphs_where_none_is_named(loaded_virtuoso: VirtuosoServer) -> None:
    query = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"
    named = int(loaded_virtuoso.ask(query).values("n")[0])
    every = int(post(loaded_virtuoso.url, {"query": query}, accept=JSON).values("n")[0])
    assert (named, every > named) == (3 * THINGS, True)


def test_virtuoso_finds_words_in_literals(loaded_virtuoso: VirtuosoServer) -> None:
    query = "SELECT ?s WHERE { ?s ?p ?o . ?o bif:contains '\"1234\"' }"
    assert loaded_virtuoso.ask(query).values("s") == [f"{PREFIX}thing1234"]


def test_virtuoso_has_a_json_of_its_own(virtuoso: VirtuosoServer) -> None:
    virtuoso.load(LITERALS + " [] :of :blank .")
    (number,) = virtuoso.ask(f"SELECT ?o WHERE {{ <{PREFIX}int> ?p ?o }}").bindings
    (truth,) = virtuoso.ask(f"SELECT ?o WHERE {{ <{PREFIX}truth> ?p ?o }}").bindings
    (blank,) = virtuoso.ask(f"SELECT ?s WHERE {{ ?s <{PREFIX}of> ?o }}").bindings
    (unnamed,) = virtuoso.ask("SELECT COUNT(*) WHERE { ?s ?p ?o }").bindings
    half = virtuoso.ask("SELECT (1/2 AS ?half) WHERE {}").values("half")
    assert number["o"]["type"] == "typed-literal"
    assert truth["o"]["value"] == "1"
    assert blank["s"]["value"].startswith("nodeID://")
    assert list(unnamed) == ["callret-0"]
    assert half == ["0"]


def test_virtuoso_compares_what_cannot_be_compared(virtuoso: VirtuosoServer) -> None:
    virtuoso.load(f'@prefix : <{PREFIX}> . :a :value 1 . :b :value "x" . :c :value "2"@en . :d :value -1 .')
    found = virtuoso.ask(f"SELECT ?o WHERE {{ ?s <{PREFIX}value> ?o FILTER(?o > 0) }}").values("o")
    assert sorted(found) == ["1", "2", "x"], "the standard lets 1 through, and no text"


def test_virtuoso_gives_up_a_query_for_one_error(virtuoso: VirtuosoServer) -> None:
    reply = virtuoso.ask("SELECT (1/0 AS ?x) WHERE {}")
    assert (reply.status, "Division by 0" in reply.text) == (500, True)


def test_virtuoso_fetches_nothing_even_if_it_is_told_to(virtuoso: VirtuosoServer) -> None:
    with listener() as (url, arrived):
        reply = virtuoso.ask(f'DEFINE get:soft "replace" SELECT * FROM <{url}> WHERE {{ ?s ?p ?o }}')
    assert (reply.status, "SR186" in reply.text) == (500, True)
    assert arrived == []


# Outages


@pytest.mark.parametrize("name", ALL)
def test_a_server_comes_back_with_its_data_after_a_crash(name: str, start_server: Callable[..., Any]) -> None:
    server = start_server(name)
    server.load(numbered_things(3))
    server.kill()
    with pytest.raises(OSError, match="refused"):
        server.ask("ASK {}")
    server.restart()
    # What Fuseki holds in memory alone is gone.
    kept = [] if name == "fuseki" else ["1", "2", "3"]
    assert sorted(server.ask(NUMBERS).values("x")) == kept


@pytest.mark.server("oxigraph")
def test_a_paused_server_is_silent_until_it_goes_on(start_server: Callable[..., OxigraphServer]) -> None:
    server = start_server("oxigraph")
    server.pause()
    with pytest.raises(TimeoutError):
        server.ask("ASK {}", patience=0.5)
    server.resume()
    assert server.answers()


def test_a_server_that_cannot_start_says_what_it_printed(tmp_path: Any) -> None:
    from tests.servers.processes import ServerDidNotStart

    class Broken(Server):
        kind = "broken"

        def command(self) -> list[str]:
            return ["sh", "-c", "echo no such option; exit 3"]

        def answers(self) -> bool:
            return False

    with pytest.raises(ServerDidNotStart, match=r"broken ended at its start\.\nno such option"):
        Broken(tmp_path).start()
