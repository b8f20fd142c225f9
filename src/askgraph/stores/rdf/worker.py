"""The process that runs SPARQL: ``python -m askgraph.stores.rdf.worker``. It can be killed at any moment.

Oxigraph cannot be interrupted, so it lives here. Frames go both ways over the pipes: a length of four bytes
(big-endian), then JSON, or N-Quads while the graph is handed over. The first frame says what to do before queries::

    {"store": "…/oxigraph"}                        open that index
    {"build": "…/oxigraph"} N-Quads … (empty)      make it from the frames that follow, up to an empty one
    {"memory": true}        N-Quads … (empty)      the same, without a file

The answer is ``{"ready": true}``. Then each ``{"query": …, "rows": …, "bytes": …}`` is answered by ``{"columns": …,
"rows": …, "truncated": …}`` or ``{"error": …}``. The end of the input ends the process.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from .sparql_words import NODE_FUNCTION

if TYPE_CHECKING:
    import pyoxigraph

_LENGTH: Final = struct.Struct(">I")
_BYTES_OF_A_TERM: Final = 80


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next frame; ``None`` at the end of the stream, also in the middle of a frame."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    content = stream.read(length)
    return content if len(content) == length else None


def write_frame(stream: IO[bytes], content: bytes) -> None:
    """Write a frame and see that it leaves."""
    stream.write(_LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def making_of(index: Path, process_id: int) -> Path:
    """Where a worker makes an index, before it takes its place."""
    return index.with_name(f"{index.name}.making-{process_id}")


def main() -> None:
    """Serve until the input ends."""
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    first = read_frame(requests)
    if first is None:
        return
    task = json.loads(first)
    _limit_memory(task.get("most_memory"))
    try:
        store = _prepare(task, requests)
    except (OSError, RuntimeError, SyntaxError) as error:
        write_frame(replies, json.dumps({"error": str(error)}).encode())
        return
    write_frame(replies, b'{"ready": true}')
    while (request := read_frame(requests)) is not None:
        write_frame(replies, json.dumps(_answer(store, json.loads(request))).encode())


def _limit_memory(most: int | None) -> None:
    """Let a query that eats memory end this process and not the machine."""
    if most is None or sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _prepare(task: dict[str, Any], requests: IO[bytes]) -> pyoxigraph.Store:
    from pyoxigraph import Store

    if "store" in task:
        return Store.read_only(task["store"])
    if "memory" in task:
        store = Store()
        store.bulk_extend(_quads(requests))
        return store
    target = Path(task["build"])
    making = making_of(target, os.getpid())
    try:
        store = Store(making)
        store.bulk_extend(_quads(requests))
        store.flush()
        del store
        if not target.exists():
            making.rename(target)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return Store.read_only(str(target))


def _quads(requests: IO[bytes]) -> Iterator[pyoxigraph.Quad]:
    from pyoxigraph import RdfFormat, parse

    while content := read_frame(requests):
        yield from parse(content, RdfFormat.N_QUADS)


def _answer(store: pyoxigraph.Store, request: dict[str, Any]) -> dict[str, Any]:
    from pyoxigraph import NamedNode, QuerySolutions

    try:
        solutions = store.query(
            request["query"],
            use_default_graph_as_union=True,
            custom_functions={NamedNode(NODE_FUNCTION): _node},
        )
        if not isinstance(solutions, QuerySolutions):
            return {"error": "only SELECT queries are run"}
        rows: list[list[Any]] = []
        size, truncated = 0, False
        for solution in solutions:
            row = [_term(solution[place]) for place in range(len(solutions.variables))]
            size += sum(_BYTES_OF_A_TERM + sum(map(len, filter(None, term or ()))) for term in row)
            if len(rows) == request["rows"] or size > request["bytes"]:
                truncated = True
                break
            rows.append(row)
        return {
            "columns": [variable.value for variable in solutions.variables],
            "rows": rows,
            "truncated": truncated,
        }
    except (SyntaxError, ValueError, OSError, RuntimeError) as error:
        return {"error": str(error)}


def _term(term: object) -> list[Any] | None:
    from pyoxigraph import BlankNode, Literal, NamedNode

    match term:
        case NamedNode():
            return ["node", term.value]
        case BlankNode():
            return ["node", f"_:{term.value}"]
        case Literal():
            return ["literal", term.value, term.datatype.value, term.language]
    return None if term is None else ["literal", str(term), "", None]


def _node(id: Any) -> Any:
    """The node with an id: what no SPARQL text can name is a blank node."""
    from pyoxigraph import BlankNode, NamedNode

    text: str = id.value
    return BlankNode(text[2:]) if text.startswith("_:") else NamedNode(text)


if __name__ == "__main__":
    main()
