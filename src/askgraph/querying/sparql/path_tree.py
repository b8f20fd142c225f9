"""Property paths: what can stand between a subject and an object besides an IRI or a variable.

Parentheses are not kept: the tree says what belongs together, and printing puts them where they are needed. Steps and
alternatives in a row are one flat node.
"""

from __future__ import annotations

from typing import Literal

from ..tree import SyntaxNode
from .term_tree import Iri, Variable


class Path(SyntaxNode):
    """A property path that is more than an IRI."""


class AlternativePath(Path):
    """``a|b|c``."""

    branches: tuple[PathElement, ...]


class SequencePath(Path):
    """``a/b/c``."""

    steps: tuple[PathElement, ...]


class InversePath(Path):
    """``^a``: from the object to the subject."""

    path: PathElement


class RepeatedPath(Path):
    """``a*``, ``a+``, ``a?``."""

    path: PathElement
    modifier: Literal["*", "+", "?"]


class NegatedPropertySet(Path):
    """``!a``, ``!(a|^b)``: one edge that is none of these. The items are IRIs, and inverse paths of an IRI."""

    items: tuple[Iri | InversePath, ...]


PathElement = Iri | Path
"""A path, or a part of one."""

Verb = Variable | Iri | Path
"""What stands between a subject and its objects."""
