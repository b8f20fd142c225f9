"""What is an IRI to the grammar of SPARQL and an order to some engine: functions, magic predicates, hints, graphs.

Functions are allowed by name: the casts of XML Schema, and what an operator lists. With predicates that cannot be done,
for every graph has its own; so the namespaces are listed in which engines keep predicates that run code, search an
index or steer the planner, and the schemes of IRIs that reach out of a database.
"""

from __future__ import annotations

from ..tokens import words
from .term_tree import XSD

CASTS = frozenset(
    XSD + name
    for name in words(
        """string boolean decimal integer double float date time dateTime dateTimeStamp gYear gMonth gDay gYearMonth
        gMonthDay duration yearMonthDuration dayTimeDuration byte short int long unsignedByte unsignedShort unsignedInt
        unsignedLong positiveInteger nonNegativeInteger negativeInteger nonPositiveInteger hexBinary base64Binary anyURI
        normalizedString token language"""
    )
)
"""Functions that turn a value into one of another datatype."""

_CODE_NAMESPACES = (
    "http://jena.apache.org/ARQ/",
    "http://jena.hpl.hp.com/ARQ/",
    "http://jena.apache.org/text#",
    "http://jena.apache.org/spatial#",
    "http://jena.hpl.hp.com/2008/tdb#",
    "http://www.openlinksw.com/schemas/bif#",
    "http://www.openlinksw.com/schemas/sql#",
    "http://www.bigdata.com/rdf/search#",
    "http://www.bigdata.com/rdf/fts#",
    "http://www.bigdata.com/rdf/gas#",
    "http://www.bigdata.com/rdf/geospatial#",
    "http://www.ontotext.com/",
    "http://ontotext.com/",
    "http://rdf4j.org/contrib/lucenesail#",
    "http://www.openrdf.org/contrib/lucenesail#",
    "http://franz.com/ns/",
    "tag:stardog:api:",
    "http://www.stardog.com/",
    "http://aws.amazon.com/neptune/vocab/",
    "http://marklogic.com/",
    "http://qlever.cs.uni-freiburg.de/",
    "https://qlever.cs.uni-freiburg.de/",
    "http://oxfordsemantic.tech/RDFox#",
    "http://spinrdf.org/spif#",
    "http://cambridgesemantics.com/",
    "http://www.oracle.com/",
    "http://xmlns.oracle.com/",
)
_HINT_NAMESPACES = (
    "http://www.bigdata.com/queryHints#",
    "http://aws.amazon.com/neptune/vocab/v01/QueryHints#",
    "http://www.ontotext.com/owlim/system#",
)
_HINT_PREFIXES = ("franzoption_",)
_CODE_SCHEMES = frozenset(
    words("java javascript js bif sql jdbc odbc jndi ldap rmi wasm python script vbscript")
)
_OUTSIDE_SCHEMES = _CODE_SCHEMES | frozenset(
    words("file ftp sftp ftps jar data gopher ssh smb nfs s3 hdfs virtual cache repository")
)


def scheme_of(iri: str) -> str:
    """The scheme of an IRI in small letters; empty for a relative one."""
    before, colon, _ = iri.partition(":")
    return before.lower() if colon and "/" not in before else ""


def is_hint(predicate: str) -> bool:
    """Whether a predicate gives orders to the planner or the engine instead of asking for triples."""
    return predicate.startswith(_HINT_NAMESPACES)


def runs_code(predicate: str) -> bool:
    """Whether some engine takes a predicate for a function: full-text search, a class of Java, a call to elsewhere."""
    return scheme_of(predicate) in _CODE_SCHEMES or predicate.startswith(_CODE_NAMESPACES)


def is_outside(graph: str) -> bool:
    """Whether the name of a graph says that its triples are kept in a file, another database or at another address."""
    return scheme_of(graph) in _OUTSIDE_SCHEMES or graph.startswith(
        ("http://www.ontotext.com/", "tag:stardog:api:")
    )


def is_option_prefix(prefix: str) -> bool:
    """Whether declaring this prefix sets an option of some engine (AllegroGraph's ``franzOption_…``)."""
    return prefix.lower().startswith(_HINT_PREFIXES)
