"""What a gold query is made of, and what kind of question it makes."""

from __future__ import annotations

from typing import Any

import pytest

from askgraph.core.plan_json import plan_from_dict
from askgraph.core.schema import EdgeEnds, EdgeType, NodeType, Property, Schema
from askgraph.core.values import ValueType
from askgraph.evaluation.gold import GoldQuery
from askgraph.evaluation.gold_content import content_of
from askgraph.evaluation.query_content import QueryContent, kind_of

NS = "http://x/"
SCHEMA = Schema(
    "rdf",
    10,
    10,
    (NodeType(NS + "Person", "person", 5, 5), NodeType(NS + "Book", "book", 5, 5)),
    (EdgeType(NS + "wrote", "wrote", 5, (EdgeEnds(NS + "Person", NS + "Book", 5),)),),
    (Property(NS + "age", "age", NS + "Person", (ValueType.INTEGER,), 5, 1.0),),
)


def sparql(body: str) -> QueryContent:
    content = content_of(
        GoldQuery("sparql", f"PREFIX : <{NS}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> {body}"), SCHEMA
    )
    assert content is not None
    return content


def cypher(text: str) -> QueryContent:
    content = content_of(GoldQuery("cypher", text), SCHEMA)
    assert content is not None
    return content


def plan(asks: bool = False, **data: Any) -> QueryContent:
    base = {
        "nodes": [{"variable": "a", "types": ["Person"]}, {"variable": "b", "ids": ["b1"]}],
        "edges": [{"source": "a", "target": "b", "types": ["wrote"]}],
        "columns": [{"name": "a", "expression": {"node": "a"}}],
    }
    content = content_of(GoldQuery("plan", plan=plan_from_dict(base | data), asks=asks), SCHEMA)
    assert content is not None
    return content


# --- SPARQL


def test_nodes_types_and_relations_are_told_apart() -> None:
    content = sparql(
        'SELECT ?p { ?p a :Person ; :wrote :b1 ; :age ?a ; :number 30 ; :nick "Ada" . FILTER(?p != :p9) }'
    )
    assert content.things == (NS + "b1", NS + "p9")
    assert content.types == (NS + "Person",)
    assert content.relations == (NS + "wrote", NS + "age", NS + "number", NS + "nick")
    assert content.texts == ("30", "Ada")
    assert content.edges == 1


def test_paths_and_hierarchies_are_looked_through() -> None:
    content = sparql(
        "PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> "
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
        "SELECT ?p { ?p rdf:type/rdfs:subClassOf* :Person . ?p ^:wrote/:wrote ?b }"
    )
    assert content.types == (NS + "Person",)
    assert content.relations == (NS + "wrote",)
    assert content.things == ()


def test_datatypes_and_functions_name_nothing() -> None:
    content = sparql(
        'SELECT ?p { ?p :age ?a FILTER(xsd:integer(?a) > 3 && ?e >= "2019" && ?d > "2020-01-01"^^xsd:date) }'
    )
    assert content.things == ()
    assert content.texts == ()


@pytest.mark.parametrize(
    ("body", "forms"),
    [
        ("ASK { ?p :wrote :b1 }", {"yes/no"}),
        ("SELECT (COUNT(*) AS ?n) { ?p :wrote ?b }", {"count"}),
        ("SELECT (AVG(?a) AS ?n) { ?p :age ?a }", {"figure"}),
        ("SELECT ?p (COUNT(?b) AS ?n) { ?p :wrote ?b } GROUP BY ?p", {"count", "group"}),
        ("SELECT ?p { ?p :age ?a } ORDER BY DESC(?a) LIMIT 1", {"order"}),
        ("SELECT ?p { ?p :age ?a } ORDER BY ?a", set()),
        ("SELECT ?p { ?p :age ?a FILTER(?a > 3) }", {"filter"}),
        ("SELECT ?p { ?p :age ?a FILTER(?a = 3) }", {"filter"}),
        ("SELECT ?p { ?p :wrote ?b } GROUP BY ?p HAVING (COUNT(?b) > 3)", {"filter", "count", "group"}),
        ("SELECT ?p { ?p a :Person FILTER NOT EXISTS { ?p :wrote ?b } }", {"negation"}),
        ("SELECT ?p { ?p a :Person MINUS { ?p :wrote ?b } }", {"negation"}),
        ("SELECT ?p { ?p :age ?a FILTER(?a NOT IN (1, 2)) }", {"negation"}),
        ("SELECT ?p { ?p :wrote ?b FILTER(!BOUND(?b)) }", {"negation"}),
        ("SELECT ?p { ?p :age ?a { SELECT (MAX(?x) AS ?a) { ?q :age ?x } } }", {"order", "figure"}),
    ],
)
def test_what_sparql_makes_of_the_matches(body: str, forms: set[str]) -> None:
    assert sparql(body).forms == forms


def test_what_cannot_be_read_has_no_content() -> None:
    assert content_of(GoldQuery("sparql", "SELECT ?x WHERE {"), SCHEMA) is None
    assert content_of(GoldQuery("cypher", "MATCH (n RETURN n"), SCHEMA) is None


# --- Cypher


def test_labels_types_keys_and_texts_of_cypher() -> None:
    content = cypher(
        "MATCH (p:Person {name: 'Ada'})-[:WROTE|EDITED]->(b:Book) WHERE b.year > 1900 RETURN b.title"
    )
    assert content.types == ("Person", "Book")
    assert content.relations == ("name", "WROTE", "EDITED", "year", "title")
    assert content.texts == ("Ada",)
    assert content.edges == 1
    assert content.forms == {"filter"}


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("MATCH (n) RETURN count(*)", {"count"}),
        ("MATCH (n) RETURN count(n)", {"count"}),
        ("MATCH (n) RETURN n.a, count(n) AS c", {"count", "group"}),
        ("MATCH (n) RETURN avg(n.a)", {"figure"}),
        ("MATCH (n) RETURN n ORDER BY n.a DESC LIMIT 1", {"order"}),
        ("MATCH (n) WHERE n.a = 3 RETURN n", {"filter"}),
        ("MATCH (n) WHERE n.a = 'x' RETURN n", set()),
        ("MATCH (n) WHERE NOT (n)-->() RETURN n", {"negation"}),
    ],
)
def test_what_cypher_makes_of_the_matches(text: str, forms: set[str]) -> None:
    assert cypher(text).forms == forms


# --- plans


def test_what_a_plan_is_made_of() -> None:
    content = plan()
    assert (content.things, content.types, content.relations, content.edges) == (
        ("b1",),
        ("Person",),
        ("wrote",),
        1,
    )
    assert content.forms == set()


@pytest.mark.parametrize(
    ("data", "forms"),
    [
        ({"columns": [{"name": "n", "expression": {"aggregate": "count"}}]}, {"count"}),
        (
            {
                "columns": [
                    {"name": "a", "expression": {"node": "a"}},
                    {"name": "n", "expression": {"aggregate": "count"}},
                ]
            },
            {"count", "group"},
        ),
        ({"order": [{"column": "a"}], "limit": 1}, {"order"}),
        ({"limit": 10}, set()),
        ({"having": [{"column": "a", "comparator": ">", "value": 1}]}, {"filter"}),
        (
            {"where": {"left": {"property": "age", "of": "a"}, "comparator": ">", "right": {"value": 3}}},
            {"filter"},
        ),
        (
            {"where": {"left": {"property": "age", "of": "a"}, "comparator": "=", "right": {"value": "x"}}},
            set(),
        ),
        ({"where": {"not": {"is null": {"property": "age", "of": "a"}}}}, set()),
        ({"where": {"not": {"exists": {"edges": [{"source": "a", "target": "b"}]}}}}, {"negation"}),
    ],
)
def test_what_a_plan_makes_of_the_matches(data: dict[str, Any], forms: set[str]) -> None:
    assert plan(**data).forms == forms


def test_texts_and_ids_that_a_plan_compares_with() -> None:
    content = plan(
        where={
            "and": [
                {"left": {"property": "nick", "of": "a"}, "comparator": "=", "right": {"value": "Ada"}},
                {"left": {"node": "a"}, "comparator": "=", "right": {"value": "p1"}},
            ]
        }
    )
    assert content.texts == ("Ada",)
    assert content.things == ("b1", "p1")
    assert "nick" in content.relations


# --- kinds


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (plan(asks=True), "yes/no"),
        (QueryContent(forms=frozenset({"count", "group", "order"})), "superlative"),
        (QueryContent(forms=frozenset({"count", "group"})), "for each"),
        (QueryContent(forms=frozenset({"count"})), "count"),
        (QueryContent(things=("a",), edges=1), "one hop"),
        (QueryContent(things=("a",), edges=2), "two hops"),
        (QueryContent(texts=("a",), edges=5), "three hops"),
        (QueryContent(things=("a",), edges=0), "property"),
        (QueryContent(things=("a", "b"), edges=2), "two conditions"),
        (QueryContent(), "of a class"),
    ],
)
def test_the_kind_of_question(content: QueryContent, kind: str) -> None:
    assert kind_of(content) == kind
