"""What a server knows of its graph without looking at it: names, indexes, constraints, its own limits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from ...core.budget import Budget
from ...core.errors import QueryFailedError
from .engines import Engine
from .memgraph import SchemaInfo, edge_type_of, labels_of, read_schema_info
from .server import BoltServer, Statement

IndexKind = Literal["fulltext", "range", "text", "vector", "other"]
_DOING: Final = "reading what the server knows of the graph"
_KINDS: Final[dict[str, IndexKind]] = {
    "FULLTEXT": "fulltext",
    "RANGE": "range",
    "BTREE": "range",
    "TEXT": "text",
    "VECTOR": "vector",
}
_MEMGRAPH_CONSTRAINTS: Final = {"unique": "UNIQUENESS", "existence": "NODE_PROPERTY_EXISTENCE"}
_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)")


@dataclass(frozen=True, slots=True)
class ServerIndex:
    """An index that is ready for use.

    Attributes:
        name: how procedures call it.
        kind: what it can do.
        of_edges: whether it is of relationships.
        types: labels or relationship types.
        keys: properties.
        is_unique: whether a constraint makes the values unique.
    """

    name: str
    kind: IndexKind
    of_edges: bool
    types: tuple[str, ...]
    keys: tuple[str, ...]
    is_unique: bool = False


@dataclass(frozen=True, slots=True)
class ServerConstraint:
    """What a server insists on.

    Attributes:
        kind: as the server calls it, such as ``"UNIQUENESS"``, ``"NODE_PROPERTY_EXISTENCE"``, ``"NODE_KEY"``.
        of_edges: whether it is of relationships.
        types: labels or relationship types.
        keys: properties.
    """

    kind: str
    of_edges: bool
    types: tuple[str, ...]
    keys: tuple[str, ...]

    @property
    def insists_on_presence(self) -> bool:
        """Whether every node or relationship of the type has the properties."""
        return "EXISTENCE" in self.kind or self.kind.endswith("KEY")


@dataclass(frozen=True, slots=True)
class Catalog:
    """What a server says without looking at its graph.

    Attributes:
        labels, edge_types, keys: every name that it knows; some may be of nothing that is left.
        indexes, constraints: those that are ready.
        database_id: changes when the database is another one, restored from a copy perhaps; empty if not known.
        time_limit: seconds after which the server ends any query; ``None`` for no limit, or if not known.
        notes: what could not be read, in sentences.
    """

    labels: tuple[str, ...]
    edge_types: tuple[str, ...]
    keys: tuple[str, ...]
    indexes: tuple[ServerIndex, ...] = ()
    constraints: tuple[ServerConstraint, ...] = ()
    database_id: str = ""
    time_limit: float | None = None
    notes: tuple[str, ...] = ()


def read_catalog(server: BoltServer, engine: Engine, budget: Budget | None = None) -> Catalog:
    """Ask a server in at most seven requests; what it refuses is left out, and said.

    Raises:
        ServerError, DeadlineExceededError: it cannot be asked at all.
    """
    ask = _Asker(server, budget)
    limit = _time_limit(ask) if engine.product == "Neo4j" else None
    server.server_limit = limit
    if engine.product == "Memgraph":
        return _of_schema_info(read_schema_info(server, budget))
    labels = ask.column("CALL db.labels() YIELD label RETURN label", "labels")
    edge_types = ask.column(
        "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType", "relationship types"
    )
    keys = ask.column("CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey", "property keys")
    constraints = _constraints(ask)
    return Catalog(
        labels=labels,
        edge_types=edge_types,
        keys=keys,
        indexes=_indexes(ask, constraints),
        constraints=constraints,
        database_id=_database_id(ask) if engine.product == "Neo4j" else "",
        time_limit=limit,
        notes=tuple(ask.notes),
    )


def _of_schema_info(info: SchemaInfo) -> Catalog:
    """What Memgraph says. It has no names for indexes; those on texts are searched by procedures of its own."""
    keys = {
        str(item["key"]) for entry in (*info["nodes"], *info["edges"]) for item in entry.get("properties", ())
    }
    indexes = [
        ServerIndex(
            f"{':'.join(entry['labels'])}({', '.join(entry['properties'])})",
            "range" if entry["type"] == "label+property" else "other",
            of_edges=False,
            types=_texts(entry["labels"]),
            keys=_texts(entry["properties"]),
        )
        for entry in info.get("node_indexes", ())
        if entry.get("properties")
    ]
    constraints = [
        ServerConstraint(
            _MEMGRAPH_CONSTRAINTS[entry["type"]], False, _texts(entry["labels"]), _texts(entry["properties"])
        )
        for entry in info.get("node_constraints", ())
        if entry["type"] in _MEMGRAPH_CONSTRAINTS
    ]
    return Catalog(
        labels=labels_of(info),
        edge_types=tuple(sorted({edge_type_of(entry) for entry in info["edges"]})),
        keys=tuple(sorted(keys)),
        indexes=tuple(sorted(indexes, key=lambda item: item.name)),
        constraints=tuple(constraints),
    )


class _Asker:
    """Asks, and notes what was refused."""

    def __init__(self, server: BoltServer, budget: Budget | None) -> None:
        self._server = server
        self._budget = budget
        self.notes: list[str] = []

    def rows(self, text: str, what: str) -> list[dict[str, Any]]:
        """The rows of a request as maps; none where it is refused."""
        rows: list[list[Any]] = []

        def take(row: list[Any]) -> bool:
            rows.append(row)
            return True

        try:
            reply = self._server.read(Statement(text, doing=_DOING), take, self._budget)
        except QueryFailedError as error:
            self.notes.append(f"The server does not tell its {what}: {error.message}.")
            return []
        return [dict(zip(reply.columns, row, strict=True)) for row in rows]

    def column(self, text: str, what: str) -> tuple[str, ...]:
        """The texts of a request with one column, sorted."""
        rows = self.rows(text, what)
        return tuple(sorted({str(value) for row in rows for value in row.values()}))


def _indexes(ask: _Asker, constraints: Sequence[ServerConstraint]) -> tuple[ServerIndex, ...]:
    unique = {
        (item.types, item.keys) for item in constraints if "UNIQUE" in item.kind or item.kind.endswith("KEY")
    }
    found = []
    for row in ask.rows("SHOW INDEXES", "indexes"):
        types, keys = _texts(row.get("labelsOrTypes")), _texts(row.get("properties"))
        if str(row.get("state", "ONLINE")) != "ONLINE" or not types or not keys:
            continue
        found.append(
            ServerIndex(
                name=str(row.get("name", "")),
                kind=_KINDS.get(str(row.get("type", "")), "other"),
                of_edges=row.get("entityType") == "RELATIONSHIP",
                types=types,
                keys=keys,
                is_unique=(types, keys) in unique,
            )
        )
    return tuple(sorted(found, key=lambda item: item.name))


def _constraints(ask: _Asker) -> tuple[ServerConstraint, ...]:
    found = [
        ServerConstraint(
            kind=str(row.get("type", "")).replace(" ", "_"),
            of_edges=row.get("entityType") == "RELATIONSHIP",
            types=_texts(row.get("labelsOrTypes")),
            keys=_texts(row.get("properties")),
        )
        for row in ask.rows("SHOW CONSTRAINTS", "constraints")
    ]
    return tuple(sorted(found, key=lambda item: (item.types, item.keys, item.kind)))


def _time_limit(ask: _Asker) -> float | None:
    rows = ask.rows(
        "SHOW SETTINGS YIELD name, value WHERE name = 'db.transaction.timeout' RETURN value", "time limit"
    )
    return next((seconds(str(row["value"])) for row in rows), None)


def _database_id(ask: _Asker) -> str:
    rows = ask.rows("CALL db.info() YIELD id RETURN id", "database's id")
    return next((str(row["id"]) for row in rows), "")


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list | tuple) else ()


def seconds(text: str) -> float | None:
    """A span of time as Neo4j writes it (``2s``, ``1m30s``, ``500ms``); ``None`` for zero, which is no limit."""
    parts = _SPAN.findall(text)
    total = sum(float(number) * _UNITS[unit] for number, unit in parts)
    return total or None
