"""A query in the making: its tree as it has been put right so far, and what is to be said about that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

from ....querying.rewriting import Place, replaced
from ....querying.schema_check import ProblemCode, Severity
from ....querying.source import SourceText, Span
from ....querying.tree import SyntaxNode
from .changes import Change, ChangeKind

Tree = TypeVar("Tree", bound=SyntaxNode)


class Doubt(NamedTuple):
    """Something that is wrong, or may be, and was left as it is; the fields are those of a schema problem."""

    code: ProblemCode
    message: str
    span: Span
    advice: str | None = None
    suggestions: tuple[str, ...] = ()
    severity: Severity = "error"


class Draft(Generic[Tree]):
    """A tree that is changed step by step, always at places of the text that was given.

    Nodes keep their spans while they change, so a place means the same in every step.
    """

    def __init__(self, tree: Tree, source: SourceText) -> None:
        self.original = tree
        self.tree = tree
        self.source = source
        self.changes: list[Change] = []
        self._spans: list[Span] = []
        self.doubts: list[Doubt] = []

    def replace(self, replacements: Mapping[Place, Callable[[SyntaxNode], SyntaxNode]]) -> None:
        """Change the nodes at these places."""
        self.tree = replaced(self.tree, replacements)

    def note(
        self, kind: ChangeKind, before: str, after: str, reason: str, confidence: float, span: Span
    ) -> None:
        """Keep what was changed."""
        line, column, _ = self.source.position(span.start)
        self.changes.append(Change(kind, before, after, reason, round(confidence, 4), line, column))
        self._spans.append(span)

    def places(self) -> list[tuple[Change, Span]]:
        """The changes with where each was made."""
        return list(zip(self.changes, self._spans, strict=True))

    def doubt(self, doubt: Doubt) -> None:
        """Keep what was not changed; once for a place and kind."""
        if not any((known.code, known.span) == (doubt.code, doubt.span) for known in self.doubts):
            self.doubts.append(doubt)
