"""Reports on communities, and what their writing takes, on a page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from ...core.words import quantity
from ...retrievers.subgraph.communities import CommunityReport, Finding, listed
from ..page import Page

if TYPE_CHECKING:
    from ...retrievers.subgraph.written_reports import WritingCosts

_MOST_REPORTS = 12
_MOST_REFERENCES = 3


def show_reports(reports: Sequence[CommunityReport], level: int | None, page: Page) -> list[Text]:
    """The reports of one level, or of the communities that were not divided, the highest rating first."""
    if not reports:
        return page.paragraph("There is nothing to report on: the graph has no nodes.")
    if level is None:
        chosen = [report for report in reports if not report.children]
    else:
        chosen = [report for report in reports if report.level == level]
    levels = 1 + max(report.level for report in reports)
    if not chosen:
        return page.paragraph(f"There is no level {level}: the levels go from 0 to {levels - 1}.")
    ordered = sorted(chosen, key=lambda report: (-report.rating, -len(report.nodes), report.community))
    lines: list[Text] = []
    for report in ordered[:_MOST_REPORTS]:
        head = f"{report.community}  {report.title}"
        lines += page.paragraph(head, style="bold")
        lines += page.paragraph(f"{report.rating:.1f}  {report.summary}", indent=2, hanging=4)
        for finding in report.findings[:3]:
            lines += page.paragraph(
                f"{finding.summary}: {finding.explanation}", indent=4, hanging=6, style="dim"
            )
            # An extract says its nodes and edges itself; of what a model wrote this is how it can be checked.
            if report.written_by:
                lines += page.paragraph(f"rests on {_references(finding)}", indent=6, hanging=8, style="dim")
    left = len(ordered) - _MOST_REPORTS
    if left > 0:
        lines += page.paragraph(f"{page.glyphs.ellipsis} {left:,} more", style="dim")
    shown = quantity(min(len(chosen), _MOST_REPORTS), "community", "communities")
    said = f"{shown} shown of {len(reports)} in {quantity(levels, 'level')}."
    return [*lines, *page.paragraph(said), *_on_writing(chosen, page)]


def _references(finding: Finding) -> str:
    """The first nodes and edges that a finding rests on, by their ids."""
    named = []
    for ids, kind in ((finding.nodes, "node"), (finding.edges, "edge")):
        if ids:
            noun = kind if len(ids) == 1 else f"{kind}s"
            named.append(f"{noun} {listed(ids, _MOST_REFERENCES)}")
    return "; ".join(named)


def _on_writing(reports: Sequence[CommunityReport], page: Page) -> list[Text]:
    """Who wrote the reports, and what is to be said of them."""
    lines: list[Text] = []
    writers = Counter(report.written_by for report in reports if report.written_by)
    for model, count in writers.items():
        lines += page.paragraph(f"{quantity(count, 'report')} by {model}.")
    notes = Counter(note for report in reports for note in report.notes)
    for note, count in notes.items():
        lines += page.paragraph(f"{quantity(count, 'report')}: {note}", hanging=2, style="dim")
    return lines


def costs_in_words(costs: WritingCosts, model: str) -> str:
    """What the writing of reports takes, in a few sentences."""
    there = f"{quantity(costs.reports, 'community', 'communities')} to report on"
    if not costs.to_write:
        return f"{there}, each of which {model} has a report on that is kept."
    kept = f"; {quantity(costs.kept, 'report')} kept from before" if costs.kept else ""
    if costs.cost is None:
        price = "at a price that is not known"
    elif costs.cost == 0:
        price = "at no cost"
    else:
        # Rounded up: what is a fraction of a cent is not nothing.
        price = f"at most ${math.ceil(costs.cost * 100) / 100:.2f}"
    return (
        f"{there}{kept}. {model} writes {costs.to_write:,}: about {costs.input_tokens:,} tokens in and at most "
        f"{costs.output_tokens:,} out, {price}. Each is kept as it is written."
    )
