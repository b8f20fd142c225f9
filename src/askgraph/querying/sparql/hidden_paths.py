"""Property paths under deny-lists: taken apart into single edges where that says the same, refused where it does not.

An edge is visible if its predicate and both its ends are. A path of several steps has nodes on its way that a condition
on its ends does not reach; and a path of no step at all (``*``, ``?``) matches every node with itself, those too that
only hidden edges have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn

from ..source import SourceText
from ..tree import SyntaxNode, map_children, walk
from .hidden_names import HiddenIris
from .path_tree import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    PathElement,
    RepeatedPath,
    SequencePath,
    Verb,
)
from .term_tree import Iri, Term, Variable
from .triple_list import Triple

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_HIERARCHIES = (_RDFS + "subClassOf", _RDFS + "subPropertyOf")
"""What a path may follow over any number of steps: classes and properties stand there, no nodes of a hidden class."""


class Branches(NamedTuple):
    """Patterns of which one must match."""

    branches: tuple[tuple[Triple | Branches, ...], ...]


Step = Triple | Branches


class PathSplitter:
    """Takes paths apart."""

    def __init__(self, source: SourceText, hidden: HiddenIris, fresh: Callable[[], Variable]) -> None:
        self.source = source
        self.hidden = hidden
        self.fresh = fresh

    def split(self, triple: Triple, held: frozenset[str]) -> list[Step]:
        """A triple as single edges; ``held`` are the variables that something else finds.

        Raises :class:`QueryRefusedError` (code ``"hidden"``).
        """
        subject, verb, target, place = triple
        if isinstance(verb, InversePath):
            return self.split(Triple(target, verb.path, subject, place), held)
        if isinstance(verb, SequencePath):
            return self._sequence(triple, verb, held)
        if isinstance(verb, AlternativePath) and not (_is_one_edge(verb) and not self._is_owned(verb)):
            parts = (tuple(self.split(triple._replace(verb=branch), held)) for branch in verb.branches)
            return [Branches(tuple(parts))]
        if isinstance(verb, RepeatedPath):
            self._check_repeated(triple, verb, held)
        if isinstance(verb, Iri | Variable):
            return [triple]
        return [triple._replace(verb=self._without_hidden(verb))]

    def _sequence(self, triple: Triple, verb: SequencePath, held: frozenset[str]) -> list[Step]:
        nodes: list[Term] = [triple.subject, *(self.fresh() for _ in verb.steps[1:]), triple.object]
        # Where an edge, or something else, finds one node of the way, each of the others is it or has an edge to it.
        if any(not may_be_empty(step) for step in verb.steps) or is_held(triple, held):
            held |= frozenset(node.name for node in nodes if isinstance(node, Variable))
        found: list[Step] = []
        for step, start, end in zip(verb.steps, nodes, nodes[1:], strict=False):
            found += self.split(Triple(start, step, end, triple.place), held)
        return found

    def _check_repeated(self, triple: Triple, verb: RepeatedPath, held: frozenset[str]) -> None:
        if self._is_owned(verb.path):
            self._refuse(triple, "of this property some values are not to be seen")
        is_hierarchy = isinstance(verb.path, Iri) and verb.path.value in _HIERARCHIES
        if verb.modifier == "?" and not _is_one_edge(verb.path):
            self._refuse(triple, "this path may lead over nodes that are not to be seen")
        if verb.modifier != "?" and self.hidden.types and not is_hierarchy:
            self._refuse(triple, "this path may lead over nodes that are not to be seen")
        if may_be_empty(verb) and not is_held(triple, held):
            self._refuse(triple, "a path of no step at all leads to every node, hidden or not")

    def _is_owned(self, path: Verb) -> bool:
        """Whether it depends on the owner if an edge of this path is visible."""
        if not self.hidden.owners:
            return False
        return any(
            isinstance(node, NegatedPropertySet)
            or (isinstance(node, Iri) and node.value in self.hidden.owners)
            for node in walk(path)
        )

    def _without_hidden(self, path: Verb) -> Verb:
        """The path, where it names edges that are not meant, with the hidden ones among them."""

        def change(node: SyntaxNode) -> SyntaxNode:
            if isinstance(node, NegatedPropertySet):
                return self._negated(node)
            return map_children(node, change)

        changed = change(path)
        assert isinstance(changed, PathElement)
        return changed

    def _negated(self, node: NegatedPropertySet) -> NegatedPropertySet:
        if self.hidden.owners:
            raise self.source.refusal(
                node.span,
                "some edges that this allows are not to be seen",
                code="hidden",
                advice="Write a variable in its place, and a condition on it.",
            )
        items = list(node.items)
        if any(isinstance(item, Iri) for item in node.items):
            items += self.hidden.names
        if any(isinstance(item, InversePath) for item in node.items):
            items += [InversePath(name) for name in self.hidden.names]
        return node.changed(items=tuple(dict.fromkeys(items)))

    def _refuse(self, triple: Triple, message: str) -> NoReturn:
        raise self.source.refusal(
            triple.place.span, message, code="hidden", advice="Write the steps of the path one by one."
        )


def is_held(triple: Triple, held: frozenset[str]) -> bool:
    """Whether one of its ends is named, or found by something else."""
    return any(not isinstance(end, Variable) or end.name in held for end in (triple.subject, triple.object))


def _is_one_edge(path: PathElement) -> bool:
    """Whether it leads over one edge, with no node in between."""
    if isinstance(path, InversePath):
        return _is_one_edge(path.path)
    if isinstance(path, AlternativePath):
        return all(_is_one_edge(branch) for branch in path.branches)
    return isinstance(path, Iri | NegatedPropertySet)


def may_be_empty(path: Verb) -> bool:
    """Whether a path may lead over no edge at all."""
    if isinstance(path, InversePath):
        return may_be_empty(path.path)
    if isinstance(path, AlternativePath):
        return any(may_be_empty(branch) for branch in path.branches)
    if isinstance(path, SequencePath):
        return all(may_be_empty(step) for step in path.steps)
    return isinstance(path, RepeatedPath) and (path.modifier != "+" or may_be_empty(path.path))
