"""Triples, and groups of graph patterns in braces."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import NoReturn

from ..source import SourceText, Span
from ..tokens import Token
from .expression_parser import ExpressionParser
from .lexer import VARIABLE
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
    ServicePattern,
    SubSelect,
    Triples,
    TriplesBlock,
    Undefined,
    UnionPattern,
    ValuesRow,
)
from .term_tree import BlankNode, Term, Variable


class PatternParser(ExpressionParser):
    """The rules of graph patterns.

    A label of a blank node is good for one basic graph pattern: triples with nothing but filters between them. Each has
    a number; ``pattern`` is that of the one that is being read, ``label_homes`` tells where each label was met.
    """

    def __init__(self, source: SourceText, known_prefixes: Mapping[str, str]) -> None:
        super().__init__(source, known_prefixes)
        self.pattern = 0
        self.patterns_met = 0
        self.label_homes: dict[str, int] = {}

    @abstractmethod
    def sub_select(self, start: int) -> SubSelect:
        """A query in braces, of which the opening one, at ``start``, was read already."""

    # Blank nodes

    def blank_node_label(self, token: Token) -> None:
        """Note the use of a label, which is good for one pattern only."""
        if self.label_homes.setdefault(token.text, self.pattern) != self.pattern:
            self.error(
                token.span,
                f"the blank node _:{token.text} was used in another pattern already",
                code="blank-node",
                advice=f"Write a variable, ?{token.text}, to join the patterns; else another label.",
            )

    def open_pattern(self) -> None:
        """Begin a basic graph pattern: labels of another must not come again."""
        self.patterns_met += 1
        self.pattern = self.patterns_met

    # Triples

    def triples_block(self, *, paths: bool) -> TriplesBlock:
        """Triples with dots between them; ``paths`` says whether property paths may stand in them."""
        start = self.token.start
        triples = [self._triples(paths)]
        while self.accept(".") and self._starts_triples():
            triples.append(self._triples(paths))
        return TriplesBlock(tuple(triples), span=self.span_from(start))

    def _starts_triples(self) -> bool:
        return self.starts_term() or self.token.key in ("(", "[", "<")

    def _triples(self, paths: bool) -> Triples:
        start = self.token.start
        subject = self.graph_node("a subject", paths=paths)
        says_it_all = isinstance(subject, BlankNodeProperties) or (
            isinstance(subject, Collection) and subject.items
        )
        properties: tuple[PropertyList, ...] = ()
        if not says_it_all or self.starts_verb():
            properties = self._property_lists(paths)
        return Triples(subject, properties, span=self.span_from(start))

    def _property_lists(self, paths: bool) -> tuple[PropertyList, ...]:
        lists = [self._property_list(paths)]
        while self.accept(";"):
            if self.starts_verb():
                lists.append(self._property_list(paths))
        return tuple(lists)

    def _property_list(self, paths: bool) -> PropertyList:
        start = self.token.start
        verb = self.verb(paths=paths)
        objects = [self.graph_node("an object", paths=paths)]
        while self.accept(","):
            objects.append(self.graph_node("an object after ','", paths=paths))
        return PropertyList(verb, tuple(objects), span=self.span_from(start))

    def graph_node(self, what: str, *, paths: bool = True) -> GraphNode:
        """A subject or an object."""
        if self.token.key == "(":
            return self._collection(paths)
        if self.token.key == "[":
            return self._blank_node(paths)
        return self.term(what)

    def _collection(self, paths: bool) -> Collection:
        start = self.expect("(").start
        self.descend()
        items: list[GraphNode] = []
        while self.token.key != ")":
            items.append(self.graph_node("an item of the list, or ')',", paths=paths))
        self.advance()
        self.depth -= 1
        return Collection(tuple(items), span=self.span_from(start))

    def _blank_node(self, paths: bool) -> BlankNode | BlankNodeProperties:
        start = self.expect("[").start
        if self.accept("]"):
            return BlankNode(span=self.span_from(start))
        self.descend()
        properties = self._property_lists(paths)
        self.depth -= 1
        self.expect("]", "at the end of the blank node")
        return BlankNodeProperties(properties, span=self.span_from(start))

    # Groups

    def group(self, purpose: str) -> Group:
        """A pattern or a query in braces."""
        start = self.expect("{", purpose).start
        self.descend(2)
        outside = self.pattern
        group = self.sub_select(start) if self.token.key == "SELECT" else self._group_pattern(start)
        self.pattern = outside
        self.depth -= 2
        return group

    def _group_pattern(self, start: int) -> GroupPattern:
        elements = self._elements()
        self.close_group()
        return GroupPattern(elements, span=self.span_from(start))

    def close_group(self) -> None:
        """Pass the brace at the end of a group."""
        if self.token.key != "}":
            self._no_element()
        self.advance()

    def _elements(self) -> tuple[PatternElement, ...]:
        elements: list[PatternElement] = []
        self.open_pattern()
        after_triples = False
        while True:
            if self._starts_triples():
                if after_triples:
                    self.unexpected("'.' between triples, or '}'")
                elements.append(self.triples_block(paths=True))
                after_triples = True
                continue
            rule = _ELEMENTS.get(self.token.key)
            if rule is None:
                return tuple(elements)
            element = rule(self)
            elements.append(element)
            if not isinstance(element, Filter):
                self.open_pattern()
            self.accept(".")
            after_triples = False

    def _no_element(self) -> NoReturn:
        """Raise what is to be said of a token that neither goes on with a group nor ends it."""
        token = self.token
        if token.key == ".":
            self.unexpected("a pattern or '}'", advice="A dot follows triples, and there is one.")
        if token.key in ("CONSTRUCT", "ASK", "DESCRIBE"):
            self.unexpected("a pattern or '}'", advice="A query inside another is a SELECT.")
        if token.key == "SELECT":
            self.unexpected(
                "a pattern or '}'", advice="A subquery stands in braces of its own: { SELECT … }."
            )
        if token.key in ("LIMIT", "OFFSET", "ORDER", "GROUP", "HAVING"):
            self.unexpected("a pattern or '}'", advice=f"{token.key} follows the '}}' that closes WHERE.")
        if token.key == "/" and self.peek().key in ("/", "*"):
            self.unexpected("a pattern or '}'", advice="A comment begins with #.")
        if token.key in ("LATERAL", "UNFOLD", "LET", "BINDINGS", "UNSAID"):
            self.error(token.span, f"{token.key} is no pattern of SPARQL 1.1", code="unsupported")
        advice = None
        if token.is_name:
            from ...core.suggestions import nearest_names

            near = nearest_names(token.text, _ELEMENT_WORDS, most=1)
            advice = f"Did you mean {near[0]}?" if near else f"Write ?{token.text} for a variable."
        self.unexpected("a pattern or '}'", advice=advice)

    def _group_or_union(self) -> PatternElement:
        start = self.token.start
        branches = [self.group("")]
        while self.accept("UNION"):
            branches.append(self.group("after UNION"))
        return (
            branches[0] if len(branches) == 1 else UnionPattern(tuple(branches), span=self.span_from(start))
        )

    def _filter(self) -> Filter:
        start = self.advance().start
        with self.aggregates("in FILTER"):
            condition = self.constraint("a condition in parentheses after FILTER")
        return Filter(condition, span=self.span_from(start))

    def _optional(self) -> OptionalPattern:
        start = self.advance().start
        return OptionalPattern(self.group("after OPTIONAL"), span=self.span_from(start))

    def _minus(self) -> MinusPattern:
        start = self.advance().start
        return MinusPattern(self.group("after MINUS"), span=self.span_from(start))

    def _named_graph(self) -> NamedGraphPattern:
        start = self.advance().start
        graph = self.iri_or_variable("an IRI or a variable after GRAPH")
        return NamedGraphPattern(graph, self.group("after GRAPH"), span=self.span_from(start))

    def _service(self) -> ServicePattern:
        start = self.advance().start
        silent = self.accept("SILENT")
        endpoint = self.iri_or_variable("the address of an endpoint after SERVICE")
        pattern = self.group("after SERVICE")
        return ServicePattern(endpoint, pattern, silent, span=self.span_from(start))

    def _bind(self) -> Bind:
        start = self.advance().start
        self.expect("(", "after BIND")
        with self.aggregates("in BIND"):
            expression = self.expression()
        self.expect("AS", "after the expression in BIND")
        variable = self.variable("a variable after AS")
        self.expect(")", "at the end of BIND")
        return Bind(expression, variable, span=self.span_from(start))

    # VALUES

    def inline_values(self) -> InlineValues:
        """``VALUES`` and its rows."""
        start = self.advance().start
        if self.token.key == VARIABLE:
            variables: tuple[Variable, ...] = (self.variable("a variable"),)
            rows = self._short_rows()
        else:
            variables = self._values_variables()
            rows = self._rows(len(variables))
        return InlineValues(variables, rows, span=self.span_from(start))

    def _values_variables(self) -> tuple[Variable, ...]:
        self.expect("(", "or a variable after VALUES")
        variables: dict[str, Variable] = {}
        while not self.accept(")"):
            variable = self.variable("a variable or ')'")
            if variable.name in variables:
                self.error(variable.span, f"?{variable.name} stands twice in VALUES")
            variables[variable.name] = variable
        return tuple(variables.values())

    def _short_rows(self) -> tuple[ValuesRow, ...]:
        self.expect("{", "before the values")
        rows: list[ValuesRow] = []
        while not self.accept("}"):
            value = self._value("a value or '}'")
            rows.append(ValuesRow((value,), span=value.span))
        return tuple(rows)

    def _rows(self, width: int) -> tuple[ValuesRow, ...]:
        self.expect("{", "before the rows of VALUES")
        rows: list[ValuesRow] = []
        while not self.accept("}"):
            start = self.expect("(", "before a row, or '}',").start
            values: list[Term | Undefined] = []
            while not self.accept(")"):
                values.append(self._value("a value or ')'"))
            span = self.span_from(start)
            if len(values) != width:
                self._wrong_width(span, len(values), width)
            rows.append(ValuesRow(tuple(values), span=span))
        return tuple(rows)

    def _wrong_width(self, span: Span, found: int, width: int) -> NoReturn:
        self.error(
            span,
            f"this row of VALUES has {found} {'value' if found == 1 else 'values'}, "
            f"but there {'is 1 variable' if width == 1 else f'are {width} variables'}",
            advice="Write UNDEF where a variable has no value." if found < width else None,
        )

    def _value(self, what: str) -> Term | Undefined:
        token = self.token
        if self.accept("UNDEF"):
            return Undefined(span=token.span)
        if token.key == ",":
            self.unexpected(what, advice="Blanks separate the values, not commas.")
        return self.literal() if self.starts_literal() else self.iri(what)


_ELEMENTS = {
    "{": PatternParser._group_or_union,
    "OPTIONAL": PatternParser._optional,
    "MINUS": PatternParser._minus,
    "GRAPH": PatternParser._named_graph,
    "SERVICE": PatternParser._service,
    "FILTER": PatternParser._filter,
    "BIND": PatternParser._bind,
    "VALUES": PatternParser.inline_values,
}
_ELEMENT_WORDS = (*(word for word in _ELEMENTS if word != "{"), "UNION")
