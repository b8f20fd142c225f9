"""How well a kind of path fits a question: by the cosine of the two in meaning, and by the words that it explains.

Both are added with fixed weights. The cosine alone (a walk with P ∝ exp(cos), as in path-aware traversal) ranks by the
first of them only, and says nothing of words that the path leaves unexplained, by which askgraph abstains.

Embedding is the slow part, and relations are few. So each kind of hop is embedded once, when the graph is indexed, and
the vector of a path is the normalised sum of the vectors of its hops: a question costs a handful of short new texts,
however many paths are weighed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..core.evidence import Mention
from ..core.schema import Schema
from ..linking.graph_index import HopVectors
from ..linking.schema_terms import HopKind, is_turn
from ..linking.vocabulary import WordMatcher
from ..linking.voice import Voice
from .path_scores import Score, Scores
from .word_order import WordOrder, begin, go_on

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A hop is spoken of if it explains at least so much of one word.
_SPOKEN_OF = 0.35
# That each hop has a word of its own counts as much as this part of a word.
_OWN_WORD = 0.5


@dataclass(frozen=True, slots=True)
class _Hop:
    """What one kind of hop adds to a path: as in :class:`Score`, and its vector (empty without an embedder)."""

    explained: NDArray[np.float64]
    stray: float
    is_heard: bool
    is_mute: bool
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Beginning:
    """What the hops of a path add up to, whichever follow: sums as in :class:`_Hop`, and the edge types over which it
    goes back."""

    explained: NDArray[np.float64]
    stray: float
    heard: int
    mute: int
    turning: tuple[str, ...]
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
        self._types: dict[str, NDArray[np.float64]] = {}
        self._beginnings: dict[tuple[HopKind, ...], _Beginning] = {}
        self._shares: dict[Mention, int] = {}
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
        return self.scores(tuple(hops[:-1]), hops[-1:], mention)[0]

    def scores(
        self, before: tuple[HopKind, ...], lasts: Sequence[HopKind], mention: Mention | None = None
    ) -> Scores:
        """The scores of the paths that go on from one by each of some hops; at least one hop is given."""
        beginning = self._beginning(before)
        single = [self._hop(hop) for hop in lasts]
        length = len(before) + 1
        own = np.array([hop.explained for hop in single])
        explained = np.maximum(beginning.explained, own)
        stray = (beginning.stray + np.array([hop.stray for hop in single])) / length
        is_heard = np.array([hop.is_heard for hop in single])
        heard = beginning.heard + is_heard
        # A last hop that nobody spoke of leads away from what was asked.
        silent = length - heard + (~is_heard if length > 1 else 0)
        mute = beginning.mute + np.array([hop.is_mute for hop in single])
        turning = [self._turning(before, hop) for hop in lasts]
        sharing = self._sharing(mention)
        shared = np.zeros(len(lasts), dtype=np.int64)
        if sharing:
            shared = np.array([_mirrored_hops((*before, hop)) for hop in lasts])
            silent = np.where(shared > 0, self._silent_out(before, shared), silent)
        turns = np.array([len(types) for types in turning])
        # "The films directed by the director of Alien" has a word for each of the two ways.
        untold = np.array([sum(self._times(edge_type) < 2 for edge_type in types) for types in turning])
        spoken_shared = np.maximum(shared, np.minimum(sharing, turns))
        return Scores(
            np.where((turns > 0)[:, None], self.with_sharing(explained), explained),
            self._meanings(beginning.vector, single),
            stray,
            length,
            heard,
            silent,
            np.maximum(0, untold - sharing),
            shared,
            self._disorder(before, own, mention, explained, spoken_shared),
            # What two things have in common is where their paths meet.
            (turns == 0) & bool(sharing and self._is_only_mention),
            mute,
        )

    def is_heard(self, before: tuple[HopKind, ...], last: HopKind) -> bool:
        """Whether a word of the question speaks of any hop of a path."""
        return self._beginning(before).heard > 0 or self._hop(last).is_heard

    def _beginning(self, hops: tuple[HopKind, ...]) -> _Beginning:
        """What is known of a path, whichever hop follows: worked out once for a question."""
        known = self._beginnings.get(hops)
        if known is None:
            if not hops:
                known = _Beginning(self.nothing, 0.0, 0, 0, (), self._vectors.nothing)
            else:
                before, last = self._beginning(hops[:-1]), self._hop(hops[-1])
                known = _Beginning(
                    np.maximum(before.explained, last.explained),
                    before.stray + last.stray,
                    before.heard + last.is_heard,
                    before.mute + last.is_mute,
                    self._turning(hops[:-1], hops[-1]),
                    before.vector + last.vector,
                )
            self._beginnings[hops] = known
        return known

    def _turning(self, before: tuple[HopKind, ...], last: HopKind) -> tuple[str, ...]:
        """The edge types over which a path goes back where it came."""
        turning = self._beginning(before).turning
        return (*turning, last.type) if before and is_turn(before[-1], last) else turning

    def _silent_out(self, before: tuple[HopKind, ...], shared: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many hops are not spoken of, but for the last ones, by which a path goes back."""
        counts = np.cumsum([0, *(not self._hop(hop).is_heard for hop in before)])
        silent: NDArray[np.int64] = counts[len(before) + 1 - np.maximum(shared, 1)]
        return silent

    def _sharing(self, mention: Mention | None) -> int:
        if self._order is None or mention is None:
            return 0
        if mention not in self._shares:
            self._shares[mention] = self._order.sharing(mention)
        return self._shares[mention]

    def is_shared_with(self, mention: Mention) -> bool:
        """Whether the question asks for what shares something with what the mention names."""
        return self._sharing(mention) > 0

    def with_sharing(self, explained: NDArray[np.float64]) -> NDArray[np.float64]:
        """What a path explains that goes back to what else is so: "share" and the like too. Paths may be rows."""
        if self._order is None or not self._order.sharing_rows:
            return explained
        explained = explained.copy()
        explained[..., self._order.sharing_rows] = 1.0
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
        self,
        before: tuple[HopKind, ...],
        own: NDArray[np.float64],
        mention: Mention | None,
        explained: NDArray[np.float64],
        shared: NDArray[np.int64],
    ) -> NDArray[np.float64]:
        """See :class:`Score`; ``own`` is what the last hop of each path explains, ``explained`` what the whole path
        does, and ``shared`` how many of its hops words like "same" speak of."""
        count = explained.shape[1]
        if self._order is None or mention is None or not count:
            return np.zeros(len(explained))
        told = self._told_by(before, mention)
        in_order = np.max(
            [way[:, -1] for way in go_on(told, own, self._ways[mention], least=_SPOKEN_OF, bonus=_OWN_WORD)],
            axis=0,
        )
        # "German films by Ada" has no word for how films are German.
        without_word = shared + (0 if self._is_only_mention else 1)
        owed = _OWN_WORD * np.maximum(0, len(before) + 1 - without_word)
        disorder: NDArray[np.float64] = np.maximum(0.0, explained.sum(axis=1) + owed - in_order) / count
        return disorder

    def _told_by(self, hops: tuple[HopKind, ...], mention: Mention) -> list[NDArray[np.float64]]:
        if mention not in self._ways and self._order is not None:
            self._ways[mention] = self._order.outward(mention)
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
        known = self._types.get(type_id)
        if known is None:
            known = self.nothing
            for kind in self._schema.supertypes([type_id]):
                known = np.maximum(known, self.matcher.explained_by_type(self._schema.label_of(kind)))
                known[list(self._named.get(kind, ()))] = 1.0
            self._types[type_id] = known
        return known.copy()

    def _meanings(self, before: NDArray[np.float32], lasts: Sequence[_Hop]) -> NDArray[np.float64]:
        """The cosine of the question and each path: of the sum of the hops before and one of the last."""
        if self._question is None:
            return np.zeros(len(lasts))
        summed = before + np.array([hop.vector for hop in lasts])
        lengths = np.sqrt((summed * summed).sum(axis=1, dtype=np.float64))
        along = (summed * self._question).sum(axis=1, dtype=np.float64)
        cosines: NDArray[np.float64] = np.divide(along, lengths, out=np.zeros_like(along), where=lengths > 0)
        return np.maximum(0.0, cosines)


def _mirrored_hops(hops: Sequence[HopKind]) -> int:
    """By how many hops a path goes back the way that it came: all the way, or at its end by one."""
    half = len(hops) // 2
    back = [(hop.type, not hop.forward) for hop in reversed(hops[len(hops) - half :])]
    came = [(hop.type, hop.forward) for hop in hops[len(hops) - 2 * half : len(hops) - half]]
    if half and back == came:
        return half
    return int(len(hops) > 1 and is_turn(*hops[-2:]))
