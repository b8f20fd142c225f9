"""Results read as they come: whole ones whatever the pieces, broken ones never taken for whole, large ones in little
memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askgraph.core.values import LanguageText, TypedLiteral
from askgraph.stores.rdf.vocabulary import RDF_LANG_STRING, TRIPLE_TERM, XSD, XSD_STRING
from askgraph.stores.sparql.json_results import BrokenReply, JsonResults
from askgraph.stores.sparql.terms import Literal, Resource, Row, cell_of, resource, to_ntriples
from askgraph.stores.sparql.triple_reading import read_triples
from askgraph.stores.sparql.xml_results import XmlResults

TEXTS = st.text(max_size=6)
IRIS = st.sampled_from(["http://e/a", "http://e/é", "urn:x"])
TERMS = st.one_of(
    st.builds(Resource, IRIS),
    st.builds(Resource, st.sampled_from(["_:b0", "_:x-1"])),
    st.builds(Literal, TEXTS, st.just(XSD_STRING), st.none()),
    st.builds(Literal, TEXTS, st.just(XSD + "integer"), st.none()),
    st.builds(Literal, TEXTS, st.just(RDF_LANG_STRING), st.sampled_from(["en", "de-at"])),
)
ROWS = st.lists(st.tuples(*[st.none() | TERMS] * 2), max_size=5)


def binding(term: Any) -> dict[str, Any]:
    if isinstance(term, Resource):
        return {"type": "bnode", "value": term.id[2:]} if term.is_blank else {"type": "uri", "value": term.id}
    if term.language:
        return {"type": "literal", "value": term.text, "xml:lang": term.language}
    if term.datatype == XSD_STRING:
        return {"type": "literal", "value": term.text}
    return {"type": "typed-literal", "value": term.text, "datatype": term.datatype}


def as_json(rows: list[Row], *, head_first: bool = True, indent: int | None = None) -> str:
    bindings = [{n: binding(t) for n, t in zip("xy", row, strict=True) if t is not None} for row in rows]
    parts: list[tuple[str, Any]] = [
        ("head", {"vars": ["x", "y"], "link": []}),
        ("results", {"bindings": bindings}),
    ]
    if not head_first:
        parts.reverse()
    return json.dumps(dict(parts), indent=indent, ensure_ascii=False)


def pieces(content: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


def read(content: bytes, size: int = 65_536) -> tuple[tuple[str, ...] | None, list[Row]]:
    reader = JsonResults(pieces(content, size))
    rows = list(reader.rows())
    return reader.columns, rows


@given(rows=ROWS, size=st.integers(1, 40), head_first=st.booleans(), indent=st.sampled_from([None, 1]))
@settings(max_examples=40, deadline=None)
def test_rows_are_the_same_whatever_the_pieces(
    rows: list[Row], size: int, head_first: bool, indent: int | None
) -> None:
    content = as_json(rows, head_first=head_first, indent=indent).encode("utf-8", "surrogatepass")
    try:
        content.decode()
    except UnicodeDecodeError:
        return  # half a character is no JSON
    assert read(content, size) == (("x", "y"), rows)


@given(rows=ROWS, size=st.integers(1, 40))
@settings(max_examples=20, deadline=None)
def test_no_beginning_of_a_result_is_a_result(rows: list[Row], size: int) -> None:
    content = as_json(rows).encode("utf-8", "replace")
    for end in range(len(content)):
        with pytest.raises(BrokenReply):
            read(content[:end], size)


def test_a_long_value_is_not_read_again_and_again() -> None:
    text = "x" * 3_000_000
    content = as_json([(Literal(text, XSD_STRING), None)]).encode()
    columns, rows = read(content, 100)
    assert columns == ("x", "y")
    assert rows == [(Literal(text, XSD_STRING), None)]


def test_a_triple_term_is_kept_as_ntriples_writes_it() -> None:
    parts = {name: binding(Resource("http://e/a")) for name in ("subject", "predicate", "object")}
    body = {"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "triple", "value": parts}}]}}
    _, ((term,),) = read(json.dumps(body).encode())
    assert term == Literal("<<( <http://e/a> <http://e/a> <http://e/a> )>>", TRIPLE_TERM)


def test_values_as_engines_write_them() -> None:
    assert Literal("1", XSD + "boolean").value is True
    assert Literal("Haus", RDF_LANG_STRING, "de-at").value == LanguageText("Haus", "de-AT")
    assert Literal("86400.0", XSD + "duration").value == TypedLiteral("86400.0", XSD + "duration")
    assert resource("nodeID://b10000") == Resource("_:b10000")
    assert to_ntriples(Resource("_:b10000")) == "_:b10000"
    assert cell_of(None) is None


# --- XML


def as_xml(rows: list[Row]) -> str:
    def escaped(text: str) -> str:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    def term(found: Any) -> str:
        if isinstance(found, Resource):
            return f"<bnode>{found.id[2:]}</bnode>" if found.is_blank else f"<uri>{found.id}</uri>"
        language = f' xml:lang="{found.language}"' if found.language else ""
        datatype = f' datatype="{found.datatype}"' if not language and found.datatype != XSD_STRING else ""
        return f"<literal{language}{datatype}>{escaped(found.text)}</literal>"

    body = "".join(
        "<result>"
        + "".join(
            f'<binding name="{n}">{term(t)}</binding>'
            for n, t in zip("xy", row, strict=True)
            if t is not None
        )
        + "</result>"
        for row in rows
    )
    head = '<head><variable name="x"/><variable name="y"/></head>'
    return f'<sparql xmlns="http://www.w3.org/2005/sparql-results#">{head}<results>{body}</results></sparql>'


XML_TEXTS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0xD7FF), max_size=6)
XML_TERMS = st.one_of(
    st.builds(Resource, IRIS),
    st.builds(Literal, XML_TEXTS, st.just(XSD_STRING), st.none()),
    st.builds(Literal, XML_TEXTS, st.just(RDF_LANG_STRING), st.just("en")),
)


@given(rows=st.lists(st.tuples(st.none() | XML_TERMS, XML_TERMS), max_size=4), size=st.integers(1, 50))
@settings(max_examples=30, deadline=None)
def test_xml_is_read_the_same_way(rows: list[Row], size: int) -> None:
    content = as_xml(rows).encode()
    reader = XmlResults(pieces(content, size))
    assert list(reader.rows()) == rows
    assert reader.columns == ("x", "y")
    with pytest.raises(BrokenReply):
        list(XmlResults(pieces(content[: len(content) * 2 // 3], size)).rows())


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><sparql>&b;</sparql>',
        "<sparql xmlns='http://www.w3.org/2005/sparql-results#'><head/></sparql>",
        "<sparql xmlns='http://www.w3.org/2005/sparql-results#'><uri>x</uri></sparql>",
        "<sparql xmlns='http://www.w3.org/2005/sparql-results#'><boolean>maybe</boolean></sparql>",
        as_xml([]).replace("<results>", '<results><result><binding name="z"><uri>x</uri></binding></result>'),
        as_xml([]).replace("<results>", '<results><result><binding name="x"></binding></result>'),
        "",
    ],
)
def test_xml_that_is_no_result_is_refused(text: str) -> None:
    with pytest.raises(BrokenReply):
        list(XmlResults(iter([text.encode()])).rows())


# --- triples

NTRIPLES = """\
<http://e/a> <http://e/p> "x\\ny"@en .
_:b <http://e/p> <http://e/c> .
<http://e/a> <http://e/q> "7"^^<urn:t> .
"""


@pytest.mark.parametrize("size", [1, 7, 1_000])
@pytest.mark.parametrize("type", ["application/n-triples", "text/turtle"])
def test_triples_are_the_same_whatever_the_pieces(type: str, size: int) -> None:
    found = list(read_triples(pieces(NTRIPLES.encode(), size), type))
    blank = found[1][0]
    assert isinstance(blank, Resource)
    assert blank.is_blank
    assert [object for _, _, object in found] == [
        Literal("x\ny", RDF_LANG_STRING, "en"), Resource("http://e/c"), Literal("7", "urn:t"),
    ]  # fmt: skip


@pytest.mark.parametrize("type", ["application/n-triples", "text/turtle"])
@pytest.mark.parametrize("end", [-1, -3, -20, -60])
def test_triples_that_break_off_are_no_answer(type: str, end: int) -> None:
    content = NTRIPLES.strip().encode()[:end]
    with pytest.raises(BrokenReply):
        list(read_triples(pieces(content, 16), type))


# --- a million rows

_MILLION = """
import json, resource, sys, time
from askgraph.core.budget import Budget
from tests.stores.sparql.scripted_server import ScriptedServer
from tests.stores.sparql.support import client_of

row = '{"s":{"type":"uri","value":"http://e.org/%d"},"o":{"type":"literal","xml:lang":"en","value":"Person %d"}}'
part = ",".join(row % (i, i) for i in range(1000))

def script(asked, line):
    line.head()
    line.chunk('{"head":{"vars":["s","o"]},"results":{"bindings":[')
    for i in range(1000):
        line.chunk(part + ("," if i < 999 else ""))
    line.chunk("]}}")
    line.chunk("")

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with ScriptedServer(script) as server:
    client = client_of(server.url)
    started = time.process_time()
    found = client.select("SELECT ?s ?o {}", Budget(seconds=120, rows=int(sys.argv[1])))
    took = time.process_time() - started
    client.close()
added = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
print(json.dumps([len(found.rows), found.truncated, added, took]))
"""


@pytest.mark.parametrize(("cap", "most_megabytes"), [(1_000, 30), (2_000_000, 300)])
def test_a_million_rows_are_read_in_bounded_memory(cap: int, most_megabytes: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _MILLION, str(cap)], capture_output=True, text=True, check=True, timeout=170
    )
    rows, truncated, added, _ = json.loads(done.stdout)
    assert truncated
    assert rows == 1_000 if cap == 1_000 else rows > 400_000, "the cap of bytes holds"
    assert added < most_megabytes
