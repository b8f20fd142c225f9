"""A table of texts in arrays: text by number at once, number by text through a sorted hash.

The texts lie one after the other in one array of bytes (UTF-8). Their hashes (FNV-1a, 64 bits) are sorted beside the
numbers of the texts that they belong to; a hit is always checked against the text itself, so two texts of one hash
cost time and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.errors import CorruptGraphError
from .adjacency import open_array

_Scalar = TypeVar("_Scalar", bound=np.generic)

_FNV_OFFSET: Final = 0xCBF29CE484222325
_FNV_PRIME: Final = 0x100000001B3
_MASK: Final = 2**64 - 1
# Ids differ at their ends; a text of megabytes need not be read whole for its hash.
_HASHED_BYTES: Final = 512
# Below this many texts a loop over their bytes is faster than arrays.
_FEW: Final = 64


class TextTable:
    """Texts numbered from 0. :func:`build_text_table` makes one, :func:`open_text_table` opens one that was saved."""

    def __init__(
        self,
        content: NDArray[np.uint8],
        offsets: NDArray[np.int64],
        hashes: NDArray[np.uint64],
        numbers: NDArray[np.int64],
    ) -> None:
        self._content = content
        self._bytes = memoryview(content.data)
        self._offsets = offsets
        self._hashes = hashes
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def text(self, number: int) -> str:
        """The text with this number."""
        return str(self._bytes[self._offsets[number] : self._offsets[number + 1]], "utf-8")

    def texts(self, numbers: NDArray[np.int64]) -> list[str]:
        """The texts with these numbers, in their order; each is decoded once."""
        distinct, positions = np.unique(numbers, return_inverse=True)
        view = self._bytes
        ends = zip(self._offsets[distinct].tolist(), self._offsets[distinct + 1].tolist(), strict=True)
        decoded = [str(view[start:end], "utf-8") for start, end in ends]
        return [decoded[position] for position in positions.tolist()]

    def find(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """The number of each text, -1 for a text that is not there.

        A text may have been added more than once (see :func:`build_text_table`): the lowest number is given.
        """
        encoded = [_encode(text) for text in texts]
        wanted = _hashes_of(encoded)
        starts = np.searchsorted(self._hashes, wanted)
        found = np.full(len(texts), -1, dtype=np.int64)
        for position, (start, hashed) in enumerate(zip(starts.tolist(), wanted, strict=True)):
            content = encoded[position]
            while content is not None and start < len(self._hashes) and self._hashes[start] == hashed:
                number = self._numbers[start]
                if self._bytes[self._offsets[number] : self._offsets[number + 1]] == content:
                    found[position] = number
                    break
                start += 1
        return found

    def save(self, folder: Path, name: str) -> None:
        """Write the arrays to ``folder`` as ``.npy`` files whose names begin with ``name``."""
        folder.mkdir(parents=True, exist_ok=True)
        parts: dict[str, NDArray[Any]] = {
            "text": self._content,
            "offsets": self._offsets,
            "hashes": self._hashes,
            "numbers": self._numbers,
        }
        for part, array in parts.items():
            np.save(folder / f"{name}_{part}.npy", array, allow_pickle=False)


def open_text_table(folder: Path, name: str) -> TextTable:
    """Map what :meth:`TextTable.save` wrote into memory. Raises :class:`CorruptGraphError`."""
    content, offsets, hashes, numbers = (
        open_array(folder / f"{name}_{part}.npy") for part in ("text", "offsets", "hashes", "numbers")
    )
    if (
        len(offsets) == 0
        or offsets[-1] != len(content)
        or len(hashes) != len(numbers)
        or len(hashes) >= len(offsets)
    ):
        raise CorruptGraphError(
            f"the table {name} in {folder} does not fit together", advice="Load the graph again."
        )
    return TextTable(content, offsets, hashes, numbers)


def build_text_table(chunks: Iterable[Sequence[str | None]]) -> TextTable:
    """A table of the texts of all chunks, numbered in their order. ``None`` takes a number and is never found."""
    contents: list[bytes] = []
    lengths: list[NDArray[np.int64]] = []
    hashes: list[NDArray[np.uint64]] = []
    present: list[NDArray[np.bool_]] = []
    for chunk in chunks:
        encoded = [b"" if text is None else text.encode() for text in chunk]
        contents.append(b"".join(encoded))
        lengths.append(np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded)))
        hashes.append(_hash_many(contents[-1], lengths[-1]))
        present.append(np.fromiter((text is not None for text in chunk), dtype=np.bool_, count=len(chunk)))
    offsets = np.zeros(sum(map(len, lengths)) + 1, dtype=np.int64)
    np.cumsum(_joined(lengths, np.int64), out=offsets[1:])
    numbers = np.flatnonzero(_joined(present, np.bool_))
    ordered = _joined(hashes, np.uint64)[numbers]
    order = np.argsort(ordered, kind="stable")
    content = np.frombuffer(b"".join(contents), dtype=np.uint8)
    return TextTable(content, offsets, ordered[order], numbers[order])


def _joined(arrays: list[NDArray[_Scalar]], dtype: type[_Scalar]) -> NDArray[_Scalar]:
    return np.concatenate(arrays) if arrays else np.empty(0, dtype=dtype)


def _encode(text: str) -> bytes | None:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def _hashes_of(encoded: Sequence[bytes | None]) -> NDArray[np.uint64]:
    texts = [content or b"" for content in encoded]
    if len(texts) < _FEW:
        return np.array([_hash_one(content) for content in texts], dtype=np.uint64)
    return _hash_many(b"".join(texts), np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)))


def _hash_one(content: bytes) -> int:
    value = _FNV_OFFSET ^ len(content)
    for byte in content[-_HASHED_BYTES:]:
        value = ((value ^ byte) * _FNV_PRIME) & _MASK
    return value


def _hash_many(content: bytes, lengths: NDArray[np.int64]) -> NDArray[np.uint64]:
    """:func:`_hash_one` of texts that lie one after the other, a byte of every text at a time."""
    data = np.frombuffer(content, dtype=np.uint8).astype(np.uint64)
    hashed = np.minimum(lengths, _HASHED_BYTES)
    starts = np.cumsum(lengths) - hashed
    # The longest first: the texts that still have a byte are always a prefix.
    order = np.argsort(-hashed, kind="stable")
    starts, hashed = starts[order], hashed[order]
    values = np.uint64(_FNV_OFFSET) ^ lengths[order].astype(np.uint64)
    for position in range(int(hashed[0]) if len(hashed) else 0):
        active = int(np.searchsorted(-hashed, -position, side="left"))
        values[:active] = (values[:active] ^ data[starts[:active] + position]) * np.uint64(_FNV_PRIME)
    result = np.empty_like(values)
    result[order] = values
    return result
