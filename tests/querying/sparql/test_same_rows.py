"""What is printed asks for the same rows as the text that it was read from: shown on the embedded engine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.querying.sparql.generated import EXPRESSIONS, NODES, PATHS, PATTERNS, PROLOGUE, QUERIES, examples
from tests.querying.sparql.w3c import QUERY_KINDS, W3cTest, w3c_tests

from askgraph.querying.sparql.parser import parse
from askgraph.querying.sparql.pattern_tree import ServicePattern
from askgraph.querying.sparql.printer import text_of
from askgraph.querying.sparql.query_tree import Dataset, Query
from askgraph.querying.tree import walk

pyoxigraph = pytest.importorskip("pyoxigraph", reason="the embedded engine, pyoxigraph, is not installed")

# The texts in a file of questions, which is plain enough to be read without a parser of YAML.
BLOCKS = re.compile(r"^ {6}sparql: \|\n((?: {8}.*\n|\n)+)", re.MULTILINE)
# They give other values each time.
CHANGING = re.compile(r"\b(RAND|UUID|STRUUID|NOW)\s*\(", re.IGNORECASE)
ORDERED = re.compile(r"\bORDER\s+BY\b", re.IGNORECASE)


def stays_at_home(query: Query) -> bool:
    """Whether a query asks nobody else: one with SERVICE or FROM is parsed but never run."""
    return not any(isinstance(node, ServicePattern | Dataset) for node in walk(query))


def store_of(test: W3cTest) -> Any:
    """The data of a test, in memory."""
    store = pyoxigraph.Store()
    for path in test.data:
        store.load(path=str(path), base_iri=path.as_uri(), to_graph=pyoxigraph.DefaultGraph())
    for name, path in test.graphs:
        store.load(path=str(path), base_iri=path.as_uri(), to_graph=pyoxigraph.NamedNode(name))
    return store


def shown(value: Any, known: set[str]) -> str:
    """A term as text; blank nodes that the query made have other names each time."""
    if isinstance(value, pyoxigraph.BlankNode) and value.value not in known:
        return "_:made"
    return str(value)


def blank_nodes(store: Any) -> set[str]:
    """The blank nodes of the data."""
    terms = (term for quad in store for term in (quad.subject, quad.object))
    return {term.value for term in terms if isinstance(term, pyoxigraph.BlankNode)}


def answer(store: Any, text: str, known: set[str], base: str | None = None) -> Any:
    """The result of a query, fit to be compared."""
    result = store.query(text, base_iri=base)
    if isinstance(result, pyoxigraph.QueryBoolean):
        return bool(result)
    if isinstance(result, pyoxigraph.QueryTriples):
        made = pyoxigraph.Dataset(
            pyoxigraph.Quad(triple.subject, triple.predicate, triple.object) for triple in result
        )
        made.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
        return sorted(map(str, made))
    columns = [variable.value for variable in result.variables]
    rows = [tuple(shown(value, known) for value in row) for row in result]
    return columns, rows if ORDERED.search(text) else sorted(rows)


def runnable() -> Iterator[tuple[W3cTest, Query]]:
    for suite in ("sparql10", "sparql11"):
        for test in w3c_tests(suite, QUERY_KINDS):
            query = parse(test.text).query
            if stays_at_home(query) and not CHANGING.search(test.text):
                yield test, query


def test_every_query_of_the_suites_gives_the_same_rows_when_it_is_printed() -> None:
    compared = with_rows = 0
    for test, query in runnable():
        store, base = store_of(test), test.path.as_uri()
        known = blank_nodes(store)
        try:
            expected = answer(store, test.text, known, base)
        except (SyntaxError, RuntimeError):
            continue
        assert answer(store, text_of(query), known, base) == expected, f"{test.place}: {text_of(query)}"
        compared += 1
        with_rows += expected is True or (expected not in ([], False) and bool(expected[-1]))
    assert compared >= 740
    assert with_rows >= 495


SMALL_GRAPH = """
@base <http://b/> . @prefix e: <http://e/> . @prefix : <> .
e:a a :, e:optional ; : "it's", 1, -1.5, true ; :b.c e:a, (1 e:a "a"@en-GB), [ : 2 ] .
: :b.c <http://e/a> ; e:a "", 2.5 ; : : .
<> a e:a ; <é#ü> "ü", e:optional ; e:optional [ a : ; :b.c () ] .
"""


# Most queries that are made up of patterns find nothing; these ask for what is there.
FINDING = st.one_of(
    st.builds("SELECT ?x ?y (({}) AS ?value) {{ ?x ?p ?y }}".format, EXPRESSIONS),
    st.builds("SELECT ?x ?y {{ ?x ?p ?y FILTER({}) }}".format, EXPRESSIONS),
    st.builds("SELECT ?x ?y {{ ?x {} ?y }}".format, PATHS),
    st.builds("CONSTRUCT {{ ?x ?p {} }} {{ ?x ?p ?y }}".format, NODES),
    st.builds("SELECT * {{ ?x ?p ?y OPTIONAL {{ {} }} }}".format, PATTERNS),
)


@examples(250)
@given(st.one_of(FINDING, QUERIES))
def test_queries_that_nobody_wrote_give_the_same_rows_when_they_are_printed(text: str) -> None:
    store = pyoxigraph.Store()
    store.load(SMALL_GRAPH, format=pyoxigraph.RdfFormat.TURTLE)
    # Which rows a page holds is left to the engine where the order does not tell; and this one reads no FALSE.
    text = PROLOGUE + text.replace(" LIMIT 3", "").replace(" OFFSET 1", "").replace("FALSE", "false")
    query, known = parse(text).query, blank_nodes(store)
    try:
        expected = answer(store, text, known)
    except RuntimeError:
        # It calls a function that the engine lacks.
        return
    assert answer(store, text_of(query), known) == expected


def test_the_queries_of_a_benchmark_give_the_same_rows_when_they_are_printed(
    ck25_turtle: Path, ck25_questions: Path
) -> None:
    store = pyoxigraph.Store()
    store.load(path=str(ck25_turtle))
    known = blank_nodes(store)
    texts = BLOCKS.findall(ck25_questions.read_text(encoding="utf-8"))
    assert len(texts) == 50
    compared = 0
    for text in texts:
        try:
            expected = answer(store, text, known)
        except RuntimeError:
            # The engine lacks a function that two of them call.
            continue
        printed = text_of(parse(text).query)
        assert answer(store, printed, known) == expected, printed
        compared += 1
    assert compared == 48
