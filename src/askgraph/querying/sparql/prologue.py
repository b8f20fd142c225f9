"""The declarations of a query, brought to the form that all readers understand alike."""

from __future__ import annotations

from ..tree import SyntaxNode, transform, walk
from .iris import resolve
from .query_tree import BaseDeclaration, PrefixDeclaration, Query
from .term_tree import Iri


def canonical_prologue(query: Query) -> Query:
    """The query with one declaration for each prefix that it uses, of an IRI in full, and without BASE.

    What a prefix declared twice or relative to a BASE means, readers might see differently; and with some engines the
    declaration of a prefix that is never used sets an option.
    """
    base, namespaces = _declared(query)
    used = {
        node.written.partition(":")[0] for node in walk(query) if isinstance(node, Iri) and _has_prefix(node)
    }
    if base:
        query = transform(query, _in_full)
    kept = tuple(PrefixDeclaration(name, iri) for name, iri in namespaces.items() if name in used)
    return query.changed(prologue=kept)


def namespaces_declared(query: Query) -> dict[str, str]:
    """The prefixes that a query declares, and their IRIs in full."""
    return _declared(query)[1]


def _declared(query: Query) -> tuple[str, dict[str, str]]:
    """The BASE of a query, and what its prefixes stand for."""
    base, namespaces = "", dict[str, str]()
    for declaration in query.prologue:
        if isinstance(declaration, BaseDeclaration):
            base = resolve(base, declaration.iri)
        elif isinstance(declaration, PrefixDeclaration):
            namespaces[declaration.name] = resolve(base, declaration.iri)
    return base, namespaces


def _has_prefix(iri: Iri) -> bool:
    return ":" in iri.written and not iri.written.startswith("<")


def _in_full(node: SyntaxNode) -> SyntaxNode:
    """A relative IRI without the BASE that it was written for."""
    return node.changed(written="") if isinstance(node, Iri) and node.written.startswith("<") else node
