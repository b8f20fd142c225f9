"""The right answers to a question: as the file gives them, or what its gold query finds in the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..core.budget import Budget
from ..core.errors import AskgraphError, EvaluationError
from ..core.graph import Edge, Node
from ..core.plan import Plan, Table
from ..core.query_result import FoundPath, QueryResult, display_cell
from ..querying.gate import check
from ..querying.policy import GatePolicy
from ..querying.sparql.expression_tree import FunctionCall
from ..querying.sparql.parser import parse
from ..querying.sparql.printer import text_of
from ..querying.sparql.term_tree import XSD, Iri
from ..querying.tree import SyntaxNode, transform
from ..stores.base import GraphStore
from .gold import GoldItem, GoldQuery, GoldQuestion

MOST_ROWS: Final = 1_000_000
"""Rows that a gold query may give. One that gives more says nothing about an answer."""

# Whoever writes what is right may ask what he likes of the graph; but not write, nor leave it.
_POLICY: Final = GatePolicy(rows=None, refuse_costly=False, unbounded_paths="allow", longest_text=1024 * 1024)
_DERIVED_INTEGERS: Final = frozenset(
    XSD + name
    for name in (
        "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger",
        "negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gold:
    """What is right.

    Attributes:
        items: the right answers; empty: the graph cannot answer the question.
        rows: all columns, where a query gave several.
    """

    items: tuple[GoldItem, ...]
    rows: tuple[tuple[GoldItem | None, ...], ...] = ()

    @property
    def is_unanswerable(self) -> bool:
        """Whether it is right to give no answer."""
        return not self.items

    @property
    def node_ids(self) -> tuple[str, ...]:
        """The ids of all nodes in it."""
        cells = (item for row in self.rows for item in row if item is not None)
        return tuple(dict.fromkeys(item.node for item in (*self.items, *cells) if item.node is not None))


def gold_of(question: GoldQuestion, store: GraphStore, seconds: float) -> Gold:
    """What is right for a question on this graph.

    Args:
        question: the question. Answers that it has are right as they are; else its query is run.
        store: the graph.
        seconds: how long the query may take.

    Raises:
        EvaluationError: the query cannot be run on this graph, or nothing says what is right.
    """
    if question.answers is not None:
        return Gold(question.answers)
    if question.query is None:
        raise EvaluationError("it has neither answers nor a query, so nothing says what is right")
    return run_gold_query(question.query, store, seconds)


def run_gold_query(query: GoldQuery, store: GraphStore, seconds: float) -> Gold:
    """What a gold query gives. Raises :class:`EvaluationError` where it cannot be run."""
    try:
        if query.plan is not None:
            return gold_of_plan(query.plan, store, seconds, asks=query.asks)
        return _gold_of_result(_run_text(query, store, Budget(seconds=seconds, rows=MOST_ROWS)))
    except AskgraphError as error:
        raise EvaluationError(
            f"the gold query cannot be run: {error.message}", advice=error.advice
        ) from error


def gold_of_plan(plan: Plan, store: GraphStore, seconds: float, *, asks: bool = False) -> Gold:
    """What a plan gives: its first column, or whether it has rows."""
    table = store.run(plan, Budget(seconds=seconds, rows=MOST_ROWS))
    if asks:
        return Gold((GoldItem((bool(table.rows),)),))
    _refuse_cut(table)
    rows = [_items_of_row(row, table) for row in table.rows]
    return _gold_of_rows(rows)


def _items_of_row(row: Sequence[Any], table: Table) -> tuple[GoldItem | None, ...]:
    return tuple(
        None if cell is None else GoldItem((str(cell),), str(cell)) if kind == "node" else GoldItem((cell,))
        for cell, kind in zip(row, table.kinds, strict=True)
    )


def _run_text(query: GoldQuery, store: GraphStore, budget: Budget) -> QueryResult:
    capabilities = store.capabilities
    if query.language not in capabilities.query_languages:
        spoken = ", ".join(capabilities.query_languages) or "no query text"
        raise EvaluationError(
            f"it is {query.language}, and {capabilities.engine} runs {spoken}",
            advice="Give the right answers in 'answers', or a query in 'plan'.",
        )
    text = _runnable_sparql(query.text) if query.language == "sparql" else query.text
    dialect = capabilities.dialect or None
    checked = check(text, language=query.language, dialect=dialect, policy=_POLICY)
    return store.query(checked, budget=budget)


def _runnable_sparql(text: str) -> str:
    """With casts to types derived from xsd:integer as casts to this: published queries have them, engines do not."""
    parsed = parse(text).query
    changed = transform(parsed, _widened)
    return text if changed is parsed else text_of(changed)


def _widened(node: SyntaxNode) -> SyntaxNode:
    if isinstance(node, FunctionCall) and node.function.value in _DERIVED_INTEGERS:
        return node.changed(function=Iri(XSD + "integer"))
    return node


def _gold_of_result(result: QueryResult) -> Gold:
    if result.shape == "boolean":
        return Gold((GoldItem((bool(result.rows[0][0]),)),))
    if result.shape == "triples":
        raise EvaluationError(
            "it gives triples, and answers are wanted", advice="Write it with SELECT or ASK."
        )
    if result.truncated:
        raise EvaluationError(f"it gives more than {MOST_ROWS:,} rows")
    return _gold_of_rows([tuple(map(_item_of_cell, row)) for row in result.rows])


def _item_of_cell(cell: Any) -> GoldItem | None:
    match cell:
        case None:
            return None
        case Node():
            return GoldItem((cell.name, cell.id), cell.id)
        case list() | tuple():
            items = [item for item in map(_item_of_cell, cell) if item is not None]
            return GoldItem(tuple(form for item in items for form in item.forms))
        case Edge() | FoundPath() | dict():
            return GoldItem((display_cell(cell),))
    return GoldItem((cell,))


def _gold_of_rows(rows: Sequence[tuple[GoldItem | None, ...]]) -> Gold:
    items = tuple(dict.fromkeys(_first_column(rows)))
    has_more = any(len(row) > 1 for row in rows)
    return Gold(items, tuple(rows) if has_more else ())


def _first_column(rows: Iterable[tuple[GoldItem | None, ...]]) -> Iterable[GoldItem]:
    return (row[0] for row in rows if row and row[0] is not None)


def _refuse_cut(table: Table) -> None:
    if table.truncated:
        raise EvaluationError(f"it gives more than {MOST_ROWS:,} rows")
