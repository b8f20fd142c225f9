"""Queries changed where they stand: nodes of a tree replaced, and the text with only the places rewritten that changed.

What goes into the text is printed from nodes, never pasted: a name or a value with a quote, a back-tick or a line end
in it comes out as the language writes it. The changed text is read again, and what does not read as the tree that was
meant is given up for the whole tree printed anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from .source import NOWHERE, SourceText, Span
from .tree import SyntaxNode, children, transform

_Tree = TypeVar("_Tree", bound=SyntaxNode)

Place = tuple[type, Span]
"""What tells a node from every other of a text: its kind and its span."""


class RewritesText(NamedTuple):
    """How a language is read and written."""

    read: Callable[[str], SyntaxNode]
    write: Callable[[SyntaxNode], str]


class _Edit(NamedTuple):
    span: Span
    text: str


def place_of(node: SyntaxNode) -> Place:
    """Where a node stands; what was made and not read stands nowhere, and cannot be replaced."""
    return type(node), node.span


def replaced(tree: _Tree, replacements: Mapping[Place, Callable[[SyntaxNode], SyntaxNode]]) -> _Tree:
    """The tree with the nodes at these places changed, the deepest first: a change sees its parts as they are now."""
    if not replacements:
        return tree

    def change(node: SyntaxNode) -> SyntaxNode:
        if node.span == NOWHERE:
            return node
        found = replacements.get((type(node), node.span))
        return node if found is None else found(node)

    return transform(tree, change)


def rewritten(source: SourceText, old: SyntaxNode, new: SyntaxNode, language: RewritesText) -> str:
    """The text of ``new``, in the words of ``source`` wherever the tree is still ``old``.

    Args:
        source: the text that ``old`` was read from.
        old: its tree.
        new: the tree that it is to have.
        language: reads and prints texts.
    """
    if old is new:
        return source.original
    if source.text == source.original:
        text = _with_edits(source.text, list(_edits(old, new, language)))
        if _reads_as(text, new, language):
            return text
    return language.write(new)


def _reads_as(text: str, tree: SyntaxNode, language: RewritesText) -> bool:
    from ..core.errors import QueryError

    try:
        return language.read(text) == tree
    except QueryError:
        return False


def _with_edits(text: str, edits: list[_Edit]) -> str:
    parts: list[str] = []
    done = 0
    for edit in sorted(edits):
        parts += (text[done : edit.span.start], edit.text)
        done = edit.span.end
    return "".join((*parts, text[done:]))


def _edits(old: SyntaxNode, new: SyntaxNode, language: RewritesText) -> Iterator[_Edit]:
    """The smallest places whose rewriting makes the new tree of the old one."""
    if old is new:
        return
    if type(old) is not type(new) or not _differs_below(old, new):
        if old != new:
            yield _Edit(old.span, language.write(new))
        return
    for before, after in zip(children(old), children(new), strict=True):
        yield from _edits(before, after, language)


def _differs_below(old: SyntaxNode, new: SyntaxNode) -> bool:
    """Whether the two have the same shape, and nodes below that stand in the text: only those need to be rewritten."""
    for name in type(old)._names:
        before, after = getattr(old, name), getattr(new, name)
        if before is after:
            continue
        if isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
            pairs = list(zip(before, after, strict=True))
        else:
            pairs = [(before, after)]
        for one, other in pairs:
            if isinstance(one, SyntaxNode) and isinstance(other, SyntaxNode):
                if one is not other and one.span == NOWHERE:
                    return False
            elif one != other:
                return False
    return True
