"""What the loop has found so far, what came of each try, and whether that answers the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ...core.evidence import Evidence, Fact, Link, ShortAnswer
from ...core.plan import Table
from ...core.words import normalize


@dataclass(frozen=True)
class Found:
    """What one try brought.

    Attributes:
        evidence: its facts.
        answers: what it answers with; where it does not answer the question by itself, what it speaks for.
        answers_it: whether it answers the question by itself: a query that gave rows, a path followed to its end.
        nodes: further nodes to look around.
        table: rows, where it has some.
        feedback: what the model is told of it, a line each.
    """

    evidence: Evidence = field(default_factory=Evidence)
    answers: tuple[ShortAnswer, ...] = ()
    answers_it: bool = False
    nodes: tuple[str, ...] = ()
    table: Table | None = None
    feedback: tuple[str, ...] = ()


Footing = Literal[
    "several ways that agree", "one way", "several ways that differ", "what the model expected", "facts alone"
]
"""What answers stand on: a query and a path that give the same; one of them; two that give different things, of which
the first is taken; what the model expected, and the graph connects with what was asked about; or facts alone."""


class Findings:
    """Collects what is found for one question.

    Attributes:
        links: what was linked, in the order in which it was.
        answers_it: whether the question is answered.
        stopped_because: why the loop ended, in words.
    """

    def __init__(self, links: Sequence[Link] = ()) -> None:
        self.links: list[Link] = list(links)
        self.answers_it = False
        self.stopped_because = ""
        self.table: Table | None = None
        self._facts: dict[tuple[str, tuple[str, ...]], Fact] = {}
        self._answers: dict[tuple[str | None, str], ShortAnswer] = {}
        self._spoken_for: dict[tuple[str | None, str], ShortAnswer] = {}
        self._nodes: dict[str, None] = dict.fromkeys(link.id for link in links if link.kind == "node")
        self._notes: dict[str, None] = {}
        self._feedback: dict[str, None] = {}
        self._types: dict[str, tuple[str, ...]] = {}
        # Of each try that answers the question: how it found that, and what, in normal form.
        self._ways: list[tuple[str, frozenset[str]]] = []

    @property
    def nodes(self) -> tuple[str, ...]:
        """Nodes to look around: what was linked, and what queries gave."""
        return tuple(self._nodes)

    @property
    def answers(self) -> tuple[ShortAnswer, ...]:
        """What was found to be the answer; where nothing was, what the model expected and the graph speaks for."""
        return tuple((self._answers or self._spoken_for).values())

    @property
    def footing(self) -> Footing:
        """What the answers stand on."""
        if not self._ways:
            return "what the model expected" if self._spoken_for else "facts alone"
        _, given = self._ways[0]
        others = [found for _, found in self._ways[1:]]
        if any(found == given for found in others):
            return "several ways that agree"
        return "several ways that differ" if others else "one way"

    @property
    def notes(self) -> tuple[str, ...]:
        """What was cut or guessed."""
        return tuple(self._notes)

    @property
    def feedback(self) -> tuple[str, ...]:
        """What came of each try, for the model."""
        return tuple(self._feedback)

    def link(self, links: Sequence[Link]) -> None:
        """Add links; a node that was linked before is not linked again."""
        for link in links:
            if link.id not in self._nodes:
                self.links.append(link)
                self._nodes[link.id] = None

    def add(self, found: Found) -> int:
        """Add what a try brought; gives how many of its facts are new.

        The answers of the first try that answers the question stand; a later one only adds facts.
        """
        new = 0
        for fact in found.evidence.facts:
            key = (fact.text, fact.elements)
            if key not in self._facts:
                new += 1
                self._facts[key] = fact
            elif fact.score > self._facts[key].score:
                self._facts[key] = replace(self._facts[key], score=fact.score)
        self._notes |= dict.fromkeys(found.evidence.notes)
        self._types.update(found.evidence.types)
        self._nodes |= dict.fromkeys(found.nodes)
        self.tell(*found.feedback)
        by_key = {(item.node, item.text): item for item in found.answers}
        if found.answers_it:
            way = next((fact.retriever for fact in found.evidence.facts), "")
            if way not in [known for known, _ in self._ways]:
                self._ways.append((way, frozenset(normalize(item.text) for item in found.answers)))
        if found.answers_it and not self.answers_it:
            self.answers_it = True
            self.table = found.table
            self._answers.update(by_key)
        elif not found.answers_it:
            self._spoken_for.update(by_key)
        return new

    def tell(self, *lines: str) -> None:
        """Add to what the model is told."""
        self._feedback |= dict.fromkeys(line for line in lines if line)

    def note(self, *lines: str) -> None:
        """Add to what the user is told."""
        self._notes |= dict.fromkeys(lines)

    def evidence(self) -> Evidence:
        """All facts, the best first; of those that are equally good the one found first."""
        facts = sorted(self._facts.values(), key=lambda fact: -round(fact.score, 4))
        return Evidence(tuple(facts), self.notes, self._types)
