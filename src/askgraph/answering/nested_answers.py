"""Answers to one question from each of the subgraphs that are nested in its selection, side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..core.evidence import Answer
from ..retrievers.subgraph.options import Nested


@dataclass(frozen=True, slots=True)
class SubgraphAnswer:
    """An answer from a subgraph, and how much of the graph that is.

    Attributes:
        answer: the answer, or an abstention.
        nodes: of the subgraph; 0 where none was selected.
        edges: between them.
        reports: that were read for the answer.
    """

    answer: Answer
    nodes: int = 0
    edges: int = 0
    reports: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "nodes": self.nodes,
            "edges": self.edges,
            "reports": self.reports,
            "answer": self.answer.to_dict(),
        }


@dataclass(frozen=True)
class NestedAnswers(Mapping[Nested, SubgraphAnswer]):
    """The answers by the subgraph that they are from, the smallest first: a mapping.

    Attributes:
        question: as asked.
        by_subgraph: the answers.
        run: the id of the stored run, whose answer is that from the largest; ``None`` if it was not stored.
    """

    question: str
    by_subgraph: Mapping[Nested, SubgraphAnswer]
    run: str | None = None

    def __getitem__(self, nested: Nested) -> SubgraphAnswer:
        """The answer from one of them."""
        return self.by_subgraph[nested]

    def __iter__(self) -> Iterator[Nested]:
        """Their names, the smallest first."""
        return iter(self.by_subgraph)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.by_subgraph)

    def __repr__(self) -> str:
        """Each answer in short."""
        said = "; ".join(f"{nested}: {item.answer!r}" for nested, item in self.by_subgraph.items())
        return f"NestedAnswers({said})"

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "question": self.question,
            "nested": {nested: item.to_dict() for nested, item in self.by_subgraph.items()},
            "run": self.run,
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Strict JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=indent)
