"""The graph on which Cypher runs: made of the pieces of :mod:`.cypher_feed`, kept in a folder. Of the worker alone.

::

    kglite-…/
        graph.kgl       the engine's own file
        nodes           row numbers of the nodes, in the order in which the engine has them (64 bits each)
        edges           numbers of the edges, in the same way
"""

from __future__ import annotations

import datetime
import json
import os
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import kglite

from .cypher_values import stored_value

_GRAPH_FILE: Final = "graph.kgl"
_NODES_FILE: Final = "nodes"
_EDGES_FILE: Final = "edges"
_TITLE: Final = "title"


@dataclass(frozen=True, slots=True)
class CypherGraph:
    """A graph of the engine.

    Attributes:
        engine: what runs queries. It is set to read only.
        nodes: the row of each node by the engine's own number.
        edges: the number of each edge by the engine's own.
    """

    engine: kglite.KnowledgeGraph
    nodes: Sequence[int]
    edges: Sequence[int]


def build(pieces: Iterable[bytes]) -> CypherGraph:
    """A graph of these pieces, in memory.

    Raises:
        RuntimeError: the engine did not store what it was given.
        kglite.KgError: it refuses to.
    """
    graph = CypherGraph(kglite.KnowledgeGraph(), array("q"), array("q"))
    declared: dict[str, set[str]] = {}
    for content in pieces:
        piece = json.loads(content)
        if "nodes" in piece:
            _declare(graph.engine, piece, declared)
        _store(graph, piece)
    graph.engine.clear_schema()
    graph.engine.read_only(True)
    return graph


def save(graph: CypherGraph, folder: Path) -> None:
    """Write a graph to a new folder."""
    folder.mkdir()
    graph.engine.save(str(folder / _GRAPH_FILE))
    for name, numbers in ((_NODES_FILE, graph.nodes), (_EDGES_FILE, graph.edges)):
        with (folder / name).open("wb") as stream:
            stream.write(array("q", numbers).tobytes())
            stream.flush()
            os.fsync(stream.fileno())


def load(folder: Path) -> CypherGraph:
    """Open a graph that was saved. Raises :class:`OSError` or :class:`kglite.KgError` if it is damaged."""
    engine = kglite.load(str(folder / _GRAPH_FILE))
    engine.read_only(True)
    graph = CypherGraph(engine, _numbers(folder / _NODES_FILE), _numbers(folder / _EDGES_FILE))
    counts = engine.graph_info()
    if (counts["node_count"], counts["edge_count"]) != (len(graph.nodes), len(graph.edges)):
        raise OSError(f"{folder} holds a graph of another size than it says")
    return graph


def _numbers(file: Path) -> Sequence[int]:
    numbers = array("q")
    numbers.frombytes(file.read_bytes())
    return numbers


def _declare(engine: kglite.KnowledgeGraph, piece: dict[str, Any], declared: dict[str, set[str]]) -> None:
    """Say which properties are to come: the engine takes a new one of a label that it knows for a slip of the pen."""
    label = (piece["nodes"] or [""])[0]
    keys = declared.setdefault(label, set())
    new = {key for key, _ in piece["keys"]} - keys
    if new:
        keys |= new
        engine.define_schema({"nodes": {label: {"optional": sorted(keys)}}})


def _store(graph: CypherGraph, piece: dict[str, Any]) -> None:
    """One statement for all rows of a piece. New things get the engine's numbers in the order of their rows."""
    rows = piece["rows"]
    parameters = {"rows": rows}
    if "nodes" in piece:
        first, made, known = 1, "nodes_created", graph.nodes
        text = _nodes_text(piece["nodes"], _expressions(piece["keys"], first))
    else:
        first, made, known = 2, "relationships_created", graph.edges
        source, type, target = piece["edges"]
        text = _edges_text(type, _expressions(piece["keys"], first))
        parameters |= {"source": source, "target": target}
    kinds = [kind for _, own in piece["keys"] for kind in own]
    for place, kind in enumerate(kinds, start=first):
        reader = _READERS.get(kind)
        if reader is not None:
            for row in rows:
                if row[place] is not None:
                    row[place] = reader(row[place])
    graph.engine.cypher(text, params=parameters, timeout_ms=0)
    counts = graph.engine.last_mutation_stats or {}
    if counts.get(made) != len(rows):
        raise RuntimeError(f"the engine stored {counts.get(made)} of {len(rows)} rows")
    assert isinstance(known, array)
    known.extend(piece["numbers"])


def _nodes_text(labels: Sequence[str], values: Mapping[str, str]) -> str:
    # The engine would call a node without a title by its name or its id, and have it answer with that for either.
    title = values.get(_TITLE, "null")
    properties = ["id: row[0]", *(f"{_quote(key)}: {values[key]}" for key in values if key != _TITLE)]
    shown = "".join(f":{_quote(label)}" for label in labels or [""])
    return f"UNWIND $rows AS row CREATE (n{shown} {{{', '.join(properties)}}}) SET n.{_TITLE} = {title}"


def _edges_text(type: str, values: Mapping[str, str]) -> str:
    # Labels as parameters: as text the engine takes no empty one, which nodes without a label have.
    properties = ", ".join(f"{_quote(key)}: {value}" for key, value in values.items())
    return (
        "UNWIND $rows AS row MATCH (a:$source {id: row[0]}), (b:$target {id: row[1]}) "
        f"CREATE (a)-[:{_quote(type)} {{{properties}}}]->(b)"
    )


def _expressions(keys: Iterable[tuple[str, Sequence[str]]], first: int) -> dict[str, str]:
    """For each key what gives its value from a row whose cells begin at ``first``."""
    expressions: dict[str, str] = {}
    place = first
    for key, kinds in keys:
        choices = []
        for kind in kinds:
            choices.append(_EXPRESSIONS.get(kind, "{cell}").format(cell=f"row[{place}]"))
            place += 1
        expressions[key] = choices[0] if len(choices) == 1 else f"coalesce({', '.join(choices)})"
    return expressions


def _quote(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


_EXPRESSIONS: Final[Mapping[str, str]] = {
    "duration": "duration({cell})",
    "point": "CASE WHEN {cell} IS NULL THEN null "
    "ELSE point({{latitude: {cell}[0], longitude: {cell}[1]}}) END",
}

_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "date": datetime.date.fromisoformat,
    "time": datetime.time.fromisoformat,
    "datetime": datetime.datetime.fromisoformat,
    "json": stored_value,
}
