"""Who sees to it that something cannot happen: the one form in which every protection of a server is told."""

from __future__ import annotations

from dataclasses import replace

from ..stores.trial import Trial
from .finding import Enforcer, Finding, Severity, Source

_SEVERITIES: dict[Enforcer, Severity] = {"server": "ok", "askgraph": "note", "nobody": "warning"}


def protection(
    about: str,
    enforced_by: Enforcer,
    what: str,
    advice: str = "",
    *lines: str,
    known: Source = "documented",
    severity: Severity | None = None,
) -> Finding:
    """A finding about a protection.

    Args:
        about: what is protected, in a word or two.
        enforced_by: who sees to it.
        what: what holds, or does not.
        advice: what to change, and where.
        lines: configuration or statements for that, word for word.
        known: how this is known.
        severity: where it differs from what goes with ``enforced_by``: ``ok`` for the server, ``note`` where only
            askgraph stands in front, ``warning`` where nobody does.
    """
    return Finding(
        severity or _SEVERITIES[enforced_by], about, what, advice, tuple(lines), enforced_by, known
    )


def after_trial(
    finding: Finding, trial: Trial | None, *, held: str = "", open: str = "", otherwise: Enforcer = "askgraph"
) -> Finding:
    """What is known of a protection after it was tried out: the trial has the last word.

    Args:
        finding: what was known before.
        trial: what was tried; ``None`` for nothing.
        held: what to say where the server does it, against expectation.
        open: what to say where the server does not do it, against expectation.
        otherwise: who sees to it then.
    """
    if trial is None:
        return finding
    if trial.held is None:
        return replace(finding, trial=f"{trial.what}, which tells nothing")
    if trial.held:
        what = finding.what if finding.enforced_by == "server" else held or finding.what
        well = replace(finding, severity="ok", what=what, advice="", lines=(), enforced_by="server")
        return replace(well, known="tried", trial=trial.what)
    if finding.enforced_by != "server":
        return replace(finding, known="tried", trial=trial.what)
    worse = replace(finding, severity="warning", enforced_by=otherwise)
    return replace(worse, what=open or finding.what, known="tried", trial=trial.what)
