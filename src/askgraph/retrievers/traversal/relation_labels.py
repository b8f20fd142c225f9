"""What the relations of a graph are called, also where their ids are codes (``P106``) that the schema has no label for.

A code may be spelled out elsewhere in the graph: Wikidata has the label of ``wdt:P106``, ``p:P106`` and ``ps:P106`` at
``wd:P106``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from threading import Lock
from typing import Final

from ...core.schema import Schema
from ...core.words import local_name
from ...stores.base import GraphStore

_CODE: Final = re.compile(r"[A-Za-z]{1,4}[-_]?\d+")
_WIKIBASE: Final = re.compile(r"(?P<base>.*/)prop/(?:[a-z-]+/)*(?P<code>[A-Z]\d+)")


class RelationLabels:
    """The labels of edge types and properties. What is looked up in the graph is looked up once."""

    def __init__(self, store: GraphStore, schema: Schema) -> None:
        self._store = store
        self._schema = schema
        self._found: dict[str, str] = {}
        self._lock = Lock()

    def of(self, relation: str) -> str:
        """What a relation is called; its id's last part where nobody says."""
        return self._found.get(relation) or self._schema.label_of(relation)

    def look_up(self, relations: Iterable[str]) -> None:
        """Find out what those are called whose labels are codes, all in one go."""
        with self._lock:
            unknown = [
                item for item in dict.fromkeys(relations) if item not in self._found and self._is_code(item)
            ]
            places = {relation: list(_places_of_label(relation)) for relation in unknown}
            asked = list(dict.fromkeys(place for own in places.values() for place in own))
            names = {node.id: node.name for node in self._store.nodes(asked) if node.names} if asked else {}
            for relation in unknown:
                label = next((names[place] for place in places[relation] if place in names), "")
                self._found[relation] = label or self._schema.label_of(relation)

    def _is_code(self, relation: str) -> bool:
        label = self._schema.label_of(relation)
        return _CODE.fullmatch(local_name(label) if "/" in label else label) is not None


def _places_of_label(relation: str) -> Iterator[str]:
    """Nodes that may bear the label of a relation."""
    yield relation
    wikibase = _WIKIBASE.fullmatch(relation)
    if wikibase is not None:
        yield f"{wikibase['base']}entity/{wikibase['code']}"
