"""No query gives more rows, or follows longer paths, than allowed; and what was changed is said."""

from __future__ import annotations

import pytest

from askgraph.core.errors import QueryRefusedError
from askgraph.querying import GatePolicy, check

FIVE = GatePolicy(rows=5)


def capped(text: str, dialect: str = "neo4j", **parameters) -> str:
    return check(text, policy=FIVE, dialect=dialect, parameters=parameters).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH (n) RETURN n", "MATCH (n) RETURN n LIMIT 6"),
        ("MATCH (n) RETURN n LIMIT 3", "MATCH (n) RETURN n LIMIT 3"),
        ("MATCH (n) RETURN n LIMIT 5", "MATCH (n) RETURN n LIMIT 5"),
        ("MATCH (n) RETURN n LIMIT 6", "MATCH (n) RETURN n LIMIT 6"),
        ("MATCH (n) RETURN n LIMIT 0x10", "MATCH (n) RETURN n LIMIT 6"),
        (
            "MATCH (n) RETURN n ORDER BY n.x SKIP 2 LIMIT 100",
            "MATCH (n) RETURN n ORDER BY n.x SKIP 2 LIMIT 6",
        ),
        ("MATCH (n) RETURN n // LIMIT 3", "MATCH (n) RETURN n LIMIT 6"),
        ("MATCH (n) RETURN n.x AS `LIMIT`", "MATCH (n) RETURN n.x AS `LIMIT` LIMIT 6"),
        ("MATCH (n) WHERE n.t = 'LIMIT 3' RETURN n", "MATCH (n) WHERE n.t = 'LIMIT 3' RETURN n LIMIT 6"),
        (
            "MATCH (n) CALL (n) { MATCH (n)-->(m) RETURN m LIMIT 1 } RETURN m",
            "MATCH (n) CALL (n) { MATCH (n)-->(m) RETURN m LIMIT 1 } RETURN m LIMIT 6",
        ),
        ("MATCH (n) WITH n LIMIT 3 RETURN n", "MATCH (n) WITH n LIMIT 3 RETURN n LIMIT 6"),
        ("RETURN 1 AS x NEXT RETURN x", "CYPHER 25 RETURN 1 AS x NEXT RETURN x LIMIT 6"),
        ("{ MATCH (n) RETURN n }", "CYPHER 25 { MATCH (n) RETURN n LIMIT 6 }"),
        (
            "WHEN true THEN RETURN 1 AS x ELSE { RETURN 2 AS x }",
            "CYPHER 25 WHEN TRUE THEN RETURN 1 AS x LIMIT 6 ELSE { RETURN 2 AS x LIMIT 6 }",
        ),
        ("MATCH (n) FINISH", "MATCH (n) FINISH"),
    ],
)
def test_the_last_return_is_limited(text: str, expected: str) -> None:
    assert capped(text) == expected


def test_a_limit_that_is_computed_stays_and_a_second_one_follows() -> None:
    assert capped("MATCH (n) RETURN n.x, n LIMIT toInteger(rand() * 9)") == (
        "MATCH (n) WITH n.x AS `n.x`, n AS n LIMIT toInteger(rand() * 9) RETURN `n.x` AS `n.x`, n LIMIT 6"
    )
    assert capped("MATCH (n) RETURN DISTINCT n.x AS x ORDER BY x LIMIT $n") == (
        "MATCH (n) WITH DISTINCT n.x AS x ORDER BY x LIMIT $n RETURN x LIMIT 6"
    )
    assert capped("MATCH (n) RETURN * LIMIT $n") == "MATCH (n) WITH * LIMIT $n RETURN * LIMIT 6"


def test_a_parameter_whose_value_is_known_is_a_limit_like_any_other() -> None:
    assert capped("MATCH (n) RETURN n LIMIT $n", n=3) == "MATCH (n) RETURN n LIMIT 3"
    assert capped("MATCH (n) RETURN n LIMIT $n", n=300) == "MATCH (n) RETURN n LIMIT 6"
    for odd in (-1, "3", True, None, 2.5):
        assert capped("MATCH (n) RETURN n LIMIT $n", n=odd).endswith("LIMIT $n RETURN n LIMIT 6")


def test_a_union_is_limited_as_a_whole() -> None:
    union = "MATCH (n) RETURN n.x AS x LIMIT 2 UNION ALL MATCH (m) RETURN m.x AS x"
    assert capped(union) == f"CALL {{ {union} }} RETURN x LIMIT 6"
    assert capped(f"CYPHER 25 {union}") == f"CYPHER 25 CALL () {{ {union} }} RETURN x LIMIT 6"
    assert capped("RETURN 1 UNION RETURN 1") == (
        "CALL { RETURN 1 AS `1` UNION RETURN 1 AS `1` } RETURN `1` AS `1` LIMIT 6"
    )
    star = "MATCH (n) RETURN * UNION MATCH (n) RETURN *"
    assert capped(star) == f"CALL {{ {star} }} RETURN * LIMIT 6"


def test_where_the_engine_has_no_subqueries_each_branch_is_limited() -> None:
    assert capped("MATCH (n) RETURN n.x AS x UNION ALL MATCH (m) RETURN m.x AS x", "ladybug") == (
        "MATCH (n) RETURN n.x AS x LIMIT 6 UNION ALL MATCH (m) RETURN m.x AS x LIMIT 6"
    )


def test_a_union_that_sees_variables_of_an_earlier_part_is_limited_branch_by_branch() -> None:
    assert capped("RETURN 1 AS x NEXT RETURN x AS y UNION ALL RETURN x AS y") == (
        "CYPHER 25 RETURN 1 AS x NEXT RETURN x AS y LIMIT 6 UNION ALL RETURN x AS y LIMIT 6"
    )
    assert capped("RETURN 1 AS x NEXT { RETURN x UNION ALL RETURN x }") == (
        "CYPHER 25 RETURN 1 AS x NEXT { RETURN x LIMIT 6 UNION ALL RETURN x LIMIT 6 }"
    )


def test_equal_rows_of_a_branch_do_not_use_up_its_cap() -> None:
    assert capped("MATCH (n) RETURN n.x AS x UNION MATCH (m) RETURN m.x AS x LIMIT 9", "ladybug") == (
        "MATCH (n) RETURN DISTINCT n.x AS x LIMIT 6"
        " UNION MATCH (m) WITH m.x AS x LIMIT 9 RETURN DISTINCT x LIMIT 6"
    )


def test_a_call_at_the_end_is_returned_with_a_limit_if_its_columns_are_named() -> None:
    policy = GatePolicy(rows=5, allow_procedures=("db.labels",))
    named = check("CALL db.labels() YIELD label AS l WHERE l <> 'x'", policy=policy)
    assert named.text == "CALL db.labels() YIELD label AS l WHERE l <> 'x' RETURN l LIMIT 6"
    assert named.capped_in_text
    for text in ("CALL db.labels()", "CALL db.labels() YIELD *"):
        alone = check(text, policy=policy)
        assert alone.text == text
        assert not alone.capped_in_text


def test_a_lowered_limit_is_said_and_no_cap_leaves_the_text_alone() -> None:
    checked = check("MATCH (n) RETURN n LIMIT 100", policy=FIVE)
    assert checked.notes == ("LIMIT 100 was lowered to the cap of 5 rows",)
    assert check("MATCH (n) RETURN n LIMIT 3", policy=FIVE).notes == ()
    assert check("MATCH (n) RETURN n LIMIT $n", policy=FIVE).notes
    free = check("MATCH (n) RETURN n", policy=GatePolicy(rows=None))
    assert free.text == "MATCH (n) RETURN n"
    assert free.row_cap is None


# Paths

SHORT = GatePolicy(rows=None, longest_path=4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH (a)-[*]->(b) RETURN b", "MATCH (a)-[*..4]->(b) RETURN b"),
        ("MATCH (a)-[r:X*2..]->(b) RETURN b", "MATCH (a)-[r:X*2..4]->(b) RETURN b"),
        ("MATCH (a)-[*..9]->(b) RETURN b", "MATCH (a)-[*..4]->(b) RETURN b"),
        ("MATCH (a)-[*1..3]->(b) RETURN b", "MATCH (a)-[*1..3]->(b) RETURN b"),
        ("MATCH (a)-[*4]->(b) RETURN b", "MATCH (a)-[*4]->(b) RETURN b"),
        ("MATCH (a)-[:X]->+(b) RETURN b", "MATCH (a)-[:X]->{1,4}(b) RETURN b"),
        ("MATCH (a)-[:X]->*(b) RETURN b", "MATCH (a)-[:X]->{0,4}(b) RETURN b"),
        ("MATCH (a)((x)-->(y)){2,}(b) RETURN b", "MATCH (a)((x)-->(y)){2,4}(b) RETURN b"),
        ("MATCH (a) WHERE (a)-[*]->(:B) RETURN a", "MATCH (a) WHERE (a)-[*..4]->(:B) RETURN a"),
        ("MATCH (a) RETURN [(a)-[*]->(b) | b] AS l", "MATCH (a) RETURN [(a)-[*..4]->(b) | b] AS l"),
        (
            "MATCH (a) WHERE EXISTS { (a)-[*]->(b) } RETURN COUNT { MATCH (a)-[*]->(b) } AS c",
            "MATCH (a) WHERE EXISTS { (a)-[*..4]->(b) } RETURN COUNT { MATCH (a)-[*..4]->(b) } AS c",
        ),
    ],
)
def test_a_path_without_an_end_gets_one(text: str, expected: str) -> None:
    checked = check(text, policy=SHORT)
    assert checked.text == expected
    assert bool(checked.notes) == (text != expected)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH p = shortestPath((a)-[*]-(b)) RETURN p",
        "MATCH p = allShortestPaths((a)-[:X*]-(b)) RETURN p",
        "MATCH p = SHORTEST 1 (a)-[:X]-+(b) RETURN p",
        "MATCH p = ANY (a)-[:X]-*(b) RETURN p",
        "MATCH p = ALL SHORTEST (a)((x)-->(y))+(b) RETURN p",
    ],
)
def test_shortest_paths_need_no_end(text: str) -> None:
    assert check(text, policy=SHORT).text == text


def test_a_pattern_inside_a_shortest_path_is_not_exempt() -> None:
    text = "MATCH p = SHORTEST 1 (a WHERE EXISTS { (a)-[*]->(c) })-[:X]-+(b) RETURN p"
    assert "(a)-[*..4]->(c)" in check(text, policy=SHORT).text


def test_a_path_that_must_be_too_long_is_refused_and_a_policy_may_refuse_or_allow_all() -> None:
    with pytest.raises(QueryRefusedError) as caught:
        check("MATCH (a)-[*5..]->(b) RETURN b", policy=SHORT)
    assert caught.value.code == "cost"
    with pytest.raises(QueryRefusedError):
        check("MATCH (a)-[*]->(b) RETURN b", policy=GatePolicy(unbounded_paths="refuse"))
    assert "-[*]->" in check("MATCH (a)-[*]->(b) RETURN b", policy=GatePolicy(unbounded_paths="allow")).text


@pytest.mark.parametrize(
    ("selector", "sent"),
    [
        ("SHORTEST 3", "->+"),
        ("ANY 100", "->+"),
        ("SHORTEST $k", "->+"),
        ("ANY SHORTEST", "->+"),
        ("SHORTEST 1000000", "->{1,15}"),
        ("ANY 5000", "->{1,15}"),
        ("SHORTEST 500 GROUPS", "->{1,15}"),
    ],
)
def test_only_few_shortest_paths_may_be_of_any_length(selector: str, sent: str) -> None:
    assert f"-[:R]{sent}(b)" in check(f"MATCH p = {selector} (a)-[:R]->+(b) RETURN p").text


@pytest.mark.parametrize(
    ("dialect", "expansion", "sent"),
    [
        ("ladybug", "* TRAIL 1..500", "*TRAIL 1..15"),
        ("ladybug", "* ACYCLIC 1..500", "*ACYCLIC 1..15"),
        ("ladybug", "* WALK", "*WALK ..15"),
        ("ladybug", "* TRAIL 1..3", "*TRAIL 1..3"),
        ("ladybug", "* ALL SHORTEST 1..500", "*ALL SHORTEST 1..500"),
        ("memgraph", "*DFS", "*DFS ..15"),
        ("memgraph", "*DFS 2..900", "*DFS 2..15"),
        ("memgraph", "*..900 (r, n | r.x > 1)", "*..15 (r, n | r.x > 1)"),
        ("memgraph", "*BFS", "*BFS"),
        ("memgraph", "*WSHORTEST (r, n | r.w)", "*WSHORTEST (r, n | r.w)"),
        ("memgraph", "*KSHORTEST", "*KSHORTEST"),
    ],
)
def test_only_shortest_expansions_may_be_of_any_length(dialect: str, expansion: str, sent: str) -> None:
    text = check(f"MATCH (a)-[e:R {expansion}]->(b) RETURN b", dialect=dialect).text
    assert f"-[e:R {sent}]->" in text
