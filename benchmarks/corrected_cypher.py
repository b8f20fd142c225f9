"""How many spoilt Cypher queries are put right, how many are reported, and how many run wrong in silence.

    python benchmarks/corrected_cypher.py [--half even|odd] [--show wrong]

A hundred questions with right queries over two graphs are spoilt by :mod:`cypher_corruption` in every way that has a
place in them. A spoilt query is right if it gives the rows of the right one after correction; it is reported if it
does not and the correction names what was spoilt; everything else is wrong: *shown* if a change that was made is
listed, *silent* if nothing at all is said.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cypher_corruption import KINDS, Corrupted, corrupted

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.errors import AskgraphError
from askgraph.retrievers.querying.query_correction import Correction

ROOT = Path(__file__).resolve().parent
QUESTIONS = ROOT / "questions"
HETIONET = ROOT.parent / "examples" / "hetionet"
GRAPHS = {
    "movies": (QUESTIONS / "movie_nodes.csv", QUESTIONS / "movie_edges.csv"),
    "hetionet": (HETIONET / "nodes.csv", HETIONET / "edges.csv"),
}
_SEED = 6


class Judged(NamedTuple):
    """What became of a spoilt query."""

    graph: str
    id: str
    spoilt: Corrupted
    before: str
    after: str
    correction: Correction | None


def questions(name: str) -> list[dict[str, str]]:
    """The questions over a graph, each with its right query."""
    text = (QUESTIONS / f"{name}_cypher.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def aliases(name: str) -> dict[str, tuple[str, ...]]:
    """What values are called besides: other properties of the node that has them, unless others share these."""
    found: dict[str, tuple[str, ...]] = {}
    pairs = {
        "movies": ("short_name", "nickname", "catalogue_number"),
        "hetionet": ("description", "identifier"),
    }
    with GRAPHS[name][0].open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            main = row.get("name") or row.get("title") or ""
            others = tuple(row[key] for key in pairs[name] if row.get(key))
            if main and others:
                found[main] = others
    return found


@contextmanager
def opened(name: str, folder: Path, **options: Any) -> Iterator[Graph]:
    """One of the graphs, loaded into a folder."""
    load_graph(list(GRAPHS[name]), folder / f"{name}.graph")
    settings = Settings.load(
        embedder="none", save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data", **options
    )
    with open_graph(folder / f"{name}.graph", settings=settings) as graph:
        yield graph


def spoilt(name: str, half: str | None = None) -> Iterator[tuple[dict[str, str], Corrupted]]:
    """Every question of a graph, spoilt in every way that it has a place for; ``half``: of even or odd numbers."""
    known = aliases(name)
    for number, question in enumerate(questions(name)):
        if half is not None and (number % 2 == 0) != (half == "even"):
            continue
        for kind in (*KINDS, "several"):
            draw = random.Random(zlib.crc32(f"{_SEED} {name} {question['id']} {kind}".encode()))
            found = corrupted(question["cypher"], kind, draw, known)
            if found is not None and found.text != question["cypher"]:
                yield question, found


def judged(graph: Graph, name: str, half: str | None = None) -> Iterator[Judged]:
    """What becomes of each spoilt query."""
    right: dict[str, Any] = {}
    for question, found in spoilt(name, half):
        if question["id"] not in right:
            right[question["id"]] = rows_of(graph, question["cypher"])
        gold = right[question["id"]]
        before = "right" if rows_of(graph, found.text) == gold else "wrong"
        try:
            correction = graph.correct(found.text)
        except AskgraphError:
            yield Judged(name, question["id"], found, before, "reported", None)
            continue
        yield Judged(name, question["id"], found, before, verdict(graph, found, correction, gold), correction)


def verdict(graph: Graph, found: Corrupted, correction: Correction, gold: Any) -> str:
    """``"right"``, ``"reported"``, ``"shown"`` or ``"silent"``."""
    if rows_of(graph, correction.text) == gold:
        return "right"
    if any(_names(problem, wrong) for problem in correction.problems for wrong in found.wrong):
        return "reported"
    return "shown" if correction.changes else "silent"


def _names(problem: Any, wrong: str) -> bool:
    """Whether a problem says what was spoilt."""
    said = f"{problem.message} {problem.excerpt}".lower()
    return bool(wrong) and wrong.lower() in said


def rows_of(graph: Graph, text: str) -> Any:
    """The rows of a query, in any order; what cannot run gives none that are equal to any others."""
    try:
        result = graph.query(text, schema_check=False)
    except AskgraphError as error:
        return type(error).__name__
    return sorted(repr(tuple(row)) for row in result.rows)


def table(results: list[Judged]) -> list[str]:
    """The figures, a line for each way of spoiling, as a table of Markdown."""
    lines = [
        "| spoilt | queries | right as they are | right when corrected | reported | wrong, change shown | silent |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for kind in (*KINDS, "several", "all"):
        own = [
            item
            for item in results
            if kind == "all"
            or item.spoilt.kinds == (kind,)
            or (kind == "several" and len(item.spoilt.kinds) > 1)
        ]
        after = Counter(item.after for item in own)
        before = sum(item.before == "right" for item in own)
        cells = (kind, len(own), before, *(after[name] for name in ("right", "reported", "shown", "silent")))
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--half", choices=["even", "odd"], help="only the questions of even or odd numbers")
    parser.add_argument("--show", help="print the queries of this verdict: reported, shown, silent")
    arguments = parser.parse_args()
    results: list[Judged] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in GRAPHS:
            with opened(name, Path(folder)) as graph:
                results += judged(graph, name, arguments.half)
    print("\n".join(table(results)))
    for item in results:
        if item.after == arguments.show:
            _print(item)


def _print(item: Judged) -> None:
    gold = next(question for question in questions(item.graph) if question["id"] == item.id)
    print(
        f"\n{item.id} {', '.join(item.spoilt.kinds)}: {item.spoilt.wrong}\n  {gold['cypher']}\n  {item.spoilt.text}"
    )
    if item.correction is not None:
        print(f"  {item.correction.text}")
        for change in item.correction.changes:
            print(f"    * {change} ({change.confidence})")
        for problem in item.correction.problems:
            print(f"    ! {problem.severity} {problem.code}: {problem.message}. {problem.advice}")


if __name__ == "__main__":
    main()
