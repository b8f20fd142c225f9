"""What the record of a run says of how a question was understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import PlanError
from ..core.plan import Plan
from ..core.plan_json import plan_from_dict
from ..core.run import Step


@dataclass(frozen=True, slots=True)
class ReadingRecord:
    """One way in which a question was read: in words, and as a plan."""

    words: str
    plan: Plan


@dataclass(frozen=True, slots=True)
class UnderstandingRecord:
    """How a question was understood, step by step.

    Attributes:
        unlinked: what looked like a name and was not linked, and why.
        readings: the readings, the best first.
        reason: why there was no answer, for an abstention.
        written_query: the last query that a model wrote and that was run; empty where there is none.
        reached_nodes, reached_relations: what a traversal found, whether an answer was read off it or not.
    """

    unlinked: tuple[str, ...] = ()
    readings: tuple[ReadingRecord, ...] = ()
    reason: str = ""
    written_query: str = ""
    reached_nodes: tuple[str, ...] = ()
    reached_relations: tuple[str, ...] = ()


def understanding_of(steps: Sequence[Step]) -> UnderstandingRecord:
    """What the steps of a run say; a step that a run does not have says nothing."""
    details: dict[str, dict[str, Any]] = {step.name: step.details for step in steps}
    return UnderstandingRecord(
        unlinked=tuple(map(str, details.get("link", {}).get("unlinked", ()))),
        readings=tuple(_readings(details.get("read", {}).get("readings", ()))),
        reason=str(details.get("abstain", {}).get("reason", "")),
        reached_nodes=tuple(map(str, details.get("paths", {}).get("reached_nodes", ()))),
        reached_relations=tuple(map(str, details.get("paths", {}).get("reached_relations", ()))),
        written_query=str(details.get("run query", {}).get("query", "")),
    )


def _readings(recorded: Sequence[Any]) -> list[ReadingRecord]:
    readings = []
    for item in recorded:
        if isinstance(item, dict) and item.get("plan"):
            try:
                readings.append(ReadingRecord(str(item.get("reading", "")), plan_from_dict(item["plan"])))
            except PlanError:  # a record of another version
                continue
    return readings
