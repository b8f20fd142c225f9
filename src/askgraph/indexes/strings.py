"""Many strings as two arrays: their UTF-8 bytes end to end, and where each begins."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

# Any Python string must survive, a lone surrogate too (a name that was cut in the middle of a pair).
_ERRORS = "surrogatepass"
_ROWS_PER_GATHER = 65_536


class StringTable(Sequence[str]):
    """A sequence of strings that is decoded as it is read."""

    def __init__(self, text: NDArray[np.uint8], offsets: NDArray[Any]) -> None:
        """``offsets``: one more than there are strings; string ``i`` is ``text[offsets[i]:offsets[i + 1]]``."""
        self._text = text
        self._bytes = memoryview(text)  # type: ignore[arg-type]  # numpy arrays are buffers
        self._offsets = offsets
        self._size = len(offsets) - 1

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return self.take(np.arange(*row.indices(len(self))))
        place = row + self._size if row < 0 else row
        if not 0 <= place < self._size:
            raise IndexError(row)
        return str(self._bytes[self._offsets.item(place) : self._offsets.item(place + 1)], "utf-8", _ERRORS)

    def take(self, rows: NDArray[np.integer[Any]]) -> list[str]:
        """The strings of these rows, in their order; faster than one at a time."""
        content = self._bytes
        starts, ends = self._offsets[rows].tolist(), self._offsets[rows + 1].tolist()
        return [str(content[start:end], "utf-8", _ERRORS) for start, end in zip(starts, ends, strict=True)]

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """The two arrays under names that begin with ``name``, for a file."""
        return {f"{name}.text": self._text, f"{name}.offsets": self._offsets}


class StringTableBuilder:
    """Collects strings for a table."""

    def __init__(self, strings: Iterable[str] = ()) -> None:
        self._text = bytearray()
        self._ends = array("q", [0])
        for string in strings:
            self.append(string)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def append(self, string: str) -> None:
        """Add one string."""
        self._text += string.encode("utf-8", _ERRORS)
        self._ends.append(len(self._text))

    def build(self, order: NDArray[np.integer[Any]] | None = None) -> StringTable:
        """The table, with its rows in ``order`` (a permutation) where one is given."""
        text = np.frombuffer(self._text, dtype=np.uint8) if self._text else np.empty(0, dtype=np.uint8)
        offsets = np.frombuffer(self._ends, dtype=np.int64)
        if order is None:
            return StringTable(text, compact(offsets))
        lengths = np.diff(offsets)[order]
        new_offsets = offsets_of(lengths)
        new_text = np.empty(len(text), dtype=np.uint8)
        # In parts: the gather needs eight bytes for each byte that it moves.
        for start in range(0, len(order), _ROWS_PER_GATHER):
            stop = min(start + _ROWS_PER_GATHER, len(order))
            part = ranges(offsets[order[start:stop]], lengths[start:stop])
            new_text[new_offsets[start] : new_offsets[stop]] = text[part]
        return StringTable(new_text, compact(new_offsets))


def offsets_of(lengths: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Where each of several runs of these lengths begins when they lie end to end, and where the last one ends."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def ranges(
    starts: NDArray[np.integer[Any]], lengths: NDArray[np.integer[Any]], *, most: int | None = None
) -> NDArray[np.int64]:
    """``start, start + 1, …`` of each start, as many as its length, end to end.

    Raises :class:`ValueError` when there are more than ``most``: lengths from a damaged file could ask for any amount
    of memory.
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    if (most is not None and total > most) or (len(lengths) and int(lengths.min()) < 0):
        raise ValueError(f"ranges of {total} rows in all, of which one has {int(lengths.min())}")
    return np.arange(total, dtype=np.int64) + np.repeat(starts - (ends - lengths), lengths)


def compact(offsets: NDArray[np.int64]) -> NDArray[Any]:
    """The same numbers in four bytes each where they fit. ``offsets`` ascend."""
    fits = len(offsets) == 0 or int(offsets[-1]) <= np.iinfo(np.int32).max
    return offsets.astype(np.int32) if fits else offsets
