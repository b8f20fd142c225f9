"""What reports say that bears on a question: a point each, with a score from 0 to 100, as in GraphRAG's map step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ..retrievers.subgraph.selection import SelectedEdge, SelectedNode

HIGHEST: Final = 100.0


@dataclass(frozen=True, slots=True)
class Point:
    """Something that bears on the question.

    Attributes:
        text: a sentence.
        score: 0 to 100; a point of 0 is of no use.
        reports: the numbers of the communities whose reports say it; none where it is said of what the question names.
        edges: what it is made of, where no model said it.
        ends: the nodes that it leads to from what the question names.
    """

    text: str
    score: float
    reports: tuple[int, ...] = ()
    edges: tuple[SelectedEdge, ...] = ()
    ends: tuple[SelectedNode, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "text": self.text,
            "score": round(self.score, 2),
            "reports": list(self.reports),
            "edges": [item.edge.id for item in self.edges],
        }
