"""What the doctor says of one thing that it looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from ..core.errors import AskgraphError

Severity = Literal["ok", "note", "warning", "problem"]

Enforcer = Literal["server", "askgraph", "nobody"]
"""Who sees to it that something cannot happen: the server itself, whoever asks it; askgraph alone, so that it holds for
what comes through askgraph and for nothing else; or nobody."""

Source = Literal["tried", "told", "documented"]
"""How something is known: it was tried out on this very server; the server said so when asked; or servers of this kind
and version are documented, or were measured, to be so."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        severity: ``"ok"``; ``"note"``: worth knowing; ``"warning"``: works, but not as well or as safely as it could;
            ``"problem"``: does not work.
        about: what was looked at, in a word or two.
        what: what was found.
        advice: what to do about it; empty if nothing needs to be done.
        lines: what to write where the advice says: configuration or statements, word for word.
        enforced_by: for a protection, who sees to it; ``None`` for anything else.
        known: for what was learned of a server, how it is known; ``None`` for anything else.
        trial: what was tried on this very server, and what came of it; empty where nothing was.
    """

    severity: Severity
    about: str
    what: str
    advice: str = ""
    lines: tuple[str, ...] = ()
    enforced_by: Enforcer | None = None
    known: Source | None = None
    trial: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "severity": self.severity,
            "about": self.about,
            "what": self.what,
            "advice": self.advice,
            "lines": list(self.lines),
            "enforced_by": self.enforced_by,
            "known": self.known,
            "trial": self.trial,
        }


def look(about: str, check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """What a check finds. Where it fails itself, that is a finding too, behind those that it made before."""
    findings: list[Finding] = []
    try:
        findings.extend(check())
    except AskgraphError as error:
        location = getattr(error, "location", None)
        what = f"{location}: {error.message}" if location else error.message
        findings.append(Finding("problem", about, what, error.advice or ""))
    except OSError as error:
        findings.append(Finding("problem", about, str(error)))
    return findings


def megabytes(size: int) -> str:
    """A number of bytes, for people."""
    return f"{size / 1_000_000:,.1f} MB"
