"""Id spaces: what makes an id public when two kinds of nodes may have the same one.

neo4j-admin's headers name spaces: ``:ID(Person)`` and ``:ID(Movie)`` may both have a 1. As long as a graph has one
space, the public id is the given id. With more, the first space that the graph had keeps its ids as they are, and the
id of any other is ``Movie::1``; a first load that has several spaces prefixes them all. The graph remembers its spaces,
so that what is loaded later agrees.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, Self

UNNAMED: Final = ""
_SEPARATOR: Final = "::"


class IdSpaces:
    """The spaces of a graph, each with what stands before its ids."""

    def __init__(self, prefixes: dict[str, str] | None = None) -> None:
        self._prefixes = prefixes or {}

    @classmethod
    def from_text(cls, text: str | None) -> Self:
        """Those that a graph remembers."""
        return cls(json.loads(text) if text else {})

    def to_text(self) -> str:
        """What a graph has to remember."""
        return json.dumps(self._prefixes, ensure_ascii=False, sort_keys=True)

    def add(self, spaces: Iterable[str], *, graph_is_new: bool) -> None:
        """Spaces that nodes of a load are in."""
        new = [space for space in dict.fromkeys(spaces) if space not in self._prefixes]
        alone = len(new) == 1 and not self._prefixes and graph_is_new
        for space in new:
            self._prefixes[space] = "" if alone or space == UNNAMED else space + _SEPARATOR

    def prefix(self, space: str) -> str:
        """What stands before an id of this space. One that no node is in has none of its own."""
        return self._prefixes.get(space, "" if space == UNNAMED or not self._prefixes else space + _SEPARATOR)
