"""The index of an open graph: whether it fits, made when it is missing, opened once, made again where it is damaged."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from ..core.descriptions import Descriptions, fingerprint
from ..core.errors import CorruptIndexError, OpenError
from ..core.evidence import Link
from ..core.graph import Node
from ..core.progress import SILENT, Progress
from ..core.run import Run
from ..core.schema import Schema
from ..core.words import normalize
from ..indexes.name_vectors import NameVectors
from ..indexes.names import NameIndex
from ..linking.dictionaries import (
    DictionaryEntry,
    NodeDictionary,
    dictionary_fingerprint,
    entries_with_name,
    read_dictionary,
    read_entries,
    save_entries,
)
from ..linking.graph_index import (
    NAME_VECTORS,
    NAMES,
    GraphIndex,
    IndexDescription,
    IndexReport,
    NamesFrom,
    build_graph_index,
    open_graph_index,
    read_description,
)
from ..linking.linked_question import LinkedQuestion
from ..linking.name_meanings import (
    EmbeddingReport,
    NameEmbedding,
    forget_vectors,
    has_unfinished_vectors,
)
from ..linking.own_names import OwnNames
from ..models.base import Embedder

if TYPE_CHECKING:
    from ..stores.base import FindsNames, GraphStore

_MOST_ENTRIES = 3
SMALL_GRAPH = 50_000
"""Nodes of a graph on a server that are read in passing where it cannot look names up by itself."""


VectorState = Literal["none", "unfinished", "older", "current"]
"""Whether names have vectors, and whether these are of the same names."""


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """Whether a graph has an index that fits it, and why not."""

    state: Literal["missing", "stale", "current", "damaged"]
    detail: str = ""
    names: int = 0
    built: str | None = None
    has_names: bool = True
    name_vectors: VectorState = "none"


class IndexKeeper:
    """Keeps the index of one graph. A context manager's worth of open files is let go of by :meth:`close`.

    Args:
        location: the graph's, for messages.
        store: the graph.
        schema: gives the schema, in its owner's words.
        descriptions: what the owner says of the graph; part of what an index depends on.
        folder: where the index lies.
        embedder: gives what compares meanings, or ``None``.
        dictionaries: files of further names; part of what an index depends on.
        languages: of the names in these that tell theirs.
    """

    def __init__(
        self,
        location: str,
        store: GraphStore,
        schema: Callable[[], Schema],
        descriptions: Descriptions | None,
        folder: Path,
        embedder: Callable[[], Embedder | None],
        *,
        dictionaries: Sequence[Path] = (),
        languages: tuple[str, ...] = ("en",),
    ) -> None:
        self._location = location
        self._store = store
        self._schema = schema
        self._descriptions = descriptions
        self._dictionaries = tuple(dictionaries)
        self._own_names = OwnNames(
            descriptions.names if descriptions else None,
            self._dictionary(languages) if dictionaries else None,
        )
        self._folder = folder
        self._embedder = embedder
        self._lock = threading.RLock()
        self._index: GraphIndex | None = None
        self._closing = ExitStack()

    @property
    def _version(self) -> str:
        """What an index depends on: the graph's content and its owner's words."""
        said = fingerprint(self._descriptions) if self._descriptions else ""
        parts = (self._store.capabilities.version, said, dictionary_fingerprint(self._dictionaries))
        return "+".join(filter(None, parts))

    def _dictionary(self, languages: tuple[str, ...]) -> NodeDictionary:
        return NodeDictionary(
            lambda: (
                entry for file in self._dictionaries for entry in read_dictionary(file, languages=languages)
            )
        )

    def traced(self, linked: LinkedQuestion) -> LinkedQuestion:
        """The same links, those by a name of a dictionary with the entries that have it."""
        dictionary = self._own_names.dictionary
        if dictionary is None or not linked.things:
            return linked
        nodes = {node.id: node for node in self._store.nodes([link.id for link in linked.things])}
        strange = [nodes[link.id] for link in linked.things if link.id in nodes and not _is_own(link, nodes)]
        entries = self._entries_of(strange, dictionary) if strange else {}
        things = (
            link if _is_own(link, nodes) else _with_entry(link, entries.get(link.id, ()))
            for link in linked.things
        )
        return replace(linked, things=tuple(things))

    def _entries_of(
        self, nodes: Sequence[Node], dictionary: NodeDictionary
    ) -> Mapping[str, Sequence[DictionaryEntry]]:
        """What the dictionaries say of some nodes: as kept with the index, else as their files say."""
        index, kept = self._index, None
        if index is not None:
            kept = read_entries([node.id for node in nodes], self._folder, index.description.graph_version)
        return kept if kept is not None else {node.id: tuple(dictionary.entries_of(node)) for node in nodes}

    def status(self) -> IndexStatus:
        """Whether there is an index, and whether it fits."""
        try:
            description = read_description(self._folder)
        except CorruptIndexError as error:
            return IndexStatus("damaged", error.message)
        if description is None:
            return IndexStatus("missing", "no index has been made yet")
        embedder = self._embedder()
        name = embedder.name if embedder is not None else ""
        difference = description.difference(self._version, name)
        state: Literal["stale", "current"] = "stale" if difference else "current"
        # Of names the moment is kept exactly: two readings within a second are two.
        read = datetime.fromisoformat(description.names_built or description.built)
        built = read.isoformat(timespec="seconds")
        vectors = self._vectors_of(description)
        return IndexStatus(state, difference, description.names, built, description.has_names, vectors)

    def build(self, *, rebuild: bool = False, progress: Progress = SILENT) -> IndexReport:
        """Make the index if there is none that fits, or in any case with ``rebuild``."""
        with self._lock:
            description = None if rebuild else self._fitting_description()
            if description is not None and description.has_names:
                return IndexReport(
                    description.nodes, description.names, description.hops, 0.0, was_current=True
                )
            return self._build("graph", progress, update=not rebuild)

    def open(self, run: Run, progress: Progress) -> GraphIndex:
        """The index, made first where none fits.

        Raises:
            OpenError: it cannot be made in passing.
        """
        with self._lock:
            if self._index is None:
                status = self.status()
                if status.state != "current":
                    with run.step("index") as step:
                        report = self._build(self._names_from(), progress)
                        step.note(reason=status.detail, names=report.names, nodes=report.nodes)
                try:
                    self._index = self._opened()
                except CorruptIndexError:
                    self._build(self._names_from(), progress, update=False)
                    self._index = self._opened()
                self._closing.callback(self._index.close)
            return self._index

    def name_embedding(self, embedder: Embedder) -> NameEmbedding:
        """What gives the names of the index vectors. Raises :class:`OpenError` where it has no names of its own."""
        with self._lock:
            description = read_description(self._folder)
            if description is None or not description.has_names:
                raise OpenError(
                    f"the names of {self._location} have not been copied, so they get no vectors",
                    advice="Copy them first: askgraph index GRAPH",
                )
            with NameIndex.open(self._folder / NAMES) as names:
                texts = [entry.name for entry in names.entries()]
            return NameEmbedding(
                texts, self._folder / NAME_VECTORS, embedder, fingerprint=_fingerprint_of(description)
            )

    def embed_names(self, embedding: NameEmbedding, progress: Progress) -> EmbeddingReport:
        """Let the names have their vectors, and the index be opened with them from now on."""
        report = embedding.run(progress)
        with self._lock:
            self._index = None
        return report

    def drop_name_vectors(self) -> bool:
        """Forget what names mean. Gives whether there was anything to forget."""
        with self._lock:
            self._index = None
            return forget_vectors(self._folder / NAME_VECTORS)

    @property
    def has_current_name_vectors(self) -> bool | None:
        """Whether the vectors of the open index are of the names that it has; ``None`` where it has no vectors."""
        index = self._index
        if index is None or index.name_vectors is None:
            return None
        return index.name_vectors.fingerprint == _fingerprint_of(index.description)

    def _vectors_of(self, description: IndexDescription) -> VectorState:
        file = self._folder / NAME_VECTORS
        with suppress(CorruptIndexError):
            vectors = NameVectors.open(file)
            return "current" if vectors.fingerprint == _fingerprint_of(description) else "older"
        return "unfinished" if has_unfinished_vectors(file) else "none"

    def close(self) -> None:
        """Let go of the files. Closing twice is allowed."""
        self._closing.close()

    def _opened(self) -> GraphIndex:
        finds = self._store.capabilities.finds_names
        server = cast("FindsNames", self._store) if finds else None
        return open_graph_index(self._folder, server, self._own_names)

    def _build(self, names_from: NamesFrom, progress: Progress, *, update: bool = True) -> IndexReport:
        self._index = None
        dictionary = self._own_names.dictionary
        if dictionary is None:
            return self._built(names_from, progress, update)
        with dictionary.recording() as entries:
            report = self._built(names_from, progress, update)
        if names_from == "graph":
            save_entries(entries, self._folder, self._version)
        return report

    def _built(self, names_from: NamesFrom, progress: Progress, update: bool) -> IndexReport:
        return build_graph_index(
            self._store,
            self._schema(),
            self._version,
            self._folder,
            self._embedder(),
            names_from=names_from,
            own_names=self._own_names,
            update=update,
            progress=progress,
        )

    def _fitting_description(self) -> IndexDescription | None:
        return read_description(self._folder) if self.status().state == "current" else None

    def _names_from(self) -> NamesFrom:
        """Where names come from when nobody asked for an index: a big graph on a server is never copied.

        Raises:
            OpenError: it cannot look names up by itself, and is too big to be read in passing.
        """
        capabilities = self._store.capabilities
        description = read_description(self._folder)
        if not capabilities.remote:
            return "graph"
        if description is not None and description.has_names:
            return "before"
        if capabilities.finds_names:
            return "server"
        nodes = self._schema().node_count
        if nodes <= SMALL_GRAPH:
            return "graph"
        raise OpenError(
            f"{self._location} has {nodes:,} nodes and no index by which it finds names",
            advice="Make a full-text index over names on the server, or copy the names once: askgraph index GRAPH",
        )


def _fingerprint_of(description: IndexDescription) -> str:
    """What vectors over names depend on besides their embedder: the names as they were read."""
    return f"{description.graph_version}@{description.names_built}"


def _is_own(link: Link, nodes: Mapping[str, Node]) -> bool:
    """Whether a link is by a name that the graph itself gives the node; a value's link has no node."""
    node = nodes.get(link.id)
    return node is None or normalize(link.name) in {normalize(name.text) for name in node.names}


def _with_entry(link: Link, entries: Sequence[DictionaryEntry]) -> Link:
    """A link with those of the entries that have its name."""
    having = entries_with_name(entries, link.name)
    shown = [str(entry) for entry in having[:_MOST_ENTRIES]]
    if len(having) > len(shown):
        shown.append(f"{len(having) - len(shown):,} more")
    return replace(link, entry="; ".join(shown)) if shown else link
