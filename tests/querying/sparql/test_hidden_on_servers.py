"""Deny-lists hold on the endpoints that people run: a query gives what it gives without what is hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.querying.sparql.hidden_graph import GRAPH, HIDDEN, OPEN, POLICY, SAME
from tests.querying.sparql.test_hidden import stored, without

from askgraph.querying import check

pyoxigraph = pytest.importorskip("pyoxigraph", reason="the embedded engine, pyoxigraph, is not installed")


def turtle_of(store: Any) -> str:
    dumped: bytes = store.dump(format=pyoxigraph.RdfFormat.TURTLE, from_graph=pyoxigraph.DefaultGraph())
    return dumped.decode()


def rows(server: Any, text: str) -> Any:
    """The result of a query, fit to be compared: blank nodes have other names each time."""
    reply = server.ask(text)
    assert reply.status == 200, reply.text
    result = json.loads(reply.body)
    if "boolean" in result:
        return result["boolean"]
    return sorted(sorted((name, _shown(value)) for name, value in row.items()) for row in reply.bindings)


def _shown(value: dict[str, str]) -> str:
    return "_:" if value["type"] == "bnode" else value["value"]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.server(name)) for name in ("fuseki", "virtuoso", "oxigraph")],
)
def test_nothing_hidden_leaks_from_an_endpoint(name: str, request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue(name)
    texts = [text for text in SAME if not text.startswith("CONSTRUCT")]
    sent = {text: check(text, language="sparql", policy=POLICY).text for text in texts}
    plain = {text: check(text, language="sparql", policy=OPEN).text for text in texts}
    server.load(turtle_of(without(stored(), HIDDEN)))
    expected = {text: rows(server, plain[text]) for text in texts}
    server.load(GRAPH)
    assert sum(rows(server, plain[text]) != expected[text] for text in texts) > len(texts) * 2 / 3
    for text in texts:
        assert rows(server, sent[text]) == expected[text], sent[text]
