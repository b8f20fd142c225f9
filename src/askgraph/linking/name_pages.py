"""Nodes of a graph on a server, read page by page into a file, so that an interrupted reading goes on where it was.

Each line of the file is a page: its nodes as ``[id, [names], [types], {key: [values]}]``, and the cursor after it.
A line that was not finished is as if it had never been written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.graph import Name, Node
from ..core.progress import Progress
from ..core.values import from_json_value, to_json_value
from ..stores.base import PagesNodes
from .property_values import named_values


@dataclass(frozen=True, slots=True)
class _Spooled:
    """What a file already has: the cursor after its last whole page, where that page ends, and its nodes."""

    cursor: str | None
    size: int
    nodes: int


def read_pages(store: PagesNodes, file: Path, progress: Progress) -> None:
    """Read every node of a graph into ``file``, after those that it already has."""
    spooled = _look(file)
    progress.advance(spooled.nodes)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("r+b" if file.exists() else "w+b") as stream:
        stream.truncate(spooled.size)
        stream.seek(spooled.size)
        for page in store.node_pages(spooled.cursor):
            nodes = [_record(node) for node in page.nodes]
            stream.write(json.dumps([nodes, page.cursor], ensure_ascii=False).encode() + b"\n")
            stream.flush()
            progress.advance(len(nodes))


def nodes_of_pages(file: Path) -> Iterator[Node]:
    """The nodes that a file has, with their names and types."""
    with file.open(encoding="utf-8") as stream:
        for line in stream:
            for id, names, types, values in json.loads(line)[0]:
                properties = {key: from_json_value(items) for key, items in values.items()}
                yield Node(id, tuple(Name(text) for text in names), tuple(types), properties)


def _record(node: Node) -> list[Any]:
    values: dict[str, list[Any]] = {}
    for key, value in named_values(node):
        values.setdefault(key, []).append(to_json_value(value))
    return [node.id, [name.text for name in node.names], list(node.types), values]


def _look(file: Path) -> _Spooled:
    if not file.is_file():
        return _Spooled(None, 0, 0)
    cursor, size, nodes = None, 0, 0
    with file.open("rb") as stream:
        for line in stream:
            page = _page_of(line)
            if page is None:
                break
            nodes += len(page[0])
            cursor = page[1]
            size += len(line)
    return _Spooled(cursor, size, nodes)


def _page_of(line: bytes) -> Any:
    """A line as a page; ``None`` for one that was cut off."""
    if not line.endswith(b"\n"):
        return None
    try:
        page = json.loads(line)
    except ValueError:
        return None
    return page if isinstance(page, list) and len(page) == 2 else None
