"""What the self-test finds out about real endpoints, and about servers that behave as no real one here does."""

from __future__ import annotations

import http.client
import urllib.request
from collections.abc import Mapping

import pytest
from tests.servers.fuseki_server import FusekiServer
from tests.servers.oxigraph_server import OxigraphServer
from tests.servers.sparql import SparqlServer, post

from askgraph.stores.sparql import trials
from askgraph.stores.sparql.loopback_listener import LoopbackListener
from askgraph.stores.sparql.trials import (
    RawReply,
    Send,
    product,
    try_from,
    try_partial_answer,
    try_rows,
    try_service,
    try_time_out,
    try_update,
)


def sender(url: str) -> Send:
    """Sends with the standard library, as a second opinion on how we read what comes."""

    def send(form: Mapping[str, str], *, patience: float, url: str | None = url) -> RawReply:
        try:
            reply = post(url or "", dict(form), accept="application/sparql-results+json", patience=patience)
        except (OSError, http.client.HTTPException):
            return RawReply(0, {}, b"")
        return RawReply(reply.status, reply.headers, reply.body)

    def to(form: Mapping[str, str], *, patience: float, url: str | None = None) -> RawReply:
        return send(form, patience=patience) if url is None else send(form, patience=patience, url=url)

    return to


def always(status: int, body: bytes = b"", **headers: str) -> Send:
    """An endpoint that gives one answer to everything."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    def send(form: Mapping[str, str], *, patience: float, url: str | None = None) -> RawReply:
        return RawReply(status, named, body)

    return send


TWO_ROWS = b'{"head": {"vars": ["d0"]}, "results": {"bindings": [{}, {}]}}'


# --- on the real ones


def test_fuseki_stops_queries_takes_no_update_and_caps_no_rows(fuseki: FusekiServer) -> None:
    send = sender(fuseki.url)
    stopped = try_time_out(send)
    assert (stopped.held, "status 503" in stopped.what) == (True, True), stopped
    assert try_rows(send).held is not True  # on a busy machine the time-out comes before the last row
    assert try_update(send).held is True
    assert try_from(send).what == "FROM called nobody"


def test_fuseki_refuses_service_where_it_is_told_to_and_calls_out_where_not(fuseki: FusekiServer) -> None:
    assert try_service(sender(fuseki.url)).what == "SERVICE was refused, with status 422"
    assert try_service(sender(fuseki.calling_url)).what == "SERVICE called out to an address of ours"


def test_an_endpoint_that_takes_updates_is_told_from_one_that_does_not_and_nothing_changes(
    fuseki: FusekiServer,
) -> None:
    fuseki.load("<http://e.org/a> <http://e.org/p> <http://e.org/b> .")
    taken = try_update(sender(fuseki.url), fuseki.update_url)
    assert (taken.held, taken.what) == (False, "an update (of nothing) was taken")
    count = fuseki.ask("SELECT (COUNT(*) AS ?n) WHERE { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }")
    assert b'"value": "1"' in count.body


def test_oxigraph_calls_out_and_stops_no_product(
    oxigraph: OxigraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "_PATIENCE", 3.0)
    monkeypatch.setattr(trials, "_WORK", 4.0)
    send = sender(oxigraph.url)
    assert try_service(send).held is False
    assert try_from(send).held is True
    assert try_update(send).held is True
    ran_on = try_time_out(send)
    assert (ran_on.held, ran_on.what) == (False, "a product was not stopped within 3 s")


def test_virtuoso_cuts_rows_and_gives_parts_as_wholes(virtuoso: SparqlServer) -> None:
    send = sender(virtuoso.url)
    cut = try_rows(send)
    assert cut.held is True
    assert "and the header X-SPARQL-MaxRows says so" in cut.what
    partial = try_partial_answer(send)
    assert (partial.held, "X-SQL-State: S1TAT" in partial.what) == (False, True), partial
    assert try_service(send).held is True
    assert try_update(send).held is True
    assert try_time_out(send).held is True


# --- what else may come


@pytest.mark.parametrize("steps", [1, 7, 99, 100, 1_000, 12_345, 10**9])
def test_a_product_has_about_as_many_rows_as_asked_for(steps: int) -> None:
    query = product(steps)
    size = 1
    for block in query.split("{")[2:]:
        values = block.partition("}")[0].split()
        size *= max(1, sum(word.isdigit() for word in values))
    assert steps * 0.9 <= size <= steps
    assert len(query) < 2_000


def test_a_silent_cap_is_called_silent() -> None:
    assert try_rows(always(200, TWO_ROWS)).what == "of 20,000 rows 2 came, and nothing says so"


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (always(0), "no answer"),
        (always(429, b"slow down"), "status 429"),
        (always(200, b"<html>Welcome</html>", content_type="text/html"), "an answer that is not JSON"),
        (always(200, b'{"results": {"bindings": [{}'), "an answer that is not JSON"),
        (always(200, b"[]"), "an answer that is not JSON"),
    ],
)
def test_what_is_no_answer_tells_nothing_about_rows(reply: Send, what: str) -> None:
    trial = try_rows(reply)
    assert trial.held is None
    assert trial.what == f"a query for 20,000 rows failed: {what}"


def test_a_broken_answer_that_speaks_of_time_is_a_time_out() -> None:
    trial = try_time_out(always(200, b'{"results": {"bindings": [ ## Query cancelled due to timeout'))
    assert (trial.held, trial.what.endswith("status 200 and a broken answer")) == (True, True)


@pytest.mark.parametrize(
    ("reply", "held"),
    [
        (always(403, b"no"), None),
        (always(500, b"Virtuoso S1T00 Error SR171: Transaction timed out"), True),
        (always(503, b"Query timed out"), True),
        (always(0), None),
    ],
)
def test_only_a_time_out_counts_as_one(reply: Send, held: bool | None) -> None:
    assert try_time_out(reply).held is held


def test_an_endpoint_without_end_of_speed_ends_the_trial() -> None:
    assert try_time_out(always(200, TWO_ROWS)).held is False


def test_a_page_for_people_is_no_taken_update() -> None:
    assert try_update(always(200, b"<html>", content_type="text/html; charset=UTF-8")).held is True
    assert try_update(always(204)).held is False
    assert try_update(always(0)).held is None


def test_a_call_that_did_not_reach_us_is_a_call() -> None:
    trial = try_service(always(500, b"java.net.ConnectException: Connection refused"))
    assert (trial.held, trial.what) == (False, "SERVICE tried to call out, and did not reach us")
    assert try_service(always(0)).held is None
    assert try_service(always(422)).held is True


def test_partial_answers_that_are_refused_or_whole() -> None:
    assert try_partial_answer(always(400)).held is True
    assert try_partial_answer(always(200, TWO_ROWS)).held is None


def test_the_listener_knows_whether_it_was_called_and_is_gone_afterwards() -> None:
    with LoopbackListener() as listener:
        url = listener.url
        before = listener.was_called
        with urllib.request.urlopen(url, timeout=5) as reply:
            assert reply.status == 200
        assert (before, listener.was_called) == (False, True)
    with pytest.raises(OSError):
        urllib.request.urlopen(url, timeout=1)
