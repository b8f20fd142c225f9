"""The W3C's suites for SPARQL 1.0 and 1.1: every valid query is read, nothing else is.

There are no exceptions among the valid queries of either suite. What SPARQL 1.2 adds is refused and said to be 1.2's.
"""

from __future__ import annotations

from collections import Counter

import pytest
from tests.querying.sparql.w3c import INVALID_KINDS, QUERY_KINDS, UPDATE_KINDS, w3c_tests

from askgraph.core.errors import QueryError, QuerySyntaxError
from askgraph.querying.sparql.parser import parse
from askgraph.querying.sparql.printer import text_of

NOTHING_TO_DO = {"syntax-update-38.ru", "syntax-update-39.ru", "syntax-update-40.ru"}
"""Updates without an operation: no query either."""

DIFFERENT_IN_12 = {
    # 1.2 knows codepoint escapes in strings and IRIs only, where they never end anything.
    "codepoint-esc-01-bad.rq",
    "codepoint-esc-03-bad.rq",
    "codepoint-esc-08.rq",
    "codepoint-esc-09.rq",
    # In 1.2 grouping hides the variables of the pattern, so that their names are free.
    "group-by-scope-1.rq",
}
"""Where 1.2 and 1.1, which is read here, contradict each other. (The gate refuses escapes for ASCII characters.)"""


@pytest.mark.parametrize(("suite", "least"), [("sparql10", 420), ("sparql11", 360)])
def test_every_valid_query_is_read_and_printed_back(suite: str, least: int) -> None:
    refused = []
    tests = w3c_tests(suite, QUERY_KINDS)
    for test in tests:
        try:
            query = parse(test.text).query
        except QueryError as error:
            refused.append(f"{test.place}: {error}")
            continue
        printed = text_of(query)
        assert parse(printed).query == query, test.place
        assert text_of(parse(printed).query) == printed, test.place
    assert len(tests) >= least
    assert refused == []


@pytest.mark.parametrize(("suite", "least"), [("sparql10", 50), ("sparql11", 47)])
def test_every_query_that_the_suites_call_invalid_is_refused(suite: str, least: int) -> None:
    accepted = []
    tests = w3c_tests(suite, INVALID_KINDS)
    for test in tests:
        try:
            parse(test.text)
            accepted.append(test.place)
        except QuerySyntaxError:
            pass
    assert len(tests) >= least
    assert accepted == []


def test_every_update_is_refused_because_it_is_one() -> None:
    tests = w3c_tests("sparql11", UPDATE_KINDS)
    assert len(tests) >= 140
    for test in tests:
        with pytest.raises(QuerySyntaxError) as caught:
            parse(test.text)
        if test.path.name not in NOTHING_TO_DO:
            assert caught.value.code == "update", test.place


def test_what_sparql_12_adds_is_said_to_be_unsupported() -> None:
    codes: list[str] = []
    for test in w3c_tests("sparql12", QUERY_KINDS):
        if test.path.name not in DIFFERENT_IN_12:
            try:
                parse(test.text)
                codes.append("read")
            except QuerySyntaxError as error:
                codes.append(error.code)
    assert Counter(codes) == {"read": 17, "unsupported": 141}


def test_what_sparql_12_calls_invalid_is_refused_but_where_11_allows_it() -> None:
    for test in w3c_tests("sparql12", (*INVALID_KINDS, *UPDATE_KINDS)):
        if test.path.name not in DIFFERENT_IN_12:
            with pytest.raises(QuerySyntaxError):
                parse(test.text)
