"""What was linked, what was found, and what was answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .graph import Path
from .plan import Table
from .values import Value, to_json_value

LinkKind = Literal["node", "value", "node type", "edge type", "property"]
FactKind = Literal["path", "row", "count", "statement", "report"]

OWN_KNOWLEDGE = "the model's own knowledge, not from the graph"


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of the question that names something. ``start`` and ``end`` count characters from 0."""

    text: str
    start: int
    end: int

    def overlaps(self, other: Mention) -> bool:
        """Whether the two spans share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Link:
    """A mention resolved to something in the graph.

    Attributes:
        mention: the span of the question.
        kind: what it was resolved to.
        id: the node's, type's or property's id; for a value the property's key and the text, as a JSON list.
        name: the name that matched, so that the link can be traced.
        score: 0 to 1.
        method: how it was found: ``"exact"``, ``"fuzzy"``, ``"meaning"`` and the like.
        types: the node's types; the owners of a property.
        alternatives: how many other things carry the same name as well as this one does.
        entry: where a name comes from that the graph does not have: the entry of a dictionary, in words.
    """

    mention: Mention
    kind: LinkKind
    id: str
    name: str
    score: float
    method: str
    types: tuple[str, ...] = ()
    alternatives: int = 0
    entry: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        entry = {"entry": self.entry} if self.entry else {}
        return entry | {
            "mention": {"text": self.mention.text, "start": self.mention.start, "end": self.mention.end},
            "kind": self.kind,
            "id": self.id,
            "name": self.name,
            "score": round(self.score, 4),
            "method": self.method,
            "types": list(self.types),
            "alternatives": self.alternatives,
        }


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing found for a question, that a sentence of the answer may rest on.

    Attributes:
        text: the fact in words.
        kind: what it is.
        score: how well it fits the question; comparable within one evidence.
        retriever: which retriever found it, and ``step`` at which step of its own.
        path: the path, for a fact that is one.
        elements: ids of the nodes and edges that it is made of.
        provenance: what the graph says of where the fact comes from (source, publications, licence, named graph …).
        row: the columns of a result row or count, by name.
    """

    text: str
    kind: FactKind
    score: float
    retriever: str
    step: str = ""
    path: Path | None = None
    elements: tuple[str, ...] = ()
    provenance: Mapping[str, Value] = field(default_factory=dict)
    row: Mapping[str, Value] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "text": self.text,
            "kind": self.kind,
            "score": round(self.score, 4),
            "retriever": self.retriever,
            "step": self.step,
            "path": None if self.path is None else self.path.to_dict(),
            "elements": list(self.elements),
            "provenance": {key: to_json_value(value) for key, value in self.provenance.items()},
            "row": None
            if self.row is None
            else {key: to_json_value(value) for key, value in self.row.items()},
        }


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts found for a question.

    Attributes:
        facts: the facts, the best first.
        notes: what was cut or guessed on the way, in plain sentences.
        types: labels of the types of nodes in the facts, by node id, as far as they are known.
    """

    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """One item of an answer: a node (then ``node`` is its id) or a value."""

    text: str
    node: str | None = None
    value: Value = None

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {"text": self.text, "node": self.node, "value": to_json_value(self.value)}


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer, and the facts that it rests on.

    Attributes:
        text: the sentence, without citations.
        facts: the numbers of the facts behind it (the first fact is 1); empty where it claims nothing of the graph.
        unsupported_because: why no fact stands behind what it claims; empty where one does, or where it claims nothing.
        own_knowledge: whether it says what a model knows by itself, which nobody has checked.
        begins_line: whether it stands on a line of its own, as the items of a list do.
    """

    text: str
    facts: tuple[int, ...] = ()
    unsupported_because: str = ""
    own_knowledge: bool = False
    begins_line: bool = False

    @property
    def is_supported(self) -> bool:
        """Whether any fact stands behind the sentence."""
        return bool(self.facts) and not self.unsupported_because

    @property
    def mark(self) -> str:
        """What a reader must be told of the sentence; empty where nothing."""
        if self.own_knowledge:
            return OWN_KNOWLEDGE
        return f"not supported: {self.unsupported_because}" if self.unsupported_because else ""

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "text": self.text,
            "facts": list(self.facts),
            "unsupported_because": self.unsupported_because,
            "own_knowledge": self.own_knowledge,
            "begins_line": self.begins_line,
        }


@dataclass(frozen=True)
class Answer:
    """The answer to a question, or an abstention, with everything that it rests on.

    Attributes:
        question: as asked.
        sentences: the answer in words, each sentence with its facts.
        answers: the short answers; empty for an abstention.
        facts: the facts cited, numbered from 1 in this order.
        confidence: 0 to 1.
        abstained: whether the graph was found not to support an answer; ``sentences`` then says why.
        nearest: what came closest, for an abstention: links and facts in words.
        links: what the question's words were resolved to.
        interpretation: how the question was read, in words.
        table: all rows, where the answer is a table.
        notes: what was cut, capped, guessed or fallen back to, in plain sentences.
        run: the id of the stored run, or ``None`` if it was not stored.
    """

    question: str
    sentences: tuple[Sentence, ...]
    answers: tuple[ShortAnswer, ...] = ()
    facts: tuple[Fact, ...] = ()
    confidence: float = 0.0
    abstained: bool = False
    nearest: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    interpretation: str = ""
    table: Table | None = None
    notes: tuple[str, ...] = ()
    run: str | None = None

    @property
    def text(self) -> str:
        """The answer in words, each sentence followed by the numbers of its facts, or by a mark where none supports
        it."""
        parts: list[str] = []
        for sentence in self.sentences:
            if parts:
                parts.append("\n" if sentence.begins_line else " ")
            parts.append(with_citations(sentence))
        return "".join(parts)

    def __str__(self) -> str:
        """The answer in words."""
        return self.text

    def __repr__(self) -> str:
        """The answer in short."""
        if self.abstained:
            return f"Answer({self.question!r}: abstained)"
        shown = ", ".join(answer.text for answer in self.answers[:3]) + (
            " …" if len(self.answers) > 3 else ""
        )
        return (
            f"Answer({self.question!r}: {shown}; confidence {self.confidence:.2f}, {len(self.facts)} facts)"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the answer, its facts and a small picture of the evidence."""
        from .answer_html import answer_to_html

        return answer_to_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "question": self.question,
            "answer": self.text,
            "abstained": self.abstained,
            "confidence": round(self.confidence, 4),
            "answers": [answer.to_dict() for answer in self.answers],
            "sentences": [item.to_dict() for item in self.sentences],
            "facts": [{"number": number} | fact.to_dict() for number, fact in enumerate(self.facts, start=1)],
            "interpretation": self.interpretation,
            "links": [link.to_dict() for link in self.links],
            "nearest": list(self.nearest),
            "table": None if self.table is None else self.table.to_dict(),
            "notes": list(self.notes),
            "run": self.run,
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Strict JSON text: no NaN, no inexact integer, dates and the like tagged (see :mod:`askgraph.core.values`)."""
        import json

        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=indent)


def with_citations(sentence: Sentence) -> str:
    """A sentence with the numbers of its facts behind it, or with its mark."""
    if sentence.mark:
        return f"{sentence.text} (⚠ {sentence.mark})"
    return sentence.text + (" " + cite(sentence.facts) if sentence.facts else "")


def cite(numbers: tuple[int, ...]) -> str:
    """Fact numbers as they stand behind a sentence: ``[1]``, ``[1][2]``, and ``[1-9]`` for a long unbroken range."""
    if len(numbers) > 3 and numbers == tuple(range(numbers[0], numbers[-1] + 1)):
        return f"[{numbers[0]}-{numbers[-1]}]"
    return "".join(f"[{number}]" for number in numbers)
