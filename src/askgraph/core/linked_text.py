"""What the words of a text name in a graph, with everything that was considered, and why the rest was not linked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .evidence import Link, LinkKind, Mention


@dataclass(frozen=True, slots=True)
class LinkCandidate:
    """Something whose name is like a mention.

    Attributes:
        kind: a node, or a value of a property.
        id: the node's id; for a value the property's key and the text, as a JSON list.
        name: the name that is alike.
        score: how much, from 0 to 1.
        types: the node's types.
        chosen: whether the mention was linked to it.
    """

    kind: LinkKind
    id: str
    name: str
    score: float
    types: tuple[str, ...] = ()
    chosen: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "kind": self.kind,
            "id": self.id,
            "name": self.name,
            "score": round(self.score, 4),
            "types": list(self.types),
            "chosen": self.chosen,
        }


@dataclass(frozen=True, slots=True)
class LinkedMention:
    """Words of the text, what they were linked to, and what else came into question.

    Attributes:
        mention: the words and their place.
        links: what they were linked to; empty where they were not.
        candidates: nodes and values whose names are like the words, the best first.
        reason: why they were not linked; empty where they were.
    """

    mention: Mention
    links: tuple[Link, ...] = ()
    candidates: tuple[LinkCandidate, ...] = ()
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "mention": {"text": self.mention.text, "start": self.mention.start, "end": self.mention.end},
            "links": [link.to_dict() for link in self.links],
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "reason": self.reason,
        }


@dataclass(frozen=True)
class LinkedText:
    """A text and what its words name, mention by mention, in the order of the text. Iterating gives the links.

    Attributes:
        text: as given.
        mentions: the words that name something or may do so.
    """

    text: str
    mentions: tuple[LinkedMention, ...]

    @property
    def links(self) -> tuple[Link, ...]:
        """Every link, in the order of the text."""
        return tuple(link for mention in self.mentions for link in mention.links)

    @property
    def unlinked(self) -> tuple[LinkedMention, ...]:
        """The words that may name something and were not linked."""
        return tuple(mention for mention in self.mentions if not mention.links)

    def __iter__(self) -> Iterator[Link]:
        """The links, in the order of the text."""
        return iter(self.links)

    def __len__(self) -> int:
        """The number of links."""
        return len(self.links)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {"text": self.text, "mentions": [mention.to_dict() for mention in self.mentions]}
