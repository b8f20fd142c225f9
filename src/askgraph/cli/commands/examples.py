"""`askgraph examples`: questions that were solved, shown to models that write queries."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import ExamplesError, Location, SettingsError
from ...core.words import quantity
from ..command import Command
from ..graphs import add_graph_argument, opened_graph
from ..progress import ProgressBar
from ..terminal import Terminal
from ..views.examples import show_examples

if TYPE_CHECKING:
    from ...engine.example_book import NewExample


# --- add


def _add_add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument(
        "file", metavar="FILE", help="JSON Lines, JSON, CSV or YAML with questions and queries"
    )


def _add(arguments: argparse.Namespace, terminal: Terminal) -> int:
    examples = _read(Path(arguments.file))
    with opened_graph(arguments.graph, terminal) as graph:
        with ProgressBar(terminal) as progress:
            graph.build_index(progress=progress)
        added = graph.examples.add(examples)
        total = len(graph.examples.all())
    said = f"{quantity(added.added, 'example')} added"
    if added.replaced:
        said += f", {added.replaced:,} replaced"
    if added.known:
        said += f", {added.known:,} known already"
    terminal.show(terminal.page.paragraph(f"{said}; {total:,} in all."))
    return 0


def _read(file: Path) -> list[NewExample]:
    """The questions of a file with their queries. Raises :class:`ExamplesError` for one without a query's text."""
    from ...engine.example_book import NewExample
    from ...evaluation.reading import read_questions

    questions = read_questions(file)
    examples = []
    for place, question in enumerate(questions.questions):
        location = Location(str(file), questions.line_of(place))
        if question.query is None or not question.query.text:
            raise ExamplesError(
                f"question {question.id} has no query",
                location=location,
                advice='An example is a question with the query that answers it: {"question": "…", "query": "…"}.',
            )
        language = question.query.language
        examples.append(NewExample(question.text, question.query.text, language, location))
    return examples


# --- list


def _add_list_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument("--json", action="store_true", help="as strict JSON on standard output")


def _list(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with opened_graph(arguments.graph, terminal) as graph:
        examples, file = graph.examples.all(), graph.examples.file
    if arguments.json:
        terminal.json({"file": str(file), "examples": [asdict(example) for example in examples]})
    elif not examples:
        terminal.notice(f"No example has been added yet to {file}.")
    else:
        terminal.show(show_examples(examples, terminal.page))
    return 0


# --- remove


def _add_remove_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument("examples", metavar="ID", nargs="*", help="ids, or the first characters of them")
    parser.add_argument("--all", action="store_true", help="every example of the graph")


def _remove(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if bool(arguments.examples) == arguments.all:
        raise SettingsError(
            "which examples are to be removed?" if not arguments.all else "some examples, or --all: not both",
            advice="askgraph examples remove GRAPH ID…, or --all; `askgraph examples list GRAPH` lists them.",
        )
    with opened_graph(arguments.graph, terminal) as graph:
        ids = [example.id for example in graph.examples.all()] if arguments.all else arguments.examples
        removed = graph.examples.remove(ids)
    terminal.show(terminal.page.paragraph(f"{quantity(len(removed), 'example')} removed."))
    return 0


COMMAND = {
    "add": Command(
        name="examples add",
        usage="GRAPH FILE",
        summary="add questions with the queries that answer them",
        description="""\
Add solved questions to a graph. A model that writes queries for it is shown the
ones that are most like its question. Every query must pass the gate and fit the
graph's schema; if one does not, nothing is added, and its line is told. A
question that is there already gets the new query.""",
        examples=(
            "askgraph examples add company.graph solved.jsonl",
            "askgraph examples add examples/ck25/graph/prod-inst.ttl \\",
            "    examples/ck25/questions.yml",
        ),
        add_arguments=_add_add_arguments,
        run=_add,
    ),
    "list": Command(
        name="examples list",
        usage="GRAPH [options]",
        summary="the solved questions of a graph",
        description="List the solved questions of a graph with their queries.",
        examples=("askgraph examples list company.graph", "askgraph examples list company.graph --json"),
        add_arguments=_add_list_arguments,
        run=_list,
    ),
    "remove": Command(
        name="examples remove",
        usage="GRAPH ID... | --all",
        summary="forget solved questions",
        description="Remove solved questions from a graph. What is removed is gone.",
        examples=(
            "askgraph examples remove company.graph 4f1a",
            "askgraph examples remove company.graph --all",
        ),
        add_arguments=_add_remove_arguments,
        run=_remove,
    ),
}
