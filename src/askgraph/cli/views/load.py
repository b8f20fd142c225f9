"""What a load did, on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ...core.words import quantity
from ..page import Page

if TYPE_CHECKING:
    from ...stores.loading import LoadReport

MOST_SKIPPED = 20


def show_load(report: LoadReport, into: str, page: Page) -> list[Text]:
    """Counts, then the rows that were left out with their places, then notes."""
    lines = page.paragraph(f"{report}.")
    total = (
        f"{into} now has {quantity(report.total_nodes, 'node')} and {quantity(report.total_edges, 'edge')}."
    )
    lines += page.paragraph(total)
    if report.skipped_count:
        lines += [Text(), Text("Left out", "bold yellow")]
        for problem in report.skipped[:MOST_SKIPPED]:
            lines += page.paragraph(f"{page.glyphs.bullet} {problem}", indent=2, hanging=2)
        left_out = report.skipped_count - min(MOST_SKIPPED, len(report.skipped))
        if left_out > 0:
            lines += page.paragraph(f"{page.glyphs.ellipsis} {left_out:,} more: --json lists them", indent=2)
    if report.notes:
        lines += [Text(), Text("Notes", "bold")]
        for note in report.notes:
            lines += page.paragraph(f"{page.glyphs.bullet} {note}", indent=2, hanging=2)
    return lines
