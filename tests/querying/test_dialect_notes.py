"""What a model is told of the engine that its query is for."""

from __future__ import annotations

import pytest

from askgraph.querying.dialect_notes import dialect_notes


@pytest.mark.parametrize(
    ("language", "engine", "dialect", "said"),
    [
        ("cypher", "Neo4j 5.26.30", "neo4j", "elementId"),
        ("cypher", "DuckDB, and kglite for Cypher", "kglite", "COLLECT"),
        ("cypher", "Memgraph 3", "memgraph", "BFS"),
        ("sparql", "Virtuoso 7.2.5", "", "COUNT"),
        ("sparql", "Apache Jena Fuseki 5.6", "", "2.50"),
        ("sparql", "sorted arrays, read by pyoxigraph 0.5", "", "LANG"),
        ("sparql", "Oxigraph", "", "LANG"),
        ("sparql", "Wikidata Query Service", "", "label service"),
    ],
)
def test_an_engine_is_known_by_its_name(language: str, engine: str, dialect: str, said: str):
    assert said in " ".join(dialect_notes(language, engine=engine, dialect=dialect))


def test_nothing_is_said_of_an_engine_that_is_not_known():
    assert dialect_notes("sparql", engine="a SPARQL 1.1 endpoint") == ()
    assert dialect_notes("cypher", engine="", dialect="") == ()
    assert dialect_notes("gremlin", engine="Neo4j", dialect="neo4j") == ()
