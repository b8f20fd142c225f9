"""Pieces of query text. Nothing from a graph or a question gets into a query but through here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..rdf.literals import literal_to_ntriples, quoted
from ..rdf.sparql_words import ABSENT, is_iri
from ..rdf.vocabulary import RDF_TYPE
from .engines import Recognised
from .terms import VIRTUOSO_BLANK, Literal

TYPE: Final = f"<{RDF_TYPE}>"

_TAG: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")


def iris(ids: Iterable[str]) -> str:
    """IRIs as a query writes them, with blanks between; what cannot be an IRI is left out."""
    return " ".join(f"<{id}>" for id in ids if is_iri(id))


def listed(ids: Iterable[str]) -> str:
    """IRIs for ``IN (…)``."""
    return ", ".join(f"<{id}>" for id in ids if is_iri(id))


def node_text(id: str, engine: Recognised) -> str | None:
    """How an engine is asked for the node with an id; ``None`` if no query can name it.

    In SPARQL a blank node has no name; Virtuoso takes what it calls one for an IRI.
    """
    if not id.startswith("_:"):
        return f"<{id}>" if is_iri(id) else None
    own = VIRTUOSO_BLANK + id[2:]
    return f"<{own}>" if engine.names_blank_nodes and is_iri(own) else None


def values(variable: str, texts: Iterable[str]) -> str:
    """A variable bound to nodes, given as :func:`node_text` writes them.

    Virtuoso compares with a single value in a way that no blank node stands; so one that is alone gets company.
    """
    listed = list(texts)
    if len(listed) == 1 and VIRTUOSO_BLANK in listed[0]:
        listed.append(f"<{ABSENT}>")
    return f"VALUES {variable} {{ {' '.join(listed)} }}"


def literal_text(literal: Literal) -> str:
    """A literal as a query writes it."""
    return literal_to_ntriples(literal.text, literal.datatype, literal.language)


def is_language_tag(text: str) -> bool:
    """Whether a text may stand after ``@``."""
    return bool(text) and text[0].isalpha() and set(text) <= _TAG and not text.endswith("-")


__all__ = ["TYPE", "iris", "is_language_tag", "listed", "literal_text", "node_text", "quoted", "values"]
