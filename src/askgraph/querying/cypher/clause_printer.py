"""Clauses and queries printed back."""

from __future__ import annotations

from ..printing import listed, text_of, writes
from . import clause_tree as tree
from .expression_tree import Expression
from .names import print_name


def _where(condition: Expression | None) -> str:
    return "" if condition is None else f" WHERE {text_of(condition)}"


@writes(tree.Hint)
def _hint(node: tree.Hint) -> str:
    return node.text


@writes(tree.Search)
def _search(node: tree.Search) -> str:
    index = print_name(node.index) if isinstance(node.index, str) else text_of(node.index)
    parts = [f"{node.kind} INDEX {index} FOR {text_of(node.target)}"]
    if node.analyzer is not None:
        parts.append(f"WITH ANALYZER {text_of(node.analyzer)}")
    if node.condition is not None:
        parts.append(f"WHERE {text_of(node.condition)}")
    if node.skip is not None:
        parts.append(f"SKIP {text_of(node.skip)}")
    parts.append(f"LIMIT {text_of(node.limit)}")
    score = f" SCORE AS {print_name(node.score)}" if node.score else ""
    return f"SEARCH {print_name(node.variable)} IN ({' '.join(parts)}){score}"


@writes(tree.Match)
def _match(node: tree.Match) -> str:
    head = "OPTIONAL MATCH" if node.optional else "MATCH"
    mode = f" {node.mode}" if node.mode else ""
    hints = "".join(f" {text_of(hint)}" for hint in node.hints)
    search = f" {text_of(node.search)}" if node.search else ""
    return f"{head}{mode} {listed(node.patterns)}{hints}{search}{_where(node.condition)}"


@writes(tree.Unwind)
def _unwind(node: tree.Unwind) -> str:
    if node.keyword == "FOR":
        return f"FOR {print_name(node.variable)} IN {text_of(node.source)}"
    return f"UNWIND {text_of(node.source)} AS {print_name(node.variable)}"


@writes(tree.ProjectionItem)
def _item(node: tree.ProjectionItem) -> str:
    alias = "" if node.alias is None else f" AS {print_name(node.alias)}"
    return text_of(node.expression) + alias


@writes(tree.SortItem)
def _sort_item(node: tree.SortItem) -> str:
    return text_of(node.expression) + (" DESC" if node.descending else "")


def _page(order: tuple[tree.SortItem, ...], skip: Expression | None, limit: Expression | None) -> list[str]:
    parts = [f"ORDER BY {listed(order)}"] if order else []
    parts += [f"SKIP {text_of(skip)}"] if skip is not None else []
    return parts + ([f"LIMIT {text_of(limit)}"] if limit is not None else [])


@writes(tree.Projection)
def _projection(node: tree.Projection) -> str:
    columns = ", ".join([*(["*"] if node.everything else []), *[text_of(item) for item in node.items]])
    parts = ["DISTINCT"] if node.distinct else []
    parts.append(columns)
    if node.group_all:
        parts.append("GROUP BY ALL")
    elif node.grouping is not None:
        parts.append(f"GROUP BY {listed(node.grouping) or '()'}")
    return " ".join(parts + _page(node.order, node.skip, node.limit))


@writes(tree.Return)
def _return(node: tree.Return) -> str:
    return f"RETURN {text_of(node.projection)}"


@writes(tree.With)
def _with(node: tree.With) -> str:
    return f"WITH {text_of(node.projection)}{_where(node.condition)}"


@writes(tree.OrderAndPage)
def _order_and_page(node: tree.OrderAndPage) -> str:
    return " ".join(_page(node.order, node.skip, node.limit))


@writes(tree.Filter)
def _filter(node: tree.Filter) -> str:
    return f"FILTER {text_of(node.condition)}"


@writes(tree.Let)
def _let(node: tree.Let) -> str:
    return "LET " + ", ".join(f"{print_name(entry.key)} = {text_of(entry.value)}" for entry in node.entries)


@writes(tree.Finish)
def _finish(node: tree.Finish) -> str:
    return "FINISH"


@writes(tree.Use)
def _use(node: tree.Use) -> str:
    return f"USE {node.graph}"


@writes(tree.YieldItem)
def _yield_item(node: tree.YieldItem) -> str:
    return print_name(node.column) + (f" AS {print_name(node.alias)}" if node.alias else "")


@writes(tree.CallProcedure)
def _call_procedure(node: tree.CallProcedure) -> str:
    head = "OPTIONAL CALL" if node.optional else "CALL"
    arguments = "" if node.arguments is None else f"({listed(node.arguments)})"
    columns = "*" if node.yields_all else listed(node.yields or ())
    yields = f" YIELD {columns}" if columns else ""
    return f"{head} {node.name}{arguments}{yields}{_where(node.condition)}"


@writes(tree.CallSubquery)
def _call_subquery(node: tree.CallSubquery) -> str:
    head = "OPTIONAL CALL" if node.optional else "CALL"
    scope = ""
    if node.scope_all:
        scope = " (*)"
    elif node.scope is not None:
        scope = f" ({', '.join(print_name(name) for name in node.scope)})"
    return f"{head}{scope} {{ {text_of(node.query)} }}"


@writes(tree.ClauseSequence)
def _sequence(node: tree.ClauseSequence) -> str:
    return " ".join([text_of(clause) for clause in node.clauses])


@writes(tree.BracedQuery)
def _braced(node: tree.BracedQuery) -> str:
    use = f"{text_of(node.use)} " if node.use else ""
    return f"{use}{{ {text_of(node.query)} }}"


@writes(tree.Union)
def _union(node: tree.Union) -> str:
    parts = [text_of(node.branches[0])]
    for operator, branch in zip(node.operators, node.branches[1:], strict=True):
        parts += (operator, text_of(branch))
    return " ".join(parts)


@writes(tree.ConditionalBranch)
def _conditional_branch(node: tree.ConditionalBranch) -> str:
    return f"WHEN {text_of(node.condition)} THEN {text_of(node.branch)}"


@writes(tree.Conditional)
def _conditional(node: tree.Conditional) -> str:
    default = [] if node.default is None else [f"ELSE {text_of(node.default)}"]
    return " ".join([*[text_of(branch) for branch in node.branches], *default])


@writes(tree.Query)
def _query(node: tree.Query) -> str:
    return " NEXT ".join([text_of(stage) for stage in node.stages])


@writes(tree.QueryOption)
def _option(node: tree.QueryOption) -> str:
    return f"{node.name}={node.value}"


@writes(tree.Statement)
def _statement(node: tree.Statement) -> str:
    parts = []
    if node.version or node.options:
        parts += [
            "CYPHER",
            *([node.version] if node.version else []),
            *[text_of(item) for item in node.options],
        ]
    if node.explain:
        parts.append("EXPLAIN")
    return " ".join([*parts, text_of(node.query)])
