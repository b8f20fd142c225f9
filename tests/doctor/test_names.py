"""How names are found on a server: by which index, by which statement one is made, and how old a copy is."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from askgraph.core.schema import EdgeType, NodeType, Property, Schema
from askgraph.core.values import ValueType
from askgraph.doctor.finding import Finding
from askgraph.doctor.server_index import names_by_index, server_index
from askgraph.engine import IndexStatus
from askgraph.stores.bolt.catalog import Catalog, ServerIndex
from askgraph.stores.bolt.engines import engine_of

NEO4J, ARCADEDB = engine_of("Neo4j/5.26.30"), engine_of("Neo4j/5.26.0 compatible (ArcadeDB 26.10.2)")


def text(owner: str, key: str) -> Property:
    return Property(key, key, owner, (ValueType.TEXT,), 5, 1.0)


SCHEMA = Schema(
    "property",
    100_000,
    0,
    (NodeType("Person", "Person", 5, 5), NodeType("Best of", "Best of", 5, 5), NodeType("Day", "Day", 5, 5)),
    (EdgeType("KNOWS", "knows", 0),),
    (text("Person", "name"), text("Best of", "title"), text("Person", "mail"), text("Day", "mail")),
)


def index(kind: Any, keys: tuple[str, ...], *, of_edges: bool = False) -> ServerIndex:
    return ServerIndex("names", kind, of_edges, ("Person",), keys)


def found(
    *indexes: ServerIndex, engine: Any = NEO4J, chosen: tuple[str, ...] = (), schema: Schema = SCHEMA
) -> list[Finding]:
    return list(names_by_index(Catalog((), (), (), indexes), engine, schema, chosen))


def test_without_an_index_the_statement_that_makes_one_is_told() -> None:
    (finding,) = found()
    assert finding.severity == "warning"
    assert finding.lines == (
        "CREATE FULLTEXT INDEX names FOR (n:Person|`Best of`) ON EACH [n.name, n.title]",
    )


def test_the_names_of_a_small_graph_are_copied_in_passing() -> None:
    (finding,) = found(schema=replace(SCHEMA, node_count=50_000))
    assert (finding.severity, len(finding.lines)) == ("note", 1)
    assert "the first question copies the names" in finding.what


def test_a_full_text_index_needs_no_advice() -> None:
    (finding,) = found(index("fulltext", ("name", "mail")))
    assert (finding.severity, finding.advice, finding.lines) == ("ok", "", ())
    assert finding.what.endswith("full-text index names on Person (name, mail)")


def test_an_exact_index_is_worth_a_note_and_the_better_one_is_told() -> None:
    (finding,) = found(index("range", ("name",)))
    assert (finding.severity, len(finding.lines)) == ("note", 1)
    assert "spelled exactly" in finding.what


@pytest.mark.parametrize(
    "other",
    [
        index("fulltext", ("mail",)),
        index("fulltext", ("name",), of_edges=True),
        index("range", ("mail", "name")),
        index("vector", ("name",)),
    ],
    ids=["of something else", "of edges", "by name only after something else", "of vectors"],
)
def test_other_indexes_do_not_find_names(other: ServerIndex) -> None:
    (finding,) = found(other)
    assert finding.severity == "warning"


def test_names_that_the_user_chose_are_those_to_index() -> None:
    (finding,) = found(chosen=("mail",))
    assert finding.lines == ("CREATE FULLTEXT INDEX names FOR (n:Person|Day) ON EACH [n.mail]",)


def test_where_no_such_index_can_be_made_names_can_be_copied() -> None:
    (finding,) = found(engine=ARCADEDB)
    assert (finding.lines, finding.advice) == ((), "Copy the names once, with askgraph index ADDRESS.")


# --- the copy


@dataclass
class Made:
    """A graph as far as its index is concerned."""

    status: IndexStatus
    finds_names: bool = True
    location: str = "neo4j://localhost"

    def index_status(self) -> IndexStatus:
        return self.status

    @property
    def store(self) -> Any:
        return SimpleNamespace(capabilities=SimpleNamespace(finds_names=self.finds_names))


def of(status: IndexStatus, *, finds_names: bool = True) -> list[Finding]:
    graph: Any = Made(status, finds_names)
    return list(server_index(graph))


def days_ago(days: int) -> str:
    return (datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=days, minutes=1)).isoformat()


@pytest.mark.parametrize(
    ("days", "severity", "age"),
    [(0, "note", "today"), (1, "note", "1 day ago"), (40, "warning", "40 days ago")],
)
def test_the_age_of_copied_names(days: int, severity: str, age: str) -> None:
    (finding,) = of(IndexStatus("current", names=1200, built=days_ago(days)))
    assert (finding.severity, finding.what.startswith(f"1,200 names copied {age}")) == (severity, True)
    assert finding.advice == "askgraph index neo4j://localhost --rebuild"


def test_names_that_stay_on_the_server_have_no_age() -> None:
    (finding,) = of(IndexStatus("current", built=days_ago(90), has_names=False))
    assert (finding.severity, "names stay on the server" in finding.what) == ("ok", True)


def test_no_index_yet_a_stale_one_and_a_damaged_one() -> None:
    assert [finding.severity for finding in of(IndexStatus("missing"))] == ["ok"]
    assert [
        finding.severity for finding in of(IndexStatus("stale", "the graph has changed", has_names=False))
    ] == [
        "note",
        "ok",
    ]
    (damaged,) = of(IndexStatus("damaged", "it is broken"))
    assert (damaged.severity, "--rebuild" in damaged.advice) == ("problem", True)
