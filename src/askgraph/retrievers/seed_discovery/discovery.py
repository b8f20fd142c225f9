"""Names to nodes: by spelling, by meaning where names have vectors, and by type; then only what comes near the best.

Several ways of looking up propose candidates, in one batch for all names of a question. A candidate whose type is not
what was guessed loses some of its score. The better the best candidate of a name, the fewer others are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from ...core.graph import Node
from ...core.schema import Schema
from ...indexes.names import NameMatch
from ...linking.name_meanings import NearNode
from ...linking.names import Names
from ...stores.base import GraphStore
from .entities import NamedEntity
from .name_variations import name_variations

SearchMode = Literal["hybrid", "keyword", "semantic"]
Source = Literal["semantic", "keyword"]
# From names, and how many nodes are wanted for each, to the nodes that are near in meaning.
SemanticSearch = Callable[[Sequence[str], int], Sequence[Sequence[NearNode]]]

_CUTOFF: Final = 0.6
# A variation is a guess about what was meant.
_VARIATION: Final = 0.97
_OTHER_TYPE: Final = 0.75
# The best score from which, how far behind it others may be, and how many there may be in all.
_STEPS: Final = ((0.85, 0.05, 3), (0.75, 0.06, 3), (0.65, 0.05, 4), (0.0, 0.04, 2))
_CANDIDATES: Final = 20
# What is less near in meaning (0: nothing in common, 1: the same) is no candidate.
_LEAST_MEANING: Final = 0.25


@dataclass(frozen=True, slots=True)
class SeedNode:
    """A node from which paths may begin.

    Attributes:
        node: its id.
        label: the name that matched.
        types: its types.
        source: how it was found: by the spelling of its names or by what they mean.
        score: how well it fits, 0 to 1; its type counts.
        description: its types and all its names.
        entity: what of the question it stands for.
    """

    node: str
    label: str
    types: tuple[str, ...]
    source: Source
    score: float
    description: str
    entity: NamedEntity


class SeedDiscovery:
    """Looks up what questions name in one graph.

    Args:
        store: the graph: it says what the candidates are called besides.
        schema: tells which types lie below others.
        names: every node under every name.
        semantic: finds nodes by what their names mean, where these have vectors.
    """

    def __init__(
        self,
        store: GraphStore,
        schema: Schema,
        names: Names,
        semantic: SemanticSearch | None = None,
    ) -> None:
        self._store = store
        self._schema = schema
        self._names = names
        self._semantic = semantic

    def discover(
        self, entities: Sequence[NamedEntity], *, limit: int = 3, mode: SearchMode = "hybrid"
    ) -> list[SeedNode]:
        """The nodes that some entities may be, at most ``limit`` for each, the best first."""
        found: list[list[SeedNode]] = [[] for _ in entities]
        if mode != "semantic" or self._semantic is None:
            self._by_spelling(entities, found)
        if mode != "keyword" and self._semantic is not None:
            self._by_meaning(entities, found, limit)
        kept = [
            seed
            for entity, candidates in zip(entities, found, strict=True)
            for seed in filter_seeds(self._weighed(entity, candidates), limit)
        ]
        return self._described(kept)

    # --- candidates

    def _by_spelling(self, entities: Sequence[NamedEntity], found: list[list[SeedNode]]) -> None:
        """Each name as it is, with likeness; its variations only as they are written."""
        matches = self._names.search([entity.name for entity in entities], limit=_CANDIDATES, cutoff=_CUTOFF)
        for row, (entity, own) in enumerate(zip(entities, matches, strict=True)):
            found[row] += [_seed(entity, match, match.score) for match in own]
        self._of_guessed_types(entities, found)
        written = [
            (row, text) for row, entity in enumerate(entities) for text in name_variations(entity.name)
        ]
        others = self._names.exact([text for _, text in written], limit=_CANDIDATES)
        for (row, _), variants in zip(written, others, strict=True):
            found[row] += [_seed(entities[row], match, match.score * _VARIATION) for match in variants]

    def _of_guessed_types(self, entities: Sequence[NamedEntity], found: list[list[SeedNode]]) -> None:
        """A name that something else bears exactly may be meant less exactly, if its type was said."""
        for row, entity in enumerate(entities):
            types = frozenset(self._schema.with_subtypes(entity.types))
            if types and not any(types.intersection(seed.types) for seed in found[row]):
                (own,) = self._names.search([entity.name], limit=_CANDIDATES, types=types, cutoff=_CUTOFF)
                found[row] += [_seed(entity, match, match.score) for match in own]

    def _by_meaning(self, entities: Sequence[NamedEntity], found: list[list[SeedNode]], limit: int) -> None:
        assert self._semantic is not None
        nearest = self._semantic([entity.name for entity in entities], max(limit, _CANDIDATES))
        for row, (entity, own) in enumerate(zip(entities, nearest, strict=True)):
            found[row] += [
                SeedNode(node.id, node.name, node.types, "semantic", node.score, "", entity)
                for node in own
                if node.near >= _LEAST_MEANING
            ]

    # --- what is kept

    def _weighed(self, entity: NamedEntity, candidates: Sequence[SeedNode]) -> list[SeedNode]:
        """Each node once, under its best score; the better for having a type that was guessed."""
        wanted = frozenset(self._schema.with_subtypes(entity.types))
        best: dict[str, SeedNode] = {}
        for seed in candidates:
            fits = not wanted or not seed.types or not wanted.isdisjoint(seed.types)
            weighed = seed if fits else replace(seed, score=seed.score * _OTHER_TYPE)
            if seed.node not in best or weighed.score > best[seed.node].score:
                best[seed.node] = weighed
        return sorted(best.values(), key=lambda seed: (-seed.score, seed.label, seed.node))

    def _described(self, seeds: Sequence[SeedNode]) -> list[SeedNode]:
        ids = dict.fromkeys(seed.node for seed in seeds)
        nodes: Mapping[str, Node] = {node.id: node for node in self._store.nodes(list(ids))}
        return [replace(seed, description=self._description(seed, nodes)) for seed in seeds]

    def _description(self, seed: SeedNode, nodes: Mapping[str, Node]) -> str:
        types = ", ".join(self._schema.label_of(kind) for kind in seed.types)
        names = nodes[seed.node].names if seed.node in nodes else ()
        listed = ", ".join(dict.fromkeys([seed.label, *(name.text for name in names)]))
        return f"{types}: {listed}" if types else listed


def filter_seeds(seeds: Sequence[SeedNode], limit: int) -> list[SeedNode]:
    """Of candidates for one name, the best first, those that come near the best; the better it is, the nearer.

    Candidates that are as good as the best are homonyms: nothing here tells them apart, so all are kept up to
    ``limit``.
    """
    if not seeds:
        return []
    best = seeds[0].score
    _, margin, most = next(step for step in _STEPS if best >= step[0])
    ties = sum(seed.score == best for seed in seeds)
    kept = [seed for seed in seeds if seed.score >= best - margin]
    return kept[: min(limit, max(most, ties))]


def _seed(entity: NamedEntity, match: NameMatch, score: float) -> SeedNode:
    return SeedNode(match.id, match.name, match.types, "keyword", score, "", entity)
