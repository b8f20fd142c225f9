"""Which kinds of hops a schema allows from nodes of a type, and where they lead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..core.schema import UNTYPED, Property, Schema
from ..core.values import Value, ValueType
from ..linking.comparisons import FIRST_YEAR, LAST_YEAR
from ..linking.schema_terms import HopKind

_MOST_ROUTES = 4_000
_WRITTEN_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ].*)?")


@dataclass(frozen=True, slots=True)
class AttributeRoute:
    """A route over the schema from a type to a property, or to a node type.

    Attributes:
        hops: its hops.
        value_types: of which kinds the values at its end are.
        has_written_dates: they are texts, and each of the samples is a date (2019-05-31).
        has_years: they are whole numbers, and each of the samples may be a year.
    """

    hops: tuple[HopKind, ...]
    value_types: tuple[ValueType, ...] = ()
    has_written_dates: bool = False
    has_years: bool = False

    @property
    def is_property(self) -> bool:
        """Whether it ends in a value."""
        return self.hops[-1].is_property

    @property
    def of_edge(self) -> bool:
        """Whether it ends in a value that an edge has."""
        return self.hops[-1].of_edge

    @property
    def edges(self) -> int:
        """How many edges it leads over before its last hop; that of which it is a property is none of them."""
        return len(self.hops) - 1 - self.of_edge

    @property
    def is_time(self) -> bool:
        """Whether its values are points in time, however they are written."""
        return self.has_written_dates or (
            bool(self.value_types) and all(kind.is_temporal for kind in self.value_types)
        )

    @property
    def is_truth(self) -> bool:
        """Whether its values are yes and no."""
        return self.value_types == (ValueType.BOOLEAN,)

    @property
    def is_measurable(self) -> bool:
        """Whether its values have an order that matters: numbers and times."""
        return self.has_written_dates or any(kind.is_number or kind.is_temporal for kind in self.value_types)


@dataclass(frozen=True, slots=True)
class ValueKind:
    """What the values of a property are: see :class:`AttributeRoute`."""

    value_types: tuple[ValueType, ...]
    has_written_dates: bool = False
    has_years: bool = False

    @classmethod
    def of(cls, item: Property) -> ValueKind:
        """What the values of a property of the schema are, judged by its samples."""
        only = item.value_types[0] if len(item.value_types) == 1 else None
        return cls(
            item.value_types,
            only is ValueType.TEXT and bool(item.samples) and all(map(_is_written_date, item.samples)),
            only is ValueType.INTEGER and bool(item.samples) and all(map(_may_be_year, item.samples)),
        )

    def or_(self, other: ValueKind) -> ValueKind:
        """What the values of either are."""
        return ValueKind(
            tuple(dict.fromkeys((*self.value_types, *other.value_types))),
            self.has_written_dates and other.has_written_dates,
            self.has_years and other.has_years,
        )


def _is_written_date(value: Value) -> bool:
    return _WRITTEN_DATE.fullmatch(str(value)) is not None


def _may_be_year(value: Value) -> bool:
    return isinstance(value, int) and FIRST_YEAR <= value <= LAST_YEAR


class HopTable:
    """The hops that a schema allows. A hop that a subtype or supertype has counts for the type too."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._edges: dict[str, dict[HopKind, int]] = {}
        self._properties: dict[str, dict[str, ValueKind]] = {}
        self._near: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._ends: dict[tuple[str, ...], dict[tuple[str, bool], tuple[str, ...]]] = {}
        for edge_type in schema.edge_types:
            # What an ontology declares and no edge has leads nowhere.
            known = [ends for ends in edge_type.ends if ends.count] or edge_type.ends
            for ends in known:
                self._add(HopKind(edge_type.id, True, ends.source, ends.target or None), ends.count)
                self._add(HopKind(edge_type.id, False, ends.target, ends.source or None), ends.count)
        self._edge_properties: dict[str, dict[str, ValueKind]] = {}
        for item in schema.properties:
            if not item.of_edges:
                self._properties.setdefault(item.owner, {})[item.key] = ValueKind.of(item)
            elif schema.kind == "property":
                self._edge_properties.setdefault(item.owner, {})[item.key] = ValueKind.of(item)

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
        found.update(self._to_supertypes(found))
        return tuple(sorted(found, key=lambda hop: (-found[hop], repr(hop))))

    def _to_supertypes(self, hops: Mapping[HopKind, int]) -> dict[HopKind, int]:
        """The hops that lead to nodes of several types, to a type above these: "products" are hardware and services."""
        above: dict[HopKind, dict[HopKind, int]] = {}
        for hop, count in hops.items():
            for kind in self._schema.supertypes([hop.end])[1:] if hop.end else ():
                above.setdefault(replace(hop, end=kind), {})[hop] = count
        return {hop: sum(own.values()) for hop, own in above.items() if len(own) > 1 and hop not in hops}

    def properties(self, types: Sequence[str]) -> dict[str, ValueKind]:
        """The property keys of nodes of these types, with what their values are."""
        found: dict[str, ValueKind] = {}
        for start in self.near(types) if types else (UNTYPED,):
            for key, kind in self._properties.get(start, {}).items():
                found[key] = found[key].or_(kind) if key in found else kind
        return found

    def edge_attributes(self, types: Sequence[str]) -> list[AttributeRoute]:
        """Every route from nodes of these types to a property of an edge that they have."""
        return [
            AttributeRoute(
                (hop, HopKind(key, True, None, None, True, of_edge=True)),
                kind.value_types,
                kind.has_written_dates,
                kind.has_years,
            )
            for hop in self.edge_hops(types)
            for key, kind in self._edge_properties.get(hop.type, {}).items()
        ]

    def edge_properties(self, edge_type: str) -> tuple[str, ...]:
        """The keys of the properties of edges of a type."""
        return tuple(self._edge_properties.get(edge_type, ()))

    def attributes(self, types: Sequence[str], deepest: int = 2) -> list[AttributeRoute]:
        """Every route from nodes of these types to a property or a node, over at most ``deepest`` edges before it."""
        start = types[0] if types else None
        routes: list[AttributeRoute] = self.edge_attributes(types)
        waiting: list[tuple[tuple[HopKind, ...], Sequence[str]]] = [((), types)]
        for depth in range(deepest + 1):
            further: list[tuple[tuple[HopKind, ...], Sequence[str]]] = []
            for before, here in waiting:
                own = here[0] if here else start
                for key, kind in self.properties(here).items():
                    hop = HopKind(key, True, own, None, True)
                    routes.append(
                        AttributeRoute(
                            (*before, hop), kind.value_types, kind.has_written_dates, kind.has_years
                        )
                    )
                for hop in self.edge_hops(here):
                    if before and (before[-1].type, before[-1].forward) == (hop.type, not hop.forward):
                        continue  # back to what stands beside the beginning
                    routes.append(AttributeRoute((*before, hop)))
                    if depth < deepest:
                        further.append(((*before, hop), (hop.end,) if hop.end else ()))
                if len(routes) > _MOST_ROUTES:
                    return routes
            waiting = further
        return routes
