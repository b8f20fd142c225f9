"""The tables of the dialects hold what they promise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from askgraph.core.errors import QueryError
from askgraph.querying import check
from askgraph.querying.cypher import rules
from askgraph.querying.cypher.dialect import DIALECTS, dialect_named
from askgraph.querying.policy import is_listed

# What calls out, reads files, runs query texts or changes something: in no table, under any name like it.
DANGEROUS = re.compile(
    r"^(ai|genai|apoc|gds|dbms|file|linenumber|graph)(\.|$)|load|import|export|sleep|nextval|\.run|exec", re.I
)


@pytest.mark.parametrize("name", DIALECTS)
def test_no_table_allows_a_function_that_does_more_than_compute(name: str) -> None:
    dialect = dialect_named(name)
    assert dialect.title
    assert len(dialect.functions) > 40
    assert [function for function in dialect.functions.values() if DANGEROUS.search(function)] == []
    assert {"count", "sum", "coalesce", "id"} <= set(dialect.functions)


@pytest.mark.parametrize("name", DIALECTS)
def test_every_construct_of_a_table_is_one_that_the_rules_ask_for(name: str) -> None:
    source = Path(rules.__file__).read_text(encoding="utf-8")
    asked = set(re.findall(r'"([^"\n]+)"', source))
    asked |= {f"{kind} {{ }}" for kind in ("EXISTS", "COUNT", "COLLECT")} | {"UNWIND", "FOR"}
    assert dialect_named(name).constructs <= asked


def test_no_procedure_is_allowed_by_a_table() -> None:
    for name in DIALECTS:
        for procedure in dialect_named(name).reading_procedures:
            assert not is_listed(procedure, ())


@pytest.mark.parametrize(
    "text",
    [
        "RETURN '$$) AS (a agtype); DROP TABLE x; --' AS s",
        "MATCH (n:`$$`) RETURN n",
        "MATCH (n) RETURN n.a AS `x$$y`",
        "MATCH (n) RETURN n.`$$` AS a",
        "RETURN '\\u0024\\u0024' AS s",
        'RETURN "\\u0024$" AS s',
    ],
)
def test_what_would_end_the_query_inside_of_sql_is_refused(text: str) -> None:
    with pytest.raises(QueryError) as caught:
        check(text, dialect="age")
    assert caught.value.code == "escape"
    assert "$$" in check("RETURN '$$' AS s").text


def test_one_dollar_is_nothing_to_sql() -> None:
    assert check("MATCH (n {x: $x}) WHERE n.y = '$' + '$' RETURN n", dialect="age").text


@pytest.mark.parametrize(
    ("text", "sent", "columns"),
    [
        ("MATCH (p:Person) RETURN p.*", "MATCH (p:Person) RETURN p.* LIMIT 1001", None),
        ("MATCH (p)-[k]->(q) RETURN p . *, q.x", "MATCH (p)-[k]->(q) RETURN p.*, q.x LIMIT 1001", None),
        ("MATCH (p) RETURN p.x * 3", "MATCH (p) RETURN p.x * 3 LIMIT 1001", ("p.x * 3",)),
        (
            "MATCH (p) RETURN p.* UNION ALL MATCH (q) RETURN q.*",
            "MATCH (p) RETURN p.* LIMIT 1001 UNION ALL MATCH (q) RETURN q.* LIMIT 1001",
            None,
        ),
    ],
)
def test_ladybug_gives_a_column_for_each_property(text: str, sent: str, columns: object) -> None:
    checked = check(text, dialect="ladybug")
    assert (checked.text, checked.columns) == (sent, columns)


@pytest.mark.parametrize("text", ["MATCH (p) RETURN p.*", "MATCH (p) RETURN p.x, p.*"])
def test_no_other_engine_does(text: str) -> None:
    with pytest.raises(QueryError) as caught:
        check(text, dialect="neo4j")
    assert caught.value.code == "unsupported"


TRICK = "MATCH (n:`a\\`) RETURN 1 AS `) DETACH DELETE n //`"


@pytest.mark.parametrize("name", [name for name in DIALECTS if name != "neo4j"])
def test_a_backslash_in_a_quoted_name_is_refused_where_it_may_escape(name: str) -> None:
    for text in (TRICK, "MATCH (n) RETURN n.`\\` AS x", "MATCH (n) RETURN n.x AS `\\n`"):
        with pytest.raises(QueryError) as caught:
            check(text, dialect=name)
        assert caught.value.code == "escape"
    assert check("MATCH (n:`a b`) RETURN '\\\\' AS x", dialect=name).text


def test_on_neo4j_it_is_a_character_like_any() -> None:
    assert check(TRICK).columns == (") DETACH DELETE n //",)
