"""What a child process does with a big graph, to measure its own memory: prints JSON.

python big_child.py URL USER PASSWORD
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError
from askgraph.querying.gate import check
from askgraph.querying.policy import GatePolicy
from askgraph.stores.address import Credentials, parse_address
from askgraph.stores.bolt.store import BoltStore, open_bolt

ALL_ROWS = GatePolicy(rows=None)


def peak_megabytes() -> float:
    """The most memory that this process has had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _rows(store: BoltStore, text: str) -> Any:
    return store.query(check(text)).rows


def million_rows(store: BoltStore) -> Any:
    """A result of a million rows, of which a few are wanted."""
    checked = check("UNWIND range(1, 1000000) AS i RETURN i, 'text ' + i AS t", policy=ALL_ROWS)
    result = store.query(checked, budget=Budget(seconds=10, rows=5_000))
    return {"rows": len(result.rows), "truncated": result.truncated, "last": result.rows[-1][0]}


def million_rows_in_short_time(store: BoltStore) -> Any:
    """The same with no cap but the time."""
    checked = check("UNWIND range(1, 1000000) AS i RETURN i, 'text ' + i AS t", policy=ALL_ROWS)
    try:
        result = store.query(checked, budget=Budget(seconds=2, rows=10_000_000, bytes=64 * 1024 * 1024))
    except DeadlineExceededError:
        return {"rows": None}
    return {"rows": len(result.rows), "truncated": result.truncated}


def hub(store: BoltStore) -> Any:
    """One hop from a node with very many neighbours."""
    found = _rows(store, "MATCH (h:Hub) RETURN h")
    id = found[0][0].id
    hops = store.neighbors([id], limit_per_node=1_000, budget=Budget(seconds=10))
    again = store.neighbors([id], limit_per_node=1_000, budget=Budget(seconds=10))
    relations = store.relations([id])
    return {
        "hops": len(hops),
        "cut": hops.cut[id],
        "same": list(hops.nodes) == list(again.nodes),
        "relations": [[item.type, item.forward, item.count] for item in relations],
    }


def vectors(store: BoltStore) -> Any:
    """Nodes with vectors of 1,536 numbers, all read by id and all in a query's rows."""
    ids = [node.id for (node,) in _rows(store, "MATCH (v:Vector) RETURN v")]
    nodes = list(store.nodes(ids))
    asked = check("MATCH (v:Vector) RETURN v, v.embedding AS e")
    rows: Any = store.query(asked, budget=Budget(rows=300)).rows
    return {
        "nodes": len(nodes),
        "keys": sorted({key for node in nodes for key in node.properties}),
        "rows": len(rows),
        "numbers": len(rows[0][1]),
        "in nodes": sorted(rows[0][0].properties),
    }


def pages(store: BoltStore) -> Any:
    """The first twenty thousand nodes, page by page."""
    count = 0
    for page in store.node_pages():
        count += len(page.nodes)
        if count >= 20_000:
            break
    return {"nodes": count}


def main() -> None:
    url, user, password = sys.argv[1:]
    store = open_bolt(parse_address(url, Credentials(user, password)), timeout=30)
    store.schema()
    before = peak_megabytes()
    tasks: list[Callable[[BoltStore], Any]] = [million_rows, million_rows_in_short_time, hub, vectors, pages]
    report: dict[str, Any] = {}
    for task in tasks:
        began = time.monotonic()
        outcome = task(store)
        report[task.__name__] = {
            **outcome,
            "seconds": round(time.monotonic() - began, 2),
            "megabytes": round(peak_megabytes() - before, 1),
        }
    store.close()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
