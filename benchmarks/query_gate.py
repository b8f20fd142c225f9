"""How long the gate takes: to load, for a typical query, and for the longest that it accepts.

    python benchmarks/query_gate.py

Times are CPU milliseconds on one core, the best of several rounds; imports are those of a fresh interpreter.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable

from askgraph.core.schema import EdgeEnds, EdgeType, NodeType, Property, Schema
from askgraph.core.values import ValueType
from askgraph.querying import GatePolicy, check
from askgraph.querying.cypher.parser import parse
from askgraph.querying.cypher.printer import text_of
from askgraph.querying.schema_check import check_schema
from askgraph.querying.sparql.parser import parse as parse_sparql
from askgraph.querying.sparql.printer import text_of as text_of_sparql

TYPICAL = (
    "MATCH (p:Person {name: $name})-[:ACTED_IN]->(m:Movie)<-[:DIRECTED]-(d) "
    "WHERE m.year >= 1990 AND NOT d.name STARTS WITH 'X' "
    "WITH d, count(DISTINCT m) AS films ORDER BY films DESC "
    "RETURN d.name AS director, films LIMIT 10"
)
TYPICAL_SPARQL = """PREFIX pv: <http://ld.company.org/prod-vocab/>
SELECT ?department (COUNT(DISTINCT ?employee) AS ?count) WHERE {
  ?employee a pv:Employee ; pv:memberOf ?department ; pv:name ?name .
  OPTIONAL { ?employee pv:email ?email }
  FILTER(CONTAINS(LCASE(STR(?name)), "brant") && ?age >= 3 || !BOUND(?email))
} GROUP BY ?department ORDER BY DESC(?count) LIMIT 10"""
LONGEST = GatePolicy().longest_text


def movie_schema() -> Schema:
    """The schema that the typical query is checked against."""
    return Schema(
        kind="property",
        node_count=290,
        edge_count=500,
        node_types=(NodeType("Person", "Person", 200, 200), NodeType("Movie", "Movie", 90, 90)),
        edge_types=tuple(
            EdgeType(name, name, 250, (EdgeEnds("Person", "Movie", 250),))
            for name in ("ACTED_IN", "DIRECTED")
        ),
        properties=(
            Property("name", "name", "Person", (ValueType.TEXT,), 200, 1.0),
            Property("year", "year", "Movie", (ValueType.INTEGER,), 90, 1.0),
        ),
    )


def milliseconds(action: Callable[[], object], *, rounds: int, repeats: int) -> float:
    """The CPU time of one call, the best of the rounds."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        for _ in range(repeats):
            action()
        best = min(best, (time.process_time() - began) / repeats)
    return round(best * 1_000, 3)


def import_milliseconds(module: str, rounds: int) -> float:
    """The CPU time of importing a module in a fresh interpreter, beyond that of Python itself."""
    program = f"import time; began = time.process_time(); import {module}; print(time.process_time() - began)"
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        for _ in range(rounds)
    ]
    return round(min(float(run) for run in runs) * 1_000, 1)


def longest_query() -> str:
    """A query as long as the gate accepts, most of it conditions."""
    condition = "n.value = 12345 AND n.name STARTS WITH 'abc'"
    count = (LONGEST - 100) // (len(condition) + len(" OR "))
    return f"MATCH (n) WHERE {' OR '.join([condition] * count)} RETURN n"


def longest_sparql_query() -> str:
    """The same for SPARQL."""
    condition = '?n = 12345 && STRSTARTS(?m, "abc")'
    count = (LONGEST - 100) // (len(condition) + len(" || "))
    return f"SELECT * {{ ?s ?n ?m FILTER({' || '.join([condition] * count)}) }}"


def cypher_figures(rounds: int) -> dict[str, float]:
    """What Cypher costs."""
    statement, checked, schema, longest = (
        parse(TYPICAL).statement,
        check(TYPICAL),
        movie_schema(),
        longest_query(),
    )
    assert check_schema(checked, schema) == ()
    return {
        "import with Cypher (ms)": import_milliseconds("askgraph.querying.cypher.examination", rounds),
        "typical query: parse (ms)": milliseconds(lambda: parse(TYPICAL), rounds=rounds, repeats=100),
        "typical query: print (ms)": milliseconds(lambda: text_of(statement), rounds=rounds, repeats=200),
        "typical query: the whole gate (ms)": milliseconds(
            lambda: check(TYPICAL), rounds=rounds, repeats=100
        ),
        "typical query: schema check (ms)": milliseconds(
            lambda: check_schema(checked, schema), rounds=rounds, repeats=100
        ),
        "longest query: bytes": len(longest),
        "longest query: parse (ms)": milliseconds(lambda: parse(longest), rounds=3, repeats=1),
        "longest query: the whole gate (ms)": milliseconds(lambda: check(longest), rounds=3, repeats=1),
    }


def sparql_figures(rounds: int) -> dict[str, float]:
    """What SPARQL costs."""
    query, longest = parse_sparql(TYPICAL_SPARQL).query, longest_sparql_query()
    return {
        "import with SPARQL (ms)": import_milliseconds("askgraph.querying.sparql.parser", rounds),
        "typical SPARQL query: parse (ms)": milliseconds(
            lambda: parse_sparql(TYPICAL_SPARQL), rounds=rounds, repeats=100
        ),
        "typical SPARQL query: print (ms)": milliseconds(
            lambda: text_of_sparql(query), rounds=rounds, repeats=200
        ),
        "longest SPARQL query: bytes": len(longest),
        "longest SPARQL query: parse (ms)": milliseconds(lambda: parse_sparql(longest), rounds=3, repeats=1),
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    figures = {
        "import askgraph.querying (ms)": import_milliseconds("askgraph.querying", rounds),
        **cypher_figures(rounds),
        **sparql_figures(rounds),
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
