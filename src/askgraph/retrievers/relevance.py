"""How well a kind of path fits a question: P ∝ exp(cos(path text, question)), with the words they share.

Embedding is the slow part, and relations are few. So each kind of hop is embedded once, when the graph is indexed, and
the vector of a path is the normalised sum of the vectors of its hops: a question costs one new embedding, however many
paths are weighed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..core.schema import Schema
from ..core.words import normalize
from ..linking.graph_index import HopVectors
from ..linking.language import Language
from ..linking.schema_terms import HopKind, hop_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How the parts of a score weigh; chosen on the example graphs (see docs/confidence.md).
_MEANING = 0.55
_WORDS = 0.45
_STRAY_WORDS = 0.10
_EACH_FURTHER_HOP = 0.04
_TYPE_AGREES = 0.15
_TYPE_DISAGREES = 0.15


@dataclass(frozen=True, slots=True)
class Score:
    """How well a path fits: ``total`` ranks, ``meaning`` is the cosine, ``words`` the share of the question's words
    that the path explains, both 0 to 1."""

    total: float
    meaning: float
    words: float

    @property
    def weight(self) -> float:
        """The unnormalised probability of a Markov walk along the path: exp(cos)."""
        return math.exp(self.meaning)


class Relevance:
    """Weighs kinds of paths against one question.

    Args:
        schema: of the graph.
        vectors: of its kinds of hops.
        question_vector: of the question with its mentions replaced by their types; ``None`` without an embedder.
        question_stems: the question's content words that name no node, by stem.
        asked_types: the node types that the question names, with their subtypes.
        rules: the question's language.
    """

    def __init__(
        self,
        schema: Schema,
        vectors: HopVectors,
        question_vector: NDArray[np.float32] | None,
        question_stems: Sequence[str],
        asked_types: Sequence[str],
        rules: Language,
    ) -> None:
        self._schema = schema
        self._vectors = vectors
        self._question = question_vector
        self._stems = frozenset(question_stems)
        self._asked_types = frozenset(asked_types)
        self._rules = rules
        self._stems_by_hop: dict[HopKind, frozenset[str]] = {}

    def score(self, hops: Sequence[HopKind]) -> Score:
        """The score of a path made of these hops."""
        meaning = self._meaning(hops)
        words, stray = self._words(hops)
        total = (_MEANING * meaning + _WORDS * words) if self._question is not None else words
        total -= _STRAY_WORDS * stray + _EACH_FURTHER_HOP * (len(hops) - 1)
        total += self._type_agreement(hops[-1])
        return Score(total, meaning, words)

    def _meaning(self, hops: Sequence[HopKind]) -> float:
        if self._question is None:
            return 0.0
        summed = np.zeros_like(self._question)
        for hop in hops:
            summed += self._vectors.of(hop)
        length = float(np.linalg.norm(summed))
        return float(self._question @ summed) / length if length else 0.0

    def _words(self, hops: Sequence[HopKind]) -> tuple[float, float]:
        """The share of the question's words that the hops have, and the share of theirs that it has not."""
        own = frozenset[str]().union(*(self._hop_stems(hop) for hop in hops))
        if not own:
            return 0.0, 0.0
        shared = len(own & self._stems)
        return shared / max(1, len(self._stems)), 1 - shared / len(own)

    def _hop_stems(self, hop: HopKind) -> frozenset[str]:
        if hop not in self._stems_by_hop:
            text = normalize(
                hop_text(self._schema, HopKind(hop.type, hop.forward, None, hop.end, hop.is_property))
            )
            self._stems_by_hop[hop] = frozenset(self._rules.content_stems(text))
        return self._stems_by_hop[hop]

    def _type_agreement(self, last: HopKind) -> float:
        if not self._asked_types:
            return 0.0
        if last.is_property:
            return 0.0
        if last.end is None:
            return -_TYPE_DISAGREES / 2
        if last.end in self._asked_types:
            return _TYPE_AGREES
        above = self._schema.supertypes([last.end])
        return _TYPE_AGREES if self._asked_types.intersection(above) else -_TYPE_DISAGREES


class HopEnds:
    """Which type is most often at the far end of a hop, by the schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._ends: dict[tuple[str, bool], dict[str, list[tuple[int, str]]]] = {}
        for edge_type in schema.edge_types:
            for ends in edge_type.ends:
                self._add((edge_type.id, True), ends.source, ends.target, ends.count)
                self._add((edge_type.id, False), ends.target, ends.source, ends.count)

    def _add(self, key: tuple[str, bool], start: str, end: str, count: int) -> None:
        self._ends.setdefault(key, {}).setdefault(start, []).append((-count, end))

    def end_of(self, edge_type: str, forward: bool, starts: Sequence[str]) -> str | None:
        """The type at the far end of the hop from a node of these types."""
        by_start: Mapping[str, list[tuple[int, str]]] = self._ends.get((edge_type, forward), {})
        found = [item for start in starts or ("",) for item in by_start.get(start, ())]
        return min(found)[1] or None if found else None
