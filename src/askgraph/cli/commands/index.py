"""`askgraph index`: names and meanings made findable."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...core.words import quantity
from ..command import Command
from ..graphs import add_graph_argument, opened_graph
from ..progress import ProgressBar
from ..terminal import Terminal

if TYPE_CHECKING:
    from ...engine import Graph
    from ...linking.graph_index import IndexReport
    from ...linking.name_meanings import EmbeddingCost

_MINUTE, _HOUR = 60, 3600


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument("--rebuild", action="store_true", help="make it anew even if it is current")
    parser.add_argument(
        "--name-vectors",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="also find names by what they mean; the cost is said first (--no-name-vectors: no longer)",
    )


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with opened_graph(arguments.graph, terminal) as graph:
        with ProgressBar(terminal) as progress:
            report = graph.build_index(rebuild=arguments.rebuild, progress=progress)
        terminal.show(terminal.page.paragraph(_said_of_names(graph.location, report)))
        if arguments.name_vectors is False:
            said = "Forgot" if graph.drop_name_vectors() else "There were no"
            terminal.show(terminal.page.paragraph(f"{said} vectors of names."))
        elif arguments.name_vectors or graph.index_status().name_vectors == "older":
            _embed_names(graph, terminal)
    return 0


def _said_of_names(location: str, report: IndexReport) -> str:
    what = f"{quantity(report.names, 'name')} of {quantity(report.nodes, 'node')}"
    if report.was_current:
        return f"The index of {location} is current: {what}. Nothing to do."
    if report.changed is not None:
        changes = quantity(report.changed, "changed node")
        return f"Brought the index of {location} up to date: {what}, {changes}, in {report.seconds:.1f} s."
    return f"Indexed {location}: {what}, in {report.seconds:.1f} s."


def _embed_names(graph: Graph, terminal: Terminal) -> None:
    """Give names their vectors, and say before what that costs."""
    embedding = graph.name_embedding()
    cost = embedding.cost()
    if cost.new:
        terminal.show(terminal.page.paragraph(_said_of_cost(cost)))
    with ProgressBar(terminal) as progress:
        done = graph.embed_names(embedding, progress)
    said = f"{quantity(done.names, 'different name')} can be found by meaning"
    made = f"{done.embedded:,} embedded" if done.embedded else "none of them new"
    terminal.show(terminal.page.paragraph(f"{said}: {made}, in {_duration(done.seconds)}."))


def _said_of_cost(cost: EmbeddingCost) -> str:
    megabytes = max(1, round(cost.bytes / 1e6))
    return (
        f"{cost.new:,} of {quantity(cost.names, 'different name')} have no vector yet: about "
        f"{_duration(cost.seconds)} at {cost.per_second:,.0f} a second, and {megabytes:,} MB on disk. "
        "Interrupt it if that is too much; what is done is kept, and the same command goes on with it."
    )


def _duration(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    if seconds < _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    return f"{seconds / _HOUR:.1f} h"


COMMAND = Command(
    name="index",
    usage="GRAPH [options]",
    summary="make names and meanings findable (ask does it where needed)",
    description="""\
Make the index of a graph: every node under every name it has, and the meanings
of types and relations. An index that is current is left alone; of an outdated
one what has not changed is kept. `askgraph ask` makes a missing or outdated one
by itself; this command does it beforehand.

With --name-vectors things are also found by what their names mean: a "heart
attack" where the graph has a "myocardial infarction". Each name is embedded
once, which takes long on a big graph: how long is said before. From then on
this command embeds what is new.""",
    examples=(
        "askgraph index hetionet.graph",
        "askgraph index hetionet.graph --rebuild",
        "askgraph index hetionet.graph --name-vectors",
        "askgraph index examples/ck25/graph/prod-inst.ttl",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
