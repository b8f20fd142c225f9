"""Files that are not what they claim to be: the right error, the right place, and nothing half loaded."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import NamedTuple

import pytest

from askgraph.core.errors import (
    BadValueError,
    EncodingError,
    GraphNotFoundError,
    LoadError,
    MalformedFileError,
    MissingFileError,
)
from askgraph.stores.folder import GraphFolder
from askgraph.stores.loading.report import ProblemsError
from askgraph.stores.rdf.loading import load_rdf
from askgraph.stores.rdf.store import RdfStore

MALFORMED = MalformedFileError
RDF_XML = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">\n'
GOOD = "<http://e/a> <http://e/p> <http://e/b> .\n"


class Bad(NamedTuple):
    """A file, and what is said of it."""

    name: str
    content: str | bytes
    error: type[LoadError]
    line: int | None
    column: int | None
    words: str


ZIPPED = gzip.compress((GOOD * 100).encode())


def described(content: str, about: str = "http://e/a") -> str:
    """RDF/XML of one resource."""
    return f"{RDF_XML}<rdf:Description rdf:about='{about}'>{content}</rdf:Description>\n</rdf:RDF>"


BAD_FILES = [
    # --- N-Triples, N-Quads
    Bad("no-dot.nt", f"{GOOD}<http://e/a> <http://e/p> <http://e/b>\n{GOOD}", MALFORMED, 2, 39, ""),
    Bad("literal-subject.nt", f'{GOOD}"a" <http://e/p> <http://e/b> .\n', MALFORMED, 2, 1, "subject"),
    Bad("unquoted.nt", "<http://e/a> <http://e/p> seven .\n", MALFORMED, 1, 27, "object"),
    Bad("open-string.nt", f'{GOOD}{GOOD}<http://e/a> <http://e/p> "x .\n', MALFORMED, 3, 27, "end of file"),
    Bad("escape.nt", '<http://e/a> <http://e/p> "\\q" .\n', MALFORMED, 1, 28, "escape"),
    Bad("relative.nt", "<http://e/a> <p> <http://e/b> .\n", BadValueError, 1, 14, "scheme"),
    Bad("blank-in-iri.nt", "<http://e/a b> <http://e/p> <http://e/b> .\n", BadValueError, 1, 1, "IRI"),
    Bad("language.nt", '<http://e/a> <http://e/p> "x"@1 .\n', BadValueError, 1, 31, "language"),
    Bad("datatype.nt", '<http://e/a> <http://e/p> "x"^^<int> .\n', BadValueError, 1, 32, "scheme"),
    Bad("five-terms.nq", f"{GOOD[:-2]}<http://e/g> <http://e/h> .\n", MALFORMED, 1, 53, ""),
    Bad("literal-graph.nq", '<http://e/a> <http://e/p> <http://e/b> "g" .\n', MALFORMED, 1, 40, ""),
    # --- Turtle, TriG, N3
    Bad("prefix.ttl", "\n e:a <http://e/p> 1 .\n", MALFORMED, 2, 2, "prefix e:"),
    Bad("base.ttl", "@prefix e: <http://e/> .\n<a> e:p 1 .\n", BadValueError, 2, 1, "scheme"),
    Bad("cut.ttl", '@prefix e: <http://e/> .\ne:a e:p "x', MALFORMED, 2, 9, "end of file"),
    Bad("no-end.ttl", "@prefix e: <http://e/> .\ne:a e:p 1", MALFORMED, 2, 10, "end"),
    Bad("bracket.ttl", "@prefix e: <http://e/> .\ne:a e:p [ e:q 1 .\n", MALFORMED, 2, 17, ""),
    Bad("tag.ttl", '@prefix e: <http://e/> .\ne:a e:p "x"@12 .\n', BadValueError, 2, 13, "language"),
    Bad("html.ttl", "<!DOCTYPE html>\n<html><body>Not found</body></html>\n", LoadError, 1, 1, ""),
    Bad("graph.ttl", "@prefix e: <http://e/> .\ne:g { e:a e:p 1 }\n", MALFORMED, 2, 5, ""),
    Bad("open-graph.trig", "@prefix e: <http://e/> .\ne:g {\n  e:a e:p 1 .\n", MALFORMED, 4, 1, ""),
    Bad("rule.n3", "@prefix e: <http://e/> .\n{ ?x e:p 1 } => { ?x e:q 1 } .\n", MALFORMED, None, None, "variables"),
    # --- RDF/XML
    Bad("tags.rdf", described("\n<e:p>x</e:q>"), MALFORMED, 3, 9, "mismatched tag"),
    Bad("cut.rdf", f"{RDF_XML}<rdf:Description rdf:about='http://e/a'>\n", MALFORMED, 3, 1, "no element found"),
    Bad("prefix.owl", described("\n<z:p>x</z:p>"), MALFORMED, 3, 1, "unbound prefix"),
    Bad("about.xml", described("<e:p>x</e:p>", about="a"), BadValueError, 2, 1, "scheme"),
    Bad("lang.xml", described("\n<e:p xml:lang='1'>x</e:p>"), BadValueError, 3, 1, "language"),
    Bad("text.rdf", "hello", MALFORMED, 1, 1, "syntax error"),
    Bad("html.rdf", "<html><body>hi</body></html>", MALFORMED, None, None, "namespaces"),
    Bad("functional.owl", "Prefix(:=<http://e/>)\nOntology(<http://e/>)\n", MALFORMED, 1, 1, "functional"),
    # --- JSON-LD
    Bad("comma.jsonld", '{"@context": {"e": "http://e/"},\n"@id": "e:a" "e:p": 1}', MALFORMED, 2, 14, "comma"),
    Bad("cut.jsonld", '{"@context": {"e": "http://e/"},\n"@id": "e:a",', MALFORMED, 2, 14, ""),
    Bad("number.jsonld", "\n 3", MALFORMED, 2, 2, "object"),
    Bad("remote.jsonld", '{"@context": "https://schema.org/", "name": "x"}', MALFORMED, None, None, "context"),
    Bad("relative.jsonld", '{"@context": {"e": "http://e/"},\n "@id": "a", "e:p": 1}', BadValueError, 2, 9, "'a'"),
    # --- bytes
    Bad("latin1.nt", '<http://e/a> <http://e/p> "Zürich" .\n'.encode("latin-1"), EncodingError, 1, 29, "0xFC"),
    Bad("cut-character.ttl", "@prefix e: <http://e/> .\ne:a e:p 'é".encode()[:-1], EncodingError, 2, 10, "UTF-8"),
    Bad("encoding.rdf", '<?xml version="1.0" encoding="klingon"?>\n<x/>', EncodingError, 1, None, "klingon"),
    Bad("cut.nt.gz", ZIPPED[:-20], MALFORMED, None, None, "cut short"),
    Bad("damaged.nt.gz", ZIPPED[:-8] + b"12345678", MALFORMED, None, None, "damaged"),
    Bad("not-gzip.ttl.gz", GOOD, MALFORMED, None, None, "not gzip"),
    Bad("bad-inside.nt.gz", gzip.compress(f"{GOOD}oops\n".encode()), MALFORMED, 2, 1, ""),
    Bad("empty.ttl", "", MALFORMED, None, None, "empty"),
    Bad("zip.ttl", b"PK\x03\x04 and so on", MALFORMED, None, None, "ZIP"),
]  # fmt: skip


def write(folder: Path, bad: Bad) -> Path:
    file = folder / bad.name
    file.write_bytes(bad.content if isinstance(bad.content, bytes) else bad.content.encode())
    return file


@pytest.mark.parametrize("bad", BAD_FILES, ids=lambda bad: bad.name)
def test_a_bad_file_is_refused_with_its_place(bad: Bad, tmp_path: Path) -> None:
    file, into = write(tmp_path, bad), tmp_path / "out.graph"
    with pytest.raises(bad.error) as caught:
        load_rdf([file], into)
    error = caught.value
    assert type(error) is bad.error or bad.error is LoadError
    assert bad.words.lower() in str(error).lower()
    assert error.location is not None
    assert error.location.file == str(file)
    assert (error.location.line, error.location.column) == (bad.line, bad.column)
    assert not into.exists()


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph that no bad file may change."""
    folder = tmp_path_factory.mktemp("good")
    good = folder / "good.nt"
    good.write_text(GOOD, encoding="utf-8")
    load_rdf([good], folder / "out.graph")
    return folder / "out.graph"


@pytest.mark.parametrize("bad", BAD_FILES, ids=lambda bad: bad.name)
def test_a_bad_file_leaves_the_graph_that_is_there_alone(bad: Bad, graph: Path, tmp_path: Path) -> None:
    before = GraphFolder.open(graph).current_version()
    with pytest.raises(LoadError):
        load_rdf([write(tmp_path, bad)], graph)
    assert GraphFolder.open(graph).current_version() == before
    assert [entry.name for entry in (graph / "versions").iterdir()] == [str(before.number)]
    with RdfStore.open(graph) as store:
        assert [node.id for node in store.nodes()] == ["http://e/a", "http://e/b"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="no such file"):
        load_rdf([tmp_path / "none.ttl"], tmp_path / "out.graph")
    with pytest.raises(GraphNotFoundError):
        RdfStore.open(tmp_path / "out.graph")


# --- skip and report

MIXED = (
    "<http://e/a> <http://e/p> <http://e/b> .\n"
    '<http://e/a> <http://e/p> "open .\n'
    "<http://e/c> <http://e/p> <http://e/d> .\n"
    "nonsense\n"
    "\n"
    "# a comment\n"
    '<http://e/e> <http://e/p> "x"@en .\n'
    "<http://e/f> <p> <http://e/d> ."
)


@pytest.mark.parametrize("name", ["mixed.nt", "mixed.nq", "mixed.nt.gz"])
def test_bad_lines_are_skipped_and_reported(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(gzip.compress(MIXED.encode()) if name.endswith(".gz") else MIXED.encode())
    report = load_rdf([file], tmp_path / "out.graph", on_error="skip")
    assert report.skipped_count == 3
    places = [problem.location for problem in report.skipped]
    assert [place and (place.line, place.column) for place in places] == [(2, 27), (4, 1), (8, 14)]
    assert [problem.kind for problem in report.skipped] == [
        "MalformedFileError",
        "MalformedFileError",
        "BadValueError",
    ]
    with RdfStore.open(tmp_path / "out.graph") as store:
        assert [node.id for node in store.nodes()] == [f"http://e/{name}" for name in "abcde"]


def test_far_lines_keep_their_numbers(tmp_path: Path) -> None:
    file = tmp_path / "far.nt"
    lines = [f"<http://e/{i}> <http://e/p> <http://e/x> .\n" for i in range(7_000)]
    lines[4_321] = "oops .\n"
    file.write_text("".join(lines), encoding="utf-8")
    report = load_rdf([file], tmp_path / "out.graph", on_error="skip")
    assert [problem.location and problem.location.line for problem in report.skipped] == [4_322]
    assert report.nodes == 7_000


def test_report_lists_every_bad_line_and_loads_nothing(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.ttl", tmp_path / "mixed.nt"
    good.write_text(GOOD, encoding="utf-8")
    bad.write_text(MIXED, encoding="utf-8")
    cut = tmp_path / "cut.ttl"
    cut.write_text("<http://e/a> <http://e/p> 1", encoding="utf-8")
    with pytest.raises(ProblemsError) as caught:
        load_rdf([good, bad, cut], tmp_path / "out.graph", on_error="report")
    assert caught.value.count == 4
    assert not (tmp_path / "out.graph").exists()


def test_turtle_cannot_be_read_on_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "bad.ttl"
    file.write_text(f"{GOOD}oops .\n{GOOD}", encoding="utf-8")
    with pytest.raises(MalformedFileError, match="cannot be read on"):
        load_rdf([file], tmp_path / "out.graph", on_error="skip")
    assert not (tmp_path / "out.graph").exists()


def test_a_base_makes_relative_iris_whole(tmp_path: Path) -> None:
    turtle, json = tmp_path / "a.ttl", tmp_path / "b.jsonld"
    turtle.write_text("<a> <p> <b> .", encoding="utf-8")
    json.write_text('{"@id": "c", "http://e/p": {"@id": "d"}}', encoding="utf-8")
    load_rdf([turtle, json], tmp_path / "out.graph", base_iri="http://e/")
    with RdfStore.open(tmp_path / "out.graph") as store:
        assert [node.id for node in store.nodes()] == [f"http://e/{name}" for name in "abcd"]
