"""Real servers that run away, fall silent, are killed, or have no room: typed errors in time."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.servers.bolt import BoltServer as RealServer
from tests.servers.datasets import PEOPLE_CYPHER, RUNAWAY_CYPHER
from tests.stores.bolt.bolt_support import opened

from askgraph.core.budget import Budget
from askgraph.core.checked_query import CheckedQuery
from askgraph.core.errors import (
    AskgraphError,
    DeadlineExceededError,
    QueryFailedError,
    ServerBusyError,
    ServerError,
    UnreachableError,
)
from askgraph.querying.gate import check
from askgraph.querying.policy import GatePolicy
from askgraph.stores.bolt.server import Statement
from askgraph.stores.bolt.store import BoltStore

SERVERS = [pytest.param(name, marks=pytest.mark.server(name)) for name in ("neo4j", "neo4j_2026", "arcadedb")]
ANYTHING = GatePolicy(refuse_costly=False, rows=None)


def runaway() -> CheckedQuery:
    """A query that would take hours. The gate refuses it where it is not told to let it pass."""
    return check(RUNAWAY_CYPHER, policy=ANYTHING)


@pytest.fixture(scope="module", params=SERVERS)
def people(request: pytest.FixtureRequest) -> RealServer:
    server: RealServer = request.getfixturevalue(request.param)
    server.load(*PEOPLE_CYPHER)
    return server


@pytest.fixture
def store(people: RealServer) -> Iterator[BoltStore]:
    with opened(people) as opened_store:
        opened_store.schema()
        yield opened_store


def still_running(server: RealServer) -> bool:
    """Whether the runaway is among what the server works on."""
    rows = server.rows("SHOW TRANSACTIONS")
    return any(
        RUNAWAY_CYPHER[:20] in str(row["currentQuery"]) and "SHOW" not in str(row["currentQuery"])
        for row in rows
    )


# --- time


def test_a_runaway_is_given_up_in_time_and_ends_on_the_server(store: BoltStore, people: RealServer) -> None:
    query = runaway()
    began = time.monotonic()
    with pytest.raises(DeadlineExceededError) as caught:
        store.query(query, budget=Budget(seconds=1.0))
    assert time.monotonic() - began <= 1.1
    assert caught.value.advice
    end = time.monotonic() + 5
    while still_running(people):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert store.query(check("RETURN 1 AS one")).rows == [(1,)]


def test_the_servers_own_limit_holds_where_it_is_shorter(store: BoltStore, people: RealServer) -> None:
    if people.kind == "arcadedb":
        pytest.skip("it has none for this user")
    began = time.monotonic()
    with pytest.raises(DeadlineExceededError, match="2 s, which is all that it allows"):
        store.query(runaway(), budget=Budget(seconds=20))
    assert time.monotonic() - began < 8


def test_the_time_of_a_plan_is_up_too(store: BoltStore) -> None:
    from askgraph.core.plan import Aggregate, Column, Compare, NodePattern, Pattern, Plan, PropertyOf

    names = ("a", "b", "c", "d")
    plan = Plan(
        Pattern(tuple(NodePattern(name, ("Person",)) for name in names)),
        (Column("n", Aggregate("count")),),
        where=Compare(PropertyOf("a", "number"), "<>", PropertyOf("d", "number")),
    )
    began = time.monotonic()
    with pytest.raises(DeadlineExceededError):
        store.run(plan, Budget(seconds=0.5))
    assert time.monotonic() - began < 0.7


# --- who may do what


def test_writes_are_refused_in_read_sessions_on_neo4j(store: BoltStore, people: RealServer) -> None:
    if people.kind == "arcadedb":
        pytest.skip("it takes them: a user who can only read is the wall there")
    before = people.dump()
    with pytest.raises(QueryFailedError, match="only read"):
        store.server.rows(Statement("MATCH (n:Person) SET n.number = 0"))
    assert people.dump() == before


@pytest.mark.server("arcadedb")
def test_a_user_who_can_only_read_cannot_write_to_arcadedb(arcadedb: Any) -> None:
    arcadedb.load(*PEOPLE_CYPHER)
    before = arcadedb.dump()
    with opened(arcadedb, auth=arcadedb.reader_auth) as store:
        assert store.schema().node_type("Person").count == 400
        with pytest.raises(AskgraphError):
            store.server.rows(Statement("CREATE (:Person {number: -1})"))
        began = time.monotonic()
        with pytest.raises(AskgraphError):
            store.query(runaway(), budget=Budget(seconds=4))
        assert time.monotonic() - began < 4.5
    assert arcadedb.dump() == before


def test_impersonation_where_there_is_none_is_refused(neo4j: RealServer) -> None:
    with pytest.raises(AskgraphError, match=r"[Ii]mpersonation"):
        opened(neo4j, impersonate="somebody")


# --- a server of one's own that fails


def test_a_server_that_is_killed_and_started_again(start_server: Callable[..., Any]) -> None:
    server = start_server("neo4j")
    server.load(*PEOPLE_CYPHER)
    with opened(server) as store:
        store.schema()
        caught: list[tuple[float, BaseException]] = []

        def ask() -> None:
            began = time.monotonic()
            try:
                store.query(runaway(), budget=Budget(seconds=10))
            except AskgraphError as error:
                caught.append((time.monotonic() - began, error))

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(0.7)
        server.kill()
        asking.join(15)
        took, error = caught[0]
        assert isinstance(error, UnreachableError), error
        assert took < 6
        assert error.advice
        assert server.password not in "".join(traceback.format_exception(error))
        with pytest.raises(UnreachableError):
            store.query(check("RETURN 1 AS one"), budget=Budget(seconds=2))
        server.restart()
        assert store.query(check("MATCH (n:Person) RETURN count(*) AS n")).rows == [(400,)]
        server.pause()
        try:
            began = time.monotonic()
            with pytest.raises((ServerError, DeadlineExceededError)):
                store.query(check("RETURN 1 AS one"), budget=Budget(seconds=1))
            assert time.monotonic() - began < 1.15
        finally:
            server.resume()
        assert store.query(check("RETURN 1 AS one")).rows == [(1,)]


def test_a_server_without_room_says_so_in_time(start_server: Callable[..., Any]) -> None:
    server = start_server(
        "neo4j",
        settings=[
            "server.bolt.thread_pool_min_size=1",
            "server.bolt.thread_pool_max_size=2",
            "db.transaction.timeout=20s",
        ],
    )
    with opened(server, pool_size=8) as store:
        store.schema()
        threads = [threading.Thread(target=_ask_in_vain, args=(store,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(1.0)
        began = time.monotonic()
        with pytest.raises((ServerBusyError, DeadlineExceededError, UnreachableError)) as caught:
            store.query(check("RETURN 1 AS one"), budget=Budget(seconds=1))
        assert time.monotonic() - began < 1.15
        assert caught.value.advice
        for thread in threads:
            thread.join(10)
        assert store.query(check("RETURN 1 AS one"), budget=Budget(seconds=5)).rows == [(1,)]


def _ask_in_vain(store: BoltStore) -> None:
    text = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a, b WHERE a + b < 0 RETURN count(*) AS n"
    with pytest.raises(AskgraphError):
        store.query(check(text, policy=ANYTHING), budget=Budget(seconds=3))
