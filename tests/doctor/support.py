"""What the doctor says, picked out."""

from __future__ import annotations

from pathlib import Path

from askgraph.core.settings import Settings
from askgraph.doctor import Finding, examine


def found(location: Path | None, about: str, **settings: object) -> list[Finding]:
    """What the doctor says about one thing."""
    return [finding for finding in examine(location, Settings.load(**settings)) if finding.about == about]


def only(location: Path | None, about: str, **settings: object) -> Finding:
    findings = found(location, about, **settings)
    assert len(findings) == 1, findings
    return findings[0]
