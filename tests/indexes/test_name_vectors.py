from __future__ import annotations

import numpy as np
import pytest

from askgraph.core.errors import CorruptIndexError
from askgraph.indexes.name_vectors import NameVectors
from askgraph.indexes.vector_journal import VectorJournal

DIMENSIONS = 96


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def sample():
    random = np.random.default_rng(7)
    names = [f"name {number:05}" for number in range(3_000)]
    return names, unit(random.normal(size=(len(names), DIMENSIONS)))


def written(path, names, vectors, **facts):
    rows = dict(zip(names, vectors.astype(np.float16), strict=True))
    given = {"embedder": "e", "fingerprint": "1", "dimensions": vectors.shape[1], **facts}
    return NameVectors.write(path, names, rows.__getitem__, **given)


def test_each_vector_finds_its_own_name_first(tmp_path, sample):
    names, vectors = sample
    index = written(tmp_path / "v", names, vectors)
    assert [found[0].key for found in index.search(vectors[::30], limit=3)] == names[::30]
    assert len(index) == len(names)
    assert index.dimensions == DIMENSIONS


def test_codes_lose_little_of_what_looking_at_every_vector_finds(tmp_path, sample):
    names, vectors = sample
    index = written(tmp_path / "v", names, vectors)
    random = np.random.default_rng(8)
    queries = unit(vectors[::60] + 0.15 * random.normal(size=vectors[::60].shape))
    found = index.search(queries, limit=3)
    exact = np.argsort(-(queries @ vectors.T), axis=1)[:, :3]
    shares = [
        len({match.key for match in own}.intersection(names[row] for row in rows)) / 3
        for own, rows in zip(found, exact, strict=True)
    ]
    assert np.mean(shares) > 0.9


def test_few_names_are_all_looked_at_and_ties_come_by_name(tmp_path):
    same = np.tile(np.array([[0.6, 0.8]], dtype=np.float32), (40, 1))
    names = [f"{number:02}" for number in range(40)]
    index = written(tmp_path / "v", names, same)
    assert [match.key for match in index.search(same[:1], limit=3)[0]] == names[:3]


def test_the_vector_of_a_name_is_given_back(tmp_path, sample):
    names, vectors = sample
    index = written(tmp_path / "v", names, vectors)
    assert np.allclose(index.vector("name 00042"), vectors[42], atol=1e-3)
    assert index.vector("name 0") is None
    assert index.vector("zzz") is None


def test_nothing_is_found_among_no_names(tmp_path, sample):
    _, vectors = sample
    index = written(tmp_path / "v", [], vectors[:0])
    assert index.search(vectors[:2]) == [[], []]


def test_a_query_of_another_length_is_told(tmp_path, sample):
    names, vectors = sample
    with pytest.raises(ValueError, match="96"):
        written(tmp_path / "v", names, vectors).search(np.ones((1, 5), dtype=np.float32))


def test_a_writer_that_fails_leaves_what_was_there(tmp_path, sample):
    names, vectors = sample
    path = tmp_path / "v"
    written(path, names[:10], vectors[:10])

    def failing(name):
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        NameVectors.write(path, names, failing, dimensions=DIMENSIONS, embedder="e", fingerprint="2")
    assert len(NameVectors.open(path)) == 10
    assert [file.name for file in tmp_path.iterdir()] == ["v"]


def test_damage_is_noticed(tmp_path, sample):
    names, vectors = sample
    path = tmp_path / "v"
    written(path, names, vectors)
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(content)
    with pytest.raises(CorruptIndexError):
        NameVectors.open(path).verify()
    path.write_bytes(bytes(content[:-100]))
    with pytest.raises(CorruptIndexError):
        NameVectors.open(path)


# --- the journal


def journal(path, embedder="e"):
    return VectorJournal(path, embedder=embedder, dimensions=DIMENSIONS)


def test_what_was_written_down_is_there_the_next_time(tmp_path, sample):
    names, vectors = sample
    with journal(tmp_path / "j") as first:
        first.append(names[:5], vectors[:5])
        first.append(["\ud800 half", "with\nline"], vectors[5:7])
    with journal(tmp_path / "j") as again:
        assert len(again) == 7
        assert np.allclose(again.vector("with\nline"), vectors[6], atol=1e-3)
        again.append(names[10:12], vectors[10:12])
        assert np.allclose(again.vector(names[11]), vectors[11], atol=1e-3)
        assert np.allclose(again.vector(names[0]), vectors[0], atol=1e-3)


@pytest.mark.parametrize("lost", [1, 200, 1_000])
def test_a_part_that_was_cut_off_is_as_if_never_written(tmp_path, sample, lost):
    names, vectors = sample
    path = tmp_path / "j"
    with journal(path) as first:
        first.append(names[:5], vectors[:5])
        whole = path.stat().st_size
        first.append(names[5:10], vectors[5:10])
    with path.open("r+b") as stream:
        stream.truncate(path.stat().st_size - lost)
    with journal(path) as again:
        assert len(again) == 5
        assert path.stat().st_size == whole
        again.append(names[7:9], vectors[7:9])
    with journal(path) as last:
        assert names[8] in last
        assert names[9] not in last


def test_another_embedder_begins_anew(tmp_path, sample):
    names, vectors = sample
    with journal(tmp_path / "j") as first:
        first.append(names[:5], vectors[:5])
    with journal(tmp_path / "j", embedder="other") as other:
        assert len(other) == 0
    with journal(tmp_path / "j", embedder="other") as again:
        again.append(names[:1], vectors[:1])
        assert len(again) == 1


def test_a_journal_that_has_served_is_deleted(tmp_path):
    journal(tmp_path / "j").delete()
    assert list(tmp_path.iterdir()) == []
