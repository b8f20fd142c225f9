"""Relations of a loader become a graph, or an error that says where; nothing in between."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from askgraph.core.errors import (
    BadValueError,
    DanglingEdgeError,
    DuplicateIdError,
    GraphLockedError,
    GraphNotFoundError,
    LoadError,
    Location,
)
from askgraph.core.graph import Edge, Node
from askgraph.core.progress import SILENT
from askgraph.stores.property.store import PropertyStore
from askgraph.stores.property.writer import LoadSummary, PropertyGraphWriter, PropertySource, SourceOfRows

NAME = PropertySource("name", "name", "text")
AGE = PropertySource("age", "age", "integer")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "company.graph"


@contextmanager
def opened(path: Path) -> Iterator[PropertyStore]:
    with PropertyStore.open(path) as store:
        yield store


def table(writer: PropertyGraphWriter, name: str, columns: str, rows: str) -> str:
    """A temporary table: ``table(writer, "people", "id, name", "('1', 'Ann'), ('2', NULL)")``."""
    writer.connection.execute(
        f"CREATE TEMP TABLE {name} AS SELECT * FROM (VALUES {rows}) AS given({columns})"
    )
    return name


def load_people(writer: PropertyGraphWriter, rows: str, **options: object) -> None:
    table(writer, "people", "id, name, age", rows)
    writer.add_nodes("people", id_column="id", types=["Person"], properties=[NAME, AGE], **options)  # type: ignore[arg-type]


def load(path: Path, nodes: Sequence[Node] = (), edges: Sequence[Edge] = ()) -> LoadSummary:
    with PropertyGraphWriter.into(path) as writer:
        writer.add_node_objects(nodes)
        writer.add_edge_objects(edges)
        return writer.finish()


# --- relations


def test_rows_of_several_relations_become_nodes_and_edges(path: Path) -> None:
    with PropertyGraphWriter.into(path) as writer:
        load_people(writer, "('p1', 'Ann', 30), ('p2', NULL, 40)")
        table(writer, "firms", "id, name, kinds", "('f1', 'Acme', 'Company; Employer'), ('f2', 'Nix', '')")
        writer.add_nodes(
            "firms",
            id_column="id",
            types=["Organisation"],
            types_column="kinds",
            types_separator=";",
            properties=[NAME],
        )
        table(
            writer,
            "works",
            "person, firm, since",
            "('p1', 'f1', 2001), ('p1', 'f1', 2010), ('p2', 'f1', NULL)",
        )
        since = PropertySource("since", "since", "integer")
        writer.add_edges(
            "works", source_column="person", target_column="firm", type="works at", properties=[since]
        )
        table(writer, "other", "a, b, kind", "('f1', 'f1', 'owns'), ('p2', 'p1', 'knows')")
        writer.add_edges("other", source_column="a", target_column="b", type_column="kind")
        assert writer.finish() == LoadSummary(4, 0, 5, 0, 0, 4, 5)
    with opened(path) as store:
        nodes = {node.id: node for node in store.nodes()}
        assert list(nodes) == ["p1", "p2", "f1", "f2"]
        assert nodes["p1"].properties == {"name": "Ann", "age": 30}
        assert nodes["p2"].properties == {"age": 40}
        assert nodes["f1"].types == ("Organisation", "Company", "Employer")
        assert nodes["f2"].types == ("Organisation",)
        assert [(edge.id, dict(edge.properties)) for edge in store.edges()] == [
            ("p1|works at|f1", {"since": 2001}),
            ("p1|works at|f1|1", {"since": 2010}),
            ("p2|knows|p1", {}),
            ("p2|works at|f1", {}),
            ("f1|owns|f1", {}),
        ]


def test_labels_may_come_as_a_list_or_one_to_a_cell(path: Path) -> None:
    with PropertyGraphWriter.into(path) as writer:
        writer.connection.execute(
            "CREATE TEMP VIEW a AS SELECT 'a' AS id, ['X', NULL, 'Y', 'X', ''] AS kinds"
        )
        writer.connection.execute("CREATE TEMP VIEW b AS SELECT 'b' AS id, 'one; two' AS kinds")
        writer.connection.execute("CREATE TEMP VIEW c AS SELECT 'c' AS id, NULL::VARCHAR AS kinds")
        for relation in "abc":
            writer.add_nodes(relation, id_column="id", types_column="kinds")
        writer.finish()
    with opened(path) as store:
        assert [node.types for node in store.nodes()] == [("X", "Y"), ("one; two",), ()]


def test_one_key_with_values_of_two_types_keeps_both(path: Path) -> None:
    with PropertyGraphWriter.into(path) as writer:
        writer.connection.execute(
            "CREATE TEMP VIEW n AS SELECT * FROM (VALUES ('a', 1, NULL), ('b', NULL, 'x')) t(id, i, s)"
        )
        code = [PropertySource("code", "i", "integer"), PropertySource("code", "s", "text")]
        writer.add_nodes("n", id_column="id", properties=code)
        writer.finish()
    with opened(path) as store:
        assert [dict(node.properties) for node in store.nodes()] == [{"code": 1}, {"code": "x"}]


def test_columns_of_a_relation_may_have_any_name(path: Path) -> None:
    with PropertyGraphWriter.into(path) as writer:
        writer.connection.execute(
            'CREATE TEMP VIEW n AS SELECT \'a\' AS "row", \'x"y\' AS "it\'s ""from", 1 AS "ordinal", \'T\' AS "type"'
        )
        properties = [
            PropertySource("p0", "it's \"from", "text"),
            PropertySource("it's", "ordinal", "integer"),
        ]
        writer.add_nodes("n", id_column="row", types_column="type", properties=properties)
        writer.connection.execute(
            "CREATE TEMP VIEW e AS SELECT 'a' AS id, 'a' AS row, 5 AS source, 'r' AS p0"
        )
        weight = [PropertySource("id", "source", "integer")]
        writer.add_edges("e", source_column="id", target_column="row", type_column="p0", properties=weight)
        writer.finish()
    with opened(path) as store:
        assert [dict(node.properties) for node in store.nodes()] == [{"p0": 'x"y', "it's": 1}]
        assert list(store.edges()) == [Edge("a|r|a", "a", "a", "r", {"id": 5})]


def test_properties_without_any_value_are_no_properties(path: Path) -> None:
    with PropertyGraphWriter.into(path) as writer:
        load_people(writer, "('p1', 'Ann', NULL)")
        writer.finish()
    with opened(path) as store:
        assert store._catalog.node_columns.keys() == {"name"}


def test_an_empty_load_makes_an_empty_graph(path: Path) -> None:
    assert load(path) == LoadSummary(0, 0, 0, 0, 0, 0, 0)
    with opened(path) as store:
        assert list(store.nodes()) == []
        assert list(store.edges()) == []
        assert len(store.neighbors(["a"])) == 0


# --- the loader's connection


def test_only_the_named_files_can_be_read(path: Path, tmp_path: Path) -> None:
    import duckdb

    named, other = tmp_path / "named's.csv", tmp_path / "other.csv"
    for file in (named, other):
        file.write_text("id,name\n1,Ann\n", encoding="utf-8")
    with PropertyGraphWriter.into(path, reads=[named]) as writer:
        read = "SELECT * FROM read_csv(?)"
        assert writer.connection.execute(read, [str(named)]).fetchall() == [(1, "Ann")]
        for forbidden in (
            lambda: writer.connection.execute(read, [str(other)]),
            lambda: writer.connection.execute(f"COPY (SELECT 1) TO '{tmp_path}/out.csv'"),
            lambda: writer.connection.execute(f"ATTACH '{tmp_path}/x.duckdb'"),
            lambda: writer.connection.execute("SET enable_external_access = true"),
            lambda: writer.connection.execute("INSTALL httpfs"),
        ):
            with pytest.raises(duckdb.Error):
                forbidden()
        writer.finish()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["company.graph", "named's.csv", "other.csv"]


def test_what_a_relation_raises_reaches_the_loader_and_nothing_is_loaded(path: Path) -> None:
    import duckdb

    def load_nonsense() -> None:
        with PropertyGraphWriter.into(path) as writer:
            writer.connection.execute("CREATE TEMP VIEW n AS SELECT 'a' AS id, 'x'::INTEGER AS age")
            writer.add_nodes("n", id_column="id", properties=[AGE])
            writer.finish()

    with pytest.raises(duckdb.ConversionException):
        load_nonsense()
    assert not path.exists()


@pytest.mark.parametrize("kind", ["TABLE", "VIEW"])
def test_a_relation_cannot_hide_a_table_of_the_graph(path: Path, kind: str) -> None:
    def hide() -> None:
        with PropertyGraphWriter.into(path) as writer:
            writer.connection.execute(f"CREATE TEMP {kind} Nodes AS SELECT 'a' AS id")
            writer.add_nodes("Nodes", id_column="id")
            writer.finish()

    with pytest.raises(ValueError, match="nodes"):
        hide()
    assert not path.exists()


# --- problems


def problems_of(
    path: Path, rows: str, edges: str = "", **options: object
) -> tuple[list[LoadError], LoadSummary]:
    """Loads with a policy that lets every problem go."""
    problems: list[LoadError] = []
    with PropertyGraphWriter.into(path, on_problem=problems.append) as writer:
        load_people(writer, rows, **options)
        if edges:
            table(writer, "knows", "a, b, kind, line", edges)
            writer.add_edges(
                "knows", source_column="a", target_column="b", type_column="kind",
                source=SourceOfRows("knows.csv", line_column="line"),
            )  # fmt: skip
        return problems, writer.finish()


def test_a_dangling_edge_is_told_with_file_and_line_and_can_be_left_out(path: Path) -> None:
    problems, summary = problems_of(
        path,
        "('p1', 'Ann', 1)",
        "('p1', 'p1', 'knows', 2), ('p1', 'p9', 'knows', 3), ('p8', 'p7', 'knows', 4)",
    )
    assert [type(problem) for problem in problems] == [DanglingEdgeError, DanglingEdgeError]
    assert [problem.location and (problem.location.file, problem.location.line) for problem in problems] == [
        ("knows.csv", 3), ("knows.csv", 4),
    ]  # fmt: skip
    assert "'p9'" in problems[0].message
    assert "'p8' and 'p7'" in problems[1].message
    assert summary == LoadSummary(1, 0, 1, 0, 2, 1, 1)


def test_the_first_problem_ends_a_careful_load_and_nothing_stays(path: Path) -> None:
    def load_dangling() -> None:
        with PropertyGraphWriter.into(path) as writer:
            load_people(writer, "('p1', 'Ann', 1)")
            table(writer, "knows", "a, b", "('p1', 'nobody')")
            writer.add_edges("knows", source_column="a", target_column="b", type="knows")
            writer.finish()

    with pytest.raises(DanglingEdgeError, match="'nobody'"):
        load_dangling()
    assert not path.exists()


def test_edges_without_ends_or_type_are_bad_values(path: Path) -> None:
    problems, summary = problems_of(
        path, "('p1', 'Ann', 1)", "(NULL, 'p1', 'k', 2), ('p1', NULL, 'k', 3), ('p1', 'p1', NULL, 4)"
    )
    assert [type(problem) for problem in problems] == [BadValueError] * 3
    assert [problem.message for problem in problems][:2] == [
        "an edge without a source",
        "an edge without a target",
    ]
    assert "without a type" in problems[2].message
    assert summary.edges == 0


def test_one_id_with_two_contents_is_told_with_both_places(path: Path) -> None:
    def locate(ordinals: Sequence[int]) -> list[Location]:
        return [Location("people.csv", ordinal + 2) for ordinal in ordinals]

    problems, summary = problems_of(
        path,
        "('p1', 'Ann', 1), ('p2', 'Bob', 2), ('p1', 'Anna', 1), ('p2', 'Bob', 2), ('p1', 'Ann', 1)",
        source=SourceOfRows("people.csv", locate=locate),
    )
    assert [type(problem) for problem in problems] == [DuplicateIdError]
    assert problems[0].location == Location("people.csv", 4)
    assert "people.csv, line 2" in problems[0].message
    assert summary == LoadSummary(2, 0, 0, 0, 1, 2, 0)
    with opened(path) as store:
        assert [node.name for node in store.nodes()] == ["Ann", "Bob"]


def test_a_node_without_an_id_is_told(path: Path) -> None:
    problems, summary = problems_of(
        path, "('p1', 'Ann', 1), (NULL, 'Bob', 2)", source=SourceOfRows("people.csv")
    )
    assert [(type(problem), problem.location) for problem in problems] == [
        (BadValueError, Location("people.csv"))
    ]
    assert summary.nodes == 1


def test_a_fault_in_the_second_relation_is_told_at_its_own_place(path: Path) -> None:
    problems: list[LoadError] = []
    with PropertyGraphWriter.into(path, on_problem=problems.append) as writer:
        for number in (1, 2):
            writer.connection.execute(
                f"CREATE TEMP VIEW n{number} AS SELECT 'same' AS id, {number} AS age, 7 AS line"
            )
            source = SourceOfRows(f"file {number}", line_column="line")
            writer.add_nodes(f"n{number}", id_column="id", properties=[AGE], source=source)
        writer.finish()
    assert [problem.location for problem in problems] == [Location("file 2", 7)]


def test_an_edge_id_given_twice_is_told(path: Path) -> None:
    problems: list[LoadError] = []
    with PropertyGraphWriter.into(path, on_problem=problems.append) as writer:
        writer.add_node_objects([Node("a"), Node("b")])
        table(
            writer,
            "e",
            "id, a, b",
            "('e1', 'a', 'b'), ('e1', 'a', 'b'), ('e1', 'b', 'a'), (NULL, 'a', 'b'), ('', 'a', 'b')",
        )
        writer.add_edges("e", source_column="a", target_column="b", type="r", id_column="id")
        summary = writer.finish()
    assert [type(problem) for problem in problems] == [DuplicateIdError]
    assert "'e1'" in problems[0].message
    assert summary.edges == 3
    with opened(path) as store:
        assert [edge.id for edge in store.edges()] == ["e1", "a|r|b|1", "a|r|b|2"]


def test_a_python_value_that_cannot_be_stored_is_told_with_its_place(path: Path) -> None:
    problems: list[LoadError] = []
    nodes = [
        Node("a", properties={"k": 1}),
        Node("b", properties={"k": object()}),  # type: ignore[dict-item]
        Node("c", properties={"k": "half \ud800"}),
        Node("d", properties={"k": {"deep": [object()]}}),
        Node("a", properties={"k": 2}),
    ]
    source = SourceOfRows(
        "nodes.jsonl", locate=lambda rows: [Location("nodes.jsonl", row + 1) for row in rows]
    )
    with PropertyGraphWriter.into(path, on_problem=problems.append) as writer:
        writer.add_node_objects(nodes, source=source)
        summary = writer.finish()
    assert [(type(problem), problem.location and problem.location.line) for problem in problems] == [
        (BadValueError, 2), (BadValueError, 3), (BadValueError, 4), (DuplicateIdError, 5),
    ]  # fmt: skip
    assert "line 1" in problems[3].message
    assert (summary.nodes, summary.rows_skipped) == (1, 4)


# --- nodes that edges imply


def test_implied_nodes_fill_in_and_never_clash(path: Path) -> None:
    with PropertyGraphWriter.into(path) as writer:
        table(
            writer,
            "ends",
            "id, name, age, kind",
            "('x', NULL, NULL, 'A'), ('x', 'first', 1, 'B'), ('y', 'why', 2, 'B'), ('x', 'second', 2, 'A')",
        )
        writer.add_nodes("ends", id_column="id", types_column="kind", properties=[NAME, AGE], implied=True)
        table(writer, "people", "id, name", "('y', 'Why'), ('z', 'Zed')")
        writer.add_nodes("people", id_column="id", types=["Person"], properties=[NAME])
        summary = writer.finish()
    assert summary.nodes == 3
    with opened(path) as store:
        assert [(node.id, node.types, dict(node.properties)) for node in store.nodes()] == [
            ("x", ("A", "B"), {"name": "first", "age": 1}),
            ("y", ("Person", "B"), {"name": "Why", "age": 2}),
            ("z", ("Person",), {"name": "Zed"}),
        ]


# --- later loads


def test_a_later_load_updates_nodes_and_keeps_what_it_does_not_say(path: Path) -> None:
    load(path, [Node("a", types=("X", "Y"), properties={"name": "old", "k": 1, "code": 5}), Node("b")])
    summary = load(path, [Node("c"), Node("a", types=("Z", "X"), properties={"name": "new", "code": "five"})])
    assert (summary.nodes_added, summary.nodes_updated, summary.nodes) == (1, 1, 3)
    with opened(path) as store:
        assert [(node.id, node.types, dict(node.properties)) for node in store.nodes()] == [
            ("a", ("X", "Y", "Z"), {"name": "new", "k": 1, "code": "five"}),
            ("b", (), {}),
            ("c", (), {}),
        ]


def test_the_same_file_twice_changes_nothing(path: Path) -> None:
    nodes = [Node("a", types=("X",), properties={"k": [1]})]
    edges = [
        Edge("", "a", "a", "r", {"w": 0.5}),
        Edge("", "a", "a", "r", {"w": 0.5}),
        Edge("mine", "a", "a", "s"),
    ]
    load(path, nodes, edges)
    with opened(path) as store:
        before = store.capabilities.version
    summary = load(path, nodes, edges)
    assert (summary.nodes_updated, summary.edges_added, summary.edges_present, summary.edges) == (1, 0, 3, 3)
    with opened(path) as store:
        assert store.capabilities.version == before
    assert load(path, [], [*edges, edges[0]]).edges_added == 1


def test_an_edge_with_a_known_id_is_replaced(path: Path) -> None:
    load(path, [Node("a"), Node("b")], [Edge("e1", "a", "b", "r", {"w": 1}), Edge("e2", "a", "b", "r")])
    summary = load(path, [], [Edge("e1", "b", "a", "s", {"w": 2})])
    assert (summary.edges_added, summary.edges_present) == (0, 1)
    with opened(path) as store:
        assert list(store.edges()) == [Edge("e2", "a", "b", "r"), Edge("e1", "b", "a", "s", {"w": 2})]


def test_edges_of_a_later_load_may_end_at_nodes_of_an_earlier_one(path: Path) -> None:
    load(path, [Node("a"), Node("b")])
    load(path, [Node("c")], [Edge("", "a", "c", "r")])
    load(path, [], [Edge("", "b", "a", "q")])
    with opened(path) as store:
        assert [edge.id for edge in store.edges()] == ["a|r|c", "b|q|a"]


def test_a_failed_later_load_leaves_the_graph_as_it_was(path: Path) -> None:
    load(path, [Node("a")])
    with pytest.raises(DanglingEdgeError):
        load(path, [Node("b")], [Edge("", "a", "nobody", "r")])
    with opened(path) as store:
        assert [node.id for node in store.nodes()] == ["a"]
    assert [entry.name for entry in (path / "versions").iterdir()] == ["1"]


def test_chosen_name_properties_hold_for_later_loads_too(path: Path) -> None:
    with PropertyGraphWriter.into(path, name_properties=["code"], alias_properties=["nick"]) as writer:
        writer.add_node_objects([Node("a", properties={"name": "Ann", "code": "A-1", "nick": ["Annie"]})])
        writer.finish()
    load(path, [Node("b", properties={"name": "Bob", "code": "B-2"})])
    with opened(path) as store:
        assert [[name.text for name in node.names] for node in store.nodes()] == [["A-1", "Annie"], ["B-2"]]


def test_without_finish_nothing_is_loaded(path: Path) -> None:
    with PropertyGraphWriter.into(path) as writer:
        writer.add_node_objects([Node("a")])
    assert not path.exists()


def test_a_graph_that_must_exist_and_does_not_is_not_made(path: Path) -> None:
    with pytest.raises(GraphNotFoundError), PropertyGraphWriter.into(path, create=False):
        pass


def test_progress_is_told_and_ends(path: Path) -> None:
    told: list[str] = []

    class Told(type(SILENT)):  # type: ignore[misc]
        def start(self, label: str, total: int | None = None) -> None:
            told.append(label)

        def finish(self) -> None:
            told.append("done")

    with PropertyGraphWriter.into(path, progress=Told()) as writer:
        writer.finish()
    assert told[0] == "building the graph"
    assert told[-1] == "done"


# --- killed


_LOAD_AND_HANG = """
import sys, time
from pathlib import Path
from askgraph.core.graph import Edge, Node
from askgraph.stores.property.writer import PropertyGraphWriter

class Hang:
    def start(self, label, total=None):
        self.steps = 0
    def advance(self, amount=1):
        self.steps += 1
        if self.steps == int(sys.argv[2]):
            print("hanging", flush=True)
            time.sleep(600)
    def finish(self):
        pass

with PropertyGraphWriter.into(Path(sys.argv[1]), progress=Hang()) as writer:
    writer.add_node_objects(Node(f"n{i}", types=("New",)) for i in range(1000))
    writer.add_edge_objects(Edge("", f"n{i}", "n0", "r") for i in range(1000))
    writer.finish()
"""


@pytest.mark.parametrize("step", [1, 4])
def test_a_load_that_is_killed_leaves_the_graph_as_it_was(path: Path, step: int) -> None:
    load(path, [Node("a"), Node("b")], [Edge("", "a", "b", "r")])
    with opened(path) as reader:
        with subprocess.Popen(
            [sys.executable, "-c", _LOAD_AND_HANG, str(path), str(step)],
            stdout=subprocess.PIPE,
            encoding="utf-8",
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "hanging\n"
            with pytest.raises(GraphLockedError), PropertyGraphWriter.into(path):
                pass
            process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
            process.wait()
        assert [node.id for node in reader.nodes()] == ["a", "b"]
    with opened(path) as store:
        assert [node.id for node in store.nodes()] == ["a", "b"]
    load(path, [Node("c")])
    with opened(path) as store:
        assert [node.id for node in store.nodes()] == ["a", "b", "c"]
    assert len(list((path / "versions").iterdir())) == 1
