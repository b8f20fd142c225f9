"""Replies of a model in tagged sections: ``<entities>…</entities>``, ``<paths>…</paths>`` and the like.

Models wrap what they are asked for: in fences, bullets, numbers, bold type, quotes. All of that is taken off. A section
may come more than once, and may never be closed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...models.replies import without_reasoning

SECTIONS: Final = (
    "entities",
    "paths",
    "query",
    "opencypher-linking",
    "opencypher",
    "cypher",
    "sparql",
    "answers",
    "task-completion",
    "selected",
    "next-entities",
)
"""The sections that are known. Their names are read in small and capital letters, with ``-``, ``_`` or a blank."""

FINISH: Final = "FINISH"
"""What a model says where nothing is left to find."""

_NAMES: Final = "|".join(name.replace("-", "[-_ ]") for name in SECTIONS)
_SECTION: Final = re.compile(
    rf"<\s*(?P<name>{_NAMES})\s*>(?P<body>.*?)(?:<\s*/\s*(?P=name)\s*>|(?=<\s*(?:{_NAMES})\s*>)|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*[\w+-]*[ \t]*$", re.MULTILINE)
_FENCED: Final = re.compile(r"(?:```|~~~)[ \t]*[\w+-]*[ \t]*\n(.*?)(?:\n[ \t]*(?:```|~~~)|\Z)", re.DOTALL)
_BULLET: Final = re.compile(r"^\s*(?:[-*•+]\s+|\(?\d{1,3}[.)]\s+)+")
_EMPHASIS: Final = re.compile(r"^(?P<mark>\*\*|__|`|\*|_|\"|')(?P<text>.+)(?P=mark)$")
_NOTHING: Final = frozenset({"", "none", "n/a", "na", "nothing", "null", "-", "empty", "no", "unknown", "[]"})
_QUERY_SECTIONS: Final = ("query", "opencypher", "cypher", "sparql")


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a model proposes for a question, as it wrote it.

    Attributes:
        entities: names of things that the question is about.
        paths: relations to follow, joined by arrows.
        queries: queries for the answer, whole.
        linking_queries: queries for the things that the question is about.
        answers: answers that it expects.
        is_finished: whether it says that what was found is enough.
    """

    entities: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    linking_queries: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    is_finished: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do by it."""
        return not (self.entities or self.paths or self.queries or self.linking_queries or self.answers)


def sections(reply: str) -> Mapping[str, tuple[str, ...]]:
    """The bodies of the known sections of a reply, by name; without reasoning."""
    found: dict[str, list[str]] = {}
    for match in _SECTION.finditer(without_reasoning(reply)):
        name = re.sub(r"[_ ]", "-", match["name"].lower())
        found.setdefault(name, []).append(match["body"].strip())
    return {name: tuple(bodies) for name, bodies in found.items()}


def read_proposal(reply: str) -> Proposal:
    """What a reply proposes. A reply without sections proposes nothing."""
    found = sections(reply)
    return Proposal(
        entities=lines(found.get("entities", ())),
        paths=lines(found.get("paths", ())),
        queries=queries([body for name in _QUERY_SECTIONS for body in found.get(name, ())]),
        linking_queries=queries(found.get("opencypher-linking", ())),
        answers=lines(found.get("answers", ())),
        is_finished=FINISH in " ".join(found.get("task-completion", ())).upper(),
    )


def lines(bodies: Sequence[str]) -> tuple[str, ...]:
    """The items of sections that have one a line, without marks round them; each once, in their order."""
    found: dict[str, None] = {}
    for body in bodies:
        for line in _FENCE.sub("", body).splitlines():
            item = _plain(line)
            if item.lower() not in _NOTHING:
                found[item] = None
    return tuple(found)


def queries(bodies: Sequence[str]) -> tuple[str, ...]:
    """The queries of sections: each fenced block by itself, else the whole section, line breaks and comments as they
    are. None is empty, and none comes twice."""
    found: dict[str, None] = {}
    for body in bodies:
        fenced = [match[1] for match in _FENCED.finditer(body)]
        for text in fenced or [_FENCE.sub("", body)]:
            query = text.strip().strip("`").strip()
            if query.lower() not in _NOTHING:
                found[query] = None
    return tuple(found)


def _plain(line: str) -> str:
    item = _BULLET.sub("", line).strip()
    while (wrapped := _EMPHASIS.match(item)) is not None:
        item = wrapped["text"].strip()
    return item
