"""Queries with one part left out: what is asked to learn which part of a query matches nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RelaxationKind = Literal["condition", "property", "type", "direction", "relation", "part"]


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A query that asks for less, and only whether there is anything.

    Attributes:
        kind: what was left out: a condition, a property in a pattern, a type, a direction, the type of a relation; or,
            ``"part"``, everything but one part.
        what: that, as the query has it.
        text: the query, which gives a row or true if there is anything.
        proposal: the whole query with this one thing changed, where that is something to ask instead.
    """

    kind: RelaxationKind
    what: str
    text: str
    proposal: str = ""
