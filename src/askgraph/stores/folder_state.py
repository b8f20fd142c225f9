"""What lies in a graph folder beside the graph: for those who look after it."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .folder import _LOCK, _UNFINISHED, _VERSIONS
from .locks import try_lock


@dataclass(frozen=True, slots=True)
class FolderState:
    """The state of a graph folder at one moment.

    Attributes:
        versions: numbers of the published versions that are still there, the oldest first.
        unfinished: folders that a writer is filling, or that a killed one left.
        bytes: what all files take together.
        writer: who is writing now, in words; ``""`` if nobody is.
    """

    versions: tuple[int, ...]
    unfinished: tuple[str, ...]
    bytes: int
    writer: str


def folder_state(path: Path) -> FolderState:
    """Look at a graph folder without changing anything. What cannot be read counts as not there."""
    versions = path / _VERSIONS
    names = sorted(entry.name for entry in versions.iterdir()) if versions.is_dir() else []
    return FolderState(
        versions=tuple(sorted(int(name) for name in names if name.isdecimal())),
        unfinished=tuple(name for name in names if name.startswith(_UNFINISHED)),
        bytes=_size(path),
        writer=_writer(path / _LOCK),
    )


def _size(folder: Path) -> int:
    total = 0
    for file in folder.rglob("*"):
        with suppress(OSError):  # swept in the meantime
            total += file.stat().st_size if file.is_file() else 0
    return total


def _writer(lock: Path) -> str:
    """A writer leaves its name in the lock file and clears it at its end; a killed one leaves it, without the lock."""
    try:
        name = lock.read_text(encoding="utf-8").strip()
        descriptor = os.open(lock, os.O_RDONLY) if name else -1
    except (OSError, UnicodeDecodeError):
        return ""
    if descriptor < 0:
        return ""
    try:
        return "" if try_lock(descriptor, shared=True) else name
    finally:
        os.close(descriptor)
