"""`askgraph export`: a graph in files of an open format."""

from __future__ import annotations

import argparse

from ..command import Command
from ..graphs import add_graph_argument, opened_graph
from ..progress import ProgressBar
from ..terminal import Terminal

FORMATS = ("csv", "parquet", "jsonl", "nt")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument(
        "--to", metavar="DIR", required=True, help="a folder that does not exist yet, or is empty"
    )
    parser.add_argument("--format", choices=FORMATS, required=True, help="csv, parquet, jsonl or nt (RDF)")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with opened_graph(arguments.graph, terminal) as graph, ProgressBar(terminal) as progress:
        report = graph.export(arguments.to, format=arguments.format, progress=progress)
    terminal.show(terminal.page.paragraph(f"{report}"))
    return 0


COMMAND = Command(
    name="export",
    usage="GRAPH --to DIR --format FORMAT",
    summary="write a graph to files of an open format",
    description="""\
Write a whole graph to files that other programs read, and that `askgraph load`
reads back: csv, parquet or jsonl (one file of nodes, one of edges), or nt
(N-Triples, or N-Quads where the graph has named graphs).""",
    examples=(
        "askgraph export hetionet.graph --to hetionet-csv --format csv",
        "askgraph export examples/ck25/graph/prod-inst.ttl --to ck25 --format nt",
        "askgraph export hetionet.graph --to hetionet-parquet --format parquet",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
