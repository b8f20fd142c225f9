"""How often an answer of the strategy ``agent`` is right, by what it stands on: with models that are wrong at times.

    python benchmarks/byokg_confidence.py                 0, 20, 40 and 60 % of errors, 2 models of each; --models N

Questions with gold queries about CK25 (SPARQL) and Hetionet (Cypher). Scripted models know the gold query and the path
to the answer, and are wrong in so many of their proposals: in the name (another thing of that type), or in the relation
(another one of the schema). Half of the time they misunderstand the question, and path and query are wrong in the same
way; else each is wrong by itself. One proposal in three has no query, one in three no path, and they expect an answer,
right as often as the rest. What they answer with is what the facts say.

Prints, for each share of errors, how many answers stood on what, and how many of these were right (F1 of 1).
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.run import Run
from askgraph.core.words import local_name
from askgraph.evaluation import GoldQuestion, read_questions
from askgraph.evaluation.gold_answers import Gold, gold_of
from askgraph.evaluation.gold_content import content_of
from askgraph.evaluation.matching import candidates_of_answers, candidates_of_gold
from askgraph.evaluation.scoring import score_candidates
from byokg import CK25, SECONDS, PerfectModel, ask

HETIONET = CK25.parent / "hetionet"
SHARES = (0.0, 0.2, 0.4, 0.6)


@dataclass(frozen=True)
class Proposed:
    """What a perfect model would propose for a question, and what is in it that may be got wrong."""

    question: GoldQuestion
    gold: Gold
    reply: str
    names: tuple[tuple[str, tuple[str, ...]], ...]
    relations: tuple[str, ...]


def part(reply: str, name: str) -> str:
    """One section of a reply."""
    return reply.partition(f"<{name}>")[2].partition(f"</{name}>")[0]


def proposals(graph: Graph, questions: Path) -> Iterator[Proposed]:
    """The questions that have a query and an answer."""
    model = PerfectModel(graph, with_queries=True)
    for question in read_questions(questions).questions:
        if question.query is None:
            continue
        gold = gold_of(question, graph.store, SECONDS)
        content = content_of(question.query, graph.schema())
        names = []
        for node in graph.store.nodes(list(content.things)):
            like = graph.store.nodes([other for other in _of_types(graph, node.types) if other != node.id])
            if node.names:
                names.append((node.name, tuple(other.name for other in like if other.names)[:50]))
        yield Proposed(question, gold, model.reply(question, gold), tuple(names), tuple(content.relations))


_known: dict[tuple[int, tuple[str, ...]], list[str]] = {}


def _of_types(graph: Graph, types: tuple[str, ...]) -> list[str]:
    key = (id(graph), types[:1])
    if key not in _known:
        found = (node.id for node in graph.store.nodes() if types and types[0] in node.types)
        _known[key] = [id for id, _ in zip(found, range(60), strict=False)]
    return _known[key]


def spoilt(text: str, proposed: Proposed, graph: Graph, chance: random.Random) -> str:
    """A path or a query with another name or another relation in it."""
    wrong = text
    if proposed.names and chance.random() < 0.5:
        name, others = chance.choice(proposed.names)
        if others:
            wrong = text.replace(name, chance.choice(others))
    if wrong == text and proposed.relations:
        relation = local_name(chance.choice(proposed.relations))
        others = [
            local_name(item.id) for item in graph.schema().edge_types if local_name(item.id) != relation
        ]
        wrong = text.replace(relation, chance.choice(others)) if others else text
    return wrong


def imperfect(proposed: Proposed, graph: Graph, errors: float, chance: random.Random) -> str:
    """What a model proposes that is wrong so often."""
    path, query = part(proposed.reply, "paths"), part(proposed.reply, "query")
    if chance.random() < errors / 2:
        seed = chance.random()
        path, query = (spoilt(text, proposed, graph, random.Random(seed)) for text in (path, query))
    else:
        path, query = (
            spoilt(text, proposed, graph, chance) if chance.random() < errors / 2 else text
            for text in (path, query)
        )
    which = chance.random()
    path, query = ("" if which < 1 / 3 else path), ("" if which > 2 / 3 else query)
    right = [item.text for item in proposed.gold.items][:1]
    others = [name for _, names in proposed.names for name in names]
    expected = right if chance.random() >= errors else chance.sample(others, 1) if others else []
    names = "\n".join(name for name, _ in proposed.names)
    return (
        f"<entities>{names}</entities>\n<paths>{path}</paths>\n<query>{query}</query>\n"
        f"<answers>{''.join(expected)}</answers>"
    )


def stood_on(run: Run) -> str:
    """What the answers of a run stand on."""
    return next((str(step.details["answers_from"]) for step in run.steps if step.name == "stop"), "nothing")


def measured(graph: Graph, asked: list[Proposed], errors: float, models: int) -> Counter[tuple[str, bool]]:
    """How many answers stood on what, and were right or not; abstentions are none."""
    found: Counter[tuple[str, bool]] = Counter()
    for number in range(models):
        for proposed in asked:
            chance = random.Random(f"{number} {errors} {proposed.question.id}")
            answer, run, _ = ask(graph, proposed.question, imperfect(proposed, graph, errors, chance))
            if answer.abstained:
                continue
            gold = proposed.gold
            ids = [*gold.node_ids, *(item.node for item in answer.answers if item.node is not None)]
            nodes = {node.id: node for node in graph.store.nodes(list(dict.fromkeys(ids)))}
            given = candidates_of_answers(answer.answers, nodes)
            right = score_candidates(given, candidates_of_gold(gold.items, nodes), 1).f1 == 1
            left_out = any(note.startswith("The model's own words") for note in answer.notes)
            found[stood_on(run) + (", its words left out" if left_out else ""), right] += 1
    return found


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--models", type=int, default=2, help="models of each share of errors")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        settings = Settings.load(save_runs=False, data_dir=Path(scratch), timeout=SECONDS)
        load_graph([HETIONET / "nodes.csv", HETIONET / "edges.csv"], Path(scratch) / "hetionet.graph")
        graphs = {
            CK25 / "graph" / "prod-inst.ttl": CK25 / "questions.yml",
            Path(scratch) / "hetionet.graph": Path(__file__).parent / "questions" / "hetionet_cypher.jsonl",
        }
        found: dict[float, Counter[tuple[str, bool]]] = {share: Counter() for share in SHARES}
        for file, questions in graphs.items():
            with open_graph(file, settings=settings) as graph:
                asked = list(proposals(graph, questions))
                for share in SHARES:
                    found[share] += measured(graph, asked, share, arguments.models)
    figures = {
        f"{share:.0%} wrong": {
            how: f"{counts[how, True]} of {counts[how, True] + counts[how, False]} right"
            for how in sorted({how for how, _ in counts})
        }
        for share, counts in found.items()
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
