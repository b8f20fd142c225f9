"""`askgraph subgraph`: the part of a graph that a question is about."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import SettingsError
from ...core.settings import Settings
from ...retrievers.subgraph.communities import report_communities
from ...retrievers.subgraph.exporting import EXPORT_FORMATS, export_selection
from ...retrievers.subgraph.options import NESTED, SubgraphOptions
from ..command import Command
from ..graphs import add_graph_argument, opened_graph
from ..progress import ProgressBar
from ..terminal import Terminal
from ..views.reports import costs_in_words
from ..views.subgraph import show_calibration, show_selection

if TYPE_CHECKING:
    from ...retrievers.subgraph.written_reports import WritingCosts

_NUMBERS = (
    ("most_neighbours", "neighbours taken of each named node and type"),
    ("diamond_steps", "nodes that DIAMOnD adds to each layer"),
    ("c3_most_nodes", "connectors that C3 adds to each layer"),
    ("walk_nodes", "nodes that the random walk adds at the end"),
    ("most_edges", "edges of the subgraph"),
)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument(
        "question", metavar="TEXT", nargs="*", help="a question, or names of things in the graph"
    )
    parser.add_argument(
        "--node", metavar="ID", action="append", help="start here, in place of what the text names"
    )
    parser.add_argument(
        "--nested", choices=NESTED, default="full", help="how much of the subgraph (default: full)"
    )
    parser.add_argument(
        "--export",
        nargs=2,
        metavar=("FORMAT", "OUT"),
        help=f"write it: {', '.join(EXPORT_FORMATS)}; csv and graphrag into a new folder",
    )
    parser.add_argument(
        "--reports", action="store_true", help="with --export graphrag: communities and reports of ours too"
    )
    parser.add_argument("--model", metavar="M", help="with --reports: a language model that writes them")
    parser.add_argument(
        "--calibrate", action="store_true", help="measure how many nodes DIAMOnD deserves to add"
    )
    parser.add_argument("--samples", type=int, default=10, help="nodes measured for each pair of types (10)")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="seconds it may take")
    defaults = SubgraphOptions()
    for name, said in _NUMBERS:
        option = "--" + name.replace("_", "-")
        parser.add_argument(option, type=int, metavar="N", help=f"{said} ({getattr(defaults, name)})")
    parser.add_argument("--json", action="store_true", help="everything, as strict JSON on standard output")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    options = _options(arguments)
    wants_reports = arguments.reports and arguments.export is not None and arguments.export[0] == "graphrag"
    if arguments.model is not None and not wants_reports:
        raise SettingsError("a model only writes the reports of --export graphrag OUT --reports")
    if arguments.export is not None and arguments.export[0] not in EXPORT_FORMATS:
        raise SettingsError(
            f"there is no format {arguments.export[0]!r}", advice=f"There are: {', '.join(EXPORT_FORMATS)}."
        )
    settings = Settings.load(model=arguments.model)
    with opened_graph(arguments.graph, terminal, settings) as graph, ProgressBar(terminal) as progress:
        if arguments.calibrate:
            timeout = arguments.timeout or 600.0
            found = graph.calibrate_subgraphs(
                options=options, samples=arguments.samples, timeout=timeout, progress=progress
            )
            if arguments.json:
                terminal.json(found.to_dict())
            else:
                terminal.show(show_calibration(found, graph.schema(), terminal.page))
            return 0
        selection = graph.subgraph(
            " ".join(arguments.question),
            nested=arguments.nested,
            nodes=arguments.node,
            options=options,
            timeout=arguments.timeout,
            progress=progress,
        )
        schema = graph.schema()
        reports = report_communities(selection) if wants_reports else ()
        if arguments.model is not None:

            def tell(costs: WritingCosts) -> bool:
                terminal.notice(costs_in_words(costs, arguments.model))
                return True

            reports = graph.write_reports(selection, reports, on_costs=tell, progress=progress)
    if arguments.export is not None:
        format, target = arguments.export
        written = export_selection(selection, Path(target), format, reports=reports)
        terminal.notice(f"Written: {written}")
    if arguments.json:
        terminal.json(selection.to_dict())
    else:
        terminal.show(show_selection(selection, schema, terminal.page))
    return 0


def _options(arguments: argparse.Namespace) -> SubgraphOptions:
    given = {name: getattr(arguments, name) for name, _ in _NUMBERS if getattr(arguments, name) is not None}
    return replace(SubgraphOptions(), **given)


COMMAND = Command(
    name="subgraph",
    usage='GRAPH "TEXT" [options]',
    summary="the part of a graph that a question is about, and why each node is in it",
    description="""\
Cut a graph to a question, without a language model: what its words name, their
neighbours, what DIAMOnD and C3 add to these within the layer of each type, and
what a random walk adds to all of it. Each node remembers the step that added
it, its rank and its p-value; the subgraphs of the steps are nested.""",
    examples=(
        'askgraph subgraph hetionet.graph "Which genes are associated with obesity?"',
        "askgraph subgraph hetionet.graph obesity --export graphml obesity.graphml",
        "askgraph subgraph hetionet.graph obesity --export graphrag project --reports",
        "askgraph subgraph hetionet.graph --calibrate",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
