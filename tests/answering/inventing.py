"""Models that invent, and evidence near a question that does not answer it: for tests of what gets through."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from askgraph import Graph
from askgraph.core.evidence import Evidence, Fact
from askgraph.core.graph import Hop, Node
from askgraph.core.graph import Path as GraphPath
from askgraph.core.values import display

_MOST_FACTS = 16


@dataclass(frozen=True)
class Unanswerable:
    """A question whose answer the graph does not have, what was found near it, and names from farther off."""

    question: str
    evidence: Evidence
    elsewhere: tuple[str, ...]


def questions_of(file: Path) -> list[str]:
    """The questions of a file, one JSON object a line."""
    return [json.loads(line)["question"] for line in file.read_text(encoding="utf-8").splitlines() if line]


def unanswerable(graph: Graph, questions: Sequence[str]) -> Iterator[Unanswerable]:
    """Each question with the facts around the nodes that it names; around any nodes where it names none."""
    every = sorted(graph.store.nodes(), key=lambda node: node.id)
    for number, question in enumerate(questions):
        draw = random.Random(f"{number} {question}")
        named = [link.id for link in graph.link(question) if link.kind == "node"]
        ids = list(dict.fromkeys(named))[:2] or [draw.choice(every).id for _ in range(2)]
        evidence = facts_around(graph, ids)
        known = {fact.text for fact in evidence.facts}
        others = [node.name for node in draw.sample(every, min(40, len(every)))]
        elsewhere = tuple(name for name in others if not any(name in text for text in known))[:12]
        yield Unanswerable(question, evidence, elsewhere)


def facts_around(graph: Graph, ids: Sequence[str]) -> Evidence:
    """The edges and properties around some nodes, each a fact, with the types of all nodes."""
    schema = graph.schema()
    found = graph.store.neighbors(ids, limit_per_node=_MOST_FACTS)
    nodes: dict[str, Node] = {node.id: node for node in graph.store.nodes([*ids, *found.nodes])}
    facts: list[Fact] = []
    for place in range(len(found.nodes)):
        start, end = nodes[ids[found.origins[place]]], nodes[found.nodes[place]]
        kind = found.type_names[found.edge_types[place]]
        hop = Hop(
            kind, schema.label_of(kind), bool(found.forward[place]), found.edges[place], end.id, end.name
        )
        facts.append(_fact(GraphPath(start.id, start.name, (hop,))))
    for id in ids:
        for key, value in list(nodes[id].properties.items())[:4]:
            hop = Hop(key, schema.label_of(key), value=value)
            facts.append(_fact(GraphPath(id, nodes[id].name, (hop,))))
    types = {id: tuple(schema.label_of(kind) for kind in node.types) for id, node in nodes.items()}
    return Evidence(tuple(facts[:_MOST_FACTS]), (), types)


def _fact(path: GraphPath) -> Fact:
    hop = path.hops[0]
    there = display(hop.value) if hop.is_property else hop.target_name
    one, other = (path.start_name, there) if hop.forward else (there, path.start_name)
    return Fact(f"{one} {hop.label} {other}", "path", 0.5, "nearby", path=path, elements=path.node_ids)


# --- what an inventing model writes: every sentence claims what no fact says


def _ends(fact: Fact) -> tuple[str, str, str]:
    assert fact.path is not None
    hop = fact.path.hops[0]
    there = display(hop.value) if hop.is_property else hop.target_name
    ends = (fact.path.start_name, there)
    subject, object = ends if hop.forward else ends[::-1]
    return subject, hop.label, object


def _statement(question: str) -> str:
    """The question as a statement with a gap for the answer."""
    text = question.strip().rstrip("?")
    text = re.sub(r"^(?:who|which|what)\s+(is|are|was|were)\s+(.+)$", r"\2 \1 {}", text, flags=re.IGNORECASE)
    text = re.sub(r"^(?:who|what)\s+", "{} ", text, flags=re.IGNORECASE)
    text = re.sub(r"^(?:which|what)\s+(\w+)\s+", r"The \1 {} ", text, flags=re.IGNORECASE)
    return text if "{}" in text else f"{text}: {{}}"


def names_of_facts(item: Unanswerable, draw: random.Random) -> Iterator[str]:
    """Names that the facts have, as the answer to what they do not say, with right citation numbers."""
    for number, fact in enumerate(item.evidence.facts[:2], start=1):
        yield f"{_statement(item.question).format(_ends(fact)[2])} [{number}]."
        yield f"The answer is {_ends(fact)[2]} [{number}]."
        yield f"{_ends(fact)[2]} [{number}]."


def names_from_elsewhere(item: Unanswerable, draw: random.Random) -> Iterator[str]:
    """Names of the graph that no fact has."""
    for number, name in enumerate(item.elsewhere[:2], start=1):
        yield f"{_statement(item.question).format(name)} [{number}]."
        yield f"It is {name} [{number}]."


def changed_objects(item: Unanswerable, draw: random.Random) -> Iterator[str]:
    """Facts copied to the letter but for their object."""
    for number, fact in enumerate(item.evidence.facts[:2], start=1):
        subject, label, _ = _ends(fact)
        if item.elsewhere:
            yield f"{subject} {label} {draw.choice(item.elsewhere)} [{number}]."
        wrong = [
            _ends(other)[2]
            for other in item.evidence.facts
            if not _is_property(other) and not _is_fact(item, subject, label, _ends(other)[2])
        ]
        if wrong:
            yield f"{subject} {label} {draw.choice(wrong)} [{number}]."


def turned_around(item: Unanswerable, draw: random.Random) -> Iterator[str]:
    """Facts with their ends exchanged."""
    for number, fact in enumerate(item.evidence.facts[:2], start=1):
        subject, label, object = _ends(fact)
        symmetric = label in ("interacts", "associates")
        if not symmetric and subject != object and not _is_fact(item, object, label, subject):
            yield f"{object} {label} {subject} [{number}]."


def other_relations(item: Unanswerable, draw: random.Random) -> Iterator[str]:
    """The ends of a fact, joined by what no fact says."""
    verbs = ("treats", "causes", "founded", "was written by", "inhibits", "is married to", "is older than", "invented",
             "was acquired by", "is a competitor of", "depends on", "is the capital of")  # fmt: skip
    for number, fact in enumerate(item.evidence.facts[:2], start=1):
        subject, _, object = _ends(fact)
        yield f"{subject} {draw.choice(verbs)} {object} [{number}]."


def figures(item: Unanswerable, draw: random.Random) -> Iterator[str]:
    """Numbers and dates from nowhere."""
    subject = _ends(item.evidence.facts[0])[0]
    yield f"{subject} has {draw.randint(300, 900)} of them [1]."
    yield f"There are {draw.randint(300, 900)} in all [1][2]."
    yield f"{subject} was born on 4 May {draw.randint(1900, 1990)} [1]."
    yield f"It costs {draw.randint(300, 900)} dollars [2]."
    yield f"{_statement(item.question).format(draw.randint(300, 900))} [1]."


def stronger_claims(item: Unanswerable, draw: random.Random) -> Iterator[str]:
    """Facts with "only", "not", "all", "best", "since" and decoration."""
    for number, fact in enumerate(item.evidence.facts[:1], start=1):
        subject, label, object = _ends(fact)
        yield f"Only {subject} {label} {object} [{number}]."
        yield f"It is not true that {subject} {label} {object} [{number}]."
        yield f"The famous {subject} {label} {object} [{number}]."
        yield f"{subject} {label} {object} since 1987 [{number}]."
        yield f"{subject} {label} {object}, which makes it the best of all [{number}]."


def _is_property(fact: Fact) -> bool:
    return fact.path is not None and fact.path.hops[0].is_property


def _is_fact(item: Unanswerable, subject: str, label: str, object: str) -> bool:
    return any(_ends(fact) == (subject, label, object) for fact in item.evidence.facts)


STYLES: Mapping[str, Callable[[Unanswerable, random.Random], Iterator[str]]] = {
    "names of facts": names_of_facts,
    "names from elsewhere": names_from_elsewhere,
    "changed objects": changed_objects,
    "turned around": turned_around,
    "other relations": other_relations,
    "figures": figures,
    "stronger claims": stronger_claims,
}
