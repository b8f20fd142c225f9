"""Where a server may listen, and what is said where it may not."""

from __future__ import annotations

import errno
import socket
import sys

import pytest

from askgraph.core.errors import ListenError, MissingPackageError
from askgraph.server.listening import address_of, insist_on_packages, is_loopback, listening_socket


def test_port_0_takes_a_free_one_and_says_which() -> None:
    with listening_socket("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert port > 0
        assert address_of(listener) == f"http://127.0.0.1:{port}"


def test_a_port_that_is_taken_is_an_error_with_advice() -> None:
    with (
        listening_socket("127.0.0.1", 0) as listener,
        pytest.raises(ListenError, match="is taken") as raised,
    ):
        listening_socket("127.0.0.1", listener.getsockname()[1])
    assert "--port" in (raised.value.advice or "")


def test_a_port_is_free_again_at_once() -> None:
    with listening_socket("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            listener.accept()[0].close()
    listening_socket("127.0.0.1", port).close()


@pytest.mark.parametrize(
    ("host", "port", "said"),
    [
        ("127.0.0.1", 65_536, "no port 65536"),
        ("127.0.0.1", -1, "no port -1"),
    ],
)
def test_an_address_that_cannot_be_listened_at_is_told(host: str, port: int, said: str) -> None:
    with pytest.raises(ListenError, match=said):
        listening_socket(host, port)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EADDRNOTAVAIL, "not available"), "no address of this machine"),
        (socket.gaierror(socket.EAI_NONAME, "not known"), "no address of this machine"),
        (PermissionError(errno.EACCES, "not allowed"), "not for this user"),
        (OSError(errno.ENOBUFS, "no room"), "no room"),
    ],
)
def test_what_the_system_refuses_is_told_in_its_kind(
    monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(ListenError, match=said):
        listening_socket("127.0.0.1", 80)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("graph.example.org", False),
    ],
)
def test_what_only_this_machine_can_reach_is_known(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "starlette", None)
    with pytest.raises(MissingPackageError, match="starlette") as raised:
        insist_on_packages()
    assert raised.value.advice == 'Install it with: pip install "askgraph[server]"'
