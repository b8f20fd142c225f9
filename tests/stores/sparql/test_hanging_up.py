"""What real servers do with a query that nobody waits for any more: the connection is closed at our deadline.

`askgraph doctor` and docs/databases.md say the same of each.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from tests.servers.datasets import RUNAWAY_SPARQL, numbered_things
from tests.stores.sparql.support import address_of, client_of

from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError

# Seconds that a server gets to notice, on a busy machine.
PATIENCE = 3.0

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a process's time is read as Linux tells it")


def leave_at_work(server: Any) -> None:
    """Gives the server work that takes hours, and leaves it after half a second."""
    server.load(numbered_things())
    with closing(client_of(address_of(server))) as client:
        client.greet(Budget())
        with pytest.raises(DeadlineExceededError):
            client.select(RUNAWAY_SPARQL, Budget(seconds=0.5))


def has_stopped(server: Any, within: float) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end:
        if not server.is_at_work(0.5):
            return True
    return False


@pytest.mark.server("fuseki")
def test_fuseki_is_told_our_deadline_and_stops_at_it(start_server: Callable[..., Any]) -> None:
    server = start_server("fuseki", timeout=600)
    leave_at_work(server)
    assert has_stopped(server, 20)


@pytest.mark.server("fuseki")
def test_fuseki_works_on_for_others_to_its_own_time_out(start_server: Callable[..., Any]) -> None:
    server = start_server("fuseki", timeout=6)
    server.load(numbered_things())
    with pytest.raises(TimeoutError):
        server.ask(RUNAWAY_SPARQL, patience=0.5)
    assert not has_stopped(server, PATIENCE)
    assert has_stopped(server, 30)


@pytest.mark.server("oxigraph")
def test_oxigraph_works_on(start_server: Callable[..., Any]) -> None:
    server = start_server("oxigraph", timeout=60)
    leave_at_work(server)
    assert not has_stopped(server, PATIENCE)


@pytest.mark.server("virtuoso")
def test_virtuoso_stops_where_one_thread_works_on_each_query(start_server: Callable[..., Any]) -> None:
    server = start_server("virtuoso", timeout=60)
    leave_at_work(server)
    assert has_stopped(server, 20)
