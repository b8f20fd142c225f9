"""The query in a reply, however a model wraps it."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.core.errors import QueryRefusedError
from askgraph.querying import check
from askgraph.querying.replies import queries_in
from askgraph.querying.replies.extraction import _Extraction
from askgraph.querying.replies.probing import Work

from ..cases import gate_cases
from .shapes import OTHER, OTHER_S, SHAPES, C, S, Shape


@pytest.mark.parametrize("shape", [pytest.param(shape, id=shape.name) for shape in SHAPES])
def test_what_is_meant_comes_out(shape: Shape):
    found = queries_in(shape.reply, shape.language)
    assert found.outcome == shape.outcome
    assert (found.meant and found.meant.text) == shape.query
    if found.meant is not None:
        assert found.meant.state == shape.state


@pytest.mark.parametrize("shape", [pytest.param(shape, id=shape.name) for shape in SHAPES if shape.query])
def test_the_place_of_a_query_in_the_reply_is_told(shape: Shape):
    meant = queries_in(shape.reply, shape.language).meant
    assert meant is not None
    there = shape.reply[meant.span.start : meant.span.end]
    if not meant.changes and meant.setting != "json":
        assert there == meant.text
    else:
        # What was put right is small: most letters stand there in the same order.
        letters = [
            character for character in meant.text.split("PREFIX")[-1].split(">\n")[-1] if character.isalpha()
        ]
        assert sum(character in there for character in letters) >= 0.9 * len(letters)


def test_there_are_many_shapes_and_no_two_are_called_the_same():
    assert len({shape.name for shape in SHAPES}) == len(SHAPES) >= 150


# --- any query in any shape


@functools.cache
def _queries(language: str) -> tuple[str, ...]:
    """Queries that may run, as the labelled cases of the gate have them, and those of the shapes."""
    work = Work(10**9)
    cases = [case["query"] for case in gate_cases(language) if case["verdict"] == "allow"]
    own = [C, OTHER] if language == "cypher" else [S, OTHER_S]
    whole = [query.strip() for query in (*cases, *own) if _is_plain(query, language, work)]
    return tuple(dict.fromkeys(whole))


def _is_plain(query: str, language: str, work: Work) -> bool:
    """Whether a query reads, asks a graph, and has nothing that a shape itself is made of."""
    probe = work.probe(query.strip(), language)
    has_marks = any(mark in query for mark in ("```", "~~~", "EXPLAIN", "<|", "</", "\\u"))
    return probe.finding == "whole" and probe.touches_graph and not has_marks


Wrapper = Callable[[str], str]
SET_APART: dict[str, Wrapper] = {
    "alone": lambda query: query,
    "fence": lambda query: f"Here is the query:\n\n```\n{query}\n```\n\nIt's what you asked for.",
    "fence with a language": lambda query: f"```cypher\n{query}\n```",
    "fence that is never closed": lambda query: f"Sure!\n```sparql\n{query}",
    "fence in a fence": lambda query: f"````\n```\n{query}\n```\n````",
    "reasoning before a fence": lambda query: f"<think>MATCH (no) RETURN no</think>\n```\n{query}\n```",
    "JSON": lambda query: json.dumps({"thoughts": "SELECT what? it's easy", "query": query}),
    "JSON in a fence": lambda query: f"```json\n{json.dumps({'cypher': query}, indent=2)}\n```",
    "JSON in JSON": lambda query: json.dumps({"arguments": json.dumps({"query": query})}),
}
IN_TEXT: dict[str, Wrapper] = {
    "a line of its own": lambda query: f"The query:\n\n{query}\n\nIt finds that, doesn't it?",
    "after a label": lambda query: f"Query: {query}\n",
    "a chat token": lambda query: f"{query}<|im_end|>",
    "a closing tag of reasoning": lambda query: f"We look.</think>\n{query}",
    "a line after it": lambda query: f"{query}\nThis query gives it's best.",
}


@pytest.mark.parametrize("shape", [*SET_APART, *IN_TEXT])
@pytest.mark.parametrize("language", ["cypher", "sparql"])
def test_every_query_comes_out_of_every_shape(shape: str, language: str):
    wrap = (SET_APART | IN_TEXT)[shape]
    wrong = []
    for query in _queries(language):
        meant = queries_in(wrap(query), language).meant
        # Comments before a query may be taken for a part of what is said.
        shorter = re.sub(r"^(?:[ \t]*(?://|#)[^\n]*\n)+", "", query) if shape in IN_TEXT else query
        if meant is None or meant.text not in (query, shorter):
            wrong.append((query, meant and meant.text))
    assert wrong == []


@given(st.data())
def test_what_stands_round_a_fence_does_not_matter(data: st.DataObject):
    language = data.draw(st.sampled_from(["cypher", "sparql"]))
    query = data.draw(st.sampled_from(_queries(language)))
    said = st.text(alphabet="abc XYZ.,:;!?'\"()\n-*#1", max_size=60)
    before, after = data.draw(said), data.draw(said)
    meant = queries_in(f"{before}\n```\n{query}\n```\n{after}", language).meant
    assert meant is not None
    assert meant.text == query


@given(st.text(max_size=300), st.sampled_from(["cypher", "sparql"]))
def test_any_text_has_an_outcome(text: str, language: str):
    found = queries_in(text, language)
    assert (found.meant is not None) == (found.outcome == "query")
    if not text.strip():
        assert found.outcome == "empty"


_PIECES = (
    *(
        "```",
        "```cypher\n",
        "\n",
        "<think>",
        "</think>",
        "<|im_end|>",
        '{"query": "',
        '"}',
        "MATCH (n)",
        " RETURN n",
    ),
    *(
        "SELECT ?x { ?x ?p ?o }",
        "CANNOT ANSWER",
        "'",
        '"',
        "`",
        "{",
        "}",
        "(",
        "[",
        "Question: ",
        "\\n",
        "“",
        "&lt;",
    ),
    *("WITH ", "PREFIX a: <b>", "-- ", "| ", "1. ", "or ", "DELETE n", "“x”", "\\_", "LIMIT 5"),
)


@given(st.lists(st.sampled_from(_PIECES), max_size=25).map("".join), st.sampled_from(["cypher", "sparql"]))
def test_any_mixture_of_marks_has_an_outcome(text: str, language: str):
    found = queries_in(text, language)
    for candidate in found.candidates:
        assert 0 <= candidate.span.start <= candidate.span.end <= len(text)
        assert candidate.text.strip()
    assert queries_in(text, language) == found


# --- safety


def test_a_command_is_never_made_harmless_by_leaving_half_of_it_out():
    """What the labelled cases say must be refused as a write is not run as a shorter query."""
    for case in gate_cases("cypher"):
        if case["verdict"] != "reject" or "write" not in case["tags"]:
            continue
        found = queries_in(f"```cypher\n{case['query']}\n```", "cypher")
        assert found.meant is None or found.meant.state != "whole" or _is_refused(found.meant.text), case[
            "id"
        ]


def _is_refused(text: str) -> bool:
    try:
        check(text)
    except QueryRefusedError:
        return True
    return False


# --- long replies

_HOSTILE = {
    "prose with everyday words": "with a match we return the names, and call it a day. ",
    "beginnings": "MATCH (n) ",
    "openings": "MATCH (",
    "fences": "```\n",
    "back-ticks": "`",
    "braces": '{"a": ',
    "lists": "[[",
    "quotes": "' \" “",
    "marks": "<think><|im_end|>",
    "closing marks": "</think>",
    "queries": "MATCH (n) RETURN n;\n",
    "faults": "MATCH (n) RETURN n ORDER n\n\n",
    "blank lines": "(\n\n",
    "blanks": " \t",
    "prefixes": "PREFIX a: <b> ",
    "keys": '"query": "MATCH ',
    "table": "| 1 | MATCH (n) RETURN n |\n",
    "entities": "&lt;MATCH&gt; ",
    "refusals": "CANNOT ANSWER ",
    "sentences": "MATCH (n) RETURN n. This is it. ",
    "SELECT": "SELECT ?x { ",
    "escapes": "\\_\\n\\'",
}


# What SPARQL's own words make of it; the rest is the same work in both languages.
_HOSTILE_SPARQL = ("SELECT", "prefixes", "fences", "quotes", "faults")
_LONG = [("cypher", name) for name in _HOSTILE] + [("sparql", name) for name in _HOSTILE_SPARQL]


@pytest.mark.parametrize(("language", "name"), _LONG)
def test_the_work_grows_with_the_length_and_no_faster(language: str, name: str):
    piece = _HOSTILE[name]
    short, long = (_characters_read(piece * (size // len(piece)), language) for size in (10_000, 40_000))
    assert long <= 6 * max(short, 20_000)


def _characters_read(reply: str, language: str) -> int:
    extraction = _Extraction(reply, language)
    extraction.result()
    return extraction.work.read
