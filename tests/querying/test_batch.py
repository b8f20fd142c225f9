"""Many queries through the gate: JSON lines in, JSON lines out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from askgraph.core.hidden import Hidden
from askgraph.querying import GatePolicy
from askgraph.querying.batch import check_lines


def verdicts(*records: object, policy: GatePolicy | None = None) -> list[dict[str, Any]]:
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    return [json.loads(line) for line in check_lines(lines, policy=policy)]


def test_an_allowed_query_comes_with_what_would_be_sent_and_what_was_changed() -> None:
    (answer,) = verdicts(
        {"id": "a", "lang": "cypher", "dialect": "neo4j", "query": "MATCH (n)-[*]->() RETURN n"}
    )
    assert (answer["id"], answer["verdict"], answer["reason"]) == ("a", "allow", None)
    assert answer["text"] == "MATCH (n)-[*..15]->() RETURN n LIMIT 1001"
    assert answer["notes"] == ["paths were followed over at most 15 relationships"]


def test_a_rejected_query_comes_with_reason_and_place() -> None:
    (answer,) = verdicts({"id": 7, "query": "MATCH (n)\nDELETE n"})
    assert answer == {
        "id": 7,
        "verdict": "reject",
        "reason": "DELETE would change the graph",
        "code": "write",
        "line": 2,
        "column": 1,
        "advice": "Only reading is allowed here.",
    }


def test_a_line_has_an_operator_of_its_own() -> None:
    query = "CALL db.labels() YIELD label RETURN label"
    allowed, rejected, unknown, odd = verdicts(
        {"id": 1, "query": query, "config": {"allow_procedures": ["db.labels"]}},
        {"id": 2, "query": query},
        {"id": 3, "query": query, "config": {"allow_all": True}},
        {"id": 4, "query": query, "config": ["db.labels"]},
    )
    assert [answer["verdict"] for answer in (allowed, rejected, unknown, odd)] == [
        "allow",
        "reject",
        "reject",
        "reject",
    ]
    assert "allow_all" in unknown["reason"]


SHOWING = "MATCH (n) RETURN n.email AS e"


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ({"hidden_properties": ["email"]}, "hidden"),
        ({"hidden": {"properties": ["email"]}}, "hidden"),
        ({"hidden": {"types": ["Secret"]}}, None),
        ({"hidden_types": ["Secret"], "hidden": {"properties": ["email"]}}, "hidden"),
        ({"hidden": {}}, None),
        ({"hidden": {"types": "Secret"}}, "input"),
        ({"hidden": {"properties": [1]}}, "input"),
        ({"hidden": {"labels": ["Secret"]}}, "input"),
        ({"hidden": ["email"]}, "input"),
        ({"hidden": None}, "input"),
        ({"hidden_types": "Secret"}, "input"),
        ({"hidden_labels": ["Secret"]}, "input"),
        ("hidden", "input"),
    ],
)
def test_a_line_may_have_deny_lists(config: object, code: str | None) -> None:
    (answer,) = verdicts({"query": SHOWING, "config": config})
    assert (answer["verdict"], answer.get("code")) == ("reject" if code else "allow", code)


def test_a_line_takes_nothing_off_the_deny_lists_of_the_operator() -> None:
    policy = GatePolicy(hidden=Hidden(properties=("email",)))
    (answer,) = verdicts({"query": SHOWING, "config": {"hidden": {"properties": []}}}, policy=policy)
    assert answer["code"] == "hidden"


def test_a_line_with_hidden_types_shows_how_the_query_is_rewritten() -> None:
    (answer,) = verdicts({"query": "MATCH (n) RETURN n", "config": {"hidden_types": ["Secret"]}})
    assert answer["text"] == "MATCH (n) WHERE NOT n:Secret RETURN n LIMIT 1001"


def test_the_policy_of_the_batch_holds_for_every_line() -> None:
    (answer,) = verdicts({"query": "MATCH (n) RETURN n"}, policy=GatePolicy(rows=2))
    assert answer["text"].endswith("LIMIT 3")


def test_lines_that_cannot_be_read_are_rejected_and_blank_ones_skipped() -> None:
    lines = ["", "{", "[1]", "{}", '{"query": 3}', '{"id": 9, "query": "RETURN 1", "lang": "sql"}', " "]
    lines += ['{"id": NaN, "query": "RETURN 1"}', '{"query": "RETURN 1", "config": {"rows": Infinity}}']
    lines += ['{"query": "RETURN 1", "dialect": "oracle"}', '{"query": "RETURN 1", "lang": []}']
    answers = verdicts(*lines)
    assert [answer["verdict"] for answer in answers] == ["reject"] * 9
    assert "line 2 of the input" in answers[0]["reason"]
    assert answers[4]["id"] == 9
    assert "NaN is no value of JSON" in answers[5]["reason"]
    assert "oracle" in answers[7]["reason"]


def test_a_line_without_a_language_is_taken_for_what_it_looks_like() -> None:
    select = "SELECT ?s WHERE { ?s ?p ?o }"
    answers = verdicts(
        {"query": select},
        {"query": select, "lang": "sparql", "dialect": "neo4j"},
        {"query": select, "lang": "cypher"},
        {"query": "MATCH (n) RETURN n", "lang": "sparql"},
        {"query": "MATCH (n) RETURN n", "lang": None},
    )
    assert [answer["verdict"] for answer in answers] == ["allow", "allow", "reject", "reject", "allow"]
    assert answers[0]["text"] == "SELECT ?s WHERE { ?s ?p ?o } LIMIT 1001"
