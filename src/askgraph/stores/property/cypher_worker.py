"""The process that runs Cypher: ``python -m askgraph.stores.property.cypher_worker``. It can be killed at any moment.

The engine is kglite, which cannot always be interrupted, so it lives here. The first frame says what to do before
queries::

    {"open": "…/kglite-…"}                         open that graph
    {"build": "…/kglite-…"} pieces … (empty)       make it from the pieces that follow (see cypher_feed)
    {"memory": true}        pieces … (empty)       the same, without a folder

Then each ``{"query": …, "parameters": …, "rows": …, "bytes": …, "seconds": …}`` is answered by ``{"columns": …, "rows":
…, "truncated": …, "warnings": …}`` or ``{"error": …, "kind": …}``.
"""

from __future__ import annotations

import itertools
import zoneinfo  # noqa: F401 - the engine wants it for times of a named zone, when nothing can be imported any more
from pathlib import Path
from typing import IO, Any, Final

import kglite

from ...core.errors import BadValueError
from ..query_text import size_of
from ..workers.serving import Answer, handed_over, made_in_place, serve
from .cypher_graph import CypherGraph, build, load, save
from .cypher_values import ValueWriter, parameter_value

# The engine stops by itself a little before it would be killed, and can go on with the next query then.
_SHARE_OF_TIME: Final = 0.95
_ABOUT_THE_CAP: Final = "Result truncated by row_limit"
_CEILINGS: Final = ("safety ceiling", "safety limit")


def main() -> None:
    """Serve until the input ends."""
    serve(_prepare, (OSError, RuntimeError, ValueError, kglite.KgError))


def _prepare(task: dict[str, Any], requests: IO[bytes]) -> Answer:
    graph = _graph(task, requests)
    return lambda request: _answer(graph, request)


def _graph(task: dict[str, Any], requests: IO[bytes]) -> CypherGraph:
    if "open" in task:
        return load(Path(task["open"]))
    if "memory" in task:
        return build(handed_over(requests))
    made_in_place(Path(task["build"]), lambda making: save(build(handed_over(requests)), making))
    return load(Path(task["build"]))


def _answer(graph: CypherGraph, request: dict[str, Any]) -> dict[str, Any]:
    try:
        parameters = {name: parameter_value(value) for name, value in request["parameters"].items()}
    except (BadValueError, ValueError) as error:
        return {"error": str(error), "kind": "parameters"}
    try:
        found = graph.engine.cypher(
            request["query"],
            params=parameters,
            timeout_ms=max(1, int(request["seconds"] * 1_000 * _SHARE_OF_TIME)),
            row_limit=request["rows"] + 1,
            hide_structural_keys=True,
        )
    except kglite.CypherTimeoutError as error:
        return {"error": str(error), "kind": "time"}
    except (kglite.KgError, ValueError, TypeError, OverflowError, RecursionError) as error:
        return {
            "error": str(error),
            "kind": "cap" if any(text in str(error) for text in _CEILINGS) else "engine",
        }
    if not isinstance(found, kglite.ResultView):
        return {"error": "the result is no table", "kind": "engine"}
    return _table(found, ValueWriter(request["query"], graph.nodes, graph.edges), request)


def _table(found: kglite.ResultView, writer: ValueWriter, request: dict[str, Any]) -> dict[str, Any]:
    columns = found.columns
    rows: list[list[Any]] = []
    size = 0
    truncated = len(found) > request["rows"]
    for row in itertools.islice(found, request["rows"]):
        size += size_of(row)
        if size > request["bytes"]:
            truncated = True
            break
        rows.append([writer.cell(row[column]) for column in columns])
    return {
        "columns": columns,
        "rows": rows,
        "truncated": truncated,
        "warnings": [text for text in found.warnings if not text.startswith(_ABOUT_THE_CAP)],
    }


if __name__ == "__main__":
    main()
