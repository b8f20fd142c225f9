"""From evidence to an answer without a model: every sentence is made of facts, and says so; or there is no answer.

The answer to a question is, by one rule:

* for "how many": the number;
* for a yes-or-no question: yes or no;
* where the question names a node itself and asks something of it ("the phone of Ada"), or asks for one attribute before
  it names a type ("in which cities are our suppliers"): the values of that attribute;
* where it asks for something by a property ("the premiums by policy number"): the values of that property, with what
  was asked of each as further columns;
* otherwise the nodes asked for, with what else was asked as further columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ..core.evidence import Answer, Fact, Sentence, ShortAnswer
from ..core.graph import Node
from ..core.values import Value, display
from ..core.words import quantity
from ..linking.language import language
from ..linking.linked_question import LinkedQuestion
from ..retrievers.reading.questions import Found
from ..retrievers.reading.reading_plan import ANSWER

_MOST_NAMED_IN_A_SENTENCE = 10


def compose(
    question: LinkedQuestion,
    found: Found,
    facts: Sequence[Fact],
    nodes: Mapping[str, Node],
    *,
    confidence: float,
    notes: Sequence[str],
) -> Answer:
    """The answer that the rows of a reading give. ``nodes`` are those that stand in the rows, by id."""
    answers = _answers(found, nodes)
    sentence = _sentence(found, answers)
    return Answer(
        question=question.question.text,
        sentences=(Sentence(sentence, tuple(range(1, len(facts) + 1))),),
        answers=answers,
        facts=tuple(facts),
        confidence=confidence,
        links=question.links,
        interpretation=found.in_words,
        table=found.table,
        notes=(*notes, *found.notes),
    )


def abstain(
    question: LinkedQuestion,
    reason: str,
    *,
    nearest: Sequence[str] = (),
    interpretation: str = "",
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
        interpretation=interpretation,
        notes=tuple(notes),
    )


def _answers(found: Found, nodes: Mapping[str, Node]) -> tuple[ShortAnswer, ...]:
    rows = found.table.rows
    if found.table.columns[0] != ANSWER:
        figure = rows[0][0] if rows else 0
        return (ShortAnswer(_figure(figure), value=figure),)
    if found.reading.is_yes_no:
        return (ShortAnswer("Yes" if rows else "No", value=bool(rows)),)
    wanted = asked_columns(found)
    cells = ((row[place], found.table.kinds[place]) for row in rows for place in wanted)
    return _distinct(cells, nodes)


def _figure(value: Value) -> str:
    """A number as a reader wants it: thousands apart, an average with few decimals."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:,.4f}".rstrip("0").rstrip(".") if abs(value) >= 1 else f"{value:.4g}"
    return display(value)


def asked_columns(found: Found) -> tuple[int, ...]:
    """The places of the columns that are the answer, by the rule of this module."""
    reading = found.reading
    own = len(reading.columns)
    if not own or reading.is_group:
        return (0,)
    width = len(found.table.columns)
    asks_for_values = reading.target is None or _is_about_named_nodes(found)
    if asks_for_values or (own == 1 and _asks_before_its_type(found)):
        return tuple(range(width - own, width))
    return (0,)


def _is_about_named_nodes(found: Found) -> bool:
    """Whether the nodes found are those that the question names: they are no news, what is asked of them is."""
    return any(not route.hops and route.seed.value is None for route in found.reading.routes)


def _asks_before_its_type(found: Found) -> bool:
    """Whether the first content word of the question is one that the asked type does not explain."""
    reading = found.reading
    question = reading.question
    mentions = [link.mention.start for link in question.asked if link.id == reading.target]
    if not mentions or not question.places:
        return False
    named = language(question.language).name_words
    if any(word.said in named and word.start < min(mentions) for word in question.question.words):
        return False  # "the names and tonnage of all ships" asks for the ships as well
    return question.question.words[question.places[0]].start < min(mentions)


def _distinct(cells: Iterable[tuple[Value, str]], nodes: Mapping[str, Node]) -> tuple[ShortAnswer, ...]:
    answers: dict[tuple[str, str], ShortAnswer] = {}
    for cell, kind in cells:
        if cell is None:
            continue
        if kind == "node":
            id = str(cell)
            answers.setdefault((kind, id), ShortAnswer(nodes[id].name if id in nodes else Node(id).name, id))
        else:
            answers.setdefault((kind, display(cell)), ShortAnswer(display(cell), value=cell))
    return tuple(answers.values())


def _sentence(found: Found, answers: Sequence[ShortAnswer]) -> str:
    if found.reading.is_yes_no and found.table.rows:
        return "Yes."
    if found.reading.is_yes_no:
        return "No: the graph has nothing of the kind."
    named = _with_figures(found, answers) or [answer.text for answer in answers[:_MOST_NAMED_IN_A_SENTENCE]]
    if not named:
        return "Nothing."
    text = ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else named[0]
    if len(answers) > len(named) or found.table.truncated:
        more = "More than " if found.table.truncated else ""
        text = f"{more}{quantity(len(answers), 'answer')}, among them {text}"
    return text if text.endswith((".", "!", "?")) else text + "."


def _with_figures(found: Found, answers: Sequence[ShortAnswer]) -> list[str]:
    """The first answers, each with what is asked of it: "Ada: 2"; none where not one thing is asked of each."""
    reading, rows = found.reading, found.table.rows
    is_each = reading.is_group or (reading.figure is not None and reading.figure.is_each)
    if not is_each or len(found.table.columns) != 2 or len(rows) != len(answers):
        return []
    if found.table.kinds[1] == "node":
        return []
    pairs = zip(answers, rows, strict=True)
    return [f"{answer.text}: {_figure(row[1])}" for answer, row in pairs if row[1] is not None][
        :_MOST_NAMED_IN_A_SENTENCE
    ]
