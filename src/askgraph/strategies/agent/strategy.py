"""The strategy ``agent``: the loop, and an answer written from what it found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from ...answering.compose import abstain
from ...answering.written import write_answer
from ...core.budget import Budget
from ...core.evidence import Answer, Fact, Sentence, ShortAnswer
from ...core.run import Run
from ...core.words import quantity
from ...linking.linked_question import LinkedQuestion
from ...models.calls import ModelCalls
from ..base import Parts
from .assembly import Assembly
from .findings import Findings, Footing
from .loop import StrategyLoop

# How often answers were right, by what they stand on: benchmarks/byokg_confidence.py, all shares of errors together,
# rounded down; a stated figure where there were too few.
_CONFIDENCE: Final[Mapping[Footing, float]] = {
    "several ways that agree": 0.85,
    "one way": 0.85,
    "several ways that differ": 0.5,
    "what the model expected": 0.2,
    "facts alone": 0.2,
}
# What an answer in words has at most: see written.py.
_IN_WORDS: Final = 0.9
_MOST_NAMED = 10
_NEAREST = 5


class AgentStrategy:
    """Proposals of a model tried on the graph until the facts answer the question: two calls where the first proposal
    does, one more for each further round, and one more where only a model can tell which relation to follow."""

    name = "agent"

    def __init__(self, parts: Parts, *, iterations: int = 2) -> None:
        self._parts = parts
        self._assembly = Assembly(parts)
        self._iterations = iterations

    def answer(self, question: LinkedQuestion, budget: Budget, run: Run) -> Answer:
        """Answer a linked question, or abstain.

        Raises:
            ModelError, DeadlineExceededError: the model failed, or the time was up, before anything was found.
        """
        calls = self._parts.calls(budget, run)
        loop = StrategyLoop(self._assembly.components(question), iterations=self._iterations)
        links = [link for link in question.things if link.kind == "node"]
        findings = loop.gather(question.question.text, links, calls, budget, run)
        if not findings.evidence().facts:
            return abstain(question, "Nothing that was tried found a fact.", notes=findings.notes)
        with run.step("answer") as step:
            answer = self._written(question, findings, calls, run)
            step.note(facts=len(answer.facts), confidence=round(answer.confidence, 4))
        return answer

    def _written(self, question: LinkedQuestion, findings: Findings, calls: ModelCalls, run: Run) -> Answer:
        """The answer in the model's words. Where a query or a path gave the answer, that is what is answered, also
        where the words are not supported: they are held to what a row says, which is not every reason why it is one."""
        settings = self._parts.settings
        answer = write_answer(
            question,
            findings.evidence(),
            calls,
            settings=settings,
            embedder=self._parts.embedder,
            on_text=run.say,
            otherwise=partial(composed, question, findings, most_facts=settings.max_facts),
        )
        if answer.abstained and findings.answers_it:
            plain = composed(question, findings, most_facts=settings.max_facts)
            # Its notes say what the model wrote, and what each sentence lacks.
            own = [note for note in answer.notes if note not in plain.notes]
            notes = (*plain.notes, "The model's own words were left out: no fact supports them.", *own)
            return replace(plain, notes=notes)
        if answer.abstained:
            return answer
        return replace(
            answer,
            answers=findings.answers if findings.answers_it else answer.answers or findings.answers,
            links=tuple(findings.links),
            table=findings.table,
            # Words that are not wholly supported make less of what the answers stand on.
            confidence=_CONFIDENCE[findings.footing] * min(1.0, answer.confidence / _IN_WORDS),
        )


def composed(question: LinkedQuestion, findings: Findings, *, most_facts: int) -> Answer:
    """The answer that the facts give by themselves, in no model's words; an abstention where they do not."""
    evidence, answers = findings.evidence(), findings.answers
    facts = evidence.facts[:most_facts]
    notes = list(findings.notes)
    if len(facts) < len(evidence.facts):
        notes.append(f"Of {quantity(len(evidence.facts), 'fact')} the best {len(facts)} are shown.")
    if not answers:
        nearest = [fact.text for fact in facts[:_NEAREST]]
        return abstain(question, "What was found does not say it.", nearest=nearest, notes=notes)
    return Answer(
        question=question.question.text,
        sentences=(Sentence(_listed(answers), _speaking_of(answers, facts)),),
        answers=answers,
        facts=facts,
        confidence=_CONFIDENCE[findings.footing],
        links=tuple(findings.links),
        table=findings.table,
        notes=tuple(notes),
    )


def _listed(answers: Sequence[ShortAnswer]) -> str:
    named = [answer.text for answer in answers[:_MOST_NAMED]]
    text = ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else named[0]
    if len(answers) > len(named):
        text = f"{quantity(len(answers), 'answer')}, among them {text}"
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _speaking_of(answers: Sequence[ShortAnswer], facts: Sequence[Fact]) -> tuple[int, ...]:
    """The numbers of the facts that have an answer in them; of all where that cannot be told."""
    nodes = {answer.node for answer in answers if answer.node is not None}
    texts = {answer.text for answer in answers}
    speaking = tuple(
        number
        for number, fact in enumerate(facts, start=1)
        if not nodes.isdisjoint(fact.elements) or any(text in fact.text for text in texts)
    )
    return speaking or tuple(range(1, len(facts) + 1))
