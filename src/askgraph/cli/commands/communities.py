"""`askgraph communities`: communities and reports, of the whole graph or of the part that a question is about."""

from __future__ import annotations

import argparse

from ..command import Command
from ..graphs import add_graph_argument, opened_graph
from ..progress import ProgressBar
from ..terminal import Terminal
from ..views.subgraph import show_reports


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument(
        "question", metavar="TEXT", nargs="*", help="only of what this is about; else the whole graph"
    )
    parser.add_argument(
        "--size", type=int, default=10, metavar="N", help="communities of so many nodes are divided (10)"
    )
    parser.add_argument(
        "--level", type=int, default=None, metavar="N", help="show this level; else those not divided"
    )
    parser.add_argument("--rebuild", action="store_true", help="make the whole graph's anew")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="seconds it may take")
    parser.add_argument("--json", action="store_true", help="everything, as strict JSON on standard output")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with opened_graph(arguments.graph, terminal) as graph, ProgressBar(terminal) as progress:
        reports = graph.communities(
            " ".join(arguments.question),
            max_cluster_size=arguments.size,
            rebuild=arguments.rebuild,
            timeout=arguments.timeout,
            progress=progress,
        )
    if arguments.json:
        terminal.json([report.to_dict() for report in reports])
    else:
        terminal.show(show_reports(reports, arguments.level, terminal.page))
    return 0


COMMAND = Command(
    name="communities",
    usage='GRAPH ["TEXT"] [options]',
    summary="communities of a graph and a report on each",
    description="""\
Divide a graph into communities (hierarchical Leiden) and report on each from
its own nodes and edges, without a language model. With a text only the part of
the graph that it is about is divided. The whole graph's are kept with the
graph: made once, used again.""",
    examples=(
        "askgraph communities hetionet.graph",
        'askgraph communities hetionet.graph "Which genes are associated with obesity?"',
        "askgraph communities hetionet.graph --level 0 --json",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
