"""A small graph of movies, with names where models do not expect them."""

from __future__ import annotations

from typing import Any

import networkx


def movies() -> Any:
    """People act in and direct movies; companies make them; names are not where models expect them."""
    graph = networkx.MultiDiGraph()
    for id, name, born in (
        ("p1", "Tom Hanks", 1956),
        ("p2", "Meg Ryan", 1961),
        ("p3", "Nora Ephron", 1941),
        ("p4", "Zoë Kravitz", 1988),
    ):
        graph.add_node(id, label="Person", name=name, born=born)
    for id, title, released, tagline in (
        ("m1", "Sleepless in Seattle", 1993, "What if someone you never met"),
        ("m2", "You've Got Mail", 1998, "At odds in life"),
        ("m3", "The Polar Express", 2004, "This holiday season believe"),
    ):
        graph.add_node(id, label="Movie", title=title, released=released, tagline=tagline)
    graph.add_node("c1", label="Company", name="Johnson & Johnson", code="JNJ")
    graph.add_edge("p1", "m1", type="ACTED_IN", role="Sam Baldwin")
    graph.add_edge("p1", "m2", type="ACTED_IN", role="Joe Fox")
    graph.add_edge("p2", "m1", type="ACTED_IN", role="Annie Reed")
    graph.add_edge("p3", "m1", type="DIRECTED")
    graph.add_edge("p3", "m2", type="DIRECTED")
    graph.add_edge("c1", "m3", type="PRODUCED")
    return graph
