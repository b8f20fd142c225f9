"""Names found by what they mean: a vector of each, memory-mapped, and for each a code of one bit a dimension.

A search compares codes first (the signs of a vector's components about their mean, Hamming distance), and looks at the
vectors of the nearest few hundred: of 100,000 names 5 MB are read in place of 77. This is binary quantisation with
rescoring (Yamada, Asai and Hajishirzi, 2021: "Efficient passage retrieval with hashing").
"""

from __future__ import annotations

import secrets
from bisect import bisect_left
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .array_file import ArrayFile, write_arrays
from .embedded_file import EmbeddedFile
from .strings import StringTable, StringTableBuilder
from .vectors import VectorMatch

_KIND: Final = "name vectors"
_FORMAT: Final = 1
_ROWS_PER_BLOCK: Final = 16_384
_BITS: Final = 64
# Names whose vectors are looked at, for each that is wanted and at the least.
_LOOKED_AT: Final = 20
_FEWEST_LOOKED_AT: Final = 400
# As in :mod:`.vectors`: scores that differ by less are a tie.
_DECIMALS: Final = 4


class NameVectors(EmbeddedFile):
    """Different names with their vectors, in one file. Immutable, and safe to use from several threads."""

    def __init__(self, file: ArrayFile) -> None:
        """Use :meth:`write` and :meth:`open`."""
        super().__init__(file)
        self.names = StringTable(file["names.text"], file["names.offsets"])
        self._vectors: NDArray[np.float16] = file["vectors"]
        self._codes: NDArray[np.uint64] = file["codes"]
        self._mean: NDArray[np.float32] = file["mean"]

    def __len__(self) -> int:
        return len(self.names)

    @classmethod
    def open(cls, path: Path) -> NameVectors:
        """Map the file. Raises :class:`~askgraph.core.errors.CorruptIndexError` if it is missing or damaged."""
        return cls(ArrayFile.open(path, kind=_KIND, format=_FORMAT))

    @classmethod
    def write(
        cls,
        path: Path,
        names: Sequence[str],
        vector_of: Callable[[str], NDArray[np.float16]],
        *,
        dimensions: int,
        embedder: str,
        fingerprint: str,
    ) -> NameVectors:
        """Write the file ``path`` and open it; until the new one is whole the old one stays.

        Args:
            path: the file.
            names: different names in ascending order.
            vector_of: gives the vector of a name, of length 1.
            dimensions: the length of each vector.
            embedder: the name of the embedder that made them.
            fingerprint: the version of the graph whose names these are.
        """
        spool = path.with_name(f".{path.name}.{secrets.token_hex(4)}.rows.partial")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            matrix = _spooled(spool, names, vector_of, dimensions)
            mean = _mean(matrix)
            arrays = {
                **StringTableBuilder(names).build().arrays("names"),
                "mean": mean,
                "codes": _codes(matrix, mean),
                "vectors": matrix,
            }
            facts = {"embedder": embedder, "fingerprint": fingerprint}
            write_arrays(path, arrays, kind=_KIND, format=_FORMAT, facts=facts)
        finally:
            spool.unlink(missing_ok=True)
        return cls.open(path)

    def vector(self, name: str) -> NDArray[np.float16] | None:
        """The vector of a name; ``None`` for a name that has none."""
        row = bisect_left(self.names, name)
        if row == len(self) or self.names[row] != name:
            return None
        found: NDArray[np.float16] = self._vectors[row]
        return found

    def search(self, queries: NDArray[np.float32], limit: int = 10) -> list[list[VectorMatch]]:
        """For each row of ``queries``, shape ``(n, dimensions)`` and of length 1, the nearest names with their cosine,
        the best first, ties by name."""
        if np.ndim(queries) != 2 or np.shape(queries)[1] != self.dimensions:
            raise ValueError(f"queries of shape {np.shape(queries)} where vectors have {self.dimensions}")
        asked = np.asarray(queries, dtype=np.float32)
        return [
            self._nearest(query, code, limit)
            for query, code in zip(asked, _codes(asked, self._mean), strict=True)
        ]

    def verify(self) -> None:
        """Read everything and check it. Raises :class:`~askgraph.core.errors.CorruptIndexError`."""
        self._file.verify()

    def _nearest(self, query: NDArray[np.float32], code: NDArray[np.uint64], limit: int) -> list[VectorMatch]:
        rows = self._near_by_code(code, max(_FEWEST_LOOKED_AT, _LOOKED_AT * limit))
        scores = np.round(self._vectors[rows].astype(np.float32) @ query, _DECIMALS)
        order = np.argsort(-scores, kind="stable")[: max(limit, 0)]
        names = self.names.take(rows[order])
        return [VectorMatch(name, float(score)) for name, score in zip(names, scores[order], strict=True)]

    def _near_by_code(self, code: NDArray[np.uint64], most: int) -> NDArray[np.int64]:
        """The rows whose codes differ least, in ascending order; of equally near ones the first."""
        if len(self) <= most:
            return np.arange(len(self), dtype=np.int64)
        distances = np.empty(len(self), dtype=np.uint16)
        for start in range(0, len(self), _ROWS_PER_BLOCK):
            differing = np.bitwise_count(self._codes[start : start + _ROWS_PER_BLOCK] ^ code)
            distances[start : start + len(differing)] = differing.sum(axis=1, dtype=np.uint16)
        farthest = int(np.partition(distances, most - 1)[most - 1])
        nearer = np.flatnonzero(distances < farthest)
        equal = np.flatnonzero(distances == farthest)[: most - len(nearer)]
        return np.sort(np.concatenate([nearer, equal]))


def _spooled(
    spool: Path, names: Sequence[str], vector_of: Callable[[str], NDArray[np.float16]], dimensions: int
) -> NDArray[np.float16]:
    """The vectors of some names, in a file: those of millions are more than memory should hold."""
    if not names:
        return np.empty((0, dimensions), dtype=np.float16)
    matrix = np.memmap(spool, dtype=np.float16, mode="w+", shape=(len(names), dimensions))
    for row, name in enumerate(names):
        matrix[row] = vector_of(name)
    matrix.flush()
    return matrix


def _mean(matrix: NDArray[np.float16]) -> NDArray[np.float32]:
    total = np.zeros(matrix.shape[1], dtype=np.float64)
    for start in range(0, len(matrix), _ROWS_PER_BLOCK):
        total += matrix[start : start + _ROWS_PER_BLOCK].sum(axis=0, dtype=np.float64)
    mean: NDArray[np.float32] = (total / max(1, len(matrix))).astype(np.float32)
    return mean


def _codes(matrix: NDArray[np.floating], mean: NDArray[np.float32]) -> NDArray[np.uint64]:
    """One bit for each component: whether it lies above the mean. Shape ``(rows, words of 64 bits)``."""
    width = -(-matrix.shape[1] // _BITS)
    codes = np.zeros((len(matrix), width), dtype=np.uint64)
    for start in range(0, len(matrix), _ROWS_PER_BLOCK):
        bits = np.packbits(matrix[start : start + _ROWS_PER_BLOCK] > mean, axis=1)
        padded = np.zeros((len(bits), 8 * width), dtype=np.uint8)
        padded[:, : bits.shape[1]] = bits
        codes[start : start + len(bits)] = padded.view("<u8")
    return codes
