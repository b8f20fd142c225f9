"""Expressions printed back."""

from __future__ import annotations

from ..printing import listed, text_of, writes
from ..tokens import words
from . import expression_tree as tree
from .names import print_name, print_plain
from .strings import quote

# A call of a function with such a name would be read as the form of the language that looks alike.
_SPECIAL = frozenset(
    words(
        "NOT CASE ALL ANY NONE SINGLE REDUCE ALLREDUCE SHORTESTPATH ALLSHORTESTPATHS COUNT EXISTS COLLECT TRIM"
    )
)
_UNSPECIAL_WHEN_CALLED = frozenset(words("COUNT EXISTS COLLECT TRIM"))


@writes(tree.Number)
def _number(node: tree.Number) -> str:
    return node.text


@writes(tree.Text)
def _text(node: tree.Text) -> str:
    return quote(node.value)


@writes(tree.TextPart)
def _text_part(node: tree.TextPart) -> str:
    return node.raw


@writes(tree.InterpolatedText)
def _interpolated(node: tree.InterpolatedText) -> str:
    parts = [
        part.raw if isinstance(part, tree.TextPart) else "{" + text_of(part) + "}" for part in node.parts
    ]
    return f"s{node.quote}{''.join(parts)}{node.quote}"


@writes(tree.Constant)
def _constant(node: tree.Constant) -> str:
    return node.name


@writes(tree.Parameter)
def _parameter(node: tree.Parameter) -> str:
    return f"${node.name}" if node.name.isdecimal() else "$" + print_plain(node.name)


@writes(tree.Variable)
def _variable(node: tree.Variable) -> str:
    return print_name(node.name)


@writes(tree.ListLiteral)
def _list(node: tree.ListLiteral) -> str:
    return f"[{listed(node.items)}]"


@writes(tree.MapEntry)
def _entry(node: tree.MapEntry) -> str:
    return f"{print_name(node.key)}: {text_of(node.value)}"


@writes(tree.MapLiteral)
def _map(node: tree.MapLiteral) -> str:
    return "{" + listed(node.entries) + "}"


@writes(tree.Parenthesized)
def _parenthesized(node: tree.Parenthesized) -> str:
    return f"({text_of(node.inner)})"


@writes(tree.Operation)
def _operation(node: tree.Operation) -> str:
    parts = [text_of(node.operands[0])]
    for operator, operand in zip(node.operators, node.operands[1:], strict=True):
        parts += (operator, text_of(operand))
    return " ".join(parts).lstrip()


@writes(tree.Unary)
def _unary(node: tree.Unary) -> str:
    # A blank, so that two minus signs are no arrow.
    blank = " " if node.operator == "NOT" or isinstance(node.operand, tree.Unary) else ""
    return f"{node.operator}{blank}{text_of(node.operand)}"


def _is(operand: tree.Expression, negated: bool, what: str) -> str:
    return f"{text_of(operand)} IS {'NOT ' if negated else ''}{what}".lstrip()


@writes(tree.NullTest)
def _null_test(node: tree.NullTest) -> str:
    return _is(node.operand, node.negated, "NULL")


@writes(tree.TypeTest)
def _type_test(node: tree.TypeTest) -> str:
    return _is(node.operand, node.negated, f":: {node.type_name}")


@writes(tree.NormalizedTest)
def _normalized_test(node: tree.NormalizedTest) -> str:
    return _is(node.operand, node.negated, f"{node.form} NORMALIZED".lstrip())


@writes(tree.LabelTest)
def _label_test(node: tree.LabelTest) -> str:
    if node.negated:
        return _is(node.operand, True, text_of(node.labels))
    return f"{text_of(node.operand)}:{text_of(node.labels)}"


@writes(tree.CaseSubject)
def _case_subject(node: tree.CaseSubject) -> str:
    return ""


@writes(tree.PropertyAccess)
def _property(node: tree.PropertyAccess) -> str:
    return f"{text_of(node.subject)}.{print_name(node.key)}"


@writes(tree.Index)
def _index(node: tree.Index) -> str:
    return f"{text_of(node.subject)}[{text_of(node.index)}]"


@writes(tree.Slice)
def _slice(node: tree.Slice) -> str:
    start = "" if node.start is None else text_of(node.start)
    end = "" if node.end is None else text_of(node.end)
    return f"{text_of(node.subject)}[{start}{node.separator}{end}]"


@writes(tree.FunctionCall)
def _function(node: tree.FunctionCall) -> str:
    upper = node.name.upper()
    name = f"`{node.name}`" if upper in _SPECIAL and upper not in _UNSPECIAL_WHEN_CALLED else node.name
    return f"{name}({'DISTINCT ' if node.distinct else ''}{listed(node.arguments)})"


@writes(tree.Lambda)
def _lambda(node: tree.Lambda) -> str:
    names = ", ".join(print_name(name) for name in node.variables)
    return f"{names if len(node.variables) == 1 else f'({names})'} -> {text_of(node.body)}"


@writes(tree.CountAll)
def _count_all(node: tree.CountAll) -> str:
    return "count(*)"


@writes(tree.Trim)
def _trim(node: tree.Trim) -> str:
    characters = "" if node.characters is None else text_of(node.characters)
    words = [part for part in (node.side, characters) if part]
    return f"trim({' '.join([*words, 'FROM'])} {text_of(node.text)})"


@writes(tree.CaseBranch)
def _case_branch(node: tree.CaseBranch) -> str:
    return f"WHEN {listed(node.conditions)} THEN {text_of(node.result)}"


@writes(tree.Case)
def _case(node: tree.Case) -> str:
    parts = ["CASE", *([] if node.subject is None else [text_of(node.subject)])]
    parts += [text_of(branch) for branch in node.branches]
    if node.default is not None:
        parts.append(f"ELSE {text_of(node.default)}")
    return " ".join([*parts, "END"])


def _where(condition: tree.Expression | None) -> str:
    return "" if condition is None else f" WHERE {text_of(condition)}"


@writes(tree.ListComprehension)
def _list_comprehension(node: tree.ListComprehension) -> str:
    result = "" if node.result is None else f" | {text_of(node.result)}"
    return f"[{print_name(node.variable)} IN {text_of(node.source)}{_where(node.condition)}{result}]"


@writes(tree.PatternComprehension)
def _pattern_comprehension(node: tree.PatternComprehension) -> str:
    return f"[{text_of(node.pattern)}{_where(node.condition)} | {text_of(node.result)}]"


@writes(tree.Reduce)
def _reduce(node: tree.Reduce) -> str:
    name, last = ("reduce", "") if node.condition is None else ("allReduce", f", {text_of(node.condition)}")
    accumulator, variable = print_name(node.accumulator), print_name(node.variable)
    return (
        f"{name}({accumulator} = {text_of(node.initial)}, {variable} IN {text_of(node.source)}"
        f" | {text_of(node.step)}{last})"
    )


@writes(tree.ListPredicate)
def _list_predicate(node: tree.ListPredicate) -> str:
    return f"{node.kind}({print_name(node.variable)} IN {text_of(node.source)}{_where(node.condition)})"


@writes(tree.ProjectedProperty)
def _projected_property(node: tree.ProjectedProperty) -> str:
    return f".{print_name(node.key)}"


@writes(tree.AllProperties)
def _all_properties(node: tree.AllProperties) -> str:
    return f"{text_of(node.subject)}.*"


@writes(tree.ProjectedAll)
def _projected_all(node: tree.ProjectedAll) -> str:
    return ".*"


@writes(tree.MapProjection)
def _map_projection(node: tree.MapProjection) -> str:
    # Before a brace these words begin a subquery.
    quoted = node.variable.upper() in ("COUNT", "COLLECT")
    return f"{f'`{node.variable}`' if quoted else print_name(node.variable)} {{{listed(node.items)}}}"


@writes(tree.PatternPredicate)
def _pattern_predicate(node: tree.PatternPredicate) -> str:
    return text_of(node.pattern)


@writes(tree.PatternSubquery)
def _pattern_subquery(node: tree.PatternSubquery) -> str:
    mode = f"{node.mode} " if node.mode else ""
    return f"{node.kind} {{ {mode}{listed(node.patterns)}{_where(node.condition)} }}"


@writes(tree.Subquery)
def _subquery(node: tree.Subquery) -> str:
    return f"{node.kind} {{ {text_of(node.query)} }}"
