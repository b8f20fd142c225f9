"""How a property graph lies in a DuckDB file.

::

    metadata(key, value)                        format version, name properties, what loaders remember
    node_types(code, name)                      labels
    edge_types(code, name)
    property_columns(owner, position, key, column_type, column_name)
    nodes(row, id, types, <one column for each property column of nodes>)
    node_type_members(type, row)                sorted by type, then row
    edges(row, source, target, type, id, <one column for each property column of edges>)

``row`` numbers nodes from 0 in the order of arrival, and edges from 0 in the order (source, type, target, arrival):
it equals the position in the outgoing adjacency. Row numbers are private to one version of a graph. Codes of types
follow the order of their names (by code point); ``nodes.types`` lists codes in the order given. ``edges.id`` is null
unless the file gave one: the made-up id is computed when asked for (``core.graph.edge_id``).

A property column is a pair of key and value type: a key whose values are numbers on some nodes and texts on others has
two columns, and a node has a value in at most one of them. Columns are named ``p0``, ``p1``, … because SQL names ignore
case and keys do not. An empty text is a value; null is the lack of one.
"""

from __future__ import annotations

from typing import Final

from ...core.values import ValueType

FORMAT_VERSION: Final = 1
DATABASE_FILE: Final = "graph.duckdb"
ADJACENCY_FOLDER: Final = "adjacency"
SCHEMA_FILE: Final = "schema.json"

ID_KEY: Final = "id"
"""The property that may stand where Cypher's engine has the id of a node."""

TABLES: Final = frozenset(
    ("metadata", "node_types", "edge_types", "property_columns", "nodes", "node_type_members", "edges")
)

# What has no exact SQL type (numbers beyond 64 bits, decimals of any scale, datetimes in other zones than UTC, times
# with a zone, points, maps, mixed lists) is kept as text in the strict JSON form of core.values. "big_integer" and
# "decimal" are the plain digits alone; decimals that have none, such as NaN, are "json".
COLUMN_TYPES: Final[dict[str, tuple[str, ValueType]]] = {
    "boolean": ("BOOLEAN", ValueType.BOOLEAN),
    "integer": ("BIGINT", ValueType.INTEGER),
    "big_integer": ("VARCHAR", ValueType.INTEGER),
    "decimal": ("VARCHAR", ValueType.DECIMAL),
    "float": ("DOUBLE", ValueType.FLOAT),
    "text": ("VARCHAR", ValueType.TEXT),
    "date": ("DATE", ValueType.DATE),
    "time": ("TIME", ValueType.TIME),
    "datetime": ("TIMESTAMP", ValueType.DATETIME),
    "zoned_datetime": ("TIMESTAMPTZ", ValueType.DATETIME),
    "duration": ("VARCHAR", ValueType.DURATION),
    "bytes": ("BLOB", ValueType.BYTES),
    "point": ("VARCHAR", ValueType.POINT),
    "json": ("VARCHAR", ValueType.OTHER),
}
"""Column type name to SQL type and the value type that the schema shows. A list column has the name of its elements
with ``[]`` after it (``integer[]`` is ``BIGINT[]``), for the types of :data:`LIST_ELEMENTS`; others are ``json``."""

LIST_ELEMENTS: Final = ("boolean", "integer", "float", "text", "date", "datetime")

CREATE_TABLES: Final = """
CREATE TABLE metadata (key VARCHAR PRIMARY KEY, value VARCHAR NOT NULL);
CREATE TABLE node_types (code INTEGER PRIMARY KEY, name VARCHAR NOT NULL UNIQUE);
CREATE TABLE edge_types (code INTEGER PRIMARY KEY, name VARCHAR NOT NULL UNIQUE);
CREATE TABLE property_columns (
    owner VARCHAR NOT NULL CHECK (owner IN ('node', 'edge')), position INTEGER NOT NULL, key VARCHAR NOT NULL,
    column_type VARCHAR NOT NULL, column_name VARCHAR NOT NULL, UNIQUE (owner, key, column_type)
);
"""

NAME_PROPERTIES: Final = (
    "name",
    "title",
    "label",
    "display_name",
    "preferred_name",
    "full_name",
    "node_name",
    "symbol",
)
"""Keys that give a node its names where the user names none, the preferred first; compared without case, blanks and
underscores."""

ALIAS_PROPERTIES: Final = (
    "synonyms",
    "synonym",
    "aliases",
    "alias",
    "alternative_names",
    "alternative_name",
    "alternate_names",
    "alternate_name",
    "alt_names",
    "alt_name",
    "alt_labels",
    "alt_label",
    "other_names",
    "other_name",
    "also_known_as",
    "aka",
    "exact_synonyms",
    "exact_synonym",
    "short_name",
    "nicknames",
    "nickname",
    "acronyms",
    "acronym",
    "abbreviation",
    "brand_names",
    "brand_name",
    "trade_names",
    "trade_name",
)
"""Keys whose values are further names: texts, lists of texts, or texts with ``|`` or ``;`` between the names; compared
as names are."""
