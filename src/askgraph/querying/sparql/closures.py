"""Property paths of any length (``+``, ``*``), which may lead from every node to every other.

Such a path is cheap from one node, or from the nodes that something else finds. With both ends free it asks for all
pairs of nodes that are connected somehow: the square of the graph, before the first row can be given. And where it may
take any edge at all (``(a|!a)*``) it must begin or end at a node that the text names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..policy import GatePolicy
from ..source import SourceText
from ..tree import SyntaxNode, children, walk
from .path_tree import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    Path,
    RepeatedPath,
    SequencePath,
    Verb,
)
from .pattern_tree import (
    Bind,
    Group,
    GroupPattern,
    InlineValues,
    NamedGraphPattern,
    ServicePattern,
    SubSelect,
    TriplesBlock,
    UnionPattern,
)
from .query_tree import AnyForm
from .scopes import visible_variables
from .term_tree import Term, Variable
from .triple_list import Triple, triples_of


def check_closures(
    form: AnyForm, nodes: Sequence[SyntaxNode], source: SourceText, policy: GatePolicy
) -> None:
    """Raise :class:`QueryRefusedError` (code ``"cost"``) for a path without an end that nothing holds."""
    if policy.unbounded_paths == "allow":
        return
    if policy.unbounded_paths == "refuse":
        endless = next((node for node in nodes if _is_endless(node)), None)
        if endless is not None:
            raise source.refusal(
                endless.span, "this path has no end", code="cost", advice="Write its steps one by one."
            )
        return
    if form.where is not None:
        given = frozenset() if form.values is None else _names(form.values)
        _Closures(source).group(form.where, _Known(given, given))


class _Known(NamedTuple):
    """Variables that have values before a path is followed: any, and those whose values stand in the text."""

    found: frozenset[str]
    written: frozenset[str]

    def __or__(self, other: object) -> _Known:
        assert isinstance(other, _Known)
        return _Known(self.found | other.found, self.written | other.written)


_NOTHING = _Known(frozenset(), frozenset())


class _Closures:
    def __init__(self, source: SourceText) -> None:
        self.source = source

    def group(self, group: Group, outside: _Known) -> None:
        """Look at a group where these variables are known from the patterns around it."""
        if isinstance(group, SubSelect):
            # A subquery is evaluated by itself.
            given = frozenset() if group.values is None else _names(group.values)
            self.group(group.where, _Known(given, given))
            self._nested(group.projection, _NOTHING)
            return
        assert isinstance(group, GroupPattern)
        triples, known = _contents(group)
        known = self._follow(triples, known | outside)
        for element in group.elements:
            self._nested(element, known)

    def _nested(self, node: SyntaxNode, known: _Known) -> None:
        """Look at the groups inside a node."""
        if isinstance(node, Group):
            self.group(node, known)
        elif not isinstance(node, TriplesBlock):
            for child in children(node):
                self._nested(child, known)

    def _follow(self, triples: list[Triple], known: _Known) -> _Known:
        """Let each path that is held at one end give values to its other end; refuse those that stay free."""
        waiting = triples
        while waiting:
            free = []
            for triple in waiting:
                ends = [_name(triple.subject), _name(triple.object)]
                if not any(end is None or end in known.found for end in ends):
                    free.append(triple)
                    continue
                if _takes_any_edge(triple.verb) and not any(
                    end is None or end in known.written for end in ends
                ):
                    self._refuse(triple, "this path may take any edge, from many nodes")
                known |= _Known(frozenset(filter(None, ends)), frozenset())
            if len(free) == len(waiting):
                self._refuse(free[0], "this path has no end, and it may begin and end at any node")
            waiting = free
        return known

    def _refuse(self, triple: Triple, message: str) -> None:
        raise self.source.refusal(
            triple.verb.span,
            message,
            code="cost",
            advice="Name the node where it begins or ends, or write its steps one by one.",
        )


def _contents(group: GroupPattern) -> tuple[list[Triple], _Known]:
    """The triples of a group with a free path, and the variables that all else of it gives values to."""
    free: list[Triple] = []
    known = _NOTHING
    for element in group.elements:
        if isinstance(element, TriplesBlock):
            triples = triples_of(element)
            free += [triple for triple in triples if _is_free(triple.verb)]
            ends = [
                end
                for triple in triples
                if not _is_free(triple.verb)
                for end in (_name(triple.subject), _name(triple.object))
            ]
            known |= _Known(frozenset(filter(None, ends)), frozenset())
        else:
            known |= _given_by(element)
    return free, known


def _given_by(element: SyntaxNode) -> _Known:
    """The variables that a part of a group, other than triples, gives a value to whatever happens."""
    if isinstance(element, InlineValues):
        return _Known(_names(element), _names(element))
    if isinstance(element, Bind):
        return _Known(frozenset([element.variable.name]), frozenset())
    if isinstance(element, GroupPattern):
        return _contents(element)[1]
    if isinstance(element, NamedGraphPattern):
        return _given_by(element.pattern)
    if isinstance(element, SubSelect | ServicePattern):
        return _Known(frozenset(visible_variables(GroupPattern((element,)))), frozenset())
    if isinstance(element, UnionPattern):
        branches = [_given_by(branch).found for branch in element.branches]
        return _Known(frozenset.intersection(*branches), frozenset())
    return _NOTHING


def _name(node: Term) -> str | None:
    """The variable in this place; ``None`` for a constant."""
    return node.name if isinstance(node, Variable) else None


def _names(values: InlineValues) -> frozenset[str]:
    return frozenset(variable.name for variable in values.variables)


def _is_endless(node: SyntaxNode) -> bool:
    return isinstance(node, RepeatedPath) and node.modifier != "?"


def _is_free(verb: Verb) -> bool:
    """Whether a path can be followed only from one of its ends: every step of some way through it has no end."""
    if isinstance(verb, InversePath):
        return _is_free(verb.path)
    if isinstance(verb, AlternativePath):
        return any(_is_free(branch) for branch in verb.branches)
    if isinstance(verb, SequencePath):
        return all(_is_free(step) for step in verb.steps) or _takes_any_edge(verb)
    return isinstance(verb, Path) and (
        _is_endless(verb) or (isinstance(verb, RepeatedPath) and _is_free(verb.path))
    )


def _takes_any_edge(verb: Verb) -> bool:
    """Whether a part of any length may lead over edges that are not named."""
    return any(
        _is_endless(node) and any(isinstance(inner, NegatedPropertySet) for inner in walk(node))
        for node in walk(verb)
    )
