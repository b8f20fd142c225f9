"""Vectors written down as they are made, so that work of hours that is interrupted goes on where it was.

The file begins with a line that says which embedder made the vectors. Each part that follows is a line of JSON (its
names, and the checksum of its vectors) and the vectors themselves. A part that was not finished is as if it had never
been written.
"""

from __future__ import annotations

import errno
import json
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import numpy as np
from numpy.typing import NDArray

_KIND = "vector journal"
_FORMAT = 1


class VectorJournal:
    """The vectors of names so far. A context manager. Two processes that write at once do the same work twice, and no
    harm: each part is appended in one go.

    Args:
        path: the file; made when missing, begun anew if another embedder wrote it.
        embedder: the name of the embedder.
        dimensions: the length of a vector.
    """

    def __init__(self, path: Path, *, embedder: str, dimensions: int) -> None:
        self.path = path
        self._dimensions = dimensions
        self._head = {"kind": _KIND, "format": _FORMAT, "embedder": embedder, "dimensions": dimensions}
        self._places: dict[str, int] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._writer = path.open("ab", buffering=0)
        self._reader: IO[bytes] = path.open("rb")
        end = self._read()
        if end < self._writer.tell():
            self._writer.truncate(end)
        if end == 0:
            self._append(_line(self._head))

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def append(self, names: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Add the vectors of some names, shape ``(len(names), dimensions)``, and let them reach the disk."""
        content = np.ascontiguousarray(vectors, dtype="<f2").tobytes()
        head = _line({"names": list(names), "checksum": zlib.crc32(content)})
        self._note(names, self._append(head + content) + len(head))

    def vector(self, name: str) -> NDArray[np.float16]:
        """The vector of a name. Raises :class:`KeyError` if it has none yet."""
        self._reader.seek(self._places[name])
        content = self._reader.read(self._row_size)
        return np.frombuffer(content, dtype="<f2").astype(np.float16, copy=False)

    def delete(self) -> None:
        """Close the journal and delete its file: its vectors have gone where they belong."""
        self.close()
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file, which stays."""
        self._writer.close()
        self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _row_size(self) -> int:
        return 2 * self._dimensions

    def _append(self, content: bytes) -> int:
        """Write at the end. Gives where what was written begins."""
        written = self._writer.write(content)
        if written < len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
        return self._writer.tell() - written

    def _note(self, names: Sequence[str], start: int) -> None:
        for row, name in enumerate(names):
            self._places[name] = start + row * self._row_size

    def _read(self) -> int:
        """Note what the file has. Gives where its last whole part ends; 0 where it is not of this embedder."""
        if _parsed(self._reader.readline()) != self._head:
            return 0
        end = self._reader.tell()
        while True:
            part = _parsed(self._reader.readline())
            if not isinstance(part, dict) or not isinstance(part.get("names"), list):
                return end
            start = self._reader.tell()
            size = len(part["names"]) * self._row_size
            content = self._reader.read(size)
            if len(content) < size or zlib.crc32(content) != part.get("checksum"):
                return end
            self._note(part["names"], start)
            end = start + size


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=True).encode("ascii") + b"\n"


def _parsed(line: bytes) -> Any:
    if not line.endswith(b"\n"):
        return None
    try:
        return json.loads(line)
    except ValueError:
        return None
