"""Solved questions on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from ..page import Page

if TYPE_CHECKING:
    from ...linking.solved_examples import SolvedExample


def show_examples(examples: Sequence[SolvedExample], page: Page) -> list[Text]:
    """Each question with its id, and its query below it."""
    lines: list[Text] = []
    for example in examples:
        head = Text(f"{example.id}  ", "cyan").append_text(page.text(example.question, "bold"))
        lines += page.paragraph(head, hanging=2)
        for line in example.query.split("\n"):
            indent = len(line) - len(line.lstrip())
            lines += page.paragraph(
                line.strip(), indent=2 + min(indent, 20), hanging=4 + min(indent, 20), style="dim"
            )
    return lines
