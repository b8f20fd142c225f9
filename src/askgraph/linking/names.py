"""What the linker asks of names, whoever answers: an index of our own, or the server that has the graph."""

from __future__ import annotations

import tempfile
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from ..core.graph import Node
from ..indexes.names import DEFAULT_CUTOFF, NameEntry, NameIndex, NameMatches
from ..stores.base import FindsNames
from .own_names import NO_OWN_NAMES, OwnNames

# Candidates asked of a server for one text: enough that a re-rank by our own scores finds the right one among them.
_CANDIDATES = 20
_REMEMBERED = 4_096


class Names(Protocol):
    """Names of nodes, searched by what people write; see :class:`~askgraph.indexes.names.NameIndex`."""

    def exact(
        self, names: Sequence[str], *, limit: int = 10, types: Collection[str] | None = None
    ) -> list[NameMatches]:
        """For each name the nodes that bear it, but for case, accents, punctuation and spacing."""

    def search(
        self,
        names: Sequence[str],
        *,
        limit: int = 10,
        types: Collection[str] | None = None,
        cutoff: float = DEFAULT_CUTOFF,
    ) -> list[NameMatches]:
        """For each name at most ``limit`` nodes whose name is the same or alike, the best first."""

    def close(self) -> None:
        """Let go of files."""


class NoNames:
    """Nothing is ever found: the values of a graph whose values are not indexed."""

    def exact(
        self, names: Sequence[str], *, limit: int = 10, types: Collection[str] | None = None
    ) -> list[NameMatches]:
        """For each name nothing."""
        return [NameMatches() for _ in names]

    def search(
        self,
        names: Sequence[str],
        *,
        limit: int = 10,
        types: Collection[str] | None = None,
        cutoff: float = DEFAULT_CUTOFF,
    ) -> list[NameMatches]:
        """For each name nothing."""
        return [NameMatches() for _ in names]

    def close(self) -> None:
        """Nothing to let go of."""


class ServerNames:
    """Names looked up where the graph is, by the server's own index of texts; nothing is copied.

    The server proposes candidates, in one round trip for all texts. They are scored by the same rules as names in an
    index of ours, so a score means the same whoever proposed the node. What was asked is remembered, up to a bound.
    What only the graph's owner calls a node is looked up as what the graph calls it.
    """

    def __init__(self, store: FindsNames, own_names: OwnNames = NO_OWN_NAMES) -> None:
        self._store = store
        self._own_names = own_names
        self._found: OrderedDict[str, tuple[Node, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def exact(
        self, names: Sequence[str], *, limit: int = 10, types: Collection[str] | None = None
    ) -> list[NameMatches]:
        """For each name the nodes that bear it, but for case, accents, punctuation and spacing."""
        with self._index_of_candidates(names) as index:
            return index.exact(names, limit=limit, types=types)

    def search(
        self,
        names: Sequence[str],
        *,
        limit: int = 10,
        types: Collection[str] | None = None,
        cutoff: float = DEFAULT_CUTOFF,
    ) -> list[NameMatches]:
        """For each name at most ``limit`` nodes whose name is the same or alike, the best first."""
        with self._index_of_candidates(names) as index:
            return index.search(names, limit=limit, types=types, cutoff=cutoff)

    def close(self) -> None:
        """Forget what was found."""
        with self._lock:
            self._found.clear()

    @contextmanager
    def _index_of_candidates(self, names: Sequence[str]) -> Iterator[NameIndex]:
        texts = [text for name in names for text in (name, *self._own_names.meant_by(name))]
        nodes = {node.id: node for found in self._candidates(texts) for node in found}
        entries = (
            NameEntry(node.id, text, node.types)
            for node in nodes.values()
            for text in dict.fromkeys([*(name.text for name in node.names), *self._own_names.of(node)])
        )
        with (
            tempfile.TemporaryDirectory(prefix="askgraph-") as folder,
            NameIndex.build(entries, Path(folder) / "names", fingerprint="candidates") as index,
        ):
            yield index

    def _candidates(self, names: Sequence[str]) -> list[tuple[Node, ...]]:
        with self._lock:
            unknown = [name for name in dict.fromkeys(names) if name not in self._found]
            if unknown:
                found = self._store.find_names(unknown, limit=_CANDIDATES)
                self._found.update((name, tuple(nodes)) for name, nodes in zip(unknown, found, strict=True))
            given = [self._found[name] for name in names]
            for name in names:
                self._found.move_to_end(name)
            while len(self._found) > _REMEMBERED:
                self._found.popitem(last=False)
            return given
