"""JSON Lines: nodes and edges as objects, in the shapes that people and tools write."""

from __future__ import annotations

import datetime
import json
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.stores.loading.support import edges, load, nodes, properties, triples

from askgraph.core.errors import MalformedFileError, MissingColumnError
from askgraph.core.graph import Edge, Node
from askgraph.core.values import Duration, LanguageText, Point, TypedLiteral
from askgraph.stores.loading.json_text import MAYBE_LENIENT, check_line


def lines(*objects: object) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)


def test_nodes_with_labels_and_properties_and_edges_between_them(tmp_path: Path) -> None:
    load(
        tmp_path,
        {
            "g.jsonl": lines(
                {"id": 1, "labels": ["Person", "User"], "properties": {"name": "Ann", "age": 41}},
                {"id": "b", "labels": [], "properties": {}},
                {"source": 1, "target": "b", "type": "KNOWS", "properties": {"since": 1999}},
            )
        },
    )
    assert nodes(tmp_path)["1"].types == ("Person", "User")
    assert properties(tmp_path, "1") == {"name": "Ann", "age": 41}
    assert nodes(tmp_path)["b"].types == ()
    assert triples(tmp_path) == [("1", "KNOWS", "b")]
    assert edges(tmp_path)[0].properties == {"since": 1999}


def test_flat_objects(tmp_path: Path) -> None:
    load(
        tmp_path,
        {
            "n.jsonl": lines(
                {"_id": "a", "type": "Person", "name": "Ann", "x.y": 1, "source": "register"},
                {"_id": "b", "name": None, "tags": ["p", "q"]},
            ),
            "e.jsonl": lines({"subject": "a", "predicate": "knows", "object": "b", "source": "register"}),
        },
    )
    assert properties(tmp_path, "a") == {"name": "Ann", "x.y": 1, "source": "register"}
    assert properties(tmp_path, "b") == {"tags": ["p", "q"]}
    assert triples(tmp_path) == [("a", "knows", "b")]
    assert edges(tmp_path)[0].properties == {"source": "register"}


def test_the_export_of_apoc(tmp_path: Path) -> None:
    load(
        tmp_path,
        {
            "all.json": lines(
                {"type": "node", "id": "0", "labels": ["Person"], "properties": {"name": "Ann"}},
                {"type": "node", "id": "1", "properties": {"start": "x", "end": "y"}},
                {
                    "id": "0",
                    "type": "relationship",
                    "label": "KNOWS",
                    "properties": {"since": 1999},
                    "start": {"id": "0", "labels": ["Person"]},
                    "end": {"id": "1"},
                },
            )
        },
    )
    assert nodes(tmp_path)["0"].types == ("Person",)
    assert properties(tmp_path, "1") == {"start": "x", "end": "y"}
    (edge,) = edges(tmp_path)
    assert (edge.id, edge.source, edge.type, edge.target) == ("0", "0", "KNOWS", "1")


def test_ends_may_be_objects_with_an_id(tmp_path: Path) -> None:
    load(tmp_path, {"e.jsonl": lines({"start": {"id": 1}, "end": {"id": 2}, "type": "T"})})
    assert triples(tmp_path) == [("1", "T", "2")]


VALUES: list[Any] = [
    2**63,
    -(2**70),
    1.5,
    1e300,
    math.inf,
    Decimal("1.50"),
    "",
    "007",
    "2020-01-01",
    datetime.date(2020, 2, 29),
    datetime.time(12, 30, 0, 5),
    datetime.time(12, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
    datetime.datetime(2020, 1, 1, 10),
    datetime.datetime(2020, 1, 1, 10, tzinfo=datetime.UTC),
    datetime.datetime(2020, 1, 1, 10, tzinfo=datetime.timezone(datetime.timedelta(hours=-3))),
    Duration(1, 2, 3),
    Point(1.0, 2.0),
    b"\x00\xff",
    LanguageText("Haus", "de"),
    TypedLiteral("x", "urn:type"),
    [1, 2],
    ["a", None],
    [],
    [1, "a", [2.5]],
    [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)],
    [Duration(1)],
    [1, 2**70],
    {"a": {"$type": "b", "c": [None, True]}},
]


def test_values_written_by_us_come_back_exactly(tmp_path: Path) -> None:
    given = [Node(f"n{i}", (), ("T",), {"x": value, f"x{i}": value}) for i, value in enumerate(VALUES)]
    joined = [Edge(f"e{i}", "n0", "n1", "T", {"y": value}) for i, value in enumerate(VALUES)]
    written = [{"kind": "node", **node.to_dict()} for node in given]
    written += [{"kind": "edge", **edge.to_dict()} for edge in joined]
    load(tmp_path, {"g.jsonl": lines(*written)})
    found = nodes(tmp_path)
    for node in given:
        assert found[node.id].types == node.types
        assert found[node.id].properties == node.properties
        kinds = [type(value) for value in found[node.id].properties.values()]
        assert kinds == [type(value) for value in node.properties.values()]
    assert {edge.id: edge for edge in edges(tmp_path)} == {edge.id: edge for edge in joined}


def test_keys_of_any_spelling(tmp_path: Path) -> None:
    odd = {
        "": 1,
        "a/b": 2,
        "a~b": 3,
        'a"b': 4,
        "$type": 5,
        "A": 6,
        "a": 7,
        "ä ö": 8,
        "a.b": 9,
        "'": 10,
        "id": 11,
    }
    load(tmp_path, {"g.jsonl": lines({"id": "n", "properties": odd})})
    assert properties(tmp_path, "n") == odd


def test_a_key_with_values_of_several_kinds_keeps_each(tmp_path: Path) -> None:
    values = [1, "1", 1.0, True, None, [1], ["1"], {"a": 1}, 2**70]
    load(tmp_path, {"g.jsonl": lines(*({"id": i, "x": value} for i, value in enumerate(values)))})
    found = nodes(tmp_path)
    for i, value in enumerate(values):
        assert found[str(i)].properties.get("x") == value
        assert type(found[str(i)].properties.get("x")) is type(value)


def test_strings_are_not_looked_into_unless_a_map_declares_them(tmp_path: Path) -> None:
    files = {"g.jsonl": lines({"id": "a", "born": "1999-01-02", "n": "5"})}
    load(tmp_path, files)
    assert properties(tmp_path, "a") == {"born": "1999-01-02", "n": "5"}
    other = tmp_path / "other"
    other.mkdir()
    load(other, files, column_map={"born": ":date", "n": "count:int"})
    assert properties(other, "a") == {"born": datetime.date(1999, 1, 2), "count": 5}


def test_a_property_within_goes_before_one_of_the_same_key_beside(tmp_path: Path) -> None:
    load(tmp_path, {"g.jsonl": lines({"id": "a", "x": 1, "properties": {"x": 2}}, {"id": "b", "x": 3})})
    assert properties(tmp_path, "a") == {"x": 2}
    assert properties(tmp_path, "b") == {"x": 3}


def test_blank_lines_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    text = '\ufeff{"id": "a"}\r\n\r\n   \r\n{"id": "b"}'
    load(tmp_path, {"g.jsonl": text})
    assert set(nodes(tmp_path)) == {"a", "b"}


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_objects_loads_nothing_and_says_so(text: str, tmp_path: Path) -> None:
    report = load(tmp_path, {"g.jsonl": text})
    assert (report.nodes, report.total_nodes) == (0, 0)
    assert [note.rpartition("/")[2] for note in report.notes] == ["g.jsonl: it has no rows"]


def test_utf_16_is_read(tmp_path: Path) -> None:
    load(tmp_path, {"g.jsonl": '{"id": "a", "name": "Zoë"}\n'.encode("utf-16")})
    assert properties(tmp_path, "a") == {"name": "Zoë"}


def test_texts_that_only_look_like_lax_json_are_read(tmp_path: Path) -> None:
    text = "a [1, ] list, : nan, and {,}"
    load(tmp_path, {"g.jsonl": lines({"id": "a", "x": text})})
    assert properties(tmp_path, "a") == {"x": text}


def test_a_mapped_key_that_no_object_has_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingColumnError, match="Did you mean 'nr'"):
        load(tmp_path, {"g.jsonl": lines({"id": "a", "nr": 1})}, column_map={"nrr": "property"})


def test_ids_used_as_keys_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MalformedFileError, match="different keys"):
        load(tmp_path, {"g.jsonl": lines({"id": "a", "properties": {f"k{i}": 1 for i in range(5001)}})})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(
    value=st.dictionaries(st.text(max_size=4), JSON, max_size=4),
    compact=st.booleans(),
    ascii_only=st.booleans(),
)
def test_every_object_that_python_writes_is_an_object(
    value: dict[str, object], compact: bool, ascii_only: bool
) -> None:
    separators = (",", ":") if compact else None
    text = json.dumps(value, separators=separators, ensure_ascii=ascii_only)
    if "\\ud" in text.lower():
        return  # half of a pair is refused, and that is right
    try:
        line = text.encode()
    except UnicodeEncodeError:
        return
    assert check_line(line, "f", 1) is None


@given(text=st.text('{}[]:,"\\ \tnulltrefas0123.-+eEuNIi/d', max_size=14))
def test_what_is_no_json_for_python_is_none_for_us(text: str) -> None:
    line = '{"a":' + text + "}"
    try:
        value = json.loads(line, parse_constant=lambda name: 1 / 0)
        whole = isinstance(value, dict)
    except (ValueError, ZeroDivisionError):
        whole = False
    if not whole:
        assert check_line(line.encode(), "f", 1) is not None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(text=st.text('{}[]:,"\\ nulltrefas0123.-eENaIif', max_size=12))
def test_duckdb_takes_nothing_that_we_would_not_look_at_twice(text: str, tmp_path: Path) -> None:
    import duckdb

    line = '{"a":' + text + "}"
    if check_line(line.encode(), "f", 1) is None:
        return
    file = tmp_path / "f.jsonl"
    file.write_text(line, encoding="utf-8")
    with duckdb.connect() as connection:
        try:
            rows = connection.execute(
                "SELECT json_type(json) = 'OBJECT' AND NOT regexp_matches(json::VARCHAR, $1)"
                " AND len(json_keys(json)) = len(list_distinct(json_keys(json))) FROM read_ndjson_objects($2)",
                [MAYBE_LENIENT, str(file)],
            ).fetchall()
        except duckdb.Error:
            return
    assert not any(row[0] for row in rows)
