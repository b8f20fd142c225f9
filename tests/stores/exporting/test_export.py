"""A graph goes out in open formats, whole, and nothing is half-written."""

from __future__ import annotations

import csv
import datetime
import json
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyoxigraph
import pytest
from tests.stores.property.made_graphs import exact_edges, exact_nodes

from askgraph.core.errors import ExportError
from askgraph.core.graph import Edge, Node
from askgraph.core.values import Duration, LanguageText, Point, TypedLiteral
from askgraph.stores.exporting import FORMATS, ExportFormat, ExportReport, export_graph
from askgraph.stores.loading.load import load_files
from askgraph.stores.memory import in_memory
from askgraph.stores.property.store import PropertyStore
from askgraph.stores.property.writer import PropertyGraphWriter
from askgraph.stores.rdf.store import RdfStore

NODES = (
    Node(
        "a",
        types=("Person", "Boss;Chief"),
        properties={"name": 'Ada "x", Ltd', "age": 36, "tags": ["x", "y"]},
    ),
    Node(
        "b", properties={"name": "", "age": Decimal("1.50"), "tags": ["p;q", None], "K": {"m": [1]}, "k": 1.5}
    ),
    Node("Müller\n&", properties={"at": datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)}),
)
EDGES = (
    Edge("", "a", "b", "KNOWS", {"since": datetime.date(2020, 1, 1)}),
    Edge("e7", "a", "b", "KNOWS"),
    Edge("", "a", "a", "loves you"),
)


def exported(folder: Path, format: ExportFormat, nodes: Any = NODES, edges: Any = EDGES) -> ExportReport:
    with in_memory(nodes, edges) as store:
        return export_graph(store, folder / "out", format)


def rows_of(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


# --- the formats


def test_csv_has_typed_headers_that_other_programs_know(tmp_path: Path) -> None:
    report = exported(tmp_path, "csv")
    assert report.files == ("nodes.csv", "edges.csv")
    header, ada, bob, _ = rows_of(tmp_path / "out" / "nodes.csv")
    assert header == [
        ":ID", ":LABEL", "name:string", "age:long", "tags:string[]", "age:decimal", "K:json", "k:double", "at:datetime",
    ]  # fmt: skip
    assert ada == ["a", '["Person","Boss;Chief"]', 'Ada "x", Ltd', "36", "x;y", "", "", "", ""]
    assert bob == ["b", "", "", "", '["p;q",null]', "1.50", '{"m":[1]}', "1.5", ""]
    assert rows_of(tmp_path / "out" / "edges.csv") == [
        [":START_ID", ":END_ID", ":TYPE", ":ID", "since:date"],
        ["a", "b", "KNOWS", "", "2020-01-01"],
        ["a", "b", "KNOWS", "e7", ""],
        ["a", "a", "loves you", "", ""],
    ]
    assert report.notes[0].endswith("other programs read their cells as text (K, age).")


def test_an_empty_text_is_told_from_none_in_csv(tmp_path: Path) -> None:
    exported(tmp_path, "csv")
    lines = (tmp_path / "out" / "nodes.csv").read_text(encoding="utf-8").splitlines()
    assert lines[2].startswith('"b",,"",,')


def test_parquet_keeps_types_and_plain_names(tmp_path: Path) -> None:
    exported(tmp_path, "parquet")
    file = str(tmp_path / "out" / "nodes.parquet")
    with duckdb.connect() as connection:
        described = connection.execute(
            "DESCRIBE SELECT * FROM read_parquet($file)", {"file": file}
        ).fetchall()
    assert [(name, kind) for name, kind, *_ in described] == [
        (":ID", "VARCHAR"), (":LABEL", "VARCHAR[]"), ("name", "VARCHAR"), ("age:long", "BIGINT"), ("tags", "VARCHAR[]"),
        ("age:decimal", "VARCHAR"), ("K:json", "VARCHAR"), ("k", "DOUBLE"), ("at", "TIMESTAMP WITH TIME ZONE"),
    ]  # fmt: skip


def test_parquet_keeps_keys_apart_that_differ_in_case_alone(tmp_path: Path) -> None:
    nodes = [Node("n", properties={"k": 1, "K": 2, "id": 3, ":ID": 4, "a:b": 5, "~id": 6})]
    exported(tmp_path, "parquet", nodes, [])
    load_files([tmp_path / "out" / "nodes.parquet"], tmp_path / "again.graph")
    with PropertyStore.open(tmp_path / "again.graph") as store:
        assert exact_nodes(store.nodes()) == exact_nodes(nodes)


def test_json_lines_are_strict_json(tmp_path: Path) -> None:
    nodes = [Node("n", types=("T",), properties={"big": 2**70, "nan": float("nan"), "name": "x"})]
    exported(tmp_path, "jsonl", nodes, EDGES[:0])
    (line,) = (tmp_path / "out" / "nodes.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line, parse_constant=pytest.fail) == {
        "kind": "node",
        "id": "n",
        "name": "x",
        "types": ["T"],
        "properties": {
            "big": {"$type": "integer", "value": str(2**70)},
            "nan": {"$type": "float", "value": "nan"},
            "name": "x",
        },
    }


def triples_of(file: Path) -> set[str]:
    return {str(quad) for quad in pyoxigraph.parse(path=str(file), format=pyoxigraph.RdfFormat.N_TRIPLES)}


def test_a_property_graph_becomes_triples_under_a_stated_namespace(tmp_path: Path) -> None:
    report = exported(tmp_path, "nt")
    triples = triples_of(tmp_path / "out" / "graph.nt")
    ns, rdf = "urn:askgraph:", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    for wanted in (
        f"<{ns}node/a> <{rdf}type> <{ns}type/Boss%3BChief>",
        f"<{ns}node/a> <{ns}edge/KNOWS> <{ns}node/b>",
        f"<{ns}node/M%C3%BCller%0A%26> <{rdf}type> <http://www.w3.org/2000/01/rdf-schema#Resource>",
        f"<{ns}statement/e7> <{rdf}subject> <{ns}node/a>",
        f'<{ns}node/b> <{ns}property/K> "{{\\"m\\":[1]}}"^^<{rdf}JSON>',
    ):
        assert any(line.startswith(wanted) for line in triples), wanted
    assert report.notes == (
        "Names that are no IRIs stand under urn:askgraph:",
        "2 lists became several values: their order, repeated values and nulls are lost.",
        "1 parallel edge fell together with another: RDF has no two triples alike.",
        "Properties and ids of edges stand with statements about the edges (rdf:Statement).",
    )


VALUES_IN_RDF: tuple[Any, ...] = (
    True, 5, 2**70, 1.5, float("inf"), Decimal("1.50"), "x\n\"\\\t\x00\x7f é", b"\x00\xff",
    datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, 4, 5, 6),
    datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC), datetime.time(1, 2, 3), Duration(14, 3, 5_500_000),
    Duration(-14, -3, -1), Point(1.5, -2.0), Point(1, 2, 3, 4979), LanguageText("x", "en-GB"),
    TypedLiteral("7", "urn:t"),
)  # fmt: skip


def test_values_come_back_from_triples(tmp_path: Path) -> None:
    properties: dict[str, Any] = {f"k{i}": value for i, value in enumerate(VALUES_IN_RDF)}
    exported(tmp_path, "nt", [Node("http://a.org/x", types=("T",), properties=properties)], [])
    with RdfStore.from_files(tmp_path / "out" / "graph.nt") as store:
        (node,) = store.nodes(["http://a.org/x"])
    for i, value in enumerate(VALUES_IN_RDF):
        found = node.properties[f"urn:askgraph:property/k{i}"]
        assert (type(found), found) == (type(value), value)
    assert node.types == ("urn:askgraph:type/T",)


def test_what_has_no_datatype_is_json(tmp_path: Path) -> None:
    odd: list[Any] = [
        Decimal("NaN"), Duration(1, -1), Point(1, 2, None, 7203), {"m": None}, TypedLiteral("x", "no iri"),
        LanguageText("x", "no tag!"), datetime.time(1, tzinfo=datetime.timezone(datetime.timedelta(hours=20))),
    ]  # fmt: skip
    exported(
        tmp_path, "nt", [Node("n", types=("T",), properties={f"k{i}": v for i, v in enumerate(odd)})], []
    )
    kinds = [
        line.rsplit("#", 1)[-1] for line in triples_of(tmp_path / "out" / "graph.nt") if "property/k" in line
    ]
    assert len(kinds) == len(odd)
    assert all(kind.startswith("JSON>") for kind in kinds)


def test_no_two_names_become_one_iri(tmp_path: Path) -> None:
    ids = ["a", "a/", "a%2F", "urn:askgraph:node/a", "urn:askgraph:node/a%2F", "_:a", "_:a b"]
    ids += ["http://x.org/a", "http://x.org/a b"]
    exported(tmp_path, "nt", [Node(id, types=("T",)) for id in ids], [])
    assert len({line.split(" ")[0] for line in triples_of(tmp_path / "out" / "graph.nt")}) == len(ids)


# --- RDF graphs

RDF = """
@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Person rdfs:subClassOf ex:Agent .
ex:ada a ex:Person ; rdfs:label "Ada"@en , "Ada" ; ex:age 036 ; ex:knows ex:bob , [ ex:name "nobody" ] .
ex:bob a ex:Person ; ex:height 1.80 .
"""
QUADS = RDF.replace("ex:bob a", "ex:g { ex:bob ex:likes ex:ada }\nex:bob a")


def test_an_rdf_graph_goes_out_triple_for_triple(tmp_path: Path) -> None:
    (tmp_path / "graph.ttl").write_text(RDF, encoding="utf-8")
    with RdfStore.from_files(tmp_path / "graph.ttl") as store:
        report = export_graph(store, tmp_path / "out", "nt")
        assert report.files == ("graph.nt",)
        lines = sorted(store.ntriples())
    assert (
        sorted((tmp_path / "out" / "graph.nt").read_text(encoding="utf-8").splitlines(keepends=True)) == lines
    )
    assert '"036"^^' in "".join(lines)


def test_named_graphs_make_it_n_quads(tmp_path: Path) -> None:
    (tmp_path / "graph.trig").write_text(QUADS, encoding="utf-8")
    with RdfStore.from_files(tmp_path / "graph.trig") as store:
        assert export_graph(store, tmp_path / "out", "nt").files == ("graph.nq",)
    assert "<http://example.org/g> ." in (tmp_path / "out" / "graph.nq").read_text(encoding="utf-8")


@pytest.mark.parametrize("format", ["csv", "parquet", "jsonl"])
def test_an_rdf_graph_becomes_tables_and_is_the_same_graph(tmp_path: Path, format: ExportFormat) -> None:
    (tmp_path / "graph.ttl").write_text(RDF, encoding="utf-8")
    with RdfStore.from_files(tmp_path / "graph.ttl") as store:
        report = export_graph(store, tmp_path / "out", format)
        nodes, edges = exact_nodes(store.nodes()), exact_edges(store.edges())
    assert report.notes[-1] == "Export as nt to keep every triple."
    load_files([tmp_path / "out" / name for name in report.files], tmp_path / "again.graph")
    with PropertyStore.open(tmp_path / "again.graph") as again:
        assert exact_nodes(again.nodes()) == nodes
        assert exact_edges(again.edges()) == edges


# --- what cannot be written, and what is left behind


@pytest.mark.parametrize("format", FORMATS)
def test_a_node_without_an_id_is_refused(tmp_path: Path, format: ExportFormat) -> None:
    with pytest.raises(ExportError, match="the id of a node is the empty text"):
        exported(tmp_path, format, [Node("")], [])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("key", ["", " a", "a ", "a\nb", "a\rb"])
def test_a_key_that_is_no_header_is_refused_in_tables_and_held_by_json_lines(
    tmp_path: Path, key: str
) -> None:
    for format in ("csv", "parquet"):
        with pytest.raises(ExportError, match="cannot be the header of a table\nExport as jsonl"):
            exported(tmp_path, format, [Node("n", properties={key: 1})], [])
    assert not list(tmp_path.iterdir())
    exported(tmp_path, "jsonl", [Node("n", properties={key: 1})], [])


def test_a_nul_is_no_text_in_csv_and_one_elsewhere(tmp_path: Path) -> None:
    nodes = [Node("n", properties={"list": ["a\x00"], "map": {"k": "\x00"}})]
    exported(tmp_path, "csv", nodes, [])
    load_files([tmp_path / "out" / "nodes.csv"], tmp_path / "again.graph")
    with PropertyStore.open(tmp_path / "again.graph") as store:
        assert exact_nodes(store.nodes()) == exact_nodes(nodes)
    with pytest.raises(
        ExportError, match="NUL character, which no CSV file can hold\nExport as parquet or jsonl"
    ):
        exported(tmp_path / "other", "csv", [Node("n", properties={"text": "\x00"})], [])
    assert not list((tmp_path / "other").iterdir())
    exported(tmp_path / "other", "parquet", [Node("n", properties={"text": "\x00"})], [])


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ExportError, match="has something in it\nName a folder"):
        exported(tmp_path, "csv")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_a_file_in_the_way_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    with pytest.raises(ExportError, match="is a file"):
        exported(tmp_path, "csv")


def test_an_empty_folder_is_used_and_missing_parents_are_made(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert exported(tmp_path, "jsonl").directory == tmp_path / "out"
    assert exported(tmp_path / "a" / "b", "jsonl").directory == tmp_path / "a" / "b" / "out"


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"'xlsx' is no format of export\nChoose one of csv"):
        exported(tmp_path, "xlsx")  # type: ignore[arg-type]


@pytest.mark.parametrize("format", FORMATS)
def test_a_store_that_fails_midway_leaves_nothing(tmp_path: Path, format: ExportFormat) -> None:
    class Failing(type(in_memory([], []))):  # type: ignore[misc]
        def edges(self, ids: Any = None) -> Any:
            yield from super().edges(ids)
            raise RuntimeError("the disk is gone")

    with in_memory(NODES, EDGES) as store:
        store.__class__ = Failing
        with pytest.raises(RuntimeError, match="the disk is gone"):
            export_graph(store, tmp_path / "out", format)
    assert not list(tmp_path.iterdir())


def test_a_graph_without_edges_has_no_file_of_edges(tmp_path: Path) -> None:
    for format in ("csv", "parquet", "jsonl"):
        assert exported(tmp_path / format, format, NODES, []).files == (f"nodes.{format}",)


def test_a_graph_in_a_folder_is_written_as_one_in_memory_is(tmp_path: Path) -> None:
    with PropertyGraphWriter.into(tmp_path / "a.graph") as writer:
        writer.add_node_objects(NODES)
        writer.add_edge_objects(EDGES)
        writer.finish()
    for format in ("csv", "parquet", "jsonl"):
        with PropertyStore.open(tmp_path / "a.graph") as store:
            report = export_graph(store, tmp_path / format, format)
        assert report.notes == exported(tmp_path, format).notes
        load_files([tmp_path / format / name for name in report.files], tmp_path / f"{format}.graph")
        with PropertyStore.open(tmp_path / f"{format}.graph") as store:
            assert exact_nodes(store.nodes()) == exact_nodes(NODES)
            assert exact_edges(store.edges()) == exact_edges(EDGES)
            assert sum(edge.id == "e7" for edge in store.edges()) == 1
        if format != "parquet":
            for name in report.files:
                one, other = tmp_path / "out" / name, tmp_path / format / name
                assert sorted(one.read_bytes().splitlines()) == sorted(other.read_bytes().splitlines())
        shutil.rmtree(tmp_path / "out")


def test_the_report_says_what_was_written(tmp_path: Path) -> None:
    report = exported(tmp_path, "jsonl")
    assert str(report) == f"Wrote 3 nodes and 3 edges to {tmp_path / 'out'}: nodes.jsonl, edges.jsonl"
    assert json.loads(json.dumps(report.to_dict()))["files"] == ["nodes.jsonl", "edges.jsonl"]
