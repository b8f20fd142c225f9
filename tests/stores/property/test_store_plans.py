"""The suite of plans on a real store: tables that the writer made, the schema that the load counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.stores import plan_conformance as conformance

from askgraph.core.budget import Budget
from askgraph.core.errors import CapExceededError, DeadlineExceededError, OpenError
from askgraph.core.graph import Edge
from askgraph.core.plan import (
    Aggregate,
    Column,
    EdgePattern,
    NodePattern,
    NodeReference,
    Pattern,
    Plan,
    Table,
)
from askgraph.core.schema import NodeType, Schema
from askgraph.stores.property.store import PropertyStore
from askgraph.stores.property.writer import PropertyGraphWriter


def load(path: Path, edges: Sequence[Edge]) -> None:
    with PropertyGraphWriter.into(path) as writer:
        writer.add_node_objects(conformance.NODES)
        writer.add_edge_objects(edges)
        writer.finish()


def with_parents(schema: Schema) -> Schema:
    """The schema with the hierarchy of the suite, which a property graph cannot say itself."""
    known = {item.id: item for item in schema.node_types}
    for id, parents in conformance.PARENTS.items():
        for missing in (id, *parents):
            known.setdefault(missing, NodeType(missing, missing, 0, 0))
        known[id] = replace(known[id], parents=parents)
    return replace(schema, node_types=tuple(known.values()))


def runner(path: Path, edges: Sequence[Edge]) -> Iterator[Callable[[Plan], Table]]:
    load(path, edges)
    with PropertyStore.open(path) as store:
        store._schema = with_parents(store.schema())
        yield lambda plan: store.run(plan, Budget())


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Plan], Table]]:
    yield from runner(tmp_path_factory.mktemp("plans") / "g.graph", conformance.EDGES)


@pytest.fixture(scope="module")
def run_parallel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Plan], Table]]:
    yield from runner(
        tmp_path_factory.mktemp("plans") / "g.graph", conformance.EDGES + conformance.PARALLEL_EDGES
    )


@pytest.fixture(scope="module")
def run_told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Plan], Table]]:
    yield from runner(
        tmp_path_factory.mktemp("plans") / "g.graph", conformance.EDGES + conformance.TOLD_EDGES
    )


class TestPlansOnAPropertyStore(
    conformance.PlanConformance, conformance.ParallelEdgeConformance, conformance.ToldEdgeConformance
):
    pass


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PropertyStore]:
    path = tmp_path_factory.mktemp("plans") / "large.graph"
    with PropertyGraphWriter.into(path) as writer:
        writer.connection.execute("CREATE TEMP VIEW n AS SELECT 'n' || range AS id FROM range(20000)")
        writer.connection.execute(
            "CREATE TEMP VIEW e AS SELECT 'n' || range % 20000 AS a, 'n' || range % 7 AS b FROM range(60000)"
        )
        writer.add_nodes("n", id_column="id", types=["N"])
        writer.add_edges("e", source_column="a", target_column="b", type="r")
        writer.finish()
    with PropertyStore.open(path) as store:
        yield store


NODES = tuple(NodePattern(name, ("N",)) for name in "abcd")


def test_a_plan_that_takes_too_long_is_stopped_and_the_store_goes_on(large: PropertyStore) -> None:
    chain = Pattern(
        NODES, tuple(EdgePattern(one, other, ("r",), "both") for one, other in zip("abc", "bcd", strict=True))
    )
    endless = Plan(chain, (Column("n", Aggregate("count")),))
    with pytest.raises(DeadlineExceededError):
        large.run(endless, Budget(seconds=0.3))
    count = Plan(Pattern(NODES[:1]), (Column("n", Aggregate("count")),))
    assert large.run(count, Budget()).rows == [(20_000,)]


def test_a_closed_store_runs_no_plan(tmp_path: Path) -> None:
    load(tmp_path / "g.graph", conformance.EDGES)
    store = PropertyStore.open(tmp_path / "g.graph")
    store.close()
    with pytest.raises(OpenError, match="closed"):
        store.run(Plan(Pattern((NodePattern("x"),)), (Column("x", NodeReference("x")),)))


def test_a_plan_that_needs_too_much_memory_is_refused(
    large: PropertyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    import duckdb

    def exhaust(*arguments: object, **options: object) -> Table:
        with duckdb.connect(config={"memory_limit": "2MB", "max_temp_directory_size": "0KB"}) as connection:
            connection.execute("CREATE TABLE t AS SELECT md5(range::VARCHAR) FROM range(1000000)")
        raise AssertionError("it fitted")

    monkeypatch.setattr("askgraph.stores.property.run_plan.run_plan", exhaust)
    with pytest.raises(CapExceededError, match="memory"):
        large.run(Plan(Pattern(NODES[:1]), (Column("n", Aggregate("count")),)))
