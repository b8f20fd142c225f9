"""Collected paths as subgraphs: names and values are read for all of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.graph import Node, edge_id
from ...core.values import Value, display
from ...stores.base import GraphStore, Neighbors
from .open_path import MOST_INSTANCES, Crossing, OpenPath, Step
from .relation_labels import RelationLabels
from .subgraph import Instance, Subgraph, Triple

_VALUES_OF_ONE_PROPERTY: Final = 5
# Of the first paths all instances are kept, of the others so many.
_WHOLE: Final = 5
_INSTANCES_OF_OTHERS: Final = 25


@dataclass(frozen=True)
class _Kept:
    """A path that was collected, and what of it is kept."""

    path: OpenPath
    most: int

    @property
    def instances(self) -> Sequence[Sequence[Step]]:
        return self.path.instances[: self.most]

    @property
    def ends(self) -> list[str]:
        if self.path.last is None:
            return list(self.path.seed.nodes[:MOST_INSTANCES])
        return [instance[-1][1].target for instance in self.instances]

    @property
    def steps(self) -> dict[Step, None]:
        return dict.fromkeys(step for instance in self.instances for step in instance)

    @property
    def statements(self) -> list[str]:
        """The statements that were passed through: what else they say are qualifiers."""
        return list(dict.fromkeys(step.target for path, step in self.steps if path.ends_at_statements))


class SubgraphBuilder:
    """Makes subgraphs of the paths that were collected for one question."""

    def __init__(self, store: GraphStore, labels: RelationLabels) -> None:
        self._store = store
        self._labels = labels
        self._nodes: Mapping[str, Node] = {}

    def build(self, paths: Sequence[OpenPath]) -> list[Subgraph]:
        """One subgraph for each path, in their order, which is that of their probability."""
        kept = [
            _Kept(path, MOST_INSTANCES if rank < _WHOLE else _INSTANCES_OF_OTHERS)
            for rank, path in enumerate(paths)
        ]
        ids: dict[str, None] = {}
        for item in kept:
            ids |= dict.fromkeys(item.path.seed.nodes[:MOST_INSTANCES])
            ids |= dict.fromkeys(crossing.target for _, crossing in item.steps)
        self._nodes = {node.id: node for node in self._store.nodes(list(ids))}
        self._labels.look_up(_relations(paths))
        return [self._subgraph(item) for item in kept]

    def _subgraph(self, kept: _Kept) -> Subgraph:
        path = kept.path
        edges = self._edges(kept)
        triples = list(edges.values())
        for end in kept.ends:
            triples += self._values(end, path.properties)
        for statement in kept.statements:
            triples += self._values(statement, tuple(self._properties(statement)))
        return Subgraph(
            probability=path.probability,
            path=self._in_words(path),
            kinds=path.kinds,
            depth=path.depth,
            triples=tuple({triple.key: triple for triple in triples}.values()),
            instances=tuple(
                Instance(instance[0][1].origin, tuple(edges[step] for step in instance))
                for instance in kept.instances
            ),
            seed=path.seed.nodes,
            ends=tuple(kept.ends),
            met=tuple(end for end in kept.ends if end in path.met),
            statements=tuple(kept.statements),
            end_properties=path.properties,
            cut=_cut(path),
        )

    def _edges(self, kept: _Kept) -> dict[Step, Triple]:
        ids = _edge_ids(kept.steps, is_rdf=self._store.capabilities.kind == "rdf")
        return {step: self._edge(*step, ids[step]) for step in kept.steps}

    def _edge(self, path: OpenPath, crossing: Crossing, id: str) -> Triple:
        source, relation, target = path.triple(crossing)
        return Triple(
            source,
            relation,
            target,
            self._name(source),
            self._labels.of(relation),
            self._name(target),
            edge=id,
        )

    def _values(self, node: str, keys: Sequence[str]) -> Iterator[Triple]:
        own = self._properties(node)
        for key in keys:
            values = own.get(key)
            for value in (values if isinstance(values, list) else [values])[:_VALUES_OF_ONE_PROPERTY]:
                if value is not None:
                    name, label = self._name(node), self._labels.of(key)
                    yield Triple(node, key, None, name, label, display(value), value)

    def _properties(self, node: str) -> Mapping[str, Value]:
        return self._nodes[node].properties if node in self._nodes else {}

    def _name(self, node: str) -> str:
        return self._nodes[node].name if node in self._nodes else Node(node).name

    def _in_words(self, path: OpenPath) -> str:
        parts = [path.seed.name]
        for kind in path.kinds:
            label = self._labels.of(kind.type)
            parts.append(f"-{label}->" if kind.forward else f"<-{label}-")
        return " ".join(parts)


def _edge_ids(steps: Iterable[Step], *, is_rdf: bool) -> dict[Step, str]:
    """The ids of edges. A triple is its own content; the ids of others are read, run by run of neighbouring places."""
    found: dict[Step, str] = {}
    by_read: dict[int, tuple[Neighbors, list[Step]]] = {}
    for path, crossing in steps:
        assert path.last is not None
        if is_rdf:
            found[path, crossing] = edge_id(*path.triple(crossing))
        else:
            hops = path.last.read.hops
            by_read.setdefault(id(hops), (hops, []))[1].append((path, crossing))
    for hops, own in by_read.values():
        ids = _texts_at(hops, [crossing.place for _, crossing in own])
        found.update({step: ids[step[1].place] for step in own})
    return found


def _texts_at(hops: Neighbors, places: Iterable[int]) -> dict[int, str]:
    ordered = sorted(set(places))
    found: dict[int, str] = {}
    first = 0
    for row, place in enumerate(ordered):
        if row + 1 == len(ordered) or ordered[row + 1] != place + 1:
            start = ordered[first]
            found.update(zip(range(start, place + 1), hops.edges[start : place + 1], strict=True))
            first = row + 1
    return found


def _cut(path: OpenPath) -> dict[str, int]:
    """Nodes on a path of which not all hops were read."""
    found: dict[str, int] = {}
    for layer in path.layers:
        assert layer.last is not None
        assert layer.before is not None
        cut = layer.last.read.hops.cut
        if cut:
            found |= {node: cut[node] for node in layer.before.ends if node in cut}
    return found


def _relations(paths: Iterable[OpenPath]) -> Iterator[str]:
    for path in paths:
        yield from (kind.type for kind in path.kinds)
        yield from path.properties
