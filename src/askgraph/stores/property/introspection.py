"""The schema of a property graph, counted from its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ...core.budget import Budget
from ...core.schema import UNTYPED, EdgeEnds, EdgeType, NodeType, Property, Schema
from ...core.values import Value, ValueType, display
from ...core.words import split_identifier
from .catalog import Catalog, Owner, PropertyColumn, read_catalog
from .codec import decode, selected
from .deadline import within_deadline
from .layout import COLUMN_TYPES

if TYPE_CHECKING:
    import duckdb

_SAMPLES: Final = 5
_ROWS_SAMPLED: Final = 200
_MOST_PAIRS: Final = 200
_UNTYPED_CODE: Final = -1
_UNTYPED_LABEL: Final = "untyped"
# Exact counts of different values cost a sort of the column; beyond this they are estimated (HyperLogLog).
_EXACT_DISTINCT_ROWS: Final = 1_000_000
_MULTIPLE_TYPES_NOTE: Final = (
    "Some nodes have several types: each of their edges and properties is counted for each of these types."
)

# Every node under each of its types, those without any under one of their own.
_MEMBERS: Final = f"""(
    SELECT type, row FROM node_type_members
    UNION ALL SELECT {_UNTYPED_CODE} AS type, row FROM nodes WHERE len(types) = 0
)"""


def introspect(connection: duckdb.DuckDBPyConnection, budget: Budget | None = None) -> Schema:
    """Count everything; nothing is sampled but the shown values. Four million edges take about two CPU-seconds.

    Raises:
        DeadlineExceededError: the time of the budget is up.
    """
    with within_deadline(connection, budget, "reading the schema"):
        return _Introspection(connection).schema()


def human_label(name: str) -> str:
    """``"HAS_MANAGER"`` as ``"has manager"``; a name with blanks as it is, and so a word of mixed case or capitals."""
    if " " in name or not name:
        return name
    words = split_identifier(name)
    return words if " " in words and not words.isupper() else name if "_" not in name else words


class _Introspection:
    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._catalog: Catalog = read_catalog(connection)
        self._type_names = {code: name for name, code in self._catalog.node_type_codes.items()}
        self._type_names[_UNTYPED_CODE] = UNTYPED
        self._edge_names = {code: name for name, code in self._catalog.edge_type_codes.items()}

    def schema(self) -> Schema:
        node_counts = self._counts(f"SELECT type, count(*) FROM {_MEMBERS} GROUP BY type")
        edge_counts = self._counts("SELECT type, count(*) FROM edges GROUP BY type")
        node_count = self._number("SELECT count(*) FROM nodes")
        edge_types, notes = self._edge_types(edge_counts)
        if sum(node_counts.values()) > node_count:
            notes.append(_MULTIPLE_TYPES_NOTE)
        return Schema(
            kind="property",
            node_count=node_count,
            edge_count=sum(edge_counts.values()),
            node_types=tuple(
                NodeType(name, human_label(name) or _UNTYPED_LABEL, count, count)
                for name, count in _by_count(node_counts, self._type_names)
            ),
            edge_types=edge_types,
            properties=(*self._properties("node", node_counts), *self._properties("edge", edge_counts)),
            notes=tuple(notes),
        )

    # --- counts

    def _rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, list(parameters)).fetchall()

    def _number(self, sql: str) -> int:
        return int(self._rows(sql)[0][0])

    def _counts(self, sql: str) -> dict[int, int]:
        return {int(code): int(count) for code, count in self._rows(sql)}

    # --- edge types

    def _edge_types(self, counts: Mapping[int, int]) -> tuple[tuple[EdgeType, ...], list[str]]:
        pairs: dict[int, list[EdgeEnds]] = {}
        rows = self._rows(
            f"""
            WITH members AS {_MEMBERS}
            SELECT edges.type, sources.type, targets.type, count(*) AS number
            FROM edges
            JOIN members AS sources ON edges.source = sources.row
            JOIN members AS targets ON edges.target = targets.row
            GROUP BY ALL ORDER BY number DESC, edges.type, sources.type, targets.type
            """
        )
        for edge_type, source, target, number in rows:
            ends = EdgeEnds(self._type_names[source], self._type_names[target], int(number))
            pairs.setdefault(edge_type, []).append(ends)
        cut = [self._edge_names[code] for code, found in pairs.items() if len(found) > _MOST_PAIRS]
        notes = [
            f"{name} joins more than {_MOST_PAIRS} pairs of types; the most frequent are listed."
            for name in sorted(cut)
        ]
        types = tuple(
            EdgeType(
                name,
                human_label(name),
                count,
                tuple(pairs.get(self._catalog.edge_type_codes[name], ())[:_MOST_PAIRS]),
            )
            for name, count in _by_count(counts, self._edge_names)
        )
        return types, notes

    # --- properties

    def _properties(self, owner: Owner, counts: Mapping[int, int]) -> tuple[Property, ...]:
        names = self._type_names if owner == "node" else self._edge_names
        columns = self._catalog.node_columns if owner == "node" else self._catalog.edge_columns
        found: list[Property] = []
        for key, own in columns.items():
            parts = [
                (column, part) for column in own for part in self._parts(owner, column, sum(counts.values()))
            ]
            for code in dict.fromkeys(part.type for _, part in parts):
                found.append(
                    _property(
                        key,
                        names[code],
                        owner,
                        [item for item in parts if item[1].type == code],
                        counts[code],
                    )
                )
        order = {
            names[code]: place
            for place, code in enumerate(sorted(counts, key=lambda code: (-counts[code], names[code])))
        }
        return tuple(sorted(found, key=lambda item: (order[item.owner], -item.count, item.key)))

    def _parts(self, owner: Owner, column: PropertyColumn, owners: int) -> list[_Part]:
        """How the values of one column are spread over the types of their owners."""
        name = column.column_name
        source = (
            f"nodes JOIN {_MEMBERS} AS members ON nodes.row = members.row" if owner == "node" else "edges"
        )
        kind = "members.type" if owner == "node" else "edges.type"
        distinct = "count(DISTINCT {0})" if owners <= _EXACT_DISTINCT_ROWS else "approx_count_distinct({0})"
        counted = self._rows(
            f"SELECT {kind} AS type, count({name}), {distinct.format(name)} FROM {source} "
            f"WHERE {name} IS NOT NULL GROUP BY ALL ORDER BY ALL"
        )
        samples = self._samples(owner, column)
        exact = owners <= _EXACT_DISTINCT_ROWS
        return [
            _Part(int(code), int(count), int(different) if exact else None, tuple(samples.get(int(code), ())))
            for code, count, different in counted
        ]

    def _samples(self, owner: Owner, column: PropertyColumn) -> dict[int, list[Value]]:
        """The first few different values of the column for each type."""
        name = column.column_name
        source = (
            f"nodes JOIN {_MEMBERS} AS members ON nodes.row = members.row" if owner == "node" else "edges"
        )
        kind, row = ("members.type", "nodes.row") if owner == "node" else ("edges.type", "edges.row")
        rows = self._rows(
            f"""
            SELECT type, value FROM (
                SELECT {kind} AS type, {selected(column.column_type, name)} AS value, {row} AS place
                FROM {source} WHERE {name} IS NOT NULL
                QUALIFY row_number() OVER (PARTITION BY {kind} ORDER BY {row}) <= {_ROWS_SAMPLED}
            ) ORDER BY type, place
            """
        )
        samples: dict[int, dict[str, Value]] = {}
        for code, stored in rows:
            known = samples.setdefault(int(code), {})
            if len(known) < _SAMPLES:
                value = decode(column.column_type, stored)
                known.setdefault(display(value), value)
        return {code: list(known.values()) for code, known in samples.items()}


@dataclass(frozen=True, slots=True)
class _Part:
    """The values that one column has on owners of one type."""

    type: int
    count: int
    distinct: int | None
    samples: tuple[Value, ...]


def _property(
    key: str, owner: str, kind: Owner, parts: Sequence[tuple[PropertyColumn, _Part]], owners: int
) -> Property:
    ordered = sorted(parts, key=lambda item: (-item[1].count, item[0].column_type))
    types = dict.fromkeys(_value_type(column) for column, _ in ordered)
    count = sum(part.count for _, part in ordered)
    distinct = [part.distinct for _, part in ordered]
    samples = [value for _, part in ordered for value in part.samples]
    return Property(
        key=key,
        label=human_label(key),
        owner=owner,
        value_types=tuple(types),
        count=count,
        coverage=count / owners if owners else 0.0,
        samples=tuple(samples[:_SAMPLES]),
        distinct=None if None in distinct else sum(number for number in distinct if number is not None),
        of_edges=kind == "edge",
    )


def _value_type(column: PropertyColumn) -> ValueType:
    """The type of the values that a plan compares: of a list's elements, for a list gives several values."""
    return COLUMN_TYPES[column.element_type][1]


def _by_count(counts: Mapping[int, int], names: Mapping[int, str]) -> list[tuple[str, int]]:
    return sorted(
        ((names[code], count) for code, count in counts.items()), key=lambda item: (-item[1], item[0])
    )
