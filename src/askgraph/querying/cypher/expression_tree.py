"""The expressions of Cypher.

Operators of one rank that follow each other are one flat node, so that the depth of a tree is the depth of nesting
that the author wrote. Parentheses are kept: printing needs no table of precedences to say the same again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ..tree import SyntaxNode

if TYPE_CHECKING:
    from .clause_tree import Query
    from .pattern_tree import LabelExpression, PathPattern


class Expression(SyntaxNode):
    """Anything that has a value."""


class Number(Expression):
    """An integer or a float, as written (``1_000``, ``0xFF``, ``1.5e3``)."""

    text: str

    @property
    def integer(self) -> int | None:
        """Its value if it is an integer."""
        lowered = self.text.lower()
        if lowered.startswith(("0x", "0o")):
            return int(lowered, 0)
        return int(lowered) if lowered.replace("_", "").isdigit() else None


class Text(Expression):
    """A string; ``value`` is what it means, without quotes and escapes."""

    value: str


class TextPart(Expression):
    """A piece of an interpolated string, as written."""

    raw: str


class InterpolatedText(Expression):
    """``s'name: {n.name}'`` (Cypher 25): pieces of text and expressions."""

    quote: str
    parts: tuple[Expression, ...]


class Constant(Expression):
    """``TRUE``, ``FALSE``, ``NULL``, ``INF``, ``INFINITY`` or ``NAN``."""

    name: str


class Parameter(Expression):
    """``$name``."""

    name: str


class Variable(Expression):
    """A name that a pattern or a clause bound."""

    name: str


class ListLiteral(Expression):
    """``[1, 2]``."""

    items: tuple[Expression, ...]


class MapEntry(SyntaxNode):
    """``key: value``."""

    key: str
    value: Expression


class MapLiteral(Expression):
    """``{name: 'Ann', age: 3}``."""

    entries: tuple[MapEntry, ...]


class Parenthesized(Expression):
    """``(inner)``."""

    inner: Expression


class Operation(Expression):
    """``a + b - c``: operands with the operators between them, all of one rank.

    Comparisons in a chain (``1 < a <= 3``) are one operation, as are ``OR``, ``XOR`` and ``AND`` in a row.
    """

    operators: tuple[str, ...]
    operands: tuple[Expression, ...]


class Unary(Expression):
    """``NOT a``, ``-a``, ``+a``."""

    operator: Literal["NOT", "-", "+"]
    operand: Expression


class NullTest(Expression):
    """``a IS NULL``, ``a IS NOT NULL``."""

    operand: Expression
    negated: bool


class TypeTest(Expression):
    """``a IS :: INTEGER``, ``a IS NOT :: STRING``; ``type_name`` in its one spelling."""

    operand: Expression
    type_name: str
    negated: bool


class NormalizedTest(Expression):
    """``a IS NFC NORMALIZED``; ``form`` is empty where none is given."""

    operand: Expression
    form: str
    negated: bool


class LabelTest(Expression):
    """``n:Person``, ``n IS Person``, ``n IS NOT Person``."""

    operand: Expression
    labels: LabelExpression
    negated: bool = False


class CaseSubject(Expression):
    """What ``CASE x WHEN > 5`` compares, without being written again."""


class PropertyAccess(Expression):
    """``subject.key``."""

    subject: Expression
    key: str


class AllProperties(Expression):
    """``p.*`` in RETURN and WITH: a column for each property (Ladybug)."""

    subject: Variable


class Index(Expression):
    """``subject[index]``: an item of a list, or a property whose key is computed."""

    subject: Expression
    index: Expression


class Slice(Expression):
    """``subject[start..end]``; Ladybug writes ``:`` between the bounds."""

    subject: Expression
    start: Expression | None
    end: Expression | None
    separator: Literal["..", ":"] = ".."


class FunctionCall(Expression):
    """``name(arguments)``, an aggregate among them; ``name`` has its namespace: ``point.distance``."""

    name: str
    arguments: tuple[Expression, ...]
    distinct: bool = False


class Lambda(Expression):
    """``x -> x + 1``, ``(a, b) -> a + b``: a function given to a function (Ladybug)."""

    variables: tuple[str, ...]
    body: Expression


class CountAll(Expression):
    """``count(*)``."""


class Trim(Expression):
    """``trim(BOTH characters FROM text)``; ``side`` is empty where none is given."""

    side: str
    characters: Expression | None
    text: Expression


class CaseBranch(SyntaxNode):
    """``WHEN conditions THEN result``; more than one condition only where the case has a subject."""

    conditions: tuple[Expression, ...]
    result: Expression


class Case(Expression):
    """``CASE subject WHEN … THEN … ELSE default END``."""

    subject: Expression | None
    branches: tuple[CaseBranch, ...]
    default: Expression | None


class ListComprehension(Expression):
    """``[variable IN source WHERE condition | result]``."""

    variable: str
    source: Expression
    condition: Expression | None
    result: Expression | None


class PatternComprehension(Expression):
    """``[pattern WHERE condition | result]``."""

    pattern: PathPattern
    condition: Expression | None
    result: Expression


class Reduce(Expression):
    """``reduce(accumulator = initial, variable IN source | step)``.

    With ``condition`` it is ``allReduce(…, condition)`` of Cypher 25: whether the condition held at every step.
    """

    accumulator: str
    initial: Expression
    variable: str
    source: Expression
    step: Expression
    condition: Expression | None = None


class ListPredicate(Expression):
    """``all(variable IN source WHERE condition)``, and ``any``, ``none``, ``single``."""

    kind: Literal["all", "any", "none", "single"]
    variable: str
    source: Expression
    condition: Expression | None


class ProjectedProperty(SyntaxNode):
    """``.key`` in a map projection."""

    key: str


class ProjectedAll(SyntaxNode):
    """``.*`` in a map projection."""


class MapProjection(Expression):
    """``n {.name, .*, friends: …, other}``; the last kind of item is a variable."""

    variable: str
    items: tuple[SyntaxNode, ...]


class PatternPredicate(Expression):
    """A path pattern where a value is wanted: whether there is such a path (or the paths themselves)."""

    pattern: PathPattern


class PatternSubquery(Expression):
    """``EXISTS { (a)-->(b) WHERE … }`` and ``COUNT { … }`` in the short form, without MATCH."""

    kind: Literal["EXISTS", "COUNT"]
    mode: str
    patterns: tuple[PathPattern, ...]
    condition: Expression | None


class Subquery(Expression):
    """``EXISTS { MATCH … }``, ``COUNT { … }``, ``COLLECT { … RETURN … }``."""

    kind: Literal["EXISTS", "COUNT", "COLLECT"]
    query: Query
