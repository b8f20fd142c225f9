"""Queries whose cost nothing bounds are refused before an engine begins; ordinary ones are not."""

from __future__ import annotations

import pytest

from askgraph.core.errors import QueryRefusedError
from askgraph.querying import GatePolicy, check

COSTLY = [
    "MATCH (a:Person), (b:Movie) RETURN count(*)",
    "MATCH (a), (b), (c) RETURN count(*) AS c",
    "MATCH (a:Person) MATCH (b:Movie) RETURN a, b ORDER BY a.x",
    "MATCH (a:Person), (b:Movie) RETURN DISTINCT a.x, b.x",
    "MATCH (a:Person), (b:Movie) WITH collect(a) AS l, count(b) AS c RETURN l, c",
    "MATCH (p:Person) MATCH (p)-->(m), (q) RETURN collect(m)",
    "MATCH (:A), (:B) RETURN count(*)",
    "RETURN COUNT { (a:A), (b:B) } AS c",
    "MATCH (x {id: 1}) CALL (x) { MATCH (a:A), (b:B) RETURN count(*) AS c } RETURN c",
    "UNWIND [1] AS x MATCH (a:A), (b:B) RETURN count(*) AS c",
    "UNWIND range(1, 1000000000) AS x RETURN x",
    "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN a, b",
    "RETURN [x IN range(1, 10000) | [y IN range(1, 10000) | x * y]] AS l",
    "RETURN range(0, 1000000000, 2) AS l",
    "RETURN reduce(s = 'x', i IN range(1, 60) | s + s) AS l",
    "RETURN reduce(s = [1], i IN [1, 2] | (s) + [0] + s) AS l",
    "MATCH (n) WHERE n.t =~ '(a+)+$' RETURN n",
    "MATCH (n) WHERE n.t =~ ('(a+)+' + $suffix) RETURN n",
    "MATCH (n) WHERE n.t =~ $pattern RETURN n",
]
CHEAP = [
    "MATCH (a:Person), (b:Movie) RETURN a, b",
    "MATCH (a:Person {name: 'x'}), (b:Movie) RETURN count(*)",
    "MATCH (a:Person), (b:Movie) WHERE a.x = b.x RETURN count(*)",
    "MATCH (a:Person), (b:Movie) WHERE (a)-[:ACTED_IN]->(b) RETURN count(*)",
    "MATCH (a:Person), (b:Movie) WHERE a.name = 'x' AND b.title = 'y' RETURN count(*)",
    "MATCH (a:Person)-->(b), (b)-->(c) RETURN count(*)",
    "MATCH (a:Person) WITH count(a) AS people MATCH (b:Movie) RETURN people, count(b) AS movies",
    "MATCH (a:Person) WITH a LIMIT 3 MATCH (a)-->(b), (c {id: 1}) RETURN count(*)",
    "MATCH (a:A) WITH * MATCH (a)-->(b) MATCH (b)-->(c) RETURN collect(c)",
    "MATCH (a:A) MATCH (b:B) FILTER a.x = b.x RETURN count(*)",
    "MATCH (a:A) CALL (a) { MATCH (a)-->(b), (a)-->(c) RETURN count(*) AS n } RETURN n",
    "MATCH (a:A) WHERE EXISTS { (a)-->(b), (b)-->(c) } RETURN count(*)",
    "MATCH (a:A) OPTIONAL MATCH (b:B {x: a.x}) RETURN count(*)",
    "UNWIND range(1, 1000) AS x RETURN x",
    "UNWIND range(10, 1) AS x RETURN x",
    "UNWIND range(1, $n) AS x RETURN x",
    "RETURN reduce(m = 0, x IN [1, 2] | CASE WHEN x > m THEN x ELSE m END) AS l",
    "RETURN reduce(s = '', x IN ['a'] | s + ',' + x) AS l",
    "MATCH (n) WHERE n.t =~ '(?i).*matrix.*' RETURN n",
    "MATCH (n) WHERE n.t = '(a+)+$' RETURN n",
]


@pytest.mark.parametrize("text", COSTLY)
def test_costly(text: str) -> None:
    with pytest.raises(QueryRefusedError) as caught:
        check(text, parameters={"pattern": "(a+)+$"})
    assert caught.value.code == "cost"
    assert caught.value.advice


@pytest.mark.parametrize("text", CHEAP)
def test_cheap(text: str) -> None:
    check(text)


def test_an_operator_may_switch_it_off() -> None:
    policy = GatePolicy(refuse_costly=False)
    for text in COSTLY:
        check(text, policy=policy)
