"""`askgraph link`: what the words of a text name in a graph."""

from __future__ import annotations

import argparse

from ..command import Command
from ..graphs import add_graph_argument, opened_graph
from ..progress import ProgressBar
from ..terminal import Terminal
from ..views.links import show_linked_text


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument("text", metavar="TEXT", nargs="+", help="a question, a name, or any words")
    parser.add_argument("--json", action="store_true", help="everything, as strict JSON on standard output")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with opened_graph(arguments.graph, terminal) as graph:
        with ProgressBar(terminal) as progress:
            graph.build_index(progress=progress)
        linked = graph.link(" ".join(arguments.text))
    if arguments.json:
        terminal.json(linked.to_dict())
    else:
        terminal.show(show_linked_text(linked, terminal.page))
    return 0


COMMAND = Command(
    name="link",
    usage='GRAPH "TEXT" [options]',
    summary="what the words of a question name in a graph, and why not",
    description="""\
Show what the words of a text name in a graph: for each mention the nodes,
values, types and relations that it was linked to, with the score, the name that
matched and how; what else is called nearly so; and for words that were not
linked, why not. This is the first step of `askgraph ask`.""",
    examples=(
        'askgraph link examples/ck25/graph/prod-inst.ttl "Who manages Heinrich Hohc?"',
        'askgraph link hetionet.graph "genes associated with obesity"',
        "askgraph link company.graph --json Karen Brant",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
