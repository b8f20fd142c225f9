"""Puts the same questions to two strategies, and what they answer before a judge."""

from __future__ import annotations

import datetime
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from ..core.budget import Budget
from ..core.errors import AskgraphError, EvaluationError
from ..core.evidence import Answer
from ..core.graph import Node
from ..core.progress import SILENT, Progress
from ..core.run import Run, without_credentials
from ..engine import Graph
from ..models.language_model import LanguageModel
from ..models.prompts.prompts import Prompts
from ..strategies.base import Strategy, WorksAhead
from ..strategies.registry import check_strategy, make_strategy
from .asking import GOLD_SECONDS, sample
from .gold import GoldQuestion, QuestionSet
from .gold_answers import Gold, gold_of
from .named_answers import share_named
from .pairwise_judge import PairwiseJudge
from .strategy_answer import Cost, StrategyAnswer, reports_read
from .strategy_comparison import DEFAULT_STRATEGIES, ComparedQuestion, StrategyComparison

JUDGE_CALLS: Final = 4
"""Calls of the judge for one pair: one for each order, and for each one more where a reply cannot be read."""

_MOST_SHOWN: Final = 20


def compare_strategies(
    graph: Graph,
    questions: QuestionSet,
    strategies: Sequence[str] = DEFAULT_STRATEGIES,
    *,
    limit: int | None = None,
    seed: int | None = None,
    timeout: float | None = None,
    judge: LanguageModel | None = None,
    progress: Progress = SILENT,
) -> StrategyComparison:
    """Ask every question by both strategies.

    What a strategy does ahead of time is done before the clock of the first question runs; of what was kept from
    earlier, what it took then is told. A strategy that fails on a question has failed on that question only.

    Args:
        graph: the graph. Its model, if it has one, answers.
        questions: with right answers or without.
        strategies: the names of two.
        limit: how many questions are asked; all otherwise.
        seed: picks those by lot, the same for the same seed; without one the first are asked.
        timeout: seconds that a question may take each time; the graph's setting otherwise.
        judge: a model that compares the answers to each question that both answered.
        progress: told about each question.

    Raises:
        EvaluationError: not two different strategies, or a limit below 1.
        PlanError: there is no such strategy, or it needs a language model and there is none.
        AskgraphError: what a strategy does ahead of time failed.
    """
    if len(strategies) != 2 or strategies[0] == strategies[1]:
        raise EvaluationError(f"two different strategies are compared, not {', '.join(strategies) or 'none'}")
    for name in strategies:
        check_strategy(name, has_model=graph.model is not None)
    asked = sample(questions.questions, limit, seed)
    graph.build_index(progress=progress)
    trial = _Trial(graph, (strategies[0], strategies[1]), timeout, judge)
    ahead = trial.work_ahead(progress)
    trial.warm_up(asked[0])
    started = datetime.datetime.now(datetime.UTC)
    progress.start("asking both", len(asked))
    compared = []
    with graph.examples.leaving_out_the_same():
        for question in asked:
            compared.append(trial.compared(question))
            progress.advance()
    progress.finish()
    return StrategyComparison(
        started=started,
        graph=graph.location,
        graph_version=graph.store.capabilities.version,
        questions=questions.to_dict(),
        strategies=(strategies[0], strategies[1]),
        ahead=ahead,
        compared=tuple(compared),
        model=None if graph.model is None else graph.model.name,
        judge=None if judge is None else judge.name,
        options={
            "limit": limit,
            "seed": seed,
            "timeout": graph.settings.timeout if timeout is None else timeout,
            "embedder": without_credentials(graph.settings.embedder),
        },
        notes=trial.notes,
    )


class _Trial:
    """Two strategies over one graph, and perhaps a judge."""

    def __init__(
        self, graph: Graph, names: tuple[str, str], timeout: float | None, judge: LanguageModel | None
    ) -> None:
        self._graph = graph
        self._settings = (
            graph.settings if timeout is None else graph.settings.model_copy(update={"timeout": timeout})
        )
        parts = graph.parts()
        self._names = names
        self._strategies: tuple[Strategy, Strategy] = (
            make_strategy(names[0], parts),
            make_strategy(names[1], parts),
        )
        prompts = Prompts(graph.settings.prompts)
        self._judge = None if judge is None else PairwiseJudge(judge, prompts, self._budget_of_judge)
        self._notes: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of the comparison as a whole."""
        return tuple(self._notes)

    def work_ahead(self, progress: Progress) -> tuple[Cost | None, Cost | None]:
        """What each strategy does before any question, and what that took."""
        first, second = (self._ahead_of(strategy, progress) for strategy in self._strategies)
        return first, second

    def _ahead_of(self, strategy: Strategy, progress: Progress) -> Cost | None:
        if not isinstance(strategy, WorksAhead):
            return None
        progress.start("reports on the whole graph")
        done = strategy.work_ahead()
        progress.finish()
        if not done.calls and self._graph.model is not None:
            self._notes.append(
                f"The {len(done.reports):,} reports that {strategy.name!r} reads were made without a model: "
                "`askgraph communities GRAPH --model …` lets it write them."
            )
        return Cost(done.seconds, done.calls, done.usage)

    def warm_up(self, question: GoldQuestion) -> None:
        """Read a question without the model, so that the first question is as fast as the others."""
        with suppress(AskgraphError):
            self._graph.ask(question.text, strategy="reading", save=False)

    def compared(self, question: GoldQuestion) -> ComparedQuestion:
        """One question by both, and what the judge says."""
        gold = self._gold(question)
        first, second = (
            self._answered(name, strategy, question, gold)
            for name, strategy in zip(self._names, self._strategies, strict=True)
        )
        verdict = None
        if self._judge is not None and first.is_answered and second.is_answered:
            verdict = self._judge.verdict(question.text, first.plain_text, second.plain_text)
        items = () if gold is None else gold.items
        nodes = {node.id: node.name for node in self._graph.store.nodes(list(gold.node_ids) if gold else [])}
        return ComparedQuestion(
            id=question.id,
            question=question.text,
            first=first,
            second=second,
            gold=tuple(nodes.get(item.node or "", item.text) for item in items[:_MOST_SHOWN]),
            gold_count=None if gold is None else len(items),
            verdict=verdict,
        )

    def _gold(self, question: GoldQuestion) -> Gold | None:
        """What is right, where that can be found out: a gold query that does not run is no reason not to ask."""
        if not question.has_gold:
            return None
        try:
            return gold_of(question, self._graph.store, GOLD_SECONDS)
        except EvaluationError as error:
            self._notes.append(
                f"Question {question.id} is compared without its right answers: {error.message}."
            )
            return None

    def _answered(
        self, name: str, strategy: Strategy, question: GoldQuestion, gold: Gold | None
    ) -> StrategyAnswer:
        run = Run(
            question.text,
            graph=self._graph.location,
            graph_version=self._graph.store.capabilities.version,
            options={"strategy": name},
        )
        began = time.perf_counter()
        error = ""
        try:
            linked = self._graph.linked(question.text, run)
            answer = strategy.answer(linked, self._settings.budget(), run)
        except AskgraphError as failure:
            error = without_credentials(f"{type(failure).__name__}: {failure.message}")
            answer = Answer(question.text, (), abstained=True)
        cost = Cost(time.perf_counter() - began, len(run.calls), run.usage)
        return _outcome(answer, run, cost, error, self._named(answer, gold))

    def _named(self, answer: Answer, gold: Gold | None) -> float | None:
        if gold is None:
            return None
        ids = dict.fromkeys(gold.node_ids)
        ids.update(dict.fromkeys(item.node for item in answer.answers if item.node is not None))
        nodes: Mapping[str, Node] = {node.id: node for node in self._graph.store.nodes(list(ids))}
        return share_named(answer, gold, nodes)

    def _budget_of_judge(self) -> Budget:
        settings = self._settings.model_copy(update={"model_calls": JUDGE_CALLS})
        return settings.budget()


def _outcome(answer: Answer, run: Run, cost: Cost, error: str, named: float | None) -> StrategyAnswer:
    return StrategyAnswer(
        text=answer.text,
        plain_text=" ".join(sentence.text for sentence in answer.sentences),
        answers=tuple(item.text for item in answer.answers[:_MOST_SHOWN]),
        answer_count=len(answer.answers),
        abstained=answer.abstained,
        confidence=answer.confidence,
        cost=cost,
        reports_read=reports_read(run),
        facts=len(answer.facts),
        named=named,
        notes=answer.notes,
        error=error,
    )
