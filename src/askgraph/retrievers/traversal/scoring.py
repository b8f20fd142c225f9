"""How probable paths are: what their parts mean together, against the template."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from ...core.schema import Schema
from ...linking.schema_terms import HopKind
from ..hop_table import HopTable
from ..seeds import Seed
from .path_space import PathSpace, probabilities
from .relation_labels import RelationLabels
from .template import Template

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .path_space import Vector

# How much the type at the end of a hop counts against its relation.
_TYPE: Final = 0.3
# Properties of the ends of one path that are read.
_MOST_PROPERTIES: Final = 3


class PathScoring:
    """Weighs paths against one template. One for each question; the vectors of relations are kept in the space."""

    def __init__(
        self,
        schema: Schema,
        table: HopTable,
        labels: RelationLabels,
        space: PathSpace,
        template: Template,
        seeds: Sequence[Seed],
    ) -> None:
        self._schema = schema
        self._table = table
        self._labels = labels
        self._space = space
        self._properties: dict[tuple[str, ...], tuple[list[str], NDArray[np.float32]]] = {}
        names = list(dict.fromkeys(seed.name for seed in seeds))
        labels.look_up(template.relations)
        words = [labels.of(relation) for relation in template.relations]
        text, *vectors = space.texts([template.text, *words, *names])
        self.nothing = np.zeros_like(text)
        self._template = np.sum([text, *vectors[: len(words)]], axis=0)
        self._names = dict(zip(names, vectors[len(words) :], strict=True))
        self._seeds = {node: self._names[seed.name] for seed in seeds for node in seed.nodes}

    @property
    def seeds(self) -> Iterable[str]:
        """The nodes from which paths begin."""
        return self._seeds

    def start(self, seed: Seed) -> Vector:
        """The vector of a path that has only begun: the question has the name of its seed too."""
        return self._names[seed.name]

    def meeting(self, vector: Vector, met: Iterable[str]) -> Vector:
        """The vector of a path that meets other seeds: the question names them."""
        summed: Vector = np.sum([vector, *(self._seeds[node] for node in sorted(met))], axis=0)
        return summed

    def prepare(self, hops: Iterable[HopKind]) -> None:
        """Embed what is new among some kinds of hops, in one batch."""
        kinds = list(hops)
        self._labels.look_up(kind.type for kind in kinds)
        self._space.texts([word for kind in kinds for word in self.words(kind)])

    def hops(self, kinds: Sequence[HopKind], said: frozenset[str] = frozenset()) -> NDArray[np.float32]:
        """What kinds of hops add to a path that has said some words already, shape ``(kinds, dimensions)``."""
        return np.array([self._hop(kind, said) for kind in kinds])

    def _hop(self, kind: HopKind, said: frozenset[str]) -> Vector:
        """The sum of what is new: to follow a relation again makes a path no more like a template that has it once."""
        words = self.words(kind)
        vectors = self._space.texts(words)
        weights = (1.0, _TYPE)
        new = [
            vector * np.float32(weight)
            for word, vector, weight in zip(words, vectors, weights, strict=False)
            if word not in said
        ]
        summed: Vector = np.sum([self.nothing, *new], axis=0)
        return summed

    def words(self, kind: HopKind) -> tuple[str, ...]:
        """A kind of hop in words: its relation, and the type to which it leads, if this is known."""
        label = self._labels.of(kind.type)
        return (label, self._schema.label_of(kind.end)) if kind.end else (label,)

    def probabilities(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """``exp(cos)`` of some paths against the template."""
        return probabilities(vectors, self._template)

    def with_properties(self, vector: Vector, types: Sequence[str]) -> tuple[float, tuple[str, ...]]:
        """The probability of a path whose ends have these types, and those properties of theirs with which it is more
        probable than without, the best first; then the probability is that with the best."""
        alone = float(self.probabilities(vector[None, :])[0])
        keys, vectors = self._properties_of(tuple(types))
        if not keys:
            return alone, ()
        weighed = self.probabilities(vectors + vector)
        ranked = sorted((-fit, key) for fit, key in zip(weighed.tolist(), keys, strict=True) if fit > alone)
        return (-ranked[0][0] if ranked else alone), tuple(key for _, key in ranked[:_MOST_PROPERTIES])

    def _properties_of(self, types: tuple[str, ...]) -> tuple[list[str], NDArray[np.float32]]:
        if types not in self._properties:
            keys = sorted(self._table.properties(types))
            kinds = [HopKind(key, True, None, None, True) for key in keys]
            self.prepare(kinds)
            self._properties[types] = keys, self.hops(kinds)
        return self._properties[types]
