"""A hash of a property graph's content: what an index must match."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import duckdb

_SMALL_TABLES: Final = ("metadata", "node_types", "edge_types", "property_columns")
_LARGE_TABLES: Final = ("nodes", "edges")


def content_hash(connection: duckdb.DuckDBPyConnection) -> str:
    """The same for the same tables, whatever the order in which threads met the rows: row numbers are part of rows.

    Rows of the large tables enter by DuckDB's own 64-bit hash of each, combined by sum and exclusive or. It tells
    versions apart; it is no defence against someone who makes two graphs of one hash on purpose.
    """
    digest = hashlib.sha256()
    for table in _SMALL_TABLES:
        rows = connection.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall()
        digest.update(json.dumps([table, rows]).encode())
    for table in _LARGE_TABLES:
        names = [row[0] for row in connection.execute(f"DESCRIBE {table}").fetchall()]
        combined = connection.execute(
            "SELECT count(*), sum(hashed::HUGEINT)::VARCHAR, bit_xor(hashed)::VARCHAR"
            f" FROM (SELECT hash({', '.join(names)}) AS hashed FROM {table})"
        ).fetchone()
        digest.update(json.dumps([table, combined]).encode())
    return digest.hexdigest()
