"""A plan as one Cypher query, with parameters for all values and ids.

The rows are those that :mod:`askgraph.core.plan` describes, but for these differences, which no query can avoid or
which would cost every query its indexes:

* A property is read as several values (a list) only if its key had a list among the values that were sampled; what a
  key is compared as, and ordered as, is what was sampled of it. A node that differs from all that were seen may be
  missed.
* Bytes are lists of numbers to Neo4j, and are read as such. No server has decimals: one is compared as a float.
* A sum of integers beyond 64 bits is a float. NaN is unequal to everything, where a plan calls that unknown.
* Two times of one instant in different zones are two values for ``distinct`` and for groups.
* Without case means the server's ``toLower``. Texts are ordered as the server orders them: by code point on Neo4j.
* Integers and floats that are equal are one value for ``distinct`` within a sum or an average.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ...core.hidden import NOTHING_HIDDEN, Hidden
from ...core.plan import (
    Aggregate,
    And,
    Compare,
    Condition,
    Constant,
    Exists,
    Expression,
    IsNull,
    NodeReference,
    Not,
    Or,
    Plan,
    PropertyOf,
)
from ...core.schema import Schema
from ..plan_names import check_plan_names, conditions_within, properties_of
from .cypher_pattern import Names, PatternWriter
from .cypher_values import (
    UNKNOWN,
    Comparisons,
    Operand,
    kinds_of_constant,
    operand_of_types,
    sent_constant,
)
from .engines import Engine
from .introspection import KeyTypes

_NUMBER: Final = Operand("", ("number",), is_sure=True, has_both_numbers=False)
_ID: Final = ("text",)


@dataclass(frozen=True, slots=True)
class PlannedCypher:
    """A plan as a query.

    Attributes:
        text: in Cypher.
        parameters: values of :mod:`askgraph.core.values` by name.
        constants: for each column that is a constant its value, which is not asked of the server.
    """

    text: str
    parameters: Mapping[str, Any]
    constants: Mapping[int, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """The query, with its parameters as comments before it."""
        lines = [f"// ${name}: {value!r}" for name, value in self.parameters.items()]
        return "\n".join([*lines, self.text])


@dataclass(frozen=True, slots=True)
class GraphWords:
    """What the wording of a query depends on besides the plan.

    Attributes:
        engine: that will run it.
        schema: of the graph, without what is hidden.
        key_types: what was seen of each key of nodes.
        edge_key_types: what was seen of each key of edges.
        hidden: what is not to be seen.
        hidden_labels: labels among it.
        hidden_types: relationship types among it.
    """

    engine: Engine
    schema: Schema
    key_types: Mapping[str, KeyTypes] = field(default_factory=dict)
    edge_key_types: Mapping[str, KeyTypes] = field(default_factory=dict)
    hidden: Hidden = NOTHING_HIDDEN
    hidden_labels: Sequence[str] = ()
    hidden_types: Sequence[str] = ()


def plan_to_cypher(plan: Plan, words: GraphWords, most_rows: int | None = None) -> PlannedCypher:
    """A plan as a query.

    Args:
        plan: what to find.
        words: of the graph and its engine.
        most_rows: rows that are wanted at most, if the plan allows more.

    Raises:
        PlanError: the plan names a type or key that the graph does not have.
    """
    check_plan_names(plan, words.schema)
    return _Query(plan, words, most_rows).planned()


class _Query:
    """Writes one plan."""

    def __init__(self, plan: Plan, words: GraphWords, most_rows: int | None) -> None:
        self._plan = plan
        self._words = words
        self._engine = words.engine
        self._most_rows = most_rows
        self._names = Names(words.engine)
        self._patterns = PatternWriter(
            words.engine, words.schema, self._names, words.hidden_labels, words.hidden_types
        )
        self._compare = Comparisons(words.engine)
        for node in plan.pattern.nodes:
            self._names.variable(node.variable)
        self._optional = set(plan.pattern.optional_variables)
        self._of_edges = frozenset(plan.pattern.edge_variables)
        self._unwound = {
            item: f"v{number}" for number, item in enumerate(properties_of(plan)) if self._may_be_list(item)
        }

    def planned(self) -> PlannedCypher:
        """The whole query."""
        early, late = self._split_conditions()
        lines = self._patterns.required(self._plan.pattern)
        if early:
            lines[-1] += (" AND " if " WHERE " in lines[-1] else " WHERE ") + " AND ".join(early)
        lines += self._patterns.optional(self._plan.pattern)
        lines += [f"UNWIND {self._values_of(item)} AS {name}" for item, name in self._unwound.items()]
        if self._engine.forgets_conditions and self._plan.is_grouped and self._optional:
            late.append("true")
        if late:
            lines.append(f"WITH * WHERE {' AND '.join(late)}")
        lines += self._result()
        constants = {
            position: column.expression.value
            for position, column in enumerate(self._plan.columns)
            if isinstance(column.expression, Constant)
        }
        return PlannedCypher("\n".join(lines), self._names.parameters, constants)

    # --- values

    def _seen(self, item: PropertyOf) -> KeyTypes | None:
        of_edge = item.variable in self._of_edges
        return (self._words.edge_key_types if of_edge else self._words.key_types).get(item.key)

    def _may_be_list(self, item: PropertyOf) -> bool:
        seen = self._seen(item)
        return seen is None or seen.has_lists

    def _values_of(self, item: PropertyOf) -> str:
        """A list of the values of a property: the one, those of a list, or null alone."""
        value = self._property(item)
        lists = f"CASE WHEN size({value}) = 0 THEN [null] ELSE {value} END"
        return f"CASE WHEN {self._engine.is_list(value)} THEN {lists} ELSE [{value}] END"

    def _property(self, item: PropertyOf) -> str:
        variable = self._names.variable(item.variable)
        value = f"{variable}.{self._engine.name(item.key)}"
        owners = [
            entry.removesuffix(f".{item.key}")
            for entry in self._words.hidden.properties
            if entry.endswith(f".{item.key}")
        ]
        if not owners:
            return value
        if item.variable in self._of_edges:
            hides = f"type({variable}) IN {self._names.parameter(owners)}"
        else:
            hides = " OR ".join(f"{variable}:{self._engine.name(owner)}" for owner in owners)
        return f"CASE WHEN {hides} THEN null ELSE {value} END"

    def _operand(self, expression: Expression) -> Operand:
        match expression:
            case NodeReference(variable):
                return Operand(self._engine.id_of(self._names.variable(variable)), _ID, is_sure=True)
            case PropertyOf():
                seen = self._seen(expression)
                text = self._unwound.get(expression) or self._property(expression)
                return operand_of_types(text, None if seen is None else seen.names)
            case Constant(value):
                return self._constant(value)
        raise AssertionError(expression)

    def _constant(self, value: Any) -> Operand:
        kinds = kinds_of_constant(value)
        if not kinds:
            return Operand(UNKNOWN, (), is_sure=True)
        return Operand(self._names.parameter(sent_constant(value)), kinds, is_sure=True)

    # --- conditions

    def _split_conditions(self) -> tuple[list[str], list[str]]:
        """The conditions that can be tested as soon as the required pattern matches, and the others."""
        early: list[str] = []
        late: list[str] = []
        for part in _conjuncts(self._plan.where):
            (late if self._waits(part) else early).append(self._condition(part, is_strict=False))
        return early, late

    def _waits(self, condition: Condition) -> bool:
        """Whether a condition has to stand behind a WITH: it speaks of optional nodes, of one of several values, or of
        an id on an engine that would go wrong."""
        for part in conditions_within(condition):
            for expression in _expressions(part):
                if isinstance(expression, PropertyOf) and expression in self._unwound:
                    return True
                if isinstance(expression, NodeReference) and self._engine.forgets_conditions:
                    return True
                if (
                    isinstance(expression, NodeReference | PropertyOf)
                    and expression.variable in self._optional
                ):
                    return True
            if isinstance(part, Exists) and self._optional:
                return True
        return False

    def _condition(self, condition: Condition, *, is_strict: bool) -> str:
        match condition:
            case Compare(left, comparator, right):
                return self._compare.compare(
                    self._operand(left), comparator, self._operand(right), is_strict=is_strict
                )
            case IsNull(expression):
                return self._is_null(expression)
            case And(parts):
                return self._joined(parts, " AND ", "true", is_strict=is_strict)
            case Or(parts):
                return self._joined(parts, " OR ", "false", is_strict=is_strict)
            case Not(part):
                return f"NOT ({self._condition(part, is_strict=True)})"
            case Exists(pattern):
                known = frozenset(node.variable for node in self._plan.pattern.nodes)
                clauses = self._patterns.required(pattern, known)
                return f"EXISTS {{ {' '.join(clauses)} }}" if clauses else "true"
        raise AssertionError(condition)

    def _is_null(self, expression: Expression) -> str:
        match expression:
            case Constant(value):
                return "true" if value is None else "false"
            case NodeReference(variable):
                return f"{self._names.variable(variable)} IS NULL"
        return f"{self._operand(expression).text} IS NULL"

    def _joined(self, parts: Sequence[Condition], word: str, empty: str, *, is_strict: bool) -> str:
        if not parts:
            return empty
        return "(" + word.join(f"({self._condition(part, is_strict=is_strict)})" for part in parts) + ")"

    # --- what is made of the matches

    def _result(self) -> list[str]:
        """The clauses for columns, groups, distinct rows, having, order and limit."""
        cells = [self._cell(column.expression) for column in self._plan.columns]
        names = [self._engine.name(column.name) for column in self._plan.columns]
        distinct = "DISTINCT " if self._plan.distinct and not self._plan.is_grouped else ""
        gathered = ", ".join(f"{cell} AS {name}" for cell, name in zip(cells, names, strict=True))
        lines = [f"WITH {distinct}{gathered}"]
        if self._plan.having:
            lines.append(f"WHERE {' AND '.join(self._having())}")
        shown = ", ".join(self._shown(position, name) for position, name in enumerate(names))
        again = "DISTINCT " if self._plan.distinct and self._plan.is_grouped else ""
        lines.append(f"RETURN {again}{shown}")
        order = list(self._order())
        lines.append((f"ORDER BY {', '.join(order)}" if order else "") + self._range())
        return [line for line in lines if line]

    def _cell(self, expression: Expression) -> str:
        """A column as it is gathered: a node as itself, and a float apart from the integer that equals it."""
        match expression:
            case NodeReference(variable):
                return self._names.variable(variable)
            case Constant():
                return "true"
            case Aggregate():
                return self._aggregate(expression)
        return self._apart(self._operand(expression))

    def _apart(self, operand: Operand) -> str:
        """A value, in a list if it is a float where there may be integers too: then 1 and 1.0 are two values."""
        if "number" not in operand.kinds or not operand.has_both_numbers:
            return operand.text
        is_float = self._engine.is_of(operand.text, "FLOAT")
        return f"CASE WHEN {is_float} THEN [{operand.text}] ELSE {operand.text} END"

    def _shown(self, position: int, name: str) -> str:
        expression = self._plan.columns[position].expression
        return f"{self._finished(expression, name)} AS {name}"

    def _finished(self, expression: Expression, name: str) -> str:
        """The value of a gathered column."""
        if isinstance(expression, NodeReference):
            return self._engine.id_of(name)
        if isinstance(expression, PropertyOf):
            operand = self._operand(expression)
            if self._apart(operand) != operand.text:
                return f"CASE WHEN {self._engine.is_list(name)} THEN {name}[0] ELSE {name} END"
        return name

    def _aggregate(self, aggregate: Aggregate) -> str:
        distinct = "DISTINCT " if aggregate.distinct else ""
        match aggregate.argument:
            case None:
                return "count(*)"
            case NodeReference(variable):
                return f"count({distinct}{self._names.variable(variable)})"
        operand = self._operand(aggregate.argument)
        if aggregate.function == "count":
            return f"count({distinct}{self._apart(operand) if distinct else operand.text})"
        if aggregate.function in ("sum", "average"):
            return self._total(aggregate, operand, distinct)
        function = "min" if aggregate.function == "minimum" else "max"
        if len(operand.kinds) <= 1:
            return f"{function}({operand.text})"
        kinds = operand.kinds if function == "min" else tuple(reversed(operand.kinds))
        of_kinds = [
            f"{function}(CASE WHEN {self._compare.is_of_kind(kind, operand.text)} THEN {operand.text} END)"
            for kind in kinds
        ]
        # Samples need not have seen every kind: one of another kind is better than none.
        return f"coalesce({', '.join(of_kinds)}, {function}({operand.text}))"

    def _total(self, aggregate: Aggregate, operand: Operand, distinct: str) -> str:
        """Of the numbers alone; null where there are none, of which Cypher's sum is zero."""
        if "number" not in operand.kinds:
            return "max(null)"
        numbers = f"CASE WHEN {self._compare.is_of_kind('number', operand.text)} THEN {operand.text} END"
        if aggregate.function == "average":
            return f"avg({distinct}{numbers})"
        return f"CASE WHEN count({numbers}) > 0 THEN sum({distinct}{numbers}) END"

    def _having(self) -> list[str]:
        by_name = {column.name: column.expression for column in self._plan.columns}
        conditions = []
        for name, comparator, value in self._plan.having:
            column = self._column(by_name[name], self._engine.name(name), is_finished=False)
            conditions.append(
                self._compare.compare(column, comparator, self._constant(value), is_strict=False)
            )
        return conditions

    def _column(self, expression: Expression, name: str, *, is_finished: bool) -> Operand:
        """A column of the result as something to compare and to order."""
        text = name if is_finished else self._finished(expression, name)
        match expression:
            case NodeReference():
                return Operand(text, _ID, is_sure=True)
            case Constant(value):
                return self._constant(value)
            case Aggregate(function, argument, _) if (
                function in ("minimum", "maximum") and argument is not None
            ):
                inner = self._operand(argument)
                return Operand(text, inner.kinds, has_both_numbers=inner.has_both_numbers)
            case Aggregate():
                return Operand(text, _NUMBER.kinds, is_sure=True, has_both_numbers=False)
        inner = self._operand(expression)
        return Operand(text, inner.kinds, has_both_numbers=inner.has_both_numbers)

    def _order(self) -> Iterator[str]:
        """Keys for all columns: those asked for, then the others from left to right."""
        by_name = {column.name: column.expression for column in self._plan.columns}
        descending = {item.column: item.descending for item in reversed(self._plan.order)}
        for name in dict.fromkeys([item.column for item in self._plan.order] + list(by_name)):
            if not isinstance(by_name[name], Constant):
                text = self._engine.name(name)
                operand = self._column(by_name[name], text, is_finished=True)
                yield from self._compare.order(text, operand, is_descending=descending.get(name, False))

    def _range(self) -> str:
        limits = [limit for limit in (self._plan.limit, self._most_rows) if limit is not None]
        skip = f" SKIP {self._plan.offset}" if self._plan.offset else ""
        return skip + (f" LIMIT {min(limits)}" if limits else "")


def _conjuncts(condition: Condition | None) -> Iterator[Condition]:
    match condition:
        case None:
            return
        case And(parts):
            for part in parts:
                yield from _conjuncts(part)
        case _:
            yield condition


def _expressions(condition: Condition) -> tuple[Expression, ...]:
    match condition:
        case Compare(left, _, right):
            return (left, right)
        case IsNull(expression):
            return (expression,)
    return ()
