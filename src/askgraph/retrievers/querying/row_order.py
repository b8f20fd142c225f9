"""Why a row of a query is the one that was asked for: it has the most or the least of something.

``ORDER BY p.price LIMIT 1`` asks for the cheapest; the row that comes back says what it is called and perhaps what it
costs, and nothing of that it is the cheapest. So the order is read back from the query's tree, and said of the rows
that stand first by it. Where a row does not show what it was ordered by, and something without a value might stand
there (Cypher sorts nulls last, and so first when it sorts downwards), nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ...core.errors import QueryError
from ...core.graph import Node
from ...core.query_result import Cell, QueryResult
from ...core.words import human_label, local_name
from ...querying.cypher import clause_tree, expression_tree
from ...querying.cypher.pattern_tree import LabelName, NodePattern
from ...querying.sparql import expression_tree as sparql_expressions
from ...querying.sparql import pattern_tree, query_tree, term_tree
from ...querying.sparql.path_tree import InversePath
from ...querying.tree import walk

Extreme = Literal["most", "least"]
_COUNTING: Final = frozenset({"count", "size"})
_FOLDING: Final = {"sum": "total ", "avg": "average ", "min": "", "max": ""}


@dataclass(frozen=True, slots=True)
class RowOrder:
    """What the rows of a query stand in order by.

    Attributes:
        extreme: which end stands first.
        measure: what is compared, in words: "price"; of a count what is counted: "Employee".
        column: the column that holds it; empty where none does.
        variable, key: the variable whose property it is, and the key, where it is one.
        is_sure: whether nothing without a value can stand first.
        all_rows: whether it is said of every row: each has the value that was worked out as the extreme.
    """

    extreme: Extreme
    measure: str
    column: str = ""
    variable: str = ""
    key: str = ""
    is_sure: bool = False
    all_rows: bool = False


def said_of_rows(result: QueryResult, query: str, language: str) -> list[str]:
    """For each row what it has the most or the least of, in words ("with the least price"); empty for all others."""
    order = row_order(query, language) if result.rows and result.shape == "rows" else None
    if order is None:
        return [""] * len(result.rows)
    words = f"with the {order.extreme} {order.measure}"
    if order.all_rows:
        return [words] * len(result.rows)
    values = [_value(order, result.columns, row) for row in result.rows]
    if values[0] is None:
        first = 1 if order.is_sure else 0
        return [words] * first + [""] * (len(values) - first)
    # As many as tie with the first one.
    tied = next((place for place, value in enumerate(values) if value != values[0]), len(values))
    return [words] * tied + [""] * (len(values) - tied)


def _value(order: RowOrder, columns: Sequence[str], row: Sequence[Cell]) -> object:
    """What a row was ordered by, if it shows that."""
    if order.column in columns:
        return row[columns.index(order.column)]
    cell = row[columns.index(order.variable)] if order.variable in columns else None
    return cell.properties.get(order.key) if isinstance(cell, Node) else None


def row_order(query: str, language: str) -> RowOrder | None:
    """The order of a query's rows; ``None`` where there is none, or it is not understood."""
    try:
        return _of_cypher(query) if language == "cypher" else _of_sparql(query)
    except QueryError:
        return None


# --- Cypher


def _of_cypher(query: str) -> RowOrder | None:
    from ...querying.cypher.parser import parse

    clauses = _clauses(parse(query).statement)
    if not clauses:
        return None
    last = clauses[-1]
    if not isinstance(last, clause_tree.Return):
        return None
    named: dict[str, expression_tree.Expression] = {}
    for clause in clauses:
        if isinstance(clause, clause_tree.With | clause_tree.Return):
            # What a WITH names stays what it is for those after it.
            named |= _named(clause.projection)
    kinds = dict(_kinds(clauses))
    before = clauses[-2] if len(clauses) > 1 else None
    ordered = last.projection
    if not ordered.order and isinstance(before, clause_tree.With) and before.condition is None:
        # WITH p ORDER BY p.price LIMIT 1 RETURN p.name
        ordered = before.projection
    if ordered.skip is not None or last.projection.skip is not None:
        return None
    if not ordered.order:
        return _met(clauses, named, kinds)
    first = ordered.order[0]
    return _read(first.expression, named, _shown(last.projection), kinds, is_down=first.descending)


def _clauses(statement: clause_tree.Statement) -> Sequence[clause_tree.Clause]:
    """The clauses of a query that is one sequence of them; none of a union."""
    stage = statement.query.stages[-1]
    if (
        len(statement.query.stages) != 1
        or not isinstance(stage, clause_tree.Union)
        or len(stage.branches) != 1
    ):
        return ()
    branch = stage.branches[0]
    return branch.clauses if isinstance(branch, clause_tree.ClauseSequence) else ()


def _named(projection: clause_tree.Projection) -> dict[str, expression_tree.Expression]:
    return {item.alias: item.expression for item in projection.items if item.alias is not None}


def _shown(projection: clause_tree.Projection) -> dict[str, expression_tree.Expression]:
    """The columns that a query returns, by their names."""
    from ...querying.cypher.printer import text_of

    return {item.alias or text_of(item.expression): item.expression for item in projection.items}


def _read(
    expression: expression_tree.Expression,
    named: Mapping[str, expression_tree.Expression],
    shown: Mapping[str, expression_tree.Expression],
    kinds: Mapping[str, str],
    *,
    is_down: bool,
) -> RowOrder | None:
    """An order by one expression."""
    extreme: Extreme = "most" if is_down else "least"
    meant = expression
    while isinstance(meant, expression_tree.Variable) and meant.name in named and named[meant.name] != meant:
        meant = named[meant.name]
    column = next((name for name, own in shown.items() if own in (expression, meant)), "")
    if not column and isinstance(expression, expression_tree.Variable) and expression.name in shown:
        column = expression.name
    measure = _measure(meant, named, kinds)
    if not measure:
        return None
    is_property = isinstance(meant, expression_tree.PropertyAccess)
    is_count = isinstance(meant, expression_tree.CountAll) or _is_call(meant, _COUNTING)
    variable = (
        meant.subject.name
        if isinstance(meant, expression_tree.PropertyAccess)
        and isinstance(meant.subject, expression_tree.Variable)
        else ""
    )
    key = meant.key if isinstance(meant, expression_tree.PropertyAccess) and is_property else ""
    return RowOrder(extreme, measure, column, variable, key, is_sure=not is_down or is_count)


def _measure(
    expression: expression_tree.Expression,
    named: Mapping[str, expression_tree.Expression],
    kinds: Mapping[str, str],
) -> str:
    """What an expression measures, in words; empty where that cannot be said."""
    match expression:
        case expression_tree.PropertyAccess(key=key):
            return human_label(key)
        case expression_tree.Parenthesized(inner=inner):
            return _measure(inner, named, kinds)
        case expression_tree.Variable(name=name) if name in named and named[name] != expression:
            return _measure(named[name], named, kinds)
        case expression_tree.FunctionCall(name=name, arguments=(argument,)) if name.lower() in _COUNTING:
            counted = argument.name if isinstance(argument, expression_tree.Variable) else ""
            return _counted(counted, kinds)
        case expression_tree.FunctionCall(name=name, arguments=(argument,)) if name.lower() in _FOLDING:
            folded = _measure(argument, named, kinds)
            return f"{_FOLDING[name.lower()]}{folded}" if folded else ""
        case expression_tree.FunctionCall(arguments=(argument,), name=name) if name.lower().startswith("to"):
            return _measure(argument, named, kinds)
    return ""


def _is_call(expression: expression_tree.Expression, names: frozenset[str]) -> bool:
    return isinstance(expression, expression_tree.FunctionCall) and expression.name.lower() in names


def _kinds(clauses: Sequence[clause_tree.Clause]) -> Iterator[tuple[str, str]]:
    """For each variable with one label that label, in words."""
    for node in (node for clause in clauses for node in walk(clause)):
        if isinstance(node, NodePattern) and node.variable and isinstance(node.labels, LabelName):
            yield node.variable, human_label(node.labels.name)


def _met(
    clauses: Sequence[clause_tree.Clause],
    named: Mapping[str, expression_tree.Expression],
    kinds: Mapping[str, str],
) -> RowOrder | None:
    """An extreme that was worked out first, and then asked for: ``WITH min(p.price) AS m MATCH (q {price: m})``."""
    for alias, expression in named.items():
        if not _is_call(expression, frozenset({"min", "max"})):
            continue
        measure = _measure(expression, named, kinds)
        extreme: Extreme = "least" if str(getattr(expression, "name", "")).lower() == "min" else "most"
        for node in (node for clause in clauses for node in walk(clause)):
            if _asks_for(node, alias):
                return RowOrder(extreme, measure, is_sure=True, all_rows=True) if measure else None
    return None


def _asks_for(node: object, alias: str) -> bool:
    match node:
        case expression_tree.Operation(operators=("=",), operands=(one, other)):
            sides = (one, other)
            is_value = any(isinstance(side, expression_tree.PropertyAccess) for side in sides)
            return is_value and any(
                isinstance(side, expression_tree.Variable) and side.name == alias for side in sides
            )
        case expression_tree.MapEntry(value=expression_tree.Variable(name=name)):
            return name == alias
    return False


def _counted(variable: str, kinds: Mapping[str, str]) -> str:
    """What a count is of: the type of the variable, or its name where that is a word."""
    return kinds.get(variable) or (human_label(variable) if len(variable) > 1 else "")


# --- SPARQL


def _of_sparql(query: str) -> RowOrder | None:
    from ...querying.sparql.parser import parse

    form = parse(query).query.form
    if not isinstance(form, query_tree.SelectQuery) or form.modifiers.offset:
        return None
    if not form.modifiers.order_by:
        return None
    first = form.modifiers.order_by[0]
    assigned = {
        item.variable.name: item.expression
        for item in form.projection.items
        if isinstance(item, query_tree.Assignment)
    }
    meant = first.expression
    column = meant.name if isinstance(meant, term_tree.Variable) else ""
    if isinstance(meant, term_tree.Variable) and meant.name in assigned:
        meant = assigned[meant.name]
    column = column or next((name for name, own in assigned.items() if own == meant), "")
    predicates, kinds = dict(_predicates(form)), dict(_classes(form))
    measure = _sparql_measure(meant, predicates, kinds)
    extreme: Extreme = "most" if first.descending else "least"
    # Nothing stands before everything, and so last when it is sorted downwards.
    is_bound = isinstance(meant, sparql_expressions.Aggregate) and meant.name == "COUNT"
    return RowOrder(extreme, measure, column, is_sure=first.descending or is_bound) if measure else None


def _predicates(form: query_tree.SelectQuery) -> Iterator[tuple[str, str]]:
    """For each variable that is an object what it is an object of, in words."""
    for triples in walk(form.where):
        if not isinstance(triples, pattern_tree.Triples):
            continue
        for own in triples.properties:
            if isinstance(own.verb, InversePath):
                continue
            label = human_label(local_name(own.verb.value)) if isinstance(own.verb, term_tree.Iri) else ""
            for item in own.objects:
                if isinstance(item, term_tree.Variable) and label:
                    yield item.name, label


def _classes(form: query_tree.SelectQuery) -> Iterator[tuple[str, str]]:
    """For each variable the class that it is said to be of, in words."""
    for triples in walk(form.where):
        if isinstance(triples, pattern_tree.Triples) and isinstance(triples.subject, term_tree.Variable):
            for own in triples.properties:
                if isinstance(own.verb, term_tree.Iri) and own.verb.value == term_tree.RDF_TYPE:
                    for item in own.objects:
                        if isinstance(item, term_tree.Iri):
                            yield triples.subject.name, human_label(local_name(item.value))


def _sparql_measure(expression: object, predicates: Mapping[str, str], kinds: Mapping[str, str]) -> str:
    match expression:
        case term_tree.Variable(name=name):
            return predicates.get(name, "")
        case sparql_expressions.Aggregate(name="COUNT", argument=argument):
            counted = argument.name if isinstance(argument, term_tree.Variable) else ""
            return _counted(counted, kinds)
        case sparql_expressions.Aggregate(name=name, argument=argument) if name.lower() in _FOLDING:
            inner = _sparql_measure(argument, predicates, kinds)
            return f"{_FOLDING[name.lower()]}{inner}" if inner else ""
        case sparql_expressions.FunctionCall(arguments=(argument,)):
            # A cast: xsd:decimal(?price).
            return _sparql_measure(argument, predicates, kinds)
    return ""
