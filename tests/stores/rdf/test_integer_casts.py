"""Casts that people and models write though SPARQL does not ask engines for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from askgraph.querying import check
from askgraph.stores.rdf.store import RdfStore

TURTLE = '@prefix : <http://example.org/> . :a :n "12" . :b :n "3" . :c :n "many" .'


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    file: Path = tmp_path_factory.mktemp("casts") / "graph.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    with RdfStore.from_files(file) as store:
        yield store


def value(store, expression):
    query = f"PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT ({expression} AS ?x) {{}}"
    return store.query(check(query, language="sparql")).rows[0][0]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('xsd:int("12")', 12),
        ('xsd:long("-9223372036854775808")', -(2**63)),
        ('xsd:int("2147483648")', None),
        ('xsd:byte("128")', None),
        ('xsd:nonNegativeInteger("-1")', None),
        ('xsd:positiveInteger("0")', None),
        ("xsd:int(true)", 1),
        ("xsd:int(7.9)", 7),
        ("xsd:int(-7.9)", -7),
        ("xsd:int(1.5e2)", 150),
        ('xsd:int(" 5 ")', 5),
        ('xsd:int("many")', None),
        ('xsd:int("1.5")', None),
        ("xsd:int(<http://example.org/a>)", None),
        ('xsd:int("INF"^^xsd:double)', None),
        ('xsd:int("2") + xsd:short("3")', 5),
    ],
)
def test_a_cast_gives_an_integer_or_nothing(store, expression, expected):
    assert value(store, expression) == expected


def test_sums_of_casts_are_numbers(store):
    query = (
        "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> PREFIX : <http://example.org/> "
        "SELECT (SUM(?n) AS ?sum) { ?s :n ?text BIND(xsd:int(?text) AS ?n) FILTER(BOUND(?n)) }"
    )
    assert store.query(check(query, language="sparql")).rows == [(15,)]
