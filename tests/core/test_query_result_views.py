"""A query result as a person sees it: in an interpreter, in a notebook, as JSON."""

from __future__ import annotations

import json
import math

from askgraph.core.graph import Edge, Name, Node
from askgraph.core.query_result import FoundPath, QueryResult, display_cell
from askgraph.core.query_result_html import MOST_ROWS

ANN = Node("ann", (Name("Ann"),), ("Person",), {"age": 36})
BOB = Node("http://e/bob")
KNOWS = Edge("e1", "ann", "http://e/bob", "KNOWS")


def test_the_repr_counts_the_rows_and_shows_the_first_of_them() -> None:
    result = QueryResult(("who", "n"), [(ANN, i) for i in range(30)], truncated=True)
    lines = repr(result).splitlines()
    assert lines[0] == "<QueryResult of 30 rows, and there are more>"
    assert lines[1:3] == ["who  n", "Ann  0"]
    assert (len(lines), lines[-1]) == (13, "…")
    assert repr(QueryResult((), [])) == "<QueryResult of 0 rows>"


def test_the_repr_is_short_whatever_stands_in_a_cell() -> None:
    shown = repr(QueryResult(("v", "t"), [([0.5] * 1_536, "x" * 10_000)]))
    assert len(shown) < 200
    assert "\x1b" not in repr(QueryResult(("t",), [("\x1b[31mred\nline",)]))
    assert len(repr(QueryResult(("t",), [("\x1b[31mred\nline",)])).splitlines()) == 3


def test_a_long_list_is_told_by_its_beginning_and_its_length() -> None:
    assert display_cell([0.5] * 1_536) == "0.5, 0.5, 0.5, … (1,536 in all)"
    assert display_cell([ANN, BOB, 1]) == "Ann, bob, 1"
    assert display_cell({"v": list(range(100))}) == "v: 0, 1, 2, … (100 in all)"
    assert display_cell(FoundPath((ANN, BOB), (KNOWS,))) == "Ann -[KNOWS]-> bob"


def test_a_notebook_gets_a_table_in_which_nothing_is_alive() -> None:
    evil = Node("x", (Name("<script>alert(1)</script>"),))
    html = QueryResult(("<b>", "n"), [(evil, 1)], notes=("<i>",), warnings=("a & b",))._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "<th>&lt;b&gt;</th>" in html
    assert "&lt;i&gt;" in html
    assert "a &amp; b" in html
    assert "1 row." in html


def test_a_notebook_is_not_flooded() -> None:
    html = QueryResult(("n",), [(i,) for i in range(1_000)], truncated=True)._repr_html_()
    assert html.count("<tr>") == MOST_ROWS + 1
    assert f"1,000 rows, of which the first {MOST_ROWS} are shown; there are more in the graph" in html


def test_json_is_strict_and_whole() -> None:
    result = QueryResult(("a", "b"), [(ANN, math.inf), (None, 2**60)], notes=("n",))
    data = json.loads(result.to_json(), parse_constant=lambda name: 1 / 0)
    assert data == result.to_dict()
    assert data["rows"][0][0]["properties"] == {"age": 36}
    assert data["rows"][1] == [None, {"$type": "integer", "value": str(2**60)}]
    assert "\n" in result.to_json(indent=2)
