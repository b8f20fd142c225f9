"""The folder in which an embedded graph lives: immutable versions, of which ``current`` names one.

::

    company.graph/
        graph.toml              format version, kind ("property" or "rdf"), what made it
        current                 the number of the version that readers open; swapped by rename
        lock                    held by the one process that writes
        versions/
            3/                  never changed once published, but for derived things that are added to it
                version.toml    number, content hash, the files with their sizes
                pin             readers hold a shared lock on it for as long as they read
                index/          names and meanings, derived; handed down to the next version to be brought up to date
                …               what the store keeps
            .unfinished-…/      a version that a writer is making, or that a killed writer left

A reader pins the version that it opens and is never disturbed. A writer works in a folder of its own and publishes it
by two renames; killed at any moment, it leaves the graph as it was and a folder that the next writer sweeps.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path, PurePath
from types import TracebackType
from typing import Any, Final, Self, get_args

from ..core.errors import (
    CorruptGraphError,
    GraphLockedError,
    GraphNotFoundError,
    OpenError,
    UnsupportedGraphError,
)
from ..core.schema import GraphKind
from .durable import NEW_SUFFIX, flush_folder, flush_tree, replace_text
from .locks import try_lock

FORMAT_VERSION: Final = 1
# What is derived from a version, and says itself of which. The next version begins with it: most of it still holds.
DERIVED_FOLDER: Final = "index"
# What holds of one version only, and is not made anew with its index: communities, reports, calibrations.
SUBGRAPHS_FOLDER: Final = "subgraphs"

_MARK = "graph.toml"
_CURRENT = "current"
_LOCK = "lock"
_VERSIONS = "versions"
_DESCRIPTION = "version.toml"
_PIN = "pin"
_UNFINISHED = ".unfinished-"
_SWEPT = ".swept-"
_HOW_TO_LOAD = "Make one: askgraph load FILES --into PATH."
_LOAD_AGAIN = "Load the graph again into a new folder."


@dataclass(frozen=True, slots=True)
class VersionFolder:
    """One published version: where it is, its number, and the hash of its content."""

    path: Path
    number: int
    content_hash: str


class PinnedVersion:
    """A version that is not swept while this is open. A context manager; closing twice is allowed."""

    def __init__(self, version: VersionFolder, descriptor: int) -> None:
        self.version = version
        self._descriptor: int | None = descriptor

    def close(self) -> None:
        """Let the version go."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class VersionWriter:
    """An unfinished version. What is in :attr:`path` when the block of :meth:`GraphFolder.writing` ends is published,
    if :meth:`seal` was called.

    Attributes:
        path: the folder to write in.
        previous: the version that readers see now, or ``None`` for a new graph. It stays there while this is open.
    """

    def __init__(self, path: Path, previous: VersionFolder | None) -> None:
        self.path = path
        self.previous = previous
        self._content_hash: str | None = None

    @property
    def content_hash(self) -> str | None:
        """The hash that :meth:`seal` was given."""
        return self._content_hash

    def seal(self, content_hash: str) -> None:
        """Say that the version is complete. The same content must always have the same hash."""
        self._content_hash = content_hash

    def copy_previous(self, may_link: Callable[[PurePath], bool] = lambda relative: False) -> None:
        """Start from the files of the previous version.

        Args:
            may_link: whether the file at this path (relative to the version) is never modified in place, so that both
                versions can share it as a hard link. The others are copied.
        """
        if self.previous is None:
            return
        origin = self.previous.path
        for file in sorted(origin.rglob("*")):
            relative = file.relative_to(origin)
            if relative.parts[0] in (_DESCRIPTION, _PIN):
                continue
            if file.is_dir():
                (self.path / relative).mkdir(parents=True, exist_ok=True)
            else:
                (self.path / relative).parent.mkdir(parents=True, exist_ok=True)
                _link_or_copy(file, self.path / relative, link=may_link(relative))


class GraphFolder:
    """An existing graph folder.

    Attributes:
        path: where it is.
        kind: ``"property"`` or ``"rdf"``.
    """

    def __init__(self, path: Path, kind: GraphKind) -> None:
        self.path = path
        self.kind = kind

    @classmethod
    def open(cls, path: Path | str) -> GraphFolder:
        """The graph folder at ``path``.

        Raises:
            GraphNotFoundError: nothing is there, or only the remains of a first load that did not end.
            UnsupportedGraphError: it is no graph folder, or one of a newer format.
            CorruptGraphError: its description cannot be read.
        """
        path = Path(path)
        if not path.exists():
            raise GraphNotFoundError(
                f"there is no graph at {path}", advice="Make one: askgraph load FILES --into PATH."
            )
        if not path.is_dir():
            raise UnsupportedGraphError(f"{path} is a file, not a graph folder")
        if not (path / _MARK).is_file():
            if _has_only_remains(path):
                raise GraphNotFoundError(
                    f"{path} holds no graph yet: nothing was loaded, or a load did not end",
                    advice=_HOW_TO_LOAD,
                )
            raise UnsupportedGraphError(f"{path} is a folder without {_MARK}: not a graph folder")
        return cls(path, _read_kind(path / _MARK))

    def current_version(self) -> VersionFolder:
        """The version that readers open now. Raises :class:`CorruptGraphError`, also if files of it are missing."""
        return _read_version(self.path / _VERSIONS / str(_current_number(self.path)))

    def pin(self) -> PinnedVersion:
        """The current version, kept from being swept until the pin is closed. Raises :class:`CorruptGraphError`."""
        for _ in range(100):
            number = _current_number(self.path)
            folder = self.path / _VERSIONS / str(number)
            try:
                descriptor = os.open(folder / _PIN, os.O_RDONLY)
            except FileNotFoundError:
                if _current_number(self.path) != number:
                    continue  # published and swept in between
                raise CorruptGraphError(
                    f"version {number} of {self.path} is not there or incomplete", advice=_LOAD_AGAIN
                ) from None
            if try_lock(descriptor, shared=True) and _is_same_file(descriptor, folder / _PIN):
                try:
                    return PinnedVersion(_read_version(folder), descriptor)
                except BaseException:
                    os.close(descriptor)
                    raise
            os.close(descriptor)
            time.sleep(0.01)  # a writer is sweeping it
        raise OpenError(f"{self.path} changes faster than it can be opened", advice="Try again.")

    @classmethod
    @contextmanager
    def writing(
        cls, path: Path | str, *, kind: GraphKind, create: bool = True, wait: float = 0.0
    ) -> Iterator[VersionWriter]:
        """Write a new version of the graph at ``path``, alone.

        The version is published when the block ends after :meth:`VersionWriter.seal`. If it ends by an error, or
        without a seal, the graph stays as it was, and a folder that this call made is removed.

        Args:
            path: the graph folder.
            kind: what the graph is or is to be.
            create: whether to make the folder if there is none.
            wait: seconds to wait for another writer to end.

        Raises:
            GraphLockedError: another process is writing.
            GraphNotFoundError: nothing is there and ``create`` is false.
            UnsupportedGraphError: another kind of graph, or something else, is there.
            CorruptGraphError: the graph that is there is damaged.
        """
        path = Path(path)
        made = _make_folder(path) if create else []
        if not path.exists():
            raise GraphNotFoundError(f"there is no graph at {path}")
        _refuse_foreign_folder(path)
        with _exclusive_lock(path, wait):
            try:
                yield from _write_version(path, kind)
            except BaseException:
                _remove_made(path, made)
                raise
            if not (path / _MARK).exists():
                _remove_made(path, made)


def _write_version(path: Path, kind: GraphKind) -> Iterator[VersionWriter]:
    """Yields one writer and publishes what it made; the lock is held."""
    previous = _previous_version(path, kind)
    versions = path / _VERSIONS
    versions.mkdir(exist_ok=True)
    _sweep(versions, keep=previous)
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=versions))
    try:
        unfinished.chmod(versions.stat().st_mode)
        writer = VersionWriter(unfinished, previous)
        yield writer
        if writer.content_hash is not None:
            published = _publish(path, kind, unfinished, previous, writer.content_hash)
            if previous is not None:
                _hand_down(previous.path / DERIVED_FOLDER, published.path / DERIVED_FOLDER)
            _sweep(versions, keep=published)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _publish(
    path: Path, kind: GraphKind, unfinished: Path, previous: VersionFolder | None, content_hash: str
) -> VersionFolder:
    taken = [int(entry.name) for entry in (path / _VERSIONS).iterdir() if entry.name.isdecimal()]
    number = max([*taken, previous.number if previous else 0]) + 1
    sizes = {
        file.relative_to(unfinished).as_posix(): file.stat().st_size
        for file in sorted(unfinished.rglob("*"))
        if file.is_file()
    }
    description: dict[str, Any] = {"number": number, "content_hash": content_hash}
    (unfinished / _DESCRIPTION).write_text(_toml(description, files=sizes), encoding="utf-8")
    (unfinished / _PIN).touch()
    flush_tree(unfinished)
    version = path / _VERSIONS / str(number)
    unfinished.rename(version)
    flush_folder(path / _VERSIONS)
    replace_text(path / _CURRENT, f"{number}\n")
    if previous is None:
        # Last, because it makes the folder a graph.
        mark = {"format_version": FORMAT_VERSION, "kind": kind, "created_by": _own_name()}
        replace_text(path / _MARK, _toml(mark))
    return VersionFolder(version, number, content_hash)


def _hand_down(origin: Path, target: Path) -> None:
    """Give the new version what was derived from the one before; it goes without where that cannot be done."""
    if not origin.is_dir() or target.exists():
        return
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=target.parent))
    try:
        unfinished.chmod(origin.stat().st_mode)
        for file in sorted(origin.rglob("*")):
            if file.is_file():
                copy = unfinished / file.relative_to(origin)
                copy.parent.mkdir(parents=True, exist_ok=True)
                _link_or_copy(file, copy, link=True)
        unfinished.rename(target)
    except OSError:
        shutil.rmtree(unfinished, ignore_errors=True)


def _own_name() -> str:
    try:
        return f"askgraph {metadata.version('askgraph')}"
    except metadata.PackageNotFoundError:  # run from its sources
        return "askgraph"


# --- reading what is there


def _read_kind(mark: Path) -> GraphKind:
    data = _read_toml(mark)
    found = data.get("format_version")
    if not isinstance(found, int):
        raise CorruptGraphError(f"{mark} does not say its format version", advice=_LOAD_AGAIN)
    if found > FORMAT_VERSION:
        raise UnsupportedGraphError(
            f"{mark.parent} has format version {found}, and this askgraph reads up to {FORMAT_VERSION}",
            advice="Update askgraph, or load the graph again with this one.",
        )
    kind: GraphKind | None = next((known for known in get_args(GraphKind) if known == data.get("kind")), None)
    if found < 1 or kind is None:
        raise CorruptGraphError(f"{mark} describes no kind of graph that there is", advice=_LOAD_AGAIN)
    return kind


def _current_number(path: Path) -> int:
    try:
        text = (path / _CURRENT).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CorruptGraphError(f"{path / _CURRENT} cannot be read: {error}", advice=_LOAD_AGAIN) from error
    if not (text.isascii() and text.isdecimal()):
        raise CorruptGraphError(f"{path / _CURRENT} names no version: {text[:40]!r}", advice=_LOAD_AGAIN)
    return int(text)


def _read_version(folder: Path) -> VersionFolder:
    description = folder / _DESCRIPTION
    data = _read_toml(description)
    content_hash, sizes = data.get("content_hash"), data.get("files")
    if not isinstance(content_hash, str) or not isinstance(sizes, dict):
        raise CorruptGraphError(f"{description} lacks its content hash or its files", advice=_LOAD_AGAIN)
    for name, size in sizes.items():
        try:
            found = (folder / name).stat().st_size
        except OSError as error:
            raise CorruptGraphError(f"{folder / name} is missing", advice=_LOAD_AGAIN) from error
        if found != size:
            raise CorruptGraphError(f"{folder / name} has {found} bytes, not {size}", advice=_LOAD_AGAIN)
    return VersionFolder(folder, int(folder.name), content_hash)


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CorruptGraphError(f"{file} cannot be read: {error}", advice=_LOAD_AGAIN) from error


def _previous_version(path: Path, kind: GraphKind) -> VersionFolder | None:
    if not (path / _MARK).is_file():
        return None
    folder = GraphFolder.open(path)
    if folder.kind != kind:
        raise UnsupportedGraphError(
            f"{path} is a graph of kind {folder.kind}, and this is to become one of kind {kind}",
            advice="Load into another folder.",
        )
    return folder.current_version()


def _has_only_remains(path: Path) -> bool:
    remains = {_LOCK, _VERSIONS, _CURRENT, _CURRENT + NEW_SUFFIX, _MARK + NEW_SUFFIX}
    return {entry.name for entry in path.iterdir()} <= remains


def _refuse_foreign_folder(path: Path) -> None:
    if not path.is_dir():
        raise UnsupportedGraphError(f"{path} is a file; a graph is a folder", advice="Name another path.")
    if not (path / _MARK).exists() and not _has_only_remains(path):
        raise UnsupportedGraphError(
            f"{path} is a folder with other files in it", advice="Name a new or empty folder."
        )


# --- making, locking, sweeping


def _make_folder(path: Path) -> list[Path]:
    """Make the folder and its parents; those that were made, the innermost first."""
    made: list[Path] = []
    for folder in reversed((path, *path.parents)):
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        except OSError as error:
            _remove_empty(made)
            raise OpenError(f"{folder} cannot be made: {error.strerror}") from error
        made.insert(0, folder)
    return made


def _remove_made(path: Path, made: list[Path]) -> None:
    if path in made:
        shutil.rmtree(path, ignore_errors=True)
        _remove_empty(made)


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


@contextmanager
def _exclusive_lock(path: Path, wait: float) -> Iterator[None]:
    deadline = time.monotonic() + wait
    descriptor = _try_exclusive_lock(path)
    while descriptor is None:
        if time.monotonic() >= deadline:
            raise GraphLockedError(
                f"another process is writing to {path}: {_lock_holder(path)}",
                advice="Wait until it ends. If it hangs, end it: its lock goes with it, and the graph stays as it was.",
            )
        time.sleep(0.05)
        descriptor = _try_exclusive_lock(path)
    try:
        _write_holder(descriptor, f"process {os.getpid()} on {socket.gethostname()}")
        yield
    finally:
        _write_holder(descriptor, "")
        os.close(descriptor)


def _try_exclusive_lock(path: Path) -> int | None:
    try:
        path.mkdir(exist_ok=True)  # a writer that failed may have removed it while we waited
        descriptor = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise OpenError(f"{path} cannot be written to: {error.strerror}") from error
    if try_lock(descriptor) and _is_same_file(descriptor, path / _LOCK):
        return descriptor
    os.close(descriptor)
    return None


def _write_holder(descriptor: int, text: str) -> None:
    """Leave word of who holds the lock. It is for people only: a full disk must not stop the writer here."""
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, text.encode())


def _lock_holder(path: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        return (path / _LOCK).read_text(encoding="utf-8").strip() or "just starting"
    return "unknown"


def _is_same_file(descriptor: int, path: Path) -> bool:
    """Whether the open file is still the one at that path, and not one that was removed meanwhile."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False


def _sweep(versions: Path, *, keep: VersionFolder | None) -> None:
    """Remove what killed writers left and every version that is not kept and that no reader holds."""
    for entry in sorted(versions.iterdir()):
        if entry.name.startswith((_UNFINISHED, _SWEPT)):
            shutil.rmtree(entry, ignore_errors=True)
        elif entry.name.isdecimal() and (keep is None or entry.name != str(keep.number)):
            _sweep_version(entry)


def _sweep_version(folder: Path) -> None:
    try:
        descriptor = os.open(folder / _PIN, os.O_RDONLY)
    except FileNotFoundError:
        shutil.rmtree(folder, ignore_errors=True)
        return
    except OSError:
        return
    try:
        if try_lock(descriptor):
            # Renamed first: nobody can open half of a version.
            with suppress(OSError):
                swept = folder.with_name(f"{_SWEPT}{folder.name}")
                folder.rename(swept)
                shutil.rmtree(swept, ignore_errors=True)
    finally:
        os.close(descriptor)


def _link_or_copy(origin: Path, target: Path, *, link: bool) -> None:
    if link:
        with suppress(OSError):
            os.link(origin, target)
            return
    shutil.copy2(origin, target)


def _toml(values: Mapping[str, str | int], **tables: Mapping[str, int]) -> str:
    """TOML of numbers, texts and tables of numbers. A JSON text without surrogates is a TOML text."""
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
    for name, table in tables.items():
        lines += ["", f"[{name}]"]
        lines += [f"{json.dumps(key, ensure_ascii=False)} = {value}" for key, value in table.items()]
    return "\n".join(lines) + "\n"
