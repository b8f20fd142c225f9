"""Terms and paths printed back."""

from __future__ import annotations

import re

from ..printing import text_of, writes
from . import path_tree as paths
from . import term_tree as terms
from .lexer import quote

_NOT_IN_IRIS = re.compile(r"[\x00-\x20<>\"{}|^`\\]")


@writes(terms.Iri)
def _iri(node: terms.Iri) -> str:
    if node.written:
        return node.written
    if _NOT_IN_IRIS.search(node.value):
        # No text that was read has one; but what makes a tree might be given a name from the data.
        raise ValueError(f"{node.value!r} is no IRI: it holds a character that no IRI has")
    return f"<{node.value}>"


@writes(terms.StringLiteral)
def _string(node: terms.StringLiteral) -> str:
    if node.datatype is not None:
        return f"{quote(node.value)}^^{_iri(node.datatype)}"
    return f"{quote(node.value)}@{node.language}" if node.language else quote(node.value)


@writes(terms.NumericLiteral)
def _number(node: terms.NumericLiteral) -> str:
    return node.text


@writes(terms.BooleanLiteral)
def _boolean(node: terms.BooleanLiteral) -> str:
    return "true" if node.value else "false"


@writes(terms.Variable)
def _variable(node: terms.Variable) -> str:
    return f"?{node.name}"


@writes(terms.BlankNode)
def _blank_node(node: terms.BlankNode) -> str:
    return f"_:{node.label}" if node.label else "[]"


def _part(node: paths.PathElement) -> str:
    """A part of a path, in parentheses where it is none by itself."""
    return text_of(node) if isinstance(node, terms.Iri | paths.NegatedPropertySet) else f"({text_of(node)})"


@writes(paths.AlternativePath)
def _alternative(node: paths.AlternativePath) -> str:
    return "|".join(
        _part(branch) if isinstance(branch, paths.AlternativePath) else text_of(branch)
        for branch in node.branches
    )


@writes(paths.SequencePath)
def _sequence(node: paths.SequencePath) -> str:
    return "/".join(
        text_of(step) if isinstance(step, paths.InversePath | paths.RepeatedPath) else _part(step)
        for step in node.steps
    )


@writes(paths.InversePath)
def _inverse(node: paths.InversePath) -> str:
    return "^" + (text_of(node.path) if isinstance(node.path, paths.RepeatedPath) else _part(node.path))


@writes(paths.RepeatedPath)
def _repeated(node: paths.RepeatedPath) -> str:
    return _part(node.path) + node.modifier


@writes(paths.NegatedPropertySet)
def _negated_set(node: paths.NegatedPropertySet) -> str:
    return f"!({'|'.join([text_of(item) for item in node.items])})"
