"""The name index: every node under every name it has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, overload

import numpy as np
from numpy.typing import NDArray

from ..core.errors import CorruptIndexError
from ..core.progress import SILENT, Progress
from . import name_folder
from .array_file import ArrayFile
from .name_folder import Header, Part
from .name_search import Found, Hit, MatchKind, NameSearch, best_of_each_form
from .segment import NameSegment
from .segment_builder import SegmentBuilder
from .spelling import form_of

__all__ = ["MatchKind", "NameEntry", "NameIndex", "NameMatch", "NameMatches"]

_PROGRESS_STEP = 10_000
# Segments are put together when there are more of them, or when the later ones and what is gone are so large a share.
_MOST_SEGMENTS = 8
_LARGEST_SHARE = 0.25
# What is less alike is not even worth showing. To take a match for the thing that was meant, ask for more: see
# NameMatch.score.
DEFAULT_CUTOFF = 0.6


@dataclass(frozen=True, slots=True)
class NameEntry:
    """One name of one node, and the node's types."""

    id: str
    name: str
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A node found by one of its names.

    Attributes:
        id: the node.
        name: the name that matched, as the graph writes it.
        score: 0 to 1. 1: written exactly so; 0.99: the same but for case, accents and punctuation; 0.97: the same
            but for spacing, word order, a possessive or plural ending; below: alike. On graphs of 2,000 to 1,000,000
            names at most 1 in 40 names that are not in the graph reached 0.75, and 1 in 140 reached 0.8; of names with
            one typo, codes apart, more than 9 in 10 did.
        kind: ``"exact"`` (0.99 and more), ``"variant"`` (0.97), ``"fuzzy"``, or ``"acronym"`` where one name is made of
            the initials of the other: 0.92 if that is said of one name only, less if of more. ``"meaning"`` comes from
            :class:`~askgraph.linking.name_meanings.NamesByMeaning` alone.
        types: the node's types.
    """

    id: str
    name: str
    score: float
    kind: MatchKind
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NameMatches(Sequence[NameMatch]):
    """What was found for one name, the best first: a sequence that also knows how many there are.

    Attributes:
        matches: as many as the limit allows.
        total: how many nodes match as well as the best one does (homonyms, above all); those that the limit cut off
            are counted too. 0 if there is no match.
    """

    matches: tuple[NameMatch, ...] = ()
    total: int = 0

    def __len__(self) -> int:
        return len(self.matches)

    @overload
    def __getitem__(self, place: int) -> NameMatch: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[NameMatch, ...]: ...
    def __getitem__(self, place: int | slice) -> NameMatch | tuple[NameMatch, ...]:
        return self.matches[place]


class NameIndex:
    """Names of nodes, searched by what people write. Immutable, and safe to use from several threads.

    It consists of segments, the first of which is usually all of it; :meth:`updated` adds a small one and notes what
    is gone, and puts them together when they grow.
    """

    def __init__(self, path: Path, header: Header, segments: Sequence[NameSegment]) -> None:
        """Use :meth:`build` or :meth:`open`."""
        self.path = path
        self._header = header
        self._segments = tuple(segments)
        self._search = NameSearch(self._segments)

    @property
    def fingerprint(self) -> str:
        """What the builder said that the index was made from: the version of the graph."""
        return self._header.fingerprint

    def __len__(self) -> int:
        """How many names there are; one that two nodes share counts twice."""
        return sum(len(segment) - len(segment.removed) for segment in self._segments)

    @classmethod
    def build(
        cls, entries: Iterable[NameEntry], path: Path, *, fingerprint: str = "", progress: Progress = SILENT
    ) -> NameIndex:
        """Index a stream of names into the folder ``path``, which is made, or whose index is replaced.

        Entries of one node should follow each other. The same entries in the same order give the same bytes. If it
        fails, what was there before is still there. Readers are not disturbed; only one process may write at a time.
        """
        with _folder_to_write(path):
            file = name_folder.write_segment(path, _collected(entries, progress).build(progress))
            name_folder.write_header(path, Header(fingerprint, (Part(file),)))
        return cls.open(path)

    @classmethod
    def in_memory(cls, entries: Iterable[NameEntry]) -> NameIndex:
        """Index a few names for as long as the index is held; nothing is written. It cannot be :meth:`updated`."""
        file = ArrayFile.in_memory(_collected(entries, SILENT).build(SILENT))
        return cls(file.path, Header("", ()), [NameSegment(file, np.empty(0, dtype=np.int32))])

    @classmethod
    def open(cls, path: Path) -> NameIndex:
        """Open the index in the folder ``path``; nothing is read but headers.

        Raises :class:`CorruptIndexError` when it is missing, damaged or of another format.
        """
        header = name_folder.read_header(path)
        while True:
            try:
                return cls(path, header, name_folder.open_parts(path, header))
            except CorruptIndexError:
                # Another process may have replaced the index since its header was read.
                newer = name_folder.read_header(path)
                if newer == header:
                    raise
                header = newer
            except (ValueError, IndexError, KeyError) as error:
                # What was read makes no sense: places beyond the end, bytes that are no text.
                raise CorruptIndexError(
                    f"The index in {path} is damaged: {error}.",
                    advice="Make it anew with: askgraph index GRAPH --rebuild",
                ) from error

    def updated(
        self,
        added: Iterable[NameEntry],
        removed: Iterable[str],
        path: Path,
        *,
        fingerprint: str = "",
        progress: Progress = SILENT,
    ) -> NameIndex:
        """This index without the nodes ``removed`` (ids) and then with the entries ``added``, in the folder ``path``.

        ``path`` may be this index's folder or another one; this object stays as it is. To rename a node, remove it and
        add all its names. What was there is not written again but shared, until the parts are put together.
        """
        builder = _collected(added, progress)
        gone = frozenset(removed)
        kept = [_without(segment, gone, progress) for segment in self._segments]
        with _folder_to_write(path):
            if _should_merge(kept, len(builder)):
                for entry in _entries_of(kept):
                    builder.add(entry.id, entry.name, entry.types)
                kept = []
            parts = [
                Part(
                    name_folder.bring_segment(segment.file.path, path),
                    name_folder.write_removed(path, segment.removed),
                )
                for segment in kept
            ]
            if len(builder) or not parts:
                parts.append(Part(name_folder.write_segment(path, builder.build(progress))))
            name_folder.write_header(path, Header(fingerprint, tuple(parts)))
        return NameIndex.open(path)

    def exact(
        self, names: Sequence[str], *, limit: int = 10, types: Collection[str] | None = None
    ) -> list[NameMatches]:
        """For each name the nodes that bear it, but for case, accents, punctuation and spacing.

        Made for many names at once, most of which nobody bears: all the word sequences of a question. ``limit`` and
        ``types`` are as in :meth:`search`.
        """
        wanted = None if types is None else frozenset(types)
        with self._blaming_damage():
            found = self._search.exact([form_of(name) for name in names])
            return [
                self._matches(name, hits, limit, wanted, cutoff=0.0)
                for name, hits in zip(names, found, strict=True)
            ]

    def search(
        self,
        names: Sequence[str],
        *,
        limit: int = 10,
        types: Collection[str] | None = None,
        cutoff: float = DEFAULT_CUTOFF,
    ) -> list[NameMatches]:
        """For each name at most ``limit`` nodes whose name is the same or alike, the best first.

        A node comes once, under its best name. Ties are ordered by name, then by id. What is written exactly so or
        means the same is taken as meant: only names that have neither are compared with names that are alike.

        Args:
            names: what somebody wrote; any string.
            limit: how many nodes for each.
            types: only nodes with one of these types; ``None``: all.
            cutoff: the least score; see :class:`NameMatch` for what scores mean.
        """
        wanted = None if types is None else frozenset(types)
        with self._blaming_damage():
            return [self._search_one(name, limit, wanted, cutoff) for name in names]

    def entries(self) -> Iterator[NameEntry]:
        """Every name in the index, in a fixed order."""
        return _entries_of(self._segments)

    def ids(self) -> Iterator[str]:
        """The id of every node in the index, each at least once, in a fixed order; some that were removed are among
        them."""
        for segment in self._segments:
            yield from segment.ids

    def verify(self) -> None:
        """Read everything and check it. Raises :class:`CorruptIndexError` when anything differs from what was written.

        Takes a tenth of a second for a million names that the system has in memory; opening checks what costs nothing.
        """
        for segment in self._segments:
            segment.file.verify()

    def close(self) -> None:
        """Let go of the files. The index must not be used afterwards."""
        self._segments = ()
        self._search = NameSearch(())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _blaming_damage(self) -> Iterator[None]:
        """Opening does not read everything; where that leads to nonsense, say that the file is damaged, if it is."""
        try:
            yield
        except (IndexError, ValueError, OverflowError):
            self.verify()
            raise

    def _search_one(self, name: str, limit: int, types: frozenset[str] | None, cutoff: float) -> NameMatches:
        same = self._search.exact([form_of(name)])[0] + self._search.variants(name)
        matches = self._matches(name, same, limit, types, cutoff)
        if not matches:
            matches = self._matches(name, self._search.alike(name, types), limit, types, cutoff)
        return matches

    def _matches(
        self, name: str, hits: Sequence[Hit], limit: int, types: frozenset[str] | None, cutoff: float
    ) -> NameMatches:
        best: dict[str, Found] = {}
        tied = _Tied()
        last_score = 0.0
        for hit in best_of_each_form(hits):
            # What comes now is no better than the last that was found; only a tie may still come before it.
            if hit.score < cutoff or (len(best) >= limit and hit.score < last_score):
                break
            found, count = self._search.expand(hit, name, types, limit)
            if not found:
                continue
            tied.add(hit.score, [item.entry.id for item in found], count)
            last_score = hit.score
            for item in found:
                known = best.get(item.entry.id)
                if known is None or item.score > known.score:
                    best[item.entry.id] = item
        ordered = sorted(best.values(), key=lambda item: (-item.score, item.entry.name, item.entry.id))
        matches = tuple(
            NameMatch(item.entry.id, item.entry.name, item.score, item.kind, item.entry.types)
            for item in ordered[:limit]
        )
        return NameMatches(matches, tied.total if matches else 0)


class _Tied:
    """Counts the nodes that match as well as the best one."""

    def __init__(self) -> None:
        self._score: float | None = None
        self._seen: set[str] = set()
        self._unseen = 0

    def add(self, score: float, seen: Sequence[str], count: int) -> None:
        """``count`` nodes have this score, of which some were looked at; scores come in descending order."""
        if self._score is None or score == self._score:
            self._score = score
            self._seen.update(seen)
            self._unseen += count - len(set(seen))

    @property
    def total(self) -> int:
        """A node that was not looked at counts for each of its names that tie; one that was counts once."""
        return len(self._seen) + self._unseen


def _collected(entries: Iterable[NameEntry], progress: Progress) -> SegmentBuilder:
    builder = SegmentBuilder()
    progress.start("reading names")
    for entry in entries:
        builder.add(entry.id, entry.name, entry.types)
        if len(builder) % _PROGRESS_STEP == 0:
            progress.advance(_PROGRESS_STEP)
    progress.finish()
    return builder


def _without(segment: NameSegment, gone: frozenset[str], progress: Progress) -> NameSegment:
    """The segment with the entries of these nodes marked as gone."""
    if not gone:
        return segment
    progress.start("finding what is gone", len(segment.ids))
    rows = [row for row, id in enumerate(segment.ids) if id in gone]
    progress.finish()
    entries = np.flatnonzero(np.isin(segment.entry_ids, rows)).astype(np.int32)
    removed: NDArray[np.int32] = np.union1d(segment.removed, entries).astype(np.int32)
    return NameSegment(segment.file, removed)


def _should_merge(kept: Sequence[NameSegment], added: int) -> bool:
    largest = max(len(segment) for segment in kept)
    later = sum(len(segment) for segment in kept) - largest + added
    gone = sum(len(segment.removed) for segment in kept)
    return len(kept) >= _MOST_SEGMENTS or later + gone > _LARGEST_SHARE * largest


def _entries_of(segments: Sequence[NameSegment]) -> Iterator[NameEntry]:
    for segment in segments:
        gone = set(segment.removed.tolist())
        for row in range(len(segment)):
            if row not in gone:
                entry = segment.entry(row)
                yield NameEntry(entry.id, entry.name, entry.types)


@contextmanager
def _folder_to_write(path: Path) -> Iterator[None]:
    """The folder exists inside the block; when the block fails, nothing that it wrote stays."""
    existed = path.is_dir()
    path.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        name_folder.sweep(path)
        if not existed:
            with suppress(OSError):
                path.rmdir()
        raise
