"""A SPARQL query rewritten so that it sees a graph without what deny-lists name.

Every triple that a pattern can match is held to what is visible: its predicate is not hidden, and neither of its ends
is hidden or of a hidden class. So counts, DISTINCT, NOT EXISTS and MINUS give what they would give on a graph from
which all of that was removed. DESCRIBE, which an engine fills as it likes, becomes CONSTRUCT.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from ..source import SourceText
from ..tree import SyntaxNode, map_children, walk
from .expression_tree import Exists, Membership, Operation
from .hidden_names import HiddenIris
from .hidden_paths import Branches, PathSplitter, Step, is_held, may_be_empty
from .pattern_tree import (
    Filter,
    Group,
    GroupPattern,
    InlineValues,
    NamedGraphPattern,
    PatternElement,
    PropertyList,
    SubSelect,
    Triples,
    TriplesBlock,
    Undefined,
    UnionPattern,
    ValuesRow,
)
from .query_tree import (
    AnyForm,
    Assignment,
    ConstructQuery,
    DescribeQuery,
    Projection,
    Query,
    SelectQuery,
    SolutionModifiers,
)
from .scopes import visible_variables
from .term_tree import RDF_TYPE, Expression, Iri, Term, Variable
from .triple_list import Triple, triples_of, variables_of

_TYPE = Iri(RDF_TYPE, "a")


def without_hidden(query: Query, source: SourceText, hidden: HiddenIris) -> Query:
    """The query as it must be asked. Raises :class:`QueryRefusedError` (code ``"hidden"``) if it cannot be."""
    taken = {node.name for node in walk(query) if isinstance(node, Variable)}
    return query.changed(form=_Rewriting(source, hidden, taken).form(query.form))


class _Rewriting:
    def __init__(self, source: SourceText, hidden: HiddenIris, taken: set[str]) -> None:
        self.source = source
        self.hidden = hidden
        self.taken = taken
        self.numbers = itertools.count(1)
        self.held: frozenset[str] = frozenset()
        self.blank_nodes: dict[str, Variable] = {}
        self.splitter = PathSplitter(source, hidden, self.fresh)

    def fresh(self) -> Variable:
        """A variable that the query does not have."""
        name = f"_{next(self.numbers)}"
        while name in self.taken:
            name = f"_{next(self.numbers)}"
        return Variable(name)

    def _variable_for(self, key: str) -> Variable:
        """The variable that takes the place of a blank node."""
        if key not in self.blank_nodes:
            self.blank_nodes[key] = self.fresh()
        return self.blank_nodes[key]

    # Queries

    def form(self, form: AnyForm) -> AnyForm:
        if isinstance(form, DescribeQuery):
            return self._description(form)
        if isinstance(form, SelectQuery):
            form = form.changed(projection=self._columns(form.projection, form.where, form.values))
        elif isinstance(form, ConstructQuery) and form.template is None:
            assert isinstance(form.where, GroupPattern)
            block = form.where.elements[0] if form.where.elements else TriplesBlock(())
            form = form.changed(template=block)
        changed = map_children(form, self.node)
        # A template makes triples, it matches none.
        return changed.changed(template=form.template) if isinstance(form, ConstructQuery) else changed

    def _columns(self, projection: Projection, where: Group, values: InlineValues | None) -> Projection:
        """The columns of ``SELECT *`` by name, so that the variables that are added here are none of them."""
        if not projection.everything:
            return projection
        names = [*visible_variables(where), *(item.name for item in (values.variables if values else ()))]
        if not names:
            raise self.source.refusal(
                projection.span, "this selects no variable", code="hidden", advice="Name a column."
            )
        return projection.changed(items=tuple(Variable(name) for name in dict.fromkeys(names)))

    def _description(self, form: DescribeQuery) -> ConstructQuery:
        """``CONSTRUCT { ?node ?p ?o } WHERE { nodes … ?node ?p ?o }``."""
        node, predicate, value = self.fresh(), self.fresh(), self.fresh()
        named = [target for target in form.targets if isinstance(target, Iri)]
        found = [target for target in form.targets if isinstance(target, Variable)]
        if form.where is not None and not form.targets:
            found = [Variable(name) for name in visible_variables(form.where)]
        branches: list[Group] = []
        if named:
            rows = tuple(ValuesRow((target,)) for target in named)
            branches.append(GroupPattern((InlineValues((node,), rows),)))
        if form.where is not None:
            branches += [self._found_nodes(form, form.where, node, target) for target in found]
        about = TriplesBlock((Triples(node, (PropertyList(predicate, (value,)),)),))
        nodes = branches[0] if len(branches) == 1 else UnionPattern(tuple(branches))
        where = GroupPattern((nodes, *self._block(about))) if branches else GroupPattern(())
        return ConstructQuery(about, (), where, SolutionModifiers(), span=form.span)

    def _found_nodes(self, form: DescribeQuery, where: Group, node: Variable, target: Variable) -> SubSelect:
        """The nodes that one variable of a DESCRIBE stands for."""
        select = SubSelect(Projection((Assignment(target, node),)), where, form.modifiers, form.values)
        changed = self.node(select)
        assert isinstance(changed, SubSelect)
        return changed

    # Patterns

    def node(self, node: SyntaxNode) -> SyntaxNode:
        """A part of the query, rewritten."""
        if isinstance(node, GroupPattern):
            return self._group(node)
        if not isinstance(node, SubSelect):
            return map_children(node, self.node)
        # A subquery is evaluated by itself: what stands around it finds nothing for it.
        outside, self.held = self.held, frozenset()
        changed = map_children(
            node.changed(projection=self._columns(node.projection, node.where, node.values)), self.node
        )
        self.held = outside
        return changed

    def _group(self, group: GroupPattern) -> GroupPattern:
        given = {
            variable.name
            for element in group.elements
            if isinstance(element, InlineValues) and not _has_undefined(element)
            for variable in element.variables
        }
        blocks = [
            triple
            for element in group.elements
            if isinstance(element, TriplesBlock)
            for triple in triples_of(element, self._variable_for)
        ]
        outside = self.held
        self.held = _held(blocks, outside | given)
        elements: list[PatternElement] = []
        for element in group.elements:
            if isinstance(element, TriplesBlock):
                elements += self._block(element)
            else:
                changed = self.node(element)
                assert isinstance(changed, PatternElement)
                elements.append(changed)
            if isinstance(element, NamedGraphPattern) and isinstance(element.graph, Variable):
                elements += map(Filter, self._names_nothing_hidden(element.graph))
        self.held = outside
        return group.changed(elements=tuple(elements))

    def _block(self, block: TriplesBlock) -> Iterator[PatternElement]:
        """Triples as single ones, alternatives after them, and what must hold for all of them to be visible."""
        steps: list[Step] = []
        for triple in triples_of(block, self._variable_for):
            steps += self.splitter.split(triple, self.held)
        return self._elements(steps)

    def _elements(self, steps: Iterable[Step]) -> Iterator[PatternElement]:
        triples = [step for step in steps if isinstance(step, Triple)]
        if triples:
            yield TriplesBlock(
                tuple(
                    Triples(triple.subject, (PropertyList(triple.verb, (triple.object,)),))
                    for triple in triples
                )
            )
        for step in steps:
            if isinstance(step, Branches):
                yield UnionPattern(
                    tuple(GroupPattern(tuple(self._elements(branch))) for branch in step.branches)
                )
        for condition in dict.fromkeys(
            condition for triple in triples for condition in self._conditions(triple)
        ):
            yield Filter(condition)

    # What is visible

    def _conditions(self, triple: Triple) -> Iterator[Expression]:
        """What must hold for a triple to be visible."""
        for end in (triple.subject, triple.object):
            yield from self._node_conditions(end)
        if isinstance(triple.verb, Variable):
            yield from self._names_nothing_hidden(triple.verb)
            for key, owners in self.hidden.owners.items():
                is_key = Operation(("!=",), (triple.verb, Iri(key)))
                for owner in owners:
                    yield Operation(("||",), (is_key, _is_no(triple.subject, owner)))
        elif isinstance(triple.verb, Iri):
            for owner in self.hidden.owners.get(triple.verb.value, ()):
                yield _is_no(triple.subject, owner)

    def _node_conditions(self, node: Term) -> Iterator[Expression]:
        if isinstance(node, Variable):
            yield from self._names_nothing_hidden(node)
        if isinstance(node, Variable | Iri):
            for type in self.hidden.types:
                yield _is_no(node, type)

    def _names_nothing_hidden(self, variable: Variable) -> Iterator[Expression]:
        if self.hidden.names:
            yield Membership(variable, self.hidden.names, negated=True)


def _is_no(node: Term, type: Iri) -> Expression:
    """``NOT EXISTS { node a type }``."""
    block = TriplesBlock((Triples(node, (PropertyList(_TYPE, (type,)),)),))
    return Exists(GroupPattern((block,)), negated=True)


def _held(triples: Iterable[Triple], given: Iterable[str]) -> frozenset[str]:
    """The variables that edges find, and those that have their values from there."""
    known = set(given)
    waiting = []
    for triple in triples:
        if may_be_empty(triple.verb):
            waiting.append(triple)
        else:
            known.update(variables_of(triple))
    while found := [triple for triple in waiting if is_held(triple, frozenset(known))]:
        waiting = [triple for triple in waiting if triple not in found]
        for triple in found:
            known.update(variables_of(triple))
    return frozenset(known)


def _has_undefined(values: InlineValues) -> bool:
    return any(isinstance(value, Undefined) for row in values.rows for value in row.values)
