"""How well questions are answered, set by set: one table, and what fails first.

    python benchmarks/answers.py [--made N] [--embedder minilm|none] [--held-out] [--json FILE] [--only WORD]
                                 [--language en|de|es] [--least CONFIDENCE]

Sets: the questions of CK25; those written for the biomedical excerpt (Hetionet) and for the insurer (ACME), and the 44
published ones for the latter; those of three graphs written by hand (benchmarks/written_graphs); plausible ones that
these graphs cannot answer; and questions made by lot from these graphs and from four made graphs. The rules of askgraph
were made with CK25 in sight, and are tuned on all of these: what they are worth elsewhere only the sets of
``--held-out`` tell: five other graphs, and other seeds. Look at these last, and never at their failures
(benchmarks/questions/README.md).

``--language`` asks CK25, and nothing else, in another language (questions/ck25_de.yml).
With ``--least 0`` every question is answered that can be: then the table of risk against coverage is whole.

CPU time is that of this process, for asking alone.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from made_graphs import HELD_OUT, TUNING, make_graph

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.evaluation import Evaluation, evaluate, generate_questions, read_questions
from askgraph.evaluation.confidence_curve import calibration, calibration_error, coverage_at, risk_coverage
from askgraph.evaluation.gold import QuestionSet

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ROOT / "benchmarks" / "questions"
CK25 = ROOT / "examples" / "ck25"
HETIONET = ROOT / "examples" / "hetionet"
WRITTEN_GRAPHS = ROOT / "benchmarks" / "written_graphs"
# Graphs written by hand with their questions; what is held out is only looked at as numbers.
WRITTEN, WRITTEN_HELD_OUT = ("spaceflight", "music", "assets"), ("parliament",)
ACME = Path(os.environ.get("ASKGRAPH_ACME", ROOT.parent / "shared" / "data" / "acme_insurance"))

TUNING_SEED, HELD_OUT_SEED = 1, 1001
COLUMNS = (
    "n",
    "answd",
    "Hit@1",
    "F1",
    "prec",
    "right",
    "abst+",
    "abst-",
    "wrong",
    "cov85",
    "p50",
    "p95",
    "cpu",
)
SHARES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
HEADINGS = """\
n: questions   answd: answered   Hit@1, F1: means over what has an answer   prec: precision of what was answered
right: F1 of at least 0.5   abst+, abst-: rightly, wrongly without an answer   wrong: answered where there is none
cov85: share that can be answered with a precision of 0.85   p50, p95, cpu (mean): milliseconds a question"""


@dataclass(frozen=True, slots=True)
class Measured:
    """A set, what came of it, and the CPU seconds that it took."""

    name: str
    evaluation: Evaluation
    seconds: float


def sources(scratch: Path, domains: Sequence[str], written: Sequence[str] = ()) -> dict[str, list[Path]]:
    """The files of the real graphs that are there, of those written by hand, and of made ones, which are written into
    ``scratch``."""
    files = {
        "ck25": [CK25 / "graph" / "prod-inst.ttl"],
        "hetionet": [HETIONET / "nodes.csv", HETIONET / "edges.csv"],
        "acme": [ACME / "acme-data.nt", ACME / "insurance.ttl"],
    }
    files |= {name: sorted((WRITTEN_GRAPHS / name).iterdir()) for name in written}
    for domain in domains:
        files[domain] = make_graph(domain, TUNING_SEED, scratch / "files" / domain)
    for name in [name for name, paths in files.items() if not all(path.exists() for path in paths)]:
        print(f"{name}: left out, {files.pop(name)[0]} is not there (ASKGRAPH_ACME says where ACME lies)")
    return files


def graphs(
    embedder: str, scratch: Path, *, held_out: bool, least: float | None = None
) -> Iterator[tuple[str, Graph]]:
    """The graphs, one after another, each open until the next one is asked for."""
    settings = Settings.load(
        save_runs=False, embedder=embedder, cache_dir=scratch / "cache", least_confidence=least
    )
    domains, written = (HELD_OUT, WRITTEN_HELD_OUT) if held_out else (TUNING, WRITTEN)
    for name, files in sources(scratch, domains, written).items():
        folder = scratch / f"{name}.graph"
        load_graph(files, folder)
        with open_graph(folder, settings=settings) as graph:
            yield name, graph


def written_sets(name: str) -> Iterator[tuple[str, QuestionSet]]:
    """The sets of questions that people wrote for a graph."""
    files = {"ck25": [CK25 / "questions.yml"], "acme": [ACME / "questions.jsonl"]}
    own = [QUESTIONS / f"{name}.jsonl", QUESTIONS / f"{name}_unanswerable.jsonl"]
    for file in [*files.get(name, []), *own]:
        if file.exists():
            label = f"{name} published" if file.parent == ACME else name
            yield label + (" unanswerable" if "unanswerable" in file.stem else ""), read_questions(file)


def sets_of(
    name: str, graph: Graph, made: int, *, held_out: bool, language: str = "en"
) -> Iterator[tuple[str, QuestionSet]]:
    """The sets of questions for a graph."""
    if language != "en":
        if name == "ck25":
            yield f"{name} {language}", in_language(language)
        return
    if not held_out or name in WRITTEN_HELD_OUT:
        yield from written_sets(name)
    if made:
        yield f"{name} made", generate_questions(graph, made, seed=HELD_OUT_SEED if held_out else TUNING_SEED)


def in_language(code: str) -> QuestionSet:
    """The questions of CK25 in another wording, with the same queries for what is right."""
    import yaml

    english = read_questions(CK25 / "questions.yml")
    wordings = yaml.safe_load((QUESTIONS / f"ck25_{code}.yml").read_text(encoding="utf-8"))
    questions = tuple(replace(gold, text=wordings[int(gold.id)]) for gold in english.questions)
    return replace(english, questions=questions)


def measure(graph: Graph, name: str, questions: QuestionSet) -> Measured:
    """Ask all questions of a set."""
    graph.build_index()
    began = time.process_time()
    evaluation = evaluate(graph, questions)
    return Measured(name, evaluation, time.process_time() - began)


def row(measured: Measured) -> list[str]:
    """A line of the table."""
    evaluation = measured.evaluation
    summary = evaluation.summary()
    coverage = coverage_at(risk_coverage(evaluation.outcomes), 0.85)
    shares = [summary.hit_1, summary.f1, summary.precision_of_answered]
    return [
        str(summary.questions),
        str(summary.answered),
        *("-" if share is None else f"{share:.2f}" for share in shares),
        str(summary.right),
        str(summary.abstained_rightly),
        str(summary.abstained_wrongly),
        str(summary.answered_wrongly),
        f"{coverage:.2f}",
        f"{1000 * (summary.p50 or 0):.0f}",
        f"{1000 * (summary.p95 or 0):.0f}",
        f"{1000 * measured.seconds / summary.questions:.0f}",
    ]


def show(results: Sequence[Measured]) -> None:
    """Print the table, the steps that failed first, and the made questions by kind."""
    print(HEADINGS, "\n")
    print(f"{'':<24}", "".join(f"{heading:>6}" for heading in COLUMNS))
    for measured in results:
        print(f"{measured.name:<24}", "".join(f"{cell:>6}" for cell in row(measured)))
    print("\nfailed first")
    for measured in results:
        steps = measured.evaluation.summary().failing_steps
        said = ", ".join(f"{step} {count}" for step, count in steps.items())
        left = f"; {len(measured.evaluation.left_out)} left out" if measured.evaluation.left_out else ""
        print(f"{measured.name:<24} {said or 'nothing'}{left}")
    print("\nF1 by kind (for questions without an answer: the share that got none)")
    kinds = dict.fromkeys(kind for measured in results for kind in measured.evaluation.by_kind())
    for kind in kinds:
        outcomes = [
            outcome
            for measured in results
            for outcome in measured.evaluation.outcomes
            if outcome.kind == kind
        ]
        made = [
            outcome
            for measured in results
            if measured.name.endswith("made")
            for outcome in measured.evaluation.outcomes
            if outcome.kind == kind
        ]
        figures = [
            f"{sum(item.credit for item in group) / len(group):6.2f} of {len(group):<5}"
            if group
            else f"{'-':>6}{'':9}"
            for group in (outcomes, made)
        ]
        print(f"{kind or 'other':<24} all {figures[0]}   made {figures[1]}")


def show_confidence(results: Sequence[Measured]) -> None:
    """Print how precise the surest answers are, set by set, and how often answers of a confidence are right."""
    print("\nprecision of the surest answers, by the share of all questions that they are of")
    print(f"{'':<24}", "".join(f"{share:>6.0%}" for share in SHARES), f"{'all':>10}")
    for measured in results:
        points = risk_coverage(measured.evaluation.outcomes)
        if points:
            reached = [next((point for point in points if point.coverage >= share), None) for share in SHARES]
            cells = [f"{point.precision:>6.2f}" if point else f"{'-':>6}" for point in reached]
            print(
                f"{measured.name:<24}",
                "".join(cells),
                f"{points[-1].precision:.2f} at {points[-1].coverage:.0%}",
            )
    outcomes = [outcome for measured in results for outcome in measured.evaluation.outcomes]
    bands = calibration(outcomes)
    print("\nconfidence, number of answers, mean confidence, share of them that is right")
    for band in bands:
        print(
            f"{band.low:.1f} to {band.high:.1f} {band.answers:>8} {band.confidence:>8.2f} {band.right:>8.2f}"
        )
    error = calibration_error(bands)
    print("no answers" if error is None else f"expected calibration error {error:.3f}")


def main() -> None:
    """Measure every set and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--made", type=int, default=100, metavar="N", help="questions made from each graph (100)"
    )
    parser.add_argument("--embedder", default="minilm", help="minilm, multilingual or none")
    parser.add_argument(
        "--held-out", action="store_true", help="the graphs and seeds that nothing is tuned on"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results to a file")
    parser.add_argument(
        "--only", default="", metavar="WORD", help="only the graphs whose name has this in it"
    )
    parser.add_argument("--language", default="en", help="en, or one of CK25's other wordings: de, es")
    parser.add_argument(
        "--least", type=float, metavar="CONFIDENCE", help="how sure an answer must be (as users have it)"
    )
    arguments = parser.parse_args()
    results: list[Measured] = []
    with tempfile.TemporaryDirectory(prefix="askgraph-answers-") as scratch:
        opened = graphs(arguments.embedder, Path(scratch), held_out=arguments.held_out, least=arguments.least)
        for name, graph in opened:
            if arguments.only in name:
                sets = sets_of(
                    name,
                    graph,
                    arguments.made,
                    held_out=arguments.held_out,
                    language=arguments.language,
                )
                results.extend(measure(graph, label, questions) for label, questions in sets)
    show(results)
    show_confidence(results)
    if arguments.json is not None:
        data = {measured.name: measured.evaluation.to_dict() for measured in results}
        arguments.json.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
