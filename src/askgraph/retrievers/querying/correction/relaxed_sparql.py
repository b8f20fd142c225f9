"""SPARQL queries with one part left out."""

from __future__ import annotations

from collections.abc import Iterator

from ....querying.rewriting import place_of, replaced
from ....querying.sparql.expression_tree import Operation
from ....querying.sparql.parser import parse
from ....querying.sparql.path_tree import InversePath
from ....querying.sparql.pattern_tree import (
    Filter,
    Group,
    GroupPattern,
    InlineValues,
    PropertyList,
    TriplesBlock,
)
from ....querying.sparql.printer import text_of
from ....querying.sparql.query_tree import AskQuery, Query, SelectQuery, SolutionModifiers
from ....querying.sparql.term_tree import RDF_TYPE, Iri
from ....querying.tree import SyntaxNode, walk
from .relaxing import Relaxation, RelaxationKind
from .sparql_values import without_property


def relaxed_sparql(text: str) -> list[Relaxation]:
    """The relaxations of a query: without each of its triples, conditions and lists of values, and with each of its
    predicates read the other way."""
    query = parse(text).query
    where = query.form.where
    if where is None:
        return []
    found = []
    for kind, old, new, what in _changes(where):
        changed = replaced(query, {place_of(old): lambda _, new=new: new})  # type: ignore[misc]
        proposal = text_of(changed) if kind == "direction" else ""
        found.append(Relaxation(kind, what, text_of(_any(changed)), proposal))
    return found


def _any(query: Query) -> Query:
    """The query that only asks whether there is anything."""
    form = query.form
    where = form.where
    assert where is not None
    values = form.values if isinstance(form, SelectQuery) else None
    return query.changed(form=AskQuery(form.dataset, where, SolutionModifiers(), values))


def _changes(where: Group) -> Iterator[tuple[RelaxationKind, SyntaxNode, SyntaxNode, str]]:
    for node in walk(where):
        if isinstance(node, PropertyList) and isinstance(node.verb, Iri) and node.verb.value != RDF_TYPE:
            yield "direction", node, node.changed(verb=InversePath(node.verb)), text_of(node)
    for group in walk(where):
        if isinstance(group, GroupPattern):
            yield from _less(group)


def _less(group: GroupPattern) -> Iterator[tuple[RelaxationKind, SyntaxNode, SyntaxNode, str]]:
    """A group without each of its conditions and triples."""
    for place, element in enumerate(group.elements):
        rest = group.elements[:place] + group.elements[place + 1 :]
        if isinstance(element, Filter):
            condition = element.condition
            if isinstance(condition, Operation) and condition.operators[0] == "&&":
                for number, part in enumerate(condition.operands):
                    kept = condition.operands[:number] + condition.operands[number + 1 :]
                    left = kept[0] if len(kept) == 1 else Operation(("&&",) * (len(kept) - 1), kept)
                    yield "condition", element, element.changed(condition=left), text_of(part)
            else:
                yield "condition", group, group.changed(elements=rest), text_of(element)
        elif isinstance(element, InlineValues):
            yield "condition", group, group.changed(elements=rest), text_of(element)
        elif isinstance(element, TriplesBlock):
            for triples in element.triples:
                for item in triples.properties:
                    left_over = without_property(group.elements, item)
                    is_type = isinstance(item.verb, Iri) and item.verb.value == RDF_TYPE
                    if left_over:
                        what = f"{text_of(triples.subject)} {text_of(item)}"
                        kind: RelaxationKind = "type" if is_type else "relation"
                        yield kind, group, group.changed(elements=left_over), what
