"""What the trees of all query languages have in common: nodes with a place in the text, walked and changed.

A node class looks and behaves like a frozen, slotted dataclass, and type checkers take it for one. It is not made by
:mod:`dataclasses`, because a language has some eighty of them and each would add a millisecond to every start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, ClassVar, NoReturn, Self, TypeVar, dataclass_transform

from .source import NOWHERE, Span

# Annotations of fields that hold no nodes: walking a tree need not look at them.
_PLAIN = re.compile(r"Span|Literal\[.*\]|(?:str|int|bool|tuple\[str, \.\.\.\])(?: \| None)?")


def _field(*, default: Any, kw_only: bool) -> Any:
    """A field that is given by name only."""
    return default


@dataclass_transform(frozen_default=True, field_specifiers=(_field,))
class _NodeKind(type):
    """Turns the annotations of a class into slots: those of its base first, then its own in their order."""

    _names: tuple[str, ...]
    _nodes: tuple[str, ...]
    _defaults: dict[str, Any]
    _content: Callable[[Any], Any]
    _setters: tuple[Callable[[Any, Any], None], ...]

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _NodeKind:
        annotations = namespace.get("__annotations__", {})
        own = tuple(key for key in annotations if not key.startswith("_"))
        defaults = {key: namespace.pop(key) for key in own if key in namespace}
        namespace["__slots__"] = own
        kind = super().__new__(mcs, name, bases, namespace)
        base = bases[0] if bases and isinstance(bases[0], _NodeKind) else None
        kind._names = (base._names if base else ()) + tuple(key for key in own if key != "span")
        kind._nodes = (base._nodes if base else ()) + tuple(
            key for key in own if not _PLAIN.fullmatch(annotations[key])
        )
        kind._defaults = (base._defaults if base else {}) | defaults
        kind._content = attrgetter(*kind._names) if kind._names else tuple
        kind._setters = tuple(getattr(kind, key).__set__ for key in kind._names)
        return kind


class SyntaxNode(metaclass=_NodeKind):
    """A node of a syntax tree. Two nodes are equal if they say the same, wherever they stand."""

    span: Span = _field(default=NOWHERE, kw_only=True)

    _names: ClassVar[tuple[str, ...]]
    _nodes: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, Any]]
    _content: ClassVar[Callable[[Any], Any]]
    _setters: ClassVar[tuple[Callable[[Any, Any], None], ...]]

    def __init__(self, *values: Any, span: Span = NOWHERE, **named: Any) -> None:
        _set_span(self, span)
        for setter, value in zip(self._setters, values, strict=False):
            setter(self, value)
        if len(values) < len(self._setters):
            self._set_rest(len(values), named)
        elif named or len(values) > len(self._setters):
            raise TypeError(f"too many fields for {type(self).__name__}")

    def _set_rest(self, given: int, named: dict[str, Any]) -> None:
        for name, setter in zip(self._names[given:], self._setters[given:], strict=True):
            if name in named:
                setter(self, named.pop(name))
            elif name in self._defaults:
                setter(self, self._defaults[name])
            else:
                raise TypeError(f"{type(self).__name__} needs {name!r}")
        if named:
            raise TypeError(f"{type(self).__name__} has no {', '.join(named)}")

    def changed(self, **updates: Any) -> Self:
        """A copy with other values in these fields."""
        values = {name: getattr(self, name) for name in self._names}
        return type(self)(span=self.span, **values | updates)

    def _values(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self._names])

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; `changed` makes a copy")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __eq__(self, other: object) -> bool:
        kind = type(self)
        if kind is not type(other):
            return False
        return self is other or not kind._names or kind._content(self) == kind._content(other)

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._names)
        return f"{type(self).__name__}({shown})"


_set_span = SyntaxNode.span.__set__  # type: ignore[attr-defined]
_Node = TypeVar("_Node", bound=SyntaxNode)


def walk(root: SyntaxNode) -> Iterator[SyntaxNode]:
    """The node and everything below it, in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        for name in reversed(node._nodes):
            value = getattr(node, name)
            if type(value) is tuple:
                waiting += [item for item in reversed(value) if isinstance(item, SyntaxNode)]
            elif isinstance(value, SyntaxNode):
                waiting.append(value)


def children(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """The nodes right below a node, in the order of the text."""
    for name in node._nodes:
        value = getattr(node, name)
        if isinstance(value, SyntaxNode):
            yield value
        elif type(value) is tuple:
            for item in value:
                if isinstance(item, SyntaxNode):
                    yield item


def map_children(node: _Node, change: Callable[[SyntaxNode], SyntaxNode]) -> _Node:
    """The node with ``change`` applied to the nodes right below it; the node itself if none of them changes."""
    updates: dict[str, object] = {}
    for name in node._nodes:
        value = getattr(node, name)
        if isinstance(value, SyntaxNode):
            changed = change(value)
            if changed is not value:
                updates[name] = changed
        elif type(value) is tuple:
            items = tuple([change(item) if isinstance(item, SyntaxNode) else item for item in value])
            if any(new is not old for new, old in zip(items, value, strict=True)):
                updates[name] = items
    return node.changed(**updates) if updates else node


def transform(node: _Node, change: Callable[[SyntaxNode], SyntaxNode]) -> _Node:
    """The tree with every node replaced by what ``change`` makes of it, the deepest first.

    Nodes that stay the same are not copied. The depth of a tree is bounded by its parser.
    """
    return change(map_children(node, lambda child: transform(child, change)))  # type: ignore[return-value]
