"""The answer that the rows of a query give by themselves, in plain words."""

from __future__ import annotations

from ..core.evidence import Answer, Sentence
from ..core.words import quantity
from ..linking.linked_question import LinkedQuestion
from ..retrievers.querying.query_rows import as_table, short_answers
from ..retrievers.querying.text_to_query import FoundByQuery

_MOST_NAMED = 10
CONFIDENCE = 0.5
"""Of rows that nobody has looked at but the model that asked for them: a stated figure, not a measured one."""


def compose_from_rows(question: LinkedQuestion, found: FoundByQuery, most_facts: int) -> Answer:
    """The first column of what was found as the answer, each row a fact."""
    if found.result is None:
        raise ValueError("no query ran")
    evidence = found.evidence(most_facts)
    answers = short_answers(found.result)
    named = [item.text for item in answers[:_MOST_NAMED]]
    text = ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else "".join(named)
    if len(answers) > len(named):
        text = f"{quantity(len(answers), 'answer')}, among them {text}"
    return Answer(
        question=question.question.text,
        sentences=(Sentence(f"{text}.", tuple(range(1, len(evidence.facts) + 1))),),
        answers=answers,
        facts=evidence.facts,
        confidence=CONFIDENCE,
        links=question.links,
        interpretation=found.query,
        table=as_table(found.result),
        notes=evidence.notes,
    )
