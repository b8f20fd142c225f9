"""The terms of SPARQL: IRIs, literals, variables, blank nodes."""

from __future__ import annotations

from ..tree import SyntaxNode

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDF_TYPE = RDF + "type"


class Expression(SyntaxNode):
    """Anything that has a value: terms, and what ``expression_tree`` makes of them."""


class Term(Expression):
    """A node or an edge of a graph, or a variable in the place of one."""


class Iri(Term):
    """An IRI.

    Attributes:
        value: the IRI, with its prefix expanded and resolved against BASE. Without a BASE in the text a relative
            IRI stays relative.
        written: how the text has it where that is not ``<value>``: ``foaf:name``, ``<#me>``, ``a``; else empty. An
            IRI that is made needs none: it is printed in full.
    """

    value: str
    written: str = ""


class RdfLiteral(Term):
    """A value with a datatype: what the three kinds of literals have in common."""


class StringLiteral(RdfLiteral):
    """``"text"``, ``"text"@en``, ``"2020-01-01"^^xsd:date``.

    Attributes:
        value: what it means, without quotes and escapes.
        language: the tag as written, without ``@``; empty without.
        datatype: the IRI after ``^^``.
    """

    value: str
    language: str = ""
    datatype: Iri | None = None


class NumericLiteral(RdfLiteral):
    """A number as written, with its sign where that belongs to it (``42``, ``-1.5``, ``1e3``)."""

    text: str

    @property
    def datatype(self) -> str:
        """The IRI of its datatype: xsd:integer, xsd:decimal or xsd:double."""
        if "e" in self.text or "E" in self.text:
            return XSD + "double"
        return XSD + ("decimal" if "." in self.text else "integer")


class BooleanLiteral(RdfLiteral):
    """``true`` or ``false``."""

    value: bool


class Variable(Term):
    """``?name``; ``$name`` is the same."""

    name: str


class BlankNode(Term):
    """``_:label``; ``[]`` has no label. In a pattern it is a variable without a name that can be asked for."""

    label: str = ""
