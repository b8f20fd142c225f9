"""`askgraph communities`: communities and reports, of the whole graph or of the part that a question is about."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..command import Command, whole_number
from ..graphs import add_graph_argument, opened_graph
from ..progress import ProgressBar
from ..terminal import Terminal
from ..views.reports import costs_in_words, show_reports

if TYPE_CHECKING:
    from ...core.settings import Settings
    from ...retrievers.subgraph.written_reports import WritingCosts


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument(
        "question", metavar="TEXT", nargs="*", help="only of what this is about; else the whole graph"
    )
    parser.add_argument(
        "--size", type=int, default=10, metavar="N", help="communities of so many nodes are divided (10)"
    )
    parser.add_argument(
        "--level",
        type=whole_number,
        default=None,
        metavar="N",
        help="show this level; else those not divided",
    )
    parser.add_argument(
        "--model", metavar="M", help="a language model that writes the reports, as for askgraph ask"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="with --model: say what that takes; call nothing"
    )
    parser.add_argument(
        "--rebuild", action="store_true", help="make the whole graph's anew; write every report anew"
    )
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="seconds it may take")
    parser.add_argument("--json", action="store_true", help="everything, as strict JSON on standard output")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    from ...core.settings import Settings

    if arguments.dry_run and arguments.model is None:
        from ...strategies.base import no_model

        raise no_model("a dry run shows what a language model would take")
    settings = Settings.load(model=arguments.model)
    if arguments.dry_run:
        settings = _also_without_key(settings)
    costs: list[WritingCosts] = []
    with opened_graph(arguments.graph, terminal, settings) as graph, ProgressBar(terminal) as progress:

        def tell(found: WritingCosts) -> bool:
            costs.append(found)
            terminal.notice(costs_in_words(found, arguments.model))
            return not arguments.dry_run

        reports = graph.communities(
            " ".join(arguments.question),
            max_cluster_size=arguments.size,
            rebuild=arguments.rebuild,
            with_model=arguments.model is not None,
            on_costs=tell,
            timeout=arguments.timeout,
            progress=progress,
        )
    if arguments.dry_run:
        if arguments.json:
            terminal.json(costs[0].to_dict())
    elif arguments.json:
        terminal.json([report.to_dict() for report in reports])
    else:
        terminal.show(show_reports(reports, arguments.level, terminal.page))
    return 0


def _also_without_key(settings: Settings) -> Settings:
    """The settings, with a key in the place of one that is missing: no model will be called."""
    from pydantic import SecretStr

    from ...core.errors import ModelAuthenticationError
    from ...models.registry import make_model

    try:
        make_model(settings)
    except ModelAuthenticationError:
        return settings.model_copy(update={"model_key": SecretStr("none yet")})
    return settings


COMMAND = Command(
    name="communities",
    usage='GRAPH ["TEXT"] [options]',
    summary="communities of a graph and a report on each",
    description="""\
Divide a graph into communities (hierarchical Leiden) and report on each from
its own nodes and edges. With a text only the part of the graph that it is
about is divided. The whole graph's are kept with the graph: made once, used
again.

With --model a language model writes the reports. What that takes is said
first. Each report is kept as it is written and used again while its nodes and
edges are the same: after Ctrl-C the same command goes on from there.""",
    examples=(
        "askgraph communities hetionet.graph",
        'askgraph communities hetionet.graph "Which genes are associated with obesity?"',
        "askgraph communities hetionet.graph --level 0 --json",
        "askgraph communities hetionet.graph --model openai:gpt-4o-mini --dry-run",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
