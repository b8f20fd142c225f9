from __future__ import annotations

import numpy as np
import pytest

from askgraph.core.errors import CorruptIndexError
from askgraph.indexes import vectors as module
from askgraph.indexes.vectors import VectorIndex, VectorMatch


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def sample():
    random = np.random.default_rng(7)
    keys = [f"key {number:04}" for number in range(500)]
    return keys, unit(random.normal(size=(500, 16)))


def test_each_vector_finds_its_own_key_first(tmp_path, sample):
    keys, vectors = sample
    index = VectorIndex.build([(keys, vectors)], tmp_path / "v", dimensions=16)
    assert [found[0].key for found in index.search(vectors, limit=3)] == keys
    assert len(index) == 500


def test_results_are_those_of_a_full_sort_whatever_the_block_size(tmp_path, sample, monkeypatch):
    keys, vectors = sample
    index = VectorIndex.build(
        [(keys[:100], vectors[:100]), (keys[100:], vectors[100:])], tmp_path / "v", dimensions=16
    )
    queries = unit(np.random.default_rng(8).normal(size=(20, 16)))
    scores = np.round(queries @ vectors.T, 5)
    expected = [[keys[row] for row in np.lexsort((np.arange(500), -line))[:7]] for line in scores]
    for rows in (10_000, 64, 3):
        monkeypatch.setattr(module, "_ROWS_PER_BLOCK", rows)
        assert [[match.key for match in found] for found in index.search(queries, limit=7)] == expected


def test_ties_come_in_the_order_of_their_keys(tmp_path):
    same = np.tile(np.array([[0.6, 0.8]], dtype=np.float32), (40, 1))
    keys = [f"{number:02}" for number in range(40)]
    index = VectorIndex.build([(keys[::-1], same)], tmp_path / "v", dimensions=2)
    assert index.search(same[:1], limit=3) == [[VectorMatch(key, 1.0) for key in keys[:3]]]


def test_a_key_that_comes_again_replaces_the_one_before(tmp_path):
    first, second = np.eye(2, dtype=np.float32)
    index = VectorIndex.build([(["a"], first[None]), (["a"], second[None])], tmp_path / "v", dimensions=2)
    assert index.search(second[None]) == [[VectorMatch("a", 1.0)]]


def test_keys_are_added_replaced_and_removed_and_the_old_index_stays(tmp_path):
    one, two, three = np.eye(3, dtype=np.float32)
    old = VectorIndex.build([(["a", "b"], np.stack([one, two]))], tmp_path / "v", dimensions=3, embedder="e")
    new = old.updated([(["c"], three[None]), (["b"], one[None])], ["a"], tmp_path / "v", fingerprint="2")
    assert [match.key for match in new.search(one[None])[0]] == ["b", "c"]
    assert [match.key for match in old.search(one[None])[0]] == ["a", "b"]
    assert (new.embedder, new.fingerprint) == ("e", "2")


def test_more_asked_for_than_there_is_or_nothing(tmp_path, sample):
    keys, vectors = sample
    index = VectorIndex.build([(keys, vectors)], tmp_path / "v", dimensions=16)
    assert len(index.search(vectors[:1], limit=1000)[0]) == 500
    assert index.search(vectors[:2], limit=0) == [[], []]
    assert index.search(vectors[:0]) == []
    empty = VectorIndex.build([], tmp_path / "empty", dimensions=16)
    assert empty.search(vectors[:1]) == [[]]


@pytest.mark.parametrize(
    ("keys", "vectors"),
    [(["a"], np.ones((1, 3))), (["a", "b"], np.ones((1, 2))), (["a"], np.array([[np.nan, 0.0]]))],
    ids=["dimensions", "count", "not a number"],
)
def test_what_is_no_vector_is_refused_and_the_old_file_stays(tmp_path, keys, vectors):
    path = tmp_path / "v"
    VectorIndex.build([(["old"], np.eye(2, dtype=np.float32)[:1])], path, dimensions=2)
    with pytest.raises(ValueError, match=r"dimensions|finite"):
        VectorIndex.build([(keys, vectors)], path, dimensions=2)
    assert len(VectorIndex.open(path)) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["v"]


def test_queries_of_other_dimensions_are_refused(tmp_path, sample):
    keys, vectors = sample
    index = VectorIndex.build([(keys, vectors)], tmp_path / "v", dimensions=16)
    with pytest.raises(ValueError, match="16 dimensions"):
        index.search(vectors[:, :3])


def test_a_file_that_is_cut_short_missing_or_something_else_says_what_to_do(tmp_path, sample):
    keys, vectors = sample
    path = tmp_path / "v"
    VectorIndex.build([(keys, vectors)], path, dimensions=16)
    content = path.read_bytes()
    for damaged in (content[:-1], content[:100], content[:10], b"", b"x" * 5000, content + b"\0"):
        path.write_bytes(damaged)
        with pytest.raises(CorruptIndexError, match="askgraph index"):
            VectorIndex.open(path)
    path.unlink()
    with pytest.raises(CorruptIndexError, match="askgraph index"):
        VectorIndex.open(path)


def test_verifying_finds_a_single_flipped_bit(tmp_path, sample):
    keys, vectors = sample
    path = tmp_path / "v"
    VectorIndex.build([(keys, vectors)], path, dimensions=16).verify()
    content = bytearray(path.read_bytes())
    content[-1000] ^= 4
    path.write_bytes(content)
    with pytest.raises(CorruptIndexError, match="checksum"):
        VectorIndex.open(path).verify()
