"""IRIs that mean something to us: RDF, RDFS, OWL, SHACL, XML Schema, and properties that name things."""

from __future__ import annotations

from typing import Final

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
SH: Final = "http://www.w3.org/ns/shacl#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
DCT: Final = "http://purl.org/dc/terms/"
DC: Final = "http://purl.org/dc/elements/1.1/"
FOAF: Final = "http://xmlns.com/foaf/0.1/"
SCHEMA: Final = "https://schema.org/"
SCHEMA_HTTP: Final = "http://schema.org/"
GEO: Final = "http://www.opengis.net/ont/geosparql#"

RDF_TYPE: Final = RDF + "type"
RDF_LANG_STRING: Final = RDF + "langString"
RDF_DIR_LANG_STRING: Final = RDF + "dirLangString"
RDF_REIFIES: Final = RDF + "reifies"
XSD_STRING: Final = XSD + "string"

TRIPLE_TERM: Final = "urn:askgraph:triple-term"
"""The datatype under which a triple term (RDF 1.2) is kept and shown: the triple as N-Triples writes it."""

SUB_CLASS_OF: Final = RDFS + "subClassOf"
SUB_PROPERTY_OF: Final = RDFS + "subPropertyOf"
DOMAIN: Final = RDFS + "domain"
RANGE: Final = RDFS + "range"
EQUIVALENT_CLASS: Final = OWL + "equivalentClass"
EQUIVALENT_PROPERTY: Final = OWL + "equivalentProperty"
INVERSE_OF: Final = OWL + "inverseOf"
SYMMETRIC_PROPERTY: Final = OWL + "SymmetricProperty"

CLASS_TYPES: Final = frozenset({RDFS + "Class", OWL + "Class", RDFS + "Datatype", OWL + "DeprecatedClass"})
"""Types whose instances are classes."""

PROPERTY_TYPES: Final = frozenset(
    {RDF + "Property"}
    | {
        OWL + name
        for name in (
            "ObjectProperty", "DatatypeProperty", "AnnotationProperty", "OntologyProperty", "FunctionalProperty",
            "InverseFunctionalProperty", "SymmetricProperty", "AsymmetricProperty", "TransitiveProperty",
            "ReflexiveProperty", "IrreflexiveProperty", "DeprecatedProperty",
        )
    }
)  # fmt: skip
"""Types whose instances are properties."""

SCHEMA_TYPES: Final = (
    CLASS_TYPES
    | PROPERTY_TYPES
    | {
        OWL + name
        for name in (
            "Ontology", "Restriction", "AllDifferent", "AllDisjointClasses", "AllDisjointProperties", "Axiom",
            "Annotation", "NegativePropertyAssertion", "DataRange",
        )
    }
    | {SH + name for name in ("NodeShape", "PropertyShape", "Shape", "SPARQLConstraint", "PrefixDeclaration")}
)  # fmt: skip
"""Types whose instances describe the graph and are no part of what it is about."""

EMPTY_TYPES: Final = frozenset({OWL + "NamedIndividual", RDFS + "Resource"})
"""Types that say nothing: every node could have them. They are not shown as types."""

VOCABULARY_NAMESPACES: Final = (RDF, RDFS, OWL, XSD, SH)
"""Namespaces whose terms are never classes of a graph unless a node has them."""

LABEL_PROPERTIES: Final = (
    RDFS + "label",
    SKOS + "prefLabel",
    SCHEMA + "name",
    SCHEMA_HTTP + "name",
    FOAF + "name",
    DCT + "title",
    DC + "title",
    "http://www.w3.org/2008/05/skos-xl#literalForm",
    "http://purl.obolibrary.org/obo/IAO_0000111",  # "editor preferred term"
)
"""Properties that name a node, the preferred first."""

ALIAS_PROPERTIES: Final = (
    SKOS + "altLabel",
    SCHEMA + "alternateName",
    SCHEMA_HTTP + "alternateName",
    FOAF + "nick",
    DCT + "alternative",
    "http://www.geneontology.org/formats/oboInOwl#hasExactSynonym",
    "http://purl.obolibrary.org/obo/IAO_0000118",  # "alternative label"
    SKOS + "hiddenLabel",
    "http://www.geneontology.org/formats/oboInOwl#hasRelatedSynonym",
)
"""Properties that give further names."""

DESCRIPTION_PROPERTIES: Final = (
    RDFS + "comment",
    SKOS + "definition",
    DCT + "description",
    DC + "description",
    SCHEMA + "description",
    SCHEMA_HTTP + "description",
    "http://purl.obolibrary.org/obo/IAO_0000115",  # "definition"
)
"""Properties that say what a class or property is."""

WELL_KNOWN_PREFIXES: Final[dict[str, str]] = {
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": OWL,
    "xsd": XSD,
    "skos": SKOS,
    "dct": DCT,
    "dc": DC,
    "foaf": FOAF,
    "schema": SCHEMA,
    "sh": SH,
    "geo": GEO,
    "prov": "http://www.w3.org/ns/prov#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "void": "http://rdfs.org/ns/void#",
    "dbo": "http://dbpedia.org/ontology/",
    "dbr": "http://dbpedia.org/resource/",
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
}
"""Prefixes that a reader of SPARQL knows."""
