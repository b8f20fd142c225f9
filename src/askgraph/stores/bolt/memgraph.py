"""What Memgraph tells of its graph: ``SHOW SCHEMA INFO``, a JSON text that it keeps up to date by itself.

After Memgraph's documentation (https://memgraph.com/docs/querying/schema); it was tried on a server that speaks as that
says, not on Memgraph itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...core.budget import Budget
from ...core.errors import BadReplyError, QueryFailedError, UnsupportedGraphError
from .server import BoltServer, Statement

SchemaInfo = Mapping[str, Sequence[Mapping[str, Any]]]
"""The JSON of ``SHOW SCHEMA INFO``: lists of entries under ``nodes``, ``edges``, ``node_indexes``, …"""

_DOING: Final = "reading what the server knows of the graph"


def read_schema_info(server: BoltServer, budget: Budget | None = None) -> SchemaInfo:
    """Ask for it.

    Raises:
        UnsupportedGraphError: the server does not keep it.
        BadReplyError: it is not what the documentation says.
    """
    try:
        rows = server.rows(Statement("SHOW SCHEMA INFO", doing=_DOING), budget)
    except QueryFailedError as error:
        raise UnsupportedGraphError(
            f"this Memgraph does not tell what its graph is made of: {error.message}",
            advice="Start it with --schema-info-enabled=True.",
        ) from error
    try:
        info = rows[0][0]
        info = json.loads(info) if isinstance(info, str) else info
    except (ValueError, IndexError) as error:
        raise BadReplyError("what Memgraph tells of its schema is no JSON") from error
    if not isinstance(info, Mapping) or not {"nodes", "edges"} <= info.keys():
        raise BadReplyError("what Memgraph tells of its schema has no nodes and edges")
    return info


def edge_type_of(entry: Mapping[str, Any]) -> str:
    """The type of an entry of ``edges``; the documentation's examples write some with a colon before them."""
    return str(entry["type"]).removeprefix(":")


def labels_of(info: SchemaInfo) -> tuple[str, ...]:
    """Every label of a node, sorted."""
    return tuple(sorted({label for entry in info["nodes"] for label in entry["labels"]}))
