"""What the linker asks of names, whoever answers: an index of our own, or the server that has the graph."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from ..core.graph import Node
from ..core.words import normalize
from ..indexes.names import DEFAULT_CUTOFF, NameEntry, NameIndex, NameMatches
from ..stores.base import FindsNames, FindsWrittenNames
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
    What only the graph's owner calls a node is looked up as what the graph calls it. Names that are merely alike are
    asked for, in a second round trip, where no node bears the name as it is written: weighing these is what costs a
    server of a million names.
    """

    def __init__(self, store: FindsNames, own_names: OwnNames = NO_OWN_NAMES) -> None:
        self._store = store
        self._own_names = own_names
        self._found: OrderedDict[tuple[str, bool], tuple[Node, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def exact(
        self, names: Sequence[str], *, limit: int = 10, types: Collection[str] | None = None
    ) -> list[NameMatches]:
        """For each name the nodes that bear it, but for case, accents, punctuation and spacing."""
        nodes = self._candidates(self._texts(names), alike=False)
        return self._index_of(nodes).exact(names, limit=limit, types=types)

    def search(
        self,
        names: Sequence[str],
        *,
        limit: int = 10,
        types: Collection[str] | None = None,
        cutoff: float = DEFAULT_CUTOFF,
    ) -> list[NameMatches]:
        """For each name at most ``limit`` nodes whose name is the same or alike, the best first."""
        nodes = self._candidates(self._texts(names), alike=False)
        borne = {normalize(text) for node in nodes.values() for text in self._texts_of(node)}
        others = [name for name in names if normalize(name) not in borne]
        if others:
            nodes |= self._candidates(self._texts(others), alike=True)
        return self._index_of(nodes).search(names, limit=limit, types=types, cutoff=cutoff)

    def close(self) -> None:
        """Forget what was found."""
        with self._lock:
            self._found.clear()

    def _texts(self, names: Sequence[str]) -> list[str]:
        return [text for name in names for text in (name, *self._own_names.meant_by(name))]

    def _texts_of(self, node: Node) -> list[str]:
        return list(dict.fromkeys([*(name.text for name in node.names), *self._own_names.of(node)]))

    def _index_of(self, nodes: Mapping[str, Node]) -> NameIndex:
        return NameIndex.in_memory(
            NameEntry(node.id, text, node.types) for node in nodes.values() for text in self._texts_of(node)
        )

    def _candidates(self, texts: Sequence[str], *, alike: bool) -> dict[str, Node]:
        """What the server proposes for all of the texts, by id."""
        # A store that has one way to find names alone is not asked twice.
        alike = alike or not isinstance(self._store, FindsWrittenNames)
        keys = [(text, alike) for text in dict.fromkeys(texts)]
        with self._lock:
            unknown = [key for key in keys if key not in self._found]
            if unknown:
                found = self._proposed([text for text, _ in unknown], alike=alike)
                self._found.update((key, tuple(nodes)) for key, nodes in zip(unknown, found, strict=True))
            given = [self._found[key] for key in keys]
            for key in keys:
                self._found.move_to_end(key)
            while len(self._found) > _REMEMBERED:
                self._found.popitem(last=False)
        return {node.id: node for nodes in given for node in nodes}

    def _proposed(self, texts: Sequence[str], *, alike: bool) -> Sequence[Sequence[Node]]:
        if isinstance(self._store, FindsWrittenNames) and not alike:
            return self._store.find_written_names(texts, limit=_CANDIDATES)
        return self._store.find_names(texts, limit=_CANDIDATES)
