"""What a load did, and every row that it could not take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ...core.errors import (
    LoadError,
    Location,
)
from ...core.words import quantity

OnError = Literal["stop", "skip", "report"]
"""What a load does with a row that it cannot take: ``stop`` at the first, ``skip`` it and go on, or ``report`` all of
them and load nothing."""

LISTED_PROBLEMS: Final = 1_000
"""Problems that are kept with their place; the rest is only counted."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that cannot become part of the graph. ``kind`` is the name of its error class."""

    kind: str
    message: str
    location: Location | None = None
    advice: str | None = None

    @classmethod
    def of(cls, error: LoadError) -> Problem:
        """The problem that an error tells of."""
        return cls(type(error).__name__, error.message, error.location, error.advice)

    def __str__(self) -> str:
        return f"{self.location}: {self.message}" if self.location else self.message

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        place = self.location
        return {
            "kind": self.kind,
            "message": self.message,
            "file": place.file if place else None,
            "line": place.line if place else None,
            "column": place.column if place else None,
            "advice": self.advice,
        }


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did.

    Attributes:
        nodes: nodes that the graph did not have.
        edges: edges (or triples between nodes) that it did not have.
        files: the files that were read, as given.
        seconds: wall-clock time.
        nodes_updated: nodes that it had and that were given again.
        edges_present: edges that it had already.
        total_nodes: nodes in the graph now.
        total_edges: edges in the graph now.
        skipped: the first :data:`LISTED_PROBLEMS` rows that were left out, with place and reason.
        skipped_count: all of them.
        notes: what was guessed, cut or left out, in plain sentences.
    """

    nodes: int
    edges: int
    files: tuple[str, ...] = ()
    seconds: float = 0.0
    nodes_updated: int = 0
    edges_present: int = 0
    total_nodes: int = 0
    total_edges: int = 0
    skipped: tuple[Problem, ...] = ()
    skipped_count: int = 0
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = f"{quantity(self.nodes, 'node')} and {quantity(self.edges, 'edge')} added"
        if self.nodes_updated or self.edges_present:
            text += f", {quantity(self.nodes_updated, 'node')} and {quantity(self.edges_present, 'edge')} known already"
        if self.skipped_count:
            text += f", {quantity(self.skipped_count, 'row')} left out"
        return f"{text}, from {quantity(len(self.files), 'file')} in {self.seconds:.1f} s"

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "nodes": self.nodes,
            "edges": self.edges,
            "files": list(self.files),
            "seconds": round(self.seconds, 3),
            "nodes_updated": self.nodes_updated,
            "edges_present": self.edges_present,
            "total_nodes": self.total_nodes,
            "total_edges": self.total_edges,
            "skipped": [problem.to_dict() for problem in self.skipped],
            "skipped_count": self.skipped_count,
            "notes": list(self.notes),
        }


class ProblemsError(LoadError):
    """A load with ``on_error="report"`` that found problems: nothing was written. ``problems`` lists the first ones,
    ``count`` counts all."""

    def __init__(self, problems: Iterable[Problem], count: int) -> None:
        self.problems = tuple(problems)
        self.count = count
        shown = "\n".join(f"  {problem.kind}: {problem}" for problem in self.problems[:20])
        more = f"\n  … and {quantity(count - 20, 'more', 'more')}" if count > 20 else ""
        super().__init__(
            f"{quantity(count, 'problem')} found, nothing was loaded:\n{shown}{more}",
            advice="Mend the files, or load without these rows: --on-error skip.",
        )


@dataclass(slots=True)
class ProblemLog:
    """Keeps the problems of one load and applies the user's policy to each."""

    on_error: OnError = "stop"
    problems: list[Problem] = field(default_factory=list)
    count: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, error: LoadError) -> None:
        """One more row that cannot be loaded. Raises it where the policy is to stop."""
        if self.on_error == "stop":
            raise error
        self.count += 1
        if len(self.problems) < LISTED_PROBLEMS:
            self.problems.append(Problem.of(error))

    def add_uncounted(self, count: int) -> None:
        """Further rows like the last one, which are counted and not listed."""
        self.count += count

    @property
    def room(self) -> int:
        """How many more problems will be listed: no use in finding the place of others."""
        return 1 if self.on_error == "stop" else max(0, LISTED_PROBLEMS - len(self.problems))

    def note(self, sentence: str) -> None:
        """Something that the user should know. Said once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def conclude(self) -> None:
        """Raise :class:`ProblemsError` where the policy is to report and there is something to report."""
        if self.on_error == "report" and self.count:
            raise ProblemsError(self.problems, self.count)
