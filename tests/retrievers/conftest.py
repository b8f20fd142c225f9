"""A small company whose every path can be followed by eye, and a hub."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.engine.conftest import company

from askgraph.stores.memory import from_networkx
from askgraph.stores.property.store import PropertyStore


@pytest.fixture(scope="session")
def company_store() -> Iterator[PropertyStore]:
    with from_networkx(company()) as store:
        yield store


def hub(neighbours: int) -> Any:
    """A person whom many follow, and who lives in one city."""
    import networkx

    graph = networkx.MultiDiGraph()
    graph.add_node("hub", label="Person", name="Grace Hopper")
    graph.add_node("city", label="City", name="New York")
    graph.add_edge("hub", "city", type="LIVES_IN")
    for number in range(neighbours):
        graph.add_node(f"f{number}", label="Person", name=f"Follower {number}")
        graph.add_edge(f"f{number}", "hub", type="FOLLOWS")
    return graph
