"""A reading as a plan that any store runs."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field

from ..core.plan import (
    Aggregate,
    And,
    Column,
    Comparator,
    Compare,
    Condition,
    Constant,
    EdgePattern,
    Exists,
    Expression,
    IsNull,
    NodePattern,
    NodeReference,
    Not,
    Or,
    OrderBy,
    Pattern,
    Plan,
    PropertyOf,
)
from ..core.schema import Schema
from ..core.values import Value, ValueType
from ..linking.schema_terms import HopKind, hop_direction
from .hop_table import AttributeRoute
from .reading import Bound, Reading
from .routes import Route

ANSWER = "answer"
COUNT = "count"
VALUES = "values"
NODES = "nodes"
# Rows read beyond those asked for, to see which are as good as the last of them.
MOST_TIES = 50


def plan_of(reading: Reading, schema: Schema) -> Plan:
    """The plan of a reading. Its first column is the nodes asked for, or their number."""
    return _Builder(reading, schema).build()


@dataclass
class _Builder:
    reading: Reading
    schema: Schema
    nodes: list[NodePattern] = field(default_factory=list)
    edges: list[EdgePattern] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    having: list[tuple[str, Comparator, Value]] = field(default_factory=list)
    order: list[OrderBy] = field(default_factory=list)
    limit: int | None = None
    variables: int = 0

    def build(self) -> Plan:
        reading = self.reading
        own_ids = [
            route.seed.nodes for route in reading.routes if not route.hops and route.seed.value is None
        ]
        types = () if reading.target is None else (reading.target,)
        self.nodes.append(NodePattern(ANSWER, types, _intersection(own_ids)))
        for route in reading.routes:
            self._add_route(route)
        for attribute in reading.absent:
            self.conditions.append(self._absence(attribute))
        for route in reading.excluded:
            self.conditions.append(self._not_reached(route))
        answer = NodeReference(ANSWER)
        if reading.aggregate is not None and not self._is_for_each():
            self._add_bounds()
            self._add_aggregate()
        elif reading.counts:
            self._add_bounds()
            self.columns.append(Column(COUNT, Aggregate("count", answer, distinct=True)))
        else:
            self.columns.append(Column(ANSWER, answer))
            self._add_bounds(shown=not self._is_grouped())
            if reading.aggregate is not None:
                self._add_aggregate()
            self._add_scale()
            for attribute in reading.columns:
                self._add_column(attribute, optional=True)
            if reading.is_yes_no:
                self.limit = self.limit or 10
        return Plan(
            Pattern(tuple(self.nodes), tuple(self.edges)),
            tuple(self.columns),
            where=_all(self.conditions),
            having=tuple(self.having),
            order=tuple(self.order),
            limit=self.limit,
        )

    # --- the pattern

    def _new(self, stem: str) -> str:
        self.variables += 1
        return f"{stem}{self.variables}"

    def _add_route(self, route: Route) -> None:
        seed = route.seed
        here = ANSWER if not route.hops else self._new("start")
        if seed.value is not None:
            key, value = seed.value
            self.conditions.append(Compare(PropertyOf(here, key), "=", Constant(value)))
        if here != ANSWER:
            self.nodes.append(NodePattern(here, ids=() if seed.value is not None else seed.nodes))
        for position, hop in enumerate(route.hops):
            there = ANSWER if position == len(route.hops) - 1 else self._new("via")
            if there != ANSWER:
                self.nodes.append(NodePattern(there))
            self.edges.append(self._edge(here, there, hop))
            here = there

    def _edge(self, here: str, there: str, hop: HopKind, *, optional: bool = False) -> EdgePattern:
        return EdgePattern(here, there, (hop.type,), hop_direction(self.schema, hop), optional)

    def _not_reached(self, route: Route) -> Condition:
        """The nodes asked for are not at the end of this route."""
        seed = route.seed
        if not route.hops:
            if seed.value is not None:
                key, value = seed.value
                return Not(Compare(PropertyOf(ANSWER, key), "=", Constant(value)))
            return Not(Or(tuple(Compare(NodeReference(ANSWER), "=", Constant(id)) for id in seed.nodes)))
        nodes = [NodePattern(ANSWER), NodePattern(self._new("start"), ids=seed.nodes)]
        edges = []
        here = nodes[-1].variable
        for position, hop in enumerate(route.hops):
            there = ANSWER if position == len(route.hops) - 1 else self._new("via")
            if there != ANSWER:
                nodes.append(NodePattern(there))
            edges.append(self._edge(here, there, hop))
            here = there
        return Not(Exists(Pattern(tuple(nodes), tuple(edges))))

    def _follow(self, attribute: AttributeRoute, *, optional: bool) -> Expression:
        """Add the edges of an attribute, and give what is at its end."""
        here = ANSWER
        for hop in attribute.hops:
            if hop.is_property:
                return PropertyOf(here, hop.type)
            there = self._new("of")
            self.nodes.append(NodePattern(there, (hop.end,) if hop.end else ()))
            self.edges.append(self._edge(here, there, hop, optional=optional))
            here = there
        return NodeReference(here)

    # --- what is asked

    def _name(self, attribute: AttributeRoute) -> str:
        labels = [self.schema.label_of(hop.type) for hop in attribute.hops]
        name = labels[-1]
        taken = {column.name for column in self.columns}
        if name in taken:
            name = " ".join(labels)
        while name in taken:
            name += "'"
        return name

    def _add_column(self, attribute: AttributeRoute, *, optional: bool) -> str:
        name = self._name(attribute)
        self.columns.append(Column(name, self._follow(attribute, optional=optional)))
        return name

    def _add_count(self, attribute: AttributeRoute) -> str:
        name = f"number of {self._name(attribute)}"
        end = self._follow(attribute, optional=False)
        argument = end if isinstance(end, NodeReference | PropertyOf) else None
        self.columns.append(Column(name, Aggregate("count", argument, distinct=True)))
        return name

    def _add_bounds(self, *, shown: bool = False) -> None:
        """Add the conditions; ``shown``: with a column each, so that a row shows that it meets them."""
        for bound in self.reading.bounds:
            if bound.route.is_property:
                value = self._follow(bound.route, optional=False)
                self.conditions.append(_bound_condition(value, bound))
                if shown:
                    self.columns.append(Column(self._name(bound.route), value))
            else:
                self.having.append((self._add_count(bound.route), bound.comparator, bound.number))

    def _is_grouped(self) -> bool:
        """Whether something is counted or summed for each node asked for."""
        reading = self.reading
        counted = [bound.route for bound in reading.bounds] + ([reading.scale.route] if reading.scale else [])
        return reading.aggregate is not None or any(not route.is_property for route in counted)

    def _is_for_each(self) -> bool:
        """Whether a figure is made for each node asked for, not one for all."""
        return self.reading.question.form.groups is not None or self.reading.scale is not None

    def _add_aggregate(self) -> None:
        if self.reading.aggregate is None:
            return
        function, attribute = self.reading.aggregate
        name = f"{function} {self._name(attribute)}"
        argument = self._follow(attribute, optional=not self._is_for_each())
        if not isinstance(argument, NodeReference | PropertyOf):
            return
        self.columns.append(Column(name, Aggregate(function, argument)))
        if not self._is_for_each():
            # So that it is seen where some have no value.
            self.columns.append(Column(VALUES, Aggregate("count", argument)))
            self.columns.append(Column(NODES, Aggregate("count", NodeReference(ANSWER), distinct=True)))

    def _add_scale(self) -> None:
        scale = self.reading.scale
        if scale is None:
            return
        if self.reading.aggregate is not None:
            name = self.columns[-1].name
        elif scale.route.is_property:
            name = self._add_column(scale.route, optional=False)
            self.conditions.append(Not(IsNull(self.columns[-1].expression)))
        else:
            name = self._add_count(scale.route)
        self.order.append(OrderBy(name, scale.descending))
        self.limit = scale.limit + MOST_TIES

    def _absence(self, attribute: AttributeRoute) -> Condition:
        nodes = [NodePattern(ANSWER)]
        edges = []
        here = ANSWER
        last: HopKind | None = None
        for hop in attribute.hops:
            if hop.is_property:
                last = hop
                break
            there = self._new("none")
            nodes.append(NodePattern(there, (hop.end,) if hop.end else ()))
            edges.append(self._edge(here, there, hop))
            here = there
        if last is not None and here == ANSWER:
            return IsNull(PropertyOf(ANSWER, last.type))
        return Not(Exists(Pattern(tuple(nodes), tuple(edges))))


def _bound_condition(value: Expression, bound: Bound) -> Condition:
    if not bound.route.is_time or isinstance(bound.number, bool | float):
        return Compare(value, bound.comparator, Constant(bound.number))
    kinds = [_within_year(value, bound.comparator, bound.number, kind) for kind in bound.route.value_types]
    return kinds[0] if len(kinds) == 1 else Or(tuple(kinds))


def _within_year(value: Expression, comparator: Comparator, year: int, kind: ValueType) -> Condition:
    """A comparison of dates with a year: "after 2010" is from 2011 on."""
    first, beyond = Constant(_new_year(year, kind)), Constant(_new_year(year + 1, kind))
    match comparator:
        case "<":
            return Compare(value, "<", first)
        case "<=":
            return Compare(value, "<", beyond)
        case ">":
            return Compare(value, ">=", beyond)
        case ">=":
            return Compare(value, ">=", first)
    return And((Compare(value, ">=", first), Compare(value, "<", beyond)))


def _new_year(year: int, kind: ValueType) -> datetime.date:
    # A datetime is a date too; a year without a zone is compared with times without one.
    day = datetime.date(year, 1, 1)
    return datetime.datetime.combine(day, datetime.time()) if kind is ValueType.DATETIME else day


def _all(conditions: list[Condition]) -> Condition | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return And(tuple(conditions))


def _intersection(groups: list[tuple[str, ...]]) -> tuple[str, ...]:
    if not groups:
        return ()
    return tuple(id for id in groups[0] if all(id in group for group in groups[1:]))
