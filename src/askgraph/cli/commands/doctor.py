"""`askgraph doctor`: what is there, what is stale, and what to do about it."""

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
        help="a graph folder or an RDF file; without it, the installation",
    )
    parser.add_argument("--json", action="store_true", help="the findings, as strict JSON on standard output")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    from ...core.settings import Settings
    from ...doctor import examine

    if arguments.graph is not None:
        insist_that_it_exists(arguments.graph)
    with ProgressBar(terminal) as progress:
        findings = examine(arguments.graph, Settings.load(), progress=progress)
    if arguments.json:
        terminal.json([finding.to_dict() for finding in findings])
    else:
        terminal.show(show_findings(findings, arguments.graph or "This installation", terminal.page))
    return 1 if any(finding.severity == "problem" for finding in findings) else 0


COMMAND = Command(
    name="doctor",
    usage="[GRAPH] [options]",
    summary="what is there, what is stale, and what to do about it",
    description="""\
Examine this installation, and a graph: what is there, what is stale or missing,
what this kind of graph can and cannot do, and what to do about it. Nothing is
changed. The exit code is 1 if there is a problem, else 0.""",
    examples=(
        "askgraph doctor",
        "askgraph doctor hetionet.graph",
        "askgraph doctor examples/ck25/graph/prod-inst.ttl",
        "askgraph doctor hetionet.graph --json",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
