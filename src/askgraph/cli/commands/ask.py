"""`askgraph ask`: a question, its answer, and the facts behind it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...core.run import Step
from ...retrievers.subgraph.options import NESTED
from ..command import Command, positive_number
from ..graphs import add_graph_argument, opened_graph
from ..progress import ProgressBar
from ..streaming import StreamedText
from ..terminal import Terminal
from ..views.answer import show_answer
from ..views.dry_run import show_dry_run
from ..views.nested_answers import show_nested_answers
from ..views.runs import show_step

if TYPE_CHECKING:
    from ...answering.nested_answers import NestedAnswers


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_argument(parser)
    parser.add_argument("question", metavar="QUESTION", nargs="+", help="in plain words")
    parser.add_argument("--json", action="store_true", help="everything, as strict JSON on standard output")
    parser.add_argument(
        "--verbose", action="store_true", help="also every fact, what was linked, and each step with its time"
    )
    parser.add_argument(
        "--timeout", type=positive_number, metavar="S", help="seconds that the question may take (30)"
    )
    parser.add_argument(
        "--max-hops", type=int, metavar="N", help="edges from what is named to the answer, 1 to 6 (3)"
    )
    parser.add_argument(
        "--model",
        metavar="M",
        help="a language model: openai:NAME, anthropic:NAME, ollama:NAME, http://…/v1 …",
    )
    parser.add_argument(
        "--strategy",
        metavar="S",
        default="auto",
        help="how to answer: auto, reading, query, paths, subgraph, global, agent",
    )
    parser.add_argument(
        "--nested",
        choices=(*NESTED, "all"),
        help="with --strategy subgraph: how much of the selection is used; all: side by side",
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="show what the model would be asked, and what that costs; call nothing",
    )
    parser.add_argument("--no-save", action="store_true", help="keep no record of this question")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    from ...core.settings import Settings

    settings = Settings.load(timeout=arguments.timeout, max_hops=arguments.max_hops, model=arguments.model)
    question = " ".join(arguments.question)
    with (
        opened_graph(arguments.graph, terminal, settings) as graph,
        ProgressBar(terminal) as progress,
        StreamedText(terminal) as streamed,
    ):
        if arguments.dry_run:
            dry = graph.dry_run(question, strategy=arguments.strategy, progress=progress)
            if arguments.json:
                terminal.json(dry.to_dict())
            else:
                terminal.show(show_dry_run(dry, terminal.page))
            return 0

        def tell(step: Step, finished: bool) -> None:
            if finished and arguments.verbose:
                for line in show_step(step, terminal.error_page):
                    terminal.err.print(line, soft_wrap=True)

        if arguments.nested == "all":
            from ...strategies.registry import check_nested

            check_nested(arguments.strategy, "full")
            nested = graph.ask_nested(
                question, on_step=tell, save=False if arguments.no_save else None, progress=progress
            )
            return _show_nested(nested, arguments, terminal)
        answer = graph.ask(
            question,
            strategy=arguments.strategy,
            nested=arguments.nested,
            on_step=tell,
            on_text=streamed.add,
            save=False if arguments.no_save else None,
            progress=progress,
        )
    if arguments.json:
        terminal.json(answer.to_dict())
        return 0
    if arguments.verbose:
        terminal.notice("")
    terminal.show(show_answer(answer, terminal.page, complete=arguments.verbose))
    if answer.run is not None:
        terminal.hint(f"Every step: askgraph runs show {answer.run}")
    return 0


def _show_nested(answers: NestedAnswers, arguments: argparse.Namespace, terminal: Terminal) -> int:
    if arguments.json:
        terminal.json(answers.to_dict())
        return 0
    terminal.show(show_nested_answers(answers, terminal.page, complete=arguments.verbose))
    if answers.run is not None:
        terminal.hint(f"Every step: askgraph runs show {answers.run}")
    return 0


COMMAND = Command(
    name="ask",
    usage='GRAPH "QUESTION" [options]',
    summary="answer a question, with the facts the answer rests on",
    description="""\
Answer a question from a graph, with the numbered facts that the answer rests
on. Where the graph supports no answer, this says so and shows the nearest
things that it found: that is an answer too, and the exit code is 0.

The first question makes the graph's index, which takes a moment; the next ones
are quick. Every question is recorded: see `askgraph runs`.""",
    examples=(
        "askgraph ask examples/ck25/graph/prod-inst.ttl \\",
        '    "Who is the manager of Heinrich Hoch?"',
        'askgraph ask company.graph "What is the phone number of Baldwin Dirksen?"',
        'askgraph ask hetionet.graph "Which genes are associated with obesity?"',
        'askgraph ask hetionet.graph --verbose "In which pathways is NAT2?"',
        "askgraph ask hetionet.graph --strategy subgraph --nested all \\",
        '    "In which pathways is NAT2?"',
        "askgraph ask company.graph --model openai:gpt-4o-mini --dry-run \\",
        '    "Who manages Karen Brant?"',
        'askgraph ask company.graph --json "Who manages Karen Brant?" > answer.json',
    ),
    add_arguments=_add_arguments,
    run=_run,
)
