"""What the doctor says of addresses at which no graph can be reached: a finding with advice, within the time-out."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from askgraph.cli.main import main
from askgraph.core.settings import Settings
from askgraph.doctor import Finding, examine, shown

PASSWORD = "a-secret-that-nobody-may-see"
PAGE = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
    b"<html><title>Welcome</title><p>Hello</p></html>"
)


@contextmanager
def listening(answer: Callable[[socket.socket], object]) -> Iterator[int]:
    """A server on loopback that does this with every connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        over = threading.Event()

        def serve() -> None:
            connections: list[socket.socket] = []
            while not over.is_set():
                with contextlib.suppress(TimeoutError):
                    connection, _ = server.accept()
                    connection.settimeout(2)
                    connections.append(connection)
                    with contextlib.suppress(OSError):
                        answer(connection)
            for connection in connections:
                connection.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            over.set()
            thread.join()


def silent(connection: socket.socket) -> None:
    """Says nothing and keeps the line open."""


def nonsense(connection: socket.socket) -> None:
    connection.recv(1000)
    connection.sendall(b"\x00\xffnonsense\r\n\r\n" * 20)
    connection.close()


def hanging_up(connection: socket.socket) -> None:
    connection.close()


def page(connection: socket.socket) -> None:
    connection.recv(10_000)
    connection.sendall(PAGE)
    connection.close()


def problem_at(location: str, **settings: object) -> Finding:
    given = {"timeout": 1.0, "user": "ann", "password": PASSWORD, **settings}
    began = time.monotonic()
    findings = examine(location, Settings.load(**given), self_test=True)
    took = time.monotonic() - began
    assert took < 6, "it was not given up in time"
    assert PASSWORD not in json.dumps([finding.to_dict() for finding in findings])
    problems = [finding for finding in findings if finding.severity == "problem"]
    assert len(problems) == 1, problems
    assert problems[0].advice
    assert not [finding for finding in findings if finding.enforced_by is not None]
    return problems[0]


@pytest.mark.parametrize("location", ["bolt://127.0.0.1:{port}", "neo4j://127.0.0.1:{port}/x"])
@pytest.mark.parametrize("scheme", ["bolt", "sparql"])
def test_nothing_listens(location: str, scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    if scheme == "sparql":
        location = "sparql+http://127.0.0.1:{port}/sparql"
    problem = problem_at(location.format(port=port))
    assert "nothing" in problem.what


@pytest.mark.parametrize(
    "behaviour", [silent, nonsense, hanging_up], ids=["hangs", "talks nonsense", "hangs up"]
)
@pytest.mark.parametrize("scheme", ["bolt://", "neo4j://", "sparql+http://"])
def test_what_listens_is_no_graph(scheme: str, behaviour: Callable[[socket.socket], object]) -> None:
    with listening(behaviour) as port:
        problem_at(f"{scheme}127.0.0.1:{port}")


def test_a_page_for_people_is_no_endpoint() -> None:
    with listening(page) as port:
        problem = problem_at(f"http://127.0.0.1:{port}/sparql")
    assert "Welcome" in problem.what


def test_a_web_server_is_no_bolt_server() -> None:
    with listening(page) as port:
        assert "HTTP" in problem_at(f"bolt://127.0.0.1:{port}").what


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("bolt://", "names no host"),
        ("bolt://host:port", "port is no number"),
        ("foo://host", "foo://"),
        ("sparql+http://127.0.0.1/q?timeout=5", "timeout"),
        ("bolt://127.0.0.1/a/b", "several parts"),
    ],
)
def test_an_address_that_is_none(location: str, words: str) -> None:
    assert words in problem_at(location).what


@pytest.mark.parametrize(
    ("location", "without"),
    [
        ("bolt://ann:secret@127.0.0.1:7687/db?x=1", "bolt://127.0.0.1:7687/db"),
        ("sparql+https://example.org/q?key=secret", "sparql+https://example.org/q"),
        ("bolt://ann:secret@host:port", "bolt://host:port"),
        ("hetionet.graph", "hetionet.graph"),
    ],
)
def test_no_address_is_shown_with_credentials(location: str, without: str) -> None:
    assert shown(location) == without


def test_the_exit_code_is_1_and_nothing_secret_is_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKGRAPH_TIMEOUT", "1")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert main(["doctor", f"bolt://ann:{PASSWORD}@127.0.0.1:{port}"]) == 1
    out, err = capsys.readouterr()
    assert PASSWORD not in out + err
    assert out.splitlines()[-1] == f"bolt://127.0.0.1:{port}: 1 problem."


def test_only_a_server_can_be_tried_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--self-test"]) == 1
    assert "--self-test tries out a server" in capsys.readouterr().err
