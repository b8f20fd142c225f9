"""A query that asks for what the graph does not have is told so, with the right name beside the wrong one."""

from __future__ import annotations

import pytest
from tests.querying.movies import movie_schema
from tests.querying.tck import tck_queries

from askgraph.core.schema import Schema
from askgraph.querying import GatePolicy, check
from askgraph.querying.schema_check import check_schema

SCHEMA = movie_schema()

WRONG = [
    ("MATCH (p:Persn) RETURN p", "unknown-type", 10, "Did you mean Person?"),
    ("MATCH (p:ACTED_IN) RETURN p", "unknown-type", 10, "ACTED_IN is a type of relationships."),
    ("MATCH (p) WHERE p:Persn OR p:Movie RETURN p", "unknown-type", 19, "Did you mean Person?"),
    ("MATCH (p:Person|!Moovie) RETURN p", "unknown-type", 18, "Did you mean Movie?"),
    ("MATCH (p)-[:ACTS_IN]->() RETURN p", "unknown-relation", 13, "Did you mean ACTED_IN?"),
    ("MATCH (p)-[r]->() WHERE r:ACTS_IN RETURN p", "unknown-relation", 27, "Did you mean ACTED_IN?"),
    ("MATCH (p)-[:Movie]->() RETURN p", "unknown-relation", 13, "Movie is a type of nodes."),
    ("MATCH (p:Person) RETURN p.nam", "unknown-property", 25, "Did you mean name?"),
    ("MATCH (p:Person) RETURN p.title", "unknown-property", 25, "Movie has it."),
    ("MATCH (p:Person {nme: 'x'}) RETURN p", "unknown-property", 18, "Did you mean name?"),
    ("MATCH (p) RETURN p.titel", "unknown-property", 18, "Did you mean title?"),
    ("MATCH ()-[r:ACTED_IN]->() RETURN r.rol", "unknown-property", 34, "Did you mean role?"),
    ("MATCH (p:Person) RETURN p {.nam} AS m", "unknown-property", 28, "Did you mean name?"),
    ("MATCH (p:Person) WITH p AS q WHERE q.nam = 'x' RETURN q", "unknown-property", 36, "Did you mean name?"),
    ("MATCH (p:Person) RETURN [(p)-[:KNOWS]->(f:Person) | f.nam] AS l", "unknown-property", 53, "name"),
    (
        "MATCH (p:Person) WHERE EXISTS { MATCH (p) WHERE p.nam = 'x' } RETURN p",
        "unknown-property",
        49,
        "name",
    ),
    ("MATCH (p:Person) CALL (p) { RETURN p.nam AS n } RETURN n", "unknown-property", 36, "name"),
    ("MATCH (p:Person) RETURN p.name AS n ORDER BY p.brn", "unknown-property", 46, "Did you mean born?"),
    ("MATCH ((p:Person)-[:KNOWS]->(q) WHERE p.nam = 'x'){1,2} RETURN 1", "unknown-property", 39, "name"),
    ("MATCH (p:Person)-[:ACTED_IN]->(m) RETURN m.name", "unknown-property", 42, "Person or City has it."),
    ("MATCH (m)<-[:DIRECTED*1..2]-(p) RETURN p.title", "unknown-property", 40, "Movie has it."),
    ("MATCH (a)-[:LIVES_IN]->(c)-[:KNOWS]->(d) RETURN d", "wrong-ends", 27, "from Person to Person"),
    ("MATCH (m:Movie)-[:ACTED_IN]->(p:Person) RETURN p", "wrong-direction", 16, "from Person to Movie"),
    ("MATCH (m:Movie) WHERE (m)-[:DIRECTED]->() RETURN m", "wrong-direction", 26, "Turn the arrow"),
    ("MATCH (p:Person)-[:ACTED_IN]->(c:City) RETURN p", "wrong-ends", 17, "from Person to Movie"),
    ("MATCH (p:Person)-[:ACTED_IN]-(c:City) RETURN p", "wrong-ends", 17, "from Person to Movie"),
    ("MATCH (p:Person) WHERE p.born = '1960' RETURN p", "wrong-value", 33, "type integer, such as 1960"),
    ("MATCH (p:Person {born: '1960'}) RETURN p", "wrong-value", 18, "type integer"),
    ("MATCH (m:Movie) WHERE '2020-01-01' < m.released RETURN m", "wrong-value", 23, "type date"),
    ("MATCH (p:Person) WHERE p.name IN ['Ann', 3] RETURN p", "wrong-value", 42, "type text"),
    ("MATCH (p:Person) WHERE p.born STARTS WITH '19' RETURN p", "wrong-value", 24, "type integer"),
    ("MATCH (p:Person) RETURN q.name", "unknown-variable", 25, "There is p."),
    ("MATCH (person) WHERE (person)-->(movie) RETURN person", "unknown-variable", 33, "There is person."),
    ("MATCH (p:Person) WITH p.name AS name RETURN p", "unknown-variable", 45, "There is name."),
]
RIGHT = [
    "MATCH (p:Person)-[r:ACTED_IN {role: 'x'}]->(m:Movie) WHERE p.born > 1960.5 AND m.rating < 3 RETURN p.name, r.role",
    "MATCH (m:Movie)<-[:ACTED_IN|DIRECTED]-(p) WHERE p.name CONTAINS 'x' RETURN m.title",
    "MATCH (a:Actor)-[:ACTED_IN]->(m) RETURN a.name, a.agent, m.title",
    "MATCH (p:Person) RETURN p.agent",
    "MATCH (p:Person)-[:KNOWS*1..3]->(q) RETURN q.name",
    "MATCH (a)-[:KNOWS]-(b) RETURN a.name, b.born",
    "MATCH (a)-[:LIVES_IN]->(c) RETURN a.born, a.agent, c.name",
    "MATCH (a)-[:LIVES_IN*0..1]->(c) RETURN c.born",
    "MATCH (n)-[r]->(m) RETURN n.name, n.title, r.role, type(r)",
    "MATCH (n:$($label)) RETURN n.name",
    "MATCH (n:!Person) RETURN n.title",
    "MATCH (m:Movie) WHERE m.released > date('2020-01-01') AND m.released < datetime() RETURN m",
    "MATCH (p:Person) WHERE p.retired = true AND p.name = $name AND p.born IN $years RETURN p",
    "UNWIND [{x: 1}] AS row RETURN row.x, row.y",
    "MATCH (p:Person) WITH toString(p.born) AS year WHERE year = '1960' RETURN year",
    "MATCH (p:Person) WITH p.born AS year WITH 'x' AS year WHERE year = '1960' RETURN year",
    "MATCH (p:Person) WITH collect(p.born) AS years WHERE '1960' IN years RETURN years",
    "CALL { MATCH (p:Person) RETURN p UNION MATCH (p:Person) RETURN p } RETURN p.name",
    "MATCH p = (a:Person)-[:KNOWS*]->(b:Person) RETURN [n IN nodes(p) | n.anything] AS l, length(p) AS k",
    "MATCH (p:Person) RETURN p {.name, .*, other: 1, p} AS m",
    "MATCH (p:Person) WITH count(*) AS c, p ORDER BY p.name WHERE c > 1 RETURN reduce(s = 0, x IN [1] | s + x) AS r",
    "MATCH (p:Person) LET q = p FILTER q.born > 3 RETURN q.name AS name NEXT RETURN name",
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "column", "advice"), WRONG)
def test_wrong(text: str, code: str, column: int, advice: str) -> None:
    problems = check_schema(check(text), SCHEMA)
    assert [problem.code for problem in problems] == [code]
    assert (problems[0].line, problems[0].column) == (1, column)
    assert advice in (problems[0].advice or "")
    assert advice in str(problems[0])


@pytest.mark.parametrize("text", RIGHT)
def test_right(text: str) -> None:
    assert check_schema(check(text), SCHEMA) == ()


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("MATCH (p:Person) WHERE p.born = '1960' RETURN p", "error"),
        ("MATCH (p:Person) WHERE p.name = 'x' AND p.born > '1960' RETURN p", "error"),
        ("MATCH (p:Person {born: '1960'}) RETURN p", "error"),
        ("MATCH (p:Person) WHERE p.born IN ['1960'] RETURN p", "error"),
        ("MATCH (p:Person) WHERE (p.born) = '1960' RETURN p", "error"),
        ("MATCH (p:Person) WITH p.born AS year WHERE year = '1960' RETURN year", "error"),
        (
            "MATCH (p:Person) WITH p.born AS year WITH year AS y MATCH (q) WHERE y STARTS WITH '19' RETURN q",
            "error",
        ),
        ("MATCH (p:Person) LET year = p.born FILTER year > '1960' RETURN p", "error"),
        ("MATCH (p:Person) WHERE p.born = 1960 OR p.born = '1960' RETURN p", "warning"),
        ("MATCH (p:Person) WHERE NOT p.born = '1960' RETURN p", "warning"),
        ("MATCH (p:Person) WHERE p.born <> '1960' RETURN p", "warning"),
        ("MATCH (p:Person) WHERE p.born IN [1960, '1960'] RETURN p", "warning"),
        ("MATCH (p:Person) OPTIONAL MATCH (q:Person {born: '1960'}) RETURN p, q", "warning"),
        ("MATCH (p:Person) RETURN p.born = '1960' AS is_old", "warning"),
        ("MATCH (p:Person) RETURN CASE p.name WHEN 'x' THEN 1 ELSE p.born = '1960' END AS x", "warning"),
        ("MATCH (p:Person) RETURN p UNION MATCH (p:Person {born: '1960'}) RETURN p", "warning"),
    ],
)
def test_a_wrong_value_is_a_warning_where_rows_come_all_the_same(text: str, severity: str) -> None:
    found = check_schema(check(text), SCHEMA)
    assert [(problem.code, problem.severity) for problem in found] == [("wrong-value", severity)]


def test_every_problem_is_told_in_the_order_of_the_text() -> None:
    text = "MATCH (p:Persn)-[:ACTS_IN]->(m:Movie)\nWHERE m.titel = 'x'\nRETURN p, z"
    problems = check_schema(check(text), SCHEMA)
    assert [(problem.code, problem.line) for problem in problems] == [
        ("unknown-type", 1),
        ("unknown-relation", 1),
        ("unknown-property", 2),
        ("unknown-variable", 3),
    ]
    assert problems[0].suggestions == ("Person",)


def test_the_rewriting_of_the_gate_raises_no_problem() -> None:
    for text in (
        "MATCH (p:Person) RETURN p.name LIMIT $n",
        "MATCH (p:Person) RETURN p.name UNION MATCH (m:Movie) RETURN m.title AS `p.name`",
        "MATCH (p:Person)-[:KNOWS*]->(q:Person) RETURN count( q )",
    ):
        assert check_schema(check(text, policy=GatePolicy(rows=3)), SCHEMA) == ()


def test_no_valid_query_of_the_openCypher_kit_is_said_to_use_an_unknown_variable() -> None:
    policy = GatePolicy(allow_procedures=("test.*",), refuse_costly=False)
    nothing = Schema("property", 0, 0, (), (), ())
    found = {"valid": 0, "undefined": 0, "missed": 0}
    for query in tck_queries():
        undefined = query.error.endswith(": UndefinedVariable")
        if query.writes or (query.error and not undefined):
            continue
        problems = check_schema(check(query.text, policy=policy), nothing)
        unknown = any(problem.code == "unknown-variable" for problem in problems)
        if not undefined:
            assert not unknown, query.text
        found["valid" if not undefined else "undefined" if unknown else "missed"] += 1
    assert found["valid"] > 2_900
    # Those missed sort by what an aggregate or DISTINCT has left behind.
    assert found["undefined"] >= 55
    assert found["missed"] <= 5
