"""The promise that tests reach no address but loopback, kept and proven.

192.0.2.1 and .invalid are reserved for documentation: nobody is there. And nothing is sent even to them: each test
first asks the guard by an audit event alone, without any socket, and goes on only if it refuses.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import textwrap
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

import network_guard
from network_guard import NetworkBlockedError, is_loopback

ELSEWHERE = ("192.0.2.1", 9)

pytestmark = pytest.mark.usefixtures("forgive_network_attempts")


@pytest.fixture(autouse=True)
def _guard_refuses_before_any_socket_is_used() -> None:
    with pytest.raises(NetworkBlockedError):
        sys.audit("socket.connect", None, ELSEWHERE)
    with pytest.raises(NetworkBlockedError):
        sys.audit("socket.sendto", None, ELSEWHERE)
    with pytest.raises(NetworkBlockedError):
        sys.audit("socket.sendmsg", None, ELSEWHERE)
    with pytest.raises(NetworkBlockedError):
        sys.audit("socket.getaddrinfo", "example.invalid", 80, 0, 0, 0)
    with pytest.raises(NetworkBlockedError):
        sys.audit("socket.gethostbyname", "example.invalid")


def _datagram_socket() -> socket.socket:
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def _connect(method: str) -> None:
    with socket.socket() as client:
        getattr(client, method)(ELSEWHERE)


def _send_datagram() -> None:
    with _datagram_socket() as client:
        client.sendto(b"x", ELSEWHERE)


def _send_message() -> None:
    with _datagram_socket() as client:
        client.sendmsg([b"x"], [], 0, ELSEWHERE)


def _connect_below_the_socket_module() -> None:
    import _socket

    client = _socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        client.connect(ELSEWHERE)
    finally:
        client.close()


def _connect_by_asyncio() -> None:
    async def connect() -> None:
        await asyncio.open_connection(*ELSEWHERE)

    asyncio.run(connect())


WAYS_OUT: dict[str, Callable[[], object]] = {
    "connect": lambda: _connect("connect"),
    "connect_ex": lambda: _connect("connect_ex"),
    "sendto": _send_datagram,
    "sendmsg": _send_message,
    "below socket": _connect_below_the_socket_module,
    "create_connection": lambda: socket.create_connection(ELSEWHERE),
    "getaddrinfo": lambda: socket.getaddrinfo("example.invalid", 80),
    "gethostbyname": lambda: socket.gethostbyname("example.invalid"),
    "gethostbyname_ex": lambda: socket.gethostbyname_ex("example.invalid"),
    "gethostbyaddr": lambda: socket.gethostbyaddr("192.0.2.1"),
    "asyncio": _connect_by_asyncio,
    "urllib": lambda: urllib.request.urlopen("http://example.invalid/"),
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_every_way_out_is_refused(way: str) -> None:
    with pytest.raises(NetworkBlockedError, match="no address but loopback"):
        WAYS_OUT[way]()


def test_loopback_works() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with (
            socket.create_connection(("localhost", port), timeout=5) as client,
            server.accept()[0] as accepted,
        ):
            client.sendall(b"hello")
            assert accepted.recv(5) == b"hello"


def test_sockets_without_an_address_work() -> None:
    here, there = socket.socketpair()
    with here, there:
        here.sendmsg([b"hello"])
        assert there.recv(5) == b"hello"


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST.", "app.localhost", "127.0.0.1", "127.255.0.3", "::1", ""]
)
def test_loopback_hosts_are_known(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [
        "192.0.2.1",
        "10.0.0.1",
        "0.0.0.0",
        "::",
        "fe80::1",
        "127.example.org",
        "localhost.example.org",
        "127.1.x.y",
    ],
)
def test_other_hosts_are_not_loopback(host: str) -> None:
    assert not is_loopback(host)


def test_a_child_process_is_refused_too() -> None:
    code = "import sys; sys.audit('socket.connect', None, ('192.0.2.1', 9))"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert child.returncode == 1
    assert "NetworkBlockedError" in child.stderr
    assert "192.0.2.1" in Path(os.environ[network_guard.LOG_VARIABLE]).read_text(encoding="utf-8")


def test_a_test_that_swallows_the_refusal_fails_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_bytes((Path(__file__).parent / "conftest.py").read_bytes())
    (tmp_path / "test_swallows.py").write_text(
        textwrap.dedent(
            """
            import contextlib, subprocess, sys

            def test_here():
                with contextlib.suppress(AssertionError):
                    sys.audit("socket.connect", None, ("192.0.2.1", 9))

            def test_in_a_child():
                code = "import sys; sys.audit('socket.connect', None, ('192.0.2.2', 9))"
                subprocess.run([sys.executable, "-c", code], capture_output=True)

            def test_innocent():
                pass
            """
        ),
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--rootdir",
        str(tmp_path),
    ]
    inner = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, check=False)
    assert "192.0.2.1" in inner.stdout
    assert "192.0.2.2" in inner.stdout
    # A failure of the fixture that watches is counted as an error of the test.
    assert "3 passed, 2 errors" in inner.stdout, inner.stdout


@pytest.mark.skipif("TESTS_LOOPBACK_ONLY" not in os.environ, reason="not started by scripts/loopback_only.py")
def test_the_whole_run_sees_no_network_interface_but_loopback() -> None:
    assert [name for _, name in socket.if_nameindex()] == ["lo"]
