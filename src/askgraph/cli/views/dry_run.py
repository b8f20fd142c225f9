"""What a model would be asked, on a page."""

from __future__ import annotations

from rich.text import Text

from ...core.dry_run import DryRun
from ...core.words import quantity
from ..page import Page


def show_dry_run(dry: DryRun, page: Page) -> list[Text]:
    """The messages as they would be sent, and what the call would take."""
    if not dry.messages:
        return page.paragraph(f"{dry.model} would not be asked: the question is answered without it.")
    lines: list[Text] = []
    for message in dry.messages:
        lines += [page.text(message.role, "bold")]
        for line in message.text.split("\n"):
            lines += page.paragraph(line, indent=2, hanging=2) or [Text()]
        lines += [Text()]
    lines += page.paragraph(
        f"{dry.model} was not called. This call would have about {dry.tokens:,} tokens and a reply of up to "
        f"{dry.reply_tokens:,}: {_cost(dry.cost)}. A question may take {quantity(dry.calls, 'call')}."
    )
    return lines


def _cost(dollars: float | None) -> str:
    if dollars is None:
        return "no price is known for it"
    return f"at most ${dollars:.4f}" if dollars else "free of charge"
