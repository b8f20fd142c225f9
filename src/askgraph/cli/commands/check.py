"""`askgraph check`: what the gate says of a query. Nothing is executed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import MissingFileError, QueryError
from ..command import Command
from ..graphs import opened_graph
from ..terminal import Terminal

if TYPE_CHECKING:
    from ...querying.gate import CheckedQuery
    from ...querying.schema_check import SchemaProblem

_REJECTED = 1


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", nargs="?", help="the text of the query")
    parser.add_argument(
        "--language", choices=["cypher", "sparql"], help="its language (usually its first word tells)"
    )
    parser.add_argument(
        "--dialect",
        metavar="D",
        help="the engine it is for: neo4j (usual), memgraph, neptune, falkordb, ladybug, age, or kglite, "
        "which runs Cypher on graph folders; SPARQL has none",
    )
    parser.add_argument(
        "--schema", metavar="GRAPH", help="also compare the names it uses with this graph's schema"
    )
    parser.add_argument(
        "--batch", metavar="FILE", help="read JSON lines (- for standard input), write a verdict each"
    )


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if (arguments.query is None) == (arguments.batch is None):
        terminal.failure(
            "one query is needed, or --batch with a file of them.", "`askgraph check --help` shows both."
        )
        return 2
    if arguments.batch is not None:
        return _check_batch(arguments.batch)
    from ...core.settings import Settings
    from ...graph_queries import policy_of
    from ...querying.gate import check

    policy = policy_of(Settings.load())
    try:
        checked = check(
            arguments.query, language=arguments.language, dialect=arguments.dialect, policy=policy
        )
    except QueryError as error:
        _show(terminal, "Rejected.", [str(error)])
        return _REJECTED
    problems = () if arguments.schema is None else _compare(checked, arguments.schema, terminal)
    said = _COMPARED[max((problem.severity == "error" for problem in problems), default=None)]
    found = [str(problem) for problem in problems]
    _show(terminal, said, [*found, f"What would be sent:\n{checked.shown}", *checked.notes])
    return 0


_COMPARED = {
    None: "Allowed.",
    False: "Allowed, and perhaps not what the graph's schema has.",
    True: "Allowed, and not what the graph's schema has.",
}
"""What is said of a query: nothing was found, warnings alone, or errors too."""


def _check_batch(file: str) -> int:
    from ...core.settings import Settings
    from ...graph_queries import policy_of
    from ...querying.batch import check_lines

    for line in check_lines(_lines(file), policy=policy_of(Settings.load())):
        sys.stdout.write(line + "\n")
    return 0


def _lines(file: str) -> Iterable[str]:
    if file == "-":
        return sys.stdin
    try:
        # Not splitlines: a line of JSON may have any of the line ends of Unicode but this one.
        return Path(file).read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise MissingFileError(f"{file} cannot be read: {error.strerror}") from error


def _compare(checked: CheckedQuery, location: str, terminal: Terminal) -> tuple[SchemaProblem, ...]:
    from ...querying.schema_check import check_schema

    with opened_graph(location, terminal) as graph:
        return check_schema(checked, graph.schema())


def _show(terminal: Terminal, verdict: str, parts: list[str]) -> None:
    page = terminal.page
    lines = page.paragraph(verdict)
    for part in parts:
        lines.append(page.text(""))
        # Query text and the caret below it keep their columns: they are not wrapped.
        for line in part.splitlines():
            indent = len(line) - len(line.lstrip(" "))
            lines.append(page.text("").append(" " * indent).append_text(page.text(line)))
    terminal.show(lines)


COMMAND = Command(
    name="check",
    usage="QUERY [options]",
    summary="whether a Cypher or SPARQL query may run, and why not (nothing is run)",
    description="""\
Say whether a query would pass the gate that stands before every database: only
reading, nothing of files or other addresses, rows and path lengths capped. A
rejected query gives exit code 1. Nothing is executed.""",
    examples=(
        'askgraph check "MATCH (p:Product) RETURN p.name"',
        'askgraph check "MATCH (n) DETACH DELETE n"',
        'askgraph check "SELECT ?s WHERE { ?s a <http://example.org/Person> }"',
        'askgraph check "MATCH (n)-[:KNOWS*]->(m) RETURN m" --dialect memgraph',
        "askgraph check --batch queries.jsonl",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
