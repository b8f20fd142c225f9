"""Prefixes that everybody knows, for the advice on one that is not declared. They are never filled in unasked."""

from __future__ import annotations

from collections.abc import Iterable

WELL_KNOWN_PREFIXES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "sh": "http://www.w3.org/ns/shacl#",
    "void": "http://rdfs.org/ns/void#",
    "prov": "http://www.w3.org/ns/prov#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "org": "http://www.w3.org/ns/org#",
    "time": "http://www.w3.org/2006/time#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "dct": "http://purl.org/dc/terms/",
    "schema": "http://schema.org/",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "geo": "http://www.opengis.net/ont/geosparql#",
    "geof": "http://www.opengis.net/def/function/geosparql/",
    "dbo": "http://dbpedia.org/ontology/",
    "dbr": "http://dbpedia.org/resource/",
    "dbp": "http://dbpedia.org/property/",
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "wds": "http://www.wikidata.org/entity/statement/",
    "p": "http://www.wikidata.org/prop/",
    "ps": "http://www.wikidata.org/prop/statement/",
    "pq": "http://www.wikidata.org/prop/qualifier/",
    "wikibase": "http://wikiba.se/ontology#",
    "bd": "http://www.bigdata.com/rdf#",
}


def advice_on_prefix(prefix: str, declared: Iterable[str]) -> str:
    """How to declare a prefix, or which one was meant."""
    if prefix in ("http", "https", "urn", "mailto"):
        return "An IRI in full stands in angle brackets: <http://…>."
    namespace = WELL_KNOWN_PREFIXES.get(prefix)
    if namespace is not None:
        return f"Put PREFIX {prefix}: <{namespace}> before the query."
    from ...core.suggestions import nearest_names

    near = nearest_names(prefix, declared, most=1) if prefix else ()
    if near:
        return f"Did you mean {near[0]}:?"
    return f"Put PREFIX {prefix}: <…> before the query, or write the IRI in full."
