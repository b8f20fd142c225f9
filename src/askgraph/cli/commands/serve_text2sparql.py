"""`askgraph serve-text2sparql`: questions as SPARQL queries, by the protocol of the TEXT2SPARQL challenge."""

from __future__ import annotations

import argparse
import re
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ...core.printable import printable, shortened
from ..command import USAGE_ERROR, Command, count_from_one, positive_number, whole_number
from ..graphs import add_graph_argument, opened_graph
from ..progress import ProgressBar
from ..terminal import Terminal

if TYPE_CHECKING:
    from ...core.settings import Settings
    from ...server.sparql_writing import SparqlWriter
    from ...server.text2sparql import Served

_LONGEST_SHOWN = 100
_LIKE_AN_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen at (127.0.0.1)")
    parser.add_argument(
        "--port", type=whole_number, default=8000, metavar="N", help="port (8000); 0 takes a free one"
    )
    parser.add_argument(
        "--dataset",
        action="append",
        default=[],
        metavar="IRI",
        help="a name of GRAPH; other data sets are refused then (without any: every name is taken)",
    )
    parser.add_argument(
        "--also",
        action="append",
        nargs=2,
        default=[],
        metavar=("IRI", "GRAPH"),
        help="a further data set, and its graph",
    )
    parser.add_argument("--model", metavar="M", help="a language model to write queries: openai:NAME …")
    parser.add_argument(
        "--strategy",
        choices=("auto", "reading", "query"),
        default="auto",
        metavar="S",
        help="auto (read, and where that is not sure the model writes), reading, or query",
    )
    parser.add_argument(
        "--timeout", type=positive_number, metavar="S", help="seconds that a question may take (30)"
    )
    parser.add_argument(
        "--at-once", type=count_from_one, default=4, metavar="N", help="questions worked on at a time (4)"
    )
    parser.add_argument("--quiet", action="store_true", help="do not tell of each question")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    fault = _usage_fault(arguments)
    if fault:
        terminal.failure(fault, "`askgraph serve-text2sparql --help` shows examples.")
        return USAGE_ERROR
    from ...core.settings import Settings
    from ...server.listening import address_of, insist_on_packages, is_loopback, listening_socket, serve

    insist_on_packages()
    from ...server.text2sparql import text2sparql_app

    settings = Settings.load(timeout=arguments.timeout, model=arguments.model)
    # A port that is taken is said before graphs are opened, which may take long.
    with ExitStack() as opened, listening_socket(arguments.host, arguments.port) as listener:
        app = text2sparql_app(
            _writers(arguments, terminal, settings, opened),
            seconds=settings.timeout,
            at_once=arguments.at_once,
            is_local=is_loopback(arguments.host),
            on_served=lambda served: None if arguments.quiet else _tell(served, terminal),
        )
        if not is_loopback(arguments.host):
            terminal.notice("Whoever can reach this machine can ask: there is no password.", style="yellow")
        named = ", ".join([*arguments.dataset, *(iri for iri, _ in arguments.also)]) or "any data set"
        terminal.notice(f"Listening at {address_of(listener)} for {named}. Ctrl-C ends it.")
        serve(app, listener)
    return 0


def _usage_fault(arguments: argparse.Namespace) -> str:
    """What is wrong with the words typed; empty where nothing is."""
    names = [*arguments.dataset, *(iri for iri, _ in arguments.also)]
    for name in names:
        if not name.strip():
            return "the name of a data set is empty"
        if not _LIKE_AN_IRI.fullmatch(name):
            return (
                f"the name of a data set is an IRI, as urn:mine or https://example.org/data; {name!r} is none"
            )
        if names.count(name) > 1:
            return f"the data set {name} is named twice"
    if arguments.also and not arguments.dataset:
        return "with --also GRAPH needs a name of its own: --dataset IRI"
    return ""


def _writers(
    arguments: argparse.Namespace, terminal: Terminal, settings: Settings, opened: ExitStack
) -> dict[str, SparqlWriter]:
    """What puts questions as SPARQL for each data set, with its graph open and its index made."""
    from ...server.text2sparql import ANY_DATASET

    own = _writer(arguments.graph, arguments, terminal, settings, opened)
    writers = dict.fromkeys(arguments.dataset or [ANY_DATASET], own)
    for iri, location in arguments.also:
        writers[iri] = _writer(location, arguments, terminal, settings, opened)
    return writers


def _writer(
    location: str, arguments: argparse.Namespace, terminal: Terminal, settings: Settings, opened: ExitStack
) -> SparqlWriter:
    from ...server.sparql_writing import SparqlWriter

    graph = opened.enter_context(opened_graph(location, terminal, settings))
    with ProgressBar(terminal) as progress:
        graph.build_index(progress=progress)
    return SparqlWriter(graph, arguments.strategy)


def _tell(served: Served, terminal: Terminal) -> None:
    question = shortened(printable(served.question), _LONGEST_SHOWN)
    said = shortened(printable(served.said), _LONGEST_SHOWN)
    terminal.notice(f"{served.status}  {served.seconds:.2f} s  {question}  ({said})")


COMMAND = Command(
    name="serve-text2sparql",
    usage="GRAPH [options]",
    summary="serve questions as SPARQL queries, by the TEXT2SPARQL protocol",
    description="""\
Serve an RDF graph by the HTTP protocol of the TEXT2SPARQL challenge:
GET /?dataset=IRI&question=TEXT gives a SPARQL query that answers the question.
Nothing is run on the graph but what it takes to understand the question; each
query has passed the gate. Without a model the question is read by the graph's
own words; where that reading is not trusted the reply says why instead.

It listens on this machine alone unless --host says otherwise, and needs the
extra `server`: pip install "askgraph[server]".""",
    examples=(
        "askgraph serve-text2sparql examples/ck25/graph/prod-inst.ttl",
        "askgraph serve-text2sparql company.graph --port 0 \\",
        "    --dataset https://text2sparql.aksw.org/2025/corporate/",
        "askgraph serve-text2sparql a.graph --dataset urn:a --also urn:b b.graph",
        "askgraph serve-text2sparql company.graph --model openai:gpt-4o-mini",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
