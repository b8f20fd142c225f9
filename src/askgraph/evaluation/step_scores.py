"""How well each step did by what the gold query is made of: seeds, evidence, and the query that was run.

=================  ===================================================================================================
seed recall        of the nodes and values that the gold query and the question name, the share that was linked
seed precision     of the nodes and values that were linked, the share that the gold query names
entity coverage    of the nodes and values that the gold query names, the share in the query or in a fact of the answer
relation coverage  of its relations, the share there; what gives names does not count, and an inverse is the same
execution          whether the query that was made gives the right results, trusted or not
=================  ===================================================================================================

Query and facts count together: what a query names is in every row that it gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..core.evidence import Fact, Link
from ..core.graph import Node
from ..core.schema import Schema
from ..core.values import display
from ..core.words import normalize
from .diagnosis import link_recall, relation_coverage
from .gold import GoldItem
from .gold_answers import Gold
from .matching import candidates_of_gold
from .query_content import QueryContent
from .scoring import score_candidates

_SEEDS: Final = frozenset({"node", "value"})


@dataclass(frozen=True, slots=True)
class StepScores:
    """Shares from 0 to 1; ``None`` where there is nothing of the kind. See the module for what each one is."""

    seed_recall: float | None = None
    seed_precision: float | None = None
    entity_coverage: float | None = None
    relation_coverage: float | None = None


def step_scores(
    gold: QueryContent,
    named: QueryContent,
    made: QueryContent,
    links: Sequence[Link],
    facts: Sequence[Fact],
    schema: Schema,
    name_keys: frozenset[str],
) -> StepScores:
    """Measure what was linked and found.

    Args:
        gold: what the gold query is made of.
        named: the same without the things of which the question does not speak.
        made: what the query is made of that was made for the question; empty where there is none.
        links: what the words of the question were linked to.
        facts: what the answer rests on.
        schema: of the graph.
        name_keys: properties that give nodes their names.
    """
    hops = (hop.type for fact in facts if fact.path is not None for hop in fact.path.hops)
    return StepScores(
        seed_recall=link_recall(named, links),
        seed_precision=_seed_precision(gold, links),
        entity_coverage=_entity_coverage(gold, made, facts),
        relation_coverage=relation_coverage(gold, [*made.relations, *hops], schema, name_keys),
    )


def gives_the_right(found: Gold, right: Gold, nodes: Mapping[str, Node]) -> bool:
    """Whether one column of a result is what is right, no more and no less.

    Args:
        found: the result of a query.
        right: the right answers.
        nodes: the nodes of both, by id.
    """
    wanted = candidates_of_gold(right.items, nodes)
    return any(
        score_candidates(candidates_of_gold(items, nodes), wanted, 1).f1 == 1 for items in _columns(found)
    )


def _columns(found: Gold) -> Iterator[Sequence[GoldItem]]:
    if not found.rows:
        yield found.items
    for place in range(max(map(len, found.rows), default=0)):
        cells = (row[place] for row in found.rows if place < len(row))
        yield tuple(dict.fromkeys(cell for cell in cells if cell is not None))


def _seed_precision(gold: QueryContent, links: Iterable[Link]) -> float | None:
    seeds = list(dict.fromkeys((link.kind, link.id, link.name) for link in links if link.kind in _SEEDS))
    if not seeds:
        return None
    texts = [normalize(text) for text in gold.texts]
    right = [
        id in gold.things or any(text in normalize(name) or normalize(name) in text for text in texts)
        for _, id, name in seeds
    ]
    return sum(right) / len(right)


def _entity_coverage(gold: QueryContent, made: QueryContent, facts: Sequence[Fact]) -> float | None:
    wanted = len(gold.things) + len(gold.texts)
    if not wanted:
        return None
    nodes = {*made.things, *(id for fact in facts for id in _nodes_of(fact))}
    found = sum(id in nodes for id in gold.things)
    said = [normalize(text) for text in (*made.texts, *(text for fact in facts for text in _texts_of(fact)))]
    found += sum(any(normalize(text) in other for other in said) for text in gold.texts)
    return found / wanted


def _nodes_of(fact: Fact) -> Iterator[str]:
    yield from fact.elements
    if fact.path is not None:
        yield from fact.path.node_ids


def _texts_of(fact: Fact) -> Iterator[str]:
    yield fact.text
    for value in (fact.row or {}).values():
        yield display(value)
