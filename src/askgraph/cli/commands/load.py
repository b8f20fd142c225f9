"""`askgraph load`: files to a graph."""

from __future__ import annotations

import argparse

from ..command import Command
from ..graphs import nearest_paths_told
from ..progress import ProgressBar
from ..terminal import Terminal
from ..views.load import show_load

ON_ERROR = ("stop", "skip", "report")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="tables of nodes and of edges, or RDF files")
    parser.add_argument(
        "--into", metavar="DIR", required=True, help="the graph folder, new or to be added to"
    )
    parser.add_argument(
        "--on-error",
        choices=ON_ERROR,
        default="stop",
        help="a bad row: stop at the first (this is the default), skip it and go on, or report all and load nothing",
    )
    parser.add_argument(
        "--map",
        metavar="FROM=TO",
        action="append",
        default=[],
        type=_renaming,
        help="the column FROM of a table is TO: id, source, target, type, name …; may be given again",
    )
    parser.add_argument(
        "--name-property",
        metavar="KEY",
        action="append",
        default=[],
        help="nodes are called by this property (or predicate IRI); may be given again, the preferred first",
    )
    parser.add_argument("--json", action="store_true", help="the report, as strict JSON on standard output")


def _renaming(text: str) -> tuple[str, str]:
    before, equals, after = text.rpartition("=")
    if not equals or not before or not after:
        raise argparse.ArgumentTypeError(f"{text!r} is not FROM=TO, such as --map person_id=id")
    return before, after


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    from ...engine import load_graph

    with nearest_paths_told(*arguments.files), ProgressBar(terminal) as progress:
        report = load_graph(
            arguments.files,
            arguments.into,
            on_error=arguments.on_error,
            column_map=dict(arguments.map),
            name_properties=tuple(arguments.name_property),
            progress=progress,
        )
    if arguments.json:
        terminal.json(report.to_dict())
    else:
        terminal.show(show_load(report, arguments.into, terminal.page))
        terminal.hint(f'Next: askgraph ask {arguments.into} "…"')
    return 0


COMMAND = Command(
    name="load",
    usage="FILE... --into DIR [options]",
    summary="make a graph from files, or add to one",
    description="""\
Make a graph from files, or add the rows of further files to it. A load that
fails or is interrupted leaves the graph as it was.

Tables (.csv, .tsv, .parquet, .jsonl): one with the columns source and target
holds edges (with a column type), one with a column id holds nodes. The headers
of Neo4j-admin (:ID, :START_ID …) and PrimeKG (x_id, relation, y_id …) are
known; --map is for others. RDF: .ttl, .nt, .nq, .trig, .rdf, .jsonld.""",
    examples=(
        "askgraph load examples/hetionet/nodes.csv examples/hetionet/edges.csv \\",
        "    --into hetionet.graph",
        "askgraph load examples/ck25/graph/prod-inst.ttl --into company.graph",
        "askgraph load people.csv friends.csv --into people.graph \\",
        "    --map person_id=id --map who=source --map whom=target",
        "askgraph load more.csv --into people.graph --on-error skip",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
