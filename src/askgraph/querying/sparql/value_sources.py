"""Which properties the values of a variable come from.

A variable that stands as the object of ``?x e:born ?year`` has values of that property, and of no other kind. Where
several triples bind it, it must suit each of them; where only optional parts or branches do, one of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..tree import walk
from .path_tree import SequencePath
from .pattern_tree import (
    Filter,
    Group,
    GroupPattern,
    MinusPattern,
    NamedGraphPattern,
    OptionalPattern,
    PatternElement,
    TriplesBlock,
    UnionPattern,
)
from .term_tree import Iri, Variable
from .triple_list import Triple, triples_of
from .variable_classes import Classes, classes_of, with_classes


class Source(NamedTuple):
    """A property, of nodes of these classes (``None``: of any)."""

    predicate: Iri
    owners: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the values of one variable come from.

    Attributes:
        certain: properties that each of its values has.
        possible: properties of which its values have one, if it has a value.
        is_open: whether it may have values from elsewhere too.
    """

    certain: tuple[Source, ...] = ()
    possible: tuple[Source, ...] = ()
    is_open: bool = False

    def and_(self, other: Origin) -> Origin:
        """Of a variable that two patterns bind, both of which must match."""
        return Origin(
            self.certain + other.certain, self.possible + other.possible, self.is_open or other.is_open
        )

    @property
    def as_possible(self) -> Origin:
        """Of a variable that a pattern binds which need not match."""
        return Origin((), self.certain + self.possible, self.is_open)


Origins = dict[str, Origin]
_OPEN = Origin(is_open=True)


def triples_in(group: GroupPattern) -> list[Triple]:
    """The triples that stand in a group itself."""
    blocks = [element for element in group.elements if isinstance(element, TriplesBlock)]
    return [triple for block in blocks for triple in triples_of(block)]


def value_source(triple: Triple, classes: Classes) -> Source | None:
    """The property that the object of a triple is a value of, if one is named."""
    verb = triple.verb
    if isinstance(verb, Iri):
        return Source(verb, classes_of(triple.subject, classes))
    if isinstance(verb, SequencePath) and isinstance(verb.steps[-1], Iri):
        return Source(verb.steps[-1], None)
    return None


def origins_in(group: Group, classes: Classes) -> Origins:
    """Where the variables of a group have their values from."""
    found: Origins = {}
    if not isinstance(group, GroupPattern):
        _mention(found, group)
        return found
    triples = triples_in(group)
    classes = with_classes(classes, triples)
    for triple in triples:
        _triple(found, triple, classes)
    for element in group.elements:
        _element(found, element, classes)
    return found


def _triple(found: Origins, triple: Triple, classes: Classes) -> None:
    source = value_source(triple, classes)
    ends = [triple.subject, triple.verb]
    if source is not None and isinstance(triple.object, Variable):
        _add(found, triple.object.name, Origin((source,)))
    else:
        ends.append(triple.object)
    for end in ends:
        if isinstance(end, Variable):
            _add(found, end.name, _OPEN)


def _element(found: Origins, element: PatternElement, classes: Classes) -> None:
    if isinstance(element, TriplesBlock | Filter | MinusPattern):
        return
    if isinstance(element, Group):
        _merge(found, origins_in(element, classes))
    elif isinstance(element, NamedGraphPattern):
        _merge(found, origins_in(element.pattern, classes))
        if isinstance(element.graph, Variable):
            _add(found, element.graph.name, _OPEN)
    elif isinstance(element, OptionalPattern):
        _merge_possible(found, origins_in(element.pattern, classes))
    elif isinstance(element, UnionPattern):
        for branch in element.branches:
            _merge_possible(found, origins_in(branch, classes))
    else:
        _mention(found, element)


def _mention(found: Origins, element: PatternElement) -> None:
    """What is not looked into may bind every variable that it names."""
    for node in walk(element):
        if isinstance(node, Variable):
            _add(found, node.name, _OPEN)


def _merge(found: Origins, others: Origins) -> None:
    for name, origin in others.items():
        _add(found, name, origin)


def _merge_possible(found: Origins, others: Origins) -> None:
    for name, origin in others.items():
        _add(found, name, origin.as_possible)


def _add(found: Origins, name: str, origin: Origin) -> None:
    found[name] = found[name].and_(origin) if name in found else origin
