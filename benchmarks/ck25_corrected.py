"""The SPARQL texts that language models wrote for CK25, as they are and corrected: how many run, how well they score.

    python benchmarks/ck25_corrected.py --data ../shared/data/ck25 [--show FILE]

The texts are read where they lie. A text scores by its rows: the F1 of the set of values in the column that agrees best
with a column of the reference query's result (queries of ASK: 1 for the right truth value); a text that does not run
scores 0. Values are compared by what they say, without language and datatype. ``--show`` writes every text that
correction changed, with its scores.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from askgraph import Graph, Settings, open_graph
from askgraph.core.errors import AskgraphError, QueryError
from askgraph.core.graph import Node
from askgraph.core.values import LanguageText, TypedLiteral
from askgraph.retrievers.querying.query_correction import Correction


class Text(NamedTuple):
    """A recorded text, of which system, for which question."""

    system: str
    question: str
    query: str


class Scored(NamedTuple):
    """What a text gave: whether it ran, how many rows, and its F1."""

    runs: bool
    rows: int
    f1: float


NOTHING = Scored(False, 0, 0.0)


def recorded(data: Path) -> Iterator[Text]:
    """The texts, by system."""
    for file in sorted((data / "recorded_predictions").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            yield Text(file.stem, str(record["id"]), record["sparql"] or "")
    for file in sorted((data / "challenge2025_cc_by_sa").glob("answers_*.json")):
        for record in json.loads(file.read_text(encoding="utf-8")):
            number = record["qname"].removeprefix("ck25:").partition("-")[0]
            yield Text(file.stem.removeprefix("answers_"), number, record["query"] or "")


def references(data: Path) -> dict[str, str]:
    """The reference query of each question."""
    import yaml

    listed = yaml.safe_load((data / "questions.yml").read_text(encoding="utf-8"))["questions"]
    # Oxigraph has no cast to xsd:int.
    return {str(item["id"]): item["query"]["sparql"].replace("xsd:int(", "xsd:integer(") for item in listed}


def columns(graph: Graph, text: str, **options: Any) -> list[frozenset[str]] | None:
    """The values of each column; ``None`` if the text does not run."""
    if not text.strip():
        return None
    try:
        result = graph.query(text, schema_check=False, timeout=20, rows=100_000, **options)
    except AskgraphError:
        return None
    return [
        frozenset(said(row[place]) for row in result.rows if row[place] is not None)
        for place in range(len(result.columns))
    ]


def said(cell: Any) -> str:
    """What a cell says, without its kind."""
    if isinstance(cell, Node):
        return cell.id
    if isinstance(cell, LanguageText | TypedLiteral):
        return cell.text
    if isinstance(cell, bool):
        return str(cell).lower()
    try:
        return f"{float(cell):.6g}"
    except (TypeError, ValueError):
        return str(cell)


def score(found: list[frozenset[str]] | None, right: list[frozenset[str]]) -> Scored:
    """The F1 of the best pair of columns."""
    if found is None:
        return NOTHING
    rows = max(map(len, found), default=0)
    return Scored(True, rows, max((f1(one, other) for one in found for other in right), default=0.0))


def f1(found: frozenset[str], right: frozenset[str]) -> float:
    """Of two sets; two empty ones agree."""
    if not found and not right:
        return 1.0
    common = len(found & right)
    return 2 * common / (len(found) + len(right))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="the folder of CK25 with the recorded texts")
    parser.add_argument("--show", type=Path, help="write what correction changed to this file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.load(
            embedder="none", save_runs=False, cache_dir=Path(folder) / "cache", data_dir=Path(folder) / "data"
        )
        with open_graph(arguments.data / "graph" / "prod-inst.ttl", settings=settings) as graph:
            figures = measured(graph, arguments.data, arguments.show)
    print("\n".join(table(figures)))


def measured(graph: Graph, data: Path, show: Path | None) -> dict[str, list[tuple[Scored, Scored, int]]]:
    """For each system the scores before and after, and how many problems were reported, text by text."""
    right = {id: columns(graph, text) or [] for id, text in references(data).items()}
    figures: dict[str, list[tuple[Scored, Scored, int]]] = defaultdict(list)
    lines: list[str] = []
    for item in recorded(data):
        before = score(columns(graph, item.query), right[item.question])
        correction = corrected(graph, item.query)
        if correction is None:
            figures[item.system].append((before, before, 0))
            continue
        after = before
        if correction.text != item.query:
            after = score(columns(graph, correction.text), right[item.question])
        problems = sum(problem.severity == "error" for problem in correction.problems)
        figures[item.system].append((before, after, problems))
        if correction.changes or problems:
            lines += shown(item, correction, before, after)
    if show is not None:
        show.write_text("\n".join(lines), encoding="utf-8")
    return figures


def corrected(graph: Graph, text: str) -> Correction | None:
    """The correction of a text; ``None`` for what is no query."""
    try:
        return graph.correct(text)
    except QueryError:
        return None


def shown(item: Text, correction: Correction, before: Scored, after: Scored) -> list[str]:
    """What was done to one text."""
    return [
        f"=== {item.system} {item.question}: {before.f1:.2f} ({before.rows}) -> {after.f1:.2f} ({after.rows})",
        item.query.strip(),
        *(f"  * {change.kind} {change} ({change.confidence})" for change in correction.changes),
        *(f"  ! {item.severity} {item.code} {item.message}. {item.advice}" for item in correction.problems),
    ]


def table(figures: dict[str, list[tuple[Scored, Scored, int]]]) -> list[str]:
    """The figures of each system, and of all."""
    lines = [
        "| system | texts | run | corrected | give rows | corrected | right | corrected | mean F1 | corrected |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    everything = [pair for pairs in figures.values() for pair in pairs]
    for system, pairs in [*figures.items(), ("all", everything)]:
        before, after = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        cells: list[Any] = [system, len(pairs)]
        cells += [sum(item.runs for item in side) for side in (before, after)]
        cells += [sum(item.rows > 0 for item in side) for side in (before, after)]
        cells += [sum(item.f1 == 1.0 for item in side) for side in (before, after)]
        cells += [f"{sum(item.f1 for item in side) / len(side):.3f}" for side in (before, after)]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


if __name__ == "__main__":
    main()
