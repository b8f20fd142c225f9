"""Many arrays in one file: written whole or not at all, opened without being read.

Layout: 8 bytes that name the format, the length of the header (8 bytes, little-endian), the header (JSON, UTF-8),
then each array's bytes, little-endian, each at a multiple of 64. The header holds a kind, a format number, facts for
the file's user, and for each array its type, shape and place, and a checksum over all of them.
"""

from __future__ import annotations

import json
import os
import secrets
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import CorruptIndexError

_MAGIC = b"askgrph1"
_PREFIX = struct.Struct("<8sQ")
_ALIGNMENT = 64
_LARGEST_HEADER = 1 << 28
ADVICE = "Make it anew with: askgraph index"


class ArrayFile:
    """Arrays that live in a file, mapped into memory read-only. They stay usable for as long as they are held."""

    def __init__(self, path: Path, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        self.path = path
        self.facts: dict[str, Any] = header["facts"]
        self._checksum: int = header["checksum"]
        self._arrays = arrays

    def __getitem__(self, name: str) -> NDArray[Any]:
        try:
            return self._arrays[name]
        except KeyError:
            raise _damaged(self.path, f"it has no array {name!r}") from None

    @classmethod
    def in_memory(cls, arrays: Mapping[str, NDArray[Any]]) -> ArrayFile:
        """Arrays that were never written, in the same form."""
        return cls(Path("(in memory)"), {"facts": {}, "checksum": _checksum(arrays)}, dict(arrays))

    @classmethod
    def open(cls, path: Path, *, kind: str, format: int) -> ArrayFile:
        """Map the file. Takes well under a millisecond whatever its size.

        Raises :class:`CorruptIndexError` if it is missing, cut short, of another kind or of another format.
        """
        try:
            with path.open("rb") as file:
                header, start = _read_header(path, file)
                size = os.fstat(file.fileno()).st_size
                if (header.get("kind"), header.get("format")) != (kind, format):
                    raise _damaged(path, f"it is not a {kind} of format {format}")
                if size != start + header["length"]:
                    raise _damaged(path, f"it has {size:,} bytes where {start + header['length']:,} are due")
                content = np.memmap(file, dtype=np.uint8, mode="r").view(np.ndarray)
        except OSError as error:
            raise _damaged(path, error.strerror or str(error)) from error
        try:
            arrays = {
                name: _view(content[start + place["offset"] :], place)
                for name, place in header["arrays"].items()
            }
            return cls(path, header, arrays)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise _damaged(path, f"its header is not usable: {error!r}") from error

    def verify(self) -> None:
        """Read everything and compare its checksum. Raises :class:`CorruptIndexError` when a single bit differs."""
        if _checksum(self._arrays) != self._checksum:
            raise _damaged(self.path, "its content does not have the checksum that was written with it")


def write_arrays(
    path: Path, arrays: Mapping[str, NDArray[Any]], *, kind: str, format: int, facts: Mapping[str, Any]
) -> None:
    """Write the file so that at every moment either the old one or the whole new one is there."""
    little = {name: _little_endian(array) for name, array in arrays.items()}
    places, length = {}, 0
    for name, array in little.items():
        places[name] = {"type": array.dtype.str, "shape": list(array.shape), "offset": length}
        length = _aligned(length + array.nbytes)
    header = {"kind": kind, "format": format, "facts": facts, "length": length, "checksum": _checksum(little)}
    encoded = json.dumps(header | {"arrays": places}, ensure_ascii=True, allow_nan=False).encode("ascii")
    start = _aligned(_PREFIX.size + len(encoded))
    with replacing(path) as file:
        file.write(_PREFIX.pack(_MAGIC, len(encoded)))
        file.write(encoded)
        file.write(bytes(start - file.tell()))
        for array in little.values():
            file.write(array.data if array.nbytes else b"")
            file.write(bytes(_aligned(array.nbytes) - array.nbytes))


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write, which takes the place of ``path`` when the block ends well and vanishes when it does not."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
    try:
        with partial.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        _sync_folder(path.parent)
    finally:
        partial.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    # Makes the rename itself durable, where folders can be opened (not on Windows).
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _read_header(path: Path, file: IO[bytes]) -> tuple[dict[str, Any], int]:
    prefix = file.read(_PREFIX.size)
    if len(prefix) < _PREFIX.size:
        raise _damaged(path, "it is cut short")
    magic, length = _PREFIX.unpack(prefix)
    if magic != _MAGIC or length > _LARGEST_HEADER:
        raise _damaged(path, "it is not an index file")
    try:
        header = json.loads(file.read(length))
        int(header["length"])
    except (ValueError, TypeError, KeyError) as error:
        raise _damaged(path, "its header cannot be read") from error
    return header, _aligned(_PREFIX.size + length)


def _view(content: NDArray[np.uint8], place: dict[str, Any]) -> NDArray[Any]:
    dtype = np.dtype(place["type"])
    if dtype.hasobject:
        raise ValueError("an array of objects")
    shape = tuple(int(size) for size in place["shape"])
    count = int(np.prod(shape, dtype=np.int64))
    array: NDArray[Any] = content[: count * dtype.itemsize].view(dtype).reshape(shape)
    return array


def _little_endian(array: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))


def _checksum(arrays: Mapping[str, NDArray[Any]]) -> int:
    checksum = 0
    for array in arrays.values():
        checksum = zlib.crc32(array.data if array.nbytes else b"", checksum)
    return checksum


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _damaged(path: Path, reason: str) -> CorruptIndexError:
    return CorruptIndexError(f"The index file {path} cannot be used: {reason}.", advice=ADVICE)
