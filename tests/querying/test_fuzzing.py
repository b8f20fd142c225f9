"""Whatever is thrown at it, the gate gives a verdict; and no disguise changes it.

``ASKGRAPH_FUZZ`` multiplies the number of examples: 1 (the default) is made for every run of the tests, 20 by hand.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.querying.cases import CASES, gate_cases, policy_of
from tests.querying.mutations import SEPARATORS, WRAPPERS, escaped, recased, respaced
from tests.querying.test_gate import code_of

from askgraph.querying import check
from askgraph.querying.cypher.parser import parse
from askgraph.querying.cypher.printer import text_of
from askgraph.querying.tokens import words

FACTOR = int(os.environ.get("ASKGRAPH_FUZZ", "1"))
HAVE_CASES = CASES.is_file()
NEED_CASES = pytest.mark.skipif(
    not HAVE_CASES, reason=f"the labelled gate cases are not in {CASES}; set ASKGRAPH_GATE_CASES to the file"
)
ALL = gate_cases("cypher") if HAVE_CASES else [{"query": "", "dialect": "neo4j", "verdict": ""}]
ALLOWED = [case for case in ALL if case["verdict"] in ("allow", "")]
REJECTED = [case for case in ALL if case["verdict"] in ("reject", "") and "policy" not in case]


def examples(count: int) -> settings:
    return settings(
        max_examples=count * FACTOR,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )


@NEED_CASES
@examples(1_500)
@given(st.data())
def test_an_allowed_query_stays_allowed_under_changes_that_keep_its_meaning(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(ALLOWED))
    policy = policy_of(case)
    original = check(case["query"], dialect=case["dialect"], policy=policy)
    text = case["query"]
    for change in data.draw(st.lists(st.sampled_from((respaced, recased, escaped)), min_size=1, max_size=2)):
        text = data.draw(change(text))
    changed = check(text, dialect=case["dialect"], policy=policy)
    assert changed.capped_in_text == original.capped_in_text
    assert changed.notes == original.notes


@NEED_CASES
@examples(1_500)
@given(st.data())
def test_a_rejected_query_stays_rejected_under_any_disguise(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(REJECTED))
    text = case["query"]
    for change in data.draw(st.lists(st.sampled_from((respaced, recased, escaped)), max_size=2)):
        text = data.draw(change(text))
    if "syntax" not in case["tags"]:
        text = data.draw(st.sampled_from(WRAPPERS))(text)
    assert code_of(text, dialect=case["dialect"], policy=policy_of(case))


PIECES = [
    *words(
        """MATCH (n) -[r:R*1..2]-> --> WHERE n.x = 1 's' $p RETURN n AS a WITH * , { } ( ) [ ] | IN x CALL EXISTS UNION
        CASE WHEN THEN END NOT - + IS NULL :: INTEGER LIMIT UNWIND s'a{ }' `q` . .. ; < ALL SHORTEST count( reduce( NEXT
        DELETE SET CREATE ' ` /* // \\u0041 USE SEARCH FOR LET"""
    ),
    "(n:A {x: 1})",
    "ORDER BY",
    "LOAD CSV",
    *SEPARATORS,
]


@examples(1_000)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join))
def test_pieces_of_cypher_in_any_order_get_a_verdict(text: str) -> None:
    code_of(text)


@examples(500)
@given(st.text(max_size=200))
def test_any_text_gets_a_verdict(text: str) -> None:
    code_of(text)


# A grammar of its own, to make queries that nobody wrote.

NAMES = st.sampled_from(["n", "m", "x", "`a b`", "match", "`set`", "größe"])
ATOMS = st.one_of(
    NAMES,
    st.integers(-5, 2**63 - 1).map(str),
    st.sampled_from(
        ["1.5", "'it\\'s'", '"q"', "$p", "TRUE", "null", "[]", "{}", "count(*)", "n.x", "$`p q`", "(n)-->(m)"]
    ),
)


def _combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operator = st.sampled_from(
        [
            "+",
            "-",
            "*",
            "/",
            "%",
            "^",
            "=",
            "<>",
            "<",
            ">=",
            "AND",
            "OR",
            "XOR",
            "IN",
            "STARTS WITH",
            "=~",
            "||",
        ]
    )
    return st.one_of(
        st.builds("({} {} {})".format, inner, operator, inner),
        st.builds("{} {} {}".format, inner, operator, inner),
        st.builds("NOT {}".format, inner),
        st.builds("{} IS NOT NULL".format, inner),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("{{k: {}, `l m`: {}}}".format, inner, inner),
        st.builds("coalesce({}, {})".format, inner, inner),
        st.builds("[x IN {} WHERE {} | {}]".format, inner, inner, inner),
        st.builds("CASE WHEN {} THEN {} ELSE {} END".format, inner, inner, inner),
        st.builds("n {{.x, y: {}}}".format, inner),
        st.builds("({})[{}..]".format, inner, inner),
        st.builds("all(x IN {} WHERE {})".format, inner, inner),
        st.builds("EXISTS {{ (n)-[r:A|B]->(m) WHERE {} }}".format, inner),
        st.builds("COUNT {{ MATCH (n {{x: {}}}) RETURN n }}".format, inner),
        st.builds("s'a{{{}}}b'".format, inner),
    )


EXPRESSIONS = st.recursive(ATOMS, _combined, max_leaves=12)


@examples(500)
@given(EXPRESSIONS, EXPRESSIONS)
def test_what_is_printed_says_the_same_as_what_was_read(condition: str, value: str) -> None:
    text = f"MATCH (n)-[r]->(m) WHERE {condition} RETURN {value} AS v ORDER BY {value} DESC"
    statement = parse(text).statement
    printed = text_of(statement)
    assert parse(printed).statement == statement
