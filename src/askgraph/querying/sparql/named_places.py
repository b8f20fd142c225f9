"""Where a SPARQL query names classes, predicates and nodes, and compares values: each with what is known around it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from ..tree import SyntaxNode, walk
from .expression_tree import BuiltInCall, Exists, Membership, Operation
from .path_tree import InversePath, SequencePath
from .pattern_tree import (
    Filter,
    Group,
    GroupPattern,
    InlineValues,
    MinusPattern,
    NamedGraphPattern,
    OptionalPattern,
    PatternElement,
    SubSelect,
    TriplesBlock,
    UnionPattern,
)
from .query_tree import AnyForm, DescribeQuery, Query
from .term_tree import Expression, Iri, RdfLiteral, StringLiteral, Term, Variable
from .triple_list import Triple
from .value_sources import Origin, Origins, Source, origins_in, triples_in, value_source
from .variable_classes import Classes, leads_to_classes, with_classes

Test = Literal["object", "=", "!=", "<", "IN", "values", "CONTAINS", "STRSTARTS", "STRENDS", "REGEX"]
_TESTS = ("CONTAINS", "STRSTARTS", "STRENDS", "REGEX")
_FOLDS = {"LCASE": "lower", "UCASE": "upper", "STR": "", "XSD:STRING": ""}


@dataclass(frozen=True, slots=True)
class VerbPlace:
    """A predicate, in a triple or in a path.

    Attributes:
        iri: what is named.
        subject, object: the ends of its triple, as the IRI's own direction has them; ``None`` inside a path of several.
        classes: what is known of the variables there.
        verb: what stands in the triple: the IRI itself, or the path that it is a part of.
        certain: whether the triple must match for there to be a row.
    """

    iri: Iri
    subject: Term | None
    object: Term | None
    classes: Classes
    verb: SyntaxNode
    certain: bool = True


@dataclass(frozen=True, slots=True)
class ClassPlace:
    """What stands where a class is wanted, and the predicate that leads there."""

    iri: Iri
    verb: SyntaxNode


@dataclass(frozen=True, slots=True)
class NodePlace:
    """An IRI that stands for a node; ``verbs`` are the predicates at its sides, with whether it is their object."""

    iri: Iri
    verbs: tuple[tuple[Iri, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class LiteralPlace:
    """A literal that is compared with the values of a property.

    Attributes:
        literal: what is written.
        origin: the properties that the values come from.
        test: how it is compared.
        node: the comparison, the row of VALUES, or what holds the triple.
        subject: what is compared, as it is written: a variable, or a function of one.
        group: the group in whose triples it stands.
        owner: the variable whose property it is, where it stands in a triple.
        folded: ``"lower"`` or ``"upper"`` where values are read in small letters or capitals.
        is_text: whether values are read as plain texts, without their language (``STR``).
    """

    literal: RdfLiteral
    origin: Origin
    test: Test
    node: SyntaxNode
    subject: Expression | None = None
    folded: str = ""
    is_text: bool = False
    group: GroupPattern | None = None
    owner: str = ""

    @property
    def sources(self) -> tuple[Source, ...]:
        """The properties, those that are certain first."""
        return self.origin.certain or self.origin.possible


@dataclass(slots=True)
class NamedPlaces:
    """Everything that a query names, group by group."""

    verbs: list[VerbPlace] = field(default_factory=list)
    classes: list[ClassPlace] = field(default_factory=list)
    nodes: list[NodePlace] = field(default_factory=list)
    literals: list[LiteralPlace] = field(default_factory=list)


def named_places(query: Query) -> NamedPlaces:
    """What a query names."""
    walk = _PlaceWalk()
    form: AnyForm = query.form
    if isinstance(form, DescribeQuery):
        walk.found.nodes += [NodePlace(item) for item in form.targets if isinstance(item, Iri)]
    if form.where is not None:
        walk.group(form.where, {}, {})
        if form.values is not None:
            walk.inline(form.values, origins_in(form.where, {}))
    return walk.found


class _PlaceWalk:
    def __init__(self) -> None:
        self.found = NamedPlaces()
        self._certain = True

    def group(self, group: Group, origins: Origins, classes: Classes) -> None:
        if isinstance(group, SubSelect):
            self.group(group.where, {}, {})
            if group.values is not None:
                self.inline(group.values, origins_in(group.where, {}))
            for item in group.modifiers.having:
                self.condition(item, origins_in(group.where, {}), {})
            return
        assert isinstance(group, GroupPattern)
        triples = triples_in(group)
        classes = with_classes(classes, triples)
        origins = origins | origins_in(group, classes)
        for triple in triples:
            self._triple(triple, classes, group)
        for element in group.elements:
            self._element(element, origins, classes)

    def _element(self, element: PatternElement, origins: Origins, classes: Classes) -> None:
        outside = self._certain
        self._certain = outside and isinstance(element, NamedGraphPattern | Group)
        if isinstance(element, Filter):
            self.condition(element.condition, origins, classes)
        elif isinstance(element, OptionalPattern | NamedGraphPattern):
            self.group(element.pattern, origins, classes)
        elif isinstance(element, MinusPattern):
            self.group(element.pattern, {}, {})
        elif isinstance(element, UnionPattern):
            for branch in element.branches:
                self.group(branch, {}, classes)
        elif isinstance(element, Group):
            self.group(element, {}, classes)
        elif isinstance(element, InlineValues):
            self.inline(element, origins)
        elif not isinstance(element, TriplesBlock):
            for node in walk(element):
                if isinstance(node, Exists):
                    self.group(node.pattern, origins, classes)
        self._certain = outside

    # Triples

    def _triple(self, triple: Triple, classes: Classes, group: GroupPattern) -> None:
        verb = triple.verb
        is_class = leads_to_classes(verb)
        if isinstance(verb, Iri):
            self.found.verbs.append(
                VerbPlace(verb, triple.subject, triple.object, classes, verb, self._certain)
            )
        elif isinstance(verb, InversePath) and isinstance(verb.path, Iri):
            self.found.verbs.append(
                VerbPlace(verb.path, triple.object, triple.subject, classes, verb, self._certain)
            )
        elif not isinstance(verb, Variable):
            for node in walk(verb):
                if isinstance(node, Iri):
                    self.found.verbs.append(VerbPlace(node, None, None, classes, verb, self._certain))
        if is_class and isinstance(triple.object, Iri):
            self.found.classes.append(ClassPlace(triple.object, verb))
        for end, is_object in ((triple.subject, False), (triple.object, True)):
            if isinstance(end, Iri) and not (is_object and is_class):
                self.found.nodes.append(NodePlace(end, _verb_at(verb, is_object=is_object)))
        source = value_source(triple, classes)
        if source is not None and isinstance(triple.object, RdfLiteral):
            origin = Origin((source,))
            owner = triple.subject.name if isinstance(triple.subject, Variable) else ""
            self.found.literals.append(
                LiteralPlace(triple.object, origin, "object", triple.place, group=group, owner=owner)
            )

    def inline(self, values: InlineValues, origins: Origins) -> None:
        """Rows of VALUES."""
        for row in values.rows:
            for variable, value in zip(values.variables, row.values, strict=True):
                origin = origins.get(variable.name, Origin())
                if isinstance(value, RdfLiteral):
                    self.found.literals.append(LiteralPlace(value, origin, "values", row, variable))
                elif isinstance(value, Iri):
                    self.found.nodes.append(NodePlace(value, _verbs_of(origin)))

    # Conditions

    def condition(self, node: Expression, origins: Origins, classes: Classes) -> None:
        """Look at a condition and everything in it."""
        for part in _parts(node):
            if isinstance(part, Exists):
                self.group(part.pattern, origins, classes)
            elif isinstance(part, Operation) and len(part.operands) == 2:
                self._compared(part, origins)
            elif isinstance(part, Membership):
                for item in part.items:
                    self._value(part, part.operand, item, "IN", origins)
            elif isinstance(part, BuiltInCall) and part.name in _TESTS and len(part.arguments) >= 2:
                self._value(part, part.arguments[0], part.arguments[1], _test(part.name), origins)

    def _compared(self, node: Operation, origins: Origins) -> None:
        operator = node.operators[0]
        if operator not in ("=", "!=", "<", ">", "<=", ">="):
            return
        test: Test = "=" if operator == "=" else "!=" if operator == "!=" else "<"
        left, right = node.operands
        self._value(node, left, right, test, origins)
        self._value(node, right, left, test, origins)

    def _value(
        self, node: SyntaxNode, side: Expression, other: Expression, test: Test, origins: Origins
    ) -> None:
        variable, folded, is_text = _unfolded(side)
        literal, _, _ = _unfolded(other)
        if not isinstance(variable, Variable):
            return
        origin = origins.get(variable.name, Origin())
        if isinstance(literal, RdfLiteral):
            self.found.literals.append(LiteralPlace(literal, origin, test, node, side, folded, is_text))
        elif isinstance(literal, Iri):
            self.found.nodes.append(NodePlace(literal, _verbs_of(origin)))


def _parts(node: Expression) -> Iterable[SyntaxNode]:
    """An expression and what it is made of, patterns of EXISTS not looked into."""
    waiting: list[SyntaxNode] = [node]
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, Exists):
            for name in reversed(part._nodes):
                value = getattr(part, name)
                items = value if isinstance(value, tuple) else (value,)
                waiting += [item for item in reversed(items) if isinstance(item, SyntaxNode)]


def _unfolded(node: Expression) -> tuple[Expression, str, bool]:
    """What is read, without the functions of letters around it; and whether as a plain text."""
    folded, is_text = "", False
    while isinstance(node, BuiltInCall) and len(node.arguments) == 1 and node.name in _FOLDS:
        folded = _FOLDS[node.name] or folded
        is_text = is_text or node.name == "STR"
        node = node.arguments[0]
    return node, folded, is_text


def _test(name: str) -> Test:
    tests: dict[str, Test] = {
        "CONTAINS": "CONTAINS",
        "STRSTARTS": "STRSTARTS",
        "STRENDS": "STRENDS",
        "REGEX": "REGEX",
    }
    return tests[name]


def _verb_at(verb: SyntaxNode, *, is_object: bool) -> tuple[tuple[Iri, bool], ...]:
    """The predicate at one end of a path, with whether the node there is its object."""
    if isinstance(verb, SequencePath):
        verb = verb.steps[-1 if is_object else 0]
    if isinstance(verb, InversePath):
        verb, is_object = verb.path, not is_object
    return ((verb, is_object),) if isinstance(verb, Iri) else ()


def _verbs_of(origin: Origin) -> tuple[tuple[Iri, bool], ...]:
    return tuple((source.predicate, True) for source in (*origin.certain, *origin.possible))


def plain_text(literal: RdfLiteral) -> str | None:
    """What a literal says, if it is a text without a datatype but that of texts."""
    if not isinstance(literal, StringLiteral):
        return None
    if literal.datatype is not None and not literal.datatype.value.endswith("#string"):
        return None
    return literal.value
