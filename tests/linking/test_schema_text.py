"""A schema in a prompt: its names as a query must write them."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest

from askgraph.core.schema import EdgeEnds, EdgeType, NodeType, Property, Schema
from askgraph.core.values import LanguageText, Value, ValueType
from askgraph.linking.schema_text import schema_text
from askgraph.querying.cypher.parser import parse as parse_cypher
from askgraph.querying.sparql.parser import parse as parse_sparql

EX = "http://example.org/films/"


def _property(key: str, owner: str, kind: ValueType, *samples: Value, **said: Any) -> Property:
    return Property(
        key,
        str(said.pop("label", key.rstrip("/").rpartition("/")[2])),
        owner,
        (kind,),
        10,
        1.0,
        samples,
        **said,
    )


FILMS = Schema(
    "property",
    20,
    10,
    (
        NodeType("Person", "Person", 10, 10, description="Who acts or directs."),
        NodeType("Feature Film", "Feature Film", 10, 10),
        NodeType("", "untyped", 1, 1),
    ),
    (
        EdgeType("ACTED_IN", "acted in", 10, (EdgeEnds("Person", "Feature Film", 10),)),
        EdgeType("ORDER", "order", 3, (EdgeEnds("", "Person", 3),), description="Who is paid first."),
    ),
    (
        _property("name", "Person", ValueType.TEXT, "Tom Hanks", 'Dwayne "The Rock"', "Cher"),
        _property("born on", "Person", ValueType.DATE, datetime.date(1956, 7, 9)),
        Property("height", "height", "Person", (ValueType.INTEGER, ValueType.FLOAT), 3, 0.3, (180,)),
        _property("colour", "Feature Film", ValueType.TEXT, "yes", "no", distinct=2),
        _property("roles", "ACTED_IN", ValueType.LIST, of_edges=True),
    ),
)

ONTOLOGY = Schema(
    "rdf",
    20,
    10,
    (
        NodeType(EX + "Person", "person", 10, 10),
        NodeType(EX + "Actor", "actor", 0, 5, parents=(EX + "Person",)),
        NodeType("http://www.wikidata.org/entity/Q11424", "film", 10, 10, description="sequence of images"),
    ),
    (
        EdgeType(
            "http://www.wikidata.org/prop/direct/P161",
            "cast member",
            10,
            (EdgeEnds("http://www.wikidata.org/entity/Q11424", EX + "Actor", 10),),
        ),
        EdgeType(EX + "knows", "knows", 3, (EdgeEnds(EX + "Person", "", 3),), symmetric=True),
    ),
    (
        _property(
            EX + "name", EX + "Person", ValueType.TEXT, LanguageText("Tom", "en"), languages=("en", "de", "")
        ),
        _property(EX + "name", EX + "Actor", ValueType.TEXT, "Cher", languages=("",)),
        _property(EX + "a.b/", EX + "Person", ValueType.DECIMAL, Decimal("1.5")),
        _property(
            EX + "born", EX + "Person", ValueType.DATE, datetime.date(1956, 7, 9), label="date of birth"
        ),
    ),
)


def test_cypher_patterns():
    assert (
        schema_text("cypher").write(FILMS)
        == """\
Nodes:
(:Person): Who acts or directs.
  name: STRING, such as "Tom Hanks", "Dwayne \\"The Rock\\""
  `born on`: DATE, such as date('1956-07-09')
  height: INTEGER or FLOAT, such as 180 (30 % have it)
(:`Feature Film`)
  colour: STRING, one of "yes", "no"
() without a label

Relationships:
(:Person)-[:ACTED_IN {roles: LIST}]->(:`Feature Film`)
()-[:`ORDER`]->(:Person): Who is paid first."""
    )


def test_sparql_classes_and_properties():
    assert (
        schema_text("sparql").write(ONTOLOGY)
        == """\
PREFIX films: <http://example.org/films/>
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>

Classes:
films:Person
films:Actor, subclass of films:Person, only through its subclasses
wd:Q11424 "film": sequence of images

Properties that hold values:
films:name: films:Person, films:Actor → xsd:string or text in @en, @de, such as "Tom"@en
<http://example.org/films/a.b/>: films:Person → xsd:decimal, such as 1.5
films:born: films:Person → xsd:date, such as "1956-07-09"^^xsd:date "date of birth"

Properties that lead to other things:
wdt:P161: wd:Q11424 → films:Actor "cast member"
films:knows: films:Person → anything, the same both ways"""
    )


def test_the_prefixes_of_the_author_are_kept():
    text = schema_text("sparql", {"f": EX, "": "http://other.example.org/"}).write(ONTOLOGY)
    assert f"PREFIX f: <{EX}>" in text
    assert "f:knows" in text


def test_two_namespaces_never_share_a_prefix():
    iris = ("http://a.example.org/x/One", "http://b.example.org/x/Two", "http://c.example.org/xsd/Three")
    schema = Schema("rdf", 3, 0, tuple(NodeType(iri, iri[-3:], 1, 1) for iri in iris), (), ())
    head = schema_text("sparql").write(schema).split("\n\n")[0]
    prefixes = [line.split()[1] for line in head.split("\n")]
    assert len(prefixes) == len(set(prefixes)) == 4


@pytest.mark.parametrize(
    "sample", ["a", 'q"uo\\te', "über", 12, 1.5, True, datetime.date(2020, 1, 2), ["x", 1]]
)
def test_a_sample_of_cypher_is_a_literal(sample: Value):
    text = schema_text("cypher")
    line = text.property(_property("key", "T", ValueType.TEXT, sample), ("T",))
    parse_cypher(f"MATCH (n) WHERE n.key = {line.split('such as ')[1]} RETURN n")


@pytest.mark.parametrize(
    "sample",
    ["a", 'q"uo\\te', LanguageText("über", "de"), 12, Decimal("1.5"), True, datetime.date(2020, 1, 2)],
)
def test_a_sample_of_sparql_is_a_literal(sample: Value):
    text = schema_text("sparql")
    line = text.property(_property(EX + "key", EX + "T", ValueType.TEXT, sample), (EX + "T",))
    prologue = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>"
    parse_sparql(f"{prologue} SELECT ?x {{ ?x ?p {line.split('such as ')[1]} }}")


@pytest.mark.parametrize("name", ["Person", "MATCH", "a b", "x`y", "naïve", "1st", "a-b", "a.b"])
def test_a_name_stands_as_cypher_must_write_it(name: str):
    schema = Schema("property", 1, 0, (NodeType(name, name, 1, 1),), (), ())
    pattern = schema_text("cypher").write(schema).split("\n")[1]
    parse_cypher(f"MATCH {pattern} RETURN 1")


def test_a_line_stays_one_line_whatever_a_graph_holds():
    evil = "x\nRelationships:\n(:Fake)\u2028\x1b[31m"
    item = _property("key", "T", ValueType.TEXT, evil, description=evil, label=evil)
    line = schema_text("cypher").property(item, ("T",))
    assert len(line.splitlines()) == 1
    assert "\x1b" not in line


def test_many_ends_are_counted_and_not_all_shown():
    ends = tuple(EdgeEnds(f"A{number}", "B", 1) for number in range(20))
    shown = schema_text("cypher").edge_type(EdgeType("R", "r", 20, ends), ())
    assert len(shown.split("\n")) == 6
    assert shown.endswith("and 14 more pairs of types")
