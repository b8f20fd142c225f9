"""Where paths begin: the nodes that a mention names, or those that have the value it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.budget import Budget
from ..core.evidence import Link, Mention
from ..core.plan import Column, Compare, Constant, NodePattern, NodeReference, Pattern, Plan, PropertyOf
from ..linking.linked_question import LinkedQuestion
from ..linking.property_values import NamedValue, value_of
from ..stores.base import GraphStore


@dataclass(frozen=True, slots=True)
class Seed:
    """Nodes from which paths are followed together.

    Attributes:
        mention: the words that name them.
        name: the name that matched.
        score: of the link, 0 to 1.
        nodes: their ids: one, or several of one name and type, or all that have ``value``.
        types: their types.
        value: the property's key and value, for a mention of a value.
    """

    mention: Mention
    name: str
    score: float
    nodes: tuple[str, ...]
    types: tuple[str, ...]
    value: tuple[str, NamedValue] | None = None


def seeds_of(question: LinkedQuestion, store: GraphStore, budget: Budget) -> list[Seed]:
    """The seeds of a question. Nodes of one name and the same types make one seed: nothing tells them apart."""
    grouped: dict[tuple[Mention, tuple[str, ...]], list[Link]] = {}
    seeds: list[Seed] = []
    for link in question.things:
        if link.kind == "node":
            key = (link.mention, tuple(sorted(link.types)))
            grouped.setdefault(key, []).append(link)
        else:
            seeds.append(_value_seed(link, store, budget))
    for links in grouped.values():
        best = max(links, key=lambda link: link.score)
        nodes = tuple(dict.fromkeys(link.id for link in links))
        seeds.append(Seed(best.mention, best.name, best.score, nodes, best.types))
    kept = [seed for seed in seeds if seed.nodes]
    return sorted(kept, key=lambda seed: (seed.mention.start, -seed.score, seed.name, seed.nodes))


def _value_seed(link: Link, store: GraphStore, budget: Budget) -> Seed:
    key, value = value_of(link.id)
    table = store.run(
        Plan(
            Pattern((NodePattern("node"),)),
            (Column("node", NodeReference("node")),),
            where=Compare(PropertyOf("node", key), "=", Constant(value)),
        ),
        budget,
    )
    nodes = tuple(str(row[0]) for row in table.rows)
    return Seed(link.mention, link.name, link.score, nodes, _common_types(store, nodes), (key, value))


def _common_types(store: GraphStore, nodes: Sequence[str]) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for node in store.nodes(nodes[:50]):
        for kind in node.types:
            counts[kind] = counts.get(kind, 0) + 1
    return tuple(sorted(counts, key=lambda kind: (-counts[kind], kind)))
