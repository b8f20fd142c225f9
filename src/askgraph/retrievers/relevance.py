"""How well a kind of path fits a question: by the cosine of the two in meaning, and by the words that it explains.

Both are added with fixed weights. The cosine alone (a walk with P ∝ exp(cos), as in path-aware traversal) ranks by the
first of them only, and says nothing of words that the path leaves unexplained, by which askgraph abstains.

Embedding is the slow part, and relations are few. So each kind of hop is embedded once, when the graph is indexed, and
the vector of a path is the normalised sum of the vectors of its hops: a question costs a handful of short new texts,
however many paths are weighed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..core.evidence import Mention
from ..core.schema import Schema
from ..linking.graph_index import HopVectors
from ..linking.schema_terms import HopKind, is_turn
from ..linking.vocabulary import WordMatcher
from ..linking.voice import Voice
from .word_order import WordOrder, begin, go_on

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How the parts of a score weigh: set by hand on CK25, Hetionet and small graphs; no other graph was measured.
WORDS = 0.55
MEANING = 0.30
STRAY = 0.12
FURTHER_HOP = 0.07
TURN = 0.10
DISORDER = 0.30
# The question says that something is shared, and the path does not lead back to what else has it.
UNSHARED = 0.10
# A hop is spoken of if it explains at least so much of one word.
_SPOKEN_OF = 0.35
# That each hop has a word of its own counts as much as this part of a word.
_OWN_WORD = 0.5


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
        turns: how often it goes back over the edge type that it came by, to what stands beside where it was, without
            that the question speaks of this edge type as often, or of sharing.
        shared: hops by which it goes back the way that it came, where the question asks for what is shared; their
            length does not count against it.
        disorder: the share of the question's words that it explains only against the order in which they stand; a hop
            that has no word of its own in this order counts like half a word.
        unshared: whether the question asks for what is shared, and it does not go back.
    """

    explained: NDArray[np.float64]
    meaning: float
    stray: float
    hops: int
    heard: int = 0
    silent: int = 0
    turns: int = 0
    shared: int = 0
    disorder: float = 0.0
    unshared: bool = False
    mute: int = 0

    @property
    def cost(self) -> float:
        """What its shape costs, however well its words fit."""
        further = FURTHER_HOP * max(0, self.hops - self.shared - 1)
        return further + TURN * self.turns + DISORDER * self.disorder + UNSHARED * self.unshared

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
        order: tells in which order the question speaks of what.
    """

    def __init__(
        self,
        schema: Schema,
        vectors: HopVectors,
        question_vector: NDArray[np.float32] | None,
        matcher: WordMatcher,
        named: Mapping[str, Sequence[int]] | None = None,
        voice: Voice | None = None,
        order: WordOrder | None = None,
    ) -> None:
        self.voice = voice
        self._order = order
        self.matcher = matcher
        self._named = named or {}
        self._schema = schema
        self._vectors = vectors
        self._question = question_vector
        self._hops: dict[HopKind, _Hop] = {}
        self._spoken: dict[str, int] = {}
        self._ways: dict[Mention, tuple[NDArray[np.intp], ...]] = {}
        self._told: dict[tuple[Mention, tuple[HopKind, ...]], list[NDArray[np.float64]]] = {}

    @property
    def _is_only_mention(self) -> bool:
        return self._order is not None and self._order.mentions == 1

    @property
    def nothing(self) -> NDArray[np.float64]:
        """No word explained."""
        return np.zeros(len(self.matcher.words))

    def label_of(self, hop: HopKind) -> str:
        """What the schema calls the edge type or property of a hop."""
        return self._schema.label_of(hop.type)

    def score(self, hops: Sequence[HopKind], mention: Mention | None = None) -> Score:
        """The score of a path made of these hops, from a mention if it begins at one; of staying where one is for
        none."""
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
        turning = [one.type for one, other in pairwise(hops) if is_turn(one, other)]
        sharing = self._sharing(mention)
        shared = _mirrored_hops(hops) if sharing else 0
        # "The films directed by the director of Alien" has a word for each of the two ways.
        untold = sum(self._times(edge_type) < 2 for edge_type in turning)
        disorder = self._disorder(tuple(hops), mention, explained, max(shared, min(sharing, len(turning))))
        return Score(
            self.with_sharing(explained) if turning else explained,
            self._meaning(single),
            stray,
            len(hops),
            heard,
            silent if not shared else sum(not hop.is_heard for hop in single[: len(hops) - shared]),
            max(0, untold - sharing),
            shared,
            disorder,
            # What two things have in common is where their paths meet.
            bool(sharing) and not turning and self._is_only_mention,
            sum(hop.is_mute for hop in single),
        )

    def _sharing(self, mention: Mention | None) -> int:
        return self._order.sharing(mention) if self._order is not None and mention is not None else 0

    def is_shared_with(self, mention: Mention) -> bool:
        """Whether the question asks for what shares something with what the mention names."""
        return self._sharing(mention) > 0

    def with_sharing(self, explained: NDArray[np.float64]) -> NDArray[np.float64]:
        """What a path explains that goes back to what else is so: "share" and the like too."""
        if self._order is None or not self._order.sharing_rows:
            return explained
        explained = explained.copy()
        explained[self._order.sharing_rows] = 1.0
        return explained

    def left_unsaid(self, hops: Iterable[HopKind]) -> int:
        """How often the question speaks of edge types beyond the times that these hops follow them: "who acted in the
        films directed by the director of Alien" asks for more than who directed it."""
        if self._order is None:
            return 0
        followed = Counter(hop.type for hop in hops if hop.type and not hop.is_property)
        return sum(max(0, self._times(type) - uses) for type, uses in followed.items())

    def _times(self, edge_type: str) -> int:
        """How often the question speaks of an edge type."""
        if self._order is None:
            return 0
        if edge_type not in self._spoken:
            saying = self.matcher.saying(self._schema.label_of(edge_type))
            self._spoken[edge_type] = self._order.times(saying)
        return self._spoken[edge_type]

    def _disorder(
        self, hops: tuple[HopKind, ...], mention: Mention | None, explained: NDArray[np.float64], shared: int
    ) -> float:
        """See :class:`Score`; ``shared`` is how many of the hops words like "same" speak of."""
        if self._order is None or mention is None or not len(explained):
            return 0.0
        if mention not in self._ways:
            self._ways[mention] = self._order.outward(mention)
        in_order = max(float(told[-1]) for told in self._told_by(hops, mention))
        # "German films by Ada" has no word for how films are German.
        without_word = shared + (0 if self._is_only_mention else 1)
        owed = _OWN_WORD * max(0, len(hops) - without_word)
        return max(0.0, float(explained.sum()) + owed - in_order) / len(explained)

    def _told_by(self, hops: tuple[HopKind, ...], mention: Mention) -> list[NDArray[np.float64]]:
        ways = self._ways[mention]
        if not hops:
            return begin(ways)
        known = self._told.get((mention, hops))
        if known is None:
            before = self._told_by(hops[:-1], mention)
            known = self._told[mention, hops] = go_on(
                before, self._hop(hops[-1]).explained, ways, least=_SPOKEN_OF, bonus=_OWN_WORD
            )
        return known

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


def _mirrored_hops(hops: Sequence[HopKind]) -> int:
    """By how many hops a path goes back the way that it came: all the way, or at its end by one."""
    half = len(hops) // 2
    back = [(hop.type, not hop.forward) for hop in reversed(hops[len(hops) - half :])]
    came = [(hop.type, hop.forward) for hop in hops[len(hops) - 2 * half : len(hops) - half]]
    if half and back == came:
        return half
    return int(len(hops) > 1 and is_turn(*hops[-2:]))
