"""Puts questions to a graph, one after another, and measures what comes back."""

from __future__ import annotations

import datetime
import random
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Final

from ..core.errors import AskgraphError, EvaluationError
from ..core.evidence import Answer
from ..core.graph import Node
from ..core.progress import SILENT, Progress
from ..core.run import Step, record_id, without_credentials
from ..core.schema import Schema
from ..engine import Graph
from ..strategies.registry import check_strategy
from .diagnosis import (
    Understanding,
    diagnose,
    name_keys_of,
)
from .evaluated import Evaluation
from .gold import GoldItem, GoldQuery, GoldQuestion, QuestionSet
from .gold_answers import Gold, gold_of, gold_of_plan, run_gold_query
from .gold_content import content_of
from .matching import candidates_of_gold
from .naming import named_in
from .outcome import Outcome
from .plan_content import content_of_plan
from .query_content import QueryContent, kind_of
from .run_record import UnderstandingRecord, understanding_of
from .scoring import Score, score_answer, score_candidates
from .step_scores import gives_the_right, step_scores

FIRST_ANSWERS: Final = 5
GOLD_SECONDS: Final = 60.0
"""Seconds that a gold query may take."""

_MOST_SHOWN: Final = 20
_READING_SECONDS: Final = 5.0
_MAKE_QUERIES: Final = frozenset({"auto", "reading", "query"})


def evaluate(
    graph: Graph,
    questions: QuestionSet,
    *,
    limit: int | None = None,
    seed: int | None = None,
    first: int = FIRST_ANSWERS,
    timeout: float | None = None,
    strategy: str = "auto",
    progress: Progress = SILENT,
) -> Evaluation:
    """Ask a graph every question of a set, and measure the answers.

    The index is made and a first question read before the clock runs: what is measured is a graph in use. A model is
    shown no solved example of the very question that is asked.

    Args:
        graph: the graph.
        questions: the questions, with what is right.
        limit: how many are asked; all otherwise.
        seed: picks those by lot, the same for the same seed; without one the first are asked.
        first: how many of the first answers count for Hit@k.
        timeout: seconds that a question may take; the graph's setting otherwise.
        strategy: how questions are answered.
        progress: told about each question.

    Raises:
        EvaluationError: not one question of the set has right answers that can be found on this graph.
        PlanError: there is no such strategy, or it needs a language model and there is none.
        ModelError: the model that the settings name cannot be used.
    """
    check_strategy(strategy, has_model=graph.model is not None)
    asked = sample(questions.questions, limit, seed)
    graph.build_index(progress=progress)
    evaluator = _Evaluator(graph, first, timeout, strategy)
    evaluator.warm_up(asked[0])
    started = datetime.datetime.now(datetime.UTC)
    outcomes: list[Outcome] = []
    left_out: dict[str, str] = {}
    progress.start("asking", len(asked))
    with graph.examples.leaving_out_the_same():
        for question in asked:
            try:
                outcomes.append(evaluator.outcome_of(question))
            except EvaluationError as error:
                left_out[question.id] = error.message
            progress.advance()
    progress.finish()
    if not outcomes:
        reason = next(iter(left_out.values()))
        raise EvaluationError(f"no question has right answers that can be found on this graph: {reason}")
    return Evaluation(
        id=record_id(started),
        started=started,
        graph=graph.location,
        graph_version=graph.store.capabilities.version,
        questions=questions.to_dict(),
        options={
            "limit": limit,
            "seed": seed,
            "first": first,
            "timeout": graph.settings.timeout if timeout is None else timeout,
            "max_hops": graph.settings.max_hops,
            "embedder": without_credentials(graph.settings.embedder),
            "strategy": strategy,
            "model": graph.model.name if graph.model is not None else None,
        },
        outcomes=tuple(outcomes),
        left_out=left_out,
    )


def sample(questions: Sequence[GoldQuestion], limit: int | None, seed: int | None) -> Sequence[GoldQuestion]:
    """The questions to ask, in the order of the file.

    Raises :class:`EvaluationError` for a limit below 1.
    """
    if limit is not None and limit < 1:
        raise EvaluationError(f"at least one question must be asked, not {limit}")
    if limit is None or limit >= len(questions):
        return questions
    if seed is None:
        return questions[:limit]
    drawn = sorted(random.Random(seed).sample(range(len(questions)), limit))
    return [questions[place] for place in drawn]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What came of asking."""

    answer: Answer
    record: UnderstandingRecord
    seconds: float
    error: str = ""


class _Evaluator:
    def __init__(self, graph: Graph, first: int, timeout: float | None, strategy: str) -> None:
        self._strategy = strategy
        self._graph = graph
        self._first = first
        self._timeout = timeout

    def warm_up(self, question: GoldQuestion) -> None:
        """Read a question without the model, which has nothing to warm up and may cost something."""
        with suppress(AskgraphError):
            self._graph.ask(question.text, strategy="reading", timeout=self._timeout, save=False)

    def outcome_of(self, question: GoldQuestion) -> Outcome:
        """Ask one question and measure. Raises :class:`EvaluationError` where what is right cannot be found."""
        gold = gold_of(question, self._graph.store, GOLD_SECONDS)
        schema = self._graph.schema()
        whole = content_of(question.query, schema) if question.query is not None else None
        content = self._named(question, whole)
        asked = self._ask(question)
        nodes = self._nodes(gold, asked.answer)
        outcome = _outcome(question, gold, asked, content, nodes)
        if whole is not None and content is not None:
            outcome = self._with_steps(outcome, asked, whole, content, name_keys_of(nodes))
        if gold.is_unanswerable:
            return _of_unanswerable(outcome)
        score = score_answer(asked.answer, gold, nodes, self._first)
        outcome = self._with_execution(_with_score(outcome, score), asked, gold)
        return (
            self._diagnosed(outcome, asked, gold, content, nodes, schema) if outcome.is_failure else outcome
        )

    def _named(self, question: GoldQuestion, content: QueryContent | None) -> QueryContent | None:
        """What the gold query is made of, as far as the question speaks of it."""
        if content is None:
            return None
        nodes = {node.id: node for node in self._graph.store.nodes(list(content.things))}
        return named_in(question.text, content, nodes)

    def _ask(self, question: GoldQuestion) -> _Asked:
        steps: list[Step] = []
        began = time.perf_counter()
        error = ""
        try:
            answer = self._graph.ask(
                question.text,
                strategy=self._strategy,
                timeout=self._timeout,
                save=False,
                on_step=lambda step, finished: steps.append(step) if finished else None,
            )
        except AskgraphError as raised:
            error = f"{type(raised).__name__}: {raised.message}"
            answer = Answer(question.text, (), abstained=True)
        return _Asked(answer, understanding_of(steps), time.perf_counter() - began, error)

    def _nodes(self, gold: Gold, answer: Answer) -> dict[str, Node]:
        """The nodes of the right answers and of those given, by id."""
        ids = dict.fromkeys(gold.node_ids)
        ids.update(dict.fromkeys(item.node for item in answer.answers if item.node is not None))
        return {node.id: node for node in self._graph.store.nodes(list(ids))}

    def _with_steps(
        self,
        outcome: Outcome,
        asked: _Asked,
        whole: QueryContent,
        named: QueryContent,
        name_keys: frozenset[str],
    ) -> Outcome:
        """With how much of what the gold query is made of was linked and found."""
        schema = self._graph.schema()
        scores = step_scores(
            whole,
            named,
            self._content_made(asked, schema),
            asked.answer.links,
            asked.answer.facts,
            schema,
            name_keys,
        )
        return replace(outcome, **asdict(scores))

    def _content_made(self, asked: _Asked, schema: Schema) -> QueryContent:
        """What was made for the question: a model's query, the best reading, or what a traversal found."""
        record = asked.record
        if record.written_query:
            return content_of(self._written(record.written_query), schema) or QueryContent()
        if record.readings:
            return content_of_plan(record.readings[0].plan)
        return QueryContent(things=record.reached_nodes, relations=record.reached_relations)

    def _written(self, query: str) -> GoldQuery:
        languages = self._graph.store.capabilities.query_languages
        return GoldQuery("sparql" if "sparql" in languages else "cypher", query)

    def _with_execution(self, outcome: Outcome, asked: _Asked, gold: Gold) -> Outcome:
        """With whether the query that was made gives the right results."""
        if self._strategy not in _MAKE_QUERIES:
            return outcome
        if not outcome.is_failure:
            return replace(outcome, execution=True)
        return replace(outcome, execution=self._executes(asked, gold))

    def _executes(self, asked: _Asked, gold: Gold) -> bool:
        record = asked.record
        try:
            if record.written_query:
                found = run_gold_query(
                    self._written(record.written_query), self._graph.store, _READING_SECONDS
                )
            elif record.readings:
                plan = record.readings[0].plan
                found = gold_of_plan(plan, self._graph.store, _READING_SECONDS, asks=_asks(gold))
                found = _as_many(found, len(gold.items)) if plan.order else found
            else:
                return False
        except AskgraphError:
            return False
        nodes = self._nodes(gold, asked.answer) | self._nodes(found, asked.answer)
        return gives_the_right(found, gold, nodes)

    def _diagnosed(
        self,
        outcome: Outcome,
        asked: _Asked,
        gold: Gold,
        content: QueryContent | None,
        nodes: Mapping[str, Node],
        schema: Schema,
    ) -> Outcome:
        if asked.error:
            return replace(outcome, failing_step="error", reason=asked.error)
        right = self._right_reading(asked, gold, nodes)
        named = self._graph.store.nodes(list(content.things)) if content is not None else ()
        understanding = Understanding(
            content,
            asked.answer,
            asked.record,
            right,
            name_keys_of(nodes),
            {node.id: node.name for node in named},
        )
        diagnosis = diagnose(understanding, schema)
        return replace(
            outcome,
            failing_step=diagnosis.step,
            reason=diagnosis.reason,
            right_reading=None if right is None else right + 1,
        )

    def _right_reading(self, asked: _Asked, gold: Gold, nodes: Mapping[str, Node]) -> int | None:
        """The first reading whose rows are the right answers."""
        right = candidates_of_gold(gold.items, nodes)
        for place, reading in enumerate(asked.record.readings):
            try:
                found = gold_of_plan(reading.plan, self._graph.store, _READING_SECONDS, asks=_asks(gold))
            except AskgraphError:
                continue
            # Of an order the first are taken, and how many is not the plan's to say: some more are read, to see ties.
            items = found.items[: len(right)] if reading.plan.order else found.items
            own = candidates_of_gold(items, self._nodes(found, asked.answer))
            if score_candidates(own, right, 1).f1 == 1:
                return place
        return None


def _asks(gold: Gold) -> bool:
    """Whether what is right is a yes or a no."""
    return len(gold.items) == 1 and isinstance(gold.items[0].forms[0], bool)


def _as_many(found: Gold, count: int) -> Gold:
    """The first of an order, which does not say how many are asked for: some more are read, to see ties."""
    return Gold(found.items[:count], found.rows[:count])


def _outcome(
    question: GoldQuestion,
    gold: Gold,
    asked: _Asked,
    content: QueryContent | None,
    nodes: Mapping[str, Node],
) -> Outcome:
    answer = asked.answer
    return Outcome(
        id=question.id,
        question=question.text,
        kind=question.form or _kind(gold, content),
        gold=tuple(_shown(item, nodes) for item in gold.items[:_MOST_SHOWN]),
        gold_count=len(gold.items),
        answers=tuple(item.text for item in answer.answers[:_MOST_SHOWN]),
        answer_count=len(answer.answers),
        abstained=answer.abstained,
        confidence=answer.confidence,
        seconds=asked.seconds,
        reading=answer.interpretation or next((item.words for item in asked.record.readings), ""),
        error=asked.error,
    )


def _shown(item: GoldItem, nodes: Mapping[str, Node]) -> str:
    return item.text if item.node is None or item.node not in nodes else nodes[item.node].name


def _kind(gold: Gold, content: QueryContent | None) -> str:
    if gold.is_unanswerable:
        return "unanswerable"
    return kind_of(content) if content is not None else ""


def _with_score(outcome: Outcome, score: Score) -> Outcome:
    return replace(
        outcome,
        hit_1=score.hit_1,
        hit_k=score.hit_k,
        precision=score.precision,
        recall=score.recall,
        f1=score.f1,
        rows_f1=score.rows_f1,
    )


def _of_unanswerable(outcome: Outcome) -> Outcome:
    if outcome.error:
        return replace(outcome, failing_step="error", reason=outcome.error)
    if not outcome.is_answered:
        return outcome
    return replace(
        outcome,
        failing_step="abstention",
        reason=f"the graph cannot answer it, and it was read as: {outcome.reading}",
    )
