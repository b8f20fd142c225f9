"""Trees printed back as text. Each kind of node has one writer, in the module that bears the name of its trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from .tree import SyntaxNode

_WRITERS: dict[type, Callable[[Any], str]] = {}
_Writer = TypeVar("_Writer", bound=Callable[[Any], str])


def writes(kind: type[SyntaxNode]) -> Callable[[_Writer], _Writer]:
    """Declare the writer of a kind of node."""

    def declare(writer: _Writer) -> _Writer:
        _WRITERS[kind] = writer
        return writer

    return declare


def text_of(node: SyntaxNode) -> str:
    """The text of a node, on one line, in the one spelling that all readers understand alike.

    Reading it again gives an equal tree.
    """
    return _WRITERS[type(node)](node)


def listed(nodes: Iterable[SyntaxNode]) -> str:
    """Nodes with commas between them."""
    return ", ".join([_WRITERS[type(node)](node) for node in nodes])
