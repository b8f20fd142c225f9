"""What a graph says of its nodes in words: definitions and further names."""

from __future__ import annotations

from typing import Final

from ...core.graph import Node
from ...core.values import display
from ...core.words import local_name, normalize

_DEFINITIONS: Final = (
    "definition", "description", "comment", "abstract", "summary", "mondodefinition", "umlsdescription",
    "orphanetdefinition", "mayoclinicdescription", "def",
)  # fmt: skip
_LONGEST: Final = 600


def definition_of(node: Node) -> str:
    """The node's definition or description, if it has one; cut where it is very long."""
    by_name = {normalize(local_name(key)).replace(" ", ""): value for key, value in node.properties.items()}
    for name in _DEFINITIONS:
        value = by_name.get(name)
        text = display(value[0] if isinstance(value, list) and value else value) if value else ""
        if text.strip():
            text = " ".join(text.split())
            return text if len(text) <= _LONGEST else text[: _LONGEST - 2].rstrip() + " …"
    return ""


def synonyms_of(node: Node, *, most: int = 5) -> tuple[str, ...]:
    """Further names of the node, without the one that it is called by."""
    texts = dict.fromkeys(name.text for name in node.names[1:])
    texts.pop(node.name, None)
    return tuple(texts)[:most]
