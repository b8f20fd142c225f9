"""Which name of a schema a wrong one means."""

from __future__ import annotations

import random
import time

import pytest

from askgraph.core.schema import EdgeEnds, EdgeType, NodeType, Property, Schema
from askgraph.core.values import ValueType
from askgraph.querying.tokens import words
from askgraph.retrievers.querying.correction.schema_words import CLEAR, SchemaWords
from askgraph.retrievers.querying.query_correction import QueryCorrector


def schema_of(*names: str, others: tuple[str, ...] = ()) -> Schema:
    edges = tuple(EdgeType(name, name, 1, other_labels=others) for name in names)
    return Schema("property", 10, 10, (NodeType("Person", "Person", 5, 5),), edges, ())


@pytest.mark.parametrize(
    ("wrong", "right", "names"),
    [
        ("actedIn", "ACTED_IN", ("ACTED_IN", "DIRECTED")),
        ("ACTS_IN", "ACTED_IN", ("ACTED_IN", "DIRECTED")),
        ("DIRECTOR_OF", "DIRECTED", ("ACTED_IN", "DIRECTED")),
        ("GENRE", "HAS_GENRE", ("HAS_GENRE", "HAS_TITLE")),
        ("livesin", "LIVES_IN", ("LIVES_IN", "LOCATED_IN")),
        ("PRODUCTS", "PRODUCT", ("PRODUCT", "PROJECT")),
        ("asociates", "associates", ("associates", "participates")),
        ("personName", "name", ("name", "title")),
        ("HardwareItem", "Hardware", ("Hardware", "Supplier")),
        ("bom", "bill of material", ("bill of material", "bomb")),
        ("http://example.org/x#hasManager", "http://ld.org/hasManager", ("http://ld.org/hasManager",)),
        ("ns0__worksAt", "WORKS_AT", ("WORKS_AT", "WORKED_ON")),
    ],
)
def test_a_name_in_another_dress_is_known(wrong: str, right: str, names: tuple[str, ...]) -> None:
    choice = SchemaWords(schema_of(*names)).choose(wrong, names)
    assert choice.name == right
    assert choice.likeness >= CLEAR
    assert choice.reason


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ("TREATS", ("associates", "interacts")),
        ("birth", ("birth_date", "birth_place")),
        ("x", ("y", "z")),
        ("", ("y",)),
    ],
)
def test_what_may_be_several_or_none_is_not_chosen(wrong: str, names: tuple[str, ...]) -> None:
    assert SchemaWords(schema_of(*names)).choose(wrong, names).name is None


def test_further_labels_are_names_too() -> None:
    known = SchemaWords(schema_of("P106", others=("occupation", "works as")))
    assert known.choose("worksAs", ("P106",)).name == "P106"


def test_the_order_of_candidates_decides_nothing() -> None:
    names = ["birth_place", "birth_date", "birthday", "death_date"]
    known = SchemaWords(schema_of(*names))
    first = known.choose("birthDay", names)
    assert first.name == "birthday"
    assert SchemaWords(schema_of(*names)).choose("birthDay", names[::-1]) == first


def test_a_schema_of_1500_types_is_looked_through_in_a_moment() -> None:
    draw = random.Random(1)
    vocabulary = words(
        "order item price customer address invoice payment stock vendor ledger account branch region claim policy "
        "agent contract asset device sensor reading event alarm site building floor room team project task issue"
    )
    types = tuple(
        dict.fromkeys("".join(map(str.capitalize, draw.sample(vocabulary, 3))) for _ in range(1_600))
    )[:1_500]
    edges = tuple(EdgeType(f"TO_{name.upper()}", name, 1, (EdgeEnds(name, types[0], 1),)) for name in types)
    properties = tuple(Property("code", "code", name, (ValueType.TEXT,), 1, 1.0) for name in types)
    corrector = QueryCorrector(
        Schema("property", 9, 9, tuple(NodeType(name, name, 1, 1) for name in types), edges, properties)
    )
    corrector.correct(f"MATCH (n:{types[5].lower()}) RETURN n.code", language="cypher")
    began = time.process_time()
    correction = corrector.correct(f"MATCH (n:{types[7].lower()}s) RETURN n.code", language="cypher")
    assert time.process_time() - began < 1.0
    assert correction.text == f"MATCH (n:{types[7]}) RETURN n.code"
