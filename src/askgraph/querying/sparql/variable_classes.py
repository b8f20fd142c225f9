"""The classes of the variables of a SPARQL query, as far as its triples tell."""

from __future__ import annotations

from collections.abc import Iterable

from .path_tree import SequencePath, Verb
from .term_tree import RDF_TYPE, Iri, Term, Variable
from .triple_list import Triple

Classes = dict[str, frozenset[str]]
"""For each variable that is known the classes that it is said to have."""


def with_classes(outside: Classes, triples: Iterable[Triple]) -> Classes:
    """The classes of variables, from around a group and from the triples in it."""
    classes = dict(outside)
    for triple in triples:
        subject, target = triple.subject, triple.object
        if leads_to_classes(triple.verb) and isinstance(subject, Variable) and isinstance(target, Iri):
            classes[subject.name] = classes.get(subject.name, frozenset()) | {target.value}
    return classes


def classes_of(node: Term, classes: Classes) -> frozenset[str] | None:
    """The classes of a node; ``None`` if they are not known."""
    return classes.get(node.name) if isinstance(node, Variable) else None


def leads_to_classes(verb: Verb) -> bool:
    """Whether what stands after this verb is a class."""
    first = verb.steps[0] if isinstance(verb, SequencePath) else verb
    return isinstance(first, Iri) and first.value == RDF_TYPE


def namespace_of(iri: str) -> str:
    """An IRI without its last part."""
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]
