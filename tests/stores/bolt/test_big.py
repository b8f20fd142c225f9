"""A million rows, 157,000 neighbours, vectors: bounded time and memory, measured in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.servers.bolt import BoltServer as RealServer
from tests.stores.bolt import big_child

NEIGHBOURS = 157_000
MOST_MEGABYTES = 300


@pytest.fixture(scope="module")
def report(neo4j: RealServer) -> dict[str, Any]:
    neo4j.clear()
    neo4j.rows("CREATE (:Hub {name: 'hub'})")
    neo4j.rows(
        f"UNWIND range(1, {NEIGHBOURS}) AS i CALL (i) {{ CREATE (:Spoke {{n: i}}) }} IN TRANSACTIONS OF 5000 ROWS"
    )
    neo4j.rows(
        "MATCH (h:Hub) MATCH (s:Spoke) CALL (h, s) { CREATE (s)-[:TOUCHES]->(h) } IN TRANSACTIONS OF 5000 ROWS"
    )
    neo4j.rows(
        "UNWIND range(1, 300) AS i CREATE (:Vector {name: 'vector ' + i, embedding: [x IN range(1, 1536) | x * 0.001]})"
    )
    child = subprocess.run(
        [sys.executable, str(Path(big_child.__file__)), f"{neo4j.url}/{neo4j.database}", *neo4j.auth],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert child.returncode == 0, child.stderr[-3000:]
    found: dict[str, Any] = json.loads(child.stdout)
    neo4j.clear()
    return found


def test_of_a_million_rows_as_many_are_read_as_are_wanted(report: dict[str, Any]) -> None:
    found = report["million_rows"]
    assert (found["rows"], found["truncated"], found["last"]) == (5_000, True, 5_000)
    assert found["seconds"] < 10


def test_a_million_rows_without_a_cap_end_with_the_time_or_the_bytes(report: dict[str, Any]) -> None:
    found = report["million_rows_in_short_time"]
    assert found["rows"] is None or found["truncated"]
    assert found["seconds"] < 2.3


def test_a_hub_is_cut_at_the_server_in_the_same_way_each_time(report: dict[str, Any]) -> None:
    found = report["hub"]
    assert (found["hops"], found["cut"], found["same"]) == (1_000, NEIGHBOURS, True)
    assert found["relations"] == [["TOUCHES", False, NEIGHBOURS]]


def test_vectors_stay_out_of_nodes(report: dict[str, Any]) -> None:
    found = report["vectors"]
    assert (found["nodes"], found["keys"]) == (300, ["name"])
    assert (found["rows"], found["numbers"], found["in nodes"]) == (300, 1_536, ["name"])


def test_pages_hold_what_they_say(report: dict[str, Any]) -> None:
    assert report["pages"]["nodes"] >= 20_000


@pytest.mark.parametrize("task", ["million_rows", "million_rows_in_short_time", "hub", "vectors", "pages"])
def test_memory_stays_bounded(task: str, report: dict[str, Any]) -> None:
    assert report[task]["megabytes"] < MOST_MEGABYTES
