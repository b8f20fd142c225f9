"""Data for servers, and queries on it that ask for too much: what every gate, cap and time-out has to stand up to."""

from __future__ import annotations

# Property graphs ----------------------------------------------------------------------------------------------------

# 400 people, each of whom knows the next.
PEOPLE_CYPHER = (
    "UNWIND range(1, 400) AS i CREATE (:Person {number: i, name: 'person ' + i})",
    "MATCH (a:Person), (b:Person) WHERE b.number = a.number + 1 CREATE (a)-[:KNOWS {since: 2000}]->(b)",
)
# 26 billion rows. Without the condition Neo4j multiplies four counts that it knows.
RUNAWAY_CYPHER = (
    "MATCH (a), (b), (c), (d) WHERE a.number + b.number + c.number + d.number < 0 RETURN count(*) AS n"
)
MILLION_ROWS_CYPHER = "UNWIND range(1, 1000000) AS i RETURN i"

# RDF graphs ---------------------------------------------------------------------------------------------------------

PREFIX = "http://example.org/"


def numbered_things(count: int = 2000) -> str:
    """Turtle: so many things, each with its number and a label."""
    lines = [f"@prefix : <{PREFIX}> ."]
    lines += [f':thing{i} a :Thing ; :number {i} ; :label "thing {i}"@en .' for i in range(1, count + 1)]
    return "\n".join(lines)


# On 2,000 things 8 billion rows, none of which is let through: no output before the end.
RUNAWAY_SPARQL = f"""PREFIX : <{PREFIX}>
SELECT (COUNT(*) AS ?n) WHERE {{ ?a :number ?x . ?b :number ?y . ?c :number ?z FILTER(?x + ?y + ?z < 0) }}"""
# The same rows, from the first on: output begins at once, and 4 million come from the first two patterns alone.
ENDLESS_ROWS_SPARQL = (
    f"PREFIX : <{PREFIX}> SELECT ?x ?y ?z WHERE {{ ?a :number ?x . ?b :number ?y . ?c :number ?z }}"
)
