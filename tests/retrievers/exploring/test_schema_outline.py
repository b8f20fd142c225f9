"""The schema as a prompt shows it: all of a small one, the best of a large one, and that the rest is left out."""

from __future__ import annotations

from askgraph.core.schema import EdgeEnds, EdgeType, NodeType, Property, Schema
from askgraph.core.values import ValueType
from askgraph.retrievers.exploring.schema_outline import schema_outline


def test_a_small_schema_is_shown_whole(company_store):
    text = schema_outline(company_store.schema())
    for part in ("Employee", "MEMBER_OF (member of): Employee -> Department", "price of Product: float"):
        assert part in text
    assert "left out" not in text


def test_relations_of_rdf_are_shown_with_their_iris():
    iri = "http://example.org/memberOf"
    schema = Schema(
        "rdf",
        2,
        1,
        (NodeType("http://example.org/Person", "Person", 2, 2),),
        (EdgeType(iri, "member of", 1, (EdgeEnds("http://example.org/Person", "", 1),)),),
        (
            Property(
                "http://example.org/born", "born", "http://example.org/Person", (ValueType.INTEGER,), 1, 0.5
            ),
        ),
    )
    text = schema_outline(schema)
    assert f"memberOf <{iri}> (member of): Person -> anything" in text
    assert "born <http://example.org/born> of Person: integer" in text


def test_of_a_large_schema_the_first_are_shown_and_how_many_are_left_out_is_said():
    edge_types = tuple(EdgeType(f"R{number}", f"r{number}", 1000 - number) for number in range(300))
    text = schema_outline(Schema("property", 10, 300, (), edge_types, ()), most=100)
    assert "  R0" in text
    assert "R299" not in text
    assert "250 further relations and properties are left out." in text
