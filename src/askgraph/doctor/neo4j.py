"""What Neo4j prevents by itself, what only askgraph prevents, and what to change.

Measured on 5.26 and 2026.08 (Community); what only the Enterprise edition has is from its documentation. The lines of
configuration were tried on both versions.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..core.settings import Settings
from ..core.words import quantity
from ..stores.bolt.inspection import BoltInspection
from ..stores.bolt.trials import BoltTrials
from .finding import Finding
from .protection import after_trial, protection

_FILE = "In neo4j.conf, then restart:"
_BY_STATEMENT = "As an administrator, in the database system:"
_NO_LIMIT = ("", "0", "0s", "0ms")


def neo4j_protections(server: BoltInspection, trials: BoltTrials, settings: Settings) -> Iterator[Finding]:
    """Every protection of a Neo4j, in a fixed order."""
    yield after_trial(
        protection("writes", "server", "a write in a read session is refused; askgraph opens no other"),
        trials.write,
        open="a write in a read session is not refused; only askgraph's gate refuses it",
    )
    yield after_trial(
        protection(
            "time", "server", f"a query ends at its time-out; askgraph sends one ({settings.timeout:g} s)"
        ),
        trials.time_out,
        open="a query goes on beyond its time-out; askgraph stops waiting",
        otherwise="nobody",
    )
    yield from _memory(server)
    yield from _files(server, trials)
    yield _network(server)
    yield after_trial(
        protection(
            "rows", "askgraph", f"results have no end of their own; askgraph takes {settings.rows:,} rows"
        ),
        trials.rows,
        held="results are cut",
    )
    yield from _rights(server)
    yield from _add_ons(server)
    yield protection(
        "admin",
        "askgraph",
        "in a read session too, users and settings can be seen and the transactions of others ended"
        if server.edition != "enterprise"
        else "in a read session too, whatever the user's role allows of administration can be done",
    )
    yield from _time_of_others(server)
    yield from _authentication(server)


def _memory(server: BoltInspection) -> Iterator[Finding]:
    limit = server.settings.get("dbms.memory.transaction.total.max")
    if limit and not limit.startswith("0"):
        yield protection(
            "memory",
            "server",
            f"all queries together get {limit} (dbms.memory.transaction.total.max)",
            known="told",
        )


def _files(server: BoltInspection, trials: BoltTrials) -> Iterator[Finding]:
    allowed = server.settings.get("dbms.security.allow_csv_import_from_file_urls")
    advice = (_FILE, "dbms.security.allow_csv_import_from_file_urls=false")
    if allowed == "false":
        yield protection("files", "server", "LOAD CSV may read no file", known="told")
        return
    if allowed is None:
        yield after_trial(
            protection("files", "askgraph", "LOAD CSV reads files, in a read session too", *advice),
            trials.read_file,
            held="LOAD CSV is refused",
        )
        return
    folder = server.settings.get("server.directories.import")
    if folder:
        what = f"LOAD CSV reads files below {folder}, in a read session too"
        yield protection("files", "askgraph", what, *advice, known="told")
    else:
        what = "LOAD CSV reads every file that the server can read, in a read session too"
        yield protection("files", "askgraph", what, *advice, known="told", severity="warning")


def _network(server: BoltInspection) -> Finding:
    what = "LOAD CSV fetches from any address, in a read session too, unless internal.dbms.cypher_ip_blocklist is set"
    if server.edition == "enterprise":
        return protection("network", "askgraph", what, _BY_STATEMENT, "DENY LOAD ON ALL DATA TO PUBLIC")
    return protection("network", "askgraph", what, _FILE, "internal.dbms.cypher_ip_blocklist=0.0.0.0/0,::/0")


def _rights(server: BoltInspection) -> Iterator[Finding]:
    """What the user could do in a session that is not of askgraph's making."""
    whose = server.user or "whoever connects"
    if server.may_write is False:
        why = "the database is read-only" if server.access == "read-only" else "the user may only read"
        yield protection("rights", "server", f"{whose} cannot write: {why}", known="told")
        return
    if server.edition == "enterprise":
        what = (
            f"{whose} may write too (roles: {', '.join(server.roles) or 'unknown'}); read sessions hold it back"
            if server.may_write
            else f"what {whose} may do could not be asked"
        )
        yield protection(
            "rights",
            "askgraph",
            what,
            "As an administrator, make a user who may only read:",
            "CREATE USER askgraph SET PASSWORD '…' CHANGE NOT REQUIRED",
            "GRANT ROLE reader TO askgraph",
            known="told",
            severity="warning" if server.may_write else "note",
        )
        return
    yield protection(
        "rights",
        "askgraph",
        f"{whose} may change everything, as everybody in this edition; only read sessions hold that back",
        "If nobody is to write to this database, in neo4j.conf, then restart:",
        f"server.databases.read_only={server.database or 'neo4j'}",
        known="told",
    )


def _add_ons(server: BoltInspection) -> Iterator[Finding]:
    if not server.add_ons:
        return
    listed = ", ".join(f"{namespace} ({number})" for namespace, number in server.add_ons.items())
    count = quantity(sum(server.add_ons.values()), "procedure")
    allowed = server.settings.get("dbms.security.procedures.allowlist")
    what = f"{count} beyond Neo4j's own can be called: {listed}; some read files, call out or write"
    if allowed not in (None, "*"):
        what += f" (allowed: {allowed})"
    yield protection(
        "procedures",
        "askgraph",
        what,
        _FILE,
        "dbms.security.procedures.allowlist=db.*,dbms.*,tx.*",
        known="told",
    )


def _time_of_others(server: BoltInspection) -> Iterator[Finding]:
    limit = server.settings.get("db.transaction.timeout")
    if limit is None:
        return
    if limit in _NO_LIMIT:
        yield protection(
            "others' time",
            "nobody",
            "a client that sends no time-out may compute for ever",
            _FILE,
            "db.transaction.timeout=60s",
            known="told",
            severity="note",
        )
        return
    yield protection(
        "others' time",
        "server",
        f"a query without a time-out of its own ends after {limit} (db.transaction.timeout)",
        known="told",
    )


def _authentication(server: BoltInspection) -> Iterator[Finding]:
    if server.settings.get("dbms.security.auth_enabled") == "false":
        yield protection(
            "passwords",
            "nobody",
            "whoever reaches the port may do anything: there are no passwords here",
            _FILE,
            "dbms.security.auth_enabled=true",
            known="told",
        )
