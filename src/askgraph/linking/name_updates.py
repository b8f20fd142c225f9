"""A name index brought up to date: only what has changed since it was made is written anew.

Beside an index lie two hashes of each thing in it, of its id and of its names and types. With these a later reading of
the graph tells what is new, what is called otherwise, and what is gone, without a look at the names of the rest.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import CorruptIndexError
from ..indexes.names import NameEntry, NameIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HASHES_SUFFIX = ".hashes.npy"
_THINGS_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A node, or a value, with all its names."""

    id: str
    names: tuple[str, ...]
    types: tuple[str, ...]

    def entries(self) -> Iterator[NameEntry]:
        """One entry for each name."""
        for name in self.names:
            yield NameEntry(self.id, name, self.types)


@dataclass
class _Hashes:
    """Of each thing the hash of its id and that of its content, collected in parts."""

    parts: list[NDArray[np.uint64]] = field(default_factory=list)

    def add(self, things: list[NamedThing]) -> NDArray[np.uint64]:
        pairs = [(_hash(thing.id), _hash(_content(thing))) for thing in things]
        part = np.array(pairs, dtype=np.uint64).reshape(-1, 2)
        self.parts.append(part)
        return part

    def joined(self) -> NDArray[np.uint64]:
        """All of them, ordered by the ids' hashes; shape ``(things, 2)``."""
        every = np.concatenate([np.empty((0, 2), dtype=np.uint64), *self.parts])
        return every[np.argsort(every[:, 0], kind="stable")]


def write_names(
    things: Iterable[NamedThing], path: Path, *, fingerprint: str, before: Path | None = None
) -> int | None:
    """Index the names of ``things`` in the folder ``path``.

    Args:
        things: every node or value that there is now.
        path: where the index goes.
        fingerprint: what the index is made from.
        before: an index made by this function earlier, elsewhere; what has not changed since is shared with it.

    Returns:
        How many things were new, changed or gone; ``None`` where all of it was made anew.
    """
    hashes = _Hashes()
    known = None if before is None else _opened(before)
    if known is None:
        NameIndex.build(_all_entries(things, hashes), path, fingerprint=fingerprint).close()
        np.save(_hashes_file(path), hashes.joined(), allow_pickle=False)
        return None
    index, earlier = known
    with index:
        changed = list(_changed(things, earlier, hashes))
        now = hashes.joined()
        gone = _gone(index, earlier, now)
        added = (entry for thing in changed for entry in thing.entries())
        removed = [*gone, *(thing.id for thing in changed)]
        index.updated(added, removed, path, fingerprint=fingerprint).close()
    np.save(_hashes_file(path), now, allow_pickle=False)
    return len(changed) + len(gone)


def copy_names(path: Path, target: Path) -> None:
    """The same index in another folder."""
    shutil.copytree(path, target)
    with suppress(FileNotFoundError):
        shutil.copy2(_hashes_file(path), _hashes_file(target))


def _opened(path: Path) -> tuple[NameIndex, NDArray[np.uint64]] | None:
    """The index and its hashes, if both can be read."""
    try:
        hashes = np.load(_hashes_file(path), allow_pickle=False)
        index = NameIndex.open(path)
    except (OSError, ValueError, EOFError, CorruptIndexError):
        return None
    return (index, hashes) if hashes.ndim == 2 and hashes.dtype == np.uint64 else None


def _all_entries(things: Iterable[NamedThing], hashes: _Hashes) -> Iterator[NameEntry]:
    for part in _parts(things):
        hashes.add(part)
        for thing in part:
            yield from thing.entries()


def _changed(
    things: Iterable[NamedThing], earlier: NDArray[np.uint64], hashes: _Hashes
) -> Iterator[NamedThing]:
    """Those that are new, or not as they were."""
    for part in _parts(things):
        own = hashes.add(part)
        places = np.searchsorted(earlier[:, 0], own[:, 0])
        places[places == len(earlier)] = 0
        same = (earlier[places] == own).all(axis=1) if len(earlier) else np.zeros(len(own), dtype=bool)
        yield from (part[row] for row in np.flatnonzero(~same).tolist())


def _gone(index: NameIndex, earlier: NDArray[np.uint64], now: NDArray[np.uint64]) -> list[str]:
    missing = earlier[~np.isin(earlier[:, 0], now[:, 0]), 0]
    if not len(missing):
        return []
    wanted = set(missing.tolist())
    return [id for id in index.ids() if _hash(id) in wanted]


def _parts(things: Iterable[NamedThing]) -> Iterator[list[NamedThing]]:
    part: list[NamedThing] = []
    for thing in things:
        part.append(thing)
        if len(part) == _THINGS_AT_ONCE:
            yield part
            part = []
    if part:
        yield part


def _content(thing: NamedThing) -> str:
    return "\0".join((*thing.names, "\0", *thing.types))


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _hashes_file(path: Path) -> Path:
    return path.with_name(path.name + _HASHES_SUFFIX)
