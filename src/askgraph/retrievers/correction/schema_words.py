"""Which type, relation or property of a schema a name means that is none of them.

Models write ``ACTED_IN`` as ``actedIn`` or ``ACTS_IN``, ``author`` for ``writtenBy``, ``Film`` for ``Movie``. A name is
compared with every name of the schema by its letters without case and separators, by the stems of its words, by slips
of the pen, by synonyms and further labels, and last by the meaning that an embedder sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import OSA

from ...core.schema import UNTYPED, EdgeType, NodeType, Property, Schema
from ...core.words import local_name, normalize, split_identifier
from ...linking.language import Language, language
from ...models.base import Embedder
from ...querying.tokens import words

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLEAR = 0.8
"""From this likeness on a name is taken for another."""
CLEAR_IN_CONTEXT = 0.6
"""The same where only few names fit their place in the query."""
MARGIN = 0.06
"""How much more like than any other it must be."""

_SAME_LETTERS = 0.98
_SAME_STEMS = 0.94
_SAME_WORDS = 0.91
_SYNONYMS = 0.86
_INITIALS = 0.88
_ONE_SLIP = 0.92
_TWO_SLIPS = 0.86
_SHORTEST_WITH_SLIP = 4
_SHORTEST_WITH_TWO_SLIPS = 7
_PART = 0.82
_SAME_BUT_FOR_GENERAL = 0.84
_MEANING = 0.85
_PREFIX = re.compile(r"^[A-Za-z]\w{0,15}?__(?=[A-Za-z])")
# What models add to the names of types.
_GENERAL = frozenset(words("item shape entity node type class object record data info"))
# Words of identifiers that say little: has_genre, IN_GENRE and genre_of are one relation.
_LITTLE = frozenset(words("has have is are was be of the a an in to by with for at on from and get"))


@dataclass(frozen=True, slots=True)
class Choice:
    """What a name may mean.

    Attributes:
        name: the one that is meant; ``None`` if that is not clear.
        likeness: how like the best one is, 0 to 1.
        candidates: all that come into question, the likeliest first.
        reason: in what the best one is like it.
    """

    name: str | None
    likeness: float
    candidates: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class _Words:
    joined: str
    words: tuple[str, ...]
    stems: tuple[str, ...]
    telling: frozenset[str]


class SchemaWords:
    """The names of one schema, compared with what a query writes. Safe to keep and share.

    Args:
        schema: the graph's.
        rules: the language that its names are in.
        vectors: of its labels, as an index keeps them; empty without an embedder.
        embedder: for names that are like none by their words; ``None``: only words count.
    """

    def __init__(
        self,
        schema: Schema,
        rules: Language | None = None,
        vectors: Mapping[str, NDArray[np.float32]] | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self.schema = schema
        self._rules = rules or language("en")
        self._vectors = vectors or {}
        self._embedder = embedder
        self._known: dict[str, _Words] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        every: list[NodeType | EdgeType | Property] = [
            *schema.node_types,
            *schema.edge_types,
            *schema.properties,
        ]
        for item in every:
            id = item.key if isinstance(item, Property) else item.id
            own = _PREFIX.sub("", local_name(id))
            names = (*self._names.get(id, ()), own, item.label, *item.other_labels)
            self._names[id] = tuple(dict.fromkeys(name for name in names if name))

    @property
    def node_types(self) -> tuple[str, ...]:
        """The ids of all node types but that of the untyped."""
        return tuple(item.id for item in self.schema.node_types if item.id != UNTYPED)

    @property
    def edge_types(self) -> tuple[str, ...]:
        """The ids of all edge types."""
        return tuple(item.id for item in self.schema.edge_types)

    def keys(self, owners: Iterable[str] | None, *, of_edges: bool) -> tuple[str, ...]:
        """The keys of the properties of nodes or relationships of these types, subtypes and supertypes among them."""
        wanted = None
        if owners is not None:
            known = list(owners)
            wanted = frozenset(known)
            if not of_edges:
                wanted |= {*self.schema.with_subtypes(known), *self.schema.supertypes(known)}
        return tuple(
            dict.fromkeys(
                item.key
                for item in self.schema.properties
                if item.of_edges == of_edges and (wanted is None or item.owner in wanted)
            )
        )

    def choose(self, wrong: str, candidates: Sequence[str], *, clear: float = CLEAR) -> Choice:
        """Which of these names of the schema ``wrong`` means."""
        scored = sorted(
            ((*self._likeness(wrong, candidate), candidate) for candidate in dict.fromkeys(candidates)),
            key=lambda item: (-item[0], item[2]),
        )
        if (not scored or scored[0][0] < clear) and self._embedder is not None:
            scored = self._by_meaning(wrong, scored)
        near = [item for item in scored if item[0] >= _LEAST_SHOWN]
        names = tuple(item[2] for item in near[:_MOST_SHOWN])
        if not near:
            return Choice(None, 0.0, (), "")
        best, reason, name = near[0]
        second = near[1][0] if len(near) > 1 else 0.0
        is_clear = best >= clear and best - second >= MARGIN
        return Choice(name if is_clear else None, best, names, reason)

    def label_of(self, id: str) -> str:
        """What to call a part of the schema."""
        return self.schema.label_of(id)

    # Likeness

    def _likeness(self, wrong: str, candidate: str) -> tuple[float, str]:
        asked = self._taken_apart(_PREFIX.sub("", local_name(wrong)))
        names = [self._taken_apart(name) for name in self._names.get(candidate, (candidate,))]
        best = max((self._compare(asked, name) for name in names), key=lambda item: item[0])
        if best[0] >= CLEAR:
            return best
        bare = self._without_general_words(asked)
        if bare is not None:
            again = max((self._compare(bare, name) for name in names), key=lambda item: item[0])
            if again[0] >= _SAME_WORDS:
                return _SAME_BUT_FOR_GENERAL, "the same but for what says of what it is"
        return best

    def _without_general_words(self, words: _Words) -> _Words | None:
        """HardwareItem without item, productName without product; ``None`` if nothing else is left, or nothing goes."""
        kept = [word for word in words.words if word not in _GENERAL and word not in self._type_words]
        if not kept or len(kept) == len(words.words):
            general = [word for word in words.words if word not in _GENERAL]
            kept = general if general and len(general) < len(words.words) else []
        return self._taken_apart(" ".join(kept)) if kept else None

    @cached_property
    def _type_words(self) -> frozenset[str]:
        """The words that node types are called by."""
        names = [name for item in self.node_types for name in self._names.get(item, ())]
        return frozenset(word for name in names for word in self._taken_apart(name).words)

    def _taken_apart(self, name: str) -> _Words:
        known = self._known.get(name)
        if known is None:
            parts = tuple(normalize(split_identifier(name)).split())
            stems = tuple(map(self._rules.stem, parts))
            telling = [stem for stem, part in zip(stems, parts, strict=True) if part not in _LITTLE]
            known = _Words("".join(parts), parts, stems, frozenset(telling or stems))
            self._known[name] = known
        return known

    def _compare(self, one: _Words, other: _Words) -> tuple[float, str]:
        if not one.joined or not other.joined:
            return 0.0, ""
        if one.joined == other.joined:
            return _SAME_LETTERS, "the same name in another spelling"
        if self._singular(one) == self._singular(other) or one.stems == other.stems:
            return _SAME_STEMS, "another form of the same words"
        if one.telling == other.telling:
            return _SAME_WORDS, "the same words"
        if one.joined in _initials(other.words) or other.joined in _initials(one.words):
            return _INITIALS, "its initials"
        slip = self._slip(one.joined, other.joined)
        by_words = self._by_words(one, other)
        return max(
            (slip, "a slip of the pen"),
            (by_words, "words that mean the same" if by_words > _PART else "a part"),
        )

    def _singular(self, words: _Words) -> str:
        *rest, last = words.words
        return "".join([*rest, self._rules.singular(last)])

    def _slip(self, one: str, other: str) -> float:
        shortest = min(len(one), len(other))
        distance = OSA.distance(one, other, score_cutoff=3)
        if distance == 1 and shortest >= _SHORTEST_WITH_SLIP:
            return _ONE_SLIP
        if distance == 2 and shortest >= _SHORTEST_WITH_TWO_SLIPS:
            return _TWO_SLIPS
        return 0.75 * OSA.normalized_similarity(one, other)

    def _by_words(self, one: _Words, other: _Words) -> float:
        """How much of the words of either name the other says too, by stems, synonyms and who does what."""
        said = [self._same(stem, word, other) for stem, word in _pairs(one)]
        back = [self._same(stem, word, one) for stem, word in _pairs(other)]
        if not said or not back:
            return 0.0
        if min(said) >= _SYNONYMS and min(back) >= _SYNONYMS:
            return min(*said, *back)
        covered = (sum(said) + sum(back)) / (len(said) + len(back))
        # The shorter name is the whole of a part of the longer: born in birth place is less than birth in birth date.
        return _PART * max(covered, 0.95 if min(said) >= _SYNONYMS or min(back) >= _SYNONYMS else 0.0)

    def _same(self, stem: str, word: str, others: _Words) -> float:
        rules = self._rules
        best = 0.0
        for other_stem, other in zip(others.stems, others.words, strict=True):
            if rules.is_same_word(stem, other_stem):
                return 1.0
            if stem in rules.deeds(other) or other_stem in rules.deeds(word):
                best = max(best, _SYNONYMS + 0.02)
            if self._are_synonyms(word, other):
                best = max(best, _SYNONYMS)
            if self._slip(word, other) >= _TWO_SLIPS:
                best = max(best, _SYNONYMS)
        return best

    def _are_synonyms(self, one: str, other: str) -> bool:
        known, rules = self._rules.synonyms, self._rules
        for word, meant in ((one, other), (other, one)):
            listed = known.get(word, known.get(rules.singular(word), "")).split()
            if rules.stem(meant) in map(rules.stem, listed):
                return True
        return False

    def _by_meaning(
        self, wrong: str, scored: Sequence[tuple[float, str, str]]
    ) -> list[tuple[float, str, str]]:
        embedder = self._embedder
        assert embedder is not None
        text = " ".join(self._taken_apart(_PREFIX.sub("", local_name(wrong))).words)
        if not text:
            return list(scored)
        asked = embedder.embed([text])[0]
        found = []
        for likeness, reason, candidate in scored:
            labels = [normalize(split_identifier(name)) for name in self._names.get(candidate, ())]
            vectors = [self._vectors[label] for label in labels if label in self._vectors]
            cosine = max((float(asked @ vector) for vector in vectors), default=0.0)
            share = (cosine - embedder.unrelated) / (embedder.same - embedder.unrelated)
            meaning = _MEANING * min(1.0, max(0.0, share))
            found.append(max((likeness, reason, candidate), (meaning, "what it means", candidate)))
        return sorted(found, key=lambda item: (-item[0], item[2]))


_LEAST_SHOWN = 0.4
_FEWEST_WITH_INITIALS = 3
_MOST_SHOWN = 5


def _initials(words_: Sequence[str]) -> tuple[str, ...]:
    """``bom`` for bill of material, ``bom`` for a bill of material (BOM) too: of three words or more."""
    if len(words_) < _FEWEST_WITH_INITIALS:
        return ()
    found = ("".join(word[0] for word in words_), "".join(word[0] for word in words_[:-1]))
    return tuple(initials for initials in found if len(initials) >= _FEWEST_WITH_INITIALS)


def _pairs(words: _Words) -> list[tuple[str, str]]:
    pairs = list(zip(words.stems, words.words, strict=True))
    return [pair for pair in pairs if pair[1] not in _LITTLE] or pairs
