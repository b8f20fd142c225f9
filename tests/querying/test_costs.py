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
    "MATCH (n) WHERE n.t =~ ('(a' + '+)+$') RETURN n",
    "MATCH (n) WHERE n.t =~ '(' + $name + '+)+$' RETURN n",
    "WITH '(a+)+$' AS p MATCH (n) WHERE n.t =~ p RETURN n",
    "WITH '(a+' AS p, ')+$' AS q MATCH (n) WHERE n.t =~ p + q RETURN n",
    "WITH '(a+)+$' AS p WITH p AS q MATCH (n) WHERE n.t =~ toLower(q) RETURN n",
    "UNWIND ['x', '(a+)+$'] AS p MATCH (n) WHERE n.t =~ p RETURN n",
    "MATCH (n) RETURN [p IN ['(a+)+$'] WHERE n.t =~ p | p] AS l",
    "MATCH (n) LET p = '(a+)+$' FILTER n.t =~ p RETURN n",
    "MATCH (n) WHERE n.t =~ CASE WHEN true THEN '(a+)+$' END RETURN n",
    "MATCH (n) WHERE n.t =~ ['(a+)+$'][0] RETURN n",
    "MATCH (n) WHERE n.t =~ replace('(aX)+$', 'X', '+') RETURN n",
    "WITH {p: '(a+)+$'} AS m MATCH (n) WHERE n.t =~ m.p RETURN n",
    "MATCH (n) WHERE n.t =~ reduce(s = '(a', x IN ['+)', '+$'] | s + x) RETURN n",
    "WITH 'a' AS a0 "
    + " ".join(f"WITH a{n} + a{n} AS a{n + 1}" for n in range(20))
    + " MATCH (n) WHERE n.t =~ a20 RETURN n",
]
DOUBLING = "WITH a + a AS a " * 30
GROWING = [
    f"WITH 'a' AS a {DOUBLING}RETURN a",
    f"WITH [1] AS a {DOUBLING}RETURN a",
    "WITH 'a' AS a " + "WITH a || a AS b WITH b AS a " * 30 + "RETURN a",
    "WITH 'a' AS a " + "WITH toUpper(reverse(a)) + substring(a, 0) AS a " * 30 + "RETURN a",
    "WITH {k: 'a'} AS m " + "WITH {k: m.k + m.k} AS m " * 30 + "RETURN m",
    "WITH [1] AS l " + "WITH [l, l, l] AS l " * 20 + "RETURN l",
    "WITH range(1, 1000) AS l " + "WITH [x IN l | l] AS l " * 3 + "RETURN l",
    "WITH range(1, 1000) AS l WITH [x IN l | l] AS l WITH coll.flatten(l) AS l RETURN [x IN l | l] AS l",
    "RETURN " + "replace(" * 20 + "'aaaa'" + ", 'a', 'aaaa')" * 20 + " AS t",
    "RETURN reduce(s = 'a', i IN range(1, 50) | replace(s, 'a', 'aa')) AS t",
    "RETURN reduce(s = [1], i IN range(1, 50) | s + [x IN s | x]) AS t",
    "RETURN reduce(s = [1], i IN range(1, 50) | [s, s]) AS t",
    "RETURN reduce(s = 'a', i IN range(1, 50) | toString(s) + left(s, 1000)) AS t",
    "RETURN reduce(s = 'a', i IN range(1, 60) | reduce(u = s, j IN [1, 2] | u + s)) AS t",
    "MATCH (n) RETURN reduce(s = 'a', i IN n.list | s + coalesce(s, '')) AS t",
    "UNWIND range(1, 10000) AS x WITH collect(x) AS l UNWIND l AS a UNWIND l AS b RETURN count(*)",
    "UNWIND range(1, 10000) AS x CALL (x) { WITH count(*) AS c UNWIND range(1, 10000) AS y RETURN y } RETURN y",
    "UNWIND range(1, 10000) AS x RETURN COUNT { UNWIND range(1, 10000) AS y RETURN y } AS c",
    "UNWIND range(1, 10000) AS x WITH x LIMIT 5000 UNWIND range(1, 10000) AS y RETURN y",
    "WITH 1000000000 AS n UNWIND range(1, n) AS x RETURN x",
    "RETURN range(1, 10 * 1000000000) AS l",
    "WHEN true THEN RETURN range(1, 9000) AS l ELSE RETURN [1] AS l NEXT RETURN [x IN l | [y IN l | l]] AS m",
    "RETURN range(1, 9000) AS l UNION ALL RETURN [1] AS l NEXT UNWIND l AS x UNWIND l AS y RETURN x, y",
    "RETURN range(1, 9000000) AS a, range(1, 9000000) AS b",
    "WITH range(1, 9000000) AS a RETURN a AS b, a AS c",
    "RETURN range(1, 10 ^ 10) AS l",
    "RETURN range(1, toInteger('10000000000')) AS l",
    "WITH range(1, 9000000) AS l RETURN range(1, size(l) * 10) AS m",
    "RETURN range(1, $many) AS l",
    "UNWIND $list AS a UNWIND $list AS b RETURN a, b",
    "RETURN " + "reduce(s = 0, x IN [1, 2] | s + " * 12 + "x" + ")" * 12 + " AS t",
    "WITH [" + "1, " * 9_000 + "1] AS l UNWIND l AS a UNWIND l AS b RETURN count(*)",
]
GROWING_ON_LADYBUG = [
    "RETURN repeat('a', 10000000000) AS t",
    "RETURN repeat(repeat(repeat('a', 100000), 100000), 100000) AS t",
    "RETURN lpad('a', 2000000000, 'b') AS t",
    "RETURN list_transform(range(1, 1000), x -> repeat('a', 100000)) AS t",
]
HARMLESS = [
    "WITH 1 AS a " + "WITH a + a AS a " * 40 + "RETURN a",
    "RETURN reduce(s = 0, i IN range(1, 100000) | s + i) AS t",
    "RETURN reduce(s = 1, i IN range(1, 60) | s * 2) AS t",
    "RETURN reduce(t = 0, r IN [[1], [2]] | t + reduce(s = 0, x IN r | s + x)) AS t",
    "MATCH (n) RETURN reduce(s = '', x IN n.list | s + CASE s WHEN '' THEN '' ELSE ', ' END + x) AS t",
    "MATCH (n) RETURN reduce(l = [], x IN n.list | CASE WHEN x IN l THEN l ELSE l + [x] END) AS t",
    "MATCH (n) WITH collect(n.x) AS l UNWIND l AS a UNWIND l AS b RETURN a, b",
    "MATCH (n) WITH collect(n) AS l RETURN [a IN l | [b IN l | a.x + b.x]] AS t",
    "UNWIND range(1, 1000) AS x UNWIND range(1, 1000) AS y RETURN count(*)",
    "UNWIND range(0, 364) AS d WITH date('2024-01-01') + duration({days: d}) AS day MATCH (e {day: day}) RETURN day",
    "UNWIND range(1, 10000) AS x WITH x LIMIT 10 UNWIND range(1, 10000) AS y RETURN y",
    "UNWIND range(1, 10000) AS x WITH count(*) AS c UNWIND range(1, 10000) AS y RETURN y",
    "RETURN range(10, 1, -1) AS l, range(1, 5, 0) AS m, range(1, $n) AS n",
    "RETURN replace(replace(replace('a, b', ',', ''), ' ', '_'), 'a', 'b') AS t",
    "MATCH (n) RETURN n.first + ' ' + n.last + ' (' + n.title + ')' AS name, split(n.tags, ',')[0] AS tag",
    "MATCH (n) RETURN [x IN split(n.t, ' ') WHERE size(x) > 3 | toLower(x)] AS words",
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
    "MATCH (n) WHERE n.t =~ '(?i).*' + $name + '.*' RETURN n",
    "WITH toLower($name) AS name MATCH (n) WHERE n.t =~ ('(?i).*' + name + '.*') RETURN n",
    "MATCH (n) MATCH (m {id: 1}) WHERE n.t =~ '.*' + m.name + '.*' RETURN n",
    "MATCH (n) WHERE n.t =~ n.pattern RETURN n",
    "MATCH (n) WHERE n.t =~ " + " + ".join(["CASE WHEN n.x THEN '[.]' ELSE '[.][.]' END"] * 40) + " RETURN n",
    "UNWIND ['a.*', 'b.*'] AS p MATCH (n) WHERE n.t =~ p RETURN n",
    "MATCH (n) WHERE n.t =~ substring($p, 1) RETURN n, '(a+)+$' AS x",
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


@pytest.mark.parametrize("text", GROWING)
def test_what_grows_by_itself_is_costly(text: str) -> None:
    with pytest.raises(QueryRefusedError) as caught:
        check(text, parameters={"many": 10**9, "list": [1] * 10_000})
    assert caught.value.code == "cost"
    assert check(text, policy=GatePolicy(refuse_costly=False)).text


@pytest.mark.parametrize("text", GROWING_ON_LADYBUG)
def test_functions_of_texts_that_grow_are_costly(text: str) -> None:
    with pytest.raises(QueryRefusedError) as caught:
        check(text, dialect="ladybug")
    assert caught.value.code == "cost"


@pytest.mark.parametrize("text", HARMLESS)
def test_sums_and_loops_over_data_are_not(text: str) -> None:
    assert check(text).text


def test_an_operator_may_switch_it_off() -> None:
    policy = GatePolicy(refuse_costly=False)
    for text in COSTLY:
        check(text, policy=policy)
