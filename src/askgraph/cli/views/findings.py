"""What the doctor found, on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from ...core.words import quantity
from ..page import Page

if TYPE_CHECKING:
    from ...doctor import Finding

_STYLES = {"ok": "green", "note": "cyan", "warning": "yellow", "problem": "bold red"}


def show_findings(findings: Sequence[Finding], location: str, page: Page) -> list[Text]:
    """All findings in order, each with its advice under it, and a verdict."""
    lines: list[Text] = []
    margin = max((len(finding.about) for finding in findings), default=0) + 2
    for finding in findings:
        head = Text(f"{finding.severity:<9}", _STYLES[finding.severity])
        head.append_text(page.text(finding.about, "bold")).append(" " * (margin - len(finding.about)))
        lines += page.paragraph(head.append_text(page.text(finding.what)), hanging=9 + margin)
        if finding.advice:
            advice = Text(f"{page.glyphs.right} ", "dim").append_text(page.text(finding.advice))
            lines += page.paragraph(advice, indent=9 + margin, hanging=2)
    return [*lines, Text(), *page.paragraph(_verdict(findings, location), style="bold")]


def _verdict(findings: Sequence[Finding], location: str) -> str:
    problems = sum(finding.severity == "problem" for finding in findings)
    warnings = sum(finding.severity == "warning" for finding in findings)
    if not problems and not warnings:
        return f"{location} is well."
    counts = [
        quantity(count, word) for count, word in ((problems, "problem"), (warnings, "warning")) if count
    ]
    return f"{location}: {' and '.join(counts)}."
