"""Patterns: paths, nodes, relationships, labels."""

from __future__ import annotations

from .atom_parser import AtomParser
from .expression_tree import Expression, Number, Parameter
from .label_parser import LabelParser
from .lexer import INTEGER, PARAMETER
from .pattern_tree import (
    ExpansionLambda,
    NodePattern,
    ParenthesizedPath,
    PathElement,
    PathLength,
    PathPattern,
    PathSelector,
    Quantifier,
    RelationshipPattern,
    ShortestPath,
)

_AFTER_NODE_NAME = (")", ":", "{", PARAMETER, "WHERE", "IS")
_MODES = ("WALK", "TRAIL", "ACYCLIC")
_EXPANSIONS = ("BFS", "DFS", "WSHORTEST", "ALLSHORTEST", "KSHORTEST", "SHORTEST", "ALL", *_MODES)
# A word that is a variable although a condition could begin with it: what follows tells.
_AFTER_A_VARIABLE = ("]", ")", ":", "IS", "*", "{", PARAMETER, "WHERE")


class PatternParser(LabelParser, AtomParser):
    """The rules of patterns."""

    # Looking ahead

    def starts_path(self, index: int) -> bool:
        """Whether the opening parenthesis at this index begins a path with a relationship.

        It looks at what the parenthesis holds first, and at the arrow behind the one that closes it.
        """
        if self.token_at(index).key != "(" or not self._looks_like_node(index):
            return False
        closing = self.brackets.closers.get(index)
        return closing is not None and self._is_arrow(closing + 1)

    def _looks_like_node(self, index: int) -> bool:
        first = self.token_at(index + 1)
        if first.key in _AFTER_NODE_NAME:
            return True
        return first.is_name and self.token_at(index + 2).key in _AFTER_NODE_NAME

    def _is_arrow(self, index: int) -> bool:
        """Whether a relationship is drawn from this token on, up to the node at its other end."""
        if self.token_at(index).key == "<":
            index += 1
        if self.token_at(index).key != "-":
            return False
        index += 1
        if self.token_at(index).key == "[":
            closing = self.brackets.closers.get(index)
            return closing is not None and self.token_at(closing + 1).key == "-"
        if self.token_at(index).key != "-":
            return False
        after = self.token_at(index + 1).key
        return after == "(" or (after == ">" and self.token_at(index + 2).key == "(")

    def _at_relationship(self) -> bool:
        key = self.token.key
        if key == "<":
            return self.peek().key == "-"
        return key == "-" and self.peek().key in ("-", "[")

    # Paths

    def path_pattern(self) -> PathPattern:
        """A path, with its name and selector."""
        self.descend(3)
        start = self.token.start
        variable = None
        if self.token.is_name and self.peek().key == "=":
            variable = self.advance().text
            self.advance()
        selector = self._selector()
        if self.token.key in ("SHORTESTPATH", "ALLSHORTESTPATHS") and self.peek().key == "(":
            elements = self.shortest_path().elements
        else:
            elements = self._elements()
        self.depth -= 3
        return PathPattern(elements, variable, selector, span=self.span_from(start))

    def path_in_expression(self) -> PathPattern:
        """A path where a value is wanted: at least one relationship, no selector."""
        self.descend(2)
        start = self.token.start
        elements: list[PathElement] = [self._node()]
        while self._at_relationship():
            elements += (self._relationship(), self._node())
        self.depth -= 2
        return PathPattern(tuple(elements), span=self.span_from(start))

    def shortest_path(self) -> PathPattern:
        """``shortestPath(…)`` or ``allShortestPaths(…)``."""
        start, key = self.token.start, self.advance().key
        self.expect("(")
        inner = PathPattern(self._elements(), span=self.span_from(start))
        self.expect(")", "at the end of the path")
        element = ShortestPath(key == "ALLSHORTESTPATHS", inner, span=self.span_from(start))
        return PathPattern((element,), span=element.span)

    def _elements(self) -> tuple[PathElement, ...]:
        """Nodes and relationships in turn, and parts of the path in parentheses."""
        elements: list[PathElement] = []
        while True:
            if self.token.key != "(":
                self.unexpected("a node in parentheses, such as (n:Label)")
            if self._at_parenthesized_path():
                elements.append(self._parenthesized_path())
            else:
                elements.append(self._node())
                while self._at_relationship():
                    elements += (self._relationship(), self._node())
            if self.token.key != "(":
                return tuple(elements)

    def _at_parenthesized_path(self) -> bool:
        first = self.peek()
        return first.key == "(" or (first.is_name and self.peek(2).key == "=")

    def _parenthesized_path(self) -> ParenthesizedPath:
        start = self.advance().start
        pattern = self.path_pattern()
        condition = self.expression() if self.accept("WHERE") else None
        self.expect(")", "at the end of this part of the path")
        quantifier = self._quantifier()
        return ParenthesizedPath(pattern, condition, quantifier, span=self.span_from(start))

    def _selector(self) -> PathSelector | None:
        """``ANY SHORTEST``, ``SHORTEST 2 GROUPS``, ``ACYCLIC`` … before a path."""
        start, key = self.token.start, self.token.key
        if key not in ("ALL", "ANY", "SHORTEST", *_MODES) or self.peek().key == "=":
            return None
        kind, count = "", None
        if key in ("ALL", "ANY"):
            kind = self.advance().key
            if self.accept("SHORTEST"):
                kind += " SHORTEST"
            elif kind == "ANY":
                count = self._path_count()
        elif key == "SHORTEST":
            kind = self.advance().key
            count = self._path_count()
        mode = self.advance().key if self.token.key in _MODES else ""
        if self.token.key in ("PATH", "PATHS"):
            self.advance()
        if kind == "SHORTEST" and self.token.key in ("GROUP", "GROUPS"):
            self.advance()
            kind = "SHORTEST GROUPS"
        elif kind == "SHORTEST" and count is None:
            self.unexpected("how many paths SHORTEST is to find")
        return PathSelector(kind, count, mode, span=self.span_from(start))

    def _path_count(self) -> Expression | None:
        token = self.token
        if token.key == INTEGER:
            return self.number()
        if token.key == PARAMETER:
            self.advance()
            return Parameter(token.text, span=token.span)
        return None

    def match_mode(self) -> str:
        """``REPEATABLE ELEMENTS``, ``DIFFERENT RELATIONSHIPS``, or nothing."""
        for first, one, many in (
            ("REPEATABLE", "ELEMENT", "ELEMENTS"),
            ("DIFFERENT", "RELATIONSHIP", "RELATIONSHIPS"),
        ):
            if self.accept_words(first, many):
                return f"{first} {many}"
            if self.accept_words(first, one):
                self.accept("BINDINGS")
                return f"{first} {many}"
        return ""

    # Nodes and relationships

    def _variable(self) -> str | None:
        """A variable, if one comes next; a condition without one begins with WHERE."""
        token = self.token
        if not token.is_name or token.key == "IS":
            return None
        if token.key == "WHERE" and self.peek().key not in _AFTER_A_VARIABLE:
            return None
        return self.advance().text

    def _node(self) -> NodePattern:
        start = self.expect("(", "before a node").start
        variable = self._variable()
        labels = self.label_expression() if self.accept(":") or self.accept("IS") else None
        properties = self._properties()
        condition = self.expression() if self.accept("WHERE") else None
        self.expect(")", "at the end of the node")
        return NodePattern(variable, labels, properties, condition, span=self.span_from(start))

    def _properties(self) -> Expression | None:
        token = self.token
        if token.key == "{":
            return self.map_literal()
        if token.key == PARAMETER:
            self.advance()
            return Parameter(token.text, span=token.span)
        return None

    def _relationship(self) -> RelationshipPattern:
        start = self.token.start
        to_left = self.accept("<")
        self.expect("-", "before a relationship")
        variable = types = length = properties = condition = None
        if self.accept("["):
            variable = self._variable()
            types = self.label_expression() if self.accept(":") or self.accept("IS") else None
            length = self._length() if self.token.key == "*" else None
            properties = self._properties()
            condition = self.expression() if self.accept("WHERE") else None
            self.expect("]", "at the end of the relationship")
        self.expect("-", "after a relationship")
        to_right = self.accept(">")
        quantifier = self._quantifier()
        return RelationshipPattern(
            to_left,
            to_right,
            variable,
            types,
            length,
            properties,
            condition,
            quantifier,
            span=self.span_from(start),
        )

    def _quantifier(self) -> Quantifier | None:
        start, key = self.token.start, self.token.key
        if key in ("+", "*"):
            self.advance()
            return Quantifier(1 if key == "+" else 0, None, span=self.span_from(start))
        if key != "{":
            return None
        self.advance()
        minimum = self._bound()
        if self.accept(","):
            maximum = self._bound()
            quantifier = Quantifier(minimum or 0, maximum)
        elif minimum is None:
            self.unexpected("how often this part of the path repeats")
        else:
            quantifier = Quantifier(minimum, minimum)
        self.expect("}", "after the number of repetitions")
        return Quantifier(quantifier.minimum, quantifier.maximum, span=self.span_from(start))

    def _bound(self) -> int | None:
        if self.token.key != INTEGER:
            return None
        number: Number = self.number()
        return number.integer

    # Lengths of paths

    def _length(self) -> PathLength:
        """``*``, ``*3``, ``*1..3``, and the expansions of other engines."""
        start = self.advance().start
        algorithm = self._expansion()
        minimum, maximum, exact = self._range()
        lambdas: list[ExpansionLambda] = []
        while self.token.key == "(":
            lambdas.append(self._lambda())
        total = self.advance().text if lambdas and algorithm and self.token.is_name else None
        return PathLength(
            minimum, maximum, exact, algorithm, tuple(lambdas), total, span=self.span_from(start)
        )

    def _expansion(self) -> str:
        words: list[str] = []
        while self.token.key in _EXPANSIONS:
            words.append(self.advance().key)
        return " ".join(words)

    def _range(self) -> tuple[int | None, int | None, bool]:
        minimum = self._bound()
        if self.accept(".."):
            return minimum, self._bound(), False
        return minimum, minimum, minimum is not None

    def _lambda(self) -> ExpansionLambda:
        start = self.advance().start
        relationship = self.name("a variable for the relationship")
        self.expect(",")
        node = self.name("a variable for the node")
        self.expect("|", "before what the expansion looks at")
        is_condition = self.accept("WHERE")
        expression = self.expression()
        self.expect(")", "at the end of the expansion")
        return ExpansionLambda(relationship, node, is_condition, expression, span=self.span_from(start))
