"""Walks over a graph hop by hop, each frontier in one batch, and the facts that they are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

from ..core.budget import Budget
from ..core.evidence import Fact
from ..core.graph import Direction, Hop, Node, Path
from ..core.schema import Schema
from ..stores.base import GraphStore, Neighbors, RelationCount
from .provenance import is_provenance, provenance_of

# A relation of which nodes have more edges than this on average is read by itself: together with others it would leave
# them no room.
_HEAVY: Final = 25
# Requests to a server at a time.
_AT_ONCE: Final = 6


class Crossing(NamedTuple):
    """One edge as it was followed: from where, over what, to where. There are many of them: a tuple is made fastest."""

    origin: str
    target: str
    type: str
    forward: bool
    hops: Neighbors
    place: int


@dataclass(frozen=True)
class Read:
    """The edges that were followed from some nodes, and the nodes that have more of them than were read."""

    crossings: tuple[Crossing, ...] = ()
    cut: Mapping[str, int] = field(default_factory=dict)


def read_hops(
    store: GraphStore,
    ids: Sequence[str],
    direction: Direction,
    types: Sequence[str] | None,
    limit_per_node: int,
    budget: Budget,
) -> Read:
    """One hop from nodes over edges of some types; at most ``limit_per_node`` from each."""
    if not ids or (types is not None and not types):
        return Read()
    found = store.neighbors(ids, direction, types=types, limit_per_node=limit_per_node, budget=budget)
    # All at once: a store may make each text only when it is looked at, and one by one that is slow.
    targets = list(found.nodes)
    columns = (found.origins.tolist(), found.edge_types.tolist(), found.forward.tolist())
    crossings = tuple(
        Crossing(ids[origin], targets[place], found.type_names[type], forward, found, place)
        for place, (origin, type, forward) in enumerate(zip(*columns, strict=True))
    )
    return Read(crossings, found.cut)


def read_relations(
    store: GraphStore, ids: Sequence[str], chosen: Sequence[RelationCount], limit: int, budget: Budget
) -> Read:
    """One hop from nodes over the chosen relations, in the chosen direction each.

    A hub costs what is read of it: relations with many edges are read one by one, ``limit`` edges of each node; all
    others in one round trip together. A server is asked for all of that side by side.
    """
    heavy = [item for item in chosen if item.count > _HEAVY * len(ids)]
    light = [item for item in chosen if item not in heavy]
    tasks = [partial(_read_light, store, ids, light, limit, budget)] if light else []
    tasks += [
        partial(read_hops, store, ids, "out" if item.forward else "in", [item.type], limit, budget)
        for item in heavy
    ]
    if len(tasks) > 1 and store.capabilities.remote:
        with ThreadPoolExecutor(min(_AT_ONCE, len(tasks)), thread_name_prefix="askgraph-hops") as pool:
            reads = [future.result() for future in [pool.submit(task) for task in tasks]]
    else:
        reads = [task() for task in tasks]
    cut: dict[str, int] = {}
    for read in reads:
        for id, count in read.cut.items():
            cut[id] = max(count, cut.get(id, 0))
    return Read(tuple(crossing for read in reads for crossing in read.crossings), cut)


def _read_light(
    store: GraphStore, ids: Sequence[str], light: Sequence[RelationCount], limit: int, budget: Budget
) -> Read:
    """One hop over relations that have few edges, in one round trip."""
    wanted = {(item.type, item.forward) for item in light}
    types = list(dict.fromkeys(item.type for item in light))
    both = {item.forward for item in light}
    direction: Direction = "both" if len(both) == 2 else "out" if True in both else "in"
    read = read_hops(store, ids, direction, types, max(limit, _HEAVY) * len(types), budget)
    return Read(tuple(item for item in read.crossings if (item.type, item.forward) in wanted), read.cut)


def paths_of(walks: Sequence[Sequence[Crossing]], schema: Schema) -> list[Path]:
    """Crossings that follow each other as paths, without names. The ids of their edges are made only here, for all at
    once: few crossings become facts."""
    edges = _edge_ids(crossing for walk in walks for crossing in walk)
    return [
        Path(
            walk[0].origin,
            "",
            tuple(
                Hop(
                    item.type,
                    schema.label_of(item.type),
                    item.forward,
                    edges[id(item.hops), item.place],
                    item.target,
                )
                for item in walk
            ),
        )
        for walk in walks
    ]


def path_of(crossings: Sequence[Crossing], schema: Schema) -> Path:
    """Crossings that follow each other as a path, without names; for many see :func:`paths_of`."""
    return paths_of([crossings], schema)[0]


def _edge_ids(crossings: Iterable[Crossing]) -> dict[tuple[int, int], str]:
    """The id of the edge of each crossing, by the hops that it was read with and its place in them."""
    read: dict[int, tuple[Neighbors, dict[int, None]]] = {}
    for crossing in crossings:
        read.setdefault(id(crossing.hops), (crossing.hops, {}))[1][crossing.place] = None
    return {
        (key, place): edge
        for key, (hops, places) in read.items()
        for place, edge in zip(places, hops.edge_ids(list(places)), strict=True)
    }


def path_facts(
    store: GraphStore,
    scored: Sequence[tuple[Path, float]],
    *,
    retriever: str,
    step: str = "",
    known: Mapping[str, Node] = MappingProxyType({}),
) -> list[Fact]:
    """Paths with their scores as facts: names and provenance are read for all of them at once.

    Args:
        store: the graph.
        scored: the paths with what they count.
        retriever: that found them.
        step: of it.
        known: nodes that were read before.
    """
    paths = [path for path, _ in scored]
    ids = _unique(id for path in paths for id in path.node_ids)
    nodes = dict(known) | {node.id: node for node in store.nodes([id for id in ids if id not in known])}
    of_edges = _unique(id for path in paths for id in path.edge_ids) if _edges_say_something(store) else ()
    edges = {edge.id: edge for edge in store.edges(list(of_edges))}
    facts = []
    for path, score in scored:
        named = with_names(path, nodes)
        facts.append(
            Fact(
                text=named.in_words,
                kind="path",
                score=score,
                retriever=retriever,
                step=step,
                path=named,
                elements=(*path.node_ids, *path.edge_ids),
                provenance=provenance_of(
                    [edges[id] for id in path.edge_ids if id in edges],
                    [nodes[id] for id in path.node_ids if id in nodes],
                ),
            )
        )
    return facts


def _edges_say_something(store: GraphStore) -> bool:
    """Whether edges may say where they come from. A schema of a server may be of samples: then it is looked."""
    capabilities = store.capabilities
    if capabilities.remote or capabilities.kind == "rdf":
        return True
    return any(item.of_edges and is_provenance(item.key) for item in store.schema().properties)


def with_names(path: Path, nodes: Mapping[str, Node]) -> Path:
    """The path with the names of its nodes."""
    hops = tuple(
        hop
        if hop.target is None
        else Hop(
            hop.type, hop.label, hop.forward, hop.edge, hop.target, name_in(nodes, hop.target), hop.value
        )
        for hop in path.hops
    )
    return Path(path.start, path.start_name or name_in(nodes, path.start), hops)


def name_in(nodes: Mapping[str, Node], id: str) -> str:
    """What a node is called, whether it was read or not."""
    return nodes[id].name if id in nodes else Node(id).name


def _unique(ids: Iterable[str]) -> dict[str, None]:
    return dict.fromkeys(ids)
