"""What a question asks for, as a small tree that every store can run in its own way.

A plan is a pattern of nodes and edges, a condition on it, and what to make of the matches: columns, groups, order,
limit. It says nothing of SQL, SPARQL or Cypher. Semantics, the same in every store:

**Matches.** A match binds each node variable to a node, each edge pattern to an edge, and each property that
the plan asks of a variable to one of its values: a key named twice for one variable is the same value both
times, a property with several values (a list of a property graph) gives several matches, and one without
values is bound to null. A required edge of the plan's own pattern may have a variable too, by which its
properties are asked for in the same way. Two edge patterns may bind the same edge (homomorphism, as in
SPARQL); parallel edges give several matches; an edge pattern of direction ``both`` follows an edge either
way, a self-loop once. A node pattern's ``types`` are alternatives and mean their subtypes too; the type
:data:`~askgraph.core.schema.UNTYPED` means nodes without any. An edge pattern's ``types`` mean exactly those.

**Optional edges.** An optional edge is followed from its ``source``. A node that is the target of an optional
edge and is touched by no required one is null where that edge does not match, and its own types and ids then
only narrow that edge; every other node is required. Where an optional edge's source is null, or its target is
required and not at its other end, it is null and removes no match. ``where`` is tested afterwards.

**Values.** These can be compared with each other: numbers (integer, decimal and float, by size, exactly but
for a decimal and a float, which are compared as floats; a NaN with nothing); texts (by code point, whatever
their language tag); booleans (no before yes); dates; date-times without a zone; date-times with one (by
instant); times of day; durations (by months and by time together: where these disagree neither is less). Any
others (points, bytes, maps, lists in lists, typed literals) only for being equal, and only within one kind. A
node reference is its id, a text. ``contains``, ``starts with`` and ``ends with`` are for texts.

**Conditions** have three outcomes, as in SQL and SPARQL: a comparison with null, or of values that cannot be
compared, is unknown; ``Not`` leaves unknown as it is; ``And`` is unknown unless a part is false, ``Or``
unless a part is true. Only what is true passes. ``IsNull`` and ``Exists`` are never unknown; a variable that
is null matches nothing in ``Exists``.

**Groups.** Values are equal for ``distinct``, for groups and for counting distinct if they are equal and of
one type: the integer 1 and the float 1.0 are two values, and so are texts whose languages differ. ``count``
counts what is not null. ``sum`` and ``average`` take the numbers and pass over the rest; a sum is exact while
it is one of integers and decimals that are not huge, else a float; an average is a float. ``minimum`` and
``maximum`` are the first and last in the order below. All but ``count`` are null where there is nothing to
take. Without other columns there is one group, be there matches or none.

**Order.** Numbers come before texts, then booleans, dates, date-times without a zone, date-times with one,
times of day, durations, everything else; null comes last, also in a descending order. Numbers that are equal
come as integer, decimal, float; a NaN after all numbers; texts that are equal, those without language first.
Ties, and rows for which no order was asked, are ordered by the other columns from left to right, so that the
same graph always gives the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .errors import PlanError
from .graph import Direction
from .values import Value, to_json_value

Comparator = Literal["=", "<>", "<", "<=", ">", ">=", "contains", "starts with", "ends with"]
AggregateFunction = Literal["count", "sum", "average", "minimum", "maximum"]


# --- the pattern


@dataclass(frozen=True, slots=True)
class NodePattern:
    """A node to find, called ``variable``. ``types``: any of these or their subtypes. ``ids``: any of these nodes."""

    variable: str
    types: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EdgePattern:
    """An edge between two node variables; ``direction`` is seen from ``source``. ``types``: any of these; none: any.

    ``variable`` is what its own properties are asked for by. It is none of the nodes' variables.
    """

    source: str
    target: str
    types: tuple[str, ...] = ()
    direction: Direction = "out"
    optional: bool = False
    variable: str | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    """Nodes, and edges between them. Nodes that no edge joins multiply (a cross product)."""

    nodes: tuple[NodePattern, ...]
    edges: tuple[EdgePattern, ...] = ()

    @property
    def edge_variables(self) -> tuple[str, ...]:
        """The variables of its edges."""
        return tuple(edge.variable for edge in self.edges if edge.variable is not None)

    @property
    def required_edges(self) -> tuple[EdgePattern, ...]:
        """The edges that a match must have, in their order."""
        return tuple(edge for edge in self.edges if not edge.optional)

    @property
    def optional_variables(self) -> tuple[str, ...]:
        """The nodes that may be null: targets of an optional edge that no required edge touches."""
        touched = {end for edge in self.required_edges for end in (edge.source, edge.target)}
        reached = {edge.target for edge in self.edges if edge.optional and edge.source != edge.target}
        return tuple(node.variable for node in self.nodes if node.variable in reached - touched)

    @property
    def optional_edges(self) -> tuple[EdgePattern, ...]:
        """The optional edges, each after the one that reaches its source.

        Raises :class:`PlanError` where no order is possible, or where two of them reach the same optional node.
        """
        may_be_null = set(self.optional_variables)
        waiting = [edge for edge in self.edges if edge.optional]
        reached: set[str] = set()
        ordered: list[EdgePattern] = []
        while waiting:
            ready = next((edge for edge in waiting if edge.source not in may_be_null - reached), None)
            if ready is None:
                raise PlanError(f"nothing leads to {waiting[0].source!r}, where an optional edge begins")
            if ready.target in may_be_null and ready.source != ready.target:
                if ready.target in reached:
                    raise PlanError(
                        f"two optional edges lead to {ready.target!r}: let one of them be required"
                    )
                reached.add(ready.target)
            waiting.remove(ready)
            ordered.append(ready)
        return tuple(ordered)


# --- expressions over a match


@dataclass(frozen=True, slots=True)
class NodeReference:
    """The node bound to a variable. In a result it is the node's id, in a column of kind ``node``."""

    variable: str


@dataclass(frozen=True, slots=True)
class PropertyOf:
    """The value of a property of the node, or edge, bound to a variable; null where it has none."""

    variable: str
    key: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A fixed value."""

    value: Value


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A value made of all matches of a group. ``argument`` ``None`` is only for ``count``: the number of matches."""

    function: AggregateFunction
    argument: NodeReference | PropertyOf | None = None
    distinct: bool = False


Expression = NodeReference | PropertyOf | Constant | Aggregate


# --- conditions on a match


@dataclass(frozen=True, slots=True)
class Compare:
    """One value against another. ``contains``, ``starts with`` and ``ends with`` ignore case."""

    left: Expression
    comparator: Comparator
    right: Expression


@dataclass(frozen=True, slots=True)
class IsNull:
    """Whether there is no value."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class And:
    """Every part holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one part holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Condition


@dataclass(frozen=True, slots=True)
class Exists:
    """The pattern matches, with the variables that it shares with the plan bound as they are.

    Its edges may end at variables of the plan that it does not list; where it lists one, its types and ids narrow it.
    """

    pattern: Pattern


Condition = Compare | IsNull | And | Or | Not | Exists


# --- the plan


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the result."""

    name: str
    expression: Expression


@dataclass(frozen=True, slots=True)
class OrderBy:
    """Order by a column of the result."""

    column: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What to find and what to make of it.

    If any column is an :class:`Aggregate`, the other columns are the groups. ``having`` holds conditions on the rows of
    the result, each a column's name, a comparator and a value; all must hold. ``distinct`` drops equal rows.
    """

    pattern: Pattern
    columns: tuple[Column, ...]
    where: Condition | None = None
    having: tuple[tuple[str, Comparator, Value], ...] = ()
    order: tuple[OrderBy, ...] = ()
    distinct: bool = True
    limit: int | None = None
    offset: int = 0

    def __post_init__(self) -> None:
        """A plan that contradicts itself is refused when it is made."""
        _validate(self)

    @property
    def is_grouped(self) -> bool:
        """Whether matches are gathered in groups (one group of everything if no other column is there)."""
        return any(isinstance(column.expression, Aggregate) for column in self.columns)


@dataclass(frozen=True, slots=True)
class _Known:
    """The variables that may be spoken of."""

    nodes: frozenset[str]
    edges: frozenset[str] = frozenset()


def _validate(plan: Plan) -> None:
    known = _Known(_validate_pattern(plan.pattern, frozenset()), _edge_variables(plan.pattern))
    if not plan.columns:
        raise PlanError("a plan needs at least one column")
    names = [column.name for column in plan.columns]
    if len(set(names)) != len(names):
        raise PlanError(f"two columns of the plan share a name: {', '.join(names)}")
    for column in plan.columns:
        _validate_expression(column.expression, known)
    if plan.where is not None:
        _validate_condition(plan.where, known)
    for name in [item.column for item in plan.order] + [item[0] for item in plan.having]:
        if name not in names:
            raise PlanError(f"the plan orders or filters by {name!r}, which is no column of it")
    if (plan.limit is not None and plan.limit < 0) or plan.offset < 0:
        raise PlanError("a limit or offset cannot be negative")


def _validate_pattern(pattern: Pattern, outer: frozenset[str]) -> frozenset[str]:
    """The variables of the pattern and those around it."""
    variables = [node.variable for node in pattern.nodes]
    if not variables and not (outer and pattern.edges):
        raise PlanError("a plan needs at least one node")
    if len(set(variables)) != len(variables):
        raise PlanError(f"a node variable stands twice in the pattern: {', '.join(variables)}")
    known = outer.union(variables)
    for edge in pattern.edges:
        for end in (edge.source, edge.target):
            if end not in known:
                raise PlanError(f"an edge of the plan ends at {end!r}, which is no node of it")
    _ = pattern.optional_edges
    return known


def _edge_variables(pattern: Pattern) -> frozenset[str]:
    """The variables of the edges of a plan's own pattern."""
    variables = pattern.edge_variables
    taken = [node.variable for node in pattern.nodes]
    for place, variable in enumerate(variables):
        if variable in taken or variable in variables[:place]:
            raise PlanError(f"the variable {variable!r} of an edge stands twice in the pattern")
    if any(edge.optional and edge.variable is not None for edge in pattern.edges):
        raise PlanError("an optional edge cannot have a variable: let the edge be required")
    return frozenset(variables)


def _validate_expression(expression: Expression | None, known: _Known) -> None:
    match expression:
        case NodeReference(variable) if variable in known.edges:
            raise PlanError(f"the plan takes {variable!r} for a node, and it is an edge of its pattern")
        case NodeReference(variable) | PropertyOf(variable, _):
            if variable not in known.nodes | known.edges:
                raise PlanError(f"the plan speaks of {variable!r}, which is no node of its pattern")
        case Aggregate(function, argument, _):
            if function != "count" and not isinstance(argument, PropertyOf):
                raise PlanError(f"{function} is of the values of a property")
            _validate_expression(argument, known)


def _validate_condition(condition: Condition, known: _Known) -> None:
    match condition:
        case Compare(left, _, right):
            for side in (left, right):
                _validate_operand(side, known)
        case IsNull(expression):
            _validate_operand(expression, known)
        case And(parts) | Or(parts):
            for part in parts:
                _validate_condition(part, known)
        case Not(part):
            _validate_condition(part, known)
        case Exists(pattern):
            _validate_pattern(pattern, known.nodes)
            if pattern.edge_variables:
                raise PlanError("only edges of the plan's own pattern have variables, not those of an Exists")


def _validate_operand(expression: Expression, known: _Known) -> None:
    if isinstance(expression, Aggregate):
        raise PlanError("a condition on matches cannot speak of a group: use having")
    _validate_expression(expression, known)


# --- what comes back

ColumnKind = Literal["node", "value"]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows that a plan or query gave.

    Attributes:
        columns: the columns' names.
        kinds: for each column whether it holds node ids (``"node"``) or values (``"value"``).
        rows: tuples of values in the order of ``columns``; null is ``None``.
        truncated: whether the budget's row cap cut more rows off.
        notes: what else was cut or guessed, in plain sentences.
    """

    columns: tuple[str, ...]
    kinds: tuple[ColumnKind, ...]
    rows: Sequence[tuple[Value, ...]]
    truncated: bool = False
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        data: Mapping[str, Any] = {
            "columns": list(self.columns),
            "kinds": list(self.kinds),
            "rows": [[to_json_value(value) for value in row] for row in self.rows],
            "truncated": self.truncated,
            "notes": list(self.notes),
        }
        return dict(data)
