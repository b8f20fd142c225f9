"""What the gate lets through runs on the embedded engines and changes nothing there: a dump proves it.

Every accepted case of the labelled ones that an engine can run, and changes of its text that keep its meaning. Rejected
cases are never run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.querying import mutations as cypher_changes
from tests.querying.cases import gate_cases, policy_of
from tests.querying.sparql import mutations as sparql_changes

from askgraph.core.budget import Budget
from askgraph.core.errors import BudgetError, QueryError, QueryFailedError
from askgraph.core.graph import Edge, Node
from askgraph.core.query_result import cell_to_json
from askgraph.querying import CheckedQuery, GatePolicy, check
from askgraph.stores.property.store import PropertyStore
from askgraph.stores.property.writer import PropertyGraphWriter
from askgraph.stores.rdf.loading import load_rdf
from askgraph.stores.rdf.store import RdfStore

SECONDS = 5.0
ALL = GatePolicy(rows=None, refuse_costly=False)


def small_graph() -> tuple[list[Node], list[Edge]]:
    """People, films, cities, documents: what the cases ask for, and little of it."""
    people = [
        Node(f"p{i}", types=("Person",), properties={"name": name, "age": 20 + i, "born": 1950 + i, "id": i})
        for i, name in enumerate(["Ann", "Bob", "Cyd", "Dan"])
    ]
    others = [
        Node("m0", types=("Movie",), properties={"title": "The Matrix", "released": 1999}),
        Node("c0", types=("City",), properties={"name": "Oslo"}),
        Node("d0", types=("Doc",), properties={"title": "A", "body": "DELETE", "id": 9}),
        Node("x0", properties={"x": 1}),
    ]
    edges = [
        Edge("", "p0", "p1", "KNOWS", {"since": 2000}),
        Edge("", "p1", "p2", "KNOWS", {"since": 2001}),
        Edge("", "p0", "m0", "ACTED_IN", {"role": "Neo"}),
        Edge("", "p1", "m0", "DIRECTED"),
        Edge("", "p0", "c0", "LIVES_IN"),
    ]
    return [*people, *others], edges


def digest(folder: Path) -> str:
    """Of every file in a folder."""
    found = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            found.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return found.hexdigest()


class Engine:
    """A store in a folder, and everything that a query could have changed in it."""

    def __init__(self, store: PropertyStore | RdfStore, dump: list[CheckedQuery], **gate: Any) -> None:
        self.store = store
        self.gate = gate
        self._dump = dump
        self.store.prepare_queries()
        self.before = self.dump()

    def dump(self) -> list[Any]:
        """What the engine says is there, and what lies on the disk."""
        rows = [
            sorted(
                repr([cell_to_json(cell) for cell in row])
                for row in self.store.query(query, None, Budget()).rows
            )
            for query in self._dump
        ]
        assert self.store.version_folder is not None
        return [rows, digest(self.store.version_folder)]

    def rows(self, text: str, policy: GatePolicy) -> list[str] | None:
        """The rows of a text; ``None`` where the gate refuses it for this engine, or the engine cannot run it."""
        try:
            checked = check(text, policy=policy, **self.gate)
        except QueryError:
            return None
        parameters = dict.fromkeys(checked.parameters, 1)
        try:
            result = self.store.query(checked, parameters, Budget(seconds=SECONDS))
        except (QueryFailedError, BudgetError):
            return None
        return sorted(repr([cell_to_json(cell) for cell in row]) for row in result.rows)


@pytest.fixture(scope="module")
def cypher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    path = tmp_path_factory.mktemp("accepted") / "small.graph"
    nodes, edges = small_graph()
    with PropertyGraphWriter.into(path) as writer:
        writer.add_node_objects(nodes)
        writer.add_edge_objects(edges)
        writer.finish()
    dump = [
        check(text, dialect="kglite", policy=ALL)
        for text in (
            "MATCH (n) RETURN n, properties(n), labels(n)",
            "MATCH (a)-[r]->(b) RETURN a, r, b, properties(r)",
        )
    ]
    with PropertyStore.open(path) as store:
        yield Engine(store, dump, dialect="kglite")


@pytest.fixture(scope="module")
def sparql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("accepted")
    file = folder / "small.ttl"
    file.write_text(
        "@prefix : <http://example.org/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .\n"
        ':ann a foaf:Person ; foaf:name "Ann" ; foaf:knows :bob ; :age 36 . :bob a foaf:Person ; foaf:name "Bob"@en .',
        encoding="utf-8",
    )
    load_rdf([file], folder / "small.graph")
    dump = [check("SELECT ?s ?p ?o WHERE { ?s ?p ?o }", language="sparql", policy=ALL)]
    with RdfStore.open(folder / "small.graph") as store:
        yield Engine(store, dump, language="sparql")


ENGINES = {"cypher": 35, "sparql": 20}
"""The languages, and how many of their accepted cases run at least on the embedded engine."""


def accepted(language: str) -> list[dict[str, Any]]:
    return [case for case in gate_cases(language) if case["verdict"] == "allow"]


@pytest.mark.parametrize("language", ENGINES)
def test_accepted_queries_run_and_change_nothing(language: str, request: pytest.FixtureRequest) -> None:
    engine: Engine = request.getfixturevalue(language)
    ran = sum(engine.rows(case["query"], policy_of(case)) is not None for case in accepted(language))
    assert engine.dump() == engine.before
    assert ran >= ENGINES[language]


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_other_spaces_and_comments_give_the_same_rows_of_cypher(data: st.DataObject, cypher: Engine) -> None:
    case = data.draw(st.sampled_from(accepted("cypher")))
    expected = cypher.rows(case["query"], policy_of(case))
    changed = data.draw(cypher_changes.respaced(case["query"]))
    if expected is not None and not _is_a_lottery(changed):
        assert cypher.rows(changed, policy_of(case)) == expected, changed
    other = data.draw(cypher_changes.recased(data.draw(cypher_changes.escaped(changed))))
    cypher.rows(other, policy_of(case))
    assert cypher.dump() == cypher.before, changed


@given(case=st.integers(0, 10_000), seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_other_spaces_letters_and_escapes_give_the_same_rows_of_sparql(
    case: int, seed: int, sparql: Engine
) -> None:
    cases = accepted("sparql")
    chosen = cases[case % len(cases)]
    expected = sparql.rows(chosen["query"], policy_of(chosen))
    changed = chosen["query"]
    chance = Random(seed)
    changes: tuple[Callable[[str, Random], str], ...] = (
        sparql_changes.respaced,
        sparql_changes.recased,
        sparql_changes.escaped,
    )
    for change in changes:
        changed = change(changed, chance)
    if expected is not None and not _is_a_lottery(changed):
        assert sparql.rows(changed, policy_of(chosen)) == expected, changed
    assert sparql.dump() == sparql.before, changed


def _is_a_lottery(text: str) -> bool:
    """Whether each run gives something else."""
    return any(word in text.lower() for word in ("rand", "uuid", "now(", "bnode", "timestamp"))
