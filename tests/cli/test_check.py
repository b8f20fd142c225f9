"""`askgraph check`: the gate's verdict on a query, without running it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from .conftest import Askgraph


def test_a_reading_query_is_allowed_and_shown_as_it_would_be_sent(askgraph: Askgraph) -> None:
    done = askgraph("check", "MATCH (p:Product) RETURN p.name")
    assert done.code == 0
    assert done.out.startswith("Allowed.")
    assert "LIMIT" in done.out


def test_a_writing_query_is_rejected_at_its_place(askgraph: Askgraph) -> None:
    done = askgraph("check", "MATCH (n) DETACH DELETE n")
    assert done.code == 1
    assert "line 1, column 11" in done.out
    lines = done.out.splitlines()
    caret = next(number for number, line in enumerate(lines) if "^" in line)
    assert lines[caret].index("^") == lines[caret - 1].index("DETACH")


def test_names_are_compared_with_a_graph(askgraph: Askgraph, tmp_path: Path) -> None:
    nodes = tmp_path / "nodes.csv"
    nodes.write_text("id,label,name\n1,City,Rome\n", encoding="utf-8")
    assert askgraph("load", nodes, "--into", tmp_path / "cities.graph").code == 0
    done = askgraph("check", "MATCH (c:Citty) RETURN c.name", "--schema", tmp_path / "cities.graph")
    assert done.code == 0
    assert "City" in done.out


def test_what_may_give_rows_all_the_same_is_said_as_a_doubt(askgraph: Askgraph, tmp_path: Path) -> None:
    graph = tmp_path / "people.ttl"
    graph.write_text("<http://e/a> a <http://e/Person> ; <http://e/born> 1960 .", encoding="utf-8")
    wrong = askgraph("check", 'SELECT ?x { ?x <http://e/born> "1960" }', "--schema", graph)
    assert "Allowed, and not what the graph's schema has." in wrong.out
    assert "Write 1960." in wrong.out
    doubt = askgraph("check", "SELECT ?x ?year { ?x <http://e/born> ?y }", "--schema", graph)
    assert "Allowed, and perhaps not what the graph's schema has." in doubt.out
    assert "nothing binds the variable ?year (line 1, column 11)" in doubt.out
    assert (wrong.code, doubt.code) == (0, 0)


def test_many_queries_give_one_verdict_each(
    askgraph: Askgraph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = '{"id": "a", "query": "RETURN 1"}\n{"id": "b", "query": "CREATE (n)"}\n'
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    verdicts = [json.loads(line) for line in askgraph("check", "--batch", "-").out.splitlines()]
    assert [(item["id"], item["verdict"]) for item in verdicts] == [("a", "allow"), ("b", "reject")]
    file = tmp_path / "queries.jsonl"
    file.write_text(lines, encoding="utf-8")
    assert len(askgraph("check", "--batch", file).out.splitlines()) == 2


def test_neither_query_nor_batch_is_a_usage_error(askgraph: Askgraph) -> None:
    assert askgraph("check").code == 2


def test_sparql_is_known_by_its_first_word_or_by_its_name(askgraph: Askgraph) -> None:
    select = "SELECT ?s WHERE { ?s ?p ?o }"
    for options in ((), ("--language", "sparql")):
        done = askgraph("check", select, *options)
        assert done.code == 0
        assert f"{select} LIMIT 1001" in done.out
    assert askgraph("check", select, "--language", "cypher").code == 1
    refused = askgraph("check", "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }")
    assert refused.code == 1
    assert "SERVICE would call another address" in refused.out


def test_the_help_lists_every_dialect_and_an_unknown_one_is_told_them(askgraph: Askgraph) -> None:
    from askgraph.querying.cypher.dialect import DIALECTS

    told = askgraph("check", "RETURN 1", "--dialect", "oracle")
    assert told.code != 0
    for dialect in DIALECTS:
        assert dialect in askgraph("check", "--help").out
        assert dialect in told.out + told.err
    assert askgraph("check", "ASK { }", "--dialect", "neo4j").code != 0


def test_the_operators_settings_hold_for_one_query_and_for_many(
    askgraph: Askgraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "askgraph.toml"
    settings.write_text('hidden_properties = ["email"]\n[gate]\nrows = 7\n', encoding="utf-8")
    monkeypatch.setenv("ASKGRAPH_CONFIG", str(settings))
    assert "LIMIT 8" in askgraph("check", "MATCH (p:Person) RETURN p.name").out
    assert askgraph("check", "MATCH (p:Person) RETURN p.email").code == 1
    batch = tmp_path / "queries.jsonl"
    # A line separator of Unicode inside a text is no end of a line of JSON.
    batch.write_text(
        '{"query": "MATCH (p) RETURN p.email, \'a\u2028b\'"}\n{"query": "RETURN 1"}\n', encoding="utf-8"
    )
    verdicts = [
        json.loads(line)["verdict"]
        for line in askgraph("check", "--batch", str(batch)).out.split("\n")
        if line
    ]
    assert verdicts == ["reject", "allow"]
