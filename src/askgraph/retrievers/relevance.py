"""How well a kind of path fits a question: by the cosine of the two in meaning, and by the words that it explains.

Both are added with fixed weights. The cosine alone (a walk with P ∝ exp(cos), as in path-aware traversal) ranks by the
first of them only, and says nothing of words that the path leaves unexplained, by which askgraph abstains.

Embedding is the slow part, and relations are few. So each kind of hop is embedded once, when the graph is indexed, and
the vector of a path is the normalised sum of the vectors of its hops: a question costs a handful of short new texts,
however many paths are weighed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..core.evidence import Mention
from ..core.schema import Schema
from ..linking.graph_index import HopVectors
from ..linking.schema_terms import HopKind
from ..linking.vocabulary import WordMatcher
from ..linking.voice import Voice
from .hop_order import HopOrder

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How the parts of a score weigh: set by hand on CK25, Hetionet and small graphs; no other graph was measured.
WORDS = 0.55
MEANING = 0.30
STRAY = 0.12
FURTHER_HOP = 0.07
TURN = 0.10
# Going back over the same relations is what "authors born in the same city as Ada" asks for.
SHARED = 0.10
MISPLACED = 0.08
# A hop is spoken of if it explains at least so much of one word.
_SPOKEN_OF = 0.35
# And a word says a relation if it explains so much of it.
_SAID = 0.85


@dataclass(frozen=True)
class Score:
    """How well a path fits.

    Attributes:
        explained: for each content word of the question how much of it the path explains, 0 to 1.
        meaning: the cosine of path and question, not below 0.
        stray: the share of the path's words that the question does not speak of.
        hops: its length.
        heard: how many of its hops a word of the question speaks of.
        silent: how many it does not speak of; one more where the last of several is among them.
        mute: how many of its hops no word speaks of by their own label, wherever they lead.
        turns: how often it goes back over the edge type that it came by, to what stands beside where it was.
        shared: hops by which it goes back all the way that it came, where the question asks for what is shared; neither
            length nor turning counts against these.
        misplaced: how many hops come before one that the question says nearer to where the path begins.
    """

    explained: NDArray[np.float64]
    meaning: float
    stray: float
    hops: int
    heard: int = 0
    silent: int = 0
    turns: int = 0
    shared: int = 0
    misplaced: int = 0
    mute: int = 0

    @property
    def cost(self) -> float:
        """What its shape costs, however well its words fit."""
        further = FURTHER_HOP * max(0, self.hops - self.shared - 1)
        bonus = SHARED if self.shared else 0.0
        return further + TURN * self.turns + MISPLACED * self.misplaced - bonus

    @property
    def total(self) -> float:
        """What ranks paths of one question."""
        words = float(self.explained.sum()) / len(self.explained) if len(self.explained) else 1.0
        return WORDS * words + MEANING * self.meaning - STRAY * self.stray - self.cost


@dataclass(frozen=True, slots=True)
class _Hop:
    """What one kind of hop adds to a path: as in :class:`Score`, and its vector (empty without an embedder)."""

    explained: NDArray[np.float64]
    stray: float
    is_heard: bool
    said: tuple[int, ...]
    is_mute: bool
    vector: NDArray[np.float32]


class Relevance:
    """Weighs kinds of paths against one question.

    Args:
        schema: of the graph.
        vectors: of its kinds of hops.
        question_vector: of the question with its mentions replaced by their types; ``None`` without an embedder.
        matcher: of the question's content words.
        named: for each type that the question names outright, the rows of the matcher's words that name it.
        voice: tells in which direction the question follows a relation.
        order: tells in which order it follows several.
    """

    def __init__(
        self,
        schema: Schema,
        vectors: HopVectors,
        question_vector: NDArray[np.float32] | None,
        matcher: WordMatcher,
        named: Mapping[str, Sequence[int]] | None = None,
        voice: Voice | None = None,
        order: HopOrder | None = None,
    ) -> None:
        self.voice = voice
        self._order = order
        self.matcher = matcher
        self._named = named or {}
        self._schema = schema
        self._vectors = vectors
        self._question = question_vector
        self._hops: dict[HopKind, _Hop] = {}

    @property
    def nothing(self) -> NDArray[np.float64]:
        """No word explained."""
        return np.zeros(len(self.matcher.words))

    def label_of(self, hop: HopKind) -> str:
        """What the schema calls the edge type or property of a hop."""
        return self._schema.label_of(hop.type)

    def score(self, hops: Sequence[HopKind], mention: Mention | None = None) -> Score:
        """The score of a path from a mention made of these hops; of staying where one is for none."""
        if not hops:
            return Score(self.nothing, 0.0, 0.0, 0)
        single = [self._hop(hop) for hop in hops]
        explained = single[0].explained
        for other in single[1:]:
            explained = np.maximum(explained, other.explained)
        stray = sum(hop.stray for hop in single) / len(single)
        # A last hop that nobody spoke of leads away from what was asked.
        heard = sum(hop.is_heard for hop in single)
        silent = len(hops) - heard + (1 if len(hops) > 1 and not single[-1].is_heard else 0)
        turns = sum(one.type == other.type and one.forward != other.forward for one, other in pairwise(hops))
        shared = self._shared(hops, mention)
        if shared:
            turns = 0
            silent = sum(not hop.is_heard for hop in single[: len(hops) - shared])
            explained = np.maximum(explained, self._sharing)
        misplaced = 0
        if self._order is not None and mention is not None and len(hops) > 1 and not shared:
            misplaced = self._order.misplaced([hop.said for hop in single], mention)
        return Score(
            explained,
            self._meaning(single),
            stray,
            len(hops),
            heard,
            silent,
            turns,
            shared,
            misplaced,
            mute=sum(hop.is_mute for hop in single),
        )

    def _shared(self, hops: Sequence[HopKind], mention: Mention | None) -> int:
        """By how many hops a path goes back all the way that it came by, if the question asks for what is shared."""
        if mention is None or self.voice is None or not self.voice.is_shared_with(mention):
            return 0
        half = len(hops) // 2
        back = [(hop.type, not hop.forward) for hop in reversed(hops[len(hops) - half :])]
        came = [(hop.type, hop.forward) for hop in hops[len(hops) - 2 * half : len(hops) - half]]
        if half and back == came:
            return half
        one, other = hops[-2:] if len(hops) > 1 else (None, None)
        return int(
            one is not None and other is not None and one.type == other.type and one.forward != other.forward
        )

    @cached_property
    def _sharing(self) -> NDArray[np.float64]:
        """The words that ask for what is shared: a way back explains these."""
        sharing = self.voice.sharing_words if self.voice is not None else frozenset()
        return np.array([float(word in sharing) for word in self.matcher.words])

    def _hop(self, hop: HopKind) -> _Hop:
        """What is known of one kind of hop: worked out once for a question, however many paths have it."""
        known = self._hops.get(hop)
        if known is None:
            explained = self.explained([hop])
            label = self._schema.label_of(hop.type)
            heard = self.matcher.explained(label)
            known = self._hops[hop] = _Hop(
                explained,
                self.matcher.stray(label),
                bool(explained.max(initial=0.0) >= _SPOKEN_OF),
                tuple(np.flatnonzero(heard >= _SAID).tolist()),
                bool(heard.max(initial=0.0) < _SPOKEN_OF),
                self._vectors.of(hop),
            )
        return known

    def explained(self, hops: Iterable[HopKind]) -> NDArray[np.float64]:
        """How much of each content word the hops and the types at their ends explain."""
        explained = self.nothing
        for hop in hops:
            explained = np.maximum(explained, self.matcher.explained(self._schema.label_of(hop.type)))
            if hop.end:
                explained = np.maximum(explained, self.explained_by_type(hop.end))
        return explained

    def explained_by_type(self, type_id: str) -> NDArray[np.float64]:
        """How much of each content word the names of a node type and of those above it explain."""
        explained = self.nothing
        for kind in self._schema.supertypes([type_id]):
            explained = np.maximum(explained, self.matcher.explained_by_type(self._schema.label_of(kind)))
            explained[list(self._named.get(kind, ()))] = 1.0
        return explained

    def _meaning(self, hops: Sequence[_Hop]) -> float:
        if self._question is None:
            return 0.0
        summed = np.zeros_like(self._question)
        for hop in hops:
            summed += hop.vector
        length = math.sqrt(float(summed @ summed))
        return max(0.0, float(self._question @ summed) / length) if length else 0.0
