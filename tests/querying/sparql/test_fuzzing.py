"""Whatever is thrown at it, the gate gives a verdict on SPARQL; and no disguise changes it."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.querying.sparql.generated import PROLOGUE, QUERIES, examples
from tests.querying.sparql.mutations import SEPARATORS, WRAPPERS, escaped, recased, respaced
from tests.querying.sparql.own_cases import ALLOWED, REFUSED
from tests.querying.sparql.test_gate import code_of, let_through

from askgraph.querying.tokens import words

CHANGES = st.lists(st.sampled_from((respaced, recased, escaped)), min_size=1, max_size=2)
SEEDS = st.integers(0, 2**32)
HARMFUL = (
    "SERVICE <http://127.0.0.1:9/> { ?a ?b ?c }", "SERVICE SILENT ?e { }", "?a <java:x> ?b",
    "FILTER(<http://ex.org/f>(?a))", "GRAPH <file:///x> { ?a ?b ?c }", "BIND(<bif:system>('x') AS ?z)",
    "?a <http://www.bigdata.com/queryHints#optimizer> 'None'", "[ <java:x> ( 1 ) ]", "?a (<http://p>/^<java:x>)* 1",
)  # fmt: skip


@examples(1_000)
@given(st.sampled_from(ALLOWED), CHANGES, SEEDS)
def test_an_allowed_query_stays_allowed_under_changes_that_keep_its_meaning(case, changes, seed: int) -> None:
    text, chance = case.text, Random(seed)
    for change in changes:
        text = change(text, chance)
    assert let_through(text).text == let_through(case.text).text


@examples(1_000)
@given(st.sampled_from(REFUSED), CHANGES, SEEDS)
def test_a_refused_query_stays_refused_under_any_disguise(case, changes, seed: int) -> None:
    text, chance = case.text, Random(seed)
    for change in changes:
        text = change(text, chance)
    assert code_of(text)


@examples(1_000)
@given(st.sampled_from(HARMFUL), st.sampled_from(WRAPPERS), CHANGES, SEEDS)
def test_a_harmful_pattern_is_found_wherever_it_is_put(pattern: str, wrapper, changes, seed: int) -> None:
    text, chance = wrapper(pattern), Random(seed)
    for change in changes:
        text = change(text, chance)
    assert code_of(text) in ("outside-data", "other-graph", "function", "option")


@examples(500)
@given(QUERIES)
def test_queries_that_nobody_wrote_get_a_verdict(text: str) -> None:
    code_of(PROLOGUE + text)


PIECES = [
    *words(
        """SELECT * ASK CONSTRUCT { } WHERE ?x $y a <http://p> ex:p 'x' "y"@en 1 -2.5 . ; , ( ) [ ] OPTIONAL UNION
        FILTER BIND AS VALUES UNDEF SERVICE FROM GRAPH GROUP BY ORDER LIMIT 3 COUNT( EXISTS PREFIX ex: BASE ^ / | * + ?
        ! && < INSERT DATA DROP ALL ' \\u0041 _:b # ^^ <<"""
    ),
    *SEPARATORS,
]


@examples(1_000)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join))
def test_pieces_of_sparql_in_any_order_get_a_verdict(text: str) -> None:
    code_of(text)


@examples(500)
@given(st.text(max_size=200))
def test_any_text_gets_a_verdict(text: str) -> None:
    code_of(text)
