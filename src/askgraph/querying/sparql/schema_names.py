"""The classes, predicates, values and variables that a SPARQL query names, asked of a schema.

Only IRIs in namespaces that the graph uses are asked about: vocabularies such as RDFS, OWL and SKOS may be in a graph
without being part of what it is about.
"""

from __future__ import annotations

from ..schema_check import SchemaRules
from ..tree import SyntaxNode, walk
from .path_tree import InversePath
from .pattern_tree import GroupPattern, TriplesBlock
from .query_tree import Query
from .term_tree import Iri, Variable
from .triple_list import Triple, triples_of
from .unbound import check_variables
from .value_check import check_values
from .variable_classes import Classes, classes_of, leads_to_classes, namespace_of, with_classes

_COMMON = (
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://www.w3.org/2002/07/owl#",
    "http://www.w3.org/2001/XMLSchema#",
    "http://www.w3.org/ns/shacl#",
    "http://www.w3.org/2004/02/skos/core#",
)


def find_problems(tree: SyntaxNode, rules: SchemaRules) -> None:
    """Ask the rules about the classes and predicates that a query names."""
    assert isinstance(tree, Query)
    names = _Names(rules)
    if tree.form.where is not None:
        names.look_at(tree.form.where, {})
    check_values(tree.form, rules)
    check_variables(tree.form, rules)


class _Names:
    def __init__(self, rules: SchemaRules) -> None:
        self.rules = rules
        schema = rules.schema
        self.keys = frozenset(item.key for item in schema.properties if not item.of_edges)
        known = (
            *(item.id for item in schema.node_types),
            *(item.id for item in schema.edge_types),
            *self.keys,
        )
        self.namespaces = frozenset(map(namespace_of, known)) - {"", *_COMMON}

    def look_at(self, node: SyntaxNode, outside: Classes) -> None:
        """Look at a part of a query; ``outside`` are the classes of the variables around it."""
        classes = outside
        if isinstance(node, GroupPattern):
            triples = [
                triple
                for element in node.elements
                if isinstance(element, TriplesBlock)
                for triple in triples_of(element)
            ]
            classes = with_classes(outside, triples)
            for triple in triples:
                self._triple(triple, classes)
        for name in node._nodes:
            value = getattr(node, name)
            for child in value if isinstance(value, tuple) else (value,):
                if isinstance(child, SyntaxNode) and not isinstance(child, TriplesBlock):
                    self.look_at(child, classes)

    def _triple(self, triple: Triple, classes: Classes) -> None:
        verb = triple.verb
        if isinstance(verb, InversePath) and isinstance(verb.path, Iri):
            self._triple(Triple(triple.object, verb.path, triple.subject, triple.place), classes)
        elif isinstance(verb, Iri):
            self._edge(triple, verb, classes)
        elif not isinstance(verb, Variable):
            for node in walk(verb):
                if isinstance(node, Iri):
                    self._predicate(node)
        if leads_to_classes(verb) and isinstance(triple.object, Iri) and self._is_ours(triple.object):
            self.rules.node_type(triple.object.value, triple.object.span)

    def _edge(self, triple: Triple, verb: Iri, classes: Classes) -> None:
        self._predicate(verb)
        is_edge, is_property = self.rules.schema.has_edge_type(verb.value), verb.value in self.keys
        if is_edge and not is_property and self._is_ours(verb):
            ends = (classes_of(triple.subject, classes), classes_of(triple.object, classes))
            self.rules.edge(frozenset([verb.value]), *ends, "out", verb.span)
        elif is_property and not is_edge and self._is_ours(verb):
            owners = classes_of(triple.subject, classes)
            if owners is not None:
                self.rules.property(verb.value, owners, verb.span, of_edges=False)

    def _predicate(self, iri: Iri) -> None:
        known = iri.value in self.keys or self.rules.schema.has_edge_type(iri.value)
        if not known and self._is_ours(iri):
            self.rules.predicate(iri.value, iri.span)

    def _is_ours(self, iri: Iri) -> bool:
        return namespace_of(iri.value) in self.namespaces
