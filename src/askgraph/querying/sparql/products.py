"""Products of patterns that have nothing to do with each other.

``SELECT (COUNT(*) AS ?n) { ?a a ex:Person . ?b a ex:Film }`` pairs every person with every film. It is refused where
every pair must be made before the first row can be given (for an aggregate, a sort or DISTINCT); elsewhere the row cap
stops it soon enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..source import SourceText
from ..tree import SyntaxNode, children, walk
from .expression_tree import Aggregate, Exists, Operation
from .path_tree import InversePath, SequencePath, Verb
from .pattern_tree import (
    Bind,
    BlankNodeProperties,
    Collection,
    Filter,
    GraphNode,
    Group,
    GroupPattern,
    InlineValues,
    MinusPattern,
    NamedGraphPattern,
    OptionalPattern,
    PatternElement,
    PropertyList,
    SubSelect,
    Triples,
    TriplesBlock,
    UnionPattern,
)
from .query_tree import AnyForm, Projection, SelectQuery, SolutionModifiers
from .scopes import visible_variables
from .term_tree import RDF_TYPE, BlankNode, Expression, Iri, RdfLiteral, Variable


def check_products(form: AnyForm, source: SourceText) -> None:
    """Raise :class:`QueryRefusedError` (code ``"cost"``) for a product that is made as a whole."""
    for node in walk(form):
        if isinstance(node, SubSelect):
            _check_select(node.projection, node.where, node.modifiers, source)
    if isinstance(form, SelectQuery):
        _check_select(form.projection, form.where, form.modifiers, source)
    elif form.where is not None:
        _check_select(None, form.where, form.modifiers, source)


def _check_select(
    projection: Projection | None, where: Group, modifiers: SolutionModifiers, source: SourceText
) -> None:
    if not _makes_all_rows(projection, modifiers) or not isinstance(where, GroupPattern):
        return
    patterns = _Patterns()
    patterns.add_group(where)
    patterns.refuse_product(source)
    for element in _unions(where):
        for branch in element.branches:
            if isinstance(branch, GroupPattern):
                _check_select(projection, branch, modifiers, source)


def _unions(group: GroupPattern) -> Iterator[UnionPattern]:
    for element in group.elements:
        if isinstance(element, UnionPattern):
            yield element
        elif isinstance(element, GroupPattern):
            yield from _unions(element)
        elif isinstance(element, NamedGraphPattern) and isinstance(element.pattern, GroupPattern):
            yield from _unions(element.pattern)


def _makes_all_rows(projection: Projection | None, modifiers: SolutionModifiers) -> bool:
    if modifiers.order_by or modifiers.group_by or modifiers.having:
        return True
    if projection is None:
        return False
    return projection.modifier == "DISTINCT" or any(_aggregates(item) for item in projection.items)


def _aggregates(node: SyntaxNode) -> bool:
    """Whether an expression aggregates the rows of this query, not those of a subquery in it."""
    if isinstance(node, Aggregate):
        return True
    return not isinstance(node, Exists) and any(_aggregates(child) for child in children(node))


class _Patterns:
    """The patterns of one group, in classes that something connects (a union-find forest)."""

    def __init__(self) -> None:
        self._parents: list[int] = []
        self._narrow: list[bool] = []
        self._places: list[SyntaxNode] = []
        self._class_of: dict[str, int] = {}

    def add_group(self, group: GroupPattern, graph: str | None = None) -> None:
        """The patterns of a group, and then its conditions. ``graph`` is the variable of GRAPH around it."""
        for element in group.elements:
            self._add_element(element, graph)
        for element in group.elements:
            if isinstance(element, Filter):
                self._add_condition(element.condition)
            elif isinstance(element, Bind) and element.variable.name in self._class_of:
                self._connect([element.variable.name, *_names(element.expression)], narrows=False)

    def _add_element(self, element: PatternElement, graph: str | None) -> None:
        if isinstance(element, TriplesBlock):
            for triples in element.triples:
                names = [*_names(triples), *([graph] if graph else [])]
                self._add(triples, names, narrow=_is_narrow(triples))
        elif isinstance(element, GroupPattern):
            self.add_group(element, graph)
        elif isinstance(element, NamedGraphPattern) and isinstance(element.pattern, GroupPattern):
            self.add_group(
                element.pattern, element.graph.name if isinstance(element.graph, Variable) else None
            )
        elif isinstance(element, UnionPattern):
            self._add(element, visible_variables(GroupPattern((element,))), narrow=_are_narrow(element))
        elif not isinstance(element, Filter | Bind | OptionalPattern | MinusPattern):
            self._add(element, visible_variables(GroupPattern((element,))), narrow=True)

    def _add(self, place: SyntaxNode, names: Iterable[str], *, narrow: bool) -> None:
        number = len(self._parents)
        self._parents.append(number)
        self._narrow.append(narrow)
        self._places.append(place)
        for name in names:
            self._join(self._class_of.setdefault(name, number), number)

    def _add_condition(self, condition: Expression) -> None:
        """Each part of a conjunction connects the patterns that it names, and narrows them."""
        is_conjunction = isinstance(condition, Operation) and condition.operators[0] == "&&"
        for part in (
            condition.operands if is_conjunction and isinstance(condition, Operation) else (condition,)
        ):
            self._connect(_names(part), narrows=True)

    def _connect(self, names: Iterable[str], *, narrows: bool) -> None:
        classes = [self._class_of[name] for name in names if name in self._class_of]
        for one in classes:
            self._join(classes[0], one)
        if classes and narrows:
            self._narrow[self._root(classes[0])] = True

    def _root(self, number: int) -> int:
        while self._parents[number] != number:
            self._parents[number] = self._parents[self._parents[number]]
            number = self._parents[number]
        return number

    def _join(self, one: int, other: int) -> None:
        first, second = sorted((self._root(one), self._root(other)))
        if first != second:
            self._parents[second] = first
            self._narrow[first] |= self._narrow[second]

    def refuse_product(self, source: SourceText) -> None:
        """Raise if two classes are scans of their own, without any condition."""
        wide = [
            place
            for number, place in enumerate(self._places)
            if self._parents[number] == number and not self._narrow[number]
        ]
        if len(wide) > 1:
            raise source.refusal(
                wide[-1].span,
                "nothing connects this pattern with the others: every pair of matches would be made",
                code="cost",
                advice="Connect the patterns, or count each in a subquery of its own.",
            )


def _are_narrow(union: UnionPattern) -> bool:
    """Whether every branch of a UNION has a pattern that finds few nodes."""
    return all(
        any(isinstance(node, Triples) and _is_narrow(node) for node in walk(branch))
        or any(isinstance(node, Filter | InlineValues | SubSelect) for node in walk(branch))
        for branch in union.branches
    )


def _is_narrow(triples: Triples) -> bool:
    """Whether a node is named, other than a class: what it is joined with are few."""
    if isinstance(triples.subject, Iri | RdfLiteral) or (
        isinstance(triples.subject, Collection) and triples.subject.items
    ):
        return True
    entries = (entry for node in walk(triples) for entry in getattr(node, "properties", ()))
    return any(_names_a_node(entry) for entry in entries)


def _names_a_node(entry: PropertyList) -> bool:
    if _leads_to_classes(entry.verb):
        return False
    return any(isinstance(item, Iri | RdfLiteral) for item in entry.objects)


def _leads_to_classes(verb: Verb) -> bool:
    """Whether a verb is rdf:type, or a path that begins with it (``a/rdfs:subClassOf*``)."""
    first = verb.steps[0] if isinstance(verb, SequencePath) else verb
    return isinstance(first, Iri) and first.value == RDF_TYPE and not isinstance(verb, InversePath)


def _names(node: SyntaxNode | GraphNode) -> Iterator[str]:
    for inner in walk(node):
        if isinstance(inner, Variable):
            yield inner.name
        elif isinstance(inner, BlankNode) and inner.label:
            yield f"_:{inner.label}"
        elif isinstance(inner, BlankNodeProperties) and inner.span.start:
            yield f"[]{inner.span.start}"
