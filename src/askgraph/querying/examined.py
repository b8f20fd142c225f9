"""What the gate learns of a query in one language."""

from __future__ import annotations

from dataclasses import dataclass

from .source import SourceText
from .tree import SyntaxNode


@dataclass(frozen=True, slots=True)
class Examined:
    """A query that may run, before the gate has sealed it.

    Attributes:
        source: the text that was examined; the tree's spans count in it.
        tree: the tree of what is to be shown.
        shown: its text.
        text: what is to be sent.
        parameters: names of the parameters that it needs, in the order of the text.
        columns: names of its columns, or ``None`` where the text does not tell them.
        capped_in_text: whether the text itself holds the row cap.
        explain: whether it only asks for a plan.
        notes: what was changed, in plain sentences.
    """

    source: SourceText
    tree: SyntaxNode
    shown: str
    text: str
    parameters: tuple[str, ...]
    columns: tuple[str, ...] | None
    capped_in_text: bool
    explain: bool
    notes: tuple[str, ...]
