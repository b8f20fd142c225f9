"""`askgraph doctor`: what is there, what is stale, who enforces what, and what to do about it."""

from __future__ import annotations

import argparse

from ..command import Command
from ..graphs import insist_that_it_exists
from ..progress import ProgressBar
from ..terminal import Terminal
from ..views.findings import show_findings


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "graph",
        metavar="GRAPH",
        nargs="?",
        help="a graph folder, an RDF file, or an address (neo4j://host:7687, sparql+https://host/sparql); without it, "
        "the installation",
    )
    parser.add_argument(
        "--self-test",
        action="store_true",
        help="try out what a server enforces, as far as that changes nothing (takes up to half a minute)",
    )
    parser.add_argument("--json", action="store_true", help="the findings, as strict JSON on standard output")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    from ...core.errors import SettingsError
    from ...core.settings import Settings
    from ...doctor import examine, shown

    if arguments.graph is not None:
        insist_that_it_exists(arguments.graph)
    if arguments.self_test and "://" not in (arguments.graph or ""):
        raise SettingsError(
            "--self-test tries out a server, and this is none",
            advice="Give the address of a database or endpoint, such as neo4j://localhost:7687.",
        )
    with ProgressBar(terminal) as progress:
        findings = examine(arguments.graph, Settings.load(), self_test=arguments.self_test, progress=progress)
    if arguments.json:
        terminal.json([finding.to_dict() for finding in findings])
    else:
        location = shown(arguments.graph) if arguments.graph is not None else "This installation"
        terminal.show(show_findings(findings, location, terminal.page))
    return 1 if any(finding.severity == "problem" for finding in findings) else 0


COMMAND = Command(
    name="doctor",
    usage="[GRAPH] [options]",
    summary="what is there, what is stale, and what to do about it",
    description="""\
Examine this installation, and a graph: what is there, what is stale or missing,
what this kind of graph can and cannot do, and what to do about it. Of a graph
on a server it also says what that very server prevents, what only askgraph
does, and what to change. Nothing is changed. The exit code is 1 if there is a
problem, else 0.""",
    examples=(
        "askgraph doctor",
        "askgraph doctor hetionet.graph",
        "askgraph doctor examples/ck25/graph/prod-inst.ttl",
        "askgraph doctor hetionet.graph --json",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
