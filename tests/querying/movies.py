"""A small schema, as a property graph of movies would have it."""

from __future__ import annotations

from askgraph.core.schema import EdgeEnds, EdgeType, NodeType, Property, Schema
from askgraph.core.values import ValueType


def movie_schema() -> Schema:
    """People act in and direct movies, live in cities, know each other; actors are people."""

    def node(name: str, count: int, *parents: str) -> NodeType:
        return NodeType(name, name, count, count, parents)

    def edge(name: str, source: str, target: str) -> EdgeType:
        return EdgeType(name, name, 50, (EdgeEnds(source, target, 50),))

    def key(owner: str, name: str, kind: ValueType, *samples, of_edges: bool = False) -> Property:
        return Property(name, name, owner, (kind,), 10, 1.0, samples, of_edges=of_edges)

    return Schema(
        kind="property",
        node_count=300,
        edge_count=200,
        node_types=(node("Person", 200), node("Actor", 80, "Person"), node("Movie", 90), node("City", 10)),
        edge_types=(
            edge("ACTED_IN", "Person", "Movie"),
            edge("DIRECTED", "Person", "Movie"),
            edge("LIVES_IN", "Person", "City"),
            edge("KNOWS", "Person", "Person"),
        ),
        properties=(
            key("Person", "name", ValueType.TEXT, "Ann", "Bob"),
            key("Person", "born", ValueType.INTEGER, 1960),
            key("Person", "retired", ValueType.BOOLEAN),
            key("Actor", "agent", ValueType.TEXT),
            key("Movie", "title", ValueType.TEXT),
            key("Movie", "released", ValueType.DATE),
            key("Movie", "rating", ValueType.FLOAT),
            key("City", "name", ValueType.TEXT),
            key("ACTED_IN", "role", ValueType.TEXT, of_edges=True),
        ),
    )
