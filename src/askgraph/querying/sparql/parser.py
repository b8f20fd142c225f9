"""SPARQL text to a tree: whole queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from ..source import SourceText
from ..tokens import END
from ..tree import SyntaxNode
from .escapes import Escape, decode_escapes
from .iris import resolve
from .lexer import IRI, PREFIXED, VARIABLE
from .modifier_parser import ModifierParser
from .pattern_tree import Group, GroupPattern, InlineValues, SubSelect, TriplesBlock
from .query_tree import (
    AnyForm,
    AskQuery,
    BaseDeclaration,
    ConstructQuery,
    Dataset,
    Declaration,
    DescribeQuery,
    PrefixDeclaration,
    Query,
    SelectQuery,
)
from .scopes import check_scopes
from .term_tree import Iri, Variable
from .updates import SECOND_UPDATE, UPDATE_WORDS, update_error


class Parsed(SyntaxNode):
    """A text and its tree.

    Attributes:
        query: the tree; its spans count in ``source.text``.
        source: the text, with its codepoint escapes replaced.
        escapes: the codepoint escapes that it had.
        steps: how often the parser's reading head moved.
    """

    query: Query
    source: SourceText
    escapes: tuple[Escape, ...]
    steps: int


def parse(text: str, *, prefixes: Mapping[str, str] | None = None) -> Parsed:
    """The tree of a SPARQL 1.1 query.

    Args:
        text: the query.
        prefixes: prefixes that the engine knows without being told, and their IRIs. A name that uses one is printed in
            full. Without them a text must declare what it uses, as the standard says.

    Raises:
        QuerySyntaxError: the text is not a query. Its ``code`` is ``"update"`` for one that begins as an update does,
            ``"several-statements"`` where something follows a query, ``"unsupported"`` for what SPARQL 1.2 or an engine
            adds to the language, ``"prefix"`` for a prefix that is not declared, ``"blank-node"``, ``"aggregate"`` or
            ``"scope"`` for a blank node, an aggregate or a variable where it may not stand, ``"too-deep"`` or
            ``"empty"``; else it is ``"syntax"``.
    """
    source, escapes = decode_escapes(text)
    parser = SparqlParser(source, prefixes or {})
    query = parser.query()
    check_scopes(query.form, source)
    return Parsed(query, source, escapes, parser.steps)


class SparqlParser(ModifierParser):
    """The rules of whole queries."""

    def query(self) -> Query:
        """The whole text."""
        start = self.token.start
        prologue = self._prologue()
        if self.token.key == END and not prologue:
            self.error(self.token.span, "the query is empty", code="empty")
        form = self._form()
        if self.token.key != END:
            self._after_the_end()
        return Query(prologue, form, span=self.span_from(start))

    def _prologue(self) -> tuple[Declaration, ...]:
        declarations: list[Declaration] = []
        while self.token.key in ("BASE", "PREFIX"):
            declarations.append(self._base() if self.token.key == "BASE" else self._prefix())
        return tuple(declarations)

    def _base(self) -> BaseDeclaration:
        start = self.advance().start
        iri = self._full_iri("an IRI in angle brackets after BASE")
        self.base = resolve(self.base, iri)
        return BaseDeclaration(iri, span=self.span_from(start))

    def _prefix(self) -> PrefixDeclaration:
        start = self.advance().start
        token = self.token
        if token.key != PREFIXED or not token.text.endswith(":") or token.text.count(":") != 1:
            self.unexpected("a prefix with its colon after PREFIX", advice="Write PREFIX name: <iri>.")
        self.advance()
        name = token.text[:-1]
        iri = self._full_iri(f"an IRI in angle brackets after {name}:")
        self.prefixes[name] = resolve(self.base, iri)
        return PrefixDeclaration(name, iri, span=self.span_from(start))

    def _full_iri(self, what: str) -> str:
        if self.token.key != IRI:
            self.no_term(what)
        return self.advance().text

    def _form(self) -> AnyForm:
        forms: dict[str, Callable[[], AnyForm]] = {
            "SELECT": self._select,
            "CONSTRUCT": self._construct,
            "ASK": self._ask,
            "DESCRIBE": self._describe,
        }
        rule = forms.get(self.token.key)
        if rule is None:
            self._no_form(list(forms))
        return rule()

    def _no_form(self, forms: list[str]) -> NoReturn:
        """Raise what is to be said of a token that begins no query."""
        token = self.token
        if token.key in UPDATE_WORDS:
            raise update_error(self)
        if token.key == "DEFINE":
            self.error(token.span, "DEFINE is a pragma of Virtuoso, no part of SPARQL", code="unsupported")
        if token.key == "VERSION":
            self.error(
                token.span, "VERSION belongs to SPARQL 1.2, which is not read here", code="unsupported"
            )
        advice = None
        if token.key in ("MATCH", "RETURN", "UNWIND"):
            advice = "This looks like Cypher."
        elif token.is_name:
            from ...core.suggestions import nearest_names

            near = nearest_names(token.text, [*forms, "PREFIX", "BASE"], most=1)
            advice = f"Did you mean {near[0]}?" if near else None
        self.unexpected("SELECT, CONSTRUCT, ASK or DESCRIBE", advice=advice)

    def _after_the_end(self) -> NoReturn:
        """Raise what is to be said of what follows a query."""
        semicolon = self.token
        if self._update_follows():
            raise update_error(self, code=SECOND_UPDATE)
        if self.accept(";") and self.token.key == END:
            self.error(semicolon.span, "a query does not end with ';'", advice="Leave it out.")
        if self.token.key in ("SELECT", "CONSTRUCT", "ASK", "DESCRIBE", "PREFIX", "BASE"):
            self.error(
                self.token.span,
                "a second query begins here",
                code="several-statements",
                advice="Send one query at a time.",
            )
        advice = None
        if self.token.key == "}":
            advice = "There is one '}' more than '{'."
        elif self.token.key in ("GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET"):
            advice = "The order is GROUP BY, HAVING, ORDER BY, LIMIT and OFFSET, VALUES; each once."
        elif self.token.key == "BY":
            # As in ``GROUP BY ?deptORDER BY ?x``, where line ends were lost.
            advice = f"Is a blank missing in '{self.source.slice(self.tokens[self.index - 1].span)}'?"
        elif self.token.key in ("WHERE", "FROM"):
            advice = "FROM comes before WHERE, and there is one WHERE."
        self.unexpected("the end of the query", advice=advice)

    def _update_follows(self) -> bool:
        """Whether an update follows, after semicolons and a prologue of its own; if so, it comes next."""
        distance = 0
        while (token := self.peek(distance)).key in (";", "PREFIX", "BASE"):
            distance += {";": 1, "BASE": 2, "PREFIX": 3}[token.key]
        if token.key not in UPDATE_WORDS:
            return False
        for _ in range(distance):
            self.advance()
        return True

    # Forms

    def _select(self) -> SelectQuery:
        start = self.token.start
        projection = self.projection()
        dataset, where = self._dataset(), self._where()
        modifiers, values = self.modifiers(), self._values()
        return SelectQuery(projection, dataset, where, modifiers, values, span=self.span_from(start))

    def sub_select(self, start: int) -> SubSelect:
        """A query in braces, of which the opening one, at ``start``, was read already."""
        projection = self.projection()
        if self.token.key == "FROM":
            self.error(self.token.span, "a subquery has no FROM: it reads what the whole query reads")
        where, modifiers, values = self._where(), self.modifiers(), self._values()
        self.close_group()
        return SubSelect(projection, where, modifiers, values, span=self.span_from(start))

    def _construct(self) -> ConstructQuery:
        start = self.advance().start
        if self.token.key == "{":
            template: TriplesBlock | None = self._template()
            dataset, where = self._dataset(), self._where()
        else:
            template, dataset, where = None, self._dataset(), self._short_where()
        modifiers, values = self.modifiers(), self._values()
        return ConstructQuery(template, dataset, where, modifiers, values, span=self.span_from(start))

    def _template(self) -> TriplesBlock:
        """What is to be made. Its blank nodes have nothing to do with those of the pattern."""
        start = self.expect("{").start
        homes, self.label_homes = self.label_homes, {}
        block = self._triples_without_paths("template")
        self.label_homes = homes
        return TriplesBlock(block.triples, span=self.span_from(start))

    def _short_where(self) -> GroupPattern:
        """The pattern of the short form, which is the template as well."""
        self.expect("WHERE", "or a template in braces after CONSTRUCT")
        start = self.expect("{", "after WHERE").start
        block = self._triples_without_paths("pattern of CONSTRUCT without a template")
        return GroupPattern((block,) if block.triples else (), span=self.span_from(start))

    def _triples_without_paths(self, where: str) -> TriplesBlock:
        block = TriplesBlock(()) if self.token.key == "}" else self.triples_block(paths=False)
        if self.token.key != "}":
            self.unexpected(f"'.' or '}}'; only triples stand in a {where}")
        self.advance()
        return block

    def _ask(self) -> AskQuery:
        start = self.advance().start
        dataset, where = self._dataset(), self._where()
        modifiers, values = self.modifiers(), self._values()
        return AskQuery(dataset, where, modifiers, values, span=self.span_from(start))

    def _describe(self) -> DescribeQuery:
        start = self.advance().start
        targets: list[Iri | Variable] = []
        if not self.accept("*"):
            targets.append(self.iri_or_variable("an IRI, a variable or * after DESCRIBE"))
            while self.starts_iri() or self.token.key == VARIABLE:
                targets.append(self.iri_or_variable("an IRI or a variable"))
        dataset = self._dataset()
        where = self._where() if self.token.key in ("WHERE", "{") else None
        modifiers, values = self.modifiers(), self._values()
        return DescribeQuery(tuple(targets), dataset, where, modifiers, values, span=self.span_from(start))

    def _dataset(self) -> tuple[Dataset, ...]:
        clauses: list[Dataset] = []
        while self.token.key == "FROM":
            start = self.advance().start
            named = self.accept("NAMED")
            graph = self.iri("the IRI of a graph after FROM")
            clauses.append(Dataset(graph, named, span=self.span_from(start)))
        return tuple(clauses)

    def _where(self) -> Group:
        if self.accept("WHERE"):
            return self.group("after WHERE")
        return self.group("or WHERE")

    def _values(self) -> InlineValues | None:
        return self.inline_values() if self.token.key == "VALUES" else None
