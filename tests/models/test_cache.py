from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from askgraph.models.base import Embedder
from askgraph.models.cache import CachedEmbedder
from askgraph.models.minilm import MiniLM
from askgraph.models.vector_file import VectorFile

TEXTS = ["has manager", "price", "has manager", "", "weight in grams", "Größe", "\ud800"]


class Recorder:
    """The real embedder, with a list of what it was asked for."""

    def __init__(self, name: str | None = None) -> None:
        self._embedder = MiniLM(threads=1)
        self.name = name or self._embedder.name
        self.dimensions = self._embedder.dimensions
        self.unrelated, self.same = self._embedder.unrelated, self._embedder.same
        self.asked: list[str] = []

    def embed(self, texts):
        self.asked.extend(texts)
        return self._embedder.embed(texts)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "new folder" / "vectors.sqlite"


def test_it_is_an_embedder_with_the_vectors_of_the_one_behind(path):
    with CachedEmbedder(MiniLM(), path) as cached:
        assert isinstance(cached, Embedder)
        assert (cached.name, cached.dimensions) == (MiniLM.name, 384)
        expected = MiniLM().embed(TEXTS)
        assert np.array_equal(cached.embed(TEXTS), expected)
        assert np.array_equal(cached.embed(TEXTS), expected)
        assert cached.embed([]).shape == (0, 384)


def test_a_text_is_embedded_once(path):
    recorder = Recorder()
    with CachedEmbedder(recorder, path) as cached:
        cached.embed(TEXTS)
        cached.embed(["price", "new"])
    assert recorder.asked == [*dict.fromkeys(TEXTS), "new"]


def test_a_second_run_embeds_nothing_and_gives_the_same_bytes(path):
    with CachedEmbedder(Recorder(), path) as cached:
        first = cached.embed(TEXTS)
    again = Recorder()
    with CachedEmbedder(again, path) as cached:
        second = cached.embed(TEXTS)
    assert again.asked == []
    assert second.tobytes() == first.tobytes()


def test_without_a_file_vectors_are_kept_in_memory_up_to_the_limit():
    recorder = Recorder()
    cached = CachedEmbedder(recorder, memory_limit=2)
    cached.embed(["a", "b"])
    cached.embed(["a"])  # now b is the oldest
    cached.embed(["c"])
    cached.embed(["a", "c"])
    assert recorder.asked == ["a", "b", "c"]
    cached.embed(["b"])
    assert recorder.asked == ["a", "b", "c", "b"]


def test_more_texts_at_once_than_memory_holds(path):
    texts = [f"t{number}" for number in range(30)]
    cached = CachedEmbedder(MiniLM(), path, memory_limit=5)
    expected = MiniLM().embed(texts)
    assert np.array_equal(cached.embed(texts), expected)
    assert np.array_equal(cached.embed(texts), expected)


def test_vectors_of_another_embedder_are_not_taken(path):
    CachedEmbedder(Recorder(), path).embed(["a"])
    other = Recorder(name="another")
    CachedEmbedder(other, path).embed(["a"])
    assert other.asked == ["a"]


def test_changing_the_result_does_not_change_the_cache(path):
    cached = CachedEmbedder(MiniLM(), path)
    cached.embed(["a"])[:] = 0
    np.testing.assert_allclose(np.linalg.norm(cached.embed(["a"])), 1.0, atol=1e-6)


@pytest.mark.parametrize(
    "damage", ["garbage", "truncated", "overwritten pages", "another program's database"]
)
def test_a_damaged_file_is_made_anew(path, damage, caplog):
    with CachedEmbedder(MiniLM(), path) as cached:
        cached.embed([f"text {number}" for number in range(20)])
    content = path.read_bytes()
    if damage == "garbage":
        path.write_bytes(b"not a database at all" * 1000)
    elif damage == "truncated":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "overwritten pages":
        path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    else:
        path.unlink()
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE vectors (something TEXT)")
        database.close()
    recorder = Recorder()
    with CachedEmbedder(recorder, path) as cached:
        assert np.array_equal(cached.embed(["text 3", "x"]), MiniLM().embed(["text 3", "x"]))
    assert recorder.asked == ["text 3", "x"]
    again = Recorder()
    CachedEmbedder(again, path).embed(["text 3", "x"])
    assert again.asked == []


def test_a_vector_with_a_flipped_bit_is_embedded_again(path):
    with CachedEmbedder(MiniLM(), path) as cached:
        cached.embed(["a"])
    with sqlite3.connect(path) as database:
        (blob,) = database.execute("SELECT vector FROM vectors").fetchone()
        database.execute("UPDATE vectors SET vector = ?", (bytes([blob[0] ^ 1]) + blob[1:],))
    database.close()
    recorder = Recorder()
    assert np.array_equal(CachedEmbedder(recorder, path).embed(["a"]), MiniLM().embed(["a"]))
    assert recorder.asked == ["a"]


def test_a_file_that_cannot_be_made_is_done_without_and_said_once(tmp_path, caplog):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    cached = CachedEmbedder(MiniLM(), tmp_path / "file" / "vectors.sqlite")
    with caplog.at_level(logging.WARNING):
        assert np.array_equal(cached.embed(["a", "b"]), MiniLM().embed(["a", "b"]))
        cached.embed(["c"])
    assert len(caplog.records) == 1
    assert "cannot be used" in caplog.text


def test_a_file_held_by_another_writer_is_done_without_until_it_is_free(path, caplog):
    vectors = VectorFile(path, dimensions=2, timeout=0.05)
    vector = {b"k": np.array([0.6, 0.8], dtype=np.float32)}
    vectors.write({})
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    vectors.write(vector)
    assert "cannot be used" in caplog.text
    holder.execute("COMMIT")
    holder.close()
    vectors.write(vector)
    assert np.array_equal(vectors.read([b"k"])[b"k"], vector[b"k"])
    vectors.close()


def test_the_oldest_vectors_go_when_there_are_too_many(path):
    vectors = VectorFile(path, dimensions=1, row_limit=3)
    for number in range(5):
        vectors.write({bytes([number]): np.array([number], dtype=np.float32)})
    kept = vectors.read([bytes([number]) for number in range(5)])
    assert sorted(kept) == [b"\x02", b"\x03", b"\x04"]
    vectors.close()


def test_several_processes_may_write_at_once(path):
    program = """
import sys
from pathlib import Path
import numpy as np
from askgraph.models.vector_file import VectorFile
vectors = VectorFile(Path(sys.argv[1]), dimensions=4, timeout=30)
start = int(sys.argv[2])
for number in range(start, start + 60):
    vectors.write({b"%d" % number: np.full(4, number, dtype=np.float32)})
assert len(vectors.read([b"%d" % n for n in range(start, start + 60)])) == 60
vectors.close()
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(path), str(start)], env=environment, stderr=subprocess.PIPE
        )
        for start in (0, 40, 80)
    ]
    for process in running:
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, b"")
    vectors = VectorFile(path, dimensions=4)
    found = vectors.read([b"%d" % number for number in range(140)])
    vectors.close()
    assert len(found) == 140
    assert all(np.array_equal(vector, np.full(4, int(key))) for key, vector in found.items())
