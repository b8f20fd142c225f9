"""Questions with gold plans, made from any graph: the same graph and seed give the same questions.

Kinds take turns, the frequent ones more often; a kind that a graph has no material for is left out, and that is said.
A draft becomes a question only if its plan gives a right answer that people would ask for: some answers, not hundreds;
no tie for the first place; not all nodes of a type.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from ...core.budget import Budget
from ...core.errors import BudgetError, EvaluationError
from ...core.plan import Plan, Table
from ...core.progress import SILENT, Progress
from ...engine import Graph
from ...stores.base import GraphStore
from ..gold import GoldQuery, GoldQuestion, QuestionSet
from .absent import AbsentDrafter
from .drafts import Draft, Drafter
from .english import English, english
from .material import gather

_MOST_ANSWERS: Final = 50
_SECONDS_OF_A_PLAN: Final = 5.0
_ATTEMPTS: Final = 12
_MOST_FAILURES: Final = 2
_SHARE_OF_ABSENT: Final = 0.25
_WORDINGS: Final = 2

Make = Callable[[], Draft | None]


def generate_questions(
    graph: Graph, number: int, *, seed: int = 0, progress: Progress = SILENT
) -> QuestionSet:
    """Make questions from a graph.

    Args:
        graph: any graph; only its schema, its nodes and plans on it are used.
        number: how many questions; each plan is worded in two ways, which stand one after another.
        seed: the same seed gives the same questions of the same graph.
        progress: told about the reading of the graph, and about each question.

    Raises:
        EvaluationError: the graph has nothing that questions can be made of: no types or relations that can be said.
    """
    if number < 1:
        raise EvaluationError(f"at least one question must be made, not {number}")
    language = english()
    material = gather(graph.store, graph.schema(), language, seed, progress)
    drafter = Drafter(material, graph.store, language, random.Random(f"questions {seed}"))
    maker = _Maker(drafter, graph.store, language)
    questions = []
    progress.start("making questions", number)
    for question in maker.questions(number):
        questions.append(question)
        progress.advance()
    progress.finish()
    if not questions:
        raise EvaluationError(
            "no questions can be made of this graph: it has no types, relations and names that can be said",
            advice="Give it labels with --descriptions, or write questions yourself.",
        )
    content = "\n".join(json.dumps(question.to_dict(), sort_keys=True) for question in questions)
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    return QuestionSet(f"{number} made with seed {seed}", "generated", tuple(questions), digest)


def write_questions(questions: QuestionSet, path: Path) -> None:
    """Write questions as JSON Lines, to be read again by :func:`askgraph.evaluation.read_questions`."""
    lines = [json.dumps(question.to_dict(), ensure_ascii=False) for question in questions.questions]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise EvaluationError(f"{path} cannot be written: {error.strerror or error}") from error


class _Maker:
    def __init__(self, drafter: Drafter, store: GraphStore, language: English) -> None:
        self._draw = drafter.draw
        self._store = store
        self._asked: set[str] = set()
        absent = AbsentDrafter(drafter)
        # In this order they take turns; the absent ones are told apart, so that they stay a part of the whole.
        self._kinds: list[tuple[Make, bool]] = [
            (lambda: drafter.reached(1), False),
            (lambda: drafter.reached(2), False),
            (drafter.property_value, False),
            (drafter.count, False),
            (drafter.two_conditions, False),
            (absent.no_such_fact, True),
            (drafter.bound, False),
            (lambda: drafter.reached(1), False),
            (drafter.yes_no, False),
            (lambda: drafter.reached(3), False),
            (absent.unknown_name, True),
            (drafter.extreme, False),
            (lambda: drafter.reached(2), False),
            (drafter.most, False),
            (drafter.figure, False),
            (absent.unknown_attribute, True),
            (drafter.two_conditions, False),
            (drafter.without, False),
            (drafter.count_all, False),
            (drafter.each, False),
            (absent.unknown_relation, True),
        ]

    def questions(self, number: int) -> Iterator[GoldQuestion]:
        """So many questions, or as many as the graph gives."""
        made = absent = turn = 0
        failures = [0] * len(self._kinds)
        while made < number and self._has_more(failures):
            kind = turn % len(self._kinds)
            make, is_absent = self._kinds[kind]
            turn += 1
            if failures[kind] >= _MOST_FAILURES or (is_absent and absent > made * _SHARE_OF_ABSENT):
                continue
            questions = self._next(make, turn)[: number - made]
            failures[kind] = 0 if questions else failures[kind] + 1
            made += len(questions)
            absent += len(questions) if is_absent else 0
            yield from questions

    def _has_more(self, failures: Sequence[int]) -> bool:
        """Whether the graph gives more questions that it can answer."""
        answerable = [
            count for count, (_, is_absent) in zip(failures, self._kinds, strict=True) if not is_absent
        ]
        return min(answerable) < _MOST_FAILURES

    def _next(self, make: Make, turn: int) -> list[GoldQuestion]:
        """The wordings of one plan of a kind; none where no draft was any good."""
        for _ in range(_ATTEMPTS):
            draft = make()
            if draft is None or not self._fresh((*draft.one, *draft.many), draft):
                continue
            texts = self._fresh(self._good_templates(draft), draft)
            if texts:
                chosen = self._draw.sample(texts, min(_WORDINGS, len(texts)))
                self._asked.update(chosen)
                return [_question(text, draft, f"{turn}{'ab'[place]}") for place, text in enumerate(chosen)]
        return []

    def _fresh(self, templates: Sequence[str], draft: Draft) -> list[str]:
        """The wordings that were not asked yet."""
        texts = dict.fromkeys(_worded(template, draft) for template in templates)
        return [text for text in texts if text not in self._asked]

    def _good_templates(self, draft: Draft) -> Sequence[str]:
        """The templates for a draft, by how many right answers it has; none if it makes no good question."""
        if draft.plan is None:
            return draft.many
        try:
            table = self._store.run(draft.plan, Budget(seconds=_SECONDS_OF_A_PLAN, rows=_MOST_ANSWERS + 1))
        except BudgetError:
            return ()
        if draft.is_absent:
            return () if table.rows else draft.many
        if draft.asks:
            return draft.many
        if draft.plan.order:
            return () if self._is_tied(draft.plan) else draft.one
        answers = len({row[0] for row in table.rows})
        leads_back = draft.start != "" and answers == 1 and table.rows[0][0] == draft.start
        if table.truncated or not 0 < answers <= _MOST_ANSWERS or _is_nothing(table) or leads_back:
            return ()
        return draft.one if answers == 1 else draft.many

    def _is_tied(self, plan: Plan) -> bool:
        """Whether the first place is shared, or there is none."""
        two = Plan(plan.pattern, plan.columns, plan.where, plan.having, plan.order, limit=2)
        rows = self._store.run(two, Budget(seconds=_SECONDS_OF_A_PLAN)).rows
        return len(rows) < 2 or rows[0][1] == rows[1][1]


def _is_nothing(table: Table) -> bool:
    """Whether the only figure is none, or zero."""
    return len(table.rows) == 1 and table.kinds[0] == "value" and table.rows[0][0] in (None, 0)


def _worded(template: str, draft: Draft) -> str:
    text = template.format(**draft.slots)
    return text[0].upper() + text[1:]


def _question(text: str, draft: Draft, id: str) -> GoldQuestion:
    if draft.is_absent:
        return GoldQuestion(id, text, answers=(), form=draft.kind)
    return GoldQuestion(id, text, query=GoldQuery("plan", plan=draft.plan, asks=draft.asks), form=draft.kind)
