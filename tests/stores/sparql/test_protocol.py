"""The SPARQL protocol over HTTP: what is sent, what a reply is worth, and that every wait has an end."""

from __future__ import annotations

import gzip
import logging
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.stores.sparql.scripted_server import (
    RESULTS,
    YES,
    Asked,
    Line,
    Script,
    ScriptedServer,
    answering,
    results,
)
from tests.stores.sparql.support import client_of

from askgraph.core.budget import Budget
from askgraph.core.errors import (
    AskgraphError,
    AuthenticationError,
    BadReplyError,
    DeadlineExceededError,
    GraphNotFoundError,
    QueryFailedError,
    ServerBusyError,
    SettingsError,
    UnreachableError,
)
from askgraph.stores.address import Credentials, parse_address
from askgraph.stores.sparql.client import SparqlClient
from askgraph.stores.sparql.endpoint import Endpoint
from askgraph.stores.sparql.engines import Engine
from askgraph.stores.sparql.http import HttpPool, HttpRequest, seconds_to_wait
from askgraph.stores.sparql.store import open_endpoint

SELECT = "SELECT ?x WHERE { ?x ?p ?o }"
ONE = results(["x"], [{"x": "1"}])
SECRET = "s3cret-p\u00e4ssword"


@contextmanager
def serving(script: Script, *, options: str = "") -> Iterator[tuple[SparqlClient, ScriptedServer]]:
    with ScriptedServer(script) as server:
        client = client_of(server.url + options)
        try:
            yield client, server
        finally:
            client.close()


def ends_in_time(seconds: float, action: Callable[[Budget], Any]) -> AskgraphError:
    """The error that an action ends with, before a tenth more than its time is over."""
    started = time.monotonic()
    with pytest.raises(AskgraphError) as caught:
        action(Budget(seconds=seconds))
    took = time.monotonic() - started
    assert took < seconds * 1.1 + 0.1, f"it took {took:.2f} s of {seconds} s"
    return caught.value


# --- what is sent


def test_a_query_goes_out_as_a_form_with_its_data_set_and_the_name_of_who_asks():
    options = (
        "?default-graph-uri=http://e/g&named-graph-uri=http://e/h&named-graph-uri=http://e/i&infer=false"
    )
    with serving(answering(ONE), options=options) as (client, server):
        client.select(SELECT, Budget())
    (asked,) = server.asked
    assert asked.method == "POST"
    assert asked.query == SELECT
    assert asked.form["default-graph-uri"] == ["http://e/g"]
    assert asked.form["named-graph-uri"] == ["http://e/h", "http://e/i"]
    assert asked.path == "/sparql?infer=false"
    assert asked.headers["user-agent"].startswith("askgraph/")
    assert asked.headers["accept"].startswith("application/sparql-results+json")


def test_who_asks_can_be_set():
    with ScriptedServer(answering(ONE)) as server:
        address = parse_address(server.url)
        with open_endpoint(address, user_agent="OurBot/1.0 (mailto:us@example.org)"):
            pass
        assert server.asked[0].headers["user-agent"] == "OurBot/1.0 (mailto:us@example.org)"
        with pytest.raises(SettingsError, match="User-Agent"):
            open_endpoint(address, user_agent="evil\r\nX-Header: 1")


@pytest.mark.parametrize("status", ["405 Method Not Allowed", "415 Unsupported Media Type"])
def test_a_server_that_takes_no_forms_is_asked_in_other_ways_and_the_way_is_remembered(status: str):
    def script(asked: Asked, line: Line) -> None:
        line.reply(ONE) if asked.method == "GET" else line.reply("no", status=status, type="text/plain")

    with serving(script) as (client, server):
        assert len(client.select(SELECT, Budget()).rows) == 1
        assert [asked.method for asked in server.asked] == ["POST", "POST", "GET"]
        assert server.asked[1].headers["content-type"].startswith("application/sparql-query")
        assert server.asked[1].body.decode() == SELECT
        client.select(SELECT, Budget())
        assert len(server.asked) == 4


def test_connections_are_used_again():
    ports = set()

    def script(asked: Asked, line: Line) -> None:
        ports.add(line.socket.getpeername())
        line.reply(ONE)

    with serving(script) as (client, _):
        for _ in range(5):
            client.select(SELECT, Budget())
    assert len(ports) == 1


def test_a_connection_that_the_server_closed_meanwhile_is_no_failure():
    def script(asked: Asked, line: Line) -> None:
        line.reply(ONE)
        line.socket.close()

    with serving(script) as (client, _):
        for _ in range(4):
            assert client.select(SELECT, Budget()).rows
            time.sleep(0.02)


@pytest.mark.parametrize("name", ["query", "update", "timeout", "using-graph-uri"])
def test_options_that_are_the_protocols_own_are_refused(name: str):
    with pytest.raises(SettingsError, match=name):
        client_of(f"http://127.0.0.1:1/sparql?{name}=1")


# --- credentials


@pytest.mark.parametrize(
    ("credentials", "header"),
    [
        (Credentials("reader", SECRET), "Basic cmVhZGVyOnMzY3JldC1ww6Rzc3dvcmQ="),
        (Credentials(token="t0ken-of-ours"), "Bearer t0ken-of-ours"),
    ],
)
def test_credentials_go_to_the_server_and_nowhere_else(
    credentials: Credentials, header: str, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)

    def refuse(asked: Asked, line: Line) -> None:
        line.reply("go away", status="401 Unauthorized", type="text/plain")

    with ScriptedServer(refuse) as server:
        endpoint = Endpoint.of(parse_address(server.url + "?apikey=k3y-of-ours", credentials))
        client = SparqlClient(endpoint)
        with closing(client), pytest.raises(AuthenticationError) as caught:
            client.select(SELECT, Budget())
        assert server.asked[0].headers["authorization"] == header
    said = f"{caught.value} {caught.value.__cause__} {caught.value.__context__} {endpoint!r} {client!r} {caplog.text}"
    for secret in (SECRET, "t0ken-of-ours", header.split()[1], "k3y-of-ours"):
        assert secret not in said
    assert "ASKGRAPH_USER" in str(caught.value)


def test_credentials_in_the_address_are_used_and_not_shown():
    with ScriptedServer(answering(ONE)) as server:
        with open_endpoint(parse_address(server.url.replace("//", "//reader:pass%40word@"))) as store:
            pass
        assert server.asked[0].headers["authorization"].startswith("Basic ")
        assert "pass" not in repr(store)
        assert "@" not in server.asked[0].headers["host"]


# --- redirects


def test_a_redirect_within_the_host_is_followed_with_the_query():
    def script(asked: Asked, line: Line) -> None:
        if asked.path == "/sparql":
            line.reply("", status="307 Temporary Redirect", headers={"Location": "/other/query"})
        else:
            line.reply(ONE)

    with serving(script) as (client, server):
        assert client.select(SELECT, Budget()).rows
        assert [(asked.path, asked.query) for asked in server.asked] == [
            ("/sparql", SELECT),
            ("/other/query", SELECT),
        ]


@pytest.mark.parametrize(
    "target",
    ["http://localhost:{port}/x", "http://127.0.0.1:{other}/x", "ftp://127.0.0.1/x", "//example.org/x"],
)
def test_a_redirect_to_elsewhere_is_not_followed(target: str):
    with ScriptedServer(answering(ONE)) as other:

        def script(asked: Asked, line: Line) -> None:
            place = target.format(port=server.port, other=other.port)
            line.reply("", status="302 Found", headers={"Location": place})

        with serving(script) as (client, server), pytest.raises(UnreachableError, match="points to another"):
            client.select(SELECT, Budget())
        assert other.asked == []


def test_redirects_in_a_circle_end():
    def script(asked: Asked, line: Line) -> None:
        line.reply("", status="301 Moved Permanently", headers={"Location": "/sparql"})

    with (
        serving(script) as (client, _),
        pytest.raises(UnreachableError, match="from one address to the next"),
    ):
        client.select(SELECT, Budget())


# --- no room, and trying again


def test_a_server_that_asks_to_wait_is_waited_for():
    def script(asked: Asked, line: Line) -> None:
        if len(server.asked) == 1:
            line.reply(
                "slow down", status="429 Too Many Requests", type="text/plain", headers={"Retry-After": "1"}
            )
        else:
            line.reply(ONE)

    with serving(script) as (client, server):
        started = time.monotonic()
        assert client.select(SELECT, Budget(seconds=5)).rows
        assert 1.0 <= time.monotonic() - started < 1.6


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
def test_a_wait_that_is_too_long_is_not_begun(status: str):
    def script(asked: Asked, line: Line) -> None:
        line.reply("too many", status=status, type="text/plain", headers={"Retry-After": "60"})

    with serving(script) as (client, server):
        error = ends_in_time(0.5, lambda budget: client.select(SELECT, budget))
        assert isinstance(error, ServerBusyError)
        assert error.retry_after == 60
        assert len(server.asked) == 1


def test_a_server_that_never_has_room_is_not_asked_for_ever():
    def script(asked: Asked, line: Line) -> None:
        line.reply("busy", status="503 Service Unavailable", type="text/plain", headers={"Retry-After": "0"})

    with serving(script) as (client, server), pytest.raises(ServerBusyError):
        client.select(SELECT, Budget(seconds=5))
    assert len(server.asked) == 4


def test_the_header_that_asks_to_wait_may_be_a_date():
    assert seconds_to_wait("120") == 120
    assert seconds_to_wait("Wed, 21 Oct 2015 07:28:00 GMT", now=1445412450.0) == 30
    assert seconds_to_wait("Wed, 21 Oct 2015 07:28:00 GMT", now=1445412999.0) == 0
    assert seconds_to_wait(None) is None
    assert seconds_to_wait("soon") is None


# --- every wait has an end


def never(asked: Asked, line: Line) -> None:
    time.sleep(5)


def head_by_head(asked: Asked, line: Line) -> None:
    line.drip(b"HTTP/1.1 200 OK\r\nContent-Type: application/sparql-results+json\r\nX: " + b"x" * 4_000)


def byte_by_byte(asked: Asked, line: Line) -> None:
    line.head()
    for character in ONE * 50:
        line.chunk(character)
        time.sleep(0.05)


def row_by_row(asked: Asked, line: Line) -> None:
    line.head()
    line.chunk('{"head":{"vars":["x"]},"results":{"bindings":[')
    while True:
        line.chunk('{"x":{"type":"literal","value":"1"}},')
        time.sleep(0.02)


def compressed_drop_by_drop(asked: Asked, line: Line) -> None:
    line.head(headers={"Content-Encoding": "gzip"})
    for place in range(10_000):
        line.chunk(gzip.compress(ONE.encode())[place % 20 : place % 20 + 1])
        time.sleep(0.05)


@pytest.mark.parametrize("script", [never, head_by_head, byte_by_byte, row_by_row, compressed_drop_by_drop])
def test_a_server_that_takes_its_time_is_cut_at_the_deadline(script: Script):
    with serving(script) as (client, _):
        error = ends_in_time(0.6, lambda budget: client.select(SELECT, budget))
        assert isinstance(error, DeadlineExceededError | UnreachableError)


def test_a_server_that_errs_slowly_is_cut_too():
    def script(asked: Asked, line: Line) -> None:
        line.send(
            b"HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n"
        )
        line.drip(b"e" * 10_000)

    with serving(script) as (client, _):
        assert isinstance(
            ends_in_time(0.6, lambda budget: client.select(SELECT, budget)), DeadlineExceededError
        )


def test_a_server_that_reads_nothing_is_cut():
    """The request is larger than what the system buffers for a connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener, closing(HttpPool("127.0.0.1", "http")) as pool:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/sparql"
        headers = {"Host": "127.0.0.1", "Content-Length": "20000000"}
        request = HttpRequest("POST", url, headers, b"#" * 20_000_000)
        error = ends_in_time(0.6, lambda budget: pool.send(request, budget))
        assert isinstance(error, DeadlineExceededError)


def test_a_full_pool_is_said():
    with ScriptedServer(never) as server:
        pool = HttpPool("127.0.0.1", "http", connections=1)
        request = HttpRequest("GET", server.url, {"Host": "127.0.0.1"})
        thread = threading.Thread(target=lambda: ends_in_time(1.5, lambda budget: pool.send(request, budget)))
        thread.start()
        time.sleep(0.2)
        error = ends_in_time(0.5, lambda budget: pool.send(request, budget))
        assert isinstance(error, ServerBusyError)
        assert "1 connections" in str(error)
        thread.join()
        pool.close()


def test_no_time_at_all():
    client = client_of("http://127.0.0.1:1/sparql")
    with closing(client), pytest.raises(DeadlineExceededError):
        client.select(SELECT, Budget(seconds=0))


# --- cut and broken


def test_nothing_answers():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    client = client_of(f"http://127.0.0.1:{port}/sparql")
    with closing(client), pytest.raises(UnreachableError, match="nothing answers"):
        client.select(SELECT, Budget(seconds=2))


def test_nobody_knows_the_host(monkeypatch: pytest.MonkeyPatch):
    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    def slow(*_: object, **__: object) -> list[object]:
        time.sleep(2)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with closing(client_of("http://nowhere.invalid/sparql")) as client:
        with pytest.raises(UnreachableError, match=r"where nowhere\.invalid is"):
            client.select(SELECT, Budget(seconds=5))
        # The system's resolver knows no time-out; ours does.
        monkeypatch.setattr(socket, "getaddrinfo", slow)
        error = ends_in_time(0.5, lambda budget: client.select(SELECT, budget))
        assert isinstance(error, DeadlineExceededError)


def cut_before(asked: Asked, line: Line) -> None:
    line.cut()


def cut_in_the_head(asked: Asked, line: Line) -> None:
    line.send(b"HTTP/1.1 200 O")
    line.cut()


def cut_in_the_rows(asked: Asked, line: Line) -> None:
    line.head()
    line.chunk('{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"literal","value":"1"}}')
    line.cut()


def shorter_than_promised(asked: Asked, line: Line) -> None:
    line.head(chunked=False, headers={"Content-Length": str(len(ONE) + 10)})
    line.send(ONE.encode())
    line.socket.close()


def chunks_without_an_end(asked: Asked, line: Line) -> None:
    line.head()
    line.chunk(ONE)
    line.socket.close()


@pytest.mark.parametrize(
    "script", [cut_before, cut_in_the_head, cut_in_the_rows, shorter_than_promised, chunks_without_an_end]
)
def test_a_connection_that_is_cut_gives_no_answer(script: Script):
    with serving(script) as (client, _), pytest.raises(UnreachableError, match="cut"):
        client.select(SELECT, Budget(seconds=3))


def test_a_store_works_on_after_its_server_came_back():
    broken = [True]

    def script(asked: Asked, line: Line) -> None:
        if asked.query.startswith("ASK"):
            line.reply(YES)
        elif broken[0]:
            line.cut()
        else:
            line.reply(ONE)

    with serving(script) as (client, _):
        with pytest.raises(UnreachableError):
            client.select(SELECT, Budget(seconds=3))
        broken[0] = False
        assert client.select(SELECT, Budget()).rows


EMPTY = '{"head":{"vars":["x"]},"results":{"bindings":['
BEGUN = EMPTY + '{"x":{"type":"literal","value":"1"}}'
BREAKS = {
    "Fuseki's time-out": (
        BEGUN
        + "\n##  Query cancelled due to timeout during execution   ##\n##  **** Incomplete results **** ##",
        DeadlineExceededError,
    ),
    "Oxigraph's time-out": (EMPTY + "The SPARQL operation has been cancelled", DeadlineExceededError),
    "QLever's note": (
        BEGUN + ",!!!!>># An error has occurred while exporting the query result. Operation timed out.",
        DeadlineExceededError,
    ),
    "a stack of Java": (
        EMPTY + "\njava.lang.IllegalStateException: no\n\tat org.x.Y(Y.java:1)",
        BadReplyError,
    ),
    "nothing": ("", BadReplyError),
    "half of it": (ONE[: len(ONE) // 2], BadReplyError),
    "a word about time in a row that is cut": (
        EMPTY + '{"x":{"type":"literal","value":"the query timed out, sa',
        BadReplyError,
    ),
    "something behind": (ONE + "trailing", BadReplyError),
    "two answers": (ONE + ONE, BadReplyError),
    "no JSON": ("vars: x", BadReplyError),
    "other JSON": ('{"data": []}', BadReplyError),
    "a list": ("[]", BadReplyError),
    "half a character": (EMPTY + '{"x":{"type":"literal","value":"\udcff"}}]}}', BadReplyError),
    "a column from nowhere": (results(["x"], [{"y": "1"}]), BadReplyError),
    "a term without a type": (results(["x"], [{"x": {"value": "1"}}]), BadReplyError),
    "a row that is no row": (EMPTY + "1]}}", BadReplyError),
    "nested without end": ("[" * 200_000, BadReplyError),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_answer_with_status_200_is_no_answer(name: str):
    text, kind = BREAKS[name]
    content = text.encode("utf-8", "surrogateescape")

    def script(asked: Asked, line: Line) -> None:
        line.reply(content)

    with serving(script) as (client, _), pytest.raises(kind):
        client.select(SELECT, Budget(seconds=10))


@pytest.mark.parametrize("type", ["text/html; charset=utf-8", RESULTS, "application/xhtml+xml"])
def test_a_page_for_people_with_status_200_is_named_by_its_title(type: str):
    page = "<!DOCTYPE html>\n<html><head><title>Sign in &amp; relax</title></head><body>timeout</body></html>"
    with (
        serving(answering(page, type=type)) as (client, _),
        pytest.raises(BadReplyError, match="Sign in & relax"),
    ):
        client.select(SELECT, Budget())


def test_an_answer_that_the_server_calls_a_part_is_none():
    headers = {"X-SQL-State": "S1TAT", "X-SQL-Message": "RC...: Returning incomplete results"}
    part = pytest.raises(DeadlineExceededError, match=r"a part for the whole.*incomplete results")
    with serving(answering(ONE, headers=headers)) as (client, _), part:
        client.select(SELECT, Budget())


# --- caps


def many(count: int) -> str:
    return results(["x"], [{"x": str(number)} for number in range(count)])


def test_a_cap_of_the_server_is_said_by_its_header():
    with serving(answering(many(40), headers={"X-SPARQL-MaxRows": "40"})) as (client, _):
        found = client.select(SELECT, Budget())
        assert found.truncated
        assert found.notes == ("The server gives at most 40 rows and has cut the rest off.",)
        assert client.row_cap == 40
        assert not client.select(f"{SELECT} LIMIT 40", Budget()).truncated, "no more were asked for"
        assert client.select(f"{SELECT}\nLIMIT 41 ", Budget()).truncated


@pytest.mark.parametrize(
    ("count", "suspect"), [(1000, True), (2000, True), (1024, True), (999, False), (1001, False)]
)
def test_a_round_number_of_rows_is_suspect(count: int, suspect: bool):
    with serving(answering(many(count))) as (client, _):
        found = client.select(SELECT, Budget(rows=10_000))
        assert found.truncated is suspect
        assert not client.select(f"{SELECT} LIMIT {count}", Budget(rows=10_000)).truncated


def test_our_own_caps_cut_and_say_so():
    with serving(answering(many(3_000))) as (client, _):
        found = client.select(SELECT, Budget(rows=10))
        assert (len(found.rows), found.truncated) == (10, True)
        assert "more than the 10 rows" in found.notes[0]
        found = client.select(SELECT, Budget(bytes=20_000, rows=10_000))
        assert 10 < len(found.rows) < 200
        assert "20,000 bytes" in found.notes[0]
        assert client.select(SELECT, Budget(rows=0)).rows == []


def test_reading_stops_at_the_cap_and_hangs_up():
    sent = []

    def endless(asked: Asked, line: Line) -> None:
        line.head()
        line.chunk('{"head":{"vars":["x"]},"results":{"bindings":[')
        while True:
            line.chunk('{"x":{"type":"literal","value":"1"}},' * 100)
            sent.append(1)

    with serving(endless) as (client, _):
        assert len(client.select(SELECT, Budget(rows=50)).rows) == 50
        time.sleep(0.2)
        count = len(sent)
        time.sleep(0.2)
        assert len(sent) == count, "the connection was closed"


# --- formats


def test_a_server_that_speaks_only_xml_is_understood():
    body = """<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/>
    <variable name="y"/></head><results><result><binding name="x"><uri>http://e/a</uri></binding>
    <binding name="y"><literal xml:lang="de">Haus &amp; Hof</literal></binding></result>
    <result><binding name="y"><literal datatype="http://www.w3.org/2001/XMLSchema#integer">7</literal></binding></result>
    </results></sparql>"""
    with serving(answering(body, type="application/sparql-results+xml")) as (client, _):
        found = client.select(SELECT, Budget())
        assert found.columns == ("x", "y")
        assert [[term and term[0] for term in row] for row in found.rows] == [
            ["http://e/a", "Haus & Hof"],
            [None, "7"],
        ]


def test_compressed_replies_are_read_and_a_bomb_is_cut():
    bomb = gzip.compress(EMPTY.encode() + b" " * 100_000_000)
    assert len(bomb) < 150_000
    small = gzip.compress(ONE.encode())
    for content, whole in ((small, True), (bomb, False), (small[:-9], False)):

        def script(asked: Asked, line: Line, content: bytes = content) -> None:
            line.reply(content, headers={"Content-Encoding": "gzip"})

        with serving(script) as (client, _):
            if whole:
                assert client.select(SELECT, Budget()).rows
            else:
                with pytest.raises((BadReplyError, UnreachableError)):
                    client.select(SELECT, Budget(seconds=20))


# --- statuses


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        ("400 Bad", "Parse error: line 1, column 6: unexpected timeout", QueryFailedError),
        ("401 Unauthorized", "", AuthenticationError),
        ("403 Forbidden", "<html><title>Blocked</title></html>", AuthenticationError),
        ("404 Not Found", "", GraphNotFoundError),
        ("413 Payload Too Large", "", QueryFailedError),
        ("500 Error", "java.lang.OutOfMemoryError: Java heap space", QueryFailedError),
        ("500 Error", "engine.QueryTimeoutException: Query deadline is expired", DeadlineExceededError),
        (
            "500 Error",
            '{"exception":"Tried to allocate 12 GB, but only 2 GB were available"}',
            QueryFailedError,
        ),
        (
            "500 Error",
            "rdf4j.query.QueryInterruptedException: evaluation took too long",
            DeadlineExceededError,
        ),
        ("429 Too Many", '{"exception":"Operation timed out.","status":"ERROR"}', DeadlineExceededError),
        ("502 Bad Gateway", "", UnreachableError),
        ("504 Gateway Time-out", "<html><title>504</title></html>", DeadlineExceededError),
        ("418 I'm a teapot", "<html><title>Tea</title></html>", BadReplyError),
    ],
)
def test_a_status_of_failure_is_an_error_with_a_type(status: str, body: str, kind: type[AskgraphError]):
    def script(asked: Asked, line: Line) -> None:
        line.reply(body, status=status, type="text/plain")

    with serving(script) as (client, _), pytest.raises(kind) as caught:
        client.select(SELECT, Budget(seconds=2))
    if isinstance(caught.value, QueryFailedError) and "column 6" in body:
        assert (caught.value.code, caught.value.line, caught.value.column) == ("syntax", 1, 6)


# --- engines


@pytest.mark.parametrize(
    ("headers", "engine", "version"),
    [
        ({"Server": "Virtuoso/07.20.3240 (Linux) x86_64"}, Engine.VIRTUOSO, "07.20.3240"),
        ({"Server": "Apache Jena Fuseki (5.6.0)"}, Engine.FUSEKI, "5.6.0"),
        ({"Fuseki-Request-Id": "7"}, Engine.FUSEKI, ""),
        ({"Server": "Oxigraph/0.5.13"}, Engine.OXIGRAPH, "0.5.13"),
        ({"Server": "GraphDB/10.8.1 RDF4J/4.3.15"}, Engine.GRAPHDB, "10.8.1"),
        ({"Server": "nginx"}, Engine.UNKNOWN, ""),
    ],
)
def test_engines_are_told_by_their_headers(headers: dict[str, str], engine: Engine, version: str):
    def script(asked: Asked, line: Line) -> None:
        line.reply(YES, headers=headers)

    with serving(script) as (client, _):
        found = client.greet(Budget())
        assert (found.engine, found.version) == (engine, version)


def test_a_server_is_told_the_deadline_where_it_listens_and_never_where_it_would_cut():
    for header, parameter in (("GraphDB/10", "timeout"), ("Virtuoso/07.20", None), ("nginx", None)):
        with serving(answering(ONE, headers={"Server": header})) as (client, server):

            def greeting(asked: Asked, line: Line, header: str = header) -> None:
                line.reply(YES if "ASK" in asked.query else ONE, headers={"Server": header})

            server._script = greeting
            client.greet(Budget())
            client.select(SELECT, Budget(seconds=7))
            assert ("timeout" in server.asked[1].form) is (parameter is not None)
            if parameter:
                assert server.asked[1].form["timeout"] in (["7"], ["8"])


def test_an_ask_must_be_answered_with_yes_or_no():
    with serving(answering(ONE)) as (client, _):
        assert client.ask("ASK {}", Budget())
    with (
        serving(lambda asked, line: line.reply(ONE)) as (client, _),
        pytest.raises(BadReplyError, match="yes or no"),
    ):
        client.ask("ASK {}", Budget())
    with (
        serving(lambda asked, line: line.reply(YES)) as (client, _),
        pytest.raises(BadReplyError, match="yes or no"),
    ):
        client.select(SELECT, Budget())


# --- TLS and proxies


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1 that nobody but itself signed, with its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    file = tmp_path_factory.mktemp("tls") / "certificate.pem"
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = [
        openssl,
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-keyout",
        str(file),
        "-out",
    ]
    made = subprocess.run([*command, str(file.with_suffix(".crt")), *names], capture_output=True, check=False)
    assert made.returncode == 0, made.stderr
    file.write_bytes(file.read_bytes() + file.with_suffix(".crt").read_bytes())
    return file


def test_a_certificate_that_nobody_signed_is_not_trusted(certificate: Path):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with ScriptedServer(answering(ONE)) as server:
        server._server.socket = context.wrap_socket(server._server.socket, server_side=True)
        client = client_of(server.url.replace("http:", "https:"))
        with closing(client), pytest.raises(UnreachableError, match="certificate"):
            client.select(SELECT, Budget(seconds=5))
        assert server.asked == []


def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch):
    with ScriptedServer(answering(ONE)) as proxy:
        monkeypatch.setenv("http_proxy", f"http://us:pass@127.0.0.1:{proxy.port}")
        monkeypatch.setenv("no_proxy", "")
        with closing(client_of("http://endpoint.invalid/sparql")) as client:
            assert client.select(SELECT, Budget()).rows
        assert proxy.asked[0].path == "http://endpoint.invalid/sparql"
        assert proxy.asked[0].headers["proxy-authorization"].startswith("Basic ")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        with closing(client_of(proxy.url)) as client:
            assert client.select(SELECT, Budget()).rows
        assert proxy.asked[1].path == "/sparql"
