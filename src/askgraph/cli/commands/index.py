"""`askgraph index`: names and meanings made findable."""

from __future__ import annotations

import argparse

from ...core.words import quantity
from ..command import Command
from ..graphs import add_graph_argument, opened_graph
from ..progress import ProgressBar
from ..terminal import Terminal


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument("--rebuild", action="store_true", help="make it anew even if it is current")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with opened_graph(arguments.graph, terminal) as graph:
        with ProgressBar(terminal) as progress:
            report = graph.build_index(rebuild=arguments.rebuild, progress=progress)
        location = graph.location
    what = f"{quantity(report.names, 'name')} of {quantity(report.nodes, 'node')}"
    if report.was_current:
        said = f"The index of {location} is current: {what}. Nothing to do."
    elif report.changed is not None:
        changes = quantity(report.changed, "changed node")
        said = f"Brought the index of {location} up to date: {what}, {changes}, in {report.seconds:.1f} s."
    else:
        said = f"Indexed {location}: {what}, in {report.seconds:.1f} s."
    terminal.show(terminal.page.paragraph(said))
    return 0


COMMAND = Command(
    name="index",
    usage="GRAPH [options]",
    summary="make names and meanings findable (ask does it where needed)",
    description="""\
Make the index of a graph: every node under every name it has, and the meanings
of types and relations. An index that is current is left alone; of an outdated
one what has not changed is kept. `askgraph ask` makes a missing or outdated one
by itself; this command does it beforehand.""",
    examples=(
        "askgraph index hetionet.graph",
        "askgraph index hetionet.graph --rebuild",
        "askgraph index examples/ck25/graph/prod-inst.ttl",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
