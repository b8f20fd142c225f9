"""Vectors in one file that several processes may use at once. A cache: see :mod:`.cache_file`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .cache_file import CacheFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The oldest vectors go beyond this; 200,000 of 384 dimensions take about 330 MB.
_ROW_LIMIT = 200_000


class VectorFile:
    """A file of vectors by key. Not thread-safe: its user holds a lock. No method fails because of the file."""

    def __init__(
        self, path: Path, *, dimensions: int, row_limit: int = _ROW_LIMIT, timeout: float = 5.0
    ) -> None:
        """``timeout``: seconds to wait for another process that is writing."""
        self._file = CacheFile(path, table="vectors", column="vector", row_limit=row_limit, timeout=timeout)
        self._dimensions = dimensions

    def read(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """The vectors that are there, by key. One that was damaged on disk counts as not there."""
        return {
            key: np.frombuffer(blob, dtype="<f4").astype(np.float32)
            for key, blob in self._file.read(keys).items()
            if len(blob) == 4 * self._dimensions
        }

    def write(self, vectors: dict[bytes, NDArray[np.float32]]) -> None:
        """Keep these vectors; let the oldest go when there are too many."""
        self._file.write({key: vector.astype("<f4").tobytes() for key, vector in vectors.items()})

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._file.close()
