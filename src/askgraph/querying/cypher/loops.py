"""Loops and values that grow by themselves: how many steps a query makes, and how much it puts together.

``UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b`` is a line, and takes for ever; ``WITH a + a AS a``,
thirty times, fills any memory. Both need no data. So the query is gone through once with the sizes of its values in
place of the values; what comes from the data counts as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..source import SourceText
from ..tree import SyntaxNode, children, walk
from . import clause_tree as clauses
from . import expression_tree as expressions
from .expression_tree import Expression, Variable
from .sizes import OF_DATA, Size, greatest, list_of, repeated, size_of_call, sum_of

_MOST_TRIALS = 2_000
_STEPS_OVER_DATA = 100
"""Steps that ``reduce`` is taken to make over a list whose length is not known, if each makes more than the last."""

Sizes = dict[str, Size]


def check_loops(
    root: SyntaxNode, source: SourceText, most: int, parameters: Mapping[str, Any] | None = None
) -> None:
    """Raise :class:`QueryRefusedError` (code ``"cost"``) if loops make more steps than ``most``, or a value may become
    larger. ``parameters`` are those whose values are known."""
    _Loops(source, most, parameters or {}).node(root, {}, 1)


class _Loops:
    """Goes through a query in the order of its clauses. ``sizes`` are those of the variables, ``steps`` the rows."""

    def __init__(self, source: SourceText, most: int, parameters: Mapping[str, Any]) -> None:
        self.source = source
        self.most = most
        self.parameters = parameters
        self.trials = 0

    # Clauses

    def node(self, node: SyntaxNode, sizes: Sizes, steps: int) -> int:
        """Look at whatever holds clauses or expressions; gives the rows after it."""
        if isinstance(node, Expression):
            self.size(node, sizes, steps)
        elif isinstance(node, clauses.ClauseSequence):
            first = steps
            for clause in node.clauses:
                steps = self.clause(clause, sizes, steps, first)
        elif isinstance(node, clauses.Union):
            steps = self._branches(node.branches, sizes, steps)
        elif isinstance(node, clauses.Conditional):
            for branch in node.branches:
                self.size(branch.condition, sizes, steps)
            branches = [branch.branch for branch in node.branches]
            steps = self._branches([*branches, *([node.default] if node.default else [])], sizes, steps)
        else:
            for child in children(node):
                steps = max(steps, self.node(child, sizes, steps))
        return steps

    def _branches(self, branches: Iterable[clauses.Branch], sizes: Sizes, steps: int) -> int:
        """Each begins with the same variables; after them a variable may be that of any."""
        before = dict(sizes)
        after = [steps]
        for branch in branches:
            own = dict(before)
            after.append(self.node(branch, own, steps))
            for name, size in own.items():
                sizes[name] = greatest([sizes[name], size]) if name in sizes else size
        return max(after)

    def clause(self, clause: clauses.Clause, sizes: Sizes, steps: int, first: int) -> int:
        """Look at a clause that so many rows come to; ``first`` came to the first clause beside it."""
        if isinstance(clause, clauses.Unwind):
            source = self.size(clause.source, sizes, steps)
            sizes[clause.variable] = source.one
            return self._grown(steps * max(1, source.length), clause)
        if isinstance(clause, clauses.With | clauses.Return):
            return self._projection(clause, sizes, steps, first)
        if isinstance(clause, clauses.Let):
            for entry in clause.entries:
                sizes[entry.key] = self.size(entry.value, sizes, steps)
            return steps
        if isinstance(clause, clauses.CallSubquery):
            return max(steps, self.node(clause.query, sizes, steps))
        for child in children(clause):
            self.node(child, dict(sizes), steps)
        return steps

    def _projection(self, clause: clauses.With | clauses.Return, sizes: Sizes, steps: int, first: int) -> int:
        projection = clause.projection
        made: Sizes = {}
        row = 0
        for item in projection.items:
            size = self.size(item.expression, sizes, steps)
            row += size.total if size.total > 1 else 0
            if row > self.most:
                self._refuse(item, f"this may put together a row of the size {row:,}")
            if item.alias is not None:
                made[item.alias] = size
        sizes.update(made)
        for child in children(clause):
            if child is not projection:
                self.node(child, sizes, steps)
        for sort in projection.order:
            self.size(sort.expression, sizes, steps)
        if isinstance(projection.limit, expressions.Number):
            steps = min(steps, first * (projection.limit.integer or steps))
        if projection.items and all(_is_aggregated(item.expression) for item in projection.items):
            return first
        return steps

    # Expressions

    def size(self, node: SyntaxNode, sizes: Sizes, steps: int) -> Size:
        """The most that an expression can give. Everything in it is looked at."""
        found = self._size(node, sizes, steps)
        if found.total > self.most:
            self._refuse(node, f"this may put together a value of the size {found.total:,}")
        return found

    def _size(self, node: SyntaxNode, sizes: Sizes, steps: int) -> Size:
        rule = _RULES.get(type(node))
        if rule is not None:
            return rule(self, node, sizes, steps)
        inner = dict(sizes) if isinstance(node, expressions.Subquery) else sizes
        for child in children(node):
            self.node(child, inner, steps)
        return OF_DATA

    def variable(self, node: Variable, sizes: Sizes, steps: int) -> Size:
        return sizes.get(node.name, OF_DATA)

    def number(self, node: expressions.Number, sizes: Sizes, steps: int) -> Size:
        return Size(number=_number(node))

    def text(self, node: expressions.Text, sizes: Sizes, steps: int) -> Size:
        try:
            number = float(node.value) if len(node.value) < _LONGEST_NUMBER else None
        except ValueError:
            number = None
        return Size(max(1, len(node.value)), number=number)

    def parameter(self, node: expressions.Parameter, sizes: Sizes, steps: int) -> Size:
        value = self.parameters.get(node.name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return Size(number=value)
        return (
            Size(max(1, len(value)), is_list=isinstance(value, list))
            if isinstance(value, str | list)
            else OF_DATA
        )

    def inner(self, node: expressions.Parenthesized, sizes: Sizes, steps: int) -> Size:
        return self.size(node.inner, sizes, steps)

    def unary(self, node: expressions.Unary, sizes: Sizes, steps: int) -> Size:
        number = self.size(node.operand, sizes, steps).number
        return Size(number=-number if number is not None and node.operator == "-" else number)

    def operation(self, node: expressions.Operation, sizes: Sizes, steps: int) -> Size:
        operands = [self.size(operand, sizes, steps) for operand in node.operands]
        result = operands[0]
        for operator, operand in zip(node.operators, operands[1:], strict=True):
            if operator in ("+", "||"):
                result = sum_of(result, operand)
            else:
                result = Size(number=_calculated(operator, result.number, operand.number))
        return result

    def call(self, node: expressions.FunctionCall, sizes: Sizes, steps: int) -> Size:
        if any(isinstance(argument, expressions.Lambda) for argument in node.arguments):
            return self._call_with_lambda(node, sizes, steps)
        arguments = [self.size(argument, sizes, steps) for argument in node.arguments]
        name = node.name.lower()
        result = size_of_call(name, arguments, steps)
        if name == "replace" and _gets_no_longer(node.arguments):
            return arguments[0]
        if name == "range":
            self._grown(steps * max(1, result.length), node)
        return result

    def _call_with_lambda(self, node: expressions.FunctionCall, sizes: Sizes, steps: int) -> Size:
        """``list_transform(list, x -> x + 1)``: something is made for each item."""
        source = self.size(node.arguments[0], sizes, steps)
        inside = self._grown(steps * max(1, source.length), node)
        made = []
        for argument in node.arguments[1:]:
            if isinstance(argument, expressions.Lambda):
                inner = sizes | dict.fromkeys(argument.variables, source.one)
                made.append(repeated(source.length, self.size(argument.body, inner, inside)))
            else:
                made.append(self.size(argument, sizes, steps))
        return greatest(made)

    def items(self, node: expressions.ListLiteral, sizes: Sizes, steps: int) -> Size:
        return list_of([self.size(item, sizes, steps) for item in node.items])

    def whole(self, node: SyntaxNode, sizes: Sizes, steps: int) -> Size:
        """Maps, and texts with expressions in them: as large as all of their parts."""
        parts = [self.size(child, sizes, steps) for child in children(node)]
        return Size(max(1, sum(part.total for part in parts)))

    def part(self, node: SyntaxNode, sizes: Sizes, steps: int) -> Size:
        """An item, a property or a slice: no larger than the whole."""
        subject, *others = children(node)
        size = self.size(subject, sizes, steps)
        for other in others:
            self.size(other, sizes, steps)
        if isinstance(node, expressions.Slice):
            return size
        return size.one if isinstance(node, expressions.Index) and size.is_list else Size(size.total)

    def case(self, node: expressions.Case, sizes: Sizes, steps: int) -> Size:
        if node.subject is not None:
            self.size(node.subject, sizes, steps)
        results = [] if node.default is None else [self.size(node.default, sizes, steps)]
        for branch in node.branches:
            for condition in branch.conditions:
                self.size(condition, sizes, steps)
            results.append(self.size(branch.result, sizes, steps))
        return greatest(results)

    def comprehension(
        self, node: expressions.ListComprehension | expressions.ListPredicate, sizes: Sizes, steps: int
    ) -> Size:
        source = self.size(node.source, sizes, steps)
        inside = self._grown(steps * max(1, source.length), node)
        inner = sizes | {node.variable: source.one}
        if node.condition is not None:
            self.size(node.condition, inner, inside)
        if isinstance(node, expressions.ListPredicate):
            return OF_DATA
        if node.result is None:
            return source
        return repeated(source.length, self.size(node.result, inner, inside))

    def pattern_comprehension(self, node: expressions.PatternComprehension, sizes: Sizes, steps: int) -> Size:
        for child in children(node):
            if child is not node.result:
                self.node(child, dict(sizes), steps)
        return repeated(1, self.size(node.result, sizes, steps))

    def reduce(self, node: expressions.Reduce, sizes: Sizes, steps: int) -> Size:
        """Three steps are tried: what grows more and more does so to the end."""
        self.trials += 1
        if self.trials > _MOST_TRIALS:
            self._refuse(node, "so many loops inside loops cannot be judged")
        source = self.size(node.source, sizes, steps)
        inside = self._grown(steps * max(1, source.length), node)
        tried = [self.size(node.initial, sizes, steps)]
        for _ in range(3):
            inner = sizes | {node.variable: source.one, node.accumulator: tried[-1]}
            tried.append(self.size(node.step, inner, inside))
        if node.condition is not None:
            self.size(node.condition, inner, inside)
        return self._reduced(node, source.length, tried)

    def _reduced(self, node: expressions.Reduce, length: int, tried: list[Size]) -> Size:
        first, second = tried[2].total - tried[1].total, tried[3].total - tried[2].total
        last = tried[-1]
        if second > max(first, 0) and second > _LEAST_GROWTH:
            count = length if length > 1 else _STEPS_OVER_DATA
            total = last.total * (1 + second / last.total) ** min(count, 200)
            if total > self.most:
                self._refuse(node, "every step of reduce would make more than the last")
        growth = max(0, second) * length
        return last._replace(length=last.length + growth, number=None)

    # Limits

    def _grown(self, steps: int, place: SyntaxNode) -> int:
        """The steps after a loop."""
        if steps > self.most:
            self._refuse(place, f"this would make {steps:,} steps")
        return steps

    def _refuse(self, place: SyntaxNode, message: str) -> None:
        raise self.source.refusal(
            place.span, message, code="cost", advice=f"At most {self.most:,} are allowed."
        )


_LONGEST_NUMBER = 40
_LEAST_GROWTH = 1


def _number(node: expressions.Number) -> float | None:
    if node.integer is not None:
        return node.integer
    try:
        return float(node.text.replace("_", ""))
    except ValueError:
        return None


def _calculated(operator: str, one: float | None, other: float | None) -> float | None:
    """The number that an operation on two known ones gives."""
    if one is None or other is None:
        return None
    try:
        if operator == "*":
            return one * other
        if operator == "-":
            return one - other
        if operator == "/":
            return one / other
        return float(one) ** float(other) if operator == "^" else None
    except (ArithmeticError, ValueError):
        return float("inf") if operator in "*^" else None


def _gets_no_longer(arguments: tuple[Expression, ...]) -> bool:
    """Whether a text is replaced by one that is not longer."""
    if len(arguments) < 3:
        return False
    found, put = arguments[1:3]
    if not isinstance(found, expressions.Text) or not isinstance(put, expressions.Text):
        return False
    return 0 < len(found.value) >= len(put.value)


def _is_aggregated(node: SyntaxNode) -> bool:
    """Whether an expression is one value of all rows together."""
    return any(
        isinstance(part, expressions.CountAll)
        or (isinstance(part, expressions.FunctionCall) and part.name.lower() in _AGGREGATES)
        for part in walk(node)
    )


_AGGREGATES = ("count", "sum", "avg", "min", "max", "collect", "collect_list")

_RULES: dict[type[SyntaxNode], Callable[[_Loops, Any, Sizes, int], Size]] = {
    expressions.Case: _Loops.case,
    expressions.FunctionCall: _Loops.call,
    expressions.Index: _Loops.part,
    expressions.InterpolatedText: _Loops.whole,
    expressions.ListComprehension: _Loops.comprehension,
    expressions.ListLiteral: _Loops.items,
    expressions.ListPredicate: _Loops.comprehension,
    expressions.MapEntry: _Loops.whole,
    expressions.MapLiteral: _Loops.whole,
    expressions.MapProjection: _Loops.whole,
    expressions.Number: _Loops.number,
    expressions.Operation: _Loops.operation,
    expressions.Parameter: _Loops.parameter,
    expressions.Parenthesized: _Loops.inner,
    expressions.PatternComprehension: _Loops.pattern_comprehension,
    expressions.PropertyAccess: _Loops.part,
    expressions.Reduce: _Loops.reduce,
    expressions.Slice: _Loops.part,
    expressions.Text: _Loops.text,
    expressions.Unary: _Loops.unary,
    Variable: _Loops.variable,
}
