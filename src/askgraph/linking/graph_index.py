"""The index of a graph: every node under every name, and what each kind of hop means.

It lies in a folder of its own beside the graph's version. Made in one go, opened memory-mapped, and bound to the
version of the graph, the embedder and the settings that it was made with.

Of a graph on a server that looks names up by itself only the meanings of hops are kept; its names are copied when that
is asked for (:func:`build_graph_index` with ``copy_names``), and are then as old as that.
"""

from __future__ import annotations

import datetime
import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from ..core.errors import CorruptIndexError
from ..core.graph import Node
from ..core.progress import SILENT, Progress
from ..core.schema import Schema
from ..indexes.name_vectors import NameVectors
from ..indexes.names import NameIndex
from ..models.base import Embedder
from ..stores.base import FindsNames, GraphStore, PagesNodes
from .edge_values import EdgeValue, read_edge_values
from .name_meanings import NamesByMeaning, hand_down_vectors
from .name_pages import nodes_of_pages, read_pages
from .name_updates import NamedThing, copy_names, write_names
from .names import Names, NoNames, ServerNames
from .own_names import NO_OWN_NAMES, OwnNames
from .property_values import named_values, text_of_value, value_id
from .schema_terms import HopKind, hop_kinds, hop_text
from .vocabulary import label_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

INDEX_FORMAT_VERSION = 4
NamesFrom = Literal["graph", "before", "server"]
NAMES = "names"
NAME_VECTORS = "names.vectors"
_HOPS = "hops.json"
_VECTORS = "hops.npy"
_LABELS = "labels.json"
_LABEL_VECTORS = "labels.npy"
_VALUES = "values"
_EDGE_VALUES = "edge_values.json"
_DESCRIPTION = "index.json"
_PAGES = "pages.jsonl"
_TEXTS_PER_STEP = 64
# More different values than this are left out.
_MOST_VALUES = 500_000


@dataclass(frozen=True, slots=True)
class IndexDescription:
    """What an index was made from: an index that differs from what is wanted now is stale."""

    format: int
    graph_version: str
    embedder: str
    nodes: int
    names: int
    hops: int
    built: str
    names_built: str | None = None

    @property
    def has_names(self) -> bool:
        """Whether it has names of its own, and does not leave them to the server."""
        return self.names_built is not None

    def difference(self, graph_version: str, embedder: str) -> str:
        """In words what has changed since; empty if nothing has."""
        if self.format != INDEX_FORMAT_VERSION:
            return "it was made by another version of askgraph"
        if self.graph_version != graph_version:
            return "the graph has changed since it was made"
        if self.embedder != embedder:
            return f"it was made with the embedder {self.embedder or 'none'}"
        return ""


class HopVectors:
    """The meaning of each kind of hop: rows of unit length, shape ``(hops, dimensions)``; zeros without an embedder."""

    def __init__(self, hops: Sequence[HopKind], vectors: NDArray[np.float32]) -> None:
        self._rows = {hop: row for row, hop in enumerate(hops)}
        self._vectors = vectors
        self.nothing = np.zeros(vectors.shape[1] if vectors.ndim == 2 else 0, dtype=np.float32)

    def of(self, hop: HopKind) -> NDArray[np.float32]:
        """The vector of a hop; of the same hop without its ends where these were too rare to be kept."""
        for known in (hop, HopKind(hop.type, hop.forward, None, None, hop.is_property)):
            if known in self._rows:
                row: NDArray[np.float32] = self._vectors[self._rows[known]]
                return row
        return self.nothing


@dataclass(frozen=True)
class GraphIndex:
    """An open index.

    Attributes:
        description: what it was made from.
        names: every node under every name.
        values: short texts and whole numbers that properties have, as entries whose ids are
            :func:`~askgraph.linking.property_values.value_id`.
        hops: what each kind of hop means.
        labels: what each label of the schema, and each word of one, means; empty without an embedder.
        edge_values: the texts that edges have, of the properties that have few.
        name_vectors: what names mean, where that was asked for; of names that are older it may know more or less.
    """

    description: IndexDescription
    names: Names
    values: Names
    hops: HopVectors
    labels: Mapping[str, NDArray[np.float32]]
    edge_values: tuple[EdgeValue, ...] = ()
    name_vectors: NameVectors | None = None

    def by_meaning(self, embedder: Embedder | None) -> NamesByMeaning | None:
        """What finds nodes by the meaning of their names; ``None`` where names have no vectors by this embedder."""
        vectors = self.name_vectors
        if vectors is None or embedder is None or vectors.embedder != embedder.name:
            return None
        return NamesByMeaning(vectors, self.names, embedder)

    def close(self) -> None:
        """Let go of the files."""
        self.names.close()
        self.values.close()


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What building an index did. ``was_current``: there was nothing to do. ``embedded``: hops put through the model
    or its cache. ``changed``: how many nodes were new, changed or gone where an earlier index was brought up to date;
    ``None`` where all was made anew."""

    nodes: int
    names: int
    embedded: int
    seconds: float
    was_current: bool = False
    changed: int | None = None


def build_graph_index(
    store: GraphStore,
    schema: Schema,
    version: str,
    folder: Path,
    embedder: Embedder | None,
    *,
    names_from: NamesFrom = "graph",
    own_names: OwnNames = NO_OWN_NAMES,
    update: bool = True,
    progress: Progress = SILENT,
) -> IndexReport:
    """Make the index of a graph in ``folder``, replacing what is there once the new one is whole.

    Args:
        store: the graph.
        schema: its schema, with its owner's descriptions laid over it.
        version: what of graph and schema the index depends on; an index of another version is stale.
        folder: where; made when missing.
        embedder: for the meaning of types and relations; ``None`` for an index of names alone.
        names_from: ``"graph"``: every node is read for its names (from a server in pages; a reading that was
            interrupted is taken up where it stopped); ``"before"``: the names of the index that is there stay as
            they are; ``"server"``: none are kept, the server looks them up.
        own_names: further names that the graph's owner gives its nodes.
        update: whether what an earlier index in ``folder`` has of nodes that have not changed is used again.
        progress: told how far it is.
    """
    began = time.perf_counter()
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=folder.parent))
    try:
        now = datetime.datetime.now(datetime.UTC)
        nodes, names, names_built, changed = 0, 0, None, None
        before = read_description(folder) if names_from == "before" else None
        if before is not None and before.has_names:
            for part in (NAMES, _VALUES):
                copy_names(folder / part, unfinished / part)
            nodes, names, names_built = before.nodes, before.names, before.names_built
        elif names_from == "graph":
            earlier = folder if update and _can_be_updated(folder) else None
            report = _build_names(store, schema, unfinished, earlier, own_names, progress)
            nodes, names, changed, names_built = report.nodes, report.names, report.changed, now.isoformat()
        hops = _build_hops(schema, unfinished, embedder, progress)
        _build_labels(schema, unfinished, embedder, progress)
        _write_json(unfinished / _EDGE_VALUES, [asdict(value) for value in read_edge_values(store, schema)])
        description = IndexDescription(
            INDEX_FORMAT_VERSION,
            version,
            embedder.name if embedder is not None else "",
            nodes,
            names,
            hops,
            now.isoformat(timespec="seconds"),
            names_built,
        )
        _write_json(unfinished / _DESCRIPTION, asdict(description))
        hand_down_vectors(folder / NAME_VECTORS, unfinished / NAME_VECTORS)
        if folder.exists():
            shutil.rmtree(folder)
        unfinished.replace(folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    return IndexReport(nodes, names, hops, time.perf_counter() - began, changed=changed)


def _can_be_updated(folder: Path) -> bool:
    """Whether there is an index with names of this format."""
    try:
        before = read_description(folder)
    except CorruptIndexError:
        return False
    return before is not None and before.format == INDEX_FORMAT_VERSION and before.has_names


def read_description(folder: Path) -> IndexDescription | None:
    """What the index in a folder was made from; ``None`` if there is none. Raises :class:`CorruptIndexError`."""
    file = folder / _DESCRIPTION
    if not file.is_file():
        return None
    try:
        return IndexDescription(**json.loads(file.read_text(encoding="utf-8")))
    except (ValueError, TypeError, OSError) as error:
        raise _corrupt(file) from error


def open_graph_index(
    folder: Path, server: FindsNames | None = None, own_names: OwnNames = NO_OWN_NAMES
) -> GraphIndex:
    """Open an index. ``server`` looks names up where the index has none of its own, ``own_names`` being what the owner
    of the graph calls its nodes besides.

    Raises :class:`CorruptIndexError` if it is damaged or missing.
    """
    description = read_description(folder)
    if description is None:
        raise _corrupt(folder)
    try:
        hops = [HopKind(**item) for item in json.loads((folder / _HOPS).read_text(encoding="utf-8"))]
        vectors = np.load(folder / _VECTORS, mmap_mode="r", allow_pickle=False)
        labels = json.loads((folder / _LABELS).read_text(encoding="utf-8"))
        label_vectors = np.load(folder / _LABEL_VECTORS, allow_pickle=False)
        edge_values = tuple(
            EdgeValue(item["key"], item["text"], tuple(item["edge_types"]))
            for item in json.loads((folder / _EDGE_VALUES).read_text(encoding="utf-8"))
        )
    except (ValueError, TypeError, KeyError, OSError, EOFError) as error:
        raise _corrupt(folder) from error
    if vectors.ndim != 2 or len(vectors) != len(hops) or len(labels) != len(label_vectors):
        raise _corrupt(folder / _VECTORS)
    names: Names = NoNames() if server is None else ServerNames(server, own_names)
    return GraphIndex(
        description,
        NameIndex.open(folder / NAMES) if description.has_names else names,
        NameIndex.open(folder / _VALUES) if description.has_names else NoNames(),
        HopVectors(hops, vectors),
        dict(zip(labels, label_vectors, strict=True)),
        edge_values,
        NameVectors.open(folder / NAME_VECTORS) if (folder / NAME_VECTORS).is_file() else None,
    )


def _corrupt(path: Path) -> CorruptIndexError:
    return CorruptIndexError(
        f"the index at {path} is damaged", advice="Make it again: askgraph index GRAPH --rebuild"
    )


@dataclass(frozen=True, slots=True)
class _NamesReport:
    nodes: int
    names: int
    changed: int | None


def _build_names(
    store: GraphStore,
    schema: Schema,
    folder: Path,
    before: Path | None,
    own_names: OwnNames,
    progress: Progress,
) -> _NamesReport:
    """Write the names and the values of a graph into ``folder``, what has not changed since ``before`` shared."""
    counts = [0, 0]
    values: dict[str, NamedThing] = {}
    progress.start("names", schema.node_count)
    remote = store.capabilities.remote
    pages = folder.parent / _PAGES
    if remote:
        read_pages(cast("PagesNodes", store), pages, progress)

    def nodes() -> Iterator[NamedThing]:
        for node in nodes_of_pages(pages) if remote else store.nodes():
            counts[0] += 1
            if not remote:
                progress.advance()
            own = tuple(dict.fromkeys([*(name.text for name in node.names), *own_names.of(node)]))
            counts[1] += len(own)
            yield NamedThing(node.id, own, node.types)
            if len(values) < _MOST_VALUES:
                _collect_values(node, frozenset(own), values)

    version = store.capabilities.version
    changed = write_names(nodes(), folder / NAMES, fingerprint=version, before=before and before / NAMES)
    write_names(values.values(), folder / _VALUES, fingerprint=version, before=before and before / _VALUES)
    if remote:
        pages.unlink()
    progress.finish()
    return _NamesReport(counts[0], counts[1], changed)


def _collect_values(node: Node, names: frozenset[str], values: dict[str, NamedThing]) -> None:
    """Note the values of a node's properties that are no names of it."""
    for key, value in named_values(node):
        id, text = value_id(key, value), text_of_value(value)
        if text not in names and id not in values:
            values[id] = NamedThing(id, (text,), node.types)


def _build_labels(schema: Schema, folder: Path, embedder: Embedder | None, progress: Progress) -> None:
    texts = label_texts(schema) if embedder is not None else ()
    vectors = (
        _embed(embedder, texts, progress) if embedder is not None else np.zeros((0, 0), dtype=np.float32)
    )
    np.save(folder / _LABEL_VECTORS, vectors, allow_pickle=False)
    _write_json(folder / _LABELS, list(texts))


def _build_hops(schema: Schema, folder: Path, embedder: Embedder | None, progress: Progress) -> int:
    hops = hop_kinds(schema)
    texts = list(dict.fromkeys(hop_text(schema, hop) for hop in hops))
    vectors = np.zeros((len(hops), embedder.dimensions if embedder is not None else 0), dtype=np.float32)
    if embedder is not None:
        rows = dict(zip(texts, _embed(embedder, texts, progress), strict=True))
        for row, hop in enumerate(hops):
            vectors[row] = rows[hop_text(schema, hop)]
    np.save(folder / _VECTORS, vectors, allow_pickle=False)
    _write_json(folder / _HOPS, [asdict(hop) for hop in hops])
    return len(texts) if embedder is not None else 0


def _embed(embedder: Embedder, texts: Sequence[str], progress: Progress) -> NDArray[np.float32]:
    progress.start("meanings", len(texts))
    parts = []
    for start in range(0, len(texts), _TEXTS_PER_STEP):
        part = texts[start : start + _TEXTS_PER_STEP]
        parts.append(embedder.embed(part))
        progress.advance(len(part))
    progress.finish()
    return np.concatenate(parts) if parts else np.zeros((0, embedder.dimensions), dtype=np.float32)


def _write_json(file: Path, data: Any) -> None:
    file.write_text(json.dumps(data, ensure_ascii=False, allow_nan=False), encoding="utf-8")
