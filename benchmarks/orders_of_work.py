"""What both orders of work cost in tokens and calls of a language model, and what they answer without one.

    python benchmarks/orders_of_work.py hetionet.graph [--questions 20]

Query-first (``subgraph``) cuts the graph to each question and reports on that part; the other order (``global``)
reports on the whole graph ahead of time and asks the reports. The model is scripted: it answers at once, with
well-formed replies of the length that such models write, so that what is counted is what we send and ask for. Tokens
are our estimate (``askgraph.models.estimates``), an upper one; those of replies are what the script says. The questions
are those of ``benchmarks/questions/hetionet.jsonl`` of one and of two hops, which reports can answer.

The questions are asked once without what was written for an earlier one (each pays for all its reports), and once more
with it: reports are kept by their content.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from askgraph import Graph, Settings, open_graph
from askgraph.evaluation import compare_strategies, read_questions
from askgraph.evaluation.gold import QuestionSet
from askgraph.evaluation.strategy_comparison import StrategyComparison, StrategyTotals, break_even
from askgraph.models.language_model import Request
from askgraph.models.scripted import ScriptedModel

QUESTIONS = Path(__file__).parent / "questions" / "hetionet.jsonl"
FORMS = ("one hop", "two hops")
FRUGAL = {"tokens": 20_000}
UNLIMITED = {"model_calls": 10**6, "tokens": 10**12, "timeout": 3_600.0}
# GraphRAG 3.3 on the same graph: one call for each of 530 communities, as measured with its own package.
GRAPHRAG_CALLS, GRAPHRAG_PROMPT_TOKENS = 530, 1_456_846

_NODE = re.compile(r"^\| N(\d+): (.+?)(?: \(|$)", re.MULTILINE)
_EDGE = re.compile(r"^\| E(\d+): (.+)$", re.MULTILINE)
_REPORT = re.compile(r"^\| Report (\d+): (.+)$", re.MULTILINE)
_POINT = re.compile(r"^\| ((?:\[\d+\])+) (.+?) \(score", re.MULTILINE)
_FILLER = (
    "These relations join members that the community shares with few others, so that they stand for what holds it "
    "together; most of them lie between nodes that have many links inside it."
)


class Scribe:
    """A model that replies at once, at the length that is usual.

    Args:
        named: what the model says that a question names, by its text.
    """

    def __init__(self, named: dict[str, list[dict[str, Any]]]) -> None:
        self._named = named

    def __call__(self, request: Request) -> Any:
        """A reply to each of the prompts of both orders."""
        text = request.messages[-1].text
        replies: dict[str, Callable[[str], Any]] = {
            "extract_entities": self._entities,
            "community_report": _report,
            "map_reports": _points,
            "reduce_points": _answer,
        }
        return replies[request.purpose](text)

    def _entities(self, text: str) -> Any:
        found = next((named for question, named in self._named.items() if question in text), [])
        return {"entities": found, "relations": ["associates"]}


def _report(text: str) -> Any:
    """Three to eight findings of some 70 words, each with what it refers to; the summary has some 60."""
    nodes, edges = _NODE.findall(text), _EDGE.findall(text)
    findings = []
    for place in range(min(8, max(3, len(edges) // 6))):
        own = edges[place * 3 : place * 3 + 3] or edges[:1]
        said = ". ".join(words for _, words in own)
        findings.append(
            {
                "summary": f"Relations around {nodes[place % len(nodes)][1]}",
                "explanation": f"{said}. {_FILLER}",
                "references": [f"N{nodes[place % len(nodes)][0]}", *(f"E{number}" for number, _ in own)],
            }
        )
    names = ", ".join(name for _, name in nodes[:6])
    return {
        "title": ", ".join(name for _, name in nodes[:3]),
        "summary": f"The community is about {names} and what they are linked to. {_FILLER}",
        "rating": 6.5,
        "rating_explanation": "Much of what its members have in common depends on these relations.",
        "findings": findings,
    }


def _points(text: str) -> Any:
    """A point for every third report of a batch, six at most, of some 40 words."""
    points = []
    for place, (number, title) in enumerate(_REPORT.findall(text)[::3][:6]):
        description = f"{title} are linked to what the question names. {_FILLER}"
        points.append({"description": description, "score": 90 - 10 * place, "reports": [int(number)]})
    return {"points": points}


def _answer(text: str) -> str:
    """A paragraph of six sentences that cite the best points, and the short answer."""
    points = _POINT.findall(text)[:6]
    sentences = [f"{said.split('. ')[0]}. {marks}" for marks, said in points]
    return " ".join(sentences) + "\nShort answer: " + "; ".join(said.split(",")[0] for _, said in points)


# --- runs


def questions(most: int) -> QuestionSet:
    """The first questions that reports can answer."""
    read = read_questions(QUESTIONS)
    chosen = tuple(item for item in read.questions if item.form in FORMS)[:most]
    return replace(read, questions=chosen)


def named_by_index(graph: Graph, asked: QuestionSet) -> dict[str, list[dict[str, Any]]]:
    """What the index finds named in each question: what a good model would say."""
    labels = graph.schema().label_of
    return {
        item.text: [
            {"name": link.mention.text, "types": [labels(kind) for kind in link.types]}
            for link in graph.link(item.text)
            if link.kind == "node"
        ]
        for item in asked.questions
    }


def with_model(graph: Path, folder: Path, named: dict[str, list[dict[str, Any]]], **limits: Any) -> Graph:
    """The graph with the scripted model; reports are kept in a folder."""
    settings = Settings.load(save_runs=False, embedder="none", cache_dir=folder, data_dir=folder, **limits)
    return open_graph(graph, settings=settings, model=ScriptedModel(Scribe(named)))


def measured(
    path: Path, asked: QuestionSet, named: dict[str, list[dict[str, Any]]]
) -> list[tuple[str, StrategyTotals]]:
    """The rows of the table."""
    rows: list[tuple[str, StrategyTotals]] = []
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        with with_model(path, folder, named) as graph:
            first = compare_strategies(graph, asked, ("subgraph", "reading")).totals[0]
            rows.append(("query-first", first))
            again = compare_strategies(graph, asked, ("subgraph", "reading")).totals[0]
            rows.append(("query-first, asked again", again))
            graph.communities(with_model=True, rebuild=True)
            within = compare_strategies(graph, asked, ("global", "reading")).totals[0]
            rows.append(("whole graph, 100,000 tokens", within))
        for name, limits in (
            ("whole graph, 20,000 tokens", FRUGAL),
            ("whole graph, every report", UNLIMITED),
        ):
            with with_model(path, folder, named, **limits) as graph:
                rows.append((name, compare_strategies(graph, asked, ("global", "reading")).totals[0]))
    return rows


def without_a_model(path: Path, asked: QuestionSet) -> StrategyComparison:
    """Both orders with extracts, where what is right can be counted."""
    with open_graph(path, settings=Settings.load(save_runs=False, embedder="none")) as graph:
        return compare_strategies(graph, asked)


def table(rows: Sequence[tuple[str, StrategyTotals]]) -> str:
    """The rows as text."""
    heads = ("calls ahead", "tokens in", "out", "calls a question", "tokens in", "out", "reports")
    lines = [f"{'':<32}" + "".join(f"{head:>18}" for head in heads)]
    for name, totals in rows:
        ahead, each = totals.ahead, totals.questions
        cells = [
            ahead.calls if ahead else 0,
            ahead.usage.input_tokens if ahead else 0,
            ahead.usage.output_tokens if ahead else 0,
            totals.cost.calls / each,
            totals.cost.usage.input_tokens / each,
            totals.cost.usage.output_tokens / each,
            totals.reports_read / each,
        ]
        shown = [f"{cell:,.0f}" if cell >= 100 or cell == int(cell) else f"{cell:.1f}" for cell in cells]
        lines.append(f"{name:<32}" + "".join(f"{cell:>18}" for cell in shown))
    return "\n".join(lines)


def main() -> None:
    """Measure a graph folder of the Hetionet excerpt."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graph", type=Path, help="a graph folder of examples/hetionet")
    parser.add_argument("--questions", type=int, default=20, help="how many questions are asked (20)")
    options = parser.parse_args()
    asked = questions(options.questions)
    with open_graph(options.graph, settings=Settings.load(save_runs=False, embedder="none")) as graph:
        named = named_by_index(graph, asked)
    rows = measured(options.graph, asked, named)
    print(f"# {len(asked.questions)} questions; tokens are estimates")
    print(table(rows))
    print(f"graphrag 3.3, its index: {GRAPHRAG_CALLS} calls, {GRAPHRAG_PROMPT_TOKENS:,} tokens in")
    by_name = dict(rows)
    for name in [name for name in by_name if name.startswith("whole")]:
        even = break_even((by_name["query-first"], by_name[name]))
        said = "always fewer tokens" if even is None else f"fewer tokens up to {even[1] - 1:,} questions"
        print(f"query-first against {name}: {said}")
    for totals in without_a_model(options.graph, asked).totals:
        print(
            f"without a model, {totals.strategy}: answered {totals.answered}, {totals.named:.0%} of the right answers "
            f"named, {1000 * totals.p50:.0f} ms a question"
        )


if __name__ == "__main__":
    main()
