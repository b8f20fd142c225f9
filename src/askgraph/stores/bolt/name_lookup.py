"""Nodes found by words, through the indexes that the server has; no names are copied.

A full-text index finds names that share words with a text, misspelt ones too. Without one, an index on a name property
finds names that are the text, but for case, or begin with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...core.budget import Budget
from ...core.graph import Node
from ...core.hidden import Hidden
from ..property.names import NameRules
from .catalog import Catalog, ServerIndex
from .elements import ElementReader
from .engines import Engine
from .server import BoltServer, Statement

_DOING: Final = "looking names up"
_FETCH: Final = 1_000
_MOST_WORDS: Final = 12
_WORD: Final = re.compile(r"\w+")
# Characters that mean something to Lucene, in names of fields.
_SPECIAL: Final = re.compile(r"([+\-&|!(){}\[\]^\"~*?:\\/\s])")
# Words of so many letters may differ by one letter, or two.
_ONE_LETTER: Final = 4
_TWO_LETTERS: Final = 8


@dataclass(frozen=True, slots=True)
class _NameIndex:
    """An index over names: its name, its labels, and those of its keys that are names and may be seen."""

    name: str
    labels: tuple[str, ...]
    keys: tuple[str, ...]
    can_contain: bool = False


class NameLookup:
    """Finds nodes by words in one graph."""

    def __init__(
        self, server: BoltServer, engine: Engine, catalog: Catalog, names: NameRules, hidden: Hidden
    ) -> None:
        self._server = server
        self._engine = engine
        self._names = names
        self._hidden = hidden
        self._keys = _name_keys(names)
        self._full_text = self._usable(catalog, "fulltext")
        self._exact = [
            index
            for index in (*self._usable(catalog, "range"), *self._usable(catalog, "text"))
            if len(index.keys) == 1
        ]

    @property
    def is_possible(self) -> bool:
        """Whether the server has an index over names."""
        return bool(self._full_text or self._exact)

    @property
    def limits(self) -> tuple[str, ...]:
        """What cannot be found, in sentences."""
        if self._full_text:
            return ()
        if self._exact:
            return (
                "There is no full-text index over names: a name is found by its beginning, not by its words.",
            )
        return ("There is no index over names: they cannot be looked up on the server.",)

    def find(
        self, texts: Sequence[str], limit: int, elements: ElementReader, budget: Budget, *, alike: bool = True
    ) -> list[list[Node]]:
        """For each text up to ``limit`` nodes, the best first, in one request for all; without ``alike`` those that
        have all of its words are enough."""
        asked = [position for position, text in enumerate(texts) if _WORD.search(text)]
        found: list[dict[str, Node]] = [{} for _ in texts]
        if asked and self.is_possible:
            wanted = [texts[position] for position in asked]
            statement = (
                self._by_words(wanted, limit, alike=alike)
                if self._full_text
                else self._by_values(wanted, limit)
            )
            rows = self._server.rows(statement, budget)
            rows.sort(key=lambda row: (row[0], -row[1], row[2]))
            for number, _, id, labels, properties in rows:
                node = elements.node(id, labels, properties)
                nodes = found[asked[number]]
                if node is not None and len(nodes) < limit:
                    nodes.setdefault(id, node)
        return [list(nodes.values()) for nodes in found]

    # --- which indexes

    def _usable(self, catalog: Catalog, kind: str) -> list[_NameIndex]:
        return [
            _NameIndex(index.name, index.types, keys, kind == "text")
            for index in catalog.indexes
            if index.kind == kind and not index.of_edges and (keys := self._seen_keys(index))
        ]

    def _seen_keys(self, index: ServerIndex) -> tuple[str, ...]:
        """The keys of an index that name nodes, and that may be seen on every type that it is of."""
        if index.kind != "fulltext" and len(index.keys) > 1:
            return ()
        return tuple(
            key
            for key in index.keys
            if key in self._keys and not self._hidden.hides_property(key, index.types)
        )

    # --- by words

    def _by_words(self, texts: Sequence[str], limit: int, *, alike: bool) -> Statement:
        is_lucene = self._engine.product != "ArcadeDB"
        query_of = full_text_query if alike or not is_lucene else query_of_all_words
        options = ", {limit: $most}" if is_lucene else ""
        text = (
            "UNWIND range(0, size($texts) - 1) AS i UNWIND $indexes AS index"
            f" CALL db.index.fulltext.queryNodes(index.name, index.queries[i]{options}) YIELD node, score"
            f" WITH i, node, score{self._where_seen('node')}"
            f" RETURN i, score, {self._engine.id_of('node')}, labels(node), {self._name_map('node')}"
        )
        indexes = [
            {"name": index.name, "queries": [query_of(text, self._fields(index)) for text in texts]}
            for index in self._full_text
        ]
        parameters = {"texts": list(texts), "indexes": indexes, "most": 2 * limit if self._hidden else limit}
        return Statement(text, parameters, _DOING, fetch_size=_FETCH)

    def _fields(self, index: _NameIndex) -> tuple[str, ...]:
        """ArcadeDB's index is of one property, which a query cannot name."""
        return () if self._engine.product == "ArcadeDB" else index.keys

    # --- by values

    def _by_values(self, texts: Sequence[str], limit: int) -> Statement:
        branches = [
            f"{'' if self._engine.scoped_subqueries else 'WITH i '}"
            f"MATCH (n:{self._engine.name(label)}) WHERE {condition}{self._and_seen('n')}"
            f" RETURN n AS node, {score} AS score LIMIT $most"
            for index in self._exact
            for label in index.labels
            for score, condition in self._conditions(index)
        ]
        body = " UNION ALL ".join(branches)
        if not self._engine.scoped_subqueries:
            body = body.removeprefix("WITH i ")
        text = (
            f"UNWIND range(0, size($texts) - 1) AS i {self._engine.subquery('i', body)}"
            f" RETURN i, score, {self._engine.id_of('node')}, labels(node), {self._name_map('node')}"
        )
        parameters = {
            "texts": list(texts),
            "forms": [_forms(text) for text in texts],
            "most": 2 * limit if self._hidden else limit,
        }
        return Statement(text, parameters, _DOING, fetch_size=_FETCH)

    def _conditions(self, index: _NameIndex) -> list[tuple[float, str]]:
        value = f"n.{self._engine.name(index.keys[0])}"
        conditions = [(3.0, f"{value} IN $forms[i]"), (2.0, f"{value} STARTS WITH $forms[i][0]")]
        if index.can_contain:
            conditions.append((1.0, f"{value} CONTAINS $forms[i][0]"))
        return conditions

    # --- words of queries

    def _name_map(self, variable: str) -> str:
        """The properties that name a node."""
        keys = [key for key in self._keys if key not in self._hidden.properties]
        return f"{variable} {{{', '.join('.' + self._engine.name(key) for key in keys)}}}"

    def _where_seen(self, variable: str) -> str:
        conditions = self._and_seen(variable)
        return f" WHERE true{conditions}" if conditions else ""

    def _and_seen(self, variable: str) -> str:
        return "".join(f" AND NOT {variable}:{self._engine.name(label)}" for label in self._hidden.types)


def _name_keys(names: NameRules) -> tuple[str, ...]:
    """Every key that may name a node, the preferred first."""
    groups = (names.keys, *names.fallbacks, names.aliases)
    return tuple(dict.fromkeys(key for group in groups for key in group))


def full_text_query(text: str, fields: Sequence[str]) -> str:
    """A query in Lucene's language for names like a text: the whole text first, then its words, then words like them.

    Args:
        text: what somebody wrote; nothing in it has a meaning of its own.
        fields: the properties to look in; without any, those of the index.
    """
    parts = [_phrase(text)]
    for word in _words(text):
        # "and", "or" and "not" are operators in capitals alone.
        parts.append(f"{word}^2")
        if len(word) >= _ONE_LETTER:
            parts.append(f"{word}~{2 if len(word) >= _TWO_LETTERS else 1}")
    return _in_fields(" ".join(parts), fields)


def query_of_all_words(text: str, fields: Sequence[str]) -> str:
    """The same for names that have all words of a text as they are: what is looked at is led by the rarest of them."""
    words = " ".join(f"+{word}" for word in _words(text))
    return _in_fields(f"{_phrase(text)} ({words})", fields)


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(word.lower() for word in _WORD.findall(text)))[:_MOST_WORDS]


def _phrase(text: str) -> str:
    phrase = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{phrase}"^8'


def _in_fields(wanted: str, fields: Sequence[str]) -> str:
    if not fields:
        return wanted
    return " ".join(f"{_SPECIAL.sub(_ESCAPED, field)}:({wanted})" for field in fields)


_ESCAPED: Final = r"\\\1"


def _forms(text: str) -> list[str]:
    """The ways in which somebody may have meant a text to be written, the likeliest first."""
    plain = " ".join(text.split())
    return list(
        dict.fromkeys([plain, plain.title(), plain[:1].upper() + plain[1:], plain.lower(), plain.upper()])
    )
