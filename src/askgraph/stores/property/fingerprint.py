"""A hash of a property graph's content: what an index must match."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from .catalog import read_catalog

if TYPE_CHECKING:
    import duckdb


def content_hash(connection: duckdb.DuckDBPyConnection) -> str:
    """The same for the same content, whatever the columns are called and in whatever order threads met the rows.

    Rows enter by DuckDB's own 64-bit hash of each, their numbers included, combined by sum and exclusive or. It tells
    versions apart; it is no defence against someone who makes two graphs of one hash on purpose.
    """
    digest = hashlib.sha256()
    for sql in (
        "SELECT key, value FROM metadata ORDER BY ALL",
        "SELECT name, code FROM node_types ORDER BY ALL",
        "SELECT name, code FROM edge_types ORDER BY ALL",
        "SELECT owner, key, column_type FROM property_columns ORDER BY ALL",
    ):
        digest.update(json.dumps(connection.execute(sql).fetchall()).encode())
    columns = sorted(read_catalog(connection).columns, key=lambda column: (column.key, column.column_type))
    for owner, table, fixed in (
        ("node", "nodes", "row, id, types"),
        ("edge", "edges", "row, source, target, type, id"),
    ):
        hashed = [fixed, *(column.column_name for column in columns if column.owner == owner)]
        combined = connection.execute(
            "SELECT count(*), sum(hashed::HUGEINT)::VARCHAR, bit_xor(hashed)::VARCHAR"
            f" FROM (SELECT hash({', '.join(hashed)}) AS hashed FROM {table})"
        ).fetchone()
        digest.update(json.dumps([table, combined]).encode())
    return digest.hexdigest()
