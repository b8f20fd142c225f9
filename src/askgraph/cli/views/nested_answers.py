"""Answers from nested subgraphs, side by side on a page."""

from __future__ import annotations

from rich.text import Text

from ...answering.nested_answers import NestedAnswers, SubgraphAnswer
from ...core.words import quantity
from ..page import Page
from .answer import show_answer, show_notes

_HEADINGS = {
    "neighbours": "neighbours alone",
    "diamond": "with DIAMOnD",
    "c3": "with DIAMOnD and C3",
    "full": "with the random walk",
}


def show_nested_answers(answers: NestedAnswers, page: Page, *, complete: bool = False) -> list[Text]:
    """Each answer below how much of the graph it is from. ``complete`` shows the facts of each too; else
    the notes on all of them stand once, at the end."""
    lines: list[Text] = []
    for nested, item in answers.items():
        head = page.text(_HEADINGS[nested], "bold").append("  ").append_text(page.text(_size(item), "dim"))
        lines += [Text()] if lines else []
        lines += page.paragraph(head)
        if complete:
            lines += show_answer(item.answer, page, complete=True)
            continue
        if item.answer.abstained:
            said = Text("No answer. ", "bold yellow").append_text(page.text(item.answer.text))
        else:
            said = page.text(item.answer.text)
        lines += page.paragraph(said, indent=2)
        if not item.answer.abstained:
            facts = quantity(len(item.answer.facts), "fact")
            lines += page.paragraph(
                f"confidence {item.answer.confidence:.2f}, {facts}", indent=2, style="dim"
            )
    if not complete:
        notes = (note for item in answers.values() for note in item.answer.notes)
        lines += show_notes(tuple(dict.fromkeys(notes)), page)
    return lines


def _size(item: SubgraphAnswer) -> str:
    nodes, edges = quantity(item.nodes, "node"), quantity(item.edges, "edge")
    return f"{nodes}, {edges}, {quantity(item.reports, 'report')}"
