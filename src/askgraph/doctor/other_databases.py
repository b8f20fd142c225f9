"""What databases other than Neo4j that speak Bolt prevent by themselves.

ArcadeDB was measured (26.10); of Memgraph and any other only the documentation is known.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..core.settings import Settings
from ..stores.bolt.trials import BoltTrials
from .finding import Finding
from .protection import after_trial, protection

_ARCADEDB_READER = (
    '# config/server-groups.json, under "databases", "*", "groups":',
    '"readonly": {"resultSetLimit": -1, "readTimeout": 5000,',
    ' "access": [], "types": {"*": {"access": ["readRecord"]}}}',
    "# user.json:",
    '{"command": "create user',
    " {'name': 'askgraph', 'password': '…',",
    """  'databases': {'DATABASE': ['readonly']}}"}""",
    "# ten seconds later:",
    "curl -u root -d @user.json http://HOST:2480/api/v1/server",
)


def arcadedb_protections(trials: BoltTrials, settings: Settings) -> Iterator[Finding]:
    """Every protection of an ArcadeDB. No write is tried there: what it lets through, it may keep."""
    yield protection(
        "writes",
        "askgraph",
        "a write in a read session goes through, unless the user is of a group that may only read; whether this one "
        "is cannot be asked: the server calls everybody an admin",
        "Make a user who may only read, and connect as that:",
        *_ARCADEDB_READER,
        severity="warning",
    )
    yield after_trial(
        protection(
            "files",
            "askgraph",
            "LOAD CSV reads the server's files, for users who may write and unless the server is in production mode",
            "Start the server with:",
            "-Darcadedb.server.mode=production",
        ),
        trials.read_file,
        held="LOAD CSV is refused",
    )
    yield _rows(trials, settings)
    yield _time(
        trials,
        "the time-out of a query is not heeded: askgraph stops waiting, the server computes on",
        "The readTimeout (milliseconds) of the user's group ends queries that read records, though late.",
    )


def memgraph_protections(trials: BoltTrials, settings: Settings) -> Iterator[Finding]:
    """What is documented of Memgraph."""
    yield protection(
        "writes",
        "askgraph",
        "nothing is documented that would refuse a write in a read session",
        "As an administrator (Enterprise edition), make a user who may only read, and connect as that:",
        "CREATE USER askgraph IDENTIFIED BY '…'",
        "GRANT MATCH TO askgraph",
        severity="warning",
    )
    yield after_trial(
        protection(
            "files",
            "askgraph",
            "LOAD CSV, JSONL and PARQUET read the server's files and fetch from addresses",
        ),
        trials.read_file,
        held="LOAD CSV is refused",
    )
    yield _rows(trials, settings)
    yield after_trial(
        protection(
            "time",
            "server",
            "a query ends after 600 s, or what the server was started with",
            "In memgraph.conf, then restart:",
            "--query-execution-timeout-sec=60",
        ),
        trials.time_out,
        open="the time-out of a query is not heeded: askgraph stops waiting",
        otherwise="nobody",
    )


def unknown_protections(trials: BoltTrials, settings: Settings) -> Iterator[Finding]:
    """What has to be assumed of a server of which nothing is known."""
    yield protection(
        "writes",
        "askgraph",
        "whether this server refuses a write in a read session is not known, and is never tried",
        "Connect as a user who may only read.",
        severity="warning",
    )
    yield after_trial(
        protection("files", "askgraph", "whether this server has LOAD CSV is not known"),
        trials.read_file,
        held="LOAD CSV is refused",
    )
    yield _rows(trials, settings)
    yield _time(
        trials, "whether this server heeds the time-out of a query is not known; askgraph stops waiting", ""
    )


def _rows(trials: BoltTrials, settings: Settings) -> Finding:
    return after_trial(
        protection(
            "rows", "askgraph", f"results have no end of their own; askgraph takes {settings.rows:,} rows"
        ),
        trials.rows,
        held="results are cut",
    )


def _time(trials: BoltTrials, what: str, advice: str) -> Finding:
    return after_trial(
        protection("time", "nobody", what, advice),
        trials.time_out,
        held="a query ends at its time-out",
    )
