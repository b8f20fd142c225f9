"""The text that a plan becomes. Nothing is sent."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest

from askgraph.core.errors import PlanError
from askgraph.core.hidden import Hidden
from askgraph.core.plan import (
    Aggregate,
    And,
    Column,
    Compare,
    Constant,
    EdgePattern,
    Exists,
    NodePattern,
    NodeReference,
    Not,
    OrderBy,
    Pattern,
    Plan,
    PropertyOf,
)
from askgraph.core.schema import EdgeType, NodeType, Property, Schema
from askgraph.core.values import Duration, LanguageText, ValueType
from askgraph.stores.bolt.engines import engine_of
from askgraph.stores.bolt.introspection import KeyTypes
from askgraph.stores.bolt.plan_to_cypher import GraphWords, plan_to_cypher

TYPES = ("Person", "Movie", "odd `label`")
KEYS = {
    "name": KeyTypes(frozenset({"STRING"}), False),
    "year": KeyTypes(frozenset({"INTEGER"}), False),
    "score": KeyTypes(frozenset({"INTEGER", "FLOAT"}), False),
    "tags": KeyTypes(frozenset({"STRING"}), True),
    "span": KeyTypes(frozenset({"DURATION"}), False),
    "a key": KeyTypes(frozenset({"STRING", "INTEGER"}), False),
}
SCHEMA = Schema(
    "property",
    10,
    10,
    tuple(NodeType(name, name, 1, 1) for name in TYPES),
    (EdgeType("KNOWS", "knows", 5), EdgeType("ACTED IN", "acted in", 5)),
    tuple(Property(key, key, "Person", (ValueType.TEXT,), 1, 1.0) for key in (*KEYS, "unseen")),
)
X, Y = NodeReference("x"), NodeReference("y")
PERSON = NodePattern("x", ("Person",))


def text_of(plan: Plan, agent: str = "Neo4j/5.26.0", **words: Any) -> str:
    return plan_to_cypher(plan, GraphWords(engine_of(agent), SCHEMA, KEYS, **words)).text


def of(key: str) -> PropertyOf:
    return PropertyOf("x", key)


def where(condition: Any, column: Any = X) -> Plan:
    return Plan(Pattern((PERSON,)), (Column("c", column),), where=condition)


def test_a_simple_plan_is_a_query_that_a_person_would_write() -> None:
    plan = Plan(
        Pattern((PERSON, NodePattern("y", ("Movie",))), (EdgePattern("x", "y", ("ACTED IN",)),)),
        (Column("film", PropertyOf("y", "name")), Column("actors", Aggregate("count", X))),
        where=Compare(PropertyOf("y", "year"), ">", Constant(1990)),
        having=(("actors", ">=", 2),),
        order=(OrderBy("actors", True),),
        limit=10,
        offset=5,
    )
    assert text_of(plan).splitlines() == [
        "MATCH (x:Person)-[:`ACTED IN`]->(y:Movie) WHERE y.year > $p0",
        "WITH y.name AS film, count(x) AS actors",
        "WHERE actors >= $p1",
        "RETURN DISTINCT film AS film, actors AS actors",
        "ORDER BY actors IS NULL, actors DESC, film SKIP 5 LIMIT 10",
    ]


def test_values_and_ids_are_parameters() -> None:
    plan = Plan(
        Pattern((NodePattern("x", ids=("4:a:1", "4:a:1", "it's")),)),
        (Column("c", X),),
        where=Compare(of("name"), "=", Constant("'; MATCH (n) DETACH DELETE n //")),
    )
    planned = plan_to_cypher(plan, GraphWords(engine_of("Neo4j/5.26.0"), SCHEMA, KEYS))
    assert "DELETE" not in planned.text
    assert list(planned.parameters.values()) == ["'; MATCH (n) DETACH DELETE n //", ["4:a:1", "it's"]]


def test_names_are_in_back_ticks_where_they_are_not_plain() -> None:
    plan = Plan(
        Pattern((NodePattern("some variable", ("odd `label`",)),)),
        (Column("a `column`", PropertyOf("some variable", "a key")),),
    )
    text = text_of(plan)
    assert "(n0_:`odd ``label```)" in text
    assert "n0_.`a key` AS `a ``column```" in text


def test_what_was_never_seen_may_be_a_list_of_anything() -> None:
    text = text_of(where(Compare(of("unseen"), "<", Constant(3))))
    assert "UNWIND CASE WHEN x.unseen IS :: LIST<ANY> NOT NULL" in text


def test_equality_is_plain_where_unknown_and_false_come_to_the_same() -> None:
    positive = text_of(where(Compare(of("a key"), "=", Constant("a"))))
    assert positive.splitlines()[0] == "MATCH (x:Person) WHERE x.`a key` = $p0"
    negative = text_of(where(Not(Compare(of("a key"), "=", Constant("a")))))
    assert "CASE WHEN x.`a key` IS :: STRING NOT NULL THEN x.`a key` = $p0 END" in negative


@pytest.mark.parametrize("value", [None, b"x", [1], {"a": 1}, float("nan"), Decimal("NaN")])
@pytest.mark.parametrize("comparator", ["=", "<>", "<", "contains"])
def test_what_nothing_can_be_compared_with_is_unknown(value: Any, comparator: Any) -> None:
    assert " WHERE null" in text_of(where(Compare(of("name"), comparator, Constant(value))))


def test_texts_are_found_without_case_and_never_by_a_function_of_texts_on_something_else() -> None:
    text = text_of(where(Compare(of("a key"), "contains", Constant(LanguageText("ab", "en")))))
    assert (
        "CASE WHEN x.`a key` IS :: STRING NOT NULL THEN toLower(x.`a key`) CONTAINS toLower($p0) END" in text
    )


def test_parts_of_a_duration_are_asked_of_durations_alone() -> None:
    text = text_of(where(Compare(of("span"), "<", Constant(Duration(1)))))
    assert "CASE WHEN x.span IS :: DURATION NOT NULL THEN" in text


def test_moments_are_compared_by_instant() -> None:
    moment = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    text = text_of(where(Compare(of("unseen"), "=", Constant(moment))))
    assert "IS :: ZONED DATETIME NOT NULL THEN (v0.epochSeconds" in text


def test_kinds_come_in_the_order_of_plans() -> None:
    text = text_of(Plan(Pattern((PERSON,)), (Column("c", of("a key")),), order=(OrderBy("c", True),)))
    assert "ORDER BY c IS NULL, CASE WHEN" in text
    assert text.index("INTEGER NOT NULL OR c IS :: FLOAT NOT NULL) THEN 0") < text.index(
        "STRING NOT NULL THEN 1"
    )
    assert "ELSE 2 END DESC, c DESC" in text


def test_an_integer_and_the_float_that_equals_it_are_two_values() -> None:
    text = text_of(Plan(Pattern((PERSON,)), (Column("c", of("score")),)))
    assert "CASE WHEN x.score IS :: FLOAT NOT NULL THEN [x.score] ELSE x.score END AS c" in text
    assert "CASE WHEN c IS :: LIST<ANY> NOT NULL THEN c[0] ELSE c END AS c" in text


def test_a_constant_column_is_not_asked_of_the_server() -> None:
    planned = plan_to_cypher(
        where(None, Constant(Decimal("1.50"))), GraphWords(engine_of("Neo4j/5.26.0"), SCHEMA, KEYS)
    )
    assert planned.constants == {0: Decimal("1.50")}
    assert planned.parameters == {}


def test_the_shown_query_tells_its_parameters() -> None:
    plan = where(Compare(of("name"), "=", Constant("Ann")))
    shown = str(plan_to_cypher(plan, GraphWords(engine_of("Neo4j/5.26.0"), SCHEMA, KEYS)))
    assert shown.startswith("// $p0: 'Ann'\nMATCH ")


def test_hidden_things_are_asked_for_nowhere() -> None:
    hidden = Hidden(("Secret", "SPIES"), ("Person.name",))
    pattern = Pattern((PERSON, NodePattern("y")), (EdgePattern("x", "y"),))
    plan = Plan(pattern, (Column("n", of("name")),), where=Exists(Pattern((NodePattern("z"),))))
    text = text_of(plan, hidden=hidden, hidden_labels=("Secret",), hidden_types=("SPIES",))
    for variable in "xyz":
        assert f"NOT {variable}:Secret" in text
    assert "NOT type(e) IN $p0" in text
    assert "CASE WHEN x:Person THEN null ELSE x.name END" in text


def test_memgraph_and_arcadedb_get_words_that_they_know() -> None:
    plan = Plan(
        Pattern((NodePattern("x", ("Person",), ids=("7",)),)),
        (Column("m", Aggregate("maximum", of("a key"))),),
        where=And((Not(Compare(of("a key"), "=", Constant(3))),)),
    )
    memgraph = text_of(plan, "Neo4j/v5.11.0 compatible graph database server - Memgraph")
    assert "id(x) IN [text IN $p1 | toInteger(text)]" in memgraph
    assert "valueType(x.`a key`) IN ['INTEGER', 'FLOAT']" in memgraph
    arcadedb = text_of(plan, "Neo4j/5.26.0 compatible (ArcadeDB 26.10.2)")
    assert "UNWIND $p1 AS id_x MATCH (x) WHERE elementId(x) = id_x WITH * WHERE x:Person" in arcadedb


def test_a_name_that_the_graph_does_not_have_is_refused() -> None:
    with pytest.raises(PlanError, match="Persom"):
        text_of(Plan(Pattern((NodePattern("x", ("Persom",)),)), (Column("c", X),)))
