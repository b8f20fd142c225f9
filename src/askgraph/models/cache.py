"""Vectors kept by content, so that no text is embedded twice."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np

from .base import Embedder
from .vector_file import VectorFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

# So many new texts are embedded before their vectors are stored: what an interruption can lose.
_TEXTS_PER_STORE = 256


class CachedEmbedder:
    """An :class:`~askgraph.models.base.Embedder` that asks another one only for texts that it has not seen.

    Vectors are kept under the embedder's name and the text: the latest in memory, all of them in a file that any
    number of processes may share. The file is only a cache: one that is damaged is made anew, one that cannot be
    written is done without (a warning is logged).
    """

    def __init__(self, embedder: Embedder, path: Path | None = None, *, memory_limit: int = 20_000) -> None:
        """``path``: the file, made when missing; ``None`` keeps vectors in memory only.

        ``memory_limit``: how many vectors are kept in memory.
        """
        self._embedder = embedder
        self._file = VectorFile(path, dimensions=embedder.dimensions) if path is not None else None
        self._memory: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()
        self._memory_limit = memory_limit
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The name of the embedder behind: its vectors are the same with and without this cache."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self._embedder.dimensions

    @property
    def unrelated(self) -> float:
        """As the embedder behind."""
        return self._embedder.unrelated

    @property
    def same(self) -> float:
        """As the embedder behind."""
        return self._embedder.same

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As :meth:`Embedder.embed`. The caller may change the array: it is a copy."""
        keys = [self._key(text) for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        with self._lock:
            found = self._recall(wanted)
        missing = [key for key in wanted if key not in found]
        for start in range(0, len(missing), _TEXTS_PER_STORE):
            batch = missing[start : start + _TEXTS_PER_STORE]
            vectors = self._embedder.embed([wanted[key] for key in batch])
            new = dict(zip(batch, vectors, strict=True))
            with self._lock:
                self._remember(new)
                if self._file is not None:
                    self._file.write(new)
            found.update(new)
        result = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, key in enumerate(keys):
            result[row] = found[key]
        return result

    def close(self) -> None:
        """Close the file. The cache works on afterwards, in memory."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def __enter__(self) -> CachedEmbedder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _key(self, text: str) -> bytes:
        content = f"{self.name}\0{text}".encode("utf-8", errors="surrogatepass")
        return hashlib.blake2b(content, digest_size=20).digest()

    def _recall(self, wanted: dict[bytes, str]) -> dict[bytes, NDArray[np.float32]]:
        found = {}
        for key in wanted:
            vector = self._memory.get(key)
            if vector is not None:
                self._memory.move_to_end(key)
                found[key] = vector
        if self._file is not None and len(found) < len(wanted):
            stored = self._file.read([key for key in wanted if key not in found])
            self._remember(stored)
            found.update(stored)
        return found

    def _remember(self, vectors: dict[bytes, NDArray[np.float32]]) -> None:
        self._memory.update(vectors)
        while len(self._memory) > self._memory_limit:
            self._memory.popitem(last=False)
