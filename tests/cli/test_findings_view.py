from __future__ import annotations

import pytest

from askgraph.cli.page import Page, cells
from askgraph.cli.views.findings import show_findings
from askgraph.doctor import Finding

FINDINGS = [
    Finding("ok", "server", "Neo4j 5.26.30 Community", known="told"),
    Finding(
        "warning", "files", "every file is read", "In neo4j.conf:", ("a=false", " b=1"), "askgraph", "told"
    ),
    Finding("ok", "writes", "refused", enforced_by="server", known="tried", trial="a CREATE was refused"),
    Finding("note", "others' time", "no end", enforced_by="nobody", known="documented"),
    Finding(
        "ok",
        "time",
        "stopped",
        enforced_by="server",
        known="documented",
        trial="no answer, which tells nothing",
    ),
]


def shown(findings: list[Finding], width: int = 80) -> list[str]:
    return [line.plain for line in show_findings(findings, "neo4j://localhost", Page(width))]


def test_protections_stand_under_whoever_sees_to_them() -> None:
    assert shown(FINDINGS) == [
        "ok       server        Neo4j 5.26.30 Community (says the server)",
        "",
        "The server itself sees to it, whoever asks:",
        "ok       writes        refused (tried: a CREATE was refused)",
        "ok       time          stopped (tried: no answer, which tells nothing)",
        "",
        "Only askgraph sees to it. Who asks the server another way is not held back:",
        "warning  files         every file is read (says the server)",
        "                       → In neo4j.conf:",
        "                         a=false",
        "                          b=1",
        "",
        "Nobody sees to it:",
        "note     others' time  no end (known, not tried)",
        "",
        "neo4j://localhost: 1 warning.",
    ]


def test_without_protections_there_are_no_headings() -> None:
    assert shown(FINDINGS[:1]) == [
        "ok       server  Neo4j 5.26.30 Community (says the server)",
        "",
        "neo4j://localhost is well.",
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_nothing_is_wider_than_the_page_and_lines_to_copy_stay_whole_where_they_can(width: int) -> None:
    to_copy = "dbms.security.allow_csv_import_from_file_urls=false"
    lines = shown([*FINDINGS, Finding("note", "files", "x" * 200, "Then:", (to_copy,))], width)
    assert max(map(cells, lines)) <= width
    assert any(line.strip() == to_copy for line in lines) is (width > len(to_copy))
