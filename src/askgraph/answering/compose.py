"""From evidence to an answer without a model: every sentence is made of facts, and says so; or there is no answer."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.evidence import Answer, Evidence, Fact, Sentence, ShortAnswer
from ..core.graph import Node
from ..core.plan import Table
from ..core.values import display
from ..core.words import quantity
from ..linking.linker import LinkedQuestion

_MOST_NAMED_IN_A_SENTENCE = 10


def answer_from_paths(
    question: LinkedQuestion,
    evidence: Evidence,
    *,
    answers: Sequence[ShortAnswer],
    total: int,
    interpretation: str,
    confidence: float,
) -> Answer:
    """An answer made of the ends of paths: one sentence that names them, resting on their facts.

    ``total`` is how many ends there are, of which ``answers`` may be the first.
    """
    numbers = tuple(range(1, len(evidence.facts) + 1))
    return Answer(
        question=question.question.text,
        sentences=(Sentence(_name(answers, total), numbers),),
        answers=tuple(answers),
        facts=evidence.facts,
        confidence=confidence,
        links=question.links,
        interpretation=interpretation,
        notes=evidence.notes,
    )


def answer_from_members(
    question: LinkedQuestion,
    facts: Sequence[Fact],
    *,
    nodes: Sequence[Node],
    count: int | None,
    label: str,
    table: Table,
    notes: Sequence[str],
) -> Answer:
    """An answer about all nodes of a type: their number, or their names."""
    if count is not None:
        answers: tuple[ShortAnswer, ...] = (ShortAnswer(f"{count:,}", value=count),)
        text = f"{count:,}."
        interpretation = f"how many nodes are of type {label}"
    else:
        answers = tuple(ShortAnswer(node.name, node.id) for node in nodes)
        text = _name(answers, len(table.rows), more=table.truncated)
        interpretation = f"all nodes of type {label}"
    cut = ["The list was cut: there are more than are shown."] if table.truncated else []
    return Answer(
        question=question.question.text,
        sentences=(Sentence(text, tuple(range(1, len(facts) + 1))),),
        answers=answers,
        facts=tuple(facts),
        confidence=0.9,
        links=question.links,
        interpretation=interpretation,
        table=table,
        notes=(*notes, *cut),
    )


def abstain(
    question: LinkedQuestion,
    reason: str,
    *,
    nearest: Sequence[str] = (),
    confidence: float = 0.0,
    notes: Sequence[str] = (),
) -> Answer:
    """No answer: why not, and what came nearest."""
    return Answer(
        question=question.question.text,
        sentences=(Sentence(reason),),
        confidence=confidence,
        abstained=True,
        nearest=tuple(nearest),
        links=question.links,
        notes=tuple(notes),
    )


def _name(answers: Sequence[ShortAnswer], total: int, *, more: bool = False) -> str:
    named = [display(answer.text) for answer in answers[:_MOST_NAMED_IN_A_SENTENCE]]
    text = ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else named[0] if named else "Nothing"
    if total > len(named) or more:
        at_least = "more than " if more else ""
        text = f"{at_least}{quantity(total, 'answer')}, among them {text}"
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."
