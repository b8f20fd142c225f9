"""Plans on real servers, compared with what they mean, spelled out in Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from tests.servers.bolt import BoltServer as RealServer
from tests.stores import plan_conformance as conformance
from tests.stores.bolt.bolt_support import add, opened
from tests.stores.reference_plan import ReferenceGraph, rows_of

from askgraph.core.plan import NodePattern, NodeReference, Plan, PropertyOf, Table
from askgraph.core.schema import NodeType, Schema
from askgraph.stores.bolt.running_plans import run_plan
from askgraph.stores.bolt.store import BoltStore


def with_ids(part: Any, ids: Mapping[str, str]) -> Any:
    """A plan that speaks of the server's ids."""
    match part:
        case NodePattern():
            return replace(part, ids=tuple(ids.get(id, id) for id in part.ids))
        case str():
            return ids.get(part, part)
        case tuple():
            return tuple(with_ids(item, ids) for item in part)
        case NodeReference() | PropertyOf():
            return part
    if not is_dataclass(part) or isinstance(part, type):
        return part
    return replace(part, **{item.name: with_ids(getattr(part, item.name), ids) for item in fields(part)})


def with_parents(schema: Schema) -> Schema:
    """The schema with the hierarchy of the suite, which a property graph cannot say itself."""
    known = {item.id: item for item in schema.node_types}
    for id, parents in conformance.PARENTS.items():
        for missing in (id, *parents):
            known.setdefault(missing, NodeType(missing, missing, 0, 0))
        known[id] = replace(known[id], parents=parents)
    return replace(schema, node_types=tuple(known.values()))


class Runner:
    """Runs plans of the suite on one server."""

    def __init__(self, store: BoltStore, graph: ReferenceGraph, ids: Mapping[str, str]) -> None:
        self.store = store
        self.graph = replace(graph, parents=conformance.PARENTS)
        self.ids = ids

    def run(self, plan: Plan) -> Table:
        """The server's rows."""
        words = self.store._learn().words
        return run_plan(
            self.store.server, with_ids(plan, self.ids), replace(words, schema=with_parents(words.schema))
        )

    def meant(self, plan: Plan) -> list[tuple[Any, ...]]:
        """The right ones."""
        return rows_of(with_ids(plan, self.ids), self.graph)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=pytest.mark.server(name)) for name in ("neo4j", "neo4j_2026", "arcadedb")
    ],
)
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    server: RealServer = request.getfixturevalue(request.param)
    server.clear()
    graph, ids = add(server, conformance.NODES, conformance.EDGES)
    with opened(server) as store:
        yield Runner(store, graph, ids)


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.server(name)) for name in ("neo4j", "arcadedb")],
)
def telling(request: pytest.FixtureRequest) -> Iterator[Runner]:
    """With edges that have properties."""
    server: RealServer = request.getfixturevalue(request.param)
    server.clear()
    graph, ids = add(server, conformance.NODES, conformance.TOLD_EDGES)
    with opened(server) as store:
        yield Runner(store, graph, ids)


def same(found: Any, meant: Any) -> bool:
    """Equal, and of one kind; a server's floats are near."""
    if isinstance(meant, float) or type(meant).__name__ == "Decimal":
        return isinstance(found, float) and found == pytest.approx(float(meant), nan_ok=True)
    return type(found) is type(meant) and bool(found == meant)


def assert_same(table: Table, meant: list[tuple[Any, ...]]) -> None:
    rows = [tuple(row) for row in table.rows]
    assert len(rows) == len(meant), rows
    for row, right in zip(rows, meant, strict=True):
        assert all(map(same, row, right)), f"{rows} instead of {meant}"


@pytest.mark.parametrize("case", conformance.CASES, ids=lambda case: case.name)
def test_a_plan_gives_the_rows_that_it_means(case: conformance.Case, runner: Runner) -> None:
    table = runner.run(case.plan)
    assert_same(table, runner.meant(case.plan))
    if case.plan.limit is not None or case.ids_decide:
        return  # the server's ids come in another order than ours
    back = {id: name for name, id in runner.ids.items()}
    rows = [
        tuple(back.get(cell, cell) if isinstance(cell, str) else cell for cell in row) for row in table.rows
    ]
    assert sorted(map(repr, map(_plain, rows))) == sorted(map(repr, map(_plain, case.rows)))


@pytest.mark.parametrize("case", conformance.TOLD_CASES, ids=lambda case: case.name)
def test_edges_tell_what_they_have(case: conformance.Case, telling: Runner) -> None:
    assert_same(telling.run(case.plan), telling.meant(case.plan))


def _plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(float(cell) if type(cell).__name__ == "Decimal" else cell for cell in row)
