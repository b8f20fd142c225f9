"""The traversal: a priority queue of open paths, followed in batches, collected until it is enough."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.budget import Budget
from ...core.errors import DeadlineExceededError
from ...core.schema import Schema
from ...linking.language import Language
from ...linking.question import Question
from ...models.base import Embedder
from ...stores.base import GraphStore
from ..hop_table import HopTable
from ..seeds import Seed
from .building import SubgraphBuilder
from .frontier import Frontier
from .open_path import OpenPath
from .path_space import PathSpace
from .relation_labels import RelationLabels
from .said_paths import SaidPaths
from .scoring import PathScoring
from .statement_nodes import StatementNodes
from .stopping import BALANCED, AdaptiveStopping
from .subgraph import Subgraph
from .template import Template

# Open paths that are followed together, in one batch, of so many of the queue.
_TOGETHER: Final = 8
_LOOKED_AT: Final = 40
_NAMED: Final = 5
_SAME: Final = 1e-6


@dataclass(frozen=True)
class Traversed:
    """What a traversal found.

    Attributes:
        subgraphs: the most probable first.
        template: what paths were compared with.
        seconds: how long each part took: ``"following"``, ``"building"``.
        round_trips: how often the graph was asked.
        hops: how often a frontier was followed.
        notes: what was cut, and why the traversal ended, in plain sentences.
    """

    subgraphs: tuple[Subgraph, ...]
    template: Template
    seconds: Mapping[str, float]
    round_trips: int
    hops: int
    notes: tuple[str, ...] = ()


class PathTraversal:
    """Finds the subgraphs around seeds in one graph. Keeps what it learns of the graph; safe to use from several
    threads."""

    def __init__(
        self, store: GraphStore, schema: Schema, embedder: Embedder | None, *, max_hops: int = 3
    ) -> None:
        """``embedder`` tells what relations mean; ``None`` compares their words alone."""
        self._store = store
        self._schema = schema
        self._max_hops = max_hops
        self._table = HopTable(schema)
        self._statements = StatementNodes(schema)
        self._labels = RelationLabels(store, schema)
        self._space = PathSpace(embedder)

    def subgraphs(
        self,
        seeds: Sequence[Seed],
        template: Template,
        budget: Budget,
        *,
        stopping: AdaptiveStopping = BALANCED,
        max_hops: int | None = None,
        others: Sequence[Seed] = (),
    ) -> Traversed:
        """The subgraphs around some seeds that are most like a template.

        Args:
            seeds: where paths begin; their queue is one.
            template: what paths are compared with.
            budget: deadline and fan-out.
            stopping: when it is enough.
            max_hops: the longest path, in steps.
            others: what the question names besides: a path that meets it is the more probable.

        Raises:
            DeadlineExceededError: the time was up before anything was found.
        """
        began = time.perf_counter()
        scoring = PathScoring(
            self._schema, self._table, self._labels, self._space, template, [*seeds, *others]
        )
        frontier = Frontier(self._store, self._schema, self._table, self._statements, scoring, budget)
        search = _Search(frontier, stopping, max_hops or self._max_hops)
        search.begin(frontier.begun(seed) for seed in seeds)
        notes = search.run()
        followed = time.perf_counter()
        subgraphs = SubgraphBuilder(self._store, self._labels).build(
            sorted(search.collected, key=lambda path: path.order)
        )
        built = time.perf_counter()
        return Traversed(
            tuple(_without_redundant(sorted(subgraphs, key=lambda item: -item.probability))),
            template,
            {"following": followed - began, "building": built - followed},
            frontier.round_trips + 1,
            search.hops,
            (*notes, *self._cuts(subgraphs), *self._not_followed(frontier)),
        )

    def said_paths(self, question: Question, rules: Language, seeds: Sequence[Seed]) -> SaidPaths:
        """What the words of a question, in a language with these rules, say of the subgraphs around these seeds."""
        return SaidPaths(self._schema, self._table, question, rules, seeds, self._labels.of)

    def _cuts(self, subgraphs: Iterable[Subgraph]) -> list[str]:
        cut = {node: count for subgraph in subgraphs for node, count in subgraph.cut.items()}
        return [
            f"{node.name} has {cut[node.id]:,} edges of the kinds followed; not all were read."
            for node in self._store.nodes(list(cut)[:3])
        ]

    def _not_followed(self, frontier: Frontier) -> list[str]:
        passed_over = [self._labels.of(relation) for relation in frontier.passed_over]
        if not passed_over:
            return []
        named = ", ".join(passed_over[:_NAMED]) + (" …" if len(passed_over) > _NAMED else "")
        return [f"Where nodes have very many edges, these relations were not followed: {named}."]


class _Search:
    """One run of the queue.

    Attributes:
        collected: the paths that became subgraphs, in the order in which they did.
        hops: how often a frontier was followed.
    """

    def __init__(self, frontier: Frontier, stopping: AdaptiveStopping, max_hops: int) -> None:
        self._frontier = frontier
        self._stopping = stopping
        self._max_hops = max_hops
        self._queue: list[tuple[tuple[float, int, tuple[str, ...]], int, OpenPath]] = []
        self._pushed = 0
        self._followed: dict[OpenPath, list[OpenPath]] = {}
        self._contents: list[frozenset[tuple[str, str, str]]] = []
        self.collected: list[OpenPath] = []
        self.hops = 0

    def begin(self, paths: Iterable[OpenPath]) -> None:
        """Put the first paths into the queue."""
        for path in paths:
            self._push(path)

    def run(self) -> list[str]:
        """Follow and collect until it is enough. Gives what is to be said of why it ended."""
        while self._queue:
            *_, path = self._queue[0]
            reason = self._stopping.reason_to_stop(
                [item.probability for item in self.collected], path.probability
            )
            if reason:
                return [f"The traversal ended: {reason}."]
            if path not in self._followed:
                try:
                    self._follow(path)
                except DeadlineExceededError as error:
                    if not self.collected:
                        raise
                    return [f"The traversal was not finished: {error.message}."]
                continue
            heapq.heappop(self._queue)
            if not self._is_better_further(path):
                self._collect(path)
        return []

    def _push(self, path: OpenPath) -> None:
        heapq.heappush(self._queue, (path.order, self._pushed, path))
        self._pushed += 1
        if path.depth >= self._max_hops:
            self._followed.setdefault(path, [])

    def _follow(self, path: OpenPath) -> None:
        """Find the paths that go on from this one, and in the same batch from the best others in the queue."""
        waiting = [
            other for *_, other in heapq.nsmallest(_LOOKED_AT, self._queue) if other not in self._followed
        ]
        batch = self._frontier.batch(path, waiting, _TOGETHER)
        self.hops += 1
        further = self._frontier.follow(batch)
        self._followed |= further
        for longer in further.values():
            for item in longer:
                self._push(item)

    def _is_better_further(self, path: OpenPath) -> bool:
        """Whether a further hop makes a path more probable: it is then collected with that hop. What only ends at
        statements is collected with what they state if that is as probable."""
        least = path.probability + (-_SAME if path.ends_at_statements else _SAME)
        return any(longer.probability > least and not longer.is_empty for longer in self._followed[path])

    def _collect(self, path: OpenPath) -> None:
        """Take a path as a subgraph, unless all of it has been taken already."""
        if path.is_empty:
            return
        content = path.content
        if content and any(content <= other for other in self._contents):
            return
        self._contents.append(content)
        self.collected.append(path)


def _without_redundant(subgraphs: Sequence[Subgraph]) -> Iterator[Subgraph]:
    """Those that have something which no more probable one has."""
    before: list[frozenset[tuple[str, str, str]]] = []
    for subgraph in subgraphs:
        content = frozenset(triple.key for triple in subgraph.triples)
        if not any(content <= other for other in before):
            before.append(content)
            yield subgraph
