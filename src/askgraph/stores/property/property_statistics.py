"""What is known of each property of each type of nodes or edges: how many have it, its kinds of value, some values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ...core.schema import UNTYPED, Property
from ...core.values import Value, ValueType, to_json_value, value_type
from ...core.words import human_label, quantity
from .catalog import Catalog, Owner, PropertyColumn
from .codec import decode, selected
from .layout import COLUMN_TYPES
from .sql_comparing import canonical
from .sql_properties import has_lists, list_of_values, property_cells, property_elements

if TYPE_CHECKING:
    import duckdb

SAMPLES: Final = 5
# Values looked at for the samples of one property of one type, and for the kinds of value in a column of JSON.
_LOOKED_AT: Final = 200
_LONGEST_SAMPLE: Final = 80
# Up to so many rows different values are counted, beyond they are estimated, and then counted if they seem to be few.
_COUNTED_ROWS: Final = 500_000
_FEW_VALUES: Final = 2_000
_UNTYPED_CODE: Final = -1
# An odd number (Knuth's) spreads row numbers over all of 32 bits, one place for each.
_SPREAD: Final = "(row * 2654435761) % 4294967296"


def property_statistics(
    cursor: duckdb.DuckDBPyConnection, catalog: Catalog, owner: Owner, owners: Mapping[str, int]
) -> tuple[tuple[Property, ...], list[str]]:
    """The properties of nodes or of edges, by count, and what was estimated or sampled.

    Args:
        cursor: on the graph's database.
        catalog: of the same graph.
        owner: whose properties.
        owners: how many nodes (or edges) each type has.
    """
    names = list(catalog.node_type_codes if owner == "node" else catalog.edge_type_codes)
    rows = cursor.execute(f"SELECT count(*) FROM {_TABLES[owner]}").fetchone()
    is_large = rows is not None and rows[0] > _COUNTED_ROWS
    estimated: set[str] = set()
    properties = []
    for key, columns in (catalog.node_columns if owner == "node" else catalog.edge_columns).items():
        distinct, is_estimated = _distinct(cursor, columns, is_large=is_large)
        if is_estimated:
            estimated.add(key)
        for code, gathered in _gather(cursor, columns).items():
            name = UNTYPED if code == _UNTYPED_CODE else names[code]
            properties.append(
                Property(
                    key=key,
                    label=human_label(key),
                    owner=name,
                    value_types=gathered.value_types,
                    count=gathered.owners,
                    coverage=gathered.owners / owners[name],
                    samples=_samples(gathered.looked_at),
                    distinct=distinct[code],
                    of_edges=owner == "edge",
                )
            )
    properties.sort(key=lambda item: (-item.count, item.key, item.owner))
    return tuple(properties), _notes(owner, properties, estimated)


def _notes(owner: Owner, properties: Sequence[Property], estimated: set[str]) -> list[str]:
    notes = []
    if any(item.count > _LOOKED_AT for item in properties):
        notes.append(
            f"Samples of a property of {owner}s are the most frequent among {_LOOKED_AT} of its values;"
            f" texts are cut after {_LONGEST_SAMPLE} characters."
        )
    if estimated:
        notes.append(
            f"The numbers of different values of {quantity(len(estimated), 'property', 'properties')} of"
            f" {owner}s are estimates (within some per cent): {', '.join(sorted(estimated))}."
        )
    return notes


_TABLES: Final = {"node": "nodes", "edge": "edges"}


@dataclass(slots=True)
class _Gathered:
    """What one type has in the columns of a key.

    Attributes:
        owners: nodes or edges that have a value.
        kinds: how many have a value of each kind.
        looked_at: some values.
    """

    owners: int = 0
    kinds: Counter[ValueType] = field(default_factory=Counter)
    looked_at: list[Value] = field(default_factory=list)

    @property
    def value_types(self) -> tuple[ValueType, ...]:
        """The kinds of value, the most frequent first."""
        order = {kind: place for place, kind in enumerate(ValueType)}
        return tuple(sorted(self.kinds, key=lambda kind: (-self.kinds[kind], order[kind])))


def _samples(values: Sequence[Value]) -> tuple[Value, ...]:
    """The most frequent values, each once and short; among equals those that came first."""
    counts: dict[str, int] = {}
    first: dict[str, Value] = {}
    for value in values:
        short = _shortened(value)
        form = repr(to_json_value(short))
        counts[form] = counts.get(form, 0) + 1
        first.setdefault(form, short)
    frequent = sorted(counts, key=lambda form: -counts[form])
    return tuple(first[form] for form in frequent[:SAMPLES])


def _shortened(value: Value) -> Value:
    if isinstance(value, str) and len(value) > _LONGEST_SAMPLE:
        return value[:_LONGEST_SAMPLE].rstrip() + "…"
    if isinstance(value, bytes) and len(value) > _LONGEST_SAMPLE:
        return value[:_LONGEST_SAMPLE]
    return value


def _gather(cursor: duckdb.DuckDBPyConnection, columns: Sequence[PropertyColumn]) -> dict[int, _Gathered]:
    """What each type, by its code, has of a key."""
    gathered: dict[int, _Gathered] = {}
    for column in columns:
        cell = column.column_name
        has_value, shown = f"{cell} IS NOT NULL", selected(column.column_type, cell)
        if has_lists([column]):
            has_value = f"len({list_of_values(column, cell)}) > 0"
        looked_at = f"min_by({shown}, {_SPREAD}, {_LOOKED_AT}) FILTER (WHERE {has_value})"
        query = f"SELECT type, count_if({has_value}), {looked_at} FROM {_typed_cells([column])} GROUP BY type"
        for code, owners, cells in cursor.execute(query).fetchall():
            if owners:
                # No owner has a value in two columns.
                of_type = gathered.setdefault(code, _Gathered())
                values = _values(column, cells)
                of_type.owners += owners
                of_type.kinds.update(_kinds(column, owners, values))
                of_type.looked_at += values
    return gathered


def _typed_cells(columns: Sequence[PropertyColumn]) -> str:
    """A subquery with a row for each type of each node, or for each edge, that has a cell in one of the columns."""
    cells = ", ".join(column.column_name for column in columns)
    some = " OR ".join(f"{column.column_name} IS NOT NULL" for column in columns)
    if columns[0].owner == "edge":
        return f"(SELECT type, row, {cells} FROM edges WHERE {some})"
    types = f"CASE WHEN len(types) > 0 THEN list_distinct(types) ELSE [{_UNTYPED_CODE}] END"
    return f"(SELECT unnest({types}) AS type, row, {cells} FROM nodes WHERE {some})"


def _distinct(
    cursor: duckdb.DuckDBPyConnection, columns: Sequence[PropertyColumn], *, is_large: bool
) -> tuple[dict[int, int], bool]:
    """The number of different values of each type, and whether it is an estimate."""
    source = f"FROM {_typed_cells(columns)} AS t"
    value = property_cells(columns, "t.")
    if has_lists(columns):
        elements, value = property_elements(columns, "t.", "u")
        source += f" JOIN LATERAL {elements} AS u ON TRUE"
    cells = [item.sql for item in canonical(value).alternatives]

    def counted(function: str) -> dict[int, int]:
        counts = " + ".join(function.format(cell) for cell in cells)
        return dict(cursor.execute(f"SELECT t.type, {counts} {source} GROUP BY t.type").fetchall())

    if not is_large:
        return counted("count(DISTINCT {})"), False
    estimates = counted("approx_count_distinct({})")
    if max(estimates.values(), default=0) <= _FEW_VALUES:
        return counted("count(DISTINCT {})"), False
    return estimates, True


def _values(column: PropertyColumn, cells: Sequence[Any]) -> list[Value]:
    """The single values in some cells of a column."""
    values: list[Value] = []
    for cell in cells:
        value = decode(column.column_type, cell)
        values += value if isinstance(value, list) else [value]
    return [value for value in values if value is not None]


def _kinds(column: PropertyColumn, owners: int, values: Sequence[Value]) -> Counter[ValueType]:
    if column.column_type != "json":
        return Counter({COLUMN_TYPES[column.element_type][1]: owners})
    return Counter(value_type(value) for value in values)
