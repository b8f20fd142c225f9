"""The texts that an expression of a query may say, as far as the query itself tells: for what is matched with them.

What comes from the data, or is given when the query runs, stands here as a letter.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from .tree import SyntaxNode

OF_DATA = ("x",)

_MOST = 64
_LONGEST = 1_000
_QUANTIFIERS = frozenset("*+{")
_MEANS_MORE = frozenset("*+{?|()[]\\^$")


class UnknownTextError(ValueError):
    """A text is put together in a way that cannot be followed; ``node`` says where."""

    def __init__(self, node: SyntaxNode) -> None:
        super().__init__("a text that cannot be followed")
        self.node = node


def may_repeat(text: str) -> bool:
    """Whether a text could make a regular expression repeat, alone or as a part of it."""
    return not _QUANTIFIERS.isdisjoint(text)


class PossibleTexts(ABC):
    """What the expressions of one query may say; ``given`` is to what each name is given."""

    def __init__(self, given: Iterable[tuple[str, SyntaxNode]]) -> None:
        self.given: dict[str, list[SyntaxNode]] = {}
        for name, value in given:
            self.given.setdefault(name, []).append(value)
        self._open: set[str] = set()
        self._known: dict[str, tuple[str, ...]] = {}

    @abstractmethod
    def of(self, node: SyntaxNode) -> tuple[str, ...]:
        """The texts that an expression may be. Raises :class:`UnknownTextError`."""

    def of_text(self, text: str) -> tuple[str, ...]:
        """A literal; one without any character that means something to a regular expression is like another."""
        return OF_DATA if _MEANS_MORE.isdisjoint(text) else (text,)

    def of_name(self, node: SyntaxNode, name: str) -> tuple[str, ...]:
        """Whatever a name is given to."""
        if name not in self.given or name in self._open:
            return OF_DATA
        if name not in self._known:
            self._open.add(name)
            try:
                self._known[name] = self.any_of(node, self.given[name])
            finally:
                self._open.discard(name)
        return self._known[name]

    def put_together(self, node: SyntaxNode, parts: Sequence[SyntaxNode]) -> tuple[str, ...]:
        """One after the other."""
        found: tuple[str, ...] = ("",)
        for part in parts:
            more = self.of(part)
            found = self._bounded(node, (before + after for before in found for after in more))
        return found

    def any_of(self, node: SyntaxNode, parts: Iterable[SyntaxNode]) -> tuple[str, ...]:
        """One of several."""
        return self._bounded(node, (text for part in parts for text in self.of(part))) or OF_DATA

    def _bounded(self, node: SyntaxNode, texts: Iterable[str]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for text in texts:
            found[text] = None
            if len(found) > _MOST or len(text) > _LONGEST:
                raise UnknownTextError(node)
        return tuple(found)
