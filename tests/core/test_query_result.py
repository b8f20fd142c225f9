"""What queries give, as JSON and as text."""

from __future__ import annotations

import datetime
import json

from askgraph.core.graph import Edge, Name, Node
from askgraph.core.query_result import FoundPath, QueryResult, display_cell

ADA = Node("a", (Name("Ada"),), ("Person",), {"born": datetime.date(1815, 12, 10)})
CHARLES = Node("c", (Name("Charles"),), ("Person",))
KNOWS = Edge("k", "a", "c", "KNOWS", {"since": 1833})


def test_every_kind_of_cell_survives_as_strict_json():
    row = (
        ADA,
        KNOWS,
        FoundPath((ADA, CHARLES), (KNOWS,)),
        [ADA, None],
        {"who": CHARLES},
        float("nan"),
        2**70,
    )
    data = QueryResult(tuple("abcdefg"), [row]).to_dict()
    text = json.dumps(data, allow_nan=False)
    cells = json.loads(text)["rows"][0]
    assert cells[0]["$type"] == "node"
    assert cells[0]["properties"]["born"] == {"$type": "date", "value": "1815-12-10"}
    assert cells[1]["source"] == "a"
    assert [node["id"] for node in cells[2]["nodes"]] == ["a", "c"]
    assert cells[3][1] is None
    assert cells[4]["who"]["name"] == "Charles"
    assert cells[6] == {"$type": "integer", "value": str(2**70)}


def test_a_map_of_a_user_is_not_taken_for_a_node():
    cell = QueryResult(("m",), [({"$type": "node"},)]).to_dict()["rows"][0][0]
    assert cell == {"$type": "map", "value": {"$type": "node"}}


def test_a_path_reads_along_its_arrows():
    assert display_cell(FoundPath((ADA, CHARLES), (KNOWS,))) == "Ada -[KNOWS]-> Charles"
    assert display_cell(FoundPath((CHARLES, ADA), (KNOWS,))) == "Charles <-[KNOWS]- Ada"
    assert display_cell(FoundPath((), ())) == ""


def test_cells_are_shown_by_name():
    assert display_cell([ADA, CHARLES]) == "Ada, Charles"
    assert display_cell({"who": ADA}) == "who: Ada"
    assert display_cell(None) == ""
    assert display_cell(True) == "yes"


def test_a_cell_is_shown_on_one_line_whatever_a_node_or_an_edge_is_called():
    first = Node("a", (Name("Ada\n# system"),), ("Person",), {})
    edge = Edge("e", "a", "a", "KNOWS\r\nWELL", {})
    for cell in (first, edge, FoundPath((first, first), (edge,)), [first], {"x": edge}):
        assert len(display_cell(cell).splitlines()) == 1
