"""What an open graph offers of subgraphs: to cut it to a question, to divide it, to measure how far to grow."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TypeVar, cast

from ..algorithms.communities import DEFAULT_MAX_CLUSTER_SIZE
from ..core.budget import Budget
from ..core.progress import SILENT, Progress
from ..core.run import Run, Step
from ..strategies.base import no_model
from .subgraphs import Subgraphs

if TYPE_CHECKING:
    from ..answering.nested_answers import NestedAnswers, SubgraphAnswer
    from ..core.schema import Schema
    from ..core.settings import Settings
    from ..linking.graph_index import GraphIndex
    from ..linking.linked_question import LinkedQuestion
    from ..models.language_model import LanguageModel
    from ..retrievers.subgraph.calibration import Calibration
    from ..retrievers.subgraph.communities import CommunityReport
    from ..retrievers.subgraph.options import Nested, SubgraphOptions
    from ..retrievers.subgraph.selection import SubgraphSelection
    from ..retrievers.subgraph.whole import ReportsAhead
    from ..retrievers.subgraph.written_reports import WritingCosts
    from ..stores.base import GraphStore
    from ..strategies.base import Strategy
    from ..strategies.subgraph import SubgraphStrategy

_SECONDS_FOR_REPORTS = 300.0
_SECONDS_FOR_WRITING = 86_400.0
_ANY_NUMBER = 10**15
_Answers = TypeVar("_Answers")


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
        def _open_index(self, run: Run, progress: Progress) -> GraphIndex: ...
        def _strategy(self, name: str, index: GraphIndex) -> Strategy: ...
        def _budget_of_question(self, timeout: float | None) -> Budget: ...
        def _healing(self, answered: Callable[[], _Answers], progress: Progress) -> _Answers: ...
        def _stored_if_it_fails(self, run: Run, save: bool | None) -> AbstractContextManager[None]: ...
        def _saves(self, save: bool | None) -> bool: ...
        def _save(self, run: Run, save: bool | None) -> str: ...
        def _begun(
            self,
            question: str,
            strategy: str,
            nested: str | None,
            on_step: Callable[[Step, bool], None] | None,
        ) -> Run: ...
        @property
        def model(self) -> LanguageModel | None: ...  # noqa: D102

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

    def ask_nested(
        self,
        question: str,
        *,
        timeout: float | None = None,
        on_step: Callable[[Step, bool], None] | None = None,
        save: bool | None = None,
        progress: Progress = SILENT,
    ) -> NestedAnswers:
        """The answers to a question from each of the four nested subgraphs of its selection, by the strategy
        ``"subgraph"``: the neighbours alone, with DIAMOnD, with C3, and all of it.

        Args:
            question: in plain words.
            timeout: seconds allowed for all four; the setting ``timeout`` otherwise.
            on_step: called with each step as it begins (``False``) and ends (``True``).
            save: store the run, one for all; the setting ``save_runs`` otherwise.
            progress: told about the making of a missing index.

        Raises as :meth:`~askgraph.engine.graph.Graph.ask`.
        """
        from ..answering.nested_answers import NestedAnswers

        self._check_question(question, timeout)
        run = self._begun(question, "subgraph", "all", on_step)

        def answered() -> dict[Nested, SubgraphAnswer]:
            index = self._open_index(run, progress)
            budget = self._budget_of_question(timeout)
            linked = self._link(question, run, progress)
            strategy = cast("SubgraphStrategy", self._strategy("subgraph", index))
            return dict(strategy.answers(linked, budget, run))

        with self._stored_if_it_fails(run, save):
            found = self._healing(answered, progress)
        run.finish(found["full"].answer)
        stored = self._saves(save) and not self._save(run, save)
        return NestedAnswers(question, found, run.id if stored else None)

    def communities(
        self,
        question: str = "",
        *,
        max_cluster_size: int = DEFAULT_MAX_CLUSTER_SIZE,
        rebuild: bool = False,
        with_model: bool = False,
        on_costs: Callable[[WritingCosts], bool] | None = None,
        timeout: float | None = None,
        progress: Progress = SILENT,
    ) -> tuple[CommunityReport, ...]:
        """Communities with a report on each: of what a question is about, or of the whole graph, which are kept.

        Without a model a report is an extract. With one, each is kept as it is written, and used again while its
        nodes and edges are the same: who interrupts this and calls it again goes on from there.

        Args:
            question: in plain words; empty for the whole graph.
            max_cluster_size: communities of so many nodes or more are divided further.
            rebuild: make those of the whole graph anew; with a model, write every report anew.
            with_model: let the graph's model write the reports: a call for each that is not kept yet, or two.
            on_costs: told what that takes before the first call; where it says no, the extracts stand.
            timeout: seconds allowed; the setting ``timeout`` otherwise, five minutes for the whole graph, a day for
                writing.
            progress: told about the making of a missing index, and of each report that is written.

        Raises as :meth:`subgraph`, and:
            CapExceededError: the whole graph is too large.
            MissingPackageError: it needs ``askgraph[communities]``.
            AlgorithmError: a size below 1.
            PlanError: reports by a model, and none is set.
            ModelError: the model does not let us in, or does not say what it takes.
        """
        from ..retrievers.subgraph.communities import report_communities

        if with_model and self.model is None:
            raise no_model("reports that are written need a language model")
        if question:
            selection = self.subgraph(question, timeout=timeout, progress=progress)
            budget = self._subgraph_budget(timeout)
            reports = report_communities(selection, max_cluster_size=max_cluster_size, budget=budget)
        else:
            self._check_timeout(timeout)
            reports = self._reports_ahead(max_cluster_size, rebuild=rebuild, timeout=timeout).reports
        if not with_model:
            return reports
        if question:
            return self.write_reports(
                selection, reports, anew=rebuild, on_costs=on_costs, timeout=timeout, progress=progress
            )
        written = self._written_reports(
            self._subgraphs.whole(self.schema()), reports, rebuild, on_costs, timeout, progress
        )
        if any(report.written_by for report in written.reports):
            model = cast("LanguageModel", self.model).name
            self._subgraphs.keep_written(written, max_cluster_size, model, anew=rebuild)
        return written.reports

    def _reports_for_questions(self) -> ReportsAhead:
        """The reports of the whole graph that questions are answered from: those that the model has written, where it
        has, else extracts, which are made where there are none."""
        if self.model is not None:
            written = self._subgraphs.written_reports(DEFAULT_MAX_CLUSTER_SIZE, self.model.name)
            if written is not None:
                return written
        return self._reports_ahead()

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

    def write_reports(
        self,
        selection: SubgraphSelection,
        reports: Sequence[CommunityReport],
        *,
        anew: bool = False,
        on_costs: Callable[[WritingCosts], bool] | None = None,
        timeout: float | None = None,
        progress: Progress = SILENT,
    ) -> tuple[CommunityReport, ...]:
        """Let the graph's model write reports in place of extracts.

        Args:
            selection: what the communities are of.
            reports: extracts on them.
            anew: write those too that are kept.
            on_costs: told what that takes before the first call; where it says no, the extracts stand.
            timeout: seconds allowed; a day otherwise.
            progress: told of each report.

        Returns:
            The reports in the same order; where the model's reply cannot be used the extract, with a note on why.

        Raises:
            PlanError: no model is set.
            ModelError: the model does not let us in, or does not say what it takes.
        """
        return self._written_reports(selection, reports, anew, on_costs, timeout, progress).reports

    def _written_reports(
        self,
        selection: SubgraphSelection,
        reports: Sequence[CommunityReport],
        anew: bool,
        on_costs: Callable[[WritingCosts], bool] | None,
        timeout: float | None,
        progress: Progress,
    ) -> ReportsAhead:
        """As :meth:`write_reports`, with what it took."""
        from ..models.calls import ModelCalls
        from ..models.prompts.prompts import Prompts
        from ..retrievers.subgraph.whole import ReportsAhead
        from ..strategies.report_answering import report_writer

        began = time.perf_counter()
        if self.model is None:
            raise no_model("reports that are written need a language model")
        seconds = _SECONDS_FOR_WRITING if timeout is None else timeout
        # What it takes is said first, and each report is one call, or two.
        budget = Budget(seconds=seconds, model_calls=2 * len(reports), tokens=_ANY_NUMBER)
        run = Run(selection.question, graph=self.location, graph_version=self.store.capabilities.version)
        prompts = Prompts(self.settings.prompts)
        calls = ModelCalls(self.model, budget, run, prompts, temperature=self.settings.temperature)
        writer = report_writer(selection, self.schema(), calls, self.settings)
        if on_costs is not None and not on_costs(writer.costs(reports, anew=anew)):
            return ReportsAhead(tuple(reports))
        written = writer.write(reports, anew=anew, progress=progress).reports
        return ReportsAhead(written, time.perf_counter() - began, len(run.calls), run.usage)

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
