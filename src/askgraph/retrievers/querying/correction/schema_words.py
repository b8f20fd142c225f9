"""Which type, relation or property of a schema a name means that is none of them.

Models write ``ACTED_IN`` as ``actedIn`` or ``ACTS_IN``, ``author`` for ``writtenBy``, ``Film`` for ``Movie``. A name is
compared with every name of the schema (:mod:`~askgraph.retrievers.querying.correction.name_likeness`), its further
labels included, and last by the meaning that an embedder sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ....core.schema import UNTYPED, EdgeType, NodeType, Property, Schema
from ....core.words import local_name, normalize, split_identifier
from ....linking.language import Language, language
from ....models.base import Embedder
from ....querying.tokens import words
from .name_likeness import SAME_WORDS, NameLikeness, NameParts
from .opposites import are_opposite, are_turned

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLEAR = 0.8
"""From this likeness on a name is taken for another."""
CLEAR_IN_CONTEXT = 0.6
"""The same where only few names fit their place in the query."""
MARGIN = 0.06
"""How much more like than any other it must be."""

_SAME_BUT_FOR_GENERAL = 0.84
_MEANING = 0.85
_LEAST_SHOWN = 0.4
_MOST_SHOWN = 5
_MOST_KEPT = 100_000
_PREFIX = re.compile(r"^[A-Za-z]\w{0,15}?__(?=[A-Za-z])")
# What models add to the names of types.
_GENERAL = frozenset(words("item shape entity node type class object record data info"))


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
        self._likeness = NameLikeness(rules or language("en"))
        self._compared_before: dict[tuple[tuple[str, ...], str], tuple[float, str]] = {}
        self._vectors = vectors or {}
        self._embedder = embedder
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
        asked = self._parts(wrong)
        bare = self._without_general_words(asked)
        scored = sorted(
            ((*self._compared(asked, bare, candidate), candidate) for candidate in dict.fromkeys(candidates)),
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
        is_clear = best >= clear and best - second >= MARGIN and not self._is_opposite(asked, name)
        return Choice(name if is_clear else None, best, names, reason)

    def _is_opposite(self, asked: NameParts, candidate: str) -> bool:
        """Whether a name of the schema says the opposite of what was asked for."""
        names = map(self._likeness.parts_of, self._names.get(candidate, (candidate,)))
        return any(are_opposite(asked.words, name.words) for name in names)

    def may_be_turned(self, wrong: str, name: str) -> bool:
        """Whether two names of relations may say the same the other way round; see :func:`.opposites.are_turned`."""
        one, other = (normalize(split_identifier(local_name(text))).split() for text in (wrong, name))
        return are_turned(one, other)

    def label_of(self, id: str) -> str:
        """What to call a part of the schema."""
        return self.schema.label_of(id)

    # Likeness

    def _parts(self, wrong: str) -> NameParts:
        return self._likeness.parts_of(_PREFIX.sub("", local_name(wrong)))

    def _compared(self, asked: NameParts, bare: NameParts | None, candidate: str) -> tuple[float, str]:
        """How like a name of the schema is to what was asked for, with or without its general words."""
        known = self._compared_before.get((asked.words, candidate))
        if known is None:
            if len(self._compared_before) >= _MOST_KEPT:
                self._compared_before.clear()
            known = self._compare(asked, bare, candidate)
            self._compared_before[asked.words, candidate] = known
        return known

    def _compare(self, asked: NameParts, bare: NameParts | None, candidate: str) -> tuple[float, str]:
        names = [self._likeness.parts_of(name) for name in self._names.get(candidate, (candidate,))]
        best = max((self._likeness.compare(asked, name) for name in names), key=lambda item: item[0])
        if bare is not None and best[0] < CLEAR:
            again = max(self._likeness.compare(bare, name)[0] for name in names)
            if again >= SAME_WORDS:
                return _SAME_BUT_FOR_GENERAL, "the same but for what says of what it is"
        return best

    def _without_general_words(self, asked: NameParts) -> NameParts | None:
        """HardwareItem without item, productName without product; ``None`` if nothing else is left, or nothing goes."""
        kept = [word for word in asked.words if word not in _GENERAL and word not in self._type_words]
        if not kept or len(kept) == len(asked.words):
            general = [word for word in asked.words if word not in _GENERAL]
            kept = general if general and len(general) < len(asked.words) else []
        return self._likeness.parts_of(" ".join(kept)) if kept else None

    @cached_property
    def _type_words(self) -> frozenset[str]:
        """The words that node types are called by."""
        names = [name for item in self.node_types for name in self._names.get(item, ())]
        return frozenset(word for name in names for word in self._likeness.parts_of(name).words)

    def _by_meaning(
        self, wrong: str, scored: Sequence[tuple[float, str, str]]
    ) -> list[tuple[float, str, str]]:
        embedder = self._embedder
        assert embedder is not None
        text = " ".join(self._parts(wrong).words)
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
