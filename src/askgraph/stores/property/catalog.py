"""What a property graph's tables hold, read once: type codes and property columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import duckdb

Owner = Literal["node", "edge"]


@dataclass(frozen=True, slots=True)
class PropertyColumn:
    """A column of the table ``nodes`` or ``edges``: the values of one key that are of one type."""

    owner: Owner
    key: str
    column_type: str
    column_name: str

    @property
    def is_list(self) -> bool:
        """Whether a cell is a list."""
        return self.column_type.endswith("[]")

    @property
    def element_type(self) -> str:
        """The column type of one value: of the list's elements, or of the cell."""
        return self.column_type.removesuffix("[]")


@dataclass(frozen=True)
class Catalog:
    """Names and columns of one version of a graph (see :mod:`askgraph.stores.property.layout`).

    Attributes:
        node_type_codes: labels and their codes.
        edge_type_codes: edge types and their codes.
        columns: all property columns in their order, those of nodes first.
    """

    node_type_codes: Mapping[str, int]
    edge_type_codes: Mapping[str, int]
    columns: tuple[PropertyColumn, ...]

    @cached_property
    def node_columns(self) -> Mapping[str, tuple[PropertyColumn, ...]]:
        """The columns of each key of nodes."""
        return self._columns_of("node")

    @cached_property
    def edge_columns(self) -> Mapping[str, tuple[PropertyColumn, ...]]:
        """The columns of each key of edges."""
        return self._columns_of("edge")

    def _columns_of(self, owner: Owner) -> Mapping[str, tuple[PropertyColumn, ...]]:
        found: dict[str, tuple[PropertyColumn, ...]] = {}
        for column in self.columns:
            if column.owner == owner:
                found[column.key] = (*found.get(column.key, ()), column)
        return found


def read_catalog(connection: duckdb.DuckDBPyConnection) -> Catalog:
    """Read the catalog of the graph that ``connection`` is on."""
    node_types = connection.execute("SELECT name, code FROM node_types ORDER BY code").fetchall()
    edge_types = connection.execute("SELECT name, code FROM edge_types ORDER BY code").fetchall()
    columns = connection.execute(
        "SELECT owner, key, column_type, column_name FROM property_columns ORDER BY owner DESC, position"
    ).fetchall()
    return Catalog(dict(node_types), dict(edge_types), tuple(PropertyColumn(*row) for row in columns))
