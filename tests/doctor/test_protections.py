"""Who is said to prevent what, before and after it was tried."""

from __future__ import annotations

from dataclasses import replace

import pytest

from askgraph.core.hidden import Hidden
from askgraph.core.settings import Settings
from askgraph.doctor.connection import connection, is_loopback
from askgraph.doctor.deny_lists import deny_lists
from askgraph.doctor.endpoint_kinds import known_of
from askgraph.doctor.finding import Finding
from askgraph.doctor.neo4j import neo4j_protections
from askgraph.doctor.other_databases import arcadedb_protections, memgraph_protections, unknown_protections
from askgraph.doctor.protection import after_trial, protection
from askgraph.stores.address import Credentials, parse_address
from askgraph.stores.bolt.inspection import BoltInspection
from askgraph.stores.bolt.trials import BoltTrials
from askgraph.stores.sparql.engines import Engine
from askgraph.stores.trial import Trial

BY_SERVER = protection("time", "server", "it is stopped", "Set a limit.", "limit = 30")
BY_US = protection("files", "askgraph", "files are read", "Forbid it.", "files = no")
BY_NOBODY = protection("time", "nobody", "it runs on", "Set a limit.", "limit = 30")

STOCK = BoltInspection(
    product="Neo4j",
    version="5.26.30",
    edition="community",
    protocol="5.8",
    cypher_versions=("5",),
    database="neo4j",
    access="read-write",
    user="neo4j",
    settings={
        "db.transaction.timeout": "0s",
        "dbms.memory.transaction.total.max": "358.40MiB",
        "dbms.security.allow_csv_import_from_file_urls": "true",
        "dbms.security.auth_enabled": "true",
        "dbms.security.procedures.allowlist": "*",
        "server.directories.import": None,
    },
)


def of_neo4j(said: BoltInspection, trials: BoltTrials | None = None) -> dict[str, Finding]:
    found = list(neo4j_protections(said, trials or BoltTrials(), Settings.load()))
    assert len({finding.about for finding in found}) == len(found), "two findings about one thing"
    return {finding.about: finding for finding in found}


# --- trials


def test_without_a_trial_nothing_changes() -> None:
    assert after_trial(BY_SERVER, None) is BY_SERVER


def test_a_trial_that_confirms_is_told_and_needs_no_advice() -> None:
    tried = after_trial(BY_SERVER, Trial(True, "it was stopped"))
    assert (tried.severity, tried.enforced_by, tried.known, tried.trial) == (
        "ok",
        "server",
        "tried",
        "it was stopped",
    )
    assert (tried.what, tried.advice, tried.lines) == ("it is stopped", "", ())


@pytest.mark.parametrize("finding", [BY_US, BY_NOBODY], ids=["askgraph", "nobody"])
def test_a_server_that_does_more_than_expected_is_given_its_due(finding: Finding) -> None:
    tried = after_trial(finding, Trial(True, "it was refused"), held="it is refused")
    assert (tried.severity, tried.enforced_by, tried.what, tried.advice) == (
        "ok",
        "server",
        "it is refused",
        "",
    )


def test_a_server_that_does_less_than_expected_is_a_warning_that_keeps_its_advice() -> None:
    tried = after_trial(BY_SERVER, Trial(False, "it ran on"), open="it is not stopped", otherwise="nobody")
    assert (tried.severity, tried.enforced_by, tried.what) == ("warning", "nobody", "it is not stopped")
    assert tried.lines == ("limit = 30",)


def test_what_only_askgraph_prevents_stays_with_askgraph_when_it_was_seen_to_be_open() -> None:
    tried = after_trial(BY_US, Trial(False, "a file was read"))
    assert tried == replace(BY_US, known="tried", trial="a file was read")


def test_a_trial_that_tells_nothing_is_told_as_such() -> None:
    tried = after_trial(BY_SERVER, Trial(None, "no answer came"))
    assert tried == replace(BY_SERVER, trial="no answer came, which tells nothing")


# --- Neo4j


def test_a_stock_neo4j() -> None:
    found = of_neo4j(STOCK)
    assert [about for about, finding in found.items() if finding.enforced_by == "server"] == [
        "writes",
        "time",
        "memory",
    ]
    assert [about for about, finding in found.items() if finding.enforced_by == "nobody"] == ["others' time"]
    assert found["files"].severity == "warning"  # no folder for imports: every file can be read
    assert found["files"].lines == ("dbms.security.allow_csv_import_from_file_urls=false",)
    assert found["network"].lines == ("internal.dbms.cypher_ip_blocklist=0.0.0.0/0,::/0",)
    assert found["rights"].lines == ("server.databases.read_only=neo4j",)
    assert found["others' time"].lines == ("db.transaction.timeout=60s",)


def test_a_neo4j_that_was_locked_down_needs_nothing_of_that() -> None:
    settings = {
        **STOCK.settings,
        "dbms.security.allow_csv_import_from_file_urls": "false",
        "db.transaction.timeout": "10s",
    }
    found = of_neo4j(replace(STOCK, access="read-only", settings=settings))
    for about in ("files", "rights", "others' time"):
        assert (found[about].enforced_by, found[about].severity, found[about].lines) == ("server", "ok", ())
    assert "10s" in found["others' time"].what


def test_imports_from_one_folder_are_only_worth_a_note() -> None:
    found = of_neo4j(replace(STOCK, settings={**STOCK.settings, "server.directories.import": "/data/import"}))
    assert (found["files"].severity, "/data/import" in found["files"].what) == ("note", True)


def test_settings_that_may_not_be_seen_are_not_guessed() -> None:
    found = of_neo4j(replace(STOCK, settings={}))
    assert "memory" not in found
    assert "others' time" not in found
    assert (found["files"].enforced_by, found["files"].known) == ("askgraph", "documented")


def test_a_neo4j_without_passwords() -> None:
    found = of_neo4j(
        replace(STOCK, user="", settings={**STOCK.settings, "dbms.security.auth_enabled": "false"})
    )
    assert (found["passwords"].severity, found["passwords"].enforced_by) == ("warning", "nobody")
    assert "whoever connects may change everything" in found["rights"].what


def test_add_ons_are_counted_and_can_be_shut_out() -> None:
    found = of_neo4j(replace(STOCK, add_ons={"apoc": 400, "gds": 1}))
    assert "401 procedures beyond Neo4j's own can be called: apoc (400), gds (1)" in found["procedures"].what
    assert found["procedures"].lines == ("dbms.security.procedures.allowlist=db.*,dbms.*,tx.*",)


@pytest.mark.parametrize(
    ("roles", "enforced_by", "severity"),
    [
        (("PUBLIC", "reader"), "server", "ok"),
        (("PUBLIC", "editor"), "askgraph", "warning"),
        ((), "askgraph", "note"),
    ],
)
def test_the_roles_of_the_enterprise_edition(roles: tuple[str, ...], enforced_by: str, severity: str) -> None:
    found = of_neo4j(replace(STOCK, edition="enterprise", roles=roles))
    assert (found["rights"].enforced_by, found["rights"].severity) == (enforced_by, severity)
    assert found["network"].lines == ("DENY LOAD ON ALL DATA TO PUBLIC",)
    if enforced_by == "askgraph":
        assert "GRANT ROLE reader TO askgraph" in found["rights"].lines


def test_a_neo4j_that_lets_a_write_through_is_told() -> None:
    trials = BoltTrials(
        write=Trial(False, "a CREATE in a read session went through, and was undone"),
        time_out=Trial(False, "a product with a time-out of 1 s ran to its end, for 6.0 s"),
    )
    found = of_neo4j(STOCK, trials)
    assert (found["writes"].severity, found["writes"].enforced_by) == ("warning", "askgraph")
    assert (found["time"].severity, found["time"].enforced_by) == ("warning", "nobody")


# --- others


def test_no_write_is_ever_tried_where_it_might_stay() -> None:
    for protections in (arcadedb_protections, memgraph_protections, unknown_protections):
        found = {finding.about: finding for finding in protections(BoltTrials(), Settings.load())}
        assert (found["writes"].enforced_by, found["writes"].severity) == ("askgraph", "warning")
        assert found["writes"].trial == ""
        assert {"files", "rows", "time"} <= set(found)


@pytest.mark.parametrize("engine", list(Engine))
def test_every_engine_has_a_word_on_every_protection(engine: Engine) -> None:
    known = known_of(engine)
    for finding in (known.updates, known.time, known.rows, known.partial, known.service, known.documents):
        assert finding.enforced_by is not None
        assert finding.known == "documented"
        assert finding.what
        assert finding.severity != "problem"


# --- the way there


@pytest.mark.parametrize(
    ("location", "severity", "words"),
    [
        ("bolt://localhost:7687", "ok", "does not leave this machine"),
        ("bolt://[::1]:7687", "ok", "does not leave this machine"),
        ("neo4j://db.example.org", "warning", "can be read on the way"),
        ("neo4j+s://db.example.org", "ok", "TLS"),
        ("neo4j+ssc://db.example.org", "warning", "not checked"),
        ("sparql+http://example.org/sparql", "warning", "can be read on the way"),
        ("sparql+https://example.org/sparql", "ok", "TLS"),
        ("http://127.0.0.1:3030/sparql", "ok", "does not leave this machine"),
    ],
)
def test_the_connection(location: str, severity: str, words: str) -> None:
    (finding,) = connection(parse_address(location, Credentials("ann", "secret")))
    assert (finding.severity, words in finding.what) == (severity, True)
    assert "secret" not in finding.what + finding.advice


def test_plain_text_is_answered_with_the_address_to_use() -> None:
    (finding,) = connection(parse_address("sparql+http://ann:secret@example.org:81/q"))
    assert finding.advice.endswith("use sparql+https://example.org:81/q")
    assert "the password and everything" in finding.what


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("10.0.0.1", False),
        ("localhost.example.org", False),
    ],
)
def test_what_is_this_machine(host: str, local: bool) -> None:
    assert is_loopback(host) is local


# --- deny-lists


def there(*names: str) -> list[Finding]:
    hidden = Hidden(("Salary", "Salery"), ("email", "Person.birth.day", "emial"))
    return list(deny_lists(hidden, names.__contains__, names.__contains__))


def test_no_deny_lists() -> None:
    (finding,) = deny_lists(Hidden(), bool, bool)
    assert (finding.severity, finding.enforced_by) == ("ok", None)


def test_what_is_hidden_is_named_and_what_hides_nothing_is_a_warning() -> None:
    hidden, idle = there("Salary", "email", "birth.day")
    assert hidden.enforced_by == "askgraph"
    assert hidden.what == "1 type (Salary); 2 properties (email, Person.birth.day) appear nowhere"
    assert (idle.severity, idle.what) == (
        "warning",
        "nothing here is called Salery or emial, so nothing is hidden by that",
    )


def test_lists_that_hide_nothing_at_all() -> None:
    (idle,) = there()
    assert idle.severity == "warning"
