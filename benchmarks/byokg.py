"""What the loop of the strategy ``agent`` loses by itself: CK25 with a model that always says what is right.

    python benchmarks/byokg.py                 entities, relations and queries, as the gold queries have them
    python benchmarks/byokg.py --paths         entities and paths alone, where the gold query is one path

The scripted model replies to each question with the names of what its gold query names, with the path whose end is the
answer where there is one, and with the gold query. What comes out wrong is then the loop's own loss: names that are
linked to something else, queries that the gate, the correction or the engine spoil, answers read off the wrong column.

Prints how many of the answers are right (F1 of 1), how many model calls a question took, and every loss.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from askgraph import Graph, Settings, open_graph
from askgraph.core.budget import Budget
from askgraph.core.errors import AskgraphError
from askgraph.core.evidence import Answer
from askgraph.core.graph import Node
from askgraph.core.run import Run
from askgraph.evaluation import GoldQuestion, read_questions
from askgraph.evaluation.gold_answers import Gold, gold_of
from askgraph.evaluation.gold_content import content_of
from askgraph.evaluation.matching import candidates_of_answers, candidates_of_gold
from askgraph.evaluation.query_content import QueryContent
from askgraph.evaluation.scoring import score_candidates
from askgraph.models.language_model import Request
from askgraph.models.scripted import ScriptedModel
from askgraph.retrievers.exploring.metapath_text import MetapathReader
from askgraph.retrievers.exploring.metapaths import MetapathRetriever
from askgraph.strategies.agent.strategy import AgentStrategy

CK25 = Path(__file__).resolve().parent.parent / "examples" / "ck25"
LONGEST_PATH = 3
SECONDS = 60.0


@dataclass(frozen=True)
class Outcome:
    """What came of one question."""

    id: str
    question: str
    f1: float
    calls: int
    seconds: float
    given: list[str]
    right: list[str]
    replied: str


class PerfectModel:
    """Writes the reply of a model that knows the gold query."""

    def __init__(self, graph: Graph, *, with_queries: bool) -> None:
        self._graph = graph
        self._with_queries = with_queries
        self._reader = MetapathReader(graph.schema())
        self._retriever = MetapathRetriever(graph.store, graph.schema())

    def reply(self, question: GoldQuestion, gold: Gold) -> str:
        """Its sections."""
        content = content_of(question.query, self._graph.schema()) if question.query is not None else None
        things = list(self._graph.store.nodes(list(content.things))) if content is not None else []
        named = [node for node in things if node.names]
        path = self._path(named, content, gold) if content is not None else None
        query = question.query.text if self._with_queries and question.query is not None else ""
        entities = "\n".join(node.name for node in named)
        return f"<entities>{entities}</entities>\n<paths>{path or ''}</paths>\n<query>{query}</query>"

    def _path(self, things: list[Node], content: QueryContent, gold: Gold) -> str | None:
        """The path from one of the things to exactly the right answers, if there is one."""
        nodes = {node.id: node for node in self._graph.store.nodes(list(gold.node_ids))}
        right = candidates_of_gold(gold.items, nodes)
        for text in _paths(list(content.relations)):
            metapath = self._reader.read(text)
            if metapath.problem:
                continue
            for thing in things:
                answers = self._retriever.follow(metapath, [thing.id], Budget(seconds=SECONDS)).answers
                found = {item.node for item in answers if item.node is not None}
                own = {node.id: node for node in self._graph.store.nodes(list(found))}
                if score_candidates(candidates_of_answers(answers, own), right, 1).f1 == 1:
                    return f"{thing.name} -> {text}" if not text.startswith("<-") else text
        return None


def _paths(relations: list[str]) -> Iterator[str]:
    for length in range(1, min(LONGEST_PATH, len(relations)) + 1):
        for order in itertools.permutations(relations, length):
            for arrows in itertools.product(("->", "<-"), repeat=length):
                text = " ".join(f"{arrow} {relation}" for arrow, relation in zip(arrows, order, strict=True))
                yield text.removeprefix("-> ")


def written(request: Request) -> str:
    """An answer that says what each fact says, and cites it."""
    facts = re.findall(r"^\| \[(\d+)\] (.*)$", request.messages[-1].text, re.MULTILINE)
    return "\n".join(f"{text}. [{number}]" for number, text in facts)


def ask(graph: Graph, question: GoldQuestion, reply: str) -> tuple[Answer, Run, float]:
    """The answer of the strategy with a model that says this."""
    run = Run(question.text, graph=graph.location, graph_version="benchmark")
    model = ScriptedModel(lambda request: written(request) if request.purpose == "answer" else reply)
    strategy = AgentStrategy(replace(graph.parts(), model=model))
    linked = graph.linked(question.text)
    began = time.perf_counter()
    try:
        answer = strategy.answer(linked, graph.settings.budget(), run)
    except AskgraphError as error:
        answer = Answer(question.text, (), abstained=True, notes=(str(error),))
    return answer, run, time.perf_counter() - began


def outcomes(graph: Graph, *, with_queries: bool) -> Iterator[Outcome]:
    """Every question, asked."""
    model = PerfectModel(graph, with_queries=with_queries)
    for question in read_questions(CK25 / "questions.yml").questions:
        gold = gold_of(question, graph.store, SECONDS)
        reply = model.reply(question, gold)
        if not with_queries and "<paths></paths>" in reply:
            continue
        answer, run, seconds = ask(graph, question, reply)
        ids = [*gold.node_ids, *(item.node for item in answer.answers if item.node is not None)]
        nodes = {node.id: node for node in graph.store.nodes(list(dict.fromkeys(ids)))}
        given = candidates_of_answers(answer.answers, nodes)
        score = score_candidates(given, candidates_of_gold(gold.items, nodes), 1)
        yield Outcome(
            question.id,
            question.text,
            score.f1,
            len(run.calls),
            seconds,
            [item.text for item in answer.answers[:5]],
            [item.text for item in gold.items[:5]],
            reply,
        )


def main() -> None:
    """Print the figures as JSON, and the losses."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--paths", action="store_true", help="entities and paths alone")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.load(save_runs=False, data_dir=Path(folder), timeout=SECONDS)
        with open_graph(CK25 / "graph" / "prod-inst.ttl", settings=settings) as graph:
            found = list(outcomes(graph, with_queries=not arguments.paths))
    right = [item for item in found if item.f1 == 1]
    figures = {
        "questions": len(found),
        "right": len(right),
        "share": round(len(right) / len(found), 3),
        "calls, median and most": [
            statistics.median(item.calls for item in found),
            max(item.calls for item in found),
        ],
        "median seconds": round(statistics.median(item.seconds for item in found), 3),
    }
    print(json.dumps(figures, indent=2))
    for item in found:
        if item.f1 < 1:
            print(
                f"\n{item.id} {item.question}\n  F1 {item.f1:.2f}: {item.given} instead of {item.right}\n{item.replied}"
            )


if __name__ == "__main__":
    main()
