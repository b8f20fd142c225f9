"""Every malformed file ends in the right error, at the right place, and leaves nothing half loaded."""

from __future__ import annotations

import gzip
import io
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.stores.loading.support import Files, load, nodes, write_files

from askgraph.core.errors import (
    BadValueError,
    DanglingEdgeError,
    DuplicateIdError,
    EncodingError,
    LoadError,
    MalformedFileError,
    MissingColumnError,
    MissingFileError,
)
from askgraph.stores.loading import load_files

NODES = "id,type,name\na,T,Ann\nb,T,Bob\n"
TWO_NODES = {"n.csv": NODES}


@dataclass(frozen=True)
class Case:
    """A malformed file: what must be said of it. The file at fault is the last one unless ``file`` names it."""

    files: Files
    error: type[LoadError]
    line: int | None
    column: int | str | None
    says: str
    file: str | None = None
    options: dict[str, Any] = field(default_factory=dict)


def csv(
    text: str | bytes, error: type[LoadError], line: int | None, column: int | str | None, says: str
) -> Case:
    return Case({"f.csv": text}, error, line, column, says)


def edge_csv(
    text: str, error: type[LoadError], line: int | None, column: int | str | None, says: str, **more: Any
) -> Case:
    return Case({**TWO_NODES, "e.csv": text}, error, line, column, says, **more)


def jsonl(
    text: str | bytes, error: type[LoadError], line: int | None, column: int | str | None, says: str
) -> Case:
    return Case({"f.jsonl": text}, error, line, column, says)


def typed(declared: str, value: str, says: str) -> Case:
    return csv(f":ID,x:{declared}\na,\nb,{value}\n", BadValueError, 3, f"x:{declared}", says)


def parquet(sql: str) -> bytes:
    """A Parquet file of a query's rows."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        path = Path(folder) / "made.parquet"
        connection.execute(f"COPY ({sql}) TO '{path}' (FORMAT parquet)")
        return path.read_bytes()


def zipped(text: str) -> bytes:
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as stream:
        stream.write(text.encode())
    return buffer.getvalue()


GZIP = zipped("id,name\n" + "".join(f"{i},name {i}\n" for i in range(5000)))

CASES = {
    # --- files as a whole
    "empty file": csv("", MalformedFileError, None, None, "empty"),
    "only blank lines": csv("\n\n\n", MalformedFileError, 1, None, "blank"),
    "unknown suffix": Case({"f.xlsx": "id\na\n"}, MalformedFileError, None, None, "'.xlsx'"),
    "no suffix": Case({"nodes": "id\na\n"}, MalformedFileError, None, None, "no suffix"),
    "unknown compression": Case(
        {"f.csv.zst": b"\x28\xb5\x2f\xfd"}, MalformedFileError, None, None, "Decompress"
    ),
    "zip archive": csv(b"PK\x03\x04rest", MalformedFileError, None, None, "ZIP"),
    "gzip without its suffix": csv(GZIP, MalformedFileError, None, None, "f.csv.gz"),
    "suffix of gzip without gzip": Case({"f.csv.gz": "id\na\n"}, MalformedFileError, None, None, "not gzip"),
    "gzip cut short": Case({"f.csv.gz": GZIP[:-9]}, MalformedFileError, None, None, "cut short"),
    "gzip cut in the middle": Case(
        {"f.csv.gz": GZIP[: len(GZIP) // 2]}, MalformedFileError, None, None, "cut short"
    ),
    "gzip with a wrong check sum": Case(
        {"f.csv.gz": GZIP[:-8] + b"\0\0\0\0" + GZIP[-4:]}, MalformedFileError, None, None, "damaged"
    ),
    "gzip of nothing": Case({"f.csv.gz": zipped("")}, MalformedFileError, None, None, "empty"),
    "parquet in a csv": csv(b"PAR1 and more", MalformedFileError, None, None, "f.parquet"),
    # --- encodings
    "latin 1 value": csv(b"id,name\na,x\nb,caf\xe9\n", EncodingError, 3, "name", "0xE9 at offset 17"),
    "latin 1 header": csv(b"id,\xe9tat\na,x\n", EncodingError, 1, 2, "0xE9 at offset 3"),
    "latin 1 within quotes over lines": csv(
        b'id,name,x\na,"1\n2",y\nb,"1\n\xe9",y\n', EncodingError, 4, "name", "0xE9"
    ),
    "surrogate in utf-8": csv(b"id,name\na,\xed\xa0\x80\n", EncodingError, 2, "name", "0xED"),
    "utf-16 without mark": csv("id,name\na,b\n".encode("utf-16-le"), EncodingError, 1, None, "UTF-16"),
    "utf-16 cut in a character": csv(
        "id,name\na,\U0001f600".encode("utf-16")[:-2], EncodingError, 2, None, "utf-16"
    ),
    "nul byte": csv(b"id,name\na,x\nb,y\0z\n", MalformedFileError, 3, "name", "NUL"),
    # --- rows
    "too few values": csv("id,name,x\na,b,c\nd,e\n", MalformedFileError, 3, "x", "2 values"),
    "too many values": csv("id,name\na,b\nc,d,e\n", MalformedFileError, 3, 3, "3 values"),
    "row after a blank line": csv("id,name\n\na,b\n\n\nc\n", MalformedFileError, 6, "name", "1 value"),
    "row after quoted line ends": csv('id,name\na,"1\n2\n3"\nb\n', MalformedFileError, 5, "name", "1 value"),
    "windows line ends": csv("id,name\r\na,b\r\nc\r\n", MalformedFileError, 3, "name", "1 value"),
    "mac line ends": csv("id,name\ra,b\rc\r", MalformedFileError, 3, "name", "1 value"),
    "quote not closed": csv('id,name\na,b\nc,"d\ne,f\n', MalformedFileError, 3, "name", "not closed"),
    "text after a quoted value": csv('id,name\na,"b"c\n', MalformedFileError, 2, "name", "'c' follows"),
    "two quoted values without delimiter": csv(
        'id,name\na,"b" "c"\n', MalformedFileError, 2, "name", "follows"
    ),
    "quotes escaped by backslash": csv('id,name\na,"say \\"hi\\""\n', MalformedFileError, 2, "name", 'as ""'),
    "carriage return within a value": csv("id,name,x\na,b\rc,d\n", MalformedFileError, 2, "x", "2 values"),
    "tsv with a short row": Case({"f.tsv": "id\tname\na\tb\nc\n"}, MalformedFileError, 3, "name", "1 value"),
    # --- headers
    "column twice": csv("id,name,name\na,b,c\n", MalformedFileError, 1, "name", "'name'"),
    "no id": csv("nr,name\n1,Ann\n", MissingColumnError, 1, None, "columns seen: nr, name"),
    "misspelt id": csv("idd,name\n1,Ann\n", MissingColumnError, 1, None, "--map f.csv:idd=id"),
    "misspelt source": csv("sorce,target,kind\na,b,c\n", MissingColumnError, 1, None, "f.csv:sorce=source"),
    "source without target": csv(
        "source,type,note\na,b,c\n", MissingColumnError, 1, None, "'target' is missing"
    ),
    "two pairs of ends": csv(
        "subject,predicate,object,source,target\na,b,c,d,e\n",
        MissingColumnError,
        1,
        "source",
        "several columns",
    ),
    "ends or a span of time": csv(
        "id,name,start,end\na,b,c,d\n", MissingColumnError, 1, "start", "properties"
    ),
    "neo4j edges without end": csv(":START_ID,:TYPE\na,b\n", MissingColumnError, 1, None, "is its target"),
    "neptune edges without start": csv(
        "~id,~to,~label\na,b,c\n", MissingColumnError, 1, None, "is its source"
    ),
    "neo4j with two ids": csv(
        "a:ID,b:ID\n1,2\n", MissingColumnError, 1, "a:ID", "several columns could be the id"
    ),
    "mapped column that is not there": Case(
        {"f.csv": "nr,name\n1,Ann\n"},
        MissingColumnError,
        1,
        None,
        "Did you mean 'nr'",
        options={"column_map": {"nrr": "id", "nr": "id"}},
    ),
    "mapped column that this file has not": Case(
        {"f.csv": "id,name\n1,Ann\n"},
        MissingColumnError,
        1,
        None,
        "does not have",
        options={"column_map": {"f.csv": {"naem": "name"}}},
    ),
    # --- ids and ends
    "no id in a row": csv("id,name\na,b\n,c\n", BadValueError, 3, "id", "missing"),
    "quoted empty id": csv('id,name\na,b\n"",c\n', BadValueError, 3, "id", "missing"),
    "id twice": csv("id,name\na,b\nc,d\na,e\n", DuplicateIdError, 4, "id", "'a'"),
    "id twice in two files": Case(
        {**TWO_NODES, "m.csv": "id,name\nz,Zoe\nb,Bert\n"}, DuplicateIdError, 3, "id", "n.csv, line 3"
    ),
    "no such source": edge_csv("source,type,target\na,T,b\nx,T,b\n", DanglingEdgeError, 3, "source", "'x'"),
    "no such target": edge_csv("source,type,target\na,T,b\na,T,y\n", DanglingEdgeError, 3, "target", "'y'"),
    "no such target after quoted line ends": edge_csv(
        'source,note,target\na,"1\n2",b\na,"3\n4",y\n', DanglingEdgeError, 4, "target", "'y'"
    ),
    "source missing": edge_csv("source,type,target\n,T,b\n", BadValueError, 2, "source", "missing"),
    "target missing": edge_csv("source,type,target\na,T,\n", BadValueError, 2, "target", "missing"),
    "edge type missing": edge_csv("source,type,target\na,T,b\na,,b\n", BadValueError, 3, "type", "missing"),
    "edge id twice": edge_csv(
        "id,source,type,target\n1,a,T,b\n1,b,T,a\n", DuplicateIdError, 3, "id", "edge id '1'"
    ),
    "edge in the file at fault only": Case(
        {"e.csv": "source,type,target\na,T,q\n", "n.csv": NODES},
        DanglingEdgeError,
        2,
        "target",
        "'q'",
        file="e.csv",
    ),
    # --- values of declared types
    "no integer": typed("int", "1.5", "'1.5' is no integer"),
    "integer of 65 bits": typed("long", "9223372036854775808", "integer"),
    "no number": typed("double", "1,5".replace(",", " "), "number"),
    "no boolean": typed("boolean", "yes", "boolean"),
    "no date": typed("date", "2023-02-30", "date"),
    "no time": typed("time", "25:00", "time"),
    "no datetime": typed("datetime", "yesterday", "date and time"),
    "no duration": typed("duration", "3 days", "duration"),
    "no point": typed("point", "here", "point"),
    "no element of a list": typed("int[]", "1;two;3", "list of type integer"),
    "no bytes": typed("bytes", "%%%", "base64"),
    "no json": typed("json", "{", "JSON"),
    "neptune type": csv("~id,n:Int\na,1\nb,one\n", BadValueError, 3, "n:Int", "'one' is no integer"),
    "bad value on an edge": edge_csv(
        ":START_ID,:END_ID,:TYPE,since:int\na,b,T,1999\na,b,T,long ago\n",
        BadValueError,
        3,
        "since:int",
        "'long ago'",
    ),
    "bad value on a later line of a row": csv(
        ':ID,note,n:int\na,"1\n2",3\nb,"4\n5\n6",seven\n', BadValueError, 6, "n:int", "'seven'"
    ),
    # --- JSON Lines
    "json: comma before a brace": jsonl(
        '{"id": 1}\n{"id": 2,}\n', MalformedFileError, 2, 9, "nothing after it"
    ),
    "json: cut short": jsonl('{"id": 1}\n{"id": ', MalformedFileError, 2, 8, "not JSON"),
    "json: single quotes": jsonl("{'id': 1}\n", MalformedFileError, 1, 2, "not JSON"),
    "json: NaN": jsonl('{"id": 1}\n\n{"id": 2, "x": NaN}\n', MalformedFileError, 3, 16, "NaN"),
    "json: key twice": jsonl('{"id": 1, "x": 1, "x": 2}\n', MalformedFileError, 1, 19, "'x'"),
    "json: key twice within properties": jsonl(
        '{"id": 1, "properties": {"x": 1, "x": 2}}\n', MalformedFileError, 1, 34, "'x'"
    ),
    "json: an array": jsonl('[{"id": 1}]\n', MalformedFileError, 1, 1, "an array"),
    "json: a number": jsonl('{"id": 1}\n17\n', MalformedFileError, 2, 1, "a number"),
    "json: two objects on a line": jsonl(
        '{"id": 1} {"id": 2}\n', MalformedFileError, 1, 11, "one object a line"
    ),
    "json: an object over lines": jsonl('{\n  "id": 1\n}\n', MalformedFileError, 1, 2, "one object a line"),
    "json: half a surrogate pair": jsonl('{"id": "\\ud83d"}\n', MalformedFileError, 1, 9, "surrogate"),
    "json: not utf-8": jsonl(b'{"id": 1, "n": "caf\xe9"}\n', EncodingError, 1, 20, "0xE9"),
    "json: a nul byte": jsonl(b'{"id": "a\0b"}\n', MalformedFileError, 1, 10, "not JSON"),
    "json: no id": jsonl('{"name": "Ann"}\n', MissingColumnError, 1, None, "columns seen: name"),
    "json: no id on one line": jsonl('{"id": 1}\n\n{"name": "Ann"}\n', BadValueError, 3, "id", "missing"),
    "json: id of another kind": jsonl('{"id": 1}\n{"id": [2]}\n', BadValueError, 2, "id", "not [2]"),
    "json: edge without target": jsonl(
        '{"id": 1}\n{"source": 1, "target": 1}\n{"source": 1}\n', BadValueError, 3, "target", "missing"
    ),
    "json: no such node": jsonl(
        '{"id": 1}\n{"source": 1, "target": 2}\n', DanglingEdgeError, 2, "target", "'2'"
    ),
    "json: id twice": jsonl('{"id": 1, "x": 1}\n{"id": 1, "x": 2}\n', DuplicateIdError, 2, "id", "'1'"),
    "json: no value of its type": jsonl(
        '{"id": 1, "born": {"$type": "date", "value": "1999-02-30"}}\n',
        BadValueError,
        1,
        "born",
        "1999-02-30",
    ),
    "json: no such type": jsonl(
        '{"id": 1, "x": {"$type": "colour", "value": 1}}\n', BadValueError, 1, "x", "colour"
    ),
    "json: key twice deep within": jsonl('{"id": 1, "x": {"y": 1, "y": 2}}\n', BadValueError, 1, "x", "y"),
    "json: a number beyond doubles": jsonl('{"id": 1, "x": 1e400}\n', BadValueError, 1, "x", "1e400"),
    "json: one array in a .json": Case({"f.json": '[{"id": 1}]'}, MalformedFileError, 1, 1, "jq"),
    "json: JSON-LD in a .json": Case({"f.json": '{"@context": {}}'}, MalformedFileError, 1, 1, "f.jsonld"),
    # --- Parquet
    "parquet: another file": Case(
        {"f.parquet": b"id,name\na,b\nc,d\n"}, MalformedFileError, None, None, "PAR1"
    ),
    "parquet: cut short": Case(
        {"f.parquet": parquet("SELECT 'a' AS id")[:-20]}, MalformedFileError, None, None, "cut short"
    ),
    "parquet: damaged": Case(
        {"f.parquet": b"PAR1" + b"\xff" * 60 + b"PAR1"}, MalformedFileError, None, None, "cannot be read"
    ),
    "parquet: within gzip": Case({"f.parquet.gz": GZIP}, MalformedFileError, None, None, "Decompress"),
    "parquet: no id": Case({"f.parquet": parquet("SELECT 1 AS nr")}, MissingColumnError, 1, None, "seen: nr"),
    "parquet: null id": Case(
        {"f.parquet": parquet("SELECT unnest(['a', NULL]) AS id")}, BadValueError, 2, "id", "missing"
    ),
    "parquet: fractional id": Case(
        {"f.parquet": parquet("SELECT unnest([1.0, 1.5]::DOUBLE[]) AS id")}, BadValueError, 2, "id", "1.5"
    ),
    "parquet: id twice": Case(
        {"f.parquet": parquet("SELECT 'a' AS id, unnest([1, 2]) AS x")}, DuplicateIdError, 2, "id", "'a'"
    ),
    "parquet: no such node": Case(
        {**TWO_NODES, "e.parquet": parquet("SELECT 'a' AS source, unnest(['b', 'q']) AS target")},
        DanglingEdgeError,
        2,
        "target",
        "'q'",
    ),
    "parquet: not of the declared type": Case(
        {"f.parquet": parquet("SELECT unnest(['a', 'b']) AS \":ID\", unnest(['1', 'x']) AS \"n:int\"")},
        BadValueError,
        2,
        "n:int",
        "'x'",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_malformed_file_is_refused_at_its_place_and_no_graph_is_made(case: Case, tmp_path: Path) -> None:
    with pytest.raises(LoadError) as raised:
        load(tmp_path, case.files, **case.options)
    error = raised.value
    assert type(error) is case.error, str(error)
    assert error.location is not None
    place = (Path(error.location.file).name, error.location.line, error.location.column)
    assert place == (case.file or list(case.files)[-1], case.line, case.column), str(error)
    assert case.says in str(error)
    assert not (tmp_path / "g.graph").exists()


@pytest.fixture(scope="module")
def old_graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    load(folder, TWO_NODES)
    return folder / "g.graph"


@pytest.mark.parametrize(
    "name",
    [
        "gzip cut short",
        "latin 1 value",
        "quote not closed",
        "no id",
        "no id in a row",
        "id twice",
        "no such target",
        "no integer",
        "json: comma before a brace",
        "json: no such node",
        "parquet: damaged",
        "parquet: id twice",
    ],
)
def test_a_graph_that_was_there_stays_as_it_was(name: str, old_graph: Path, tmp_path: Path) -> None:
    graph = tmp_path / "g.graph"
    shutil.copytree(old_graph, graph)
    before = {path.relative_to(graph): path.read_bytes() for path in graph.rglob("*") if path.is_file()}
    with pytest.raises(LoadError):
        load(tmp_path, CASES[name].files)
    after = {path.relative_to(graph): path.read_bytes() for path in graph.rglob("*") if path.is_file()}
    assert after == before
    assert set(nodes(tmp_path)) == {"a", "b"}


def test_a_file_that_is_not_there_is_named_with_the_nearest_one_that_is(tmp_path: Path) -> None:
    write_files(tmp_path, TWO_NODES)
    with pytest.raises(MissingFileError, match=r"Did you mean .*n\.csv") as raised:
        load_files([tmp_path / "nn.csv"], tmp_path / "g.graph")
    assert raised.value.location is not None
    assert raised.value.location.file.endswith("nn.csv")


def test_a_folder_is_not_a_file_and_its_files_are_named(tmp_path: Path) -> None:
    write_files(tmp_path, TWO_NODES)
    with pytest.raises(MissingFileError, match=r"It holds n\.csv"):
        load_files([tmp_path], tmp_path / "g.graph")


def test_rdf_and_tables_do_not_go_into_one_graph(tmp_path: Path) -> None:
    paths = write_files(tmp_path, {**TWO_NODES, "g.nt": "<urn:a> <urn:b> <urn:c> .\n"})
    with pytest.raises(LoadError, match="two graphs"):
        load_files(paths, tmp_path / "g.graph")
    assert not (tmp_path / "g.graph").exists()


def test_no_file_at_all_is_said(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no file"):
        load_files([], tmp_path / "g.graph")


def test_a_fault_far_into_a_big_file_is_found_on_its_line(tmp_path: Path) -> None:
    rows = [f'n{i},"name\n{i}"' if i % 1000 == 0 else f"n{i},name {i}" for i in range(60_000)]
    rows[50_001] = "n50001"
    line = 2 + 50_001 + 51
    with pytest.raises(MalformedFileError) as raised:
        load(tmp_path, {"f.csv": "id,name\n" + "\n".join(rows) + "\n"})
    assert raised.value.location is not None
    assert raised.value.location.line == line
