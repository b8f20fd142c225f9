"""What is Cypher is read, what is not is refused with the place and the reason."""

from __future__ import annotations

import pytest
from tests.querying.tck import tck_queries

from askgraph.core.errors import QueryError, QueryRefusedError, QuerySyntaxError
from askgraph.querying.cypher.expression_tree import (
    ListComprehension,
    ListLiteral,
    Operation,
    Parenthesized,
    PatternComprehension,
    PatternPredicate,
)
from askgraph.querying.cypher.parser import parse
from askgraph.querying.cypher.printer import text_of

VALID = [line for line in """
MATCH (n) CALL { WITH n RETURN 1 AS x } RETURN *
CALL db.labels() YIELD *
CALL db.labels YIELD label RETURN *
MATCH (a)(()-[:X]->()){1,3}(b) RETURN a
MATCH (a)((x)-[:X]->(y) WHERE x.p>1){1,3} (b) RETURN a
MATCH ((a)-->(b)) RETURN a
MATCH p = ((a)-->(b)){2} RETURN p
MATCH ANY SHORTEST (a)-[:X]->+(b) RETURN a
MATCH p = ALL SHORTEST PATHS (a)-[:X]->*(b) RETURN p
MATCH SHORTEST 2 PATH GROUPS (a)-[:X]->*(b) RETURN a
MATCH ACYCLIC (a)-[:X]->*(b) RETURN a
MATCH REPEATABLE ELEMENTS (a)-[:X]->{1,3}(b) RETURN a
MATCH DIFFERENT RELATIONSHIP BINDINGS (a)-[:X]->{,3}(b) RETURN a
MATCH (n) SEARCH n IN (VECTOR INDEX idx FOR $v WHERE n.x > 1 LIMIT 10) SCORE AS s WHERE s > 0.5 RETURN n, s
MATCH (n) WHERE n.x > 1 SEARCH n IN (VECTOR INDEX $idx FOR [1.0, 2.0] LIMIT 10) RETURN n
RETURN CASE 1 WHEN > 5 THEN 1 WHEN 3, 4 THEN 2 WHEN IS NULL THEN 3 WHEN IN [1] THEN 4 ELSE 5 END AS x
RETURN [1 IN [1,2], 3] AS x
WITH 1 AS x RETURN [x IN [1,2] AND true, 3] AS y
WITH 1 AS x RETURN [x IN [[1]] IS NOT NULL, 3] AS y
RETURN trim(BOTH "x" FROM "xax") AS t, trim(LEADING FROM "  a") AS u, trim("a") AS v, trim("x" FROM "xa") AS w
RETURN normalize("a", NFC) AS x, "a" IS NFC NORMALIZED AS y, "a" IS NOT NORMALIZED AS z
RETURN 1 :: INTEGER AS x, 1 IS NOT :: STRING NOT NULL AS y, [1] IS TYPED LIST<INTEGER NOT NULL> AS z
RETURN 1 IS :: INTEGER | FLOAT AS w, 1 :: ANY VALUE AS b
RETURN 1 IS :: TIMESTAMP WITHOUT TIME ZONE AS a, 1 IS :: VECTOR<FLOAT32>(3) AS c, 1 IS :: STRING LIST! AS d
RETURN all(x IN [1] WHERE x > 0) AS a, reduce(a = 0, x IN [1] | a + x) AS r
RETURN allReduce(a = 0, x IN [1] | a + x, a < 5) AS r
MATCH (n) RETURN n {.*, .name, x: 1, n} AS m
MATCH (n) RETURN n.x AS x, count(*) AS c GROUP BY x
MATCH (n) WHERE EXISTS { (n)-->() WHERE n.x = 1 } RETURN COUNT { (n)-->() } AS c
MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m.x } AS c
MATCH (n) WHERE EXISTS { p = (n)-->(m) } AND EXISTS { MATCH (n)-->(m) } RETURN n
WHEN true THEN RETURN 1 AS x ELSE RETURN 2 AS x
WHEN true THEN { RETURN 1 AS x } WHEN false THEN {RETURN 3 AS x} ELSE { RETURN 2 AS x }
{ RETURN 1 AS x } UNION { RETURN 2 AS x }
RETURN 1 AS x NEXT RETURN x AS y UNION RETURN x AS y NEXT RETURN y LIMIT 3
CALL (*) { WHEN true THEN RETURN 1 AS x } RETURN x
OPTIONAL CALL db.labels() YIELD label RETURN label
MATCH (n) OPTIONAL CALL (n) { MATCH (n)-->(m) RETURN m } RETURN m
RETURN s'a{1+1}b{ {a:1}.a }c' AS x, s"" AS y
MATCH (n WHERE n.x > 1)-[r WHERE r.y]->(:A&!B|%) RETURN n
MATCH (:A)-[WHERE true]-() RETURN 1 AS x
MATCH (a)-[r:A|:B]->(), (a)-[s IS C]-(), (a)<-[t]->(b), (a)<-->(b) RETURN r
MATCH (n) WHERE n IS Person AND n IS NOT Dog AND n:A:B RETURN n
MATCH (n) WHERE n IS LABELED Person RETURN n
MATCH (a),(b) RETURN shortestPath((a)-[:X*..4]-(b)) AS p
MATCH allShortestPaths((a)-[*]-(b)) RETURN a
MATCH (a) WHERE (a)-->() AND NOT (a)<--(:X) RETURN size([(a)-->(b) WHERE b:C|b.x]) AS p
UNWIND [1] AS x WITH x WHERE x > 0 ORDER BY x SKIP 1 RETURN x
MATCH (n) FILTER n.x > 1 LET y = n.x, z = 2 FOR w IN [1] RETURN y OFFSET 1 LIMIT 2
RETURN 1 AS x ;  // c
RETURN 2^3^2 AS a, -2 AS b, NOT NOT true AS c, - - 1 AS d, 1 < 2 <= 3 AS e, 'a' || 'b' AS f
RETURN [1,2,3][..2] AS a, [1,2,3][1..] AS b, {a: 1}["a"] AS c, $x.y[0] AS d, $0 AS e, $`a b` AS f
RETURN INF AS x, NaN AS y, Infinity AS z
MATCH (n) USING INDEX n:A(x, y) USING JOIN ON n USING SCAN n:A RETURN n
CYPHER 25 runtime=slotted planner=cost EXPLAIN MATCH (n) RETURN n
EXPLAIN CYPHER 5 MATCH (n) RETURN n
MATCH (match:Match {return: 1})-[case:CASE]->(end) WHERE match.where = 1 RETURN case.when, end AS in, count(*) AS count
WITH 1 AS all, 2 AS none RETURN all, none, [all] AS any
MATCH (n) RETURN CASE WHEN n.x THEN end ELSE end END AS x
MATCH (n) RETURN count(DISTINCT (n.x)) AS a, collect(ALL n.y) AS b
MATCH (n) WHERE n.`a b` = 'it\\'s' RETURN n.`a``b`
MATCH (a)-[:X*BFS ..5 (r, n | r.w > 1)]->(b) RETURN b
MATCH (a)-[:X*WSHORTEST (r, n | r.w) total]->(b) RETURN total
RETURN list_transform([1], x -> x + 1) AS a, 'abc'[1:2] AS b
""".strip().split("\n") if line]  # fmt: skip


@pytest.mark.parametrize("text", VALID)
def test_what_reads_is_read_and_printed_back(text: str) -> None:
    statement = parse(text).statement
    printed = text_of(statement)
    assert parse(printed).statement == statement
    assert text_of(parse(printed).statement) == printed


INVALID = [
    ("", "the query is empty"),
    (" // only a comment", "the query is empty"),
    ("I cannot answer that.", "expected a clause such as MATCH, WITH or RETURN, found 'I'"),
    ("MACTH (n) RETURN n", "Did you mean MATCH?"),
    ("```cypher\nMATCH (n) RETURN n\n```", "send only what is inside"),
    ("MATCH (n:Person RETURN n", "expected ')' at the end of the node, found 'RETURN'"),
    ("MATCH n RETURN n", "expected a node in parentheses"),
    ("RETURN (1 + 2", "expected ')', found the end of the query"),
    ("RETURN 1 +", "expected an expression, found the end of the query"),
    ("RETURN [1, 2", "expected ']' or ',' in the list"),
    ("RETURN {a 1}", "expected ':' after the key"),
    ("MATCH (n) WITH n.x RETURN 1", "this expression in WITH has no name"),
    ("RETURN 1 MATCH (n) RETURN n", "MATCH cannot follow RETURN"),
    ("MATCH (n) RETURN n WHERE n.x", "WHERE follows MATCH, WITH or YIELD"),
    ("MATCH (n) FINISH RETURN n", "RETURN cannot follow FINISH"),
    ("RETURN 99999999999999999999", "does not fit into 64 bits"),
    ("RETURN -9223372036854775809", "does not fit into 64 bits"),
    ("RETURN 1e999", "does not fit into 64 bits"),
    ("RETURN '\\uH'", "four hexadecimal digits"),
    ("RETURN 42 — 41", "is not '-'"),
    ("MATCH SHORTEST (a)-->(b) RETURN a", "how many paths SHORTEST is to find"),
    ("MATCH (a)-[:X]->{}(b) RETURN a", "how often this part of the path repeats"),
    ("RETURN CASE END", "expected WHEN"),
    ("RETURN {$p}", "expected a key of the map"),
    ("UNWIND [1] RETURN 1", "expected AS after the list"),
    ("RETURN 1 IS :: WORD", "the name of a type"),
    ("MATCH (n) SEARCH n IN (INDEX i FOR 1 LIMIT 1) RETURN n", "expected VECTOR INDEX"),
    ("RETURN 1 AS x;;", "second statement"),
]


@pytest.mark.parametrize(("text", "message"), INVALID)
def test_what_is_no_query_is_refused_with_a_reason(text: str, message: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert message in str(caught.value)


def test_the_largest_integers_are_read() -> None:
    parse("RETURN 9223372036854775807 AS a, -9223372036854775808 AS b")


REFUSED = [
    ("CREATE (n)", "write", "CREATE would change the graph", 1),
    ("MATCH (n) SET n.x = 1", "write", "SET would change the graph", 11),
    ("MATCH (n) DETACH DELETE n", "write", "DETACH DELETE would change the graph", 11),
    ("MATCH (n) CALL (n) { CREATE (m) } RETURN n", "write", "CREATE would change the graph", 22),
    ("CREATE OR REPLACE INDEX i FOR (n:A) ON (n.x)", "schema", "CREATE would change the schema", 1),
    ("DROP CONSTRAINT c", "schema", "DROP would change the schema", 1),
    ("CREATE USER u SET PASSWORD 'x'", "administration", "CREATE is an administration command", 1),
    ("SHOW USERS", "administration", "SHOW USERS is an administration command", 1),
    ("LOAD CSV FROM 'x' AS l RETURN l", "outside-data", "LOAD CSV reads or writes what lies outside", 1),
    ("USING PERIODIC COMMIT LOAD CSV FROM 'x' AS l CREATE (n)", "outside-data", "PERIODIC", 7),
    ("USE graph.byName('x') MATCH (n) RETURN n", "other-graph", "USE with a function", 1),
    ("MATCH (n) CALL (n) { RETURN 1 AS x } IN TRANSACTIONS RETURN x", "transaction", "IN TRANSACTIONS", 38),
    ("BEGIN TRANSACTION", "transaction", "BEGIN would open or end a transaction", 1),
    ("CALL timeout=0", "administration", "would change the setting timeout", 6),
    ("PROFILE MATCH (n) RETURN n", "profile", "PROFILE runs the query", 1),
    ("DEFINE FUNCTION f(x) = x RETURN f(1)", "definition", "DEFINE", 1),
    ("RETURN 1 AS x; MATCH (n) DELETE n", "several-statements", "second statement", 16),
]


@pytest.mark.parametrize(("text", "code", "message", "column"), REFUSED)
def test_what_does_more_than_read_is_refused_by_name(text: str, code: str, message: str, column: int) -> None:
    with pytest.raises(QueryRefusedError) as caught:
        parse(text)
    assert caught.value.code == code
    assert message in str(caught.value)
    assert caught.value.column == column


def expression(text: str):
    query = parse(f"RETURN {text}").statement.query
    return query.stages[0].branches[0].clauses[0].projection.items[0].expression  # type: ignore[attr-defined]


def test_parentheses_before_an_arrow_are_a_node_and_otherwise_an_expression() -> None:
    assert isinstance(expression("(a)-->(b)"), PatternPredicate)
    assert isinstance(expression("(a)-[:X]->(b)"), PatternPredicate)
    assert isinstance(expression("(a)<--(b)"), PatternPredicate)
    assert isinstance(expression("(a) - (b)"), Operation)
    assert isinstance(expression("(a) < -1"), Operation)
    assert isinstance(expression("(a.x) - [1]"), Operation)
    assert isinstance(expression("(a)"), Parenthesized)


def test_a_bracket_is_told_to_be_a_list_or_a_comprehension() -> None:
    assert isinstance(expression("[x IN xs]"), ListComprehension)
    assert isinstance(expression("[x IN xs, 1]"), ListLiteral)
    assert isinstance(expression("[(a)-->(b) | b.x]"), PatternComprehension)
    assert isinstance(expression("[p = (a)-->(b) | p]"), PatternComprehension)
    assert isinstance(expression("[(a)-->(b), true]"), ListLiteral)
    assert isinstance(expression("[(a)-->(b) AND true]"), ListLiteral)
    mixed = expression("[x IN xs OR y, 1]").items[0]
    assert mixed.operators == ("OR",)
    assert mixed.operands[0].operators == ("IN",)


def test_the_last_bar_of_a_comprehension_begins_its_result() -> None:
    labelled = expression("[x IN xs WHERE x:A|x.name]")
    assert text_of(labelled.condition) == "x:A"
    assert text_of(labelled.result) == "x.name"
    both = expression("[x IN xs WHERE x:A|B | x.name]")
    assert text_of(both.condition) == "x:A|B"


DEEP = [
    "RETURN " + "(" * 3_000 + "1" + ")" * 3_000,
    "RETURN " + "[" * 3_000 + "1" + "]" * 3_000,
    "RETURN " + "{a: " * 3_000 + "1" + "}" * 3_000,
    "RETURN " + "NOT " * 3_000 + "true",
    "RETURN " + "-" * 3_000 + "1",
    "RETURN a" + ".b" * 3_000,
    "RETURN a" + "[0]" * 3_000,
    "RETURN 1" + " IS NULL" * 3_000,
    "RETURN " + "[x IN " * 3_000 + "1" + ", 1]" * 3_000,
    "RETURN " + "CASE WHEN " * 3_000,
    "RETURN " + "f(" * 3_000,
    "RETURN " + "EXISTS { MATCH (n) WHERE " * 2_000,
    "CALL { " * 3_000,
    "{" * 3_000,
    "MATCH " + "(" * 3_000,
    "MATCH (n:" + "(" * 3_000,
    "MATCH (n:" + "!" * 3_000,
    "RETURN 1 IS :: " + "LIST<" * 3_000,
    "RETURN " + "s'{" * 3_000,
    "RETURN " + "1 + (2 * (3 ^ (" * 1_000,
]


@pytest.mark.parametrize("text", DEEP)
def test_deep_nesting_is_refused_and_never_exhausts_the_stack(text: str) -> None:
    with pytest.raises(QuerySyntaxError):
        parse(text)


def test_what_is_long_but_not_deep_is_read() -> None:
    parse("RETURN " + " + ".join(["1"] * 10_000))
    parse("RETURN [" + ", ".join(["1"] * 10_000) + "]")
    parse("MATCH " + "-->".join(["()"] * 3_000) + " RETURN 1")
    parse(" UNION ".join(["RETURN 1 AS x"] * 2_000))
    parse("MATCH (n) WHERE " + " OR ".join(["n.x = 1 AND n.y = 2"] * 2_000) + " RETURN n")


@pytest.mark.parametrize(
    "unit",
    [
        "(a.b.c.d.e)", "f.g.h(1)", "[x IN [1, 2] | x]", "[(a)-->(b) | b]", "({a: ({b: (1)})})", "(a) - (b)",
        "[x IN xs, 1]", "CASE WHEN a THEN b END", "n {.a, .b}", "EXISTS { (a)-->(b) }", "a:B", "((((1))))",
        "reduce(s = 0, x IN xs | s + x)", "trim(BOTH 'x' FROM y)", "s'{a}{b}'",
    ],
)  # fmt: skip
def test_the_work_is_linear_in_the_number_of_tokens(unit: str) -> None:
    def steps(count: int) -> int:
        return parse("RETURN " + ", ".join([unit] * count)).steps

    small, large = steps(50), steps(500)
    assert large <= 10 * small * 1.05


def test_nested_brackets_are_never_read_twice() -> None:
    for opening, closing in (("[x IN ", ", 1]"), ("({a: ", "})"), ("[(a)-->(b) = ", "]"), ("f.g(", ")")):

        def steps(depth: int, opening: str = opening, closing: str = closing) -> int:
            return parse("RETURN " + opening * depth + "1" + closing * depth).steps

        assert steps(40) <= 2.2 * steps(20), opening


# The openCypher Technology Compatibility Kit

SYNTAX_FAULTS = {
    # Faults that the text alone shows: each query that has one is refused.
    "IntegerOverflow",
    "FloatingPointOverflow",
    "InvalidNumberLiteral",
    "InvalidUnicodeLiteral",
    "InvalidUnicodeCharacter",
    "InvalidRelationshipPattern",
    "NoExpressionAlias",
}


def test_every_reading_query_of_the_kit_is_read_and_printed_back() -> None:
    refused = []
    queries = [query for query in tck_queries() if not query.writes and not query.error]
    for query in queries:
        try:
            statement = parse(query.text).statement
        except QueryError as error:
            refused.append(f"{query.place}: {error}")
            continue
        assert parse(text_of(statement)).statement == statement, query.text
    assert len(queries) > 2_900
    assert refused == []


def test_every_writing_query_of_the_kit_is_refused_because_it_writes() -> None:
    queries = [query for query in tck_queries() if query.writes]
    assert len(queries) > 300
    for query in queries:
        with pytest.raises(QueryRefusedError) as caught:
            parse(query.text)
        assert caught.value.code == "write", query.text


def test_faults_of_syntax_are_found_and_faults_of_meaning_left_to_the_server() -> None:
    accepted = set()
    for query in tck_queries():
        if query.error and not query.writes:
            fault = query.error.rsplit(": ", 1)[1]
            try:
                parse(query.text)
                accepted.add(fault)
            except QueryError:
                pass
    assert accepted.isdisjoint(SYNTAX_FAULTS)
