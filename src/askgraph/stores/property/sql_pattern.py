"""The pattern of a plan as SQL joins over the tables of :mod:`askgraph.stores.property.layout`.

Nodes are row numbers throughout; ids and properties are fetched only where a plan asks for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...core.plan import EdgePattern, NodePattern, Pattern
from ...core.schema import UNTYPED, Schema
from .catalog import Catalog
from .sql_values import ParameterList

# Longer lists of row numbers or codes travel as one parameter.
_LONGEST_INLINE_LIST = 64


@dataclass(frozen=True)
class GraphNames:
    """What turns the names of a plan into what the tables hold.

    Attributes:
        catalog: type codes and property columns.
        schema: the hierarchy of types.
        rows_of_ids: the row of each node id that the plan names and the graph has.
    """

    catalog: Catalog
    schema: Schema
    rows_of_ids: Mapping[str, int] = field(default_factory=dict)


def required_matches(
    pattern: Pattern,
    columns_of: Mapping[str, Sequence[str]],
    names: GraphNames,
    parameters: ParameterList,
) -> tuple[str, dict[str, str]]:
    """A query for the matches of a pattern without its optional edges.

    Its column ``v<i>`` is the row of the ``i``-th node variable of the pattern, ``v<i>_<column>`` one of the columns of
    ``nodes`` that ``columns_of`` asks for; ``w<i>_<column>`` is one of the columns of ``edges`` that it asks for of the
    ``i``-th required edge.

    Returns:
        The query, and the name of each required variable's column; of an edge's variable what its columns begin with.
    """
    joins = _Joins(names, parameters)
    optional = set(pattern.optional_variables)
    required = [node for node in pattern.nodes if node.variable not in optional]
    joins.add_edges(pattern.required_edges, columns_of)
    selected = []
    rows = {}
    for position, edge in enumerate(pattern.required_edges):
        if edge.variable is not None:
            rows[edge.variable] = f"w{position}"
            columns = columns_of.get(edge.variable, ())
            selected += [f"e{position}.{column} AS w{position}_{column}" for column in columns]
    for position, node in enumerate(pattern.nodes):
        if node not in required:
            continue
        wanted = columns_of.get(node.variable, ())
        alias = joins.add_node(node, as_table=bool(wanted))
        rows[node.variable] = f"v{position}"
        selected.append(f"{joins.row_of(node.variable)} AS v{position}")
        selected += [f"{alias}.{column} AS v{position}_{column}" for column in wanted]
    query = f"SELECT {', '.join(selected)} FROM {', '.join(joins.tables)}"
    if joins.conditions:
        query += " WHERE " + " AND ".join(joins.conditions)
    return query, rows


def optional_join(
    edge: EdgePattern,
    target: NodePattern | None,
    alias: str,
    rows: Mapping[str, str],
    names: GraphNames,
    parameters: ParameterList,
) -> str:
    """A left join for an optional edge.

    Args:
        edge: the edge.
        target: the node that only this edge binds, if there is one: its row is then ``<alias>.target``.
        alias: what to call the joined table.
        rows: SQL for the row of each variable bound so far.
        names: what the tables hold.
        parameters: receives the values of the query.
    """
    conditions = [] if target is None else node_conditions(target, "target", names, parameters)
    table = _edge_table(edge, names, parameters, conditions)
    on = [f"{alias}.source = {rows[edge.source]}"]
    if target is None:
        on.append(f"{alias}.target = {rows[edge.target]}")
    return f"LEFT JOIN {table} AS {alias} ON {' AND '.join(on)}"


def existence(pattern: Pattern, rows: Mapping[str, str], names: GraphNames, parameters: ParameterList) -> str:
    """SQL for whether a pattern matches, its shared variables bound to ``rows``. Never null.

    Optional edges cannot keep a pattern from matching, so they are left out.
    """
    joins = _Joins(names, parameters, rows)
    optional = set(pattern.optional_variables)
    joins.add_edges(pattern.required_edges)
    for node in pattern.nodes:
        if node.variable not in optional or node.variable in rows:
            joins.add_node(node, as_table=False)
    condition = " AND ".join(joins.conditions) or "TRUE"
    if not joins.tables:
        return f"(({condition}) IS TRUE)"
    return f"EXISTS (SELECT 1 FROM {', '.join(joins.tables)} WHERE {condition})"


class _Joins:
    """The tables and conditions of a pattern of required edges, gathered one by one."""

    def __init__(
        self, names: GraphNames, parameters: ParameterList, outer_rows: Mapping[str, str] | None = None
    ) -> None:
        self.tables: list[str] = []
        self.conditions: list[str] = []
        self._names = names
        self._parameters = parameters
        self._outer = dict(outer_rows or {})
        self._places: dict[str, list[str]] = {}

    def row_of(self, variable: str) -> str:
        """SQL for the row that a variable is bound to."""
        return self._outer[variable] if variable in self._outer else self._places[variable][0]

    def add_edges(
        self, edges: Iterable[EdgePattern], columns_of: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        """Join edges where they share variables; with the columns that ``columns_of`` asks for of their own ones."""
        for position, edge in enumerate(edges):
            alias = f"e{position}"
            columns = (columns_of or {}).get(edge.variable or "", ())
            table = _edge_table(edge, self._names, self._parameters, [], columns)
            self.tables.append(f"{table} AS {alias}")
            for variable, end in ((edge.source, "source"), (edge.target, "target")):
                place = f"{alias}.{end}"
                if variable in self._outer or variable in self._places:
                    self.conditions.append(f"{place} = {self.row_of(variable)}")
                self._places.setdefault(variable, []).append(place)

    def add_node(self, node: NodePattern, *, as_table: bool) -> str:
        """Hold a variable to its pattern; join the table of nodes if asked, or if nothing else binds the variable.

        Returns:
            The alias of the table of nodes, should it be joined.
        """
        alias = f"n{len(self.tables)}"
        places = self._places.get(node.variable, [])
        bound = bool(places) or node.variable in self._outer
        if as_table or not bound:
            self.tables.append(f"nodes AS {alias}")
            if bound:
                self.conditions.append(f"{alias}.row = {self.row_of(node.variable)}")
            else:
                places = self._places[node.variable] = [f"{alias}.row"]
        if node.variable in self._outer:
            self.conditions.append(f"{self._outer[node.variable]} IS NOT NULL")
        self.conditions += node_conditions(node, self.row_of(node.variable), self._names, self._parameters)
        if node.ids:
            # Said of every place, so that each scan of edges can skip what it need not read.
            for place in places[1:]:
                self.conditions += _id_conditions(node, place, self._names, self._parameters)
        return alias


def node_conditions(node: NodePattern, row: str, names: GraphNames, parameters: ParameterList) -> list[str]:
    """SQL that holds the row of a node to its pattern's ids and types."""
    conditions = _id_conditions(node, row, names, parameters)
    if node.types:
        conditions.append(_type_condition(node.types, row, names, parameters))
    return conditions


def _id_conditions(node: NodePattern, row: str, names: GraphNames, parameters: ParameterList) -> list[str]:
    if not node.ids:
        return []
    rows = [names.rows_of_ids[id] for id in dict.fromkeys(node.ids) if id in names.rows_of_ids]
    return [membership(row, rows, parameters)]


def _type_condition(types: Sequence[str], row: str, names: GraphNames, parameters: ParameterList) -> str:
    codes = names.catalog.node_type_codes
    wanted = [codes[id] for id in names.schema.with_subtypes(types) if id in codes and id != UNTYPED]
    members = []
    if wanted:
        members.append(f"SELECT row FROM node_type_members WHERE {membership('type', wanted, parameters)}")
    if UNTYPED in types:
        members.append("SELECT row FROM nodes WHERE coalesce(len(types), 0) = 0")
    return f"{row} IN ({' UNION ALL '.join(members)})" if members else "FALSE"


def membership(sql: str, numbers: Sequence[int], parameters: ParameterList) -> str:
    """SQL for whether an expression is one of these whole numbers."""
    if not numbers:
        return "FALSE"
    if len(numbers) <= _LONGEST_INLINE_LIST:
        return f"{sql} IN ({', '.join(str(int(number)) for number in numbers)})"
    return f"{sql} IN (SELECT unnest({parameters.add([int(number) for number in numbers])}::BIGINT[]))"


def _edge_table(
    edge: EdgePattern,
    names: GraphNames,
    parameters: ParameterList,
    target_conditions: Sequence[str],
    columns: Sequence[str] = (),
) -> str:
    """The edges of a pattern as a table whose ``source`` and ``target`` are the pattern's, whichever way they lie, with
    these ``columns`` of theirs."""
    conditions = list(target_conditions)
    if edge.types:
        codes = names.catalog.edge_type_codes
        wanted = [codes[id] for id in dict.fromkeys(edge.types) if id in codes]
        conditions.append(membership("type", wanted, parameters))
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    own = "".join(f", {column}" for column in dict.fromkeys(columns))
    forward = f"SELECT source, target, type{own} FROM edges"
    backward = f"SELECT target AS source, source AS target, type{own} FROM edges"
    if edge.direction == "out":
        return f"(SELECT source, target{own} FROM ({forward}){where})"
    if edge.direction == "in":
        return f"(SELECT source, target{own} FROM ({backward}){where})"
    either = f"{forward} UNION ALL {backward} WHERE source <> target"
    return f"(SELECT source, target{own} FROM ({either}){where})"
