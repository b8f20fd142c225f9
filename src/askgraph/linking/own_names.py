"""What the owner of a graph calls its nodes besides: a dictionary, applied where names are indexed or looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..core.graph import Node
from ..core.words import normalize
from .dictionaries.entries import NodeDictionary


class OwnNames:
    """Further names of nodes, by one of the names that the graph gives them or by their id; and those of dictionaries,
    by their identifiers."""

    def __init__(
        self, names: Mapping[str, Sequence[str]] | None = None, dictionary: NodeDictionary | None = None
    ) -> None:
        self.dictionary = dictionary
        self._further: dict[str, dict[str, None]] = {}
        self._meant: dict[str, dict[str, None]] = {}
        for known, further in (names or {}).items():
            for key in dict.fromkeys([known, normalize(known)]):
                self._further.setdefault(key, {}).update(dict.fromkeys(further))
            for text in further:
                self._meant.setdefault(normalize(text), {})[known] = None

    def of(self, node: Node) -> tuple[str, ...]:
        """The further names of a node."""
        of_files = self.dictionary.names_of(node) if self.dictionary is not None else ()
        if not self._further:
            return of_files
        keys = dict.fromkeys([node.id, *(normalize(name.text) for name in node.names)])
        own = (text for key in keys for text in self._further.get(key, ()))
        return tuple(dict.fromkeys([*own, *of_files]))

    def meant_by(self, text: str) -> tuple[str, ...]:
        """What the graph calls the nodes of which ``text`` is a further name."""
        meant = self._meant.get(normalize(text), {})
        others = self.dictionary.other_names(text) if self.dictionary is not None else ()
        return tuple(dict.fromkeys([*meant, *others]))


NO_OWN_NAMES: Final = OwnNames()
