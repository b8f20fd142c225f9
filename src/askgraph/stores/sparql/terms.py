"""The terms of a reply, and the values and nodes that they are to us."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ...core.graph import Node
from ...core.query_result import Cell
from ...core.values import Value
from ..rdf.literals import canonical_language, literal_to_ntriples, literal_value, resource_to_ntriples
from ..rdf.vocabulary import RDF_LANG_STRING, TRIPLE_TERM, XSD_STRING

VIRTUOSO_BLANK: Final = "nodeID://"
"""How Virtuoso writes blank nodes; it also understands this in a query, as an IRI."""


class Resource(NamedTuple):
    """An IRI, or a blank node, whose id begins with ``_:``."""

    id: str

    @property
    def is_blank(self) -> bool:
        """Whether it is a blank node."""
        return self.id.startswith("_:")


class Literal(NamedTuple):
    """A literal as it was written. A triple term has the datatype :data:`TRIPLE_TERM`."""

    text: str
    datatype: str
    language: str | None = None

    @property
    def value(self) -> Value:
        """The Python value."""
        language = self.language
        return literal_value(
            self.text, self.datatype, None if language is None else canonical_language(language)
        )


Term = Resource | Literal
Row = tuple[Term | None, ...]


class BadTerm(ValueError):
    """A binding that is no term."""


def resource(id: str) -> Resource:
    """An IRI of a reply; the form that Virtuoso gives blank nodes becomes ours."""
    return Resource(f"_:{id[len(VIRTUOSO_BLANK) :]}" if id.startswith(VIRTUOSO_BLANK) else id)


def blank_node(label: str) -> Resource:
    """A blank node by the label that it has in a reply."""
    return Resource(f"_:{label[len(VIRTUOSO_BLANK) :] if label.startswith(VIRTUOSO_BLANK) else label}")


def term_of_binding(binding: Mapping[str, Any]) -> Term:
    """A binding of the SPARQL 1.1 Query Results JSON Format. Raises :class:`BadTerm`."""
    try:
        kind, value = binding["type"], binding["value"]
    except (KeyError, TypeError):
        raise BadTerm(str(binding)) from None
    if kind == "triple" and isinstance(value, Mapping):
        parts = [value.get(name) for name in ("subject", "predicate", "object")]
        if all(isinstance(part, Mapping) for part in parts):
            return triple_term(*(term_of_binding(part) for part in parts if part is not None))
    if not isinstance(value, str):
        raise BadTerm(str(binding))
    match kind:
        case "uri":
            return resource(value)
        case "bnode":
            return blank_node(value)
        case "literal" | "typed-literal":
            language = binding.get("xml:lang")
            if language:
                return Literal(value, RDF_LANG_STRING, language)
            return Literal(value, binding.get("datatype") or XSD_STRING)
    raise BadTerm(str(binding))


def triple_term(subject: Term, predicate: Term, object: Term) -> Literal:
    """A triple that stands where a term stands (RDF 1.2), kept as N-Triples writes it."""
    inner = " ".join(map(to_ntriples, (subject, predicate, object)))
    return Literal(f"<<( {inner} )>>", TRIPLE_TERM)


def to_ntriples(term: Term) -> str:
    """A term as N-Triples writes it."""
    if isinstance(term, Resource):
        return resource_to_ntriples(term.id)
    return literal_to_ntriples(term.text, term.datatype, term.language)


def cell_of(term: Term | None) -> Cell:
    """A term as a cell of a result: nodes as :class:`Node` with nothing but their id, literals as values."""
    if term is None:
        return None
    return Node(term.id) if isinstance(term, Resource) else term.value


def value_of(term: Term | None) -> Value:
    """A term as a cell of a table: nodes as their ids, literals as values."""
    if term is None:
        return None
    return term.id if isinstance(term, Resource) else term.value


def size_of(term: Term | None) -> int:
    """About the bytes that a term takes in memory, as a value or node."""
    if term is None:
        return 8
    return 180 + len(term[0])
