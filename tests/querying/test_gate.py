"""The gate lets pass what reads the opened graph, and nothing else."""

from __future__ import annotations

import copy

import pytest
from tests.querying.cases import gate_cases, policy_of

from askgraph.core.errors import QueryError, QueryRefusedError, QuerySyntaxError, SettingsError
from askgraph.querying import CheckedQuery, GatePolicy, check
from askgraph.querying.cypher.clause_tree import QueryOption
from askgraph.querying.cypher.examination import faithful_text
from askgraph.querying.cypher.parser import parse


def code_of(text: str, **options) -> str:
    """The code of the refusal, or an empty text."""
    try:
        check(text, **options)
    except QueryError as error:
        return error.code
    return ""


def test_every_labelled_case_gets_its_verdict() -> None:
    """A case marked ``policy`` escapes a limit without writing: it may be refused, or clamped and said so."""
    wrong = []
    for case in gate_cases("cypher"):
        try:
            checked = check(case["query"], dialect=case["dialect"], policy=policy_of(case))
            right = case["verdict"] == "allow" or ("policy" in case and bool(checked.notes))
        except QueryError:
            right = case["verdict"] == "reject"
        if not right:
            wrong.append(case["id"])
    assert wrong == []


def test_every_refusal_of_a_labelled_case_shows_the_place_and_a_reason() -> None:
    for case in gate_cases("cypher"):
        if case["verdict"] == "reject" and "policy" not in case:
            with pytest.raises(QueryError) as caught:
                check(case["query"], dialect=case["dialect"], policy=policy_of(case))
            error = caught.value
            assert error.message
            assert error.excerpt
            assert 0 <= error.offset <= len(case["query"])


# The checked query


def test_only_the_gate_makes_a_checked_query() -> None:
    with pytest.raises(TypeError):
        CheckedQuery(object(), text="MATCH (n) DETACH DELETE n")
    checked = check("RETURN 1 AS x")
    for attempt in (copy.copy, copy.deepcopy, lambda item: item.__reduce__()):
        with pytest.raises(TypeError):
            attempt(checked)
    with pytest.raises(AttributeError):
        checked.text = "MATCH (n) DETACH DELETE n"
    with pytest.raises(AttributeError):
        del checked.text


def test_a_checked_query_says_what_a_store_needs() -> None:
    checked = check("MATCH (n:Person {name: $name}) RETURN n.age AS age, n.`first name` LIMIT 5")
    assert checked.text == "MATCH (n:Person {name: $name}) RETURN n.age AS age, n.`first name` LIMIT 5"
    assert checked.parameters == ("name",)
    assert checked.missing_parameters({}) == ("name",)
    assert checked.missing_parameters({"name": "Ann"}) == ()
    assert checked.columns == ("age", "n.`first name`")
    assert (checked.language, checked.dialect, checked.row_cap) == ("cypher", "neo4j", 1_000)
    assert not checked.explain
    assert checked.notes == ()
    assert "Person" in repr(checked)


def test_what_is_sent_has_neither_comments_nor_escapes() -> None:
    checked = check("MATCH (n) /* a */ WHERE n.x = '\\u00B0' // b\nRETURN n")
    assert checked.text == "MATCH (n) WHERE n.x = '°' RETURN n LIMIT 1001"
    assert checked.source.original.startswith("MATCH (n) /* a */")


def test_columns_keep_the_names_that_the_author_sees() -> None:
    checked = check("MATCH (n) RETURN count( n ), n.set, n.name")
    assert checked.columns == ("count( n )", "n.set", "n.name")
    assert "count(n) AS `count( n )`, n.`set` AS `n.set`, n.name LIMIT" in checked.text


def test_the_gate_is_content_with_what_it_let_pass() -> None:
    for text in (
        "MATCH (n) RETURN n",
        "MATCH (n) RETURN n.x LIMIT $n",
        "RETURN 1 AS x UNION RETURN 2 AS x",
        "MATCH (a)-[*]->(b) RETURN count( b )",
    ):
        once = check(text)
        assert check(once.text).text == once.text


def test_what_only_cypher_25_has_is_sent_with_that_version() -> None:
    for text in ("RETURN 1 AS x NEXT RETURN x", "MATCH (n) FILTER n.x RETURN n", "RETURN s'a' AS x"):
        assert check(text).text.startswith("CYPHER 25 ")
    assert check("MATCH (n) RETURN n").text.startswith("MATCH")
    assert check("CYPHER 5 MATCH (n) RETURN n").text.startswith("CYPHER 5 MATCH")
    assert check("MATCH (n) FILTER n.x RETURN n", dialect="kglite").text.startswith("MATCH")


def test_explain_is_told() -> None:
    assert check("EXPLAIN MATCH (n) RETURN n").explain


# What is refused


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("RETURN genai.vector.encode('x') AS v", "function"),
        ("RETURN apoc.cypher.runFirstColumnSingle('CREATE (n)', {}) AS v", "function"),
        ("MATCH (n) WHERE apoc.util.sleep(1) IS NULL RETURN n", "function"),
        ("RETURN s'{ai.text.completion(\"x\")}' AS t", "function"),
        ("MATCH (n {x: ai.text.embed('x')}) RETURN n", "function"),
        ("MATCH (n)-[r WHERE file() = 'x']->() RETURN n", "function"),
        ("RETURN linenumber() AS l", "function"),
        ("RETURN graph.names() AS g", "function"),
        ("MATCH (n:$(ai.text.completion('x'))) RETURN n", "function"),
        ("RETURN 1 AS x ORDER BY ai.text.completion('x')", "function"),
        ("RETURN 1 AS x LIMIT ai.text.completion('x')", "function"),
        ("RETURN [x IN [1] | ai.f(x)] AS a", "function"),
        ("RETURN reduce(a = 0, x IN [1] | ai.f(x)) AS a", "function"),
        ("MATCH (n) RETURN n {x: ai.f(1)} AS a", "function"),
        ("RETURN `ai`.`text`.`embed`('x') AS a", "function"),
        ("CALL db.labels()", "procedure"),
        ("RETURN COUNT { CALL db.labels() YIELD label RETURN label } AS c", "procedure"),
        ("CALL { CALL apoc.load.json('x') YIELD value RETURN value } RETURN value", "procedure"),
        ("RETURN EXISTS { USE other MATCH (n) RETURN n } AS c", "other-graph"),
        ("CALL { USE other MATCH (n) RETURN n } RETURN n", "other-graph"),
        ("USE other { MATCH (n) RETURN n }", "other-graph"),
        ("RETURN COLLECT { LOAD CSV FROM 'x' AS l RETURN l } AS c", "outside-data"),
        ("CYPHER planner=cost debug=true MATCH (n) RETURN n", "option"),
        ("CYPHER runtime=`slotted CREATE (n) //` MATCH (n) RETURN n", "syntax"),
        ("CYPHER `runtime`=slotted MATCH (n) RETURN n", ""),
        ("CYPHER `runtime=slotted CREATE (n) //`=x MATCH (n) RETURN n", "option"),
        ("EXPLAIN CREATE (n)", "write"),
        ("CYPHER 25 MATCH (n) DELETE n", "write"),
        ("RETURN 1 AS x NEXT MATCH (n) DELETE n", "write"),
        ("WHEN true THEN RETURN 1 AS x ELSE CREATE (n)", "write"),
        ("RETURN 1 AS x UNION MATCH (n) SET n.x = 1 RETURN 2 AS x", "write"),
        ("MATCH (n) FOREACH (x IN [1] | SET n.x = x)", "write"),
        ("MATCH (n) WHERE EXISTS { MERGE (m) } RETURN n", "write"),
    ],
)
def test_what_is_not_allowed_is_found_wherever_it_hides(text: str, code: str) -> None:
    assert code_of(text) == code


HARMFUL = "x` DETACH DELETE n // ' \" */ \\ $ ` ``"


@pytest.mark.parametrize(
    "place",
    [
        "MATCH ({}) RETURN 1 AS one", "MATCH (n:{}) RETURN n", "MATCH ()-[r:{}]->() RETURN r", "MATCH (n) RETURN n.{}",
        "MATCH (n) RETURN n AS {}", "MATCH (n) RETURN {{{}: 1}} AS m", "MATCH (n) WHERE n:{} RETURN n", "RETURN ${}",
        "UNWIND [1] AS {} RETURN 1 AS one", "MATCH (n) USING INDEX n:{}(x) RETURN n", "MATCH (n) RETURN n {{.{}}} AS m",
        "MATCH (n) CALL ({}) {{ RETURN 1 AS one }} RETURN one", "LET {} = 1 RETURN 1 AS one", "MATCH {} = (n) RETURN n",
        "RETURN [{} IN [1] | 1] AS l", "RETURN reduce({} = 0, i IN [1] | i) AS r", "RETURN all({} IN [1] WHERE x) AS r",
        "MATCH (n) SEARCH n IN (VECTOR INDEX {} FOR 1 LIMIT 1) SCORE AS s RETURN n",
    ],
)  # fmt: skip
def test_a_name_that_tries_to_leave_its_quotes_stays_a_name(place: str) -> None:
    quoted = "`" + HARMFUL.replace("`", "``") + "`"
    assert quoted in check(place.format(quoted)).text


def test_a_tree_whose_text_would_read_differently_is_not_sent() -> None:
    parsed = parse("CYPHER runtime=slotted MATCH (n) RETURN n")
    option = QueryOption("runtime", "slotted CREATE (n) //")
    for statement in (
        parsed.statement.changed(options=(option,)),
        parsed.statement.changed(version="25 MATCH (n) RETURN n; CYPHER"),
        parsed.statement.changed(options=(QueryOption("runtime", "slotted explain"),)),
    ):
        with pytest.raises(QueryError):
            faithful_text(statement, parsed.source)
    assert faithful_text(parsed.statement, parsed.source) == parsed.source.text


def test_a_string_that_tries_to_leave_its_quotes_stays_a_string() -> None:
    for inner in (
        "' DELETE n //",
        '" DELETE n //',
        "\\' DELETE n //",
        "*/ DELETE n /*",
        "\n\r\t\b\f\\",
        "'\"\\",
    ):
        written = "'" + inner.replace("\\", "\\\\").replace("'", "\\'") + "'"
        checked = check(f"RETURN {written} AS x")
        item = checked.tree.query.stages[0].branches[0].clauses[0].projection.items[0]  # type: ignore[attr-defined]
        assert item.expression.value == inner


def test_names_that_merely_look_like_clauses_are_no_reason() -> None:
    for text in (
        "MATCH (n:`DELETE`) RETURN n",
        "MATCH (set:Set)-[:CONTAINS]->(create) RETURN set.merge AS delete, create",
        "MATCH (n) WHERE n.t = 'x; DETACH DELETE n //' RETURN n",
        "MATCH (n) RETURN {delete: 1, set: 2, load: 3} AS remove",
        "MATCH (n {call: 1, use: $drop}) RETURN n.foreach",
    ):
        assert code_of(text) == ""


def test_an_operator_allows_procedures_functions_and_graphs_by_name() -> None:
    policy = GatePolicy(
        allow_procedures=("db.labels", "apoc.meta.*"),
        allow_functions=("apoc.text.clean",),
        allow_graphs=("movies", "shop.sales"),
    )
    for text in (
        "CALL db.labels() YIELD label RETURN label",
        "CALL db.`labels`() YIELD label RETURN label",
        "CALL apoc.meta.schema() YIELD value RETURN value",
        "RETURN apoc.text.clean('x') AS x",
        "USE movies MATCH (n) RETURN n",
        "USE shop.sales MATCH (n) RETURN n",
    ):
        assert code_of(text, policy=policy) == "", text
    for text, code in (
        ("CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey", "procedure"),
        ("CALL DB.LABELS() YIELD label RETURN label", "procedure"),
        ("CALL `db.labels`() YIELD label RETURN label", "procedure"),
        ("CALL apoc.metadata.x()", "procedure"),
        ("RETURN apoc.text.CLEAN('x') AS x", "function"),
        ("USE `shop.sales` MATCH (n) RETURN n", "other-graph"),
        ("USE Movies MATCH (n) RETURN n", "other-graph"),
    ):
        assert code_of(text, policy=policy) == code, text


def test_a_refused_name_comes_with_the_right_one() -> None:
    with pytest.raises(QueryRefusedError) as caught:
        check("RETURN toLowercase('X') AS x")
    assert "Did you mean toLower?" in str(caught.value)
    with pytest.raises(QueryRefusedError) as caught:
        check("CALL DB.labels()", policy=GatePolicy(allow_procedures=("db.labels",)))
    assert "write db.labels" in str(caught.value)
    with pytest.raises(QueryRefusedError) as caught:
        check("CALL db.labels()")
    assert "It only reads; an operator can put it on allow_procedures." in str(caught.value)


# Size and shape of the text


def test_a_text_beyond_the_limit_is_not_even_read() -> None:
    assert code_of("RETURN '" + "x" * 65_536 + "'") == "too-long"
    assert code_of("RETURN '" + "é" * 32_768 + "'") == "too-long"
    assert code_of("RETURN '" + "x" * 1_000 + "'", policy=GatePolicy(longest_text=1_000)) == "too-long"
    assert code_of("RETURN '" + "x" * 60_000 + "' AS x") == ""


def test_half_a_character_is_an_error() -> None:
    with pytest.raises(QuerySyntaxError):
        check("RETURN '\ud83d'")


def test_an_unknown_language_or_dialect_is_an_error() -> None:
    assert code_of("RETURN 1", language="sql") == "language"
    with pytest.raises(SettingsError):
        check("RETURN 1", dialect="oracle")


def test_too_deep_a_tree_is_refused_even_where_the_stack_is_almost_full() -> None:
    nested = "RETURN " + "(" * 60 + "a" + ".b" * 60 + ")" * 60

    def at_depth(depth: int) -> str:
        return at_depth(depth - 1) if depth else code_of(nested)

    assert at_depth(800) in ("", "too-deep")


# Dialects


@pytest.mark.parametrize("dialect", ["neo4j", "memgraph", "neptune", "falkordb", "kglite", "ladybug", "age"])
def test_plain_reading_passes_and_writing_is_refused_in_every_dialect(dialect: str) -> None:
    reads = (
        "MATCH (p:Person)-[r:KNOWS]->(q) WHERE p.age > 30 AND q.name STARTS WITH 'A' "
        "WITH q, count(r) AS c ORDER BY c DESC LIMIT 3 OPTIONAL MATCH (q)-->(z) RETURN q.name AS name, c, z"
    )
    assert code_of(reads, dialect=dialect) == ""
    for text in (
        "CREATE (n)",
        "MATCH (n) DELETE n",
        "MATCH (n) SET n.x = 1",
        "MERGE (n)",
        "LOAD CSV FROM 'x' AS l RETURN l",
    ):
        assert code_of(text, dialect=dialect) in ("write", "outside-data")


@pytest.mark.parametrize(
    ("text", "dialects"),
    [
        ("MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m.x } AS c", {"neo4j"}),
        (
            "MATCH (n) WHERE EXISTS { MATCH (n)-->(m) } RETURN n",
            {"neo4j", "kglite", "memgraph", "neptune", "ladybug", "age"},
        ),
        ("MATCH (a)-[:X *BFS ..5]->(b) RETURN b", {"memgraph", "ladybug"}),
        ("MATCH p = shortestPath((a)-[:X*..4]->(b)) RETURN p", {"neo4j", "kglite", "falkordb"}),
        ("MATCH (a)-[:X]->{1,3}(b) RETURN b", {"neo4j"}),
        ("RETURN list_transform([1], x -> x) AS a", {"ladybug"}),
        ("RETURN 1 AS x NEXT RETURN x", {"neo4j"}),
        ("CALL { MATCH (n) RETURN n } RETURN n", {"neo4j", "kglite", "memgraph", "neptune", "falkordb"}),
    ],
)
def test_a_construct_is_allowed_where_the_engine_has_it(text: str, dialects: set[str]) -> None:
    for dialect in ("neo4j", "memgraph", "neptune", "falkordb", "kglite", "ladybug", "age"):
        expected = "" if dialect in dialects else ("unsupported", "function")
        assert code_of(text, dialect=dialect) in expected or code_of(text, dialect=dialect) == expected, (
            dialect
        )


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n)",
        "EXPLAIN MATCH (n)",
        "MATCH (n) WITH n",
        "MATCH (n) WITH n WHERE n.x = 1",
        "UNWIND [1] AS x",
        "MATCH (n) RETURN n UNION MATCH (n)",
        "{ MATCH (n) }",
        "WHEN true THEN MATCH (n) ELSE RETURN 1 AS x",
        "RETURN 1 AS x NEXT LET y = x",
    ],
)
def test_a_query_that_would_give_nothing_is_told_that_return_is_missing(text: str) -> None:
    with pytest.raises(QuerySyntaxError, match="cannot end with this clause") as caught:
        check(text)
    assert caught.value.advice == "Add RETURN."


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) FINISH",
        "MATCH (n) WHERE EXISTS { MATCH (n)-->() } RETURN COUNT { MATCH (m) } AS c",
        "CALL db.labels()",
        "CALL db.labels() YIELD label",
    ],
)
def test_what_needs_no_return_passes(text: str) -> None:
    assert check(text, policy=GatePolicy(allow_procedures=("db.labels",))).text
