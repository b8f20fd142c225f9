"""Small graphs whose every answer can be checked by eye."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askgraph import Graph, Settings, open_graph


def company() -> Any:
    """Three people, two departments, three products."""
    import networkx

    graph = networkx.MultiDiGraph()
    for id, name, phone in (
        ("p1", "Ada Lovelace", "+44 1"),
        ("p2", "Charles Babbage", "+44 2"),
        ("p3", "Grace Hopper", "+1 3"),
    ):
        graph.add_node(id, label="Employee", name=name, phone=phone)
    graph.add_node("d1", label="Department", name="Engines")
    graph.add_node("d2", label="Department", name="Compilers")
    for id, name, price in (
        ("a", "Difference Engine", 120.5),
        ("b", "Punch Card", 2.0),
        ("c", "Compiler", 80.0),
    ):
        graph.add_node(id, label="Product", name=name, price=price)
    graph.add_edge("p1", "p2", type="HAS_MANAGER")
    graph.add_edge("p1", "d1", type="MEMBER_OF")
    graph.add_edge("p2", "d1", type="MEMBER_OF")
    graph.add_edge("p3", "d2", type="MEMBER_OF")
    graph.add_edge("d1", "a", type="RESPONSIBLE_FOR", source="ledger 7", license="CC0")
    graph.add_edge("d1", "b", type="RESPONSIBLE_FOR")
    graph.add_edge("d2", "c", type="RESPONSIBLE_FOR")
    return graph


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings that keep nothing."""
    folder = tmp_path_factory.mktemp("askgraph")
    return Settings.load(save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data")


@pytest.fixture(scope="session")
def company_graph(settings: Settings) -> Iterator[Graph]:
    """The company, open."""
    with open_graph(company(), settings=settings) as graph:
        yield graph


@pytest.fixture(scope="session")
def ck25(settings: Settings, ck25_turtle: Path) -> Iterator[Graph]:
    """CK25, open."""
    with open_graph(ck25_turtle, settings=settings) as graph:
        yield graph
