"""Records the classes that a Neo4j loads, so that it starts in half the time in every test run.

The Java of the servers can keep loaded and linked classes in an ahead-of-time cache. It is recorded in one run of the
server with a few queries, and written when that run ends.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from scripts.servers import places
from scripts.servers.launching import PASSWORD, admin_command, free_port, neo4j_command, write_configuration
from scripts.tasks import SetUpError

_QUERIES = (
    "UNWIND range(1, 10) AS i CREATE (:A {i: i})-[:R {w: i}]->(:B {name: 'b' + i})",
    "CREATE INDEX a_i FOR (a:A) ON (a.i)",
    "MATCH (a:A)-[r:R]->(b) WHERE a.i > 2 RETURN b.name AS name, count(*), collect(r.w) ORDER BY name LIMIT 5",
    "MATCH (a:A) WHERE EXISTS { (a)-->(:B) } RETURN a UNION MATCH (a:B) RETURN a",
    "EXPLAIN MATCH p = (a:A)-[*1..3]->(b) RETURN p",
    "CALL db.labels()",
    "MATCH (n) DETACH DELETE n",
)
_PATIENCE = 180  # seconds


def train(part: str) -> None:
    """Runs a Neo4j once and keeps the classes that it loaded.

    Raises:
        SetUpError: it did not start, or wrote no cache.
    """
    cache = places.class_cache(part)
    with tempfile.TemporaryDirectory(prefix="askgraph-training-") as scratch:
        home = Path(scratch)
        port = free_port()
        write_configuration(home, port, ["dbms.security.auth_enabled=false"])
        log = home / "console.log"
        with log.open("wb") as output:
            command = neo4j_command(part, home, [f"-XX:AOTCacheOutput={cache}"])
            server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            _wait_for_port(server, port)
            _ask(port)
            server.terminate()
            server.wait(_PATIENCE)
        except (OSError, subprocess.TimeoutExpired) as error:
            said = log.read_text(encoding="utf-8", errors="replace")[-2000:]
            raise SetUpError(f"The training run of {part} failed: {error}\n{said}") from None
        finally:
            server.kill()
            server.wait()
    if not cache.exists():
        raise SetUpError(f"The training run of {part} wrote no cache of classes.")


def make_initial_user(part: str) -> None:
    """Keeps the file that sets the first password: making it takes seconds, which no test has to wait for.

    Raises:
        SetUpError: the server's own tool did not make it.
    """
    with tempfile.TemporaryDirectory(prefix="askgraph-user-") as scratch:
        write_configuration(Path(scratch), 0, [])
        variables = {**os.environ, "NEO4J_HOME": scratch, "NEO4J_CONF": f"{scratch}/conf"}
        command = admin_command(part, ["dbms", "set-initial-password", PASSWORD])
        done = subprocess.run(
            command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        made = Path(scratch) / "data" / "dbms" / "auth.ini"
        if done.returncode or not made.exists():
            raise SetUpError(f"{part} took no password. It said:\n{done.stdout.decode(errors='replace')}")
        shutil.copy(made, places.initial_user(part))


def _wait_for_port(server: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if server.poll() is not None:
            raise OSError(f"it ended with code {server.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise OSError(f"it did not listen within {_PATIENCE} s")


def _ask(port: int) -> None:
    from neo4j import GraphDatabase
    from neo4j.exceptions import Neo4jError

    with GraphDatabase.driver(f"bolt://127.0.0.1:{port}") as driver:
        for query in _QUERIES:
            try:
                driver.execute_query(query)
            except Neo4jError as error:
                raise OSError(f"it refused {query!r}: {error.code}") from error
