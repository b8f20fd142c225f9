"""Deny-lists hold on the databases that people run: a query gives what it gives without what is hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.querying.cypher.hidden_movies import (
    EDGES,
    NODES,
    OPEN,
    POLICY,
    SAME,
    SAME_ON_NEO4J,
    creation,
    visible_creation,
)

from askgraph.querying import check


def rows(server: Any, text: str) -> list[str]:
    """The result of a query, fit to be compared: the order of rows and of lists is the server's choice."""
    return sorted(
        json.dumps({key: _sorted(value) for key, value in row.items()}) for row in server.rows(text)
    )


def _sorted(value: Any) -> Any:
    return sorted(map(str, value)) if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        pytest.param("neo4j", [*SAME, *SAME_ON_NEO4J], marks=pytest.mark.server("neo4j"), id="neo4j"),
        pytest.param("arcadedb", SAME, marks=pytest.mark.server("arcadedb"), id="arcadedb"),
    ],
)
def test_nothing_hidden_leaks_from_a_server(
    name: str, texts: list[str], request: pytest.FixtureRequest
) -> None:
    server = request.getfixturevalue(name)
    sent = {text: check(text, dialect="neo4j", policy=POLICY).text for text in texts}
    plain = {text: check(text, dialect="neo4j", policy=OPEN).text for text in texts}
    server.load(visible_creation(NODES, EDGES))
    expected = {text: rows(server, plain[text]) for text in texts}
    server.load(creation(NODES, EDGES))
    whole = {text: rows(server, plain[text]) for text in texts}
    assert sum(whole[text] != expected[text] for text in texts) > len(texts) * 2 / 3
    for text in texts:
        assert rows(server, sent[text]) == expected[text], sent[text]
