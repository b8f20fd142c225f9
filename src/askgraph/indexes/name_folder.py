"""How a name index lies in its folder: immutable segments, and a header that says which of them count.

A new state is written beside the old one and takes effect when the header is replaced, so a reader always finds a
whole index, and a writer that dies leaves nothing but files for the next one to sweep.
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import CorruptIndexError
from .array_file import ADVICE, ArrayFile, replacing, write_arrays
from .segment import FORMAT as SEGMENT_FORMAT
from .segment import KIND as SEGMENT_KIND
from .segment import NameSegment

_HEADER = "index.json"
_KIND = "name index"
_FORMAT = 1
_REMOVED_KIND = "removed names"
_SEGMENT_SUFFIX = ".names"
_REMOVED_SUFFIX = ".removed"


@dataclass(frozen=True, slots=True)
class Part:
    """A segment file and, where entries of it no longer count, the file that lists them."""

    file: str
    removed: str | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """What an index consists of, and what it was made from."""

    fingerprint: str
    parts: tuple[Part, ...]


def read_header(folder: Path) -> Header:
    """Raises :class:`CorruptIndexError` when there is none or it cannot be used."""
    file = folder / _HEADER
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if (data["kind"], data["format"]) != (_KIND, _FORMAT):
            raise ValueError(f"it is not a {_KIND} of format {_FORMAT}")
        parts = tuple(
            Part(_plain_name(part["file"]), _optional_name(part["removed"])) for part in data["parts"]
        )
        return Header(str(data["fingerprint"]), parts)
    except OSError as error:
        raise CorruptIndexError(
            f"There is no name index in {folder}: {error.strerror or error}.", advice=ADVICE
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptIndexError(f"The index file {file} cannot be used: {error}.", advice=ADVICE) from error


def open_parts(folder: Path, header: Header) -> list[NameSegment]:
    """The segments of this header. Raises :class:`CorruptIndexError`."""
    opened = []
    for part in header.parts:
        removed = np.empty(0, dtype=np.int32)
        if part.removed is not None:
            removed = ArrayFile.open(folder / part.removed, kind=_REMOVED_KIND, format=_FORMAT)["rows"]
        file = ArrayFile.open(folder / part.file, kind=SEGMENT_KIND, format=SEGMENT_FORMAT)
        opened.append(NameSegment(file, removed))
    return opened


def write_segment(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write a segment; its file's name comes from its content."""
    return _write(folder, arrays, SEGMENT_KIND, SEGMENT_FORMAT, _SEGMENT_SUFFIX)


def write_removed(folder: Path, rows: NDArray[np.int32]) -> str | None:
    """Write the rows that no longer count, if there are any."""
    if not len(rows):
        return None
    return _write(folder, {"rows": rows}, _REMOVED_KIND, _FORMAT, _REMOVED_SUFFIX)


def bring_segment(file: Path, folder: Path) -> str:
    """The same segment in another folder: the same bytes on disk where the file system can share them."""
    target = folder / file.name
    if not target.exists():
        try:
            os.link(file, target)
        except OSError:
            with file.open("rb") as source, replacing(target) as copy:
                shutil.copyfileobj(source, copy)
    return file.name


def write_header(folder: Path, header: Header) -> None:
    """Make this the state of the index, and sweep away the files of others."""
    data = {
        "kind": _KIND,
        "format": _FORMAT,
        "fingerprint": header.fingerprint,
        "parts": [{"file": part.file, "removed": part.removed} for part in header.parts],
    }
    with replacing(folder / _HEADER) as file:
        file.write(json.dumps(data, indent=1, ensure_ascii=True).encode("ascii"))
    sweep(folder)


def sweep(folder: Path) -> None:
    """Delete what the header does not need. A file that a reader holds open may stay until the next time."""
    parts: tuple[Part, ...] = ()
    if (folder / _HEADER).exists():
        parts = read_header(folder).parts
    needed = {part.file for part in parts} | {part.removed for part in parts}
    for file in folder.iterdir():
        ours = file.suffix in (_SEGMENT_SUFFIX, _REMOVED_SUFFIX, ".partial")
        if ours and file.name not in needed:
            with suppress(OSError):
                file.unlink()


def _write(folder: Path, arrays: Mapping[str, NDArray[Any]], kind: str, format: int, suffix: str) -> str:
    checksum = 0
    for array in arrays.values():
        checksum = zlib.crc32(array.data if array.nbytes else b"", checksum)
    entries = sum(len(array) for array in arrays.values())
    name = f"{checksum:08x}-{entries:x}{suffix}"
    write_arrays(folder / name, arrays, kind=kind, format=format, facts={})
    return name


def _plain_name(name: Any) -> str:
    # A header must not lead out of its folder.
    if not isinstance(name, str) or Path(name).name != name:
        raise ValueError(f"{name!r} is not a file of the index")
    return name


def _optional_name(name: Any) -> str | None:
    return None if name is None else _plain_name(name)
