"""What a question asks for, as a small tree that every store can run in its own way.

A plan is a pattern of nodes and edges, a condition on it, and what to make of the matches: columns, groups, order,
limit. It says nothing of SQL, SPARQL or Cypher. Semantics, the same in every store:

* A match binds each node variable to a node and each edge pattern to an edge; two edge patterns of one plan may bind
  the same edge (homomorphism, as in SPARQL).
* A node pattern's ``types`` are alternatives, and each means its subtypes too.
* An optional edge pattern that does not match leaves its variables null.
* A property with several values gives several matches. A comparison with null, or of values that cannot be compared
  (a number with a text), is false, and so is its negation by ``Not``: only ``IsNull`` sees a null.
* Text compares by code point; ``equals`` on a text with a language tag compares the text alone.
* Rows come in the order asked for; ties, and rows for which no order was asked, are ordered by the remaining columns
  from left to right (numbers before texts, nulls last), so that the same graph always gives the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    """An edge between two node variables; ``direction`` is seen from ``source``. ``types``: any of these; none: any."""

    source: str
    target: str
    types: tuple[str, ...] = ()
    direction: Direction = "out"
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """Nodes, and edges between them. Nodes that no edge joins multiply (a cross product)."""

    nodes: tuple[NodePattern, ...]
    edges: tuple[EdgePattern, ...] = ()


# --- expressions over a match


@dataclass(frozen=True, slots=True)
class NodeReference:
    """The node bound to a variable. In a result it is the node's id, in a column of kind ``node``."""

    variable: str


@dataclass(frozen=True, slots=True)
class PropertyOf:
    """The value of a property of the node bound to a variable; null where it has none."""

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
    """Whether a value is missing."""

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
    """The pattern matches, with the variables that it shares with the plan bound as they are."""

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


def _validate(plan: Plan) -> None:
    if not plan.pattern.nodes:
        raise PlanError("a plan needs at least one node")
    if not plan.columns:
        raise PlanError("a plan needs at least one column")
    variables = _without_repeats("node variables", [node.variable for node in plan.pattern.nodes])
    names = _without_repeats("columns", [column.name for column in plan.columns])
    for variable in _variables_of(plan):
        if variable not in variables:
            raise PlanError(f"the plan speaks of {variable!r}, which is no node of its pattern")
    for column in [item.column for item in plan.order] + [item[0] for item in plan.having]:
        if column not in names:
            raise PlanError(f"the plan orders or filters by {column!r}, which is no column of it")
    if (plan.limit is not None and plan.limit < 0) or plan.offset < 0:
        raise PlanError("a limit or offset cannot be negative")


def _without_repeats(what: str, names: list[str]) -> set[str]:
    if len(set(names)) != len(names):
        raise PlanError(f"two {what} of a plan have the same name: {', '.join(names)}")
    return set(names)


def _variables_of(plan: Plan) -> Iterator[str]:
    for edge in plan.pattern.edges:
        yield edge.source
        yield edge.target
    for column in plan.columns:
        yield from _expression_variables(column.expression)
    if plan.where is not None:
        yield from _condition_variables(plan.where)


def _expression_variables(expression: Expression | None) -> Iterator[str]:
    match expression:
        case NodeReference(variable) | PropertyOf(variable, _):
            yield variable
        case Aggregate(_, argument, _):
            yield from _expression_variables(argument)


def _condition_variables(condition: Condition) -> Iterator[str]:
    match condition:
        case Compare(left, _, right):
            yield from _expression_variables(left)
            yield from _expression_variables(right)
        case IsNull(expression):
            yield from _expression_variables(expression)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _condition_variables(part)
        case Not(part):
            yield from _condition_variables(part)


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
