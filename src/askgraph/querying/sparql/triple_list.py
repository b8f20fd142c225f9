"""Blocks of triples taken apart into single triples: no brackets, no lists, no abbreviations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..tree import SyntaxNode
from .path_tree import Verb
from .pattern_tree import BlankNodeProperties, Collection, GraphNode, PropertyList, TriplesBlock
from .term_tree import RDF, BlankNode, Iri, Term, Variable

FIRST, REST, NIL = (Iri(RDF + name) for name in ("first", "rest", "nil"))


class Triple(NamedTuple):
    """One triple of a pattern.

    Attributes:
        subject: an IRI, a literal or a variable. What has no name has been given one.
        verb: an IRI, a variable or a path.
        object: as the subject.
        place: what wrote it, for messages.
    """

    subject: Term
    verb: Verb
    object: Term
    place: SyntaxNode


def unspeakable(key: str) -> Variable:
    """A variable for a blank node, with a name that no text can have."""
    return Variable(key)


def triples_of(block: TriplesBlock, name: Callable[[str], Variable] = unspeakable) -> list[Triple]:
    """The triples of a block.

    Args:
        block: the triples as written.
        name: gives a variable to each blank node, whose key it is given; the same for the same key.
    """
    flattening = _Flattening(name)
    for triples in block.triples:
        subject = flattening.term(triples.subject)
        flattening.properties(subject, triples.properties)
    return flattening.found


class _Flattening:
    def __init__(self, name: Callable[[str], Variable]) -> None:
        self.name = name
        self.found: list[Triple] = []

    def term(self, node: GraphNode) -> Term:
        """What stands for a node in single triples; what brackets and lists say of it is found on the way."""
        if isinstance(node, BlankNode):
            return self.name(f"_:{node.label}" if node.label else f"[]{node.span.start}")
        if isinstance(node, BlankNodeProperties):
            subject = self.name(f"[]{node.span.start}")
            self.properties(subject, node.properties)
            return subject
        if isinstance(node, Collection):
            return self._cells(node)
        return node

    def properties(self, subject: Term, properties: tuple[PropertyList, ...]) -> None:
        for entry in properties:
            for target in entry.objects:
                self.found.append(Triple(subject, entry.verb, self.term(target), entry))

    def _cells(self, node: Collection) -> Term:
        """The first cell of a list."""
        cells: list[Term] = [self.name(f"(){node.span.start}.{number}") for number in range(len(node.items))]
        cells.append(NIL)
        for item, cell, rest in zip(node.items, cells, cells[1:], strict=False):
            self.found.append(Triple(cell, FIRST, self.term(item), node))
            self.found.append(Triple(cell, REST, rest, node))
        return cells[0]


def variables_of(triple: Triple) -> Iterator[str]:
    """The names of the variables at the ends of a triple."""
    for end in (triple.subject, triple.object):
        if isinstance(end, Variable):
            yield end.name
