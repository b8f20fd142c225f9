"""Asks real Neo4j servers which queries are valid, and keeps what they said for tests that run without a server.

    python -m scripts.record_neo4j_verdicts

Each text is planned by ``EXPLAIN`` and never run, on throw-away servers with nothing in them, as Cypher 5 on both
versions and as Cypher 25 on the newer one. Needs what ``make servers`` installs. The texts are those of
``tests/querying/cypher/neo4j_verdicts/constructs.cypher``, the queries of the openCypher TCK, and the labelled cases
of the gate that are to be allowed; cases that are to be refused are not even planned.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from neo4j import READ_ACCESS, Session
from neo4j.exceptions import ClientError, DatabaseError
from scripts.servers import places

# Run as a program, tests are not on the path of anything but the project's root.
sys.path.insert(0, str(places.ROOT))
from tests.querying.cases import gate_cases
from tests.querying.cypher import neo4j_verdicts
from tests.querying.tck import tck_queries
from tests.servers.neo4j_server import Neo4jServer

# In this order the verdicts of a text are kept.
_READERS = (
    (places.NEO4J_5, "CYPHER 5"),
    (places.NEO4J_2026, "CYPHER 5"),
    (places.NEO4J_2026, "CYPHER 25"),
)


def texts_by_source() -> dict[str, list[str]]:
    """The texts to be planned, each once."""
    allowed = [
        case["query"]
        for case in gate_cases("cypher")
        if case["dialect"] == "neo4j" and case["verdict"] == "allow"
    ]
    return {
        "constructs": neo4j_verdicts.constructs(),
        "gate": _once(allowed),
        "tck": _once(query.text for query in tck_queries()),
    }


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if neo4j_verdicts.can_be_planned(text)))


@contextmanager
def _sessions(folder: Path) -> Iterator[list[tuple[Session, str]]]:
    servers = {part: Neo4jServer(folder / part, part=part) for part, _ in _READERS}
    try:
        for server in servers.values():
            server.start()
        yield [
            (
                servers[part].driver.session(
                    database="neo4j", default_access_mode=READ_ACCESS, notifications_min_severity="OFF"
                ),
                prefix,
            )
            for part, prefix in _READERS
        ]
    finally:
        for server in servers.values():
            server.stop()


def verdict(session: Session, prefix: str, text: str) -> str:
    """``"r"``, ``"w"`` or ``"rw"`` for a valid text that reads, writes, or both; else the error, cut short."""
    try:
        summary = session.run(f"{prefix} EXPLAIN {text}").consume()
    except (ClientError, DatabaseError) as error:
        message = " ".join((error.message or "").split())
        return f"{(error.code or '').rsplit('.', 1)[-1]}: {message[:60]}"
    return summary.query_type or "r"


def main() -> None:
    """Plans every text and writes the verdicts."""
    sources = texts_by_source()
    with (
        tempfile.TemporaryDirectory(prefix="askgraph-verdicts-") as folder,
        _sessions(Path(folder)) as sessions,
    ):
        for source, texts in sources.items():
            found = {}
            for text in texts:
                found[text] = [verdict(session, prefix, text) for session, prefix in sessions]
            neo4j_verdicts.write(source, found)
            print(f"{source}: {len(found)} texts", flush=True)


if __name__ == "__main__":
    main()
