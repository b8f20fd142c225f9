"""What the owner of a graph calls its nodes besides: a dictionary, applied where names are indexed or looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..core.graph import Node
from ..core.words import normalize


class OwnNames:
    """Further names of nodes, by one of the names that the graph gives them or by their id."""

    def __init__(self, names: Mapping[str, Sequence[str]] | None = None) -> None:
        self._further: dict[str, dict[str, None]] = {}
        self._meant: dict[str, dict[str, None]] = {}
        for known, further in (names or {}).items():
            for key in dict.fromkeys([known, normalize(known)]):
                self._further.setdefault(key, {}).update(dict.fromkeys(further))
            for text in further:
                self._meant.setdefault(normalize(text), {})[known] = None

    def of(self, node: Node) -> tuple[str, ...]:
        """The further names of a node."""
        if not self._further:
            return ()
        keys = dict.fromkeys([node.id, *(normalize(name.text) for name in node.names)])
        return tuple(dict.fromkeys(text for key in keys for text in self._further.get(key, ())))

    def meant_by(self, text: str) -> tuple[str, ...]:
        """What the graph calls the nodes of which ``text`` is a further name."""
        return tuple(self._meant.get(normalize(text), ()))


NO_OWN_NAMES: Final = OwnNames()
