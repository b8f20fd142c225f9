"""Which of the things that a gold query names the question names too: only those can be linked.

A query may speak of a currency, a status or a language where nobody did. A thing counts as named if a word of the
question is a word of one of its names, or nearly so, or its initials.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from rapidfuzz import fuzz

from ..core.graph import Node
from ..core.words import local_name, normalize, split_identifier
from .query_content import QueryContent

_ALIKE: Final = 75.0
_SHORTEST_WORD: Final = 3


def named_in(question: str, content: QueryContent, nodes: Mapping[str, Node]) -> QueryContent:
    """The content of a gold query without the things and texts of which the question does not speak.

    Args:
        question: as it was asked.
        content: what the gold query is made of.
        nodes: the nodes that it names, by id.
    """
    words = normalize(question).split()
    return replace(
        content,
        things=tuple(id for id in content.things if _is_named(_names(id, nodes), words)),
        texts=tuple(text for text in content.texts if _is_named([text], words)),
    )


def _names(id: str, nodes: Mapping[str, Node]) -> list[str]:
    names = [name.text for name in nodes[id].names] if id in nodes else []
    return [*names, split_identifier(local_name(id))]


def _is_named(names: Iterable[str], words: list[str]) -> bool:
    return any(_is_one_named(normalize(name).split(), words) for name in names)


def _is_one_named(name: list[str], words: list[str]) -> bool:
    if len(name) > 1 and "".join(part[0] for part in name) in words:
        return True
    if any(part in words for part in name if len(part) >= _SHORTEST_WORD or part.isdigit()):
        return True
    if len(name) == 1 and name[0] in words:
        return True
    long_parts = [part for part in name if len(part) > _SHORTEST_WORD]
    return any(fuzz.ratio(part, word) >= _ALIKE for part in long_parts for word in words)
