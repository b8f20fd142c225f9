"""Single values: literals, variables, calls, and everything in brackets."""

from __future__ import annotations

from ..tree import SyntaxNode
from .comprehension_parser import ComprehensionParser
from .expression_tree import (
    Case,
    CaseBranch,
    Constant,
    CountAll,
    Expression,
    FunctionCall,
    InterpolatedText,
    Lambda,
    MapEntry,
    MapLiteral,
    MapProjection,
    Number,
    Parameter,
    Parenthesized,
    PatternPredicate,
    PatternSubquery,
    ProjectedAll,
    ProjectedProperty,
    Subquery,
    Text,
    TextPart,
    Trim,
    Variable,
)
from .lexer import FLOAT, INTEGER, PARAMETER, STRING, TEXT_CLOSE, TEXT_OPEN, TEXT_PART
from .strings import unescape

_LARGEST_INTEGER = 2**63 - 1
_LARGEST_FLOAT = 1.7976931348623157e308
_CONSTANTS = ("TRUE", "FALSE", "NULL")
_NAMED_NUMBERS = ("INF", "INFINITY", "NAN")
_SUBQUERIES = ("EXISTS", "COUNT", "COLLECT")
# After these the word CASE is a variable that somebody named so.
_AFTER_A_VARIABLE = (".", ",", ")", "]", "}", "AS", "<end>", ";")


class AtomParser(ComprehensionParser):
    """The rules of single values."""

    def atom(self) -> Expression:
        """A single value: a literal, a variable, a call, something in brackets."""
        token = self.token
        key = token.key
        if token.is_name:
            return self._word()
        if key == STRING:
            self.advance()
            return Text(unescape(self.source, token), span=token.span)
        if key in (INTEGER, FLOAT):
            return self.number()
        if key == PARAMETER:
            self.advance()
            return Parameter(token.text, span=token.span)
        if key == "(":
            return self._parenthesis()
        if key == "[":
            return self.bracket()
        if key == "{":
            return self.map_literal()
        if key == TEXT_OPEN:
            return self._interpolated()
        if key == "$":
            return self._spaced_parameter()
        self.unexpected("an expression", advice=_advice_on(key))

    def number(self, *, negated: bool = False) -> Number:
        """A number within the bounds of 64 bits."""
        token = self.advance()
        number = Number(token.text, span=token.span)
        integer = number.integer
        if integer is not None and integer > _LARGEST_INTEGER + negated:
            raise self.source.syntax_error(token.span, "this integer does not fit into 64 bits")
        if integer is None and float(token.text.replace("_", "")) > _LARGEST_FLOAT:
            raise self.source.syntax_error(token.span, "this number does not fit into 64 bits")
        return number

    def _spaced_parameter(self) -> Expression:
        """``$ name``: blanks are allowed there."""
        start = self.advance().start
        if not self.token.is_name and self.token.key != INTEGER:
            self.unexpected("the name of a parameter")
        name = self.advance().text
        return Parameter(name, span=self.span_from(start))

    def _interpolated(self) -> Expression:
        opening = self.advance()
        parts: list[Expression] = []
        while self.token.key != TEXT_CLOSE:
            if self.token.key == TEXT_PART:
                part = self.advance()
                parts.append(TextPart(part.text, span=part.span))
            else:
                self.expect("{", "in the interpolated string")
                parts.append(self.expression())
                self.expect("}", "after the expression in the string")
        self.advance()
        return InterpolatedText(opening.text, tuple(parts), span=self.span_from(opening.start))

    # Words

    def _word(self) -> Expression:
        key, following = self.token.key, self.peek().key
        if key in _CONSTANTS and following not in (".", "("):
            token = self.advance()
            return Constant(key, span=token.span)
        if key in _NAMED_NUMBERS and following not in (".", "(", "[", "{"):
            token = self.advance()
            return Constant(token.text, span=token.span)
        if following == "{":
            return self._subquery() if key in _SUBQUERIES else self._map_projection()
        if key == "CASE" and following not in _AFTER_A_VARIABLE:
            return self._case()
        if following == "(":
            return self._call()
        if following == "." and self._is_dotted_call():
            return self._function()
        token = self.advance()
        return Variable(token.text, span=token.span)

    def _is_dotted_call(self) -> bool:
        """Whether names with dots between them end in an opening parenthesis."""
        index = self.index + 1
        while self.token_at(index).key == "." and self.token_at(index + 1).is_name:
            index += 2
        return self.token_at(index).key == "("

    def _call(self) -> Expression:
        """A call without a namespace: one of the forms with a syntax of their own, or a function."""
        key = self.token.key
        if key == "COUNT" and self.peek(2).key == "*":
            return self._count_all()
        if key == "TRIM":
            return self._trim()
        if key in ("SHORTESTPATH", "ALLSHORTESTPATHS"):
            pattern = self.shortest_path()
            return PatternPredicate(pattern, span=pattern.span)
        special = self.list_function()
        return self._function() if special is None else special

    def _function(self) -> Expression:
        start = self.token.start
        name = self.dotted_name("a function")
        self.expect("(")
        distinct = self._distinct()
        arguments = self._arguments()
        return FunctionCall(name, arguments, distinct, span=self.span_from(start))

    def _distinct(self) -> bool:
        """``DISTINCT`` or ``ALL`` before the arguments, where it is not a name itself."""
        key, following = self.token.key, self.peek().key
        if key == "DISTINCT" and following not in (")", ",", "."):
            self.advance()
            return True
        if key == "ALL" and following not in (")", ",", ".", "("):
            self.advance()
        return False

    def _arguments(self) -> tuple[Expression, ...]:
        """Arguments of a function, some of which may be functions themselves."""
        if self.accept(")"):
            return ()
        self.descend()
        items = [self._argument()]
        while self.accept(","):
            items.append(self._argument())
        self.depth -= 1
        self.expect(")", "or ','")
        return tuple(items)

    def _argument(self) -> Expression:
        closing = self.index + 1
        if self.token.key == "(":
            closing = self.brackets.closers.get(self.index, self.index) + 1
        elif not self.token.is_name:
            return self.expression()
        if self.token_at(closing).key != "-" or self.token_at(closing + 1).key != ">":
            return self.expression()
        start = self.token.start
        variables = self._lambda_variables()
        self.advance()
        self.advance()
        body = self.expression()
        return Lambda(variables, body, span=self.span_from(start))

    def _lambda_variables(self) -> tuple[str, ...]:
        if not self.accept("("):
            return (self.name("a variable"),)
        names = [self.name("a variable")]
        while self.accept(","):
            names.append(self.name("a variable"))
        self.expect(")", "after the variables")
        return tuple(names)

    def _expressions_until(self, closing: str) -> tuple[Expression, ...]:
        items: list[Expression] = []
        if self.accept(closing):
            return ()
        items.append(self.expression())
        while self.accept(","):
            items.append(self.expression())
        self.expect(closing, "or ','")
        return tuple(items)

    def _count_all(self) -> Expression:
        start = self.advance().start
        self.advance()
        self.advance()
        self.expect(")", "after count(*")
        return CountAll(span=self.span_from(start))

    def _trim(self) -> Expression:
        """``trim(text)``, or the longer form with FROM."""
        start = self.advance().start
        self.advance()
        side = ""
        if self.token.key in ("BOTH", "LEADING", "TRAILING") and self.peek().key not in (")", ",", "."):
            side = self.advance().key
        characters = None if self.token.key == "FROM" else self.expression()
        if self.accept("FROM"):
            text = self.expression()
            self.expect(")", "after the text to trim")
            return Trim(side, characters, text, span=self.span_from(start))
        arguments: tuple[Expression, ...] = () if characters is None else (characters,)
        if side:
            self.unexpected(f"FROM after {side}")
        if self.accept(","):
            arguments += self._expressions_until(")")
        else:
            self.expect(")", "after the text to trim")
        return FunctionCall("trim", arguments, span=self.span_from(start))

    def _case(self) -> Expression:
        start = self.advance().start
        subject = None if self.token.key == "WHEN" else self.expression()
        branches = [self._case_branch(subject is not None)]
        while self.token.key == "WHEN":
            branches.append(self._case_branch(subject is not None))
        default = self.expression() if self.accept("ELSE") else None
        self.expect("END", "after the last branch of CASE")
        return Case(subject, tuple(branches), default, span=self.span_from(start))

    def _case_branch(self, has_subject: bool) -> CaseBranch:
        start = self.expect("WHEN", "in CASE").start
        conditions = [self.case_condition() if has_subject else self.expression()]
        while has_subject and self.accept(","):
            conditions.append(self.case_condition())
        self.expect("THEN", "after the condition")
        result = self.expression()
        return CaseBranch(tuple(conditions), result, span=self.span_from(start))

    # Brackets

    def _parenthesis(self) -> Expression:
        start = self.token.start
        if self.starts_path(self.index):
            pattern = self.path_in_expression()
            return PatternPredicate(pattern, span=pattern.span)
        self.advance()
        inner = self.expression()
        self.expect(")")
        return Parenthesized(inner, span=self.span_from(start))

    def map_literal(self) -> MapLiteral:
        """``{key: value}``."""
        start = self.expect("{").start
        entries: list[MapEntry] = []
        if not self.accept("}"):
            entries.append(self._map_entry())
            while self.accept(","):
                entries.append(self._map_entry())
            self.expect("}", "or ',' in the map")
        return MapLiteral(tuple(entries), span=self.span_from(start))

    def _map_entry(self) -> MapEntry:
        start = self.token.start
        key = self.name("a key of the map")
        self.expect(":", "after the key")
        value = self.expression()
        return MapEntry(key, value, span=self.span_from(start))

    def _map_projection(self) -> Expression:
        start = self.token.start
        variable = self.advance().text
        self.advance()
        self.descend()
        items: list[SyntaxNode] = []
        if not self.accept("}"):
            items.append(self._projected())
            while self.accept(","):
                items.append(self._projected())
            self.expect("}", "or ',' in the map projection")
        self.depth -= 1
        return MapProjection(variable, tuple(items), span=self.span_from(start))

    def _projected(self) -> SyntaxNode:
        token = self.token
        if self.accept("."):
            if self.accept("*"):
                return ProjectedAll(span=self.span_from(token.start))
            return ProjectedProperty(self.name("a property key"), span=self.span_from(token.start))
        if self.peek().key == ":":
            return self._map_entry()
        return Variable(self.name(".key, .*, key: value or a variable"), span=token.span)

    def _subquery(self) -> Expression:
        """``EXISTS { … }`` and the like, in the long form or in the short one."""
        start, kind = self.token.start, self.advance().key
        self.expect("{")
        if self.starts_query() or kind == "COLLECT":
            query = self.query()
            self.expect("}", f"at the end of {kind} {{")
            return Subquery(kind, query, span=self.span_from(start))  # type: ignore[arg-type]
        mode = self.match_mode()
        patterns = [self.path_pattern()]
        while self.accept(","):
            patterns.append(self.path_pattern())
        condition = self.expression() if self.accept("WHERE") else None
        self.expect("}", f"at the end of {kind} {{")
        return PatternSubquery(
            kind,  # type: ignore[arg-type]
            mode,
            tuple(patterns),
            condition,
            span=self.span_from(start),
        )


def _advice_on(key: str) -> str | None:
    if key in ("}", ")", "]"):
        return "Is a bracket closed twice, or a value missing?"
    return None
