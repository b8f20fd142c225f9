"""What the doctor found, on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from ...core.words import quantity
from ..page import Page

if TYPE_CHECKING:
    from ...doctor import Enforcer, Finding, Source

_STYLES = {"ok": "green", "note": "cyan", "warning": "yellow", "problem": "bold red"}
_SEVERITY_WIDTH = 9

_HEADINGS: tuple[tuple[Enforcer, str], ...] = (
    ("server", "The server itself sees to it, whoever asks:"),
    ("askgraph", "Only askgraph sees to it. Who asks the server another way is not held back:"),
    ("nobody", "Nobody sees to it:"),
)
_KNOWN: dict[Source, str] = {"tried": "tried", "told": "says the server", "documented": "known, not tried"}


def show_findings(findings: Sequence[Finding], location: str, page: Page) -> list[Text]:
    """All findings in order, each with its advice under it, then the protections by who sees to them, and a verdict."""
    margin = max((len(finding.about) for finding in findings), default=0) + 2
    lines = _section([finding for finding in findings if finding.enforced_by is None], margin, page)
    for enforcer, heading in _HEADINGS:
        protections = [finding for finding in findings if finding.enforced_by == enforcer]
        if protections:
            lines += [Text(), *page.paragraph(heading, style="bold"), *_section(protections, margin, page)]
    return [*lines, Text(), *page.paragraph(_verdict(findings, location), style="bold")]


def _section(findings: Sequence[Finding], margin: int, page: Page) -> list[Text]:
    return [line for finding in findings for line in _finding(finding, margin, page)]


def _finding(finding: Finding, margin: int, page: Page) -> list[Text]:
    indent = _SEVERITY_WIDTH + margin
    head = Text(f"{finding.severity:<{_SEVERITY_WIDTH}}", _STYLES[finding.severity])
    head.append_text(page.text(finding.about, "bold")).append(" " * (margin - len(finding.about)))
    head.append_text(page.text(finding.what))
    source = _source(finding)
    if source:
        head.append(" ").append_text(page.text(source, "dim"))
    lines = page.paragraph(head, hanging=indent)
    if finding.advice:
        advice = Text(f"{page.glyphs.right} ", "dim").append_text(page.text(finding.advice))
        lines += page.paragraph(advice, indent=indent, hanging=2)
    return [*lines, *_to_copy(finding.lines, indent + 2, page)]


def _to_copy(texts: Sequence[str], indent: int, page: Page) -> list[Text]:
    """Lines of configuration under each other, moved to the left where they would not fit the page otherwise."""
    longest = max(map(len, texts), default=0)
    margin = indent if indent + longest <= page.width else max(2, min(indent, page.width - longest))
    lines = []
    for text in texts:
        own = len(text) - len(text.lstrip(" "))
        lines += page.paragraph(page.text(text, "cyan"), indent=margin + own, hanging=2)
    return lines


def _source(finding: Finding) -> str:
    """How it is known, in brackets."""
    known = _KNOWN[finding.known] if finding.known is not None else ""
    if finding.trial:
        known = f"tried: {finding.trial}"
    return f"({known})" if known else ""


def _verdict(findings: Sequence[Finding], location: str) -> str:
    problems = sum(finding.severity == "problem" for finding in findings)
    warnings = sum(finding.severity == "warning" for finding in findings)
    if not problems and not warnings:
        return f"{location} is well."
    counts = [
        quantity(count, word) for count, word in ((problems, "problem"), (warnings, "warning")) if count
    ]
    return f"{location}: {' and '.join(counts)}."
