"""Which kinds of hops a schema allows from nodes of a type, and where they lead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..core.schema import UNTYPED, Schema
from ..core.values import ValueType
from ..linking.schema_terms import HopKind

_MOST_ROUTES = 4_000


@dataclass(frozen=True, slots=True)
class AttributeRoute:
    """A route over the schema from a type to a property (``value_types`` says of what kind), or to a node type."""

    hops: tuple[HopKind, ...]
    value_types: tuple[ValueType, ...] = ()

    @property
    def is_property(self) -> bool:
        """Whether it ends in a value."""
        return self.hops[-1].is_property

    @property
    def is_time(self) -> bool:
        """Whether its values are points in time."""
        return bool(self.value_types) and all(kind.is_temporal for kind in self.value_types)

    @property
    def is_truth(self) -> bool:
        """Whether its values are yes and no."""
        return self.value_types == (ValueType.BOOLEAN,)

    @property
    def is_measurable(self) -> bool:
        """Whether its values have an order that matters: numbers and times."""
        return any(kind.is_number or kind.is_temporal for kind in self.value_types)


class HopTable:
    """The hops that a schema allows. A hop that a subtype or supertype has counts for the type too."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._edges: dict[str, dict[HopKind, int]] = {}
        self._properties: dict[str, dict[str, tuple[ValueType, ...]]] = {}
        self._near: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._ends: dict[tuple[str, ...], dict[tuple[str, bool], tuple[str, ...]]] = {}
        for edge_type in schema.edge_types:
            for ends in edge_type.ends:
                self._add(HopKind(edge_type.id, True, ends.source, ends.target or None), ends.count)
                self._add(HopKind(edge_type.id, False, ends.target, ends.source or None), ends.count)
        for item in schema.properties:
            if not item.of_edges:
                self._properties.setdefault(item.owner, {})[item.key] = item.value_types

    def _add(self, hop: HopKind, count: int) -> None:
        own = self._edges.setdefault(hop.start or UNTYPED, {})
        own[hop] = own.get(hop, 0) + count

    def near(self, types: Iterable[str]) -> tuple[str, ...]:
        """These types, those below and those above them."""
        key = tuple(types)
        if key not in self._near:
            below, above = self._schema.with_subtypes(key), self._schema.supertypes(key)
            self._near[key] = tuple(dict.fromkeys([*below, *above]))
        return self._near[key]

    def ends_of(self, edge_type: str, forward: bool, types: Sequence[str]) -> tuple[str, ...]:
        """The types at the far end of a hop from nodes of these types, the most frequent first."""
        key = tuple(types)
        if key not in self._ends:
            self._ends[key] = self._all_ends(key)
        return self._ends[key].get((edge_type, forward), ())

    def _all_ends(self, types: tuple[str, ...]) -> dict[tuple[str, bool], tuple[str, ...]]:
        counts: dict[tuple[str, bool], dict[str, int]] = {}
        for start in self.near(types) if types else (UNTYPED,):
            for hop, count in self._edges.get(start, {}).items():
                if hop.end:
                    own = counts.setdefault((hop.type, hop.forward), {})
                    own[hop.end] = own.get(hop.end, 0) + count
        return {kind: tuple(sorted(own, key=lambda end: (-own[end], end))) for kind, own in counts.items()}

    def edge_hops(self, types: Sequence[str]) -> tuple[HopKind, ...]:
        """The hops over edges from nodes of these types, each end type on its own, the most frequent first."""
        found: dict[HopKind, int] = {}
        start_type = types[0] if types else None
        for start in self.near(types) if types else (UNTYPED,):
            for hop, count in self._edges.get(start, {}).items():
                same = HopKind(hop.type, hop.forward, start_type, hop.end)
                found[same] = found.get(same, 0) + count
        return tuple(sorted(found, key=lambda hop: (-found[hop], repr(hop))))

    def properties(self, types: Sequence[str]) -> dict[str, tuple[ValueType, ...]]:
        """The property keys of nodes of these types, with their value types."""
        found: dict[str, tuple[ValueType, ...]] = {}
        for start in self.near(types) if types else (UNTYPED,):
            for key, kinds in self._properties.get(start, {}).items():
                found[key] = tuple(dict.fromkeys((*found.get(key, ()), *kinds)))
        return found

    def attributes(self, types: Sequence[str], deepest: int = 2) -> list[AttributeRoute]:
        """Every route from nodes of these types to a property or a node, over at most ``deepest`` edges before it."""
        start = types[0] if types else None
        routes: list[AttributeRoute] = []
        waiting: list[tuple[tuple[HopKind, ...], Sequence[str]]] = [((), types)]
        for depth in range(deepest + 1):
            further: list[tuple[tuple[HopKind, ...], Sequence[str]]] = []
            for before, here in waiting:
                own = here[0] if here else start
                for key, kinds in self.properties(here).items():
                    routes.append(AttributeRoute((*before, HopKind(key, True, own, None, True)), kinds))
                for hop in self.edge_hops(here):
                    routes.append(AttributeRoute((*before, hop)))
                    if hop.end and depth < deepest:
                        further.append(((*before, hop), (hop.end,)))
                if len(routes) > _MOST_ROUTES:
                    return routes
            waiting = further
        return routes
