"""What a SPARQL query is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ..core.schema import Schema
from ..querying.sparql import expression_tree as sparql_expressions
from ..querying.sparql import pattern_tree as sparql_patterns
from ..querying.sparql import query_tree
from ..querying.sparql import term_tree as terms
from ..querying.sparql.parser import parse
from ..querying.tree import SyntaxNode, walk
from .query_content import QueryContent, once

_SIZES: Final = frozenset({"<", "<=", ">", ">="})
_EQUALITIES: Final = frozenset({"=", "!="})
_FIGURES: Final = frozenset({"SUM", "AVG", "MIN", "MAX"})
_RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
_HIERARCHY: Final = frozenset({terms.RDF_TYPE, _RDFS + "subClassOf", _RDFS + "subPropertyOf"})
_PLAIN_TEXT: Final = frozenset({"", terms.XSD + "string"})


def content_of_sparql(text: str, schema: Schema) -> QueryContent:
    """What a SPARQL text is made of. Raises :class:`QueryError` where it cannot be read."""
    query = parse(text).query
    nodes = list(walk(query.form))
    relations, types, edges = _triples_of(nodes, schema)
    things = []
    passed_over = _plain_iris(nodes)
    for node in nodes:
        if isinstance(node, terms.Iri) and id(node) not in passed_over:
            if schema.has_node_type(node.value):
                types.append(node.value)
            elif schema.label_of(node.value) != node.value:
                relations.append(node.value)
            else:
                things.append(node.value)
    return QueryContent(
        things=once(things),
        texts=once(_texts(nodes)),
        relations=once(relations),
        types=once(types),
        edges=edges,
        forms=frozenset(_forms(query.form, nodes)),
    )


def _texts(nodes: Iterable[SyntaxNode]) -> Iterator[str]:
    """Texts, and numbers that stand as the object of a triple: these are looked up, as a name is. Bounds are not."""
    nodes = list(nodes)
    bounds = {
        id(operand)
        for node in nodes
        if isinstance(node, sparql_expressions.Operation) and _SIZES.intersection(node.operators)
        for operand in node.operands
    }
    for node in nodes:
        match node:
            case terms.StringLiteral():
                datatype = node.datatype.value if node.datatype else ""
                if datatype in _PLAIN_TEXT and node.value.strip() and id(node) not in bounds:
                    yield node.value
            case sparql_patterns.PropertyList():
                yield from (item.text for item in node.objects if isinstance(item, terms.NumericLiteral))


def _triples_of(nodes: Iterable[SyntaxNode], schema: Schema) -> tuple[list[str], list[str], int]:
    """Edge types and property keys, node types, and the number of edges, of all triples."""
    relations: list[str] = []
    types: list[str] = []
    edges = 0
    for node in nodes:
        if not isinstance(node, sparql_patterns.PropertyList):
            continue
        verbs = [item.value for item in walk(node.verb) if isinstance(item, terms.Iri)]
        if terms.RDF_TYPE in verbs:
            types += [item.value for item in node.objects if isinstance(item, terms.Iri)]
        own = [verb for verb in verbs if verb not in _HIERARCHY]
        relations += own
        edges += len(node.objects) * sum(schema.has_edge_type(verb) for verb in own)
    return relations, types, edges


def _plain_iris(nodes: Iterable[SyntaxNode]) -> frozenset[int]:
    """The IRIs that name nothing in the graph, or whose part in a triple was seen already, by identity."""
    found: set[int] = set()
    for node in nodes:
        match node:
            case sparql_patterns.PropertyList():
                verbs = [item for item in walk(node.verb) if isinstance(item, terms.Iri)]
                found.update(map(id, verbs))
                if any(verb.value == terms.RDF_TYPE for verb in verbs):
                    found.update(map(id, node.objects))
            case sparql_expressions.FunctionCall():
                found.add(id(node.function))
            case terms.StringLiteral():
                found.add(id(node.datatype))
    return frozenset(found)


def _forms(form: query_tree.AnyForm, nodes: Iterable[SyntaxNode]) -> Iterator[str]:
    if isinstance(form, query_tree.AskQuery):
        yield "yes/no"
    for node in nodes:
        match node:
            case query_tree.SolutionModifiers():
                yield from _forms_of_modifiers(node)
            case sparql_patterns.SubSelect():
                if _has_extreme(node):  # a sub-query for the greatest, which the whole is compared with
                    yield "order"
            case sparql_expressions.Aggregate():
                if node.name == "COUNT":
                    yield "count"
                elif node.name in _FIGURES:
                    yield "figure"
            case sparql_expressions.Operation():
                if _SIZES.intersection(node.operators) or _compares_with_number(node):
                    yield "filter"
            case _:
                if _negates(node):
                    yield "negation"


def _forms_of_modifiers(modifiers: query_tree.SolutionModifiers) -> Iterator[str]:
    if modifiers.order_by and modifiers.limit is not None:
        yield "order"
    if modifiers.group_by:
        yield "group"
    if modifiers.having:
        yield "filter"


def _negates(node: SyntaxNode) -> bool:
    match node:
        case sparql_expressions.Exists() | sparql_expressions.Membership():
            return node.negated
        case sparql_expressions.Unary():
            return node.operator == "!"
    return isinstance(node, sparql_patterns.MinusPattern)


def _has_extreme(select: sparql_patterns.SubSelect) -> bool:
    return any(
        isinstance(node, sparql_expressions.Aggregate) and node.name in ("MIN", "MAX")
        for node in walk(select.projection)
    )


def _compares_with_number(operation: sparql_expressions.Operation) -> bool:
    return bool(_EQUALITIES.intersection(operation.operators)) and any(
        isinstance(operand, terms.NumericLiteral) for operand in operation.operands
    )
