"""Paths that are being followed: all instances of one kind of path from one seed, together.

Paths over the same relations from the same seed are equally like the template, so they are one entry of the queue, and
their frontier is read in one batch. What a path leads to is worked out when it is followed or collected: most never
are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from ...linking.schema_terms import HopKind
from ...stores.base import Neighbors
from ..seeds import Seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .path_space import Vector

MOST_INSTANCES: Final = 100
"""Instances of one kind of path that are looked for."""

# Edges looked at to find one way to an end.
_MOST_TRIED: Final = 200


class Crossing(NamedTuple):
    """One edge that was followed: from where, to where, and its place in the hops that were read."""

    origin: str
    target: str
    place: int


@dataclass(frozen=True, eq=False)
class FrontierHops:
    """What was read from a frontier: ``ids`` are its nodes, ``targets`` the nodes at the other ends of its hops."""

    ids: Sequence[str]
    hops: Neighbors
    targets: Sequence[str]


@dataclass(frozen=True, eq=False)
class LastHop:
    """The last hop of a path, in all its instances.

    Attributes:
        kind: the kind of hop.
        read: what was read, in which ``places`` are its edges.
        passes: whether it ends at nodes that stand for statements, so that it is no step of its own.
    """

    kind: HopKind
    read: FrontierHops
    places: NDArray[np.int64]
    passes: bool = False


@dataclass(frozen=True, eq=False)
class OpenPath:
    """A path that may be followed further.

    Attributes:
        seed: where it begins.
        before: the path without its last hop, and ``last`` that hop; ``None`` for the seed itself.
        vector: the sum of the vectors of what it is made of.
        probability: ``exp(cos)`` of the path against the template; of the path with the property of its ends that fits
            best, where that is more.
        properties: keys of the properties of its ends that are worth reading, the best first.
        met: other seeds at its ends.
        words: the texts whose vectors it is made of; what it follows twice counts once.
    """

    seed: Seed
    before: OpenPath | None
    last: LastHop | None
    vector: Vector
    probability: float
    properties: tuple[str, ...] = ()
    met: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """The edges of its last hop, but for those that would close a cycle."""
        if self.before is None or self.last is None:
            return ()
        read, unavoidable = self.last.read, self.before.unavoidable
        found = []
        for place, origin_place in zip(
            self.last.places.tolist(), read.hops.origins[self.last.places].tolist(), strict=True
        ):
            origin, target = read.ids[origin_place], read.targets[place]
            if (
                target != origin
                and target not in unavoidable.get(origin, ())
                and target not in self.seed.nodes
            ):
                found.append(Crossing(origin, target, place))
        return tuple(found)

    @cached_property
    def ends(self) -> tuple[str, ...]:
        """The nodes at its end, without repeats."""
        if self.last is None:
            return self.seed.nodes
        return tuple(dict.fromkeys(crossing.target for crossing in self.crossings))

    @cached_property
    def unavoidable(self) -> Mapping[str, frozenset[str]]:
        """For each end the nodes that lie on every way to it: to go back there would be a cycle."""
        if self.before is None:
            return {}
        found: dict[str, frozenset[str]] = {}
        for crossing in self.crossings:
            way = self.before.unavoidable.get(crossing.origin, frozenset()) | {crossing.origin}
            found[crossing.target] = found[crossing.target] & way if crossing.target in found else way
        return found

    @property
    def end_types(self) -> tuple[str, ...]:
        """The types expected at its end, the likeliest first."""
        if self.last is None:
            return self.seed.types
        return (self.last.kind.end,) if self.last.kind.end else ()

    @cached_property
    def layers(self) -> tuple[OpenPath, ...]:
        """The paths that end with each of its hops, itself at last."""
        return (*self.before.layers, self) if self.before is not None else ()

    @cached_property
    def kinds(self) -> tuple[HopKind, ...]:
        """Its kinds of hops."""
        return tuple(path.last.kind for path in self.layers if path.last is not None)

    @cached_property
    def met_on_the_way(self) -> frozenset[str]:
        """Other seeds at the ends of any of its hops."""
        return self.met if self.before is None else self.met | self.before.met_on_the_way

    @cached_property
    def depth(self) -> int:
        """Its steps; passing through a statement is none."""
        return sum(not path.ends_at_statements for path in self.layers)

    @property
    def ends_at_statements(self) -> bool:
        """Whether its ends stand for statements."""
        return self.last is not None and self.last.passes

    @cached_property
    def order(self) -> tuple[float, int, tuple[str, ...]]:
        """What orders the queue: the most probable first, the shortest of these, then by name, so that it is the same
        every time."""
        spelled = (text for kind in self.kinds for text in (kind.type, str(kind.forward), kind.end or ""))
        return (-round(self.probability, 6), len(self.kinds), (*self.seed.nodes, self.seed.name, *spelled))

    @cached_property
    def instances(self) -> tuple[tuple[Step, ...], ...]:
        """For each end one way there that visits no node twice, those first that meet another seed; the first
        :data:`MOST_INSTANCES` of them."""
        if self.last is None:
            return ()
        ends: Sequence[str] = self.ends
        if self.met:
            ends = sorted(ends, key=lambda end: end not in self.met)
        ways = (self._way_to(end) for end in ends[:MOST_INSTANCES])
        return tuple(way for way in ways if way)

    def _way_to(self, end: str) -> tuple[Step, ...]:
        """A way to an end, found from behind; empty if each tried would visit a node twice."""
        if self.before is not None and self.before.last is None:
            return ((self, self.arrivals[end][-1]),)
        waiting: list[tuple[OpenPath, str, tuple[Step, ...]]] = [(self, end, ())]
        for _ in range(_MOST_TRIED):
            if not waiting:
                break
            path, here, way = waiting.pop()
            assert path.before is not None
            for crossing in reversed(path.arrivals.get(here, ())):
                if any(crossing.origin == step[1].target for step in way):
                    continue
                longer = ((path, crossing), *way)
                if path.before.last is None:
                    return longer
                waiting.append((path.before, crossing.origin, longer))
        return ()

    @cached_property
    def arrivals(self) -> Mapping[str, Sequence[Crossing]]:
        """For each end the edges of its last hop that lead there."""
        found: dict[str, list[Crossing]] = {}
        for crossing in self.crossings:
            found.setdefault(crossing.target, []).append(crossing)
        return found

    def triple(self, crossing: Crossing) -> tuple[str, str, str]:
        """An edge of its last hop, from its source to its target."""
        assert self.last is not None
        kind = self.last.kind
        ends = (crossing.origin, crossing.target) if kind.forward else (crossing.target, crossing.origin)
        return ends[0], kind.type, ends[1]

    @cached_property
    def content(self) -> frozenset[tuple[str, str, str]]:
        """The edges of its instances as triples: what makes two paths the same subgraph."""
        return frozenset(path.triple(crossing) for instance in self.instances for path, crossing in instance)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to collect: it leads nowhere, or is a seed of which no property is worth reading."""
        return not self.instances if self.last is not None else not self.properties


Step = tuple[OpenPath, Crossing]
"""A hop of an instance: the path that ends with it, and the edge."""
