"""A reading as a plan that any store runs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...core.plan import (
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
from ...core.schema import Schema
from ...core.values import Value
from ...linking.schema_terms import HopKind, hop_direction, is_turn
from ..hop_table import AttributeRoute
from .bound_conditions import bound_condition
from .reading import Figure, NameBound, Reading
from .routes import Route

ANSWER = "answer"
COUNT = "count"
VALUES = "values"
NODES = "nodes"
# Rows read beyond those asked for, to see which are as good as the last of them.
MOST_TIES = 50

_Step = tuple[str, str, bool, str | None]
"""A hop from a variable of the plan: the variable, edge type, direction, type at its end."""


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
    steps: dict[_Step, str] = field(default_factory=dict)
    route_steps: dict[_Step, str] = field(default_factory=dict)
    # Where in ``edges`` that of a hop from the nodes asked for stands: edge type and direction.
    own_edges: dict[tuple[str, bool], int] = field(default_factory=dict)

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
        for attribute in reading.present:
            if attribute not in reading.columns or not self._is_listed():
                self.conditions.append(Exists(self._pattern(attribute)))
        for route in reading.excluded:
            self.conditions.append(self._not_reached(route))
        for bound in reading.name_bounds:
            self._add_name_bound(bound)
        if reading.own_bound is not None:
            pair = (reading.own_bound.route, reading.own_bound.than)
            one, other = (self._follow(route, optional=False, along_routes=True) for route in pair)
            self.conditions.append(Compare(one, reading.own_bound.comparator, other))
        if reading.others_than:
            same = tuple(Compare(NodeReference(ANSWER), "=", Constant(id)) for id in reading.others_than)
            self.conditions.append(Not(same[0] if len(same) == 1 else Or(same)))
        self._add_what_is_asked()
        return Plan(
            Pattern(tuple(self.nodes), tuple(self.edges)),
            tuple(self.columns),
            where=_all(self.conditions),
            having=tuple(self.having),
            order=tuple(self.order),
            limit=self.limit,
        )

    def _is_listed(self) -> bool:
        """Whether the nodes asked for are listed, and not only counted or summed."""
        figure = self.reading.figure
        return not self.reading.counts and not self.reading.is_yes_no and (figure is None or figure.is_each)

    def _add_what_is_asked(self) -> None:
        reading = self.reading
        if reading.is_worked_out_of_rows and reading.difference is None:
            self.columns.append(Column(ANSWER, self._row()))
            self._add_bounds()
            if reading.figure is not None and reading.figure.route is not None:
                self._add_count(reading.figure.route)
        elif reading.figure is not None and not reading.figure.is_each:
            self._add_bounds()
            self._add_figure(reading.figure)
        elif reading.counts:
            self._add_bounds()
            self.columns.append(Column(COUNT, Aggregate("count", NodeReference(ANSWER), distinct=True)))
        else:
            self.columns.append(Column(ANSWER, self._row()))
            self._add_bounds(shown=not self._is_grouped())
            if reading.figure is not None:
                self._add_figure(reading.figure)
            self._add_scale()
            for attribute in reading.columns:
                self._add_column(attribute, optional=attribute not in reading.present)
            if reading.is_yes_no:
                self.limit = self.limit or 10

    def _row(self) -> NodeReference | PropertyOf:
        """What each row is about: a node, or the value by which the nodes are grouped."""
        if self.reading.grouped_by is None:
            return NodeReference(ANSWER)
        value = self._follow(self.reading.grouped_by, optional=False)
        self.conditions.append(Not(IsNull(value)))
        return value

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
        passed = [here]
        if route.score.shared and seed.value is None:
            # Nobody shares anything with themselves.
            own = tuple(Compare(NodeReference(ANSWER), "=", Constant(id)) for id in seed.nodes)
            self.conditions.append(Not(own[0] if len(own) == 1 else Or(own)))
        for position, hop in enumerate(route.hops):
            there = ANSWER if position == len(route.hops) - 1 else self._new("via")
            if there != ANSWER:
                only = route.layers[position].only if position < len(route.layers) else None
                self.nodes.append(NodePattern(there, (only,) if only else ()))
            else:
                self.route_steps.setdefault((ANSWER, hop.type, not hop.forward, hop.start), here)
                self.own_edges.setdefault((hop.type, not hop.forward), len(self.edges))
            self.edges.append(self._edge(here, there, hop))
            if position and is_turn(route.hops[position - 1], hop):
                # Who acted together with Ada is somebody else.
                same = Compare(NodeReference(passed[-2]), "=", NodeReference(there))
                self.conditions.append(Not(same))
            passed.append(there)
            here = there

    def _edge(self, here: str, there: str, hop: HopKind, *, optional: bool = False) -> EdgePattern:
        types = (hop.type,) if hop.type else ()
        return EdgePattern(here, there, types, hop_direction(self.schema, hop), optional)

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

    def _follow(
        self, attribute: AttributeRoute, *, optional: bool, along_routes: bool = False
    ) -> NodeReference | PropertyOf:
        """Add the edges of an attribute, and give what is at its end.

        Where two attributes begin with the same required edges, they speak of the same nodes: of "courses of more than
        5 credits that a professor teaches" those are counted that have the credits. ``along_routes``: so do an
        attribute and a route from what the question names ("the supplier of the most reliable inductor").
        """
        here = ANSWER
        if attribute.of_edge:
            return PropertyOf(self._edge_variable(attribute.hops[0]), attribute.hops[-1].type)
        for hop in attribute.hops:
            if hop.is_property:
                return PropertyOf(here, hop.type)
            here = self._step(here, hop, optional=optional, along_routes=along_routes)
        return NodeReference(here)

    def _edge_variable(self, hop: HopKind) -> str:
        """The variable of an edge of the nodes asked for: of the one by which they were reached, where it is of this
        kind."""
        own = (hop.type, hop.forward)
        if own not in self.own_edges and (hop.type, not hop.forward) in self.own_edges:
            own = (hop.type, not hop.forward)
        if own not in self.own_edges:
            self._step(ANSWER, hop, optional=False, along_routes=False)
        place = self.own_edges[own]
        edge = self.edges[place]
        if edge.variable is None:
            edge = self.edges[place] = replace(edge, variable=self._new("edge"))
        return edge.variable or ""

    def _step(self, here: str, hop: HopKind, *, optional: bool, along_routes: bool) -> str:
        step = (here, hop.type, hop.forward, hop.end)
        known = self.steps.get(step) or (self.route_steps.get(step) if along_routes else None)
        if known is not None:
            return known
        there = self._new("of")
        self.nodes.append(NodePattern(there, (hop.end,) if hop.end else ()))
        if here == ANSWER and not optional:
            self.own_edges.setdefault((hop.type, hop.forward), len(self.edges))
        self.edges.append(self._edge(here, there, hop, optional=optional))
        if not optional:
            self.steps[step] = there
        return there

    # --- what is asked

    def _name(self, attribute: AttributeRoute) -> str:
        labels = [self.schema.label_of(hop.type) for hop in attribute.hops]
        # What an edge has is not to be read as if the node had it.
        name = " ".join(labels) if attribute.of_edge else labels[-1]
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

    def _free(self, name: str) -> str:
        """The name of a column, marked where another has it: what is counted may be a bound and a figure at once."""
        taken = {column.name for column in self.columns}
        while name in taken:
            name += "'"
        return name

    def _add_count(self, attribute: AttributeRoute, *, optional: bool = False) -> str:
        name = self._free(f"number of {self._name(attribute)}")
        end = self._follow(attribute, optional=optional)
        self.columns.append(Column(name, Aggregate("count", end, distinct=True)))
        return name

    def _add_bounds(self, *, shown: bool = False) -> None:
        """Add the conditions; ``shown``: with a column each, so that a row shows that it meets them."""
        for bound in self.reading.bounds:
            if bound.route.is_property:
                value = self._follow(bound.route, optional=False, along_routes=True)
                self.conditions.append(bound_condition(value, bound))
                name = self._name(bound.route)
                if shown and all(column.expression != value for column in self.columns):
                    self.columns.append(Column(name, value))
            elif isinstance(bound.number, int | float):
                # Who has fewer than three may have none.
                optional = bound.comparator in ("<", "<=") or bound.number == 0
                name = self._add_count(bound.route, optional=optional)
                self.having.append((name, bound.comparator, bound.number))

    def _add_name_bound(self, bound: NameBound) -> None:
        own = self._follow(bound.route, optional=False, along_routes=True)
        here = self._new("than")
        self.nodes.append(NodePattern(here, ids=bound.seed.nodes))
        other: Expression = NodeReference(here)
        for hop in bound.route.hops:
            if hop.is_property:
                other = PropertyOf(here, hop.type)
                break
            there = self._new("than")
            self.nodes.append(NodePattern(there))
            self.edges.append(self._edge(here, there, hop))
            here = there
        self.conditions.append(Compare(own, bound.comparator, other))

    def _is_grouped(self) -> bool:
        """Whether something is counted or summed for each node asked for."""
        reading = self.reading
        counted = [bound.route for bound in reading.bounds]
        if reading.scale is not None and reading.scale.route is not None:
            counted.append(reading.scale.route)
        return reading.figure is not None or any(not route.is_property for route in counted)

    def _add_figure(self, figure: Figure) -> None:
        if figure.route is None:
            self.columns.append(Column(COUNT, Aggregate("count", NodeReference(ANSWER), distinct=True)))
            return
        argument = self._follow(figure.route, optional=not figure.is_each, along_routes=True)
        if figure.function == "count":
            name = self._free(f"number of {self._name(figure.route)}")
            self.columns.append(Column(name, Aggregate("count", argument, distinct=True)))
            return
        if not isinstance(argument, PropertyOf):
            return
        self.columns.append(
            Column(f"{figure.function} {self._name(figure.route)}", Aggregate(figure.function, argument))
        )
        if not figure.is_each:
            # So that it is seen where some have no value.
            self.columns.append(Column(VALUES, Aggregate("count", argument)))
            self.columns.append(Column(NODES, Aggregate("count", NodeReference(ANSWER), distinct=True)))

    def _add_scale(self) -> None:
        scale = self.reading.scale
        if scale is None:
            return
        if scale.route is None:
            name = self.columns[-1].name
        elif scale.route.is_property:
            name = self._name(scale.route)
            value = self._follow(scale.route, optional=False, along_routes=True)
            self.columns.append(Column(name, value))
            self.conditions.append(Not(IsNull(value)))
        else:
            name = self._add_count(scale.route)
        self.order.append(OrderBy(name, scale.descending))
        if scale.share is None:
            self.limit = scale.skip + scale.limit + MOST_TIES

    def _absence(self, attribute: AttributeRoute) -> Condition:
        if attribute.is_property and len(attribute.hops) == 1:
            return IsNull(PropertyOf(ANSWER, attribute.hops[0].type))
        return Not(Exists(self._pattern(attribute, knows_end=True)))

    def _pattern(self, attribute: AttributeRoute, *, knows_end: bool = False) -> Pattern:
        """The edges of an attribute, apart from those of the plan. ``knows_end``: what they lead to must be of some
        type, where others at its place are: an id of which the graph tells nothing is nobody."""
        nodes = [NodePattern(ANSWER)]
        edges = []
        here = ANSWER
        for hop in attribute.hops:
            if not hop.is_property:
                there = self._new("some")
                anything = self._known_ends(hop) if knows_end else ()
                nodes.append(NodePattern(there, (hop.end,) if hop.end else anything))
                edges.append(self._edge(here, there, hop))
                here = there
        return Pattern(tuple(nodes), tuple(edges))

    def _known_ends(self, hop: HopKind) -> tuple[str, ...]:
        ends = self.schema.edge_type(hop.type).ends
        return tuple(
            dict.fromkeys(end for pair in ends if (end := pair.target if hop.forward else pair.source))
        )


def _all(conditions: list[Condition]) -> Condition | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return And(tuple(conditions))


def _intersection(groups: list[tuple[str, ...]]) -> tuple[str, ...]:
    if not groups:
        return ()
    return tuple(id for id in groups[0] if all(id in group for group in groups[1:]))
