"""`askgraph query`: a query in the graph's own language, through the gate, and its rows."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import MissingFileError, QueryError, SettingsError
from ..command import Command, positive_number
from ..graphs import add_graph_argument, opened_graph
from ..progress import ProgressBar
from ..query_formats import as_csv, as_jsonl
from ..terminal import Terminal
from ..views.query import show_explanation, show_refusal, show_result

if TYPE_CHECKING:
    from ...core.query_result import QueryResult
    from ...core.settings import Settings
    from ...querying.schema_check import SchemaProblem

_REFUSED = 1
_FORMATS = ("table", "json", "csv", "jsonl")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument("query", metavar="QUERY", nargs="?", help="the text of the query")
    parser.add_argument("--file", metavar="FILE", help="read the query from a file (- for standard input)")
    parser.add_argument(
        "--language", choices=["cypher", "sparql"], help="the language of the text (usual: that of the graph)"
    )
    parser.add_argument(
        "--parameter",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="the value of a parameter, as JSON; what is no JSON is a text",
    )
    parser.add_argument(
        "--format", choices=_FORMATS, default="table", help="how the rows are written (table)"
    )
    parser.add_argument("--rows", type=_positive_integer, metavar="N", help="rows to read at most (1000)")
    parser.add_argument(
        "--timeout", type=positive_number, metavar="S", help="seconds that the query may take (30)"
    )
    parser.add_argument("--explain", action="store_true", help="how the engine would run it; nothing is run")
    parser.add_argument(
        "--no-schema-check", action="store_true", help="do not compare its names with the graph's schema"
    )
    parser.add_argument(
        "--correct", action="store_true", help="put names, directions and values right first, and say which"
    )


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if (arguments.query is None) == (arguments.file is None):
        terminal.failure(
            "one query is needed, or --file with a file that holds it.", "`askgraph query --help` shows both."
        )
        return 2
    from ...core.settings import Settings

    text = arguments.query if arguments.file is None else _read(arguments.file)
    parameters = dict(map(_parameter, arguments.parameter))
    try:
        return _query(text, parameters, Settings.load(timeout=arguments.timeout), arguments, terminal)
    except QueryError as error:
        if not error.excerpt:
            raise
        for line in show_refusal(error, terminal.error_page):
            terminal.err.print(line, soft_wrap=True)
        return _REFUSED


def _query(
    text: str,
    parameters: dict[str, Any],
    settings: Settings,
    arguments: argparse.Namespace,
    terminal: Terminal,
) -> int:
    with opened_graph(arguments.graph, terminal, settings) as graph:
        problems: tuple[SchemaProblem, ...] = ()
        if arguments.correct:
            correction = graph.correct(text, parameters, language=arguments.language)
            text, parameters, problems = correction.text, dict(correction.parameters), correction.problems
            _tell(correction.notes, terminal, "cyan")
        checked = graph.check(
            text,
            parameters,
            language=arguments.language,
            rows=arguments.rows,
            schema_check=not (arguments.no_schema_check or arguments.correct),
        )
        if problems:
            checked = replace(checked, problems=problems)
        _tell(checked.warnings, terminal, "yellow")
        with ProgressBar(terminal) as progress:
            if arguments.explain:
                explanation = graph.explain(checked, parameters, progress=progress)
            else:
                result = graph.query(checked, parameters, progress=progress)
    if arguments.explain:
        _tell(explanation.warnings, terminal, "yellow")
        terminal.show(show_explanation(explanation, terminal.page))
        return 0
    # What the schema check found was said before the query ran.
    _tell(result.warnings[len(checked.warnings) :], terminal, "yellow")
    _write(result, arguments.format, terminal)
    _tell(result.notes, terminal, "dim")
    return 0


def _write(result: QueryResult, form: str, terminal: Terminal) -> None:
    match form:
        case "json":
            terminal.json(result.to_dict())
        case "jsonl":
            for line in as_jsonl(result):
                sys.stdout.write(line + "\n")
        case "csv":
            for line in as_csv(result, for_people=terminal.out.is_terminal):
                sys.stdout.write(line + "\n")
        case _:
            terminal.show(show_result(result, terminal.page))


def _tell(sentences: tuple[str, ...], terminal: Terminal, style: str) -> None:
    for sentence in sentences:
        terminal.notice(sentence, style=style)


def _read(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise MissingFileError(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise MissingFileError(f"{file} is not UTF-8 text") from error


def _parameter(text: str) -> tuple[str, Any]:
    from ...core.values import from_json_value

    name, sign, value = text.partition("=")
    if not sign or not name:
        raise SettingsError(
            f"--parameter {text} has no value", advice="Write --parameter name=value, such as year=1999."
        )
    try:
        return name.removeprefix("$"), from_json_value(json.loads(value))
    except json.JSONDecodeError:
        return name.removeprefix("$"), value


def _positive_integer(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero")
    return int(text)


COMMAND = Command(
    name="query",
    usage="GRAPH QUERY [options]",
    summary="run a Cypher or SPARQL query that only reads",
    description="""\
Run a query of your own: Cypher on a property graph, SPARQL on an RDF graph. It
passes the same gate as every query that a model writes: only reading, rows and
paths capped, a time limit. Names that the graph does not have are pointed out
before it runs. Rows go to standard output, everything that is said about them
to standard error.

The first query on a graph makes the copy that its engine runs on, which takes
a moment; the next ones are quick.""",
    examples=(
        "askgraph query company.graph \\",
        '    "MATCH (p:Person)-[:WORKS_AT]->(c) RETURN p.name, c.name"',
        'askgraph query company.graph "MATCH (p {name: $name}) RETURN p" \\',
        "    --parameter name=Ann",
        "askgraph query company.graph --correct \\",
        "    \"MATCH (p:person)-[:works_at]->(c {name: 'ACME inc'}) RETURN p.name\"",
        "askgraph query company.graph --file query.cypher --format csv > rows.csv",
        'askgraph query graph.ttl "SELECT ?class (COUNT(*) AS ?n)',
        '    WHERE { ?x a ?class } GROUP BY ?class"',
    ),
    add_arguments=_add_arguments,
    run=_run,
)
