"""A plan as a SPARQL 1.1 query: to be read, copied, and run on this graph or wherever the same triples are.

The query is what a person would write. It says what the plan means for values as graphs usually have them; where
SPARQL and plans part (a float beside a decimal, NaN, zoned beside unzoned times), the plan's own rows are right.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Final

from ...core.plan import (
    Aggregate,
    AggregateFunction,
    And,
    Column,
    Compare,
    Condition,
    Constant,
    Exists,
    Expression,
    IsNull,
    NodeReference,
    Not,
    Or,
    Pattern,
    Plan,
    PropertyOf,
)
from ...core.schema import UNTYPED, Schema
from ...core.values import Value, ValueType
from ..plan_names import check_plan_names, properties_of
from .plan_reading import compared, conjuncts, counts_matches, sees_null
from .sparql_context import SparqlContext
from .sparql_pattern import Lines, PatternWriter, block, indented
from .sparql_words import ABSENT, NOTHING, Names, Operand, comparison, constant
from .value_order import ValueClass
from .value_order import compare as compare_values

_WIDE: Final = 2**63
_WIDE_DECIMAL: Final = Decimal(10) ** 20
# What no value is less or greater than.
_BEYOND: Final[dict[str, dict[ValueType | None, str]]] = {
    "minimum": {ValueType.FLOAT: '"INF"^^xsd:double', ValueType.TEXT: '"\\U0010FFFF"'},
    "maximum": {ValueType.FLOAT: '"-INF"^^xsd:double', ValueType.TEXT: '""'},
}


def plan_to_sparql(plan: Plan, schema: Schema, context: SparqlContext | None = None) -> str:
    """A plan as a query.

    Args:
        plan: what to find.
        schema: of the graph: hierarchy, kinds of values, what is a property and what an edge.
        context: what else the wording depends on.

    Raises:
        PlanError: the plan names a type or key that the graph does not have.
    """
    check_plan_names(plan, schema, edges_have_properties=False)
    return _Query(plan, schema, context or SparqlContext()).text()


class _Query:
    """Writes one plan."""

    def __init__(self, plan: Plan, schema: Schema, context: SparqlContext) -> None:
        self._plan = plan
        self._schema = schema
        self._context = context
        self._names = Names(context.prefixes)
        self._counts_matches = counts_matches(plan)
        self._patterns = PatternWriter(schema, context, self._names, counts_matches=self._counts_matches)
        self._nodes = self._patterns.variables
        self._values: dict[PropertyOf, str] = {}
        self._columns: dict[str, str] = {}
        self._ways_as_columns: dict[str, str] = {}
        self._stand_ins: dict[str, str] = {}
        self._unseen: list[str] = []
        self._optional = set(plan.pattern.optional_variables)
        self._name_variables()
        self._required_values = self._find_required_values()

    def _name_variables(self) -> None:
        """Variables are called like the columns that show them."""
        shown: dict[object, str] = {}
        for column in self._plan.columns:
            if not isinstance(column.expression, Constant):
                shown.setdefault(column.expression, column.name)
        for node in self._plan.pattern.nodes:
            wanted = shown.get(NodeReference(node.variable), node.variable)
            self._nodes[node.variable] = self._names.variable(wanted)
        for item in properties_of(self._plan):
            own = f"{self._nodes[item.variable][1:]}_{self._schema.label_of(item.key)}"
            self._values[item] = self._names.variable(shown.get(item, own))

    def _find_required_values(self) -> set[PropertyOf]:
        """Properties that a match must have, because a condition that must be true compares them, or because nothing
        else than their values is asked for."""
        required = {item for part in conjuncts(self._plan.where) for item in compared(part)}
        tested = {name for name, _, _ in self._plan.having}
        required |= {
            column.expression
            for column in self._plan.columns
            if column.name in tested and isinstance(column.expression, PropertyOf)
        }
        aggregates = [
            column.expression for column in self._plan.columns if isinstance(column.expression, Aggregate)
        ]
        arguments = {aggregate.argument for aggregate in aggregates}
        if len(aggregates) == len(self._plan.columns) and len(arguments) == 1:
            required |= {argument for argument in arguments if isinstance(argument, PropertyOf)}
        return {
            item for item in required if self._plan.where is None or not sees_null(self._plan.where, item)
        }

    # --- the whole

    def text(self) -> str:
        """The query."""
        plan = self._plan
        body = self._patterns.required(plan.pattern, {item.variable for item in self._binding_values()})
        for node in plan.pattern.nodes:
            if node.variable not in self._optional:
                body += self._values_of(node.variable)
        body += self._patterns.optional(plan.pattern, self._values_of)
        for part in conjuncts(plan.where):
            body += self._filter(part)
        if not plan.is_grouped:
            body += [_as_filter(text) for text in self._having()]
        if self._context.has_named_graphs and self._counts_matches:
            # A triple in several graphs is one edge, for us and for engines that do not merge them.
            matched = " ".join([*self._nodes.values(), *self._values.values()])
            body = [f"{{ SELECT DISTINCT {matched} WHERE {{", *indented(body), "} }"]
        lines = self._select(body)
        if plan.limit is not None:
            lines.append(f"LIMIT {plan.limit}")
        if plan.offset:
            lines.append(f"OFFSET {plan.offset}")
        prologue = [f"# {comment}" for comment in self._patterns.comments] + self._names.prologue()
        return "\n".join([*prologue, *([""] if prologue else []), *lines]) + "\n"

    def _select(self, body: Lines) -> Lines:
        """Everything but limit and offset."""
        plan = self._plan
        distinct = "DISTINCT " if plan.distinct and not plan.is_grouped else ""
        selected = self._selected()
        body = [
            *body,
            *(
                f"BIND(COALESCE({variable}, <{ABSENT}>) AS {key})"
                for key, variable in self._stand_ins.items()
            ),
        ]
        ordering = self._ordering()
        selected += [f"(MAX({way}) AS {variable})" for way, variable in self._ways_as_columns.items()]
        selected += self._unseen
        if plan.is_grouped and not self._context.dialect.orders_groups:
            return self._select_from_groups(selected, body, ordering)
        lines = [f"SELECT {distinct}{' '.join(selected)} WHERE {{", *indented(body), "}"]
        if plan.is_grouped:
            lines += self._grouping()
        return [*lines, *ordering] if self._has_keys or not plan.is_grouped else lines

    def _select_from_groups(self, selected: list[str], body: Lines, ordering: Lines) -> Lines:
        """Groups within a query that tests and orders them, for engines that cannot do that where they are made."""
        tests = self._having(self._columns)
        keys = self._group_keys()
        if not keys and any(isinstance(column.expression, Constant) for column in self._plan.columns):
            matches = self._names.variable("matches")
            selected = [*selected, f"(COUNT(*) AS {matches})"]
            tests.append(f"{matches} > 0")
        inner = [f"SELECT {' '.join(selected)} WHERE {{", *indented(body), "}"]
        if keys:
            inner.append(f"GROUP BY {' '.join(keys)}")
        shown = " ".join(dict.fromkeys(self._columns.values()))
        filters = [_as_filter(text) for text in tests]
        return [
            f"SELECT {shown} WHERE {{ {{",
            *indented(inner),
            "}",
            *filters,
            "}",
            *(ordering if keys else []),
        ]

    def _filter(self, part: Condition) -> Lines:
        text = self._condition(part)
        if text.startswith(("EXISTS", "NOT EXISTS")):
            return [f"FILTER {text}"]
        return [_as_filter(text)]

    def _selected(self) -> list[str]:
        """What is selected; constants are not, unless nothing else is. Remembers the variable of each column."""
        selected: dict[str, None] = {}
        for column in self._plan.columns:
            match column.expression:
                case NodeReference(variable):
                    text = name = self._group_key(column, self._nodes[variable])
                case PropertyOf() as item:
                    text = name = self._group_key(column, self._values[item])
                case Aggregate() as aggregate:
                    name = self._names.variable(column.name)
                    text = f"({self._aggregate(aggregate)} AS {name})"
                case Constant():
                    continue
            self._columns[column.name] = name
            selected[text] = None
        return list(selected) or [f"(1 AS {self._names.variable('constant')})"]

    def _group_key(self, column: Column, variable: str) -> str:
        """The variable by which a column is grouped: one that is never unbound, for engines that would make several
        groups of what has no value."""
        is_asked = any(name == column.name for name, _, _ in self._plan.having)
        if not self._plan.is_grouped or self._context.dialect.groups_nulls or is_asked:
            return variable
        if not self._may_be_null(column.expression):
            return variable
        known = next((key for key, own in self._stand_ins.items() if own == variable), None)
        if known is None:
            known = self._names.variable(f"{variable[1:]}_group")
            self._stand_ins[known] = variable
        return known

    def _grouping(self) -> list[str]:
        keys = self._group_keys()
        lines = [f"GROUP BY {' '.join(keys)}"] if keys else []
        having = self._having()
        if not keys and any(isinstance(column.expression, Constant) for column in self._plan.columns):
            # A constant is a group like any other: where nothing matches there is none.
            having.append("COUNT(*) > 0")
        return [*lines, f"HAVING {' '.join(f'({text})' for text in having)}"] if having else lines

    def _group_keys(self) -> list[str]:
        keys = [
            self._columns[column.name]
            for column in self._plan.columns
            if not isinstance(column.expression, Aggregate | Constant)
        ]
        return list(dict.fromkeys(keys))

    def _having(self, variables: Mapping[str, str] | None = None) -> list[str]:
        """Conditions on the rows. ``variables``: of the columns, where these are already made."""
        expressions = {column.name: column.expression for column in self._plan.columns}
        conditions = []
        for name, comparator, value in self._plan.having:
            compared = Compare(expressions[name], comparator, Constant(value))
            known = (variables or {}).get(name)
            conditions.append(self._comparison(compared, negated=False, made=known))
        return conditions

    def _ordering(self) -> list[str]:
        descending = {item.column: item.descending for item in reversed(self._plan.order)}
        names = [item.column for item in self._plan.order] + [column.name for column in self._plan.columns]
        expressions = {column.name: column.expression for column in self._plan.columns}
        keys: dict[str, None] = {}
        for name in dict.fromkeys(names):
            variable = self._columns.get(name)
            if variable is None:
                continue
            of_group = not isinstance(expressions[name], Aggregate)
            if self._may_be_null(expressions[name]):
                is_null = f"{variable} = <{ABSENT}>" if variable in self._stand_ins else f"!BOUND({variable})"
                keys[self._key(is_null, of_group=of_group)] = None
            for way in self._ways_to_order(expressions[name], variable):
                ascending = way if way == variable else self._key(way, of_group=of_group)
                descended = f"DESC{ascending}" if ascending.startswith("(") else f"DESC({ascending})"
                keys[descended if descending.get(name) else ascending] = None
        if not (self._plan.distinct or self._plan.is_grouped or self._context.dialect.sorts_repeated_rows):
            # Made unlike each other by all that was matched, which has to be selected for that.
            shown = set(self._columns.values())
            matched = dict.fromkeys([*self._nodes.values(), *self._values.values()])
            self._unseen = [variable for variable in matched if variable not in shown]
            keys |= dict.fromkeys(self._unseen)
        return [f"ORDER BY {' '.join(keys)}"] if keys else []

    def _key(self, way: str, *, of_group: bool) -> str:
        """A key to order by, as a column of its own where the engine cannot compute it for a group."""
        if not (of_group and self._plan.is_grouped) or self._context.dialect.orders_groups:
            return f"({way})"
        as_value = f"IF({way}, 1, 0)" if way.startswith("!") or " = " in way else way
        if as_value not in self._ways_as_columns:
            self._ways_as_columns[as_value] = self._names.variable("key")
        return self._ways_as_columns[as_value]

    def _ways_to_order(self, expression: Expression, variable: str) -> list[str]:
        """The keys by which the values of a column come in the order of plans."""
        is_mixed = len({_class_of(type) for type in self._types_of(expression)}) > 1
        ways = [f"!isNumeric({variable})"] if is_mixed else []
        return [
            *ways,
            *([f"STR({variable})", f"LANG({variable})"] if self._has_language(expression) else [variable]),
        ]

    def _may_be_null(self, expression: Expression) -> bool:
        match expression:
            case NodeReference(variable):
                return variable in self._optional
            case PropertyOf():
                return expression not in self._required_values and not self._is_everywhere(expression)
            case Aggregate("count"):
                return False
        return True

    # --- values

    def _binding_values(self) -> list[PropertyOf]:
        """The values that a match must have, and that thereby bind their nodes."""
        return [item for item in self._required_values if item.variable not in self._optional]

    def _values_of(self, variable: str) -> Lines:
        """The lines that read the values of a node."""
        return [
            line
            for item in properties_of(self._plan)
            if item.variable == variable
            for line in self._value(item)
        ]

    def _value(self, item: PropertyOf) -> Lines:
        node, variable = self._nodes[item.variable], self._values[item]
        lines = [f"{node} {self._names.iri(item.key)} {variable} ."]
        lines += self._patterns.visible_value(node, item.key)
        if self._schema.has_edge_type(item.key):
            lines.append(f"FILTER(isLiteral({variable}))")
        is_required = item in self._binding_values()
        if is_required and item.key in self._context.of_declarations and self._is_bare(item.variable):
            lines += self._patterns.no_declaration(node)
        return lines if is_required or self._is_everywhere(item) else block("OPTIONAL {", lines)

    def _is_bare(self, name: str) -> bool:
        """Whether nothing but its values says which nodes a variable means."""
        node = next(node for node in self._plan.pattern.nodes if node.variable == name)
        touched = {end for edge in self._plan.pattern.edges for end in (edge.source, edge.target)}
        return not node.types and not node.ids and name not in touched

    def _is_everywhere(self, item: PropertyOf) -> bool:
        """Whether the schema shows that every node that the variable can mean has the property."""
        node = next(node for node in self._plan.pattern.nodes if node.variable == item.variable)
        if not node.types or UNTYPED in node.types or not self._context.counts_are_exact:
            return False
        if self._patterns.visible_value("?x", item.key):
            return False
        have = {found.owner: found.count for found in self._schema.properties if found.key == item.key}
        return all(have.get(type) == self._schema.node_type(type).total for type in node.types)

    def _types_of(self, expression: Expression) -> set[ValueType]:
        match expression:
            case PropertyOf(_, key):
                return {
                    type
                    for item in self._schema.properties
                    if item.key == key and not item.of_edges
                    for type in item.value_types
                }
            case Aggregate("minimum" | "maximum", PropertyOf() as argument):
                return self._types_of(argument)
            case Aggregate():
                return {ValueType.INTEGER}
        return set()

    def _has_language(self, expression: Expression) -> bool:
        return isinstance(expression, PropertyOf) and expression.key in self._context.with_languages

    # --- aggregates

    def _aggregate(self, aggregate: Aggregate) -> str:
        distinct = "DISTINCT " if aggregate.distinct else ""
        match aggregate.argument:
            case None:
                return "COUNT(*)"
            case NodeReference(variable):
                return f"COUNT({distinct}{self._nodes[variable]})"
            case PropertyOf() as item:
                return self._aggregate_of_values(aggregate, item, distinct)

    @property
    def _has_keys(self) -> bool:
        """Whether there are groups by something; else there is one, be there matches or none."""
        return any(not isinstance(column.expression, Aggregate) for column in self._plan.columns)

    def _aggregate_of_values(self, aggregate: Aggregate, item: PropertyOf, distinct: str) -> str:
        variable = self._operand(item).text
        types = self._types_of(item)
        may_be_null = self._may_be_null(item)
        if aggregate.function == "count":
            return f"COUNT({distinct}{variable})"
        only_numbers = bool(types) and all(type.is_number for type in types)
        if aggregate.function in ("minimum", "maximum"):
            name = {"minimum": "MIN", "maximum": "MAX"}[aggregate.function]
            beyond = _BEYOND[aggregate.function].get(
                ValueType.FLOAT if only_numbers else next(iter(types), None)
            )
            is_simple = item.key not in self._context.with_languages and _are_numbers_and_texts(types)
            if is_simple and not self._context.dialect.numbers_come_first:
                return _extreme_of_numbers_and_texts(aggregate.function, variable, self._names)
            if not may_be_null or beyond is None or (len(types) > 1 and not only_numbers):
                return f"{name}({variable})"
            # For engines in which one missing value makes an error of all.
            beyond = self._names.declare(beyond)
            return f"IF(COUNT({variable}) > 0, {name}(COALESCE({variable}, {beyond})), {NOTHING})"
        if only_numbers and not may_be_null and (self._context.dialect.is_for_reading or self._has_keys):
            return f"{'SUM' if aggregate.function == 'sum' else 'AVG'}({distinct}{variable})"
        # One error among the values would make an error of all.
        how_many, number = f"COUNT({distinct}{variable})", variable
        if not only_numbers:
            is_number = f"COALESCE(isNumeric({variable}), false)"
            how_many, number = f"SUM(IF({is_number}, 1, 0))", f"IF({is_number}, {variable}, 0)"
        total = f"SUM({distinct}COALESCE({number}, 0))"
        if aggregate.function == "average":
            exact = "" if self._context.dialect.divides_exactly else "1.0 * "
            total = f"{exact}{total} / {how_many}"
        return f"IF({how_many} > 0, {total}, {NOTHING})"

    # --- conditions

    def _condition(self, condition: Condition, *, negated: bool = False) -> str:
        match condition:
            case Compare():
                return self._comparison(condition, negated=negated)
            case IsNull(expression):
                return self._is_null(expression, negated=negated)
            case And(parts) | Or(parts):
                return self._parts(parts, is_and=isinstance(condition, And) != negated, negated=negated)
            case Not(part):
                return self._condition(part, negated=not negated)
            case Exists(pattern):
                return self._exists(pattern, negated=negated)

    def _parts(self, parts: Sequence[Condition], *, is_and: bool, negated: bool) -> str:
        if not parts:
            return str(is_and).lower()
        texts = [self._condition(part, negated=negated) for part in parts]
        return f"({(' && ' if is_and else ' || ').join(texts)})" if len(texts) > 1 else texts[0]

    def _is_null(self, expression: Expression, *, negated: bool) -> str:
        match expression:
            case Constant(value):
                return str((value is None) != negated).lower()
            case NodeReference(variable):
                return f"{'' if negated else '!'}BOUND({self._nodes[variable]})"
        return f"{'' if negated else '!'}BOUND({self._operand(expression).text})"

    def _comparison(self, compare: Compare, *, negated: bool, made: str | None = None) -> str:
        """``made``: the variable that the left side already is."""
        left, right = self._operand(compare.left), self._operand(compare.right)
        if made is not None and not left.is_constant:
            left = Operand(made, left.types, has_language=left.has_language)
        if left.is_constant and right.is_constant:
            known = compare_values(left.value, compare.comparator, right.value)
            return f"({NOTHING} = 0)" if known is None else str(known != negated).lower()
        if any(side.is_constant and _compares_with_nothing(side.value) for side in (left, right)):
            return f"({NOTHING} = 0)"
        sides = (compare.left, compare.right)
        if any(isinstance(side, NodeReference) for side in sides):
            left, right = (
                self._as_node(side, found, compare) for side, found in zip(sides, (left, right), strict=True)
            )
        return comparison(
            left, compare.comparator, right, self._names, negated=negated, dialect=self._context.dialect
        )

    def _as_node(self, side: Expression, operand: Operand, compare: Compare) -> Operand:
        """Nodes are compared as nodes if both are, by the text of their IRIs if not."""
        others = (compare.left, compare.right)
        if compare.comparator in ("=", "<>") and all(isinstance(other, NodeReference) for other in others):
            return Operand(operand.text)
        if isinstance(side, NodeReference):
            return Operand(f"STR({operand.text})", {ValueType.TEXT})
        return operand

    def _operand(self, expression: Expression) -> Operand:
        match expression:
            case NodeReference(variable):
                return Operand(self._nodes[variable])
            case PropertyOf() as item:
                variable = self._values[item]
                if item.key in self._context.with_years:
                    variable = self._names.declare(f"xsd:integer(STR({variable}))")
                return Operand(variable, self._types_of(item), has_language=self._has_language(item))
            case Constant(value):
                text = NOTHING if value is None else constant(self._as_engine_has_it(value), self._names)
                return Operand(text, value=value, is_constant=True)
            case Aggregate() as aggregate:
                return Operand(self._aggregate(aggregate), self._types_of(aggregate))

    def _as_engine_has_it(self, value: Value) -> Value:
        """A constant as the engine can compare it: a number that is too wide for it as a float."""
        if not _is_wide(value) or self._context.dialect.has_wide_integers:
            return value
        assert isinstance(value, int | Decimal)
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf

    def _exists(self, pattern: Pattern, *, negated: bool) -> str:
        outer = {node.variable for node in self._plan.pattern.nodes}
        shared = {node.variable for node in pattern.nodes} | {
            end for edge in pattern.required_edges for end in (edge.source, edge.target)
        }
        inner = self._patterns.required(pattern, outer)
        bound = [f"BOUND({self._nodes[name]})" for name in sorted(shared & self._optional)]
        text = f"EXISTS {{ {' '.join(line.strip() for line in inner)} }}"
        if not bound:
            return f"NOT {text}" if negated else text
        text = f"({' && '.join([*bound, text])})"
        return f"!{text}" if negated else text


def _is_wide(value: Value) -> bool:
    """Whether a number is beyond what engines with narrow numbers can hold."""
    match value:
        case bool():
            return False
        case int():
            return not -_WIDE <= value < _WIDE
        case Decimal():
            return value.is_finite() and abs(value) >= _WIDE_DECIMAL
    return False


def _compares_with_nothing(value: Value) -> bool:
    """Whether the result of every comparison with a value is unknown: there is none, or it is not a number."""
    return value is None or (isinstance(value, float | Decimal) and math.isnan(value))


def _as_filter(text: str) -> str:
    return f"FILTER{text}" if _is_in_parentheses(text) else f"FILTER({text})"


def _is_in_parentheses(text: str) -> bool:
    """Whether the first parenthesis is closed by the last character."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return character == ")" and place == len(text) - 1
    return False


def _are_numbers_and_texts(types: Collection[ValueType]) -> bool:
    return (
        ValueType.TEXT in types
        and len(types) > 1
        and all(type is ValueType.TEXT or type.is_number for type in types)
    )


def _extreme_of_numbers_and_texts(function: AggregateFunction, variable: str, names: Names) -> str:
    """The first or last of values of which numbers come before texts; engines differ in how they mix the two."""
    is_number = f"COALESCE(isNumeric({variable}), false)"
    if function == "minimum":
        infinity = names.declare(_BEYOND["minimum"][ValueType.FLOAT])
        least = f"MIN(IF({is_number}, {variable}, {infinity}))"
        return f"IF(SUM(IF({is_number}, 1, 0)) > 0, {least}, MIN({variable}))"
    is_text = f"COALESCE(!isNumeric({variable}), false)"
    greatest = f'MAX(IF({is_text}, STR({variable}), ""))'
    return f"IF(SUM(IF({is_text}, 1, 0)) > 0, {greatest}, MAX({variable}))"


def _class_of(type: ValueType) -> ValueClass | ValueType:
    return ValueClass.NUMBER if type.is_number else type
