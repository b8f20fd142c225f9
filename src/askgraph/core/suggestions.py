"""The right name for a wrong one: what an error suggests when a name is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from .words import local_name, normalize

_LEAST_LIKENESS = 0.55


def nearest_names(
    wrong: str, candidates: Iterable[str], *, labels: Mapping[str, str] | None = None, most: int = 3
) -> tuple[str, ...]:
    """The candidates most like ``wrong``, the nearest first; none if nothing is like it.

    A candidate is compared by its text, by the last part of its IRI, and by its label where ``labels`` has one, all
    without case, accents and punctuation. Likeness is Ratcliff and Obershelp's (:mod:`difflib`).
    """
    wanted = {normalize(wrong), normalize(local_name(wrong))}
    scored = []
    for candidate in dict.fromkeys(candidates):
        forms = {normalize(candidate), normalize(local_name(candidate))}
        if labels and candidate in labels:
            forms.add(normalize(labels[candidate]))
        likeness = max(_likeness(one, other) for one in wanted for other in forms)
        if likeness >= _LEAST_LIKENESS:
            scored.append((-likeness, candidate))
    return tuple(candidate for _, candidate in sorted(scored)[:most])


def did_you_mean(
    wrong: str, candidates: Iterable[str], *, labels: Mapping[str, str] | None = None
) -> str | None:
    """``"Did you mean 'Person' or 'Persona'?"``, or ``None`` if nothing is like it."""
    found = nearest_names(wrong, candidates, labels=labels)
    if not found:
        return None
    return "Did you mean " + " or ".join(repr(name) for name in found) + "?"


def _likeness(one: str, other: str) -> float:
    if not one or not other:
        return 0.0
    # Blanks say little: "work for" and "workfor" are one name.
    left, right = one.replace(" ", ""), other.replace(" ", "")
    if 2 * min(len(left), len(right)) < _LEAST_LIKENESS * (len(left) + len(right)):
        return 0.0  # It cannot be like enough, and most candidates of a large schema are not.
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _LEAST_LIKENESS else 0.0
