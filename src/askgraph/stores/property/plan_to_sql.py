"""A plan as one DuckDB query over the tables of :mod:`askgraph.stores.property.layout`.

The query has three parts, from the inside out: the matches of the pattern, with the values that conditions and columns
ask for; what becomes of them (distinct rows, or groups with their aggregates), still with row numbers for nodes; and
last the ids of the nodes, the order and the limit. Names and values of the plan are parameters, never query text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
from ..plan_names import conditions_within, properties_of
from .catalog import PropertyColumn
from .sql_aggregates import aggregate, count_nodes, count_rows
from .sql_comparing import canonical, compare, order_keys
from .sql_pattern import GraphNames, existence, optional_join, required_matches
from .sql_properties import has_lists, property_cells, property_elements
from .sql_values import Alternative, ParameterList, SqlValue, constant_value, selected


@dataclass(frozen=True, slots=True)
class PlanQuery:
    """A query, and how to read its rows.

    Attributes:
        sql: the query.
        parameters: the values that it takes.
        cells: for each column of the plan the types of the cells that it is read from, at most one of them not null.
    """

    sql: str
    parameters: Mapping[str, object]
    cells: tuple[tuple[str, ...], ...]


def plan_query(plan: Plan, names: GraphNames, most_rows: int) -> PlanQuery:
    """Write a plan as SQL that gives at most ``most_rows`` rows.

    Every name in the plan must be one that the graph has (see :func:`~askgraph.stores.plan_names.check_plan_names`).
    """
    parameters = ParameterList()
    matches = _Matches(plan, names, parameters)
    outputs = _outputs(plan, matches)
    where = "" if plan.where is None else f" WHERE {_condition_sql(plan.where, matches)}"
    gathered = _gathered(plan, outputs, f"{matches.from_clause()}{where}")
    return _ordered(plan, outputs, gathered, parameters, most_rows)


# --- the matches


class _Matches:
    """The pattern as a FROM clause, and SQL for what a plan may ask of a match."""

    def __init__(self, plan: Plan, names: GraphNames, parameters: ParameterList) -> None:
        self.names = names
        self.parameters = parameters
        self._plan = plan
        self._joins: list[str] = []
        self._with_id = _variables_with_id(plan)
        self._of_edges = frozenset(plan.pattern.edge_variables)
        variables = [*(node.variable for node in plan.pattern.nodes), *plan.pattern.edge_variables]
        wanted = {variable: self._columns_of(variable) for variable in variables}
        self._query, columns = required_matches(plan.pattern, wanted, names, parameters)
        self.rows = {variable: f"m.{column}" for variable, column in columns.items()}
        self._tables = {variable: f"m.{column}_" for variable, column in columns.items()}
        self._join_optional_edges(wanted)
        self._properties = {item: self._property_value(item) for item in properties_of(plan)}

    def from_clause(self) -> str:
        """The FROM clause."""
        return " ".join([f"FROM ({self._query}) AS m", *self._joins])

    def value(self, expression: Expression) -> SqlValue:
        """A value of a match; a node is its id."""
        match expression:
            case PropertyOf():
                return self._properties[expression]
            case NodeReference(variable):
                return SqlValue((Alternative("text", f"{self._tables[variable]}id"),))
            case Constant(value):
                return constant_value(value, self.parameters)
        raise AssertionError(f"an aggregate is no value of a match: {expression}")

    def _columns_of(self, variable: str) -> list[str]:
        columns = [
            column.column_name
            for item in properties_of(self._plan)
            if item.variable == variable
            for column in self._property_columns(item)
        ]
        return (["id"] if variable in self._with_id else []) + columns

    def _join_optional_edges(self, wanted: Mapping[str, Sequence[str]]) -> None:
        pattern = self._plan.pattern
        may_be_null = set(pattern.optional_variables)
        nodes = {node.variable: node for node in pattern.nodes}
        for position, edge in enumerate(pattern.optional_edges):
            alias = f"o{position}"
            binds = edge.target in may_be_null and edge.target not in self.rows
            target = nodes[edge.target] if binds else None
            self._joins.append(optional_join(edge, target, alias, self.rows, self.names, self.parameters))
            if binds:
                self.rows[edge.target] = f"{alias}.target"
                self._tables[edge.target] = f"{alias}n."
                if wanted[edge.target]:
                    self._joins.append(f"LEFT JOIN nodes AS {alias}n ON {alias}n.row = {alias}.target")

    def _property_columns(self, item: PropertyOf) -> Sequence[PropertyColumn]:
        catalog = self.names.catalog
        columns = catalog.edge_columns if item.variable in self._of_edges else catalog.node_columns
        return columns.get(item.key, ())

    def _property_value(self, item: PropertyOf) -> SqlValue:
        columns = self._property_columns(item)
        prefix = self._tables[item.variable]
        if not has_lists(columns):
            return property_cells(columns, prefix)
        alias = f"u{len(self._joins)}"
        elements, value = property_elements(columns, prefix, alias)
        self._joins.append(f"LEFT JOIN LATERAL {elements} AS {alias} ON TRUE")
        return value


def _variables_with_id(plan: Plan) -> set[str]:
    """The variables whose ids a condition looks at; ids in columns are fetched last."""
    found = set()
    for condition in conditions_within(plan.where) if plan.where is not None else ():
        if isinstance(condition, Compare) and not _is_about_identity(condition):
            sides = (condition.left, condition.right)
            found |= {side.variable for side in sides if isinstance(side, NodeReference)}
    return found


def _is_about_identity(condition: Compare) -> bool:
    sides = (condition.left, condition.right)
    return condition.comparator in ("=", "<>") and all(isinstance(side, NodeReference) for side in sides)


def _condition_sql(condition: Condition, matches: _Matches) -> str:
    match condition:
        case And(parts):
            return "(" + (" AND ".join(_condition_sql(part, matches) for part in parts) or "TRUE") + ")"
        case Or(parts):
            return "(" + (" OR ".join(_condition_sql(part, matches) for part in parts) or "FALSE") + ")"
        case Not(part):
            return f"(NOT {_condition_sql(part, matches)})"
        case Exists(pattern):
            return existence(pattern, matches.rows, matches.names, matches.parameters)
        case IsNull(NodeReference(variable)):
            return f"({matches.rows[variable]} IS NULL)"
        case IsNull(expression):
            return matches.value(expression).is_null()
        case Compare(NodeReference(left), comparator, NodeReference(right)) if _is_about_identity(condition):
            return f"({matches.rows[left]} {comparator} {matches.rows[right]})"
        case Compare(left_value, comparator, right_value):
            sides = matches.value(left_value), matches.value(right_value)
            return compare(sides[0], comparator, sides[1], matches.parameters)


# --- what becomes of the matches


@dataclass(frozen=True, slots=True)
class _Output:
    """A column of the result: ``inner`` is its SQL over matches, ``outer`` over the gathered rows."""

    is_node: bool
    is_aggregate: bool
    inner: SqlValue
    outer: SqlValue
    name: str

    @property
    def row(self) -> str:
        """The column of the gathered rows that holds a node's row."""
        return f"r.{self.name}_0"


def _outputs(plan: Plan, matches: _Matches) -> list[_Output]:
    outputs = []
    for position, column in enumerate(plan.columns):
        name = f"c{position}"
        is_node = isinstance(column.expression, NodeReference)
        inner = _inner_value(column.expression, matches, keep=not plan.distinct and not plan.is_grouped)
        outer = SqlValue((Alternative("text", f"{name}n.id"),)) if is_node else _outer_value(inner, name)
        outputs.append(_Output(is_node, isinstance(column.expression, Aggregate), inner, outer, name))
    return outputs


def _outer_value(inner: SqlValue, name: str) -> SqlValue:
    if inner.packed is not None:
        fields = [item.sql for item in inner.alternatives]
        return inner.renamed(lambda i: f"r.{name}.{fields[i]}")
    return inner.renamed(lambda i: f"r.{name}_{i}")


def _inner_value(expression: Expression, matches: _Matches, *, keep: bool) -> SqlValue:
    match expression:
        case NodeReference(variable):
            return SqlValue((Alternative("integer", matches.rows[variable]),))
        case Aggregate(_, None, _):
            return count_rows()
        case Aggregate(_, NodeReference(variable), distinct):
            return count_nodes(matches.rows[variable], distinct=distinct)
        case Aggregate(function, PropertyOf() as argument, distinct):
            return aggregate(function, matches.value(argument), distinct=distinct)
    value = matches.value(expression)
    return value if keep else canonical(value)


def _gathered(plan: Plan, outputs: Sequence[_Output], source: str) -> str:
    # A column of nothing but nulls has no cells, but there are rows, and groups, of them all the same.
    cells = ["count(*) AS matches" if plan.is_grouped else "TRUE AS matches"]
    group_positions = []
    for output in outputs:
        if output.inner.packed is not None:
            cells.append(f"{output.inner.packed} AS {output.name}")
            continue
        for i, item in enumerate(output.inner.alternatives):
            cells.append(f"{item.sql} AS {output.name}_{i}")
            if not output.is_aggregate:
                group_positions.append(str(len(cells)))
    distinct = "DISTINCT " if plan.distinct and not plan.is_grouped else ""
    query = f"SELECT {distinct}{', '.join(cells)} {source}"
    if plan.is_grouped and group_positions:
        query += f" GROUP BY {', '.join(group_positions)}"
    elif plan.is_grouped and not all(output.is_aggregate for output in outputs):
        query += " HAVING count(*) > 0"
    return query


# --- the rows of the result


def _ordered(
    plan: Plan, outputs: Sequence[_Output], gathered: str, parameters: ParameterList, most_rows: int
) -> PlanQuery:
    by_name = {column.name: output for column, output in zip(plan.columns, outputs, strict=True)}
    cells = [item for output in outputs for item in output.outer.alternatives]
    sql = f"SELECT {', '.join(selected(item) for item in cells) or '1'} FROM ({gathered}) AS r"
    for output in outputs:
        if output.is_node:
            sql += f" LEFT JOIN nodes AS {output.name}n ON {output.name}n.row = {output.row}"
    having = [
        compare(by_name[name].outer, comparator, constant_value(value, parameters), parameters)
        for name, comparator, value in plan.having
    ]
    if having:
        sql += f" WHERE {' AND '.join(having)}"
    descending = {item.column: item.descending for item in reversed(plan.order)}
    in_order = list(
        dict.fromkeys([item.column for item in plan.order] + [column.name for column in plan.columns])
    )
    keys = [
        f"{key} {'DESC' if descending.get(name, False) else 'ASC'} NULLS LAST"
        for name in in_order
        for key in order_keys(by_name[name].outer)
    ]
    if keys:
        sql += f" ORDER BY {', '.join(keys)}"
    sql += f" LIMIT {most_rows}" + (f" OFFSET {plan.offset}" if plan.offset else "")
    types = tuple(tuple(item.column_type for item in output.outer.alternatives) for output in outputs)
    return PlanQuery(sql, parameters.used_in(sql), types)
