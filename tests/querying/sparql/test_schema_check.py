"""A SPARQL query that names what the graph does not have is told the right name."""

from __future__ import annotations

import pytest

from askgraph.core.schema import EdgeEnds, EdgeType, NodeType, Property, Schema
from askgraph.core.values import ValueType
from askgraph.querying import check
from askgraph.querying.schema_check import check_schema

E = "http://e/"
PREFIXES = "PREFIX e: <http://e/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
SCHEMA = Schema(
    kind="rdf",
    node_count=3,
    edge_count=2,
    node_types=(NodeType(E + "Person", "Person", 2, 2), NodeType(E + "Film", "Film", 1, 1)),
    edge_types=(EdgeType(E + "actsIn", "acts in", 2, (EdgeEnds(E + "Person", E + "Film", 2),)),),
    properties=(
        Property(E + "name", "name", E + "Person", (ValueType.TEXT,), 2, 1.0),
        Property(E + "title", "title", E + "Film", (ValueType.TEXT,), 1, 1.0),
    ),
)


@pytest.mark.parametrize(
    ("text", "code", "near"),
    [
        ("SELECT ?x { ?x a e:Persn }", "unknown-type", E + "Person"),
        ("SELECT ?x { ?x a/rdfs:subClassOf* e:Persn }", "unknown-type", E + "Person"),
        ("SELECT ?x { ?x e:nam ?n }", "unknown-relation", E + "name"),
        ("SELECT ?x { ?x e:actIn/e:title ?n }", "unknown-relation", E + "actsIn"),
        ("SELECT ?x { ?x a e:Person OPTIONAL { ?x e:titel ?n } }", "unknown-relation", E + "title"),
        ("SELECT ?x { ?x a e:Person FILTER EXISTS { ?x e:title ?n } }", "unknown-property", None),
        ("SELECT ?x { ?x a e:Film ; e:actsIn ?y . ?y a e:Person }", "wrong-direction", None),
        ("SELECT ?x { ?x a e:Person ; ^e:actsIn ?y }", "wrong-direction", None),
        ("SELECT ?x { ?x a e:Film . ?y a e:Film . ?x e:actsIn ?y }", "wrong-ends", None),
    ],
)
def test_a_wrong_name_or_direction_is_told(text: str, code: str, near: str | None) -> None:
    problems = check_schema(check(PREFIXES + text), SCHEMA)
    assert [problem.code for problem in problems] == [code]
    assert near is None or near in problems[0].suggestions


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x { ?x a e:Person ; e:name ?n ; e:actsIn ?f . ?f e:title ?t }",
        "SELECT ?x { ?x rdfs:label ?n ; a <http://www.w3.org/2002/07/owl#Class> }",
        "SELECT ?x { ?x <http://other/nam> ?n }",
        "SELECT ?x { ?x ?p ?o . e:Persn ?p ?x }",
        "SELECT ?f { ?f a e:Film ; ^e:actsIn ?p }",
        "DESCRIBE e:Persn",
    ],
)
def test_what_is_right_or_cannot_be_known_raises_no_problem(text: str) -> None:
    assert check_schema(check(PREFIXES + text), SCHEMA) == ()
