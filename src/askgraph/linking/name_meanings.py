"""Vectors over all names of a graph: made when asked for, at a cost that is told before, and searched by meaning.

A name without a word in it (a code, a number, the symbol of a gene) has no meaning to compare and gets no vector.
Vectors depend on nothing
but the names and the embedder, so those of names that stay are taken over from one version of a graph to the next.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..core.errors import CorruptIndexError
from ..core.progress import SILENT, Progress
from ..core.words import normalize
from ..indexes.name_vectors import NameVectors
from ..indexes.names import NameMatch
from ..indexes.vector_journal import VectorJournal
from ..models.base import Embedder
from .names import Names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_A_WORD: Final = re.compile(r"[^\W\d_]{3}|[\u2e80-\uffef]")
_A_SYMBOL: Final = re.compile(r"[A-Z0-9@._-]{1,12}")
_NAMES_PER_PART: Final = 256
# Names by which the rate is measured.
_SAMPLED: Final = 2 * _NAMES_PER_PART
_BYTES_BESIDE: Final = 64
# Of names by meaning so many are looked at for each node that is wanted: several nodes may share a name.
_HOMONYMS: Final = 5
_SCORES: Final = (0.6, 0.9)
# To be taken for what is meant a name must be so near (one word alone may mean much), and so much nearer than the next.
_LEAST: Final = 0.42
_LEAST_OF_ONE_WORD: Final = 0.74
_MARGIN: Final = 0.25
_COMPARED: Final = 10
# What has a word in common and is not written alike is rather a sibling: breast cancer and lung cancer.
_LEAST_OF_SIBLINGS: Final = 0.9


@dataclass(frozen=True, slots=True)
class EmbeddingCost:
    """What it costs to give every name a vector.

    Attributes:
        names: how many different names there are, codes left out.
        new: those that have no vector yet.
        per_second: how many were embedded in a second, measured on some of them; 0 if none is new.
        bytes: what the vectors take on disk.
    """

    names: int
    new: int
    per_second: float
    bytes: int

    @property
    def seconds(self) -> float:
        """How long it will take on this machine, as busy as it was when that was measured."""
        return self.new / self.per_second if self.per_second else 0.0


@dataclass(frozen=True, slots=True)
class NearNode:
    """A node whose name is near a text in meaning: 0 for what has nothing to do with it, 1 for what means the same."""

    id: str
    name: str
    types: tuple[str, ...]
    near: float

    @property
    def score(self) -> float:
        """What this is worth beside names that are written alike; what is written so itself is always worth more."""
        least, most = _SCORES
        return round(least + (most - least) * self.near, 4)


@dataclass(frozen=True, slots=True)
class EmbeddingReport:
    """What embedding all names did: how many names have a vector now, and how many of these are new."""

    names: int
    embedded: int
    seconds: float


class NameEmbedding:
    """Gives the names of one graph their vectors. What was embedded stays, wherever the work is interrupted.

    Args:
        names: the names; those that come twice count once.
        file: where the vectors go; beside it, while the work lasts, what is done of it.
        embedder: makes the vectors; best one that keeps none of its own.
        fingerprint: the version of the graph whose names these are.
    """

    def __init__(self, names: Iterable[str], file: Path, embedder: Embedder, *, fingerprint: str) -> None:
        self._names = sorted({name for name in names if has_meaning(name)})
        self._file = file
        self._embedder = embedder
        self._fingerprint = fingerprint
        self._before = self._usable()
        self._journal_file = _journal_of(file)

    def cost(self) -> EmbeddingCost:
        """What is left to do, and how long that takes: some names are embedded to see it, and their vectors kept.

        Raises:
            ModelError: the embedder fails.
        """
        with self._journal() as journal:
            new = self._without_vector(journal)
            rate = self._measured(new, journal)
            left = len(self._without_vector(journal))
        size = 2 * self._embedder.dimensions + self._embedder.dimensions // 8 + _BYTES_BESIDE
        return EmbeddingCost(len(self._names), left, rate, size * len(self._names))

    def run(self, progress: Progress = SILENT) -> EmbeddingReport:
        """Embed what has no vector yet, then write the file.

        Raises:
            ModelError: the embedder fails; what was embedded before is kept for the next time.
        """
        began = time.perf_counter()
        with self._journal() as journal:
            new = self._without_vector(journal)
            progress.start("meanings of names", len(self._names))
            progress.advance(len(self._names) - len(new))
            for start in range(0, len(new), _NAMES_PER_PART):
                part = new[start : start + _NAMES_PER_PART]
                journal.append(part, self._embedder.embed(part))
                progress.advance(len(part))
            progress.finish()
            embedded = len(journal)
            NameVectors.write(
                self._file,
                self._names,
                lambda name: self._vector(name, journal),
                dimensions=self._embedder.dimensions,
                embedder=self._embedder.name,
                fingerprint=self._fingerprint,
            )
            journal.delete()
        return EmbeddingReport(len(self._names), embedded, time.perf_counter() - began)

    def _journal(self) -> VectorJournal:
        return VectorJournal(
            self._journal_file, embedder=self._embedder.name, dimensions=self._embedder.dimensions
        )

    def _usable(self) -> NameVectors | None:
        """The vectors that are there, if the same embedder made them."""
        with suppress(CorruptIndexError):
            before = NameVectors.open(self._file)
            return before if before.embedder == self._embedder.name else None
        return None

    def _without_vector(self, journal: VectorJournal) -> list[str]:
        known = frozenset(self._before.names) if self._before is not None else frozenset()
        return [name for name in self._names if name not in known and name not in journal]

    def _measured(self, new: Sequence[str], journal: VectorJournal) -> float:
        """How many names are embedded in a second, by some from all over the alphabet; 0 if none is new."""
        spread = new[:: max(1, len(new) // _SAMPLED)][:_SAMPLED]
        if not spread:
            return 0.0
        # The first text loads the model, which is no part of the rate.
        self._embedder.embed(spread[:1])
        began = time.perf_counter()
        for start in range(0, len(spread), _NAMES_PER_PART):
            part = spread[start : start + _NAMES_PER_PART]
            journal.append(part, self._embedder.embed(part))
        return len(spread) / max(time.perf_counter() - began, 1e-9)

    def _vector(self, name: str, journal: VectorJournal) -> NDArray[np.float16]:
        if name in journal:
            return journal.vector(name)
        assert self._before is not None
        found = self._before.vector(name)
        assert found is not None
        return found


class NamesByMeaning:
    """Finds nodes by what their names mean.

    Args:
        vectors: of the names.
        names: the same names, which say whose they are.
        embedder: the one that made the vectors.
    """

    def __init__(self, vectors: NameVectors, names: Names, embedder: Embedder) -> None:
        self._vectors = vectors
        self._names = names
        self._embedder = embedder

    def __len__(self) -> int:
        """How many names have a vector."""
        return len(self._vectors)

    def search(self, texts: Sequence[str], limit: int = 10) -> list[list[NearNode]]:
        """For each text at most ``limit`` nodes that have anything to do with it, the nearest first, none twice."""
        if not texts or not len(self._vectors):
            return [[] for _ in texts]
        near = self._vectors.search(self._embedder.embed(list(texts)), limit)
        owners = self._owners([match.key for matches in near for match in matches])
        found = []
        for matches in near:
            own: dict[str, NearNode] = {}
            for match in matches:
                near_by = likeness_of(match.score, self._embedder)
                for owner in owners[match.key] if near_by > 0.0 else ():
                    own.setdefault(owner.id, NearNode(owner.id, owner.name, owner.types, near_by))
            found.append(list(own.values())[:limit])
        return found

    def clearly_meant(self, texts: Sequence[str]) -> list[list[NearNode]]:
        """For each text the nodes of the one name that it must mean; none where it may mean another, or nothing."""
        return [
            _clearly_meant(text, near)
            for text, near in zip(texts, self.search(texts, _COMPARED), strict=True)
        ]

    def _owners(self, names: Sequence[str]) -> dict[str, list[NameMatch]]:
        """The nodes that bear exactly these names."""
        wanted = list(dict.fromkeys(names))
        found = self._names.exact(wanted, limit=_HOMONYMS)
        return {
            name: [match for match in matches if match.name == name]
            for name, matches in zip(wanted, found, strict=True)
        }


def _clearly_meant(text: str, near: Sequence[NearNode]) -> list[NearNode]:
    if not near:
        return []
    words = normalize(text).split()
    least = _LEAST_OF_ONE_WORD if len(words) == 1 else _LEAST
    if not set(words).isdisjoint(normalize(near[0].name).split()):
        least = _LEAST_OF_SIBLINGS
    meant = [node for node in near if node.name == near[0].name]
    next_best = max((node.near for node in near if node.name != near[0].name), default=0.0)
    return meant if near[0].near >= max(least, next_best + _MARGIN) else []


def hand_down_vectors(before: Path, after: Path) -> None:
    """Let an index that is made anew have the vectors of the one before, finished and unfinished ones: they are of
    names, whatever these belong to. What is damaged is left behind."""
    with suppress(CorruptIndexError):
        NameVectors.open(before)
        _share(before, after)
    if _journal_of(before).is_file():
        _share(_journal_of(before), _journal_of(after))


def forget_vectors(file: Path) -> bool:
    """Delete the vectors, finished and unfinished ones. Gives whether there were any."""
    found = [path for path in (file, _journal_of(file)) if path.is_file()]
    for path in found:
        path.unlink()
    return bool(found)


def has_unfinished_vectors(file: Path) -> bool:
    """Whether embedding was begun and not finished."""
    return _journal_of(file).is_file()


def _share(file: Path, target: Path) -> None:
    """The same bytes under another name, shared on disk where the file system can."""
    try:
        os.link(file, target)
    except OSError:
        shutil.copyfile(file, target)


def _journal_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.unfinished")


def has_meaning(name: str) -> bool:
    """Whether a name has a word in it, and is not a code or a number alone: to a model "ACHE", a gene, is an ache."""
    return _A_WORD.search(name) is not None and _A_SYMBOL.fullmatch(name) is None


def likeness_of(cosine: float, embedder: Embedder) -> float:
    """A cosine on the scale of its embedder: 0 for two words with nothing in common, 1 for one meaning."""
    return min(1.0, max(0.0, (cosine - embedder.unrelated) / (embedder.same - embedder.unrelated)))
