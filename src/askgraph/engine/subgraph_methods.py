"""What an open graph offers of subgraphs: to cut it to a question, to divide it, to measure how far to grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..algorithms.communities import DEFAULT_MAX_CLUSTER_SIZE
from ..core.budget import Budget
from ..core.progress import SILENT, Progress
from ..core.run import Run
from .subgraphs import Subgraphs

if TYPE_CHECKING:
    from ..core.schema import Schema
    from ..core.settings import Settings
    from ..linking.linked_question import LinkedQuestion
    from ..retrievers.subgraph.calibration import Calibration
    from ..retrievers.subgraph.communities import CommunityReport
    from ..retrievers.subgraph.options import Nested, SubgraphOptions
    from ..retrievers.subgraph.selection import SubgraphSelection
    from ..retrievers.subgraph.whole import ReportsAhead
    from ..stores.base import GraphStore

_SECONDS_FOR_REPORTS = 300.0


class SubgraphMethods:
    """A part of :class:`~askgraph.engine.graph.Graph`."""

    location: str
    store: GraphStore
    settings: Settings
    _subgraphs: Subgraphs

    if TYPE_CHECKING:

        def schema(self) -> Schema: ...  # noqa: D102
        def _link(self, question: str, run: Run, progress: Progress) -> LinkedQuestion: ...
        def _check_question(self, question: object, timeout: object) -> None: ...
        def _check_timeout(self, timeout: object) -> None: ...

    def subgraph(
        self,
        question: str = "",
        *,
        nested: Nested = "full",
        nodes: Sequence[str] | None = None,
        options: SubgraphOptions | None = None,
        timeout: float | None = None,
        progress: Progress = SILENT,
    ) -> SubgraphSelection:
        """The part of the graph that a question is about: what it names, their neighbours, what DIAMOnD and C3 add to
        these, and what a random walk adds to all.

        Args:
            question: in plain words; it may be left out where nodes are given.
            nested: how much of the selection: ``"neighbours"``, ``"diamond"``, ``"c3"`` or ``"full"``.
            nodes: ids to start from, in place of what the question names.
            options: how it is grown.
            timeout: seconds allowed; the setting ``timeout`` otherwise.
            progress: told about the making of a missing index.

        Raises:
            PlanError: the question is empty and no nodes are given.
            UnknownSeedError: nothing in the graph is named.
            SettingsError: options that the graph cannot meet.
            DeadlineExceededError: the time is up.
        """
        run = Run(question, graph=self.location, graph_version=self.store.capabilities.version)
        if nodes is None:
            self._check_question(question, timeout)
            linked = self._link(question, run, progress)
            budget = self._subgraph_budget(timeout)
            return self._subgraphs.of_question(linked, self.schema(), nested, options, budget, run)
        self._check_timeout(timeout)
        selector = self._subgraphs.selector(self.schema(), options)
        budget = self._subgraph_budget(timeout)
        return selector.select(nodes, budget, run, question=question, nested=nested)

    def communities(
        self,
        question: str = "",
        *,
        max_cluster_size: int = DEFAULT_MAX_CLUSTER_SIZE,
        rebuild: bool = False,
        timeout: float | None = None,
        progress: Progress = SILENT,
    ) -> tuple[CommunityReport, ...]:
        """Communities with a report on each: of what a question is about, or of the whole graph, which are kept.

        Args:
            question: in plain words; empty for the whole graph.
            max_cluster_size: communities of so many nodes or more are divided further.
            rebuild: make those of the whole graph anew.
            timeout: seconds allowed; the setting ``timeout`` otherwise, and five minutes for the whole graph.
            progress: told about the making of a missing index.

        Raises as :meth:`subgraph`, and:
            CapExceededError: the whole graph is too large.
            MissingPackageError: it needs ``askgraph[communities]``.
            AlgorithmError: a size below 1.
        """
        from ..retrievers.subgraph.communities import report_communities

        if question:
            selection = self.subgraph(question, timeout=timeout, progress=progress)
            budget = self._subgraph_budget(timeout)
            return report_communities(selection, max_cluster_size=max_cluster_size, budget=budget)
        self._check_timeout(timeout)
        return self._reports_ahead(max_cluster_size, rebuild=rebuild, timeout=timeout).reports

    def _reports_ahead(
        self,
        max_cluster_size: int = DEFAULT_MAX_CLUSTER_SIZE,
        *,
        rebuild: bool = False,
        timeout: float | None = None,
    ) -> ReportsAhead:
        """The reports of the whole graph, and what they took."""
        budget = Budget(seconds=_SECONDS_FOR_REPORTS if timeout is None else timeout)
        return self._subgraphs.reports_of_graph(self.schema(), max_cluster_size, budget, rebuild=rebuild)

    def calibrate_subgraphs(
        self,
        *,
        options: SubgraphOptions | None = None,
        samples: int = 10,
        timeout: float = 600.0,
        progress: Progress = SILENT,
    ) -> Calibration:
        """Measure how many nodes DIAMOnD deserves to add for each pair of types, and keep it with the graph:
        :meth:`subgraph` goes by it from then on.

        Args:
            options: layers and their edges.
            samples: nodes sampled for each pair.
            timeout: seconds; pairs that were not reached are noted.
            progress: told of the pairs.

        Raises:
            UnknownSeedError: the graph is on a server.
        """
        self._check_timeout(timeout)
        budget = Budget(seconds=timeout)
        return self._subgraphs.calibrate(self.schema(), options, samples, budget, progress)

    def _subgraph_budget(self, timeout: float | None) -> Budget:
        budget = self.settings.budget()
        return (
            budget if timeout is None else Budget(seconds=timeout, fan_out=budget.fan_out, bytes=budget.bytes)
        )
