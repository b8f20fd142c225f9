"""What goes wrong on the way to a server, as errors that say what to do. The server is made up."""

from __future__ import annotations

import socket
import ssl
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.servers.certificates import Authority
from tests.stores.bolt.made_up_server import Answer, Cut, Fault, Handler, MadeUpServer, Rows, Silence

from askgraph.core.budget import Budget
from askgraph.core.errors import (
    AskgraphError,
    AuthenticationError,
    CapExceededError,
    DeadlineExceededError,
    GraphNotFoundError,
    OpenError,
    QueryFailedError,
    ServerBusyError,
    SettingsError,
    UnreachableError,
    UnsupportedGraphError,
)
from askgraph.stores.address import Credentials, parse_address
from askgraph.stores.bolt.server import BoltServer, Statement
from askgraph.stores.bolt.store import open_bolt

SECRET = "a-secret-that-must-not-be-told"
ONE = Rows(["one"], [[1]])


def saying(*answers: Answer) -> Handler:
    """One answer after the other; the last one again and again."""
    waiting = list(answers)

    def handle(text: str, parameters: Any) -> Answer:
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    return handle


@contextmanager
def asking(url: str, **options: Any) -> Iterator[BoltServer]:
    server = BoltServer(parse_address(url, Credentials("reader", SECRET)), **{"timeout": 5.0, **options})
    try:
        yield server
    finally:
        server.close()


def error_of(handler: Handler, *, seconds: float = 5.0, **options: Any) -> AskgraphError:
    """What one request comes to."""
    with MadeUpServer(handler, **options) as made_up, asking(made_up.url) as server:
        with pytest.raises(AskgraphError) as caught:
            server.rows(Statement("RETURN 1"), Budget(seconds=seconds))
        everything = "".join(traceback.format_exception(caught.value)) + repr(server) + str(caught.value)
        assert SECRET not in everything
        return caught.value


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("Neo.ClientError.Transaction.TransactionTimedOut", DeadlineExceededError, "narrower"),
        (
            "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
            DeadlineExceededError,
            "--timeout",
        ),
        ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", CapExceededError, "more memory"),
        ("Neo.TransientError.Request.NoThreadsAvailable", ServerBusyError, "no room"),
        ("Neo.ClientError.Database.DatabaseNotFound", GraphNotFoundError, "SHOW DATABASES"),
        ("Neo.ClientError.Security.Forbidden", QueryFailedError, "may not"),
        ("Neo.ClientError.Security.CredentialsExpired", AuthenticationError, "expired"),
        ("Neo.ClientError.Statement.AccessMode", QueryFailedError, "only read"),
        ("Neo.ClientError.Procedure.ProcedureNotFound", QueryFailedError, "does not have it"),
        ("Neo.ClientError.Statement.EntityNotFound", QueryFailedError, "something is wrong"),
        ("Neo.DatabaseError.General.UnknownError", QueryFailedError, "something is wrong"),
        ("not a code at all", QueryFailedError, "something is wrong"),
    ],
)
def test_a_code_of_the_server_becomes_an_error_of_a_kind_with_advice(
    code: str, kind: type[AskgraphError], words: str
) -> None:
    error = error_of(saying(Fault(code)))
    assert type(error) is kind
    assert words in str(error)


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("Neo.ClientError.Security.Unauthorized", AuthenticationError, "ASKGRAPH_PASSWORD"),
        ("Neo.ClientError.Security.AuthenticationRateLimit", ServerBusyError, "Wait"),
        ("Neo.ClientError.Security.TokenExpired", AuthenticationError, "ASKGRAPH_TOKEN"),
    ],
)
def test_who_is_not_let_in_is_told_why(code: str, kind: type[AskgraphError], words: str) -> None:
    error = error_of(saying(ONE), logon=Fault(code))
    assert type(error) is kind
    assert words in str(error)


def test_without_credentials_it_says_where_they_go() -> None:
    with (
        MadeUpServer(saying(ONE), logon=Fault("Neo.ClientError.Security.Unauthorized")) as made_up,
        pytest.raises(AuthenticationError, match="ASKGRAPH_USER"),
    ):
        open_bolt(parse_address(made_up.url), timeout=5)


def test_the_place_of_a_fault_in_a_query_is_kept() -> None:
    text = 'Invalid input \'x\': expected "a" (line 2, column 7 (offset: 21))\n"RETURN x"\n ^'
    error = error_of(saying(Fault("Neo.ClientError.Statement.SyntaxError", text)))
    assert isinstance(error, QueryFailedError)
    assert (error.line, error.column, error.offset, error.code) == (2, 7, 21, "SyntaxError")
    assert "offset" not in error.message


def test_the_servers_own_limit_is_told_from_ours() -> None:
    with (
        MadeUpServer(saying(Fault("Neo.ClientError.Transaction.TransactionTimedOut"))) as made_up,
        asking(made_up.url) as server,
    ):
        server.server_limit = 1.5
        with pytest.raises(DeadlineExceededError, match=r"1\.5 s, which is all that it allows"):
            server.rows(Statement("RETURN 1"))


# --- time


def test_a_server_that_says_nothing_is_given_up_in_time() -> None:
    began = time.monotonic()
    error = error_of(saying(Silence(30)), seconds=0.5)
    assert isinstance(error, DeadlineExceededError)
    assert time.monotonic() - began < 1.0


def test_the_server_is_told_the_time_that_is_left_but_never_more_than_its_own_limit() -> None:
    with MadeUpServer(saying(ONE)) as made_up, asking(made_up.url) as server:
        server.rows(Statement("RETURN 1"), Budget(seconds=4))
        server.server_limit = 1.0
        server.rows(Statement("RETURN 1"), Budget(seconds=4))
    first, second = (extra["tx_timeout"] for extra in made_up.extras)
    assert 3_000 < first <= 4_000
    assert second == 1_000


def test_every_request_is_one_that_reads() -> None:
    with MadeUpServer(saying(ONE)) as made_up, asking(made_up.url) as server:
        server.rows(Statement("RETURN 1"))
    assert [extra["mode"] for extra in made_up.extras] == ["r"]


def test_a_time_that_is_up_before_anything_is_sent_sends_nothing() -> None:
    with MadeUpServer(saying(ONE)) as made_up, asking(made_up.url) as server:
        with pytest.raises(DeadlineExceededError):
            server.rows(Statement("RETURN 1"), Budget(seconds=0))
        assert made_up.asked == []


# --- again


@pytest.mark.parametrize(
    "passing",
    [Fault("Neo.TransientError.General.DatabaseUnavailable"), Cut(), Fault("Neo.TransientError.Network.X")],
)
def test_what_failed_for_a_passing_reason_is_asked_again(passing: Answer) -> None:
    with MadeUpServer(saying(passing, passing, ONE)) as made_up, asking(made_up.url) as server:
        assert server.rows(Statement("RETURN 1")) == [[1]]
        assert len(made_up.asked) == 3


@pytest.mark.parametrize(
    "lasting",
    [
        Fault("Neo.ClientError.Statement.SyntaxError"),
        Fault("Neo.TransientError.General.MemoryPoolOutOfMemoryError"),
        Fault("Neo.ClientError.Security.Forbidden"),
    ],
)
def test_what_would_fail_again_is_not(lasting: Answer) -> None:
    with MadeUpServer(saying(lasting)) as made_up, asking(made_up.url) as server:
        with pytest.raises(AskgraphError):
            server.rows(Statement("RETURN 1"))
        assert len(made_up.asked) == 1


def test_asking_again_ends_with_the_time() -> None:
    began = time.monotonic()
    error = error_of(saying(Fault("Neo.TransientError.General.DatabaseUnavailable")), seconds=1.0)
    assert isinstance(error, ServerBusyError)
    assert time.monotonic() - began < 1.4


def test_a_result_that_was_cut_off_is_not_taken_for_a_whole_one() -> None:
    error = error_of(saying(Cut(after=3)))
    assert isinstance(error, UnreachableError)
    assert "cut" in error.message


# --- the way there


def test_a_port_on_which_nothing_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(UnreachableError, match="nothing listens"):
        open_bolt(parse_address(f"bolt://127.0.0.1:{port}"), timeout=5)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_machine_that_takes_the_connection_and_says_nothing(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        began = time.monotonic()
        with pytest.raises((UnreachableError, DeadlineExceededError)):
            open_bolt(parse_address(f"{scheme}://127.0.0.1:{listener.getsockname()[1]}"), timeout=1)
        assert time.monotonic() - began < 1.5


@contextmanager
def listening(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """A port whose connections are all handled so."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    answer(connection)

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]


def _http(connection: socket.socket) -> None:
    connection.recv(100)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.mark.parametrize(
    ("scheme", "answer", "words"),
    [
        ("bolt", _http, "speaks HTTP, not Bolt"),
        ("neo4j", _http, "speaks HTTP, not Bolt"),
        ("bolt+s", _http, "does not speak TLS"),
        ("bolt+ssc", lambda connection: None, "does not speak TLS"),
        ("bolt", lambda connection: None, r"bolt\+s://"),
    ],
)
def test_a_port_of_something_else(scheme: str, answer: Callable[[socket.socket], None], words: str) -> None:
    with listening(answer) as port, pytest.raises(UnreachableError, match=words):
        open_bolt(parse_address(f"{scheme}://127.0.0.1:{port}"), timeout=5)


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """Of a server whose certificate nobody signed."""
    return Authority(tmp_path_factory.mktemp("tls")).own().context()


def test_a_certificate_that_nobody_signed_is_taken_where_that_is_asked_for(tls: ssl.SSLContext) -> None:
    with MadeUpServer(saying(ONE), tls=tls) as made_up:
        url = made_up.url.replace("bolt://", "bolt+ssc://")
        with open_bolt(parse_address(url), timeout=5) as store:
            assert store.server.rows(Statement("RETURN 1")) == [[1]]


@pytest.mark.parametrize(
    ("scheme", "words"), [("bolt+s", r"cannot be trusted[\s\S]*bolt\+ssc://"), ("bolt", r"bolt\+s://")]
)
def test_and_refused_where_it_is_not(scheme: str, words: str, tls: ssl.SSLContext) -> None:
    with MadeUpServer(saying(ONE), tls=tls) as made_up:
        url = made_up.url.replace("bolt://", f"{scheme}://")
        with pytest.raises(UnreachableError, match=words):
            open_bolt(parse_address(url), timeout=5)


def test_a_path_of_several_parts_names_no_database() -> None:
    with pytest.raises(SettingsError, match="several parts"):
        open_bolt(parse_address("bolt://127.0.0.1:1/a/b"))


def test_a_neo4j_that_is_too_old_is_said_to_be() -> None:
    with (
        MadeUpServer(saying(ONE), agent="Neo4j/4.4.38") as made_up,
        pytest.raises(UnsupportedGraphError, match=r"4\.4\.38"),
    ):
        open_bolt(parse_address(made_up.url), timeout=5)


# --- several at once, and the end


def test_when_all_connections_are_in_use_that_is_said_in_time() -> None:
    with MadeUpServer(saying(Silence(5))) as made_up, asking(made_up.url, pool_size=2) as server:
        busy = [threading.Thread(target=_ignoring_errors, args=(server, Budget(seconds=3))) for _ in range(2)]
        for thread in busy:
            thread.start()
        time.sleep(0.3)
        began = time.monotonic()
        with pytest.raises(ServerBusyError, match="all 2 connections"):
            server.rows(Statement("RETURN 1"), Budget(seconds=0.5))
        assert time.monotonic() - began < 0.6
        server.close()
        for thread in busy:
            thread.join()


def _ignoring_errors(server: BoltServer, budget: Budget) -> None:
    with pytest.raises(AskgraphError):
        server.rows(Statement("RETURN 1"), budget)


def test_many_threads_share_a_server() -> None:
    def handle(text: str, parameters: Any) -> Answer:
        return Rows(["n"], [[parameters["n"]]])

    found: dict[int, Any] = {}
    with MadeUpServer(handle) as made_up, asking(made_up.url, pool_size=4) as server:

        def ask(number: int) -> None:
            found[number] = server.rows(Statement("RETURN $n", {"n": number}))

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {number: [[number]] for number in range(20)}


def test_closing_twice_is_allowed_and_asking_afterwards_is_refused() -> None:
    with MadeUpServer(saying(ONE)) as made_up, asking(made_up.url) as server:
        server.rows(Statement("RETURN 1"))
        server.close()
        server.close()
        with pytest.raises(OpenError, match="closed"):
            server.rows(Statement("RETURN 1"))


def test_closing_ends_what_waits() -> None:
    with MadeUpServer(saying(Silence(30))) as made_up, asking(made_up.url) as server:
        caught: list[BaseException] = []

        def ask() -> None:
            try:
                server.rows(Statement("RETURN 1"), Budget(seconds=20))
            except AskgraphError as error:
                caught.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        time.sleep(0.3)
        server.close()
        thread.join(5)
        assert not thread.is_alive()
        assert isinstance(caught[0], AskgraphError)
