"""Indexes of nodes by what they are called: by spelling, and by meaning."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.errors import SettingsError
from ..core.graph import Node
from ..indexes.names import NameEntry, NameIndex
from ..indexes.vectors import VectorIndex
from ..linking.named_by_model import LEAST_LIKENESS
from ..models.base import Embedder
from .kept_folder import KeptFolder

_TEXTS_PER_BATCH = 256
# Where between what two unrelated words reach and what two of one meaning do a name is taken for what was meant.
_NEAR_ENOUGH = 0.6
# Many models embed what is asked in another way than what is found.
_OF_QUERIES = ("embed_queries", "encode_query", "embed", "encode", "embed_documents")
_OF_DOCUMENTS = ("embed_documents", "encode_document", "embed", "encode")


class EntityMatcher(Protocol):
    """Finds nodes by what they are called."""

    def retrieve(self, queries: Sequence[str], topk: int = 1) -> list[list[dict[str, Any]]]:
        """For each query at most ``topk`` hits, the best first: ``document`` (the name), ``document_id`` (the node's
        id) and ``match_score`` (0 to 1). None where nothing is like it."""


class _Index:
    """What both indexes share: entries are collected, and built into an index when it is first searched."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], NameEntry] = {}
        self._lock = threading.RLock()
        self._folder: KeptFolder | None = None
        self._built = False

    def add(self, documents: Iterable[str | Node]) -> None:
        """Add nodes under every name that they have (under their id where they have none), or texts that are ids and
        names in one."""
        for document in documents:
            if isinstance(document, Node):
                names = [name.text for name in document.names] or [document.name]
                for name in names:
                    self._add(NameEntry(document.id, name, document.types))
            else:
                self._add(NameEntry(str(document), str(document)))

    def add_with_ids(self, ids: Sequence[str], documents: Sequence[str]) -> None:
        """Add names of nodes.

        Raises:
            SettingsError: there are not as many of the one as of the other.
        """
        if len(ids) != len(documents):
            raise SettingsError(f"{len(ids)} ids for {len(documents)} names")
        for id, name in zip(ids, documents, strict=True):
            self._add(NameEntry(str(id), str(name)))

    def reset(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._changed()

    def __len__(self) -> int:
        """How many names there are."""
        return len(self._entries)

    def as_entity_matcher(self) -> EntityMatcher:
        """What an :class:`EntityLinker` takes."""
        return _Matcher(self)

    def as_retriever(self) -> EntityMatcher:
        """The same: hits for texts."""
        return _Matcher(self)

    def query(self, input: str, topk: int = 1) -> dict[str, list[dict[str, Any]]]:
        """At most ``topk`` hits for one text, as :meth:`match`."""
        return self.match([input], topk=topk)

    def match(self, inputs: Sequence[str], topk: int = 1) -> dict[str, list[dict[str, Any]]]:
        """For each of some texts at most ``topk`` hits, under ``hits``: those of the first text first, of each text the
        best first. A text that comes twice counts once."""
        wanted = list(dict.fromkeys(inputs))
        return {"hits": [hit for hits in self.search(wanted, topk) for hit in hits]}

    def search(self, texts: Sequence[str], topk: int) -> list[list[dict[str, Any]]]:
        """For each text its hits."""
        raise NotImplementedError

    def _add(self, entry: NameEntry) -> None:
        with self._lock:
            self._entries[entry.id, entry.name] = entry
            self._changed()

    def _changed(self) -> None:
        self._built = False

    def _new_folder(self) -> Path:
        """A folder of this index alone, emptied of what was there."""
        self._folder = KeptFolder()
        return self._folder.path


class _Matcher:
    def __init__(self, index: _Index) -> None:
        self._index = index

    def retrieve(self, queries: Sequence[str], topk: int = 1) -> list[list[dict[str, Any]]]:
        return self._index.search(queries, topk)


class FuzzyStringIndex(_Index):
    """Nodes by the spelling of their names: the same but for case and accents, or with typos, dropped and swapped
    words.

    Args:
        least_score: how like a name must be, from 0 to 1; what is less like is no hit.
    """

    def __init__(self, least_score: float = LEAST_LIKENESS) -> None:
        super().__init__()
        self.least_score = least_score
        self._index: NameIndex | None = None

    def search(self, texts: Sequence[str], topk: int) -> list[list[dict[str, Any]]]:
        """For each text at most ``topk`` hits, the best first."""
        with self._lock:
            if self._index is None or not self._built:
                self._index = NameIndex.build(self._entries.values(), self._new_folder() / "names")
                self._built = True
            found = self._index.search(list(texts), limit=topk, cutoff=self.least_score)
        return [[_hit(match.id, match.name, match.score) for match in matches] for matches in found]


class SemanticIndex(_Index):
    """Nodes by the meaning of their names.

    Args:
        embedding_model: an :class:`~askgraph.models.base.Embedder`; any object with ``embed(texts)`` or
            ``encode(texts)`` that gives a row of numbers for each text (sentence-transformers do). Where it embeds
            queries in another way (``embed_queries``, ``encode_query``), names and mentions are embedded each in
            their own.
        least_score: how near in meaning a name must be, as a cosine; by the embedder's own scale otherwise.
    """

    def __init__(self, embedding_model: Embedder | Any = None, least_score: float | None = None) -> None:
        super().__init__()
        self._model = embedding_model if embedding_model is not None else _usual_embedder()
        self._least_score = least_score
        self._index: VectorIndex | None = None
        self._names: list[NameEntry] = []

    @property
    def least_score(self) -> float:
        """How near in meaning a name must be."""
        if self._least_score is not None:
            return self._least_score
        unrelated = float(getattr(self._model, "unrelated", 0.3))
        same = float(getattr(self._model, "same", 0.8))
        return unrelated + _NEAR_ENOUGH * (same - unrelated)

    def search(self, texts: Sequence[str], topk: int) -> list[list[dict[str, Any]]]:
        """For each text at most ``topk`` different nodes, the best first."""
        if not self._entries or not texts:
            return [[] for _ in texts]
        with self._lock:
            index = self._ready()
            # A node may have several names: enough of them for so many nodes, and never more than there are.
            wanted = min(len(self._names), max(topk * 4, topk + 10))
            found = index.search(self._embedded(texts, _OF_QUERIES), wanted)
        hits = []
        for matches in found:
            own: dict[str, dict[str, Any]] = {}
            for match in matches:
                entry = self._names[int(match.key)]
                if match.score >= self.least_score and entry.id not in own:
                    own[entry.id] = _hit(entry.id, entry.name, float(match.score))
            hits.append(list(own.values())[:topk])
        return hits

    def _ready(self) -> VectorIndex:
        if self._index is None or not self._built:
            self._names = list(self._entries.values())
            starts = range(0, len(self._names), _TEXTS_PER_BATCH)
            batches = [
                (
                    [str(row) for row in range(start, min(start + _TEXTS_PER_BATCH, len(self._names)))],
                    self._embedded(
                        [entry.name for entry in self._names[start : start + _TEXTS_PER_BATCH]], _OF_DOCUMENTS
                    ),
                )
                for start in starts
            ]
            file = self._new_folder() / "vectors"
            self._index = VectorIndex.build(batches, file, dimensions=batches[0][1].shape[1])
            self._built = True
        return self._index

    def _embedded(self, texts: Sequence[str], methods: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of length 1, whatever the model gives, by the first of these methods that it has."""
        embed = next((found for name in methods if callable(found := getattr(self._model, name, None))), None)
        if embed is None:
            raise SettingsError(
                f"a {type(self._model).__name__} embeds nothing",
                advice="Give an object with embed(texts) or encode(texts).",
            )
        vectors = np.asarray(embed(list(texts)), dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise SettingsError(
                f"the embedding model gave an array of shape {vectors.shape} for {len(texts)} texts"
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        normed: NDArray[np.float32] = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
        return normed


def _usual_embedder() -> Embedder:
    from ..core.settings import Settings
    from ..models.registry import make_embedder

    embedder = make_embedder(Settings.load())
    if embedder is None:
        raise SettingsError(
            "the settings name no embedder", advice="Give one: SemanticIndex(embedding_model)."
        )
    return embedder


def _hit(id: str, name: str, score: float) -> dict[str, Any]:
    return {"document": name, "document_id": id, "match_score": round(score, 4)}
