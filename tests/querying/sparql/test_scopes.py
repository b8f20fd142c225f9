"""Variables, aggregates and blank nodes may not stand everywhere; where they may is the standard's."""

from __future__ import annotations

import pytest

from askgraph.core.errors import QuerySyntaxError
from askgraph.querying.sparql.parser import parse
from askgraph.querying.sparql.scopes import visible_variables


def columns(pattern: str) -> tuple[str, ...]:
    """What ``SELECT *`` gives for a pattern."""
    where = parse(f"SELECT * {{ {pattern} }}").query.form.where
    assert where is not None
    return visible_variables(where)


@pytest.mark.parametrize(
    ("pattern", "seen"),
    [
        ("?s ?p [ <q> (?a ?b) ]", "s p a b"),
        ("?s (<a>/^<b>)* ?o", "s o"),
        ("?s ?p ?o OPTIONAL { ?o ?q ?r }", "s p o q r"),
        ("{ ?a <p> 1 } UNION { ?b <p> 1 }", "a b"),
        ("?s ?p ?o MINUS { ?x ?y ?z }", "s p o"),
        ("?s ?p ?o FILTER(?f = 1) FILTER EXISTS { ?x ?y ?z }", "s p o"),
        ("GRAPH ?g { ?s <p> 1 }", "g s"),
        ("SERVICE ?e { ?s <p> 1 }", "e s"),
        ("BIND(?x + 1 AS ?y)", "y"),
        ("VALUES (?a ?b) { }", "a b"),
        ("{ SELECT ?x (1 AS ?y) { ?x ?hidden 1 } }", "x y"),
        ("{ SELECT * { ?x ?seen 1 } VALUES ?v { 1 } }", "x seen v"),
        ("{ ?x <p> 1 { ?y <p> ?x } }", "x y"),
        ("_:b <p> []", ""),
    ],
)
def test_what_a_pattern_binds_is_seen_outside(pattern: str, seen: str) -> None:
    assert columns(pattern) == tuple(seen.split())


ALLOWED = [
    "SELECT * { ?s ?p ?o BIND(?o + 1 AS ?x) FILTER(?x > 1) }",
    "SELECT * { { ?s ?p ?x } UNION { BIND(1 AS ?x) } }",
    "SELECT * { BIND(1 AS ?x) ?s ?p ?x }",
    "SELECT * { FILTER(?x = 1) BIND(1 AS ?x) }",
    "SELECT * { MINUS { ?x ?y ?z } BIND(1 AS ?x) }",
    "SELECT * { ?s ?p ?x FILTER EXISTS { BIND(1 AS ?x) } }",
    "SELECT (1 AS ?x) (?x + 1 AS ?y) { }",
    "SELECT * { { SELECT (1 AS ?x) { ?s ?hidden ?o } } BIND(2 AS ?hidden) }",
    "SELECT ?x ?x { ?x ?y ?z }",
    "SELECT ?x { ?x ?y ?z } GROUP BY ?x",
    "SELECT ?k (COUNT(?z) AS ?n) { ?x ?y ?z } GROUP BY (STR(?x) AS ?k)",
    "SELECT (COUNT(?z) AS ?n) (?n * 2 AS ?m) { ?x ?y ?z }",
    "SELECT (COUNT(?z) + MIN(?y) AS ?n) { ?x ?y ?z }",
    "SELECT ?x (STRLEN(?x) + COUNT(*) AS ?n) { ?x ?y ?z } GROUP BY ?x HAVING (?n > 1) ORDER BY ?z",
    "SELECT ?x { ?x ?y ?z } GROUP BY ?x STR(?y)",
    "SELECT ?x (EXISTS { ?x ?q ?r } AS ?e) { ?x ?y ?z } GROUP BY ?x",
    "SELECT (1 AS ?x) { ?s ?p ?o } GROUP BY ?s",
    "ASK { ?x ?y ?z } GROUP BY ?x",
    "CONSTRUCT { ?a ?b ?c } { ?x ?y ?z } GROUP BY ?x HAVING (COUNT(*) > 1)",
    "SELECT * { { SELECT (COUNT(*) AS ?n) { ?x ?y ?z } } }",
    "SELECT (EXISTS { { SELECT (COUNT(*) AS ?n) { ?x ?y ?z } } } AS ?e) { }",
]  # fmt: skip


@pytest.mark.parametrize("text", ALLOWED)
def test_a_variable_may_stand_where_the_standard_lets_it(text: str) -> None:
    parse(text)


FORBIDDEN = [
    ("SELECT * { ?s ?p ?x BIND(1 AS ?x) }", "scope", 31),
    ("SELECT * { OPTIONAL { ?x ?y ?z } BIND(1 AS ?x) }", "scope", 44),
    ("SELECT * { { ?x ?y ?z } UNION { } BIND(1 AS ?y) }", "scope", 45),
    ("SELECT * { BIND(1 AS ?x) BIND(2 AS ?x) }", "scope", 36),
    ("SELECT * { VALUES ?x { 1 } BIND(2 AS ?x) }", "scope", 38),
    ("SELECT * { FILTER EXISTS { ?x ?y ?z BIND(1 AS ?x) } }", "scope", 47),
    ("SELECT (EXISTS { ?x ?y ?z BIND(1 AS ?x) } AS ?e) { }", "scope", 37),
    ("SELECT * { ?s ?p ?o } ORDER BY (EXISTS { ?x ?y ?z BIND(1 AS ?x) })", "scope", 61),
    ("SELECT (1 AS ?x) { ?x ?y ?z }", "scope", 14),
    ("SELECT (1 AS ?x) (2 AS ?x) { }", "scope", 24),
    ("SELECT ?x (2 AS ?x) { }", "scope", 17),
    ("ASK { { SELECT (1 AS ?x) { ?x ?y ?z } } }", "scope", 22),
    ("SELECT ?x { ?x ?y ?z } GROUP BY (STR(?x) AS ?y)", "scope", 45),
    ("SELECT (1 AS ?k) { } GROUP BY (STR(?x) AS ?k)", "scope", 14),
    ("SELECT ?y { ?x ?y ?z } GROUP BY ?x", "scope", 8),
    ("SELECT ?y (COUNT(*) AS ?n) { ?x ?y ?z }", "scope", 8),
    ("SELECT ?x (?y + 1 AS ?n) { ?x ?y ?z } GROUP BY ?x", "scope", 12),
    ("SELECT (?x + 1 AS ?n) { ?x ?y ?z } GROUP BY (?x + 1)", "scope", 9),
    ("SELECT ?y { ?x ?y ?z } HAVING (COUNT(*) > 1)", "scope", 8),
    ("SELECT ?y { ?x ?y ?z } ORDER BY COUNT(?z)", "scope", 8),
    ("SELECT * { ?x ?y ?z } GROUP BY ?x", "scope", 1),
    ("SELECT * { FILTER(COUNT(?x) > 1) }", "aggregate", 19),
    ("SELECT * { BIND(MAX(?x) AS ?y) }", "aggregate", 17),
    ("SELECT * { } GROUP BY (SUM(?x) AS ?y)", "aggregate", 24),
    ("SELECT (SUM(COUNT(?x)) AS ?n) { }", "aggregate", 13),
    ("SELECT (SUM(1 + MIN(?x)) AS ?n) { }", "aggregate", 17),
    ("SELECT (EXISTS { FILTER(COUNT(?x) > 1) } AS ?n) { }", "aggregate", 25),
    ("SELECT (COUNT(EXISTS { BIND(COUNT(?x) AS ?y) }) AS ?n) { }", "aggregate", 29),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "column"), FORBIDDEN)
def test_a_variable_or_an_aggregate_in_the_wrong_place_is_pointed_at(
    text: str, code: str, column: int
) -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        parse(text)
    assert (caught.value.code, caught.value.column) == (code, column), caught.value
    assert caught.value.advice


SHARED = [
    "ASK { _:a ?p _:b . _:b ?q _:a }",
    "ASK { _:a ?p 1 FILTER(?p = 1) _:a ?q 2 }",
    "ASK { _:a ?p 1 . FILTER EXISTS { _:c ?p 1 } _:a ?q 2 }",
    "ASK { ?s ?p [ ?q _:a ], (_:a) ; ?r _:a }",
    "ASK { _:a (<p>/<q>)* ?x . ?x ?y _:a }",
    "CONSTRUCT { _:a ?p ?o } WHERE { _:a ?p ?o }",
    "CONSTRUCT { _:a ?p _:a } WHERE { ?s ?p ?o . { _:a ?b ?c } }",
    "CONSTRUCT WHERE { _:a ?p _:a }",
]


@pytest.mark.parametrize("text", SHARED)
def test_a_blank_node_may_come_again_in_its_pattern(text: str) -> None:
    parse(text)


TORN = [
    "ASK { _:a ?p 1 . { _:a ?q 2 } }",
    "ASK { { _:a ?p 1 } _:a ?q 2 }",
    "ASK { { _:a ?p 1 } UNION { _:a ?q 2 } }",
    "ASK { _:a ?p 1 OPTIONAL { _:a ?q 2 } }",
    "ASK { _:a ?p 1 OPTIONAL { ?x ?q 2 } _:a ?r 3 }",
    "ASK { _:a ?p 1 BIND(1 AS ?x) _:a ?r 3 }",
    "ASK { _:a ?p 1 VALUES ?x { 1 } _:a ?r 3 }",
    "ASK { _:a ?p 1 FILTER EXISTS { _:a ?q 2 } }",
    "ASK { _:a ?p 1 GRAPH ?g { _:a ?q 2 } }",
    "ASK { _:a ?p 1 { SELECT * { _:a ?q 2 } } }",
    "ASK { _:a ?p 1 MINUS { [ ?q (_:a) ] ?r 1 } }",
]


@pytest.mark.parametrize("text", TORN)
def test_a_blank_node_that_comes_again_in_another_pattern_is_refused(text: str) -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        parse(text)
    assert caught.value.code == "blank-node"
    assert "_:a was used in another pattern already" in caught.value.message
