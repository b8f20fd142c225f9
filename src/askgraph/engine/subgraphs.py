"""Subgraphs of an open graph: what a question names, and what is grown from it."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..core.budget import Budget
from ..core.errors import UnknownSeedError
from ..core.progress import Progress
from ..core.run import Run
from ..core.schema import Schema
from ..linking.linked_question import LinkedQuestion
from ..retrievers.seeds import seeds_of
from ..retrievers.subgraph.calibration import Calibration, calibrate, read_calibration, save_calibration
from ..retrievers.subgraph.communities import report_communities
from ..retrievers.subgraph.options import Nested, SubgraphOptions
from ..retrievers.subgraph.selection import SubgraphSelection
from ..retrievers.subgraph.selector import SubgraphSelector
from ..retrievers.subgraph.whole import Kept, ReportsAhead, read_reports, save_reports, whole_graph
from ..stores.base import GraphStore

_MOST_SELECTORS = 4


class Subgraphs:
    """Selects subgraphs of one graph, and keeps what is costly to make."""

    def __init__(self, store: GraphStore, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._selectors: dict[str, SubgraphSelector] = {}
        self._reports: dict[Kept, tuple[str, ReportsAhead]] = {}
        self._lock = threading.Lock()

    def selector(self, schema: Schema, options: SubgraphOptions | None) -> SubgraphSelector:
        """What selects by these options."""
        options = options or SubgraphOptions()
        with self._lock:
            calibration = read_calibration(self._folder, self._store.capabilities.version)
            if calibration is not None:
                options = calibration.options(options)
            key = repr(options)
            if key not in self._selectors:
                while len(self._selectors) >= _MOST_SELECTORS:
                    del self._selectors[next(iter(self._selectors))]
                self._selectors[key] = SubgraphSelector(self._store, schema, options)
            return self._selectors[key]

    def calibrate(
        self,
        schema: Schema,
        options: SubgraphOptions | None,
        samples: int,
        budget: Budget,
        progress: Progress,
    ) -> Calibration:
        """Measure how many nodes DIAMOnD deserves to add, and keep what was found."""
        graph = SubgraphSelector(self._store, schema, options).graph()
        version = self._store.capabilities.version
        found = calibrate(graph, version, samples=samples, budget=budget, progress=progress)
        save_calibration(found, self._folder)
        return found

    def reports_of_graph(
        self, schema: Schema, max_cluster_size: int, budget: Budget, *, rebuild: bool
    ) -> ReportsAhead:
        """Communities of the whole graph with their reports: those that were kept, or new ones."""
        key = self._key(max_cluster_size)
        with self._lock:
            kept = None if rebuild else self._read_reports(key, "extracts")
            if kept is not None:
                return kept
            began = time.perf_counter()
            selection = whole_graph(self._store, schema)
            reports = report_communities(selection, max_cluster_size=max_cluster_size, budget=budget)
            made = ReportsAhead(reports, time.perf_counter() - began)
            save_reports(made, self._folder, key)
            self._reports["extracts"] = (key, replace(made, were_kept=True))
            return made

    def written_reports(self, max_cluster_size: int, model: str) -> ReportsAhead | None:
        """The reports that a model has written on the whole graph, if they are kept."""
        with self._lock:
            return self._read_reports(self._key(max_cluster_size, model), "written")

    def keep_written(self, made: ReportsAhead, max_cluster_size: int, model: str, *, anew: bool) -> None:
        """Keep the reports that a model has written on the whole graph. Unless all were written anew, what it took to
        write those before counts too."""
        key = self._key(max_cluster_size, model)
        with self._lock:
            before = None if anew else self._read_reports(key, "written")
            if before is not None:
                made = ReportsAhead(
                    made.reports,
                    before.seconds + made.seconds,
                    before.calls + made.calls,
                    before.usage + made.usage,
                )
            save_reports(made, self._folder, key, "written")
            self._reports["written"] = (key, replace(made, were_kept=True))

    def _key(self, max_cluster_size: int, *further: str) -> str:
        return " ".join([self._store.capabilities.version, str(max_cluster_size), *further])

    def _read_reports(self, key: str, kind: Kept) -> ReportsAhead | None:
        """The reports that were kept, read once."""
        known = self._reports.get(kind)
        if known is None or known[0] != key:
            kept = read_reports(self._folder, key, kind)
            if kept is None:
                return None
            known = self._reports[kind] = (key, kept)
        return known[1]

    def whole(self, schema: Schema) -> SubgraphSelection:
        """The whole graph as one selection. Raises :class:`CapExceededError`."""
        return whole_graph(self._store, schema)

    def of_question(
        self,
        question: LinkedQuestion,
        schema: Schema,
        nested: Nested,
        options: SubgraphOptions | None,
        budget: Budget,
        run: Run,
    ) -> SubgraphSelection:
        """The subgraph around everything that the question names.

        Raises:
            UnknownSeedError: it names nothing.
        """
        ids = named_nodes(question, self._store, budget)
        selector = self.selector(schema, options)
        return selector.select(ids, budget, run, question=question.question.text, nested=nested)


def named_nodes(question: LinkedQuestion, store: GraphStore, budget: Budget) -> Sequence[str]:
    """The nodes that a question names, in its order. Raises :class:`UnknownSeedError` if there is none."""
    ids = tuple(dict.fromkeys(id for seed in seeds_of(question, store, budget) for id in seed.nodes))
    if not ids:
        raise UnknownSeedError(
            "no word of the question names a node of the graph",
            advice="`askgraph link` shows what its words were compared with; --node takes ids.",
        )
    return ids
