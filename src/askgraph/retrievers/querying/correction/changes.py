"""What was done to a query, and what was left because it could not be told what was meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ....core.values import Value, to_json_value
from ....querying.schema_check import SchemaProblem

ChangeKind = Literal[
    "type", "relation", "direction", "property", "value", "node", "literal", "prefix", "function", "syntax"
]


@dataclass(frozen=True, slots=True)
class Change:
    """One place of a query that was put right.

    Attributes:
        kind: what was wrong: a type, a relation, its direction, a property, a value, an IRI of a node, the datatype or
            language of a literal, a prefix, the name of a function.
        before: as the query had it.
        after: as it is now.
        reason: why, in a sentence.
        confidence: 0 to 1: how sure it is that this was meant.
        line, column: where, in the text that was given, from 1.
    """

    kind: ChangeKind
    before: str
    after: str
    reason: str
    confidence: float
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.before} became {self.after}: {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "kind": self.kind,
            "before": self.before,
            "after": self.after,
            "reason": self.reason,
            "confidence": round(self.confidence, 4),
            "line": self.line,
            "column": self.column,
        }


@dataclass(frozen=True, slots=True)
class Correction:
    """A query after it was put right.

    Attributes:
        text: the query; as it was given where nothing was changed.
        changes: what was changed, in the order in which it was done.
        problems: what it still asks for that the graph does not have, with what may have been meant. Places are those
            of ``text``.
        parameters: the values of its parameters, linked like those in the text.
        unlooked: what could not be looked up, in sentences: nothing was found out about it.
    """

    text: str
    changes: tuple[Change, ...] = ()
    problems: tuple[SchemaProblem, ...] = ()
    parameters: Mapping[str, Value] = field(default_factory=dict)
    unlooked: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing is left that keeps the query from finding what it asks for."""
        return not any(problem.severity == "error" for problem in self.problems)

    @property
    def notes(self) -> tuple[str, ...]:
        """The changes, each in a sentence."""
        return tuple(f"{change}" for change in self.changes)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "text": self.text,
            "changes": [change.to_dict() for change in self.changes],
            "problems": [
                {
                    "code": problem.code,
                    "message": problem.message,
                    "advice": problem.advice,
                    "suggestions": list(problem.suggestions),
                    "severity": problem.severity,
                    "line": problem.line,
                    "column": problem.column,
                }
                for problem in self.problems
            ],
            "parameters": {name: to_json_value(value) for name, value in self.parameters.items()},
            "unlooked": list(self.unlooked),
        }
