"""What the confidence is fitted to: for many questions what speaks against the answer, and whether it is right.

Every question is answered however unsure the answer is. Beside the questions of the benchmark there are those that a
graph has lost the answer to: of each graph copies are made that lack a third of the relations each, and the questions
whose right answers are not the same there any more are asked again. Nothing teaches better when to be silent: all their
words name what is there, but for the one thing that is asked.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyoxigraph
from answers import WRITTEN, sources, written_sets
from made_graphs import FITTING, TUNING

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.errors import AskgraphError, EvaluationError
from askgraph.core.run import Step
from askgraph.evaluation import generate_questions
from askgraph.evaluation.gold import GoldQuestion
from askgraph.evaluation.gold_answers import Gold, gold_of
from askgraph.evaluation.outcome import RIGHT
from askgraph.evaluation.scoring import score_answer

SEED = 7
_PARTS = 3
_GOLD_SECONDS = 60.0
# What gives nodes their names, or says where they come from, is never left out.
_KEPT = ("name", "label", "identifier", "id", "type", "source", "license", "url")


@dataclass(frozen=True, slots=True)
class Row:
    """An answer: of which graph and set of questions, what speaks against it, and how right it is (F1)."""

    graph: str
    set: str
    question: str
    features: Mapping[str, float]
    f1: float
    has_answer: bool

    @property
    def is_right(self) -> bool:
        """Whether the answer is called right."""
        return self.f1 >= RIGHT

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return asdict(self)


def rows(embedder: str, made: int, scratch: Path, only: str = "", strategy: str = "reading") -> Iterator[Row]:
    """The answers of a strategy to all questions of the graphs for tuning and fitting, and of their poorer copies."""
    settings = Settings.load(
        save_runs=False, embedder=embedder, cache_dir=scratch / "cache", least_confidence=0.0
    )
    for name, files in sources(scratch, (*TUNING, *FITTING), WRITTEN).items():
        if only in name:
            asked: list[tuple[str, GoldQuestion, Gold]] = []
            with _opened(files, scratch / f"{name}.graph", settings) as graph:
                relations = _relations(graph)
                for set, question, gold in _questions(name, graph, made):
                    yield from _row(graph, name, set, question, gold, strategy)
                    if not gold.is_unanswerable and question.query is not None:
                        asked.append((set, question, gold))
            random.Random(f"relations of {name}").shuffle(relations)
            for part in range(_PARTS if asked else 0):
                copy = _without(files, frozenset(relations[part::_PARTS]), scratch / f"{name} {part}")
                with _opened(copy, scratch / f"{name} {part}.graph", settings) as graph:
                    for set, question, gold in asked:
                        if _is_lost(question, gold, graph):
                            yield from _row(
                                graph, name, f"{set} lost", question, gold, strategy, is_lost=True
                            )


def _opened(files: Sequence[Path], folder: Path, settings: Settings) -> Graph:
    load_graph(files, folder)
    graph = open_graph(folder, settings=settings)
    graph.build_index()
    return graph


def _questions(name: str, graph: Graph, made: int) -> Iterator[tuple[str, GoldQuestion, Gold]]:
    sets = [(label.removeprefix(name).strip() or "written", item) for label, item in written_sets(name)]
    sets.append(("made", generate_questions(graph, made, seed=SEED)))
    for label, questions in sets:
        for question in questions.questions:
            try:
                yield label, question, gold_of(question, graph.store, _GOLD_SECONDS)
            except EvaluationError as error:
                print(f"left out: {question.text} ({error.message})")


def _row(
    graph: Graph,
    name: str,
    set: str,
    question: GoldQuestion,
    gold: Gold,
    strategy: str,
    *,
    is_lost: bool = False,
) -> Iterator[Row]:
    """The answer that is given to a question, if any is."""
    steps: list[Step] = []
    try:
        answer = graph.ask(
            question.text, strategy=strategy, save=False, on_step=lambda step, ended: steps.append(step)
        )
    except AskgraphError as error:
        print(f"no answer: {question.text} ({error.message})")
        return
    against = [step.details["against"] for step in steps if "against" in step.details]
    if answer.abstained or not answer.answers or not against:
        return
    f1 = 0.0
    if not gold.is_unanswerable:
        ids = dict.fromkeys([*gold.node_ids, *(item.node for item in answer.answers if item.node)])
        nodes = {node.id: node for node in graph.store.nodes(list(ids))}
        f1 = score_answer(answer, gold, nodes, 1).f1
    if is_lost and (f1 < 1 or [item.value for item in answer.answers] == [False]):
        f1 = 0.0  # right only by chance: the graph does not tell
    yield Row(name, set, question.text, against[-1], f1, not gold.is_unanswerable and not is_lost)


# --- copies that lack some relations


def _relations(graph: Graph) -> list[str]:
    schema = graph.schema()
    found = [item.id for item in schema.edge_types] + [item.key for item in schema.properties]
    return sorted({relation for relation in found if not relation.lower().endswith(_KEPT)})


def _is_lost(question: GoldQuestion, gold: Gold, graph: Graph) -> bool:
    """Whether the graph does not hold the right answer any more."""
    try:
        return frozenset(gold_of(question, graph.store, _GOLD_SECONDS).items) != frozenset(gold.items)
    except EvaluationError:
        return True


def _without(files: Sequence[Path], relations: frozenset[str], folder: Path) -> list[Path]:
    """Copies of the files of a graph without some edge types and properties."""
    folder.mkdir(parents=True)
    if files[0].suffix == ".csv":
        return [_table_without(file, relations, folder / file.name) for file in files]
    if files[0].suffix == ".jsonl":
        return [_objects_without(file, relations, folder / file.name) for file in files]
    return [_triples_without(file, relations, folder / f"{file.stem}.nt") for file in files]


def _table_without(file: Path, relations: frozenset[str], copy: Path) -> Path:
    with file.open(encoding="utf-8", newline="") as opened:
        table = list(csv.DictReader(opened))
    keys = [key for key in table[0] if key not in relations]
    with copy.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.DictWriter(opened, keys, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(line for line in table if line["type"] not in relations)
    return copy


def _objects_without(file: Path, relations: frozenset[str], copy: Path) -> Path:
    """Nodes and relationships as Neo4j exports them."""
    with file.open(encoding="utf-8") as opened, copy.open("w", encoding="utf-8") as written:
        for line in opened:
            item = json.loads(line)
            if item.get("label") in relations:
                continue
            kept = {key: value for key, value in item["properties"].items() if key not in relations}
            written.write(json.dumps({**item, "properties": kept}) + "\n")
    return copy


def _triples_without(file: Path, relations: frozenset[str], copy: Path) -> Path:
    """What is said of the relations themselves goes with them."""

    def speaks_of_them(quad: pyoxigraph.Quad) -> bool:
        terms = (quad.subject, quad.predicate, quad.object)
        return any(isinstance(term, pyoxigraph.NamedNode) and term.value in relations for term in terms)

    kept = [quad.triple for quad in pyoxigraph.parse(path=str(file)) if not speaks_of_them(quad)]
    pyoxigraph.serialize(kept, output=str(copy), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return copy
