"""Metapaths followed from linked nodes: which relations to follow is given, what they lead to is found.

A whole frontier goes one step in one round trip, in both directions where nobody says which, and never further than the
caps: so many edges from one node, so many nodes at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ...core.budget import Budget
from ...core.evidence import Evidence, Fact, ShortAnswer
from ...core.graph import Direction, Hop, Node, Path
from ...core.schema import Schema
from ...core.values import Value, display
from ...core.words import quantity
from ...stores.base import GraphStore
from ..walks import Crossing, name_in, path_facts, path_of, paths_of, read_hops
from .metapath_text import Metapath, MetapathStep

RETRIEVER: Final = "metapath"
# Nodes that are followed further at a time.
_FRONTIER: Final = 2_000


@dataclass(frozen=True)
class Followed:
    """What a metapath led to.

    Attributes:
        metapath: the one that was followed.
        evidence: one fact for each end, as many as were asked for.
        ends: the nodes at its end, each once, as many as the budget has rows; empty where it ends in values.
        answers: what is at its end, nodes or values, each once.
        stopped_at: the step that led nowhere; empty if every one led somewhere.
    """

    metapath: Metapath
    evidence: Evidence = field(default_factory=Evidence)
    ends: tuple[str, ...] = ()
    answers: tuple[ShortAnswer, ...] = ()
    stopped_at: str = ""


@dataclass(frozen=True)
class _Walked:
    """How far a walk got: the nodes at its end, and for each layer how each node was reached first."""

    ends: tuple[str, ...]
    layers: tuple[Mapping[str, Crossing], ...]
    cut: Mapping[str, int]
    stopped_at: str = ""

    def crossings_to(self, end: str) -> list[Crossing]:
        found: list[Crossing] = []
        for layer in reversed(self.layers):
            found.insert(0, layer[end])
            end = found[0].origin
        return found


class MetapathRetriever:
    """Follows metapaths on one graph."""

    def __init__(self, store: GraphStore, schema: Schema, *, max_facts: int = 50) -> None:
        self._store = store
        self._schema = schema
        self._max_facts = max_facts

    def follow(
        self, metapath: Metapath, sources: Sequence[str], budget: Budget, *, score: float = 0.9
    ) -> Followed:
        """Follow a metapath from some nodes. Where it only comes back is no end of it, unless there is no other.

        Args:
            metapath: what to follow; with a problem nothing is.
            sources: ids of nodes.
            budget: its ``fan_out`` is the most edges from one node.
            score: what its facts count.

        Raises:
            DeadlineExceededError: the time was up.
        """
        if metapath.problem or not sources:
            return Followed(metapath, stopped_at=metapath.problem or "nothing to start from")
        *before, last = metapath.steps
        walked = self._walk(sources, before if last.properties else metapath.steps, budget)
        if last.properties and not walked.stopped_at:
            found = self._values(metapath, walked, last, score)
            if found.answers or not last.edge_types:
                return found
            walked = self._walk(sources, metapath.steps, budget)
        if walked.stopped_at:
            return Followed(metapath, Evidence(notes=_notes(walked)), stopped_at=walked.stopped_at)
        return self._nodes(metapath, walked, score, budget)

    # --- walking

    def _walk(self, sources: Sequence[str], steps: Sequence[MetapathStep], budget: Budget) -> _Walked:
        frontier = tuple(dict.fromkeys(sources))
        layers: list[Mapping[str, Crossing]] = []
        cut: dict[str, int] = {}
        for step in steps:
            budget.check("following a metapath")
            layer = self._layer(frontier[:_FRONTIER], step, layers[-1] if layers else {}, budget, cut)
            if not layer:
                return _Walked((), tuple(layers), cut, step.text)
            if len(frontier) > _FRONTIER:
                cut[""] = len(frontier)
            layers.append(layer)
            frontier = tuple(layer)
        walked = _Walked(frontier, tuple(layers), cut)
        if not layers:
            return walked
        started = frozenset(sources)
        news = [end for end in frontier if end not in started or walked.crossings_to(end)[0].origin != end]
        return replace(walked, ends=tuple(news)) if news else walked

    def _layer(
        self,
        frontier: Sequence[str],
        step: MetapathStep,
        before: Mapping[str, Crossing],
        budget: Budget,
        cut: dict[str, int],
    ) -> dict[str, Crossing]:
        """The nodes one step further, each with the first crossing that leads there."""
        known = [type for type in step.edge_types if self._schema.has_edge_type(type)]
        for direction in _directions(step, before):
            read = read_hops(self._store, frontier, direction, known, budget.fan_out, budget)
            layer: dict[str, Crossing] = {}
            for crossing in read.crossings:
                layer.setdefault(crossing.target, crossing)
            layer = self._of_types(layer, step.end_types)
            if layer:
                cut.update(read.cut)
                return layer
        return {}

    def _of_types(self, layer: dict[str, Crossing], types: Sequence[str]) -> dict[str, Crossing]:
        if not types or not layer:
            return layer
        wanted = frozenset(self._schema.with_subtypes(types))
        kept = {node.id for node in self._store.nodes(list(layer)) if wanted.intersection(node.types)}
        # A model that is wrong about a type is not wrong about the relation for that.
        return {id: crossing for id, crossing in layer.items() if id in kept} or layer

    # --- what was found

    def _nodes(self, metapath: Metapath, walked: _Walked, score: float, budget: Budget) -> Followed:
        shown, ends = walked.ends[: self._max_facts], walked.ends[: budget.rows]
        ways = [walked.crossings_to(end) for end in shown]
        paths = [(path, score) for path in paths_of(ways, self._schema)]
        nodes = {node.id: node for node in self._store.nodes(list(dict.fromkeys((*ends, *shown))))}
        facts = path_facts(self._store, paths, retriever=RETRIEVER, step=metapath.text, known=nodes)
        answers = tuple(ShortAnswer(name_in(nodes, end), end) for end in ends)
        notes = _notes(walked) + _unshown(metapath, len(walked.ends), len(shown))
        if len(ends) < len(walked.ends):
            notes += (f"Of {len(walked.ends):,} things at its end the first {len(ends):,} are answers.",)
        return Followed(metapath, Evidence(tuple(facts), notes, _types(nodes)), ends, answers)

    def _values(self, metapath: Metapath, walked: _Walked, last: MetapathStep, score: float) -> Followed:
        nodes = {node.id: node for node in self._store.nodes(list(walked.ends))}
        found = [
            (end, key, value)
            for end in walked.ends
            if end in nodes
            for key in last.properties
            for value in _items(nodes[end].properties.get(key))
        ]
        if not found:
            return Followed(metapath, Evidence(notes=_notes(walked)), stopped_at=last.text)
        shown = found[: self._max_facts]
        paths = [(self._path_to_value(walked, nodes, *item), score) for item in shown]
        facts: list[Fact] = path_facts(
            self._store, paths, retriever=RETRIEVER, step=metapath.text, known=nodes
        )
        answers = {display(value): ShortAnswer(display(value), value=value) for _, _, value in found}
        notes = _notes(walked) + _unshown(metapath, len(found), len(shown))
        evidence = Evidence(tuple(facts), notes, _types(nodes))
        return Followed(metapath, evidence, (), tuple(answers.values()))

    def _path_to_value(
        self, walked: _Walked, nodes: Mapping[str, Node], end: str, key: str, value: Value
    ) -> Path:
        crossings = walked.crossings_to(end)
        last = Hop(key, self._schema.label_of(key), value=value)
        if not crossings:
            return Path(end, name_in(nodes, end), (last,))
        before = path_of(crossings, self._schema)
        return Path(before.start, before.start_name, (*before.hops, last))


def _directions(step: MetapathStep, before: Mapping[str, Crossing]) -> Sequence[Direction]:
    """The directions to try. Back over the edges that it came by is a way that only a model may choose."""
    if step.backward:
        return ("in",)
    came_by = next(iter(before.values()), None)
    turns_back = came_by is not None and came_by.forward and came_by.type in step.edge_types
    return ("out",) if turns_back else ("out", "in")


def _items(value: Value) -> Sequence[Value]:
    if value is None:
        return ()
    return value if isinstance(value, list) else [value]


def _types(nodes: Mapping[str, Node]) -> Mapping[str, tuple[str, ...]]:
    return {id: node.types for id, node in nodes.items() if node.types}


def _notes(walked: _Walked) -> tuple[str, ...]:
    notes = []
    if "" in walked.cut:
        notes.append(f"Of {walked.cut['']:,} nodes on the way {_FRONTIER:,} were followed.")
    hubs = [count for node, count in walked.cut.items() if node]
    if hubs:
        notes.append(
            f"{quantity(len(hubs), 'node')} with up to {max(hubs):,} neighbours: not all of them were followed."
        )
    return tuple(notes)


def _unshown(metapath: Metapath, found: int, shown: int) -> tuple[str, ...]:
    if found <= shown:
        return ()
    return (f"The path {metapath.text!r} leads to {found:,}; the first {shown} are facts.",)
