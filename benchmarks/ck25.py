"""How well the fifty questions of CK25 are answered, with the embedder and without one.

    python benchmarks/ck25.py

Prints for each: the mean F1 of the answer sets, how many questions were answered and how many of these rightly (an F1
above one half), and the CPU time of a question. The gold answers are what the reference SPARQL queries give on the same
graph. An answer is compared by node id, else by its text or value; a table by its first column. The questions are from
the example data, and the rules were made with them in sight: they are no measure for other graphs.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

import pyoxigraph
import yaml

from askgraph import Answer, Settings, open_graph

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "ck25"
GRAPH = EXAMPLE / "graph" / "prod-inst.ttl"


def gold_answers(store: pyoxigraph.Store, query: str) -> set[str]:
    """The first column of what a reference query gives."""
    # Two of the queries cast with xsd:int, which this engine does not have.
    result: Any = store.query(query.replace("xsd:int(", "xsd:integer("))
    if isinstance(result, pyoxigraph.QueryBoolean):
        return {str(bool(result))}
    return {str(row[0].value) if row[0] is not None else "" for row in result}


def f1(answer: Answer, gold: set[str]) -> float:
    """The harmonic mean of precision and recall of the answers as a set."""
    own = {item.node or str(item.value) for item in answer.answers}
    shown = {item.text for item in answer.answers}
    shared = max(len(own & gold), len(shown & gold))
    return 2 * shared / (len(own) + len(gold)) if own or gold else 1.0


def measure(embedder: str) -> dict[str, float]:
    """Ask every question once."""
    store = pyoxigraph.Store()
    store.bulk_load(path=str(GRAPH))
    questions = yaml.safe_load((EXAMPLE / "questions.yml").read_text(encoding="utf-8"))["questions"]
    scores, times, answered = [], [], []
    with open_graph(GRAPH, settings=Settings.load(save_runs=False, embedder=embedder)) as graph:
        graph.build_index()
        graph.ask("How many products are there?")
        for item in questions:
            gold = gold_answers(store, item["query"]["sparql"])
            began = time.process_time()
            answer = graph.ask(item["question"]["en"])
            times.append(1000 * (time.process_time() - began))
            scores.append(f1(answer, gold))
            if not answer.abstained:
                answered.append(scores[-1])
    return {
        "questions": len(scores),
        "f1": statistics.mean(scores),
        "answered": len(answered),
        "right": sum(score > 0.5 for score in answered),
        "p50_cpu_ms": statistics.median(times),
        "p95_cpu_ms": statistics.quantiles(times, n=20)[-1],
    }


def main() -> None:
    """Print a line for each embedder."""
    for embedder in ("minilm", "none"):
        row = measure(embedder)
        print(f"{embedder:<8}", "  ".join(f"{name} {value:.3g}" for name, value in row.items()))


if __name__ == "__main__":
    main()
