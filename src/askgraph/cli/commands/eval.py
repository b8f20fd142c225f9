"""`askgraph eval`: how well questions are answered whose answers are known."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.words import quantity
from ..command import USAGE_ERROR, Command, count_from_one, positive_number, whole_number
from ..graphs import opened_graph
from ..progress import ProgressBar
from ..terminal import Terminal
from ..views.evaluation import show_comparison, show_evaluation, show_results

if TYPE_CHECKING:
    from ...core.settings import Settings
    from ...engine import Graph
    from ...evaluation.evaluated import Evaluation
    from ...evaluation.gold import QuestionSet

_MOST_FAILURES, _MOST_CHANGES, _MOST_COMPARED = 20, 10, 10
_STORED = 50


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words", nargs="*", metavar="QUESTIONS GRAPH", help="a file of questions, and the graph to ask"
    )
    parser.add_argument(
        "--compare",
        nargs="*",
        metavar="A",
        help="behind QUESTIONS GRAPH: compare two strategies, subgraph,global or those named; alone with A B: two "
        "results, by id, file, last, before-last",
    )
    parser.add_argument(
        "--judge", metavar="M", help="a language model that compares the answers of two strategies"
    )
    parser.add_argument("--list", action="store_true", help="the stored results")
    parser.add_argument(
        "--generate", type=count_from_one, metavar="N", help="make N questions from the graph itself"
    )
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="write the questions that were made to a file"
    )
    parser.add_argument("--limit", type=count_from_one, metavar="N", help="ask at most N questions")
    parser.add_argument(
        "--seed",
        type=whole_number,
        metavar="S",
        help="pick them by lot; or make them so; the same S gives the same",
    )
    parser.add_argument(
        "--first", type=count_from_one, default=5, metavar="K", help="answers that count for Hit@K (5)"
    )
    parser.add_argument(
        "--language", default="en", metavar="L", help="which wording to take where a file has several (en)"
    )
    parser.add_argument(
        "--timeout", type=positive_number, metavar="S", help="seconds that a question may take (30)"
    )
    parser.add_argument(
        "--model", metavar="M", help="a language model to answer with: openai:NAME, http://…/v1 …"
    )
    parser.add_argument("--strategy", metavar="S", default="auto", help="how to answer (auto)")
    parser.add_argument(
        "--failures", type=int, default=_MOST_FAILURES, metavar="N", help=f"failures shown ({_MOST_FAILURES})"
    )
    parser.add_argument("--json", action="store_true", help="everything, as strict JSON on standard output")
    parser.add_argument("--no-save", action="store_true", help="keep no record of the results")


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    _take_words_back(arguments)
    fault = _usage_fault(arguments)
    if fault:
        terminal.failure(fault, "`askgraph eval --help` shows examples.")
        return USAGE_ERROR
    from ...core.settings import Settings

    settings = Settings.load(timeout=arguments.timeout, model=arguments.model)
    if arguments.list:
        return _list(arguments, terminal, settings)
    if arguments.compare is None:
        return _evaluate(arguments, terminal, settings)
    if arguments.words:
        return _compare_strategies(arguments, terminal, settings)
    return _compare_results(arguments, terminal, settings)


def _take_words_back(arguments: argparse.Namespace) -> None:
    """`--compare subgraph,global QUESTIONS GRAPH` says the same as with --compare behind: the option takes all."""
    given = arguments.compare
    if not arguments.words and given and "," in given[0] and not Path(given[0]).is_file():
        arguments.compare, arguments.words = given[:1], given[1:]


def _usage_fault(arguments: argparse.Namespace) -> str:
    """What is wrong with the words typed; empty where nothing is."""
    words = len(arguments.words)
    if arguments.list:
        return "a file of questions or a graph is not expected here" if words else ""
    if arguments.judge is not None and (arguments.compare is None or not words):
        return "--judge compares the answers of two strategies: QUESTIONS GRAPH --compare --judge MODEL"
    if arguments.compare is not None:
        if not words and len(arguments.compare) != 2:
            return "--compare expects two results, or QUESTIONS GRAPH before it for two strategies"
        if not words and Path(arguments.compare[1]).is_dir():
            return "a graph was given as a result: two strategies are compared with QUESTIONS GRAPH --compare"
        if words and (len(arguments.compare) > 1 or len(_strategies(arguments)) != 2):
            return "two strategies are expected behind --compare, as subgraph,global"
    if words == 0 and arguments.compare:
        return ""
    if arguments.save is not None and not arguments.generate:
        return "--save writes questions that --generate makes"
    if arguments.generate:
        return "" if words == 1 else f"--generate N needs one GRAPH, not {quantity(words, 'word')}"
    return "" if words == 2 else f"QUESTIONS and GRAPH are expected, not {quantity(words, 'word')}"


def _strategies(arguments: argparse.Namespace) -> list[str]:
    """The strategies that are compared."""
    from ...evaluation.strategy_comparison import DEFAULT_STRATEGIES

    if not arguments.compare:
        return list(DEFAULT_STRATEGIES)
    return [name.strip() for name in arguments.compare[0].split(",") if name.strip()]


def _questions(arguments: argparse.Namespace, *, needs_gold: bool = True) -> QuestionSet | None:
    """The questions of the file, ``None`` where they are made from the graph. A file that cannot be read is said before
    a graph is opened, which may take long."""
    from ...evaluation.reading import read_questions

    if arguments.generate:
        return None
    return read_questions(arguments.words[0], language=arguments.language, needs_gold=needs_gold)


def _evaluate(arguments: argparse.Namespace, terminal: Terminal, settings: Settings) -> int:
    from ...evaluation.asking import evaluate
    from ...evaluation.result_store import ResultStore

    questions = _questions(arguments)
    with opened_graph(arguments.words[-1], terminal, settings) as graph, ProgressBar(terminal) as progress:
        evaluation = evaluate(
            graph,
            questions or _generated(graph, arguments, progress),
            limit=arguments.limit,
            seed=arguments.seed,
            first=arguments.first,
            timeout=arguments.timeout,
            strategy=arguments.strategy,
            progress=progress,
        )
    saved = not arguments.no_save
    if saved:
        ResultStore.of(settings).save(evaluation)
    if arguments.json:
        terminal.json(evaluation.to_dict())
        return 0
    terminal.show(show_evaluation(evaluation, terminal.page, most_failures=arguments.failures))
    if saved:
        _tell_where(evaluation, terminal)
    return 0


def _generated(graph: Graph, arguments: argparse.Namespace, progress: ProgressBar) -> QuestionSet:
    from ...evaluation.generation import generate_questions, write_questions

    questions = generate_questions(graph, arguments.generate, seed=arguments.seed or 0, progress=progress)
    if arguments.save is not None:
        write_questions(questions, arguments.save)
    return questions


def _tell_where(evaluation: Evaluation, terminal: Terminal) -> None:
    terminal.hint(f"Kept as {evaluation.id}. After a change: askgraph eval --compare {evaluation.id} last")


def _list(arguments: argparse.Namespace, terminal: Terminal, settings: Settings) -> int:
    from ...evaluation.result_store import ResultStore

    stored = list(ResultStore.of(settings).all())
    if arguments.json:
        terminal.json([_in_short(evaluation) for evaluation in stored])
    elif stored:
        terminal.show(show_results(stored[:_STORED], terminal.page))
    else:
        terminal.notice("No results are stored yet.")
    return 0


def _in_short(evaluation: Evaluation) -> dict[str, object]:
    data = evaluation.to_dict()
    return {key: data[key] for key in ("id", "started", "graph", "questions", "options", "summary")}


def _compare_strategies(arguments: argparse.Namespace, terminal: Terminal, settings: Settings) -> int:
    from ...evaluation.comparing_strategies import compare_strategies
    from ...models.registry import make_judge
    from ..views.strategy_comparison import show_strategy_comparison

    questions = _questions(arguments, needs_gold=False)
    judge = None if arguments.judge is None else make_judge(settings, arguments.judge)
    with opened_graph(arguments.words[-1], terminal, settings) as graph, ProgressBar(terminal) as progress:
        comparison = compare_strategies(
            graph,
            questions or _generated(graph, arguments, progress),
            _strategies(arguments),
            limit=arguments.limit,
            seed=arguments.seed,
            timeout=arguments.timeout,
            judge=judge,
            progress=progress,
        )
    if arguments.json:
        terminal.json(comparison.to_dict())
    else:
        terminal.show(show_strategy_comparison(comparison, terminal.page, most_questions=_MOST_COMPARED))
    return 0


def _compare_results(arguments: argparse.Namespace, terminal: Terminal, settings: Settings) -> int:
    from ...evaluation.comparison import compare
    from ...evaluation.result_store import ResultStore

    store = ResultStore.of(settings)
    before, after = (store.find(name) for name in arguments.compare)
    comparison = compare(before, after, seed=arguments.seed or 0)
    if arguments.json:
        terminal.json(comparison.to_dict())
    else:
        terminal.show(show_comparison(comparison, terminal.page, most_changes=_MOST_CHANGES))
    return 0


COMMAND = Command(
    name="eval",
    usage="QUESTIONS GRAPH [options]",
    summary="measure how well questions with known answers are answered",
    description="""\
Put questions with known answers to a graph: how many are answered rightly, by
kind of question; what the confidence is worth; how long it takes; and for each
failure the step that failed first (linking, relation, path, form).

QUESTIONS is a file of JSON Lines ({"question": "…", "answers": ["…"]}, or with
a gold "query" in place of answers), CSV with the columns question and answer,
CK25 YAML, QALD JSON, DBLP-QuAD JSON, SPARQL examples in Turtle (a file or a
folder of them), or in the layout of text2cypher. Or let
--generate make questions from the graph itself, with their answers.

The results are kept, and --compare A B tells what changed between two of them.

With --compare behind QUESTIONS GRAPH every question is asked by two strategies:
subgraph, which cuts the graph to the question first, and global, which reports
on the whole graph ahead of time; or by two that you name. Shown are tokens,
model calls, reports read and time, ahead and for each question, what of the
right answers is named, and the answers beside each other. The questions need
no known answers then: a text file with one on each line will do. A --judge
compares the answers, each pair in both orders.""",
    examples=(
        "askgraph eval examples/ck25/questions.yml examples/ck25/graph/prod-inst.ttl",
        "askgraph eval questions.jsonl company.graph --limit 100 --seed 1",
        "askgraph eval company.graph --generate 200 --seed 1 --save made.jsonl",
        "askgraph eval --list",
        "askgraph eval --compare before-last last",
        "askgraph eval questions.txt hetionet.graph --compare",
        "askgraph eval questions.jsonl hetionet.graph \\",
        "    --compare subgraph,reading --judge openai:gpt-4o",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
