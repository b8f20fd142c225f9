"""The arrays beside the database: adjacency, hops, texts by number and number by text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.core.adjacency import Adjacency
from askgraph.core.errors import CorruptGraphError
from askgraph.stores.property import texts
from askgraph.stores.property.adjacency import adjacency_of, open_adjacency, save_adjacency, stable_order
from askgraph.stores.property.hops import find_edge, hops, ordinals_of, sources_of
from askgraph.stores.property.texts import build_text_table, open_text_table

# --- texts

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=9) | st.sampled_from(
    ["x" * 511, "x" * 512, "y" + "x" * 512, "z" + "x" * 512]
)


@given(st.lists(_TEXT, unique=True, max_size=200), st.integers(1, 7))
def test_every_text_is_found_under_its_number(given_texts: list[str], chunk: int) -> None:
    table = build_text_table(
        given_texts[start : start + chunk] for start in range(0, len(given_texts), chunk)
    )
    numbers = np.arange(len(given_texts))
    assert len(table) == len(given_texts)
    assert table.find(given_texts).tolist() == numbers.tolist()
    assert [table.find([text]).tolist() for text in given_texts[:5]] == [[n] for n in numbers[:5].tolist()]
    assert table.texts(numbers[::-1]) == given_texts[::-1]
    assert table.find([text + "!" for text in given_texts if text + "!" not in given_texts]).tolist() == [
        -1 for text in given_texts if text + "!" not in given_texts
    ]


def test_texts_of_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "_FNV_PRIME", 0)
    monkeypatch.setattr(texts, "_FNV_OFFSET", 0)
    table = build_text_table([["a", "b", "c"]])
    assert table.find(["c", "a", "d", "b"]).tolist() == [2, 0, -1, 1]


def test_a_missing_text_takes_a_number_and_is_never_found() -> None:
    table = build_text_table([["a", None], ["", None]])
    assert len(table) == 4
    assert table.find(["a", "", "b"]).tolist() == [0, 2, -1]


def test_texts_survive_saving_and_damage_is_noticed(tmp_path: Path) -> None:
    build_text_table([["ä", "b"]]).save(tmp_path, "names")
    assert open_text_table(tmp_path, "names").find(["b", "ä"]).tolist() == [1, 0]
    np.save(tmp_path / "names_offsets.npy", np.array([0, 1]))
    with pytest.raises(CorruptGraphError, match="does not fit together"):
        open_text_table(tmp_path, "names")
    with pytest.raises(CorruptGraphError, match="cannot be read"):
        open_text_table(tmp_path, "others")


def test_arrays_of_objects_are_never_unpickled(tmp_path: Path) -> None:
    build_text_table([["a"]]).save(tmp_path, "names")
    np.save(tmp_path / "names_text.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(CorruptGraphError):
        open_text_table(tmp_path, "names")


# --- adjacency


@st.composite
def edge_lists(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, int]]]:
    """How many nodes, and edges as (source, type, target), ordered, with parallels and loops."""
    count = draw(st.integers(1, 6))
    node = st.integers(0, count - 1)
    return count, sorted(draw(st.lists(st.tuples(node, st.integers(0, 3), node), max_size=25)))


def made(count: int, edges: list[tuple[int, int, int]]) -> Adjacency:
    sources, types, targets = (np.array([edge[i] for edge in edges], dtype=np.int32) for i in range(3))
    return adjacency_of(sources, targets, types, count)


@given(
    edge_lists(),
    st.sampled_from(["out", "in", "both"]),
    st.none() | st.sets(st.integers(0, 3)),
    st.none() | st.integers(0, 4),
)
def test_hops_are_those_of_the_plain_definition(
    graph: tuple[int, list[tuple[int, int, int]]], direction: Any, types: set[int] | None, limit: int | None
) -> None:
    count, edges = graph
    rows = np.array([*range(count), -1, 0])
    wanted = None if types is None else np.array([code in types for code in range(4)])
    found = hops(made(count, edges), rows, direction, wanted_types=wanted, limit=limit)
    expected, cut = [], {}
    for position, row in enumerate(rows.tolist()):
        forward = [
            (True, kind, target, number)
            for number, (source, kind, target) in enumerate(edges)
            if source == row
        ]
        back = [
            (False, kind, source, number)
            for number, (source, kind, target) in enumerate(edges)
            if target == row
        ]
        if direction == "both":
            back = [hop for hop in back if hop[2] != row]
        of_node = (forward if direction != "in" else []) + (sorted(back) if direction != "out" else [])
        of_node = [hop for hop in of_node if types is None or hop[1] in types]
        if limit is not None and len(of_node) > limit:
            cut[position] = len(of_node)
        expected += [(position, *hop) for hop in of_node[:limit]]
    columns = (found.origins, found.forward, found.types, found.nodes, found.edges)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected
    assert found.cut == cut


@given(edge_lists())
def test_an_edge_is_found_by_its_content_and_ordinal(graph: tuple[int, list[tuple[int, int, int]]]) -> None:
    count, edges = graph
    adjacency = made(count, edges)
    numbers = np.arange(len(edges))
    assert sources_of(adjacency, numbers).tolist() == [edge[0] for edge in edges]
    ordinals = ordinals_of(adjacency, numbers).tolist()
    assert ordinals == [edges[:number].count(edge) for number, edge in enumerate(edges)]
    for number, (source, kind, target) in enumerate(edges):
        assert find_edge(adjacency, source, kind, target, ordinals[number]) == number
        assert find_edge(adjacency, source, kind, target, edges.count((source, kind, target))) == -1
    assert find_edge(adjacency, 0, 9, 0, 0) == -1


def test_many_parallel_edges_are_numbered_at_once() -> None:
    adjacency = made(2, [(0, 0, 1)] * 10_000 + [(1, 0, 1)])
    assert ordinals_of(adjacency, np.array([0, 9_999, 5_000, 10_000])).tolist() == [0, 9_999, 5_000, 0]


@given(st.lists(st.integers(0, 99), max_size=50), st.sampled_from([100, 2**62]))
def test_the_order_is_the_stable_one(keys: list[int], bound: int) -> None:
    array = np.array(keys, dtype=np.int64)
    assert stable_order(array, bound).tolist() == sorted(range(len(keys)), key=lambda i: keys[i])


def test_an_adjacency_survives_saving(tmp_path: Path) -> None:
    save_adjacency(made(3, [(0, 0, 1), (0, 1, 1), (2, 0, 2)]), tmp_path)
    opened = open_adjacency(tmp_path)
    assert opened.out_targets.tolist() == [1, 1, 2]
    assert opened.in_edges.tolist() == [0, 1, 2]
    assert opened.in_offsets.tolist() == [0, 0, 2, 3]
    assert not opened.out_targets.flags.writeable
