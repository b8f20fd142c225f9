"""The rows of what the gate sends are those that the author asked for: shown on the embedded engine with the kit."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from tests.querying.tck import TckQuery, tck_queries

from askgraph.core.errors import QueryError
from askgraph.querying import GatePolicy, check

kglite = pytest.importorskip("kglite", reason="the embedded engine, kglite, is not installed")

FREE = GatePolicy(rows=None, unbounded_paths="allow", refuse_costly=False)
TWO_ROWS = GatePolicy(rows=2, unbounded_paths="allow", refuse_costly=False)


def rows(graph: Any, text: str, parameters: dict[str, int]) -> tuple[list[str], list[str]]:
    """The columns and the rows of a query, each row as text."""
    result = graph.cypher(text, params=parameters)
    return result.columns, [json.dumps(row, default=str, sort_keys=True) for row in result.to_list()]


def graph_of(query: TckQuery) -> Any:
    """A throw-away graph as the scenario wants it, or ``None`` where the engine cannot build it."""
    graph = kglite.KnowledgeGraph()
    try:
        for text in query.setup:
            graph.cypher(text)
    except kglite.KgError:
        return None
    return graph


def test_the_text_of_the_gate_gives_the_same_rows_and_with_a_cap_the_first_of_them() -> None:
    compared = 0
    for query in tck_queries():
        # Nearly half of the kit are calls of one temporal function after another; and dice fall differently each time.
        if query.writes or query.error or query.place.startswith("Temporal") or "rand()" in query.text:
            continue
        try:
            checked = check(query.text, policy=FREE)
        except QueryError:
            continue
        graph = graph_of(query)
        if graph is None:
            continue
        parameters = dict.fromkeys(checked.parameters, 1)
        try:
            columns, expected = rows(graph, query.text, parameters)
        except kglite.KgError:
            continue
        assert rows(graph, checked.text, parameters) == (columns, expected), checked.text
        capped = check(query.text, policy=TWO_ROWS)
        given = rows(graph, capped.text, parameters)
        assert given[0] == columns
        # One more than the cap, which tells that there was more.
        assert len(given[1]) == min(len(expected), 3), capped.text
        assert not Counter(given[1]) - Counter(expected), capped.text
        compared += 1
    assert compared > 1_300
