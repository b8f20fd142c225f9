"""The parser against Neo4j itself, by verdicts of 5.26 and 2026.08 that were recorded.

What the parser takes is what some version takes. Where it takes more, the fault is one of meaning (a type, a name, an
aggregate), which the server tells with the database at hand; each kind of those is listed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.querying.cases import gate_cases
from tests.querying.cypher import neo4j_verdicts
from tests.querying.cypher.neo4j_verdicts import is_valid
from tests.querying.tck import tck_queries

from askgraph.core.errors import QueryError
from askgraph.querying.cypher.parser import parse

Verdicts = tuple[str, str, str]

# Valid for a server, and refused by us.
NOT_OURS = {
    "MATCH (n) WHERE n IS NOT LABELED RETURN n": "a predicate of GQL that only Cypher 25 has, and that no label needs",
}

# Errors of meaning, which the parser leaves to the server, the schema check and the rest of the gate.
LEFT_TO_THE_SERVER = re.compile(
    r"""
    (?:SyntaxError|ProcedureNotFound|IndexNotFound|ArgumentError|TypeError):\s(?:
    # names
      Variable\s`.*?`\s(?:not\sdefined|already\sdeclared)
    | Unknown\sfunction | There\sis\sno\sprocedure | Unknown\sprocedure\soutput | 22N69:\sThe\sindex
    | Multiple\sresult\scolumns | All\ssub\squeries\sin\san\sUNION | RETURN\s\*\sis\snot\sallowed
    # types
    | Type\smismatch | Coercion\sof\slist\sto\sboolean | Parameter\smaps\scannot\sbe\sused
    # aggregates and places where something may stand
    | Illegal\saggregation | Aggregation\scolumn\scontains | Invalid\suse\sof\saggregating | Can't\suse
    | PatternExpressions\sare\snot | A\spattern\sexpression\sshould\sonly | It\sis\snot\sallowed\sto\srefer
    | In\sa\sWITH/RETURN\swith\sDISTINCT | Query\scannot\sconclude | Invalid\scombination\sof\sUNION
    | A\sCollect\sExpression\smust\send | Procedure\scall\sis\smissing\sparentheses | all\(\.\.\.\)\srequires
    # values
    | Invalid\sinput\.\s'.*?'\sis\snot\sa\svalid\svalue | The\spath\scount\sneeds | Unknown\soperation\s'!='
    # shapes of paths
    | Mixing\slabel\sexpression | A\squantifier\sfor | Variable\slength\srelationships | Juxtaposition
    | shortestPath\(\.\.\.\)\srequires | The\s`FULLTEXT\sSEARCH`\sclause
    )""",
    re.VERBOSE,
)


def recorded(source: str) -> Iterator[tuple[str, Verdicts]]:
    """Each text of a source with its verdicts."""
    verdicts = neo4j_verdicts.read(source)
    for text in texts_of(source):
        if neo4j_verdicts.can_be_planned(text):
            yield text, verdicts[neo4j_verdicts.digest(text)]


def texts_of(source: str) -> list[str]:
    if source == "constructs":
        return neo4j_verdicts.constructs()
    if source == "tck":
        return [query.text for query in tck_queries()]
    cases = gate_cases("cypher")
    return [case["query"] for case in cases if case["dialect"] == "neo4j" and case["verdict"] == "allow"]


def is_taken(text: str) -> bool:
    try:
        parse(text)
    except QueryError:
        return False
    return True


def writes(verdicts: Verdicts) -> bool:
    return any(is_valid(verdict) and verdict != "r" for verdict in verdicts)


SOURCES = pytest.mark.parametrize("source", ["constructs", "gate", "tck"])


@SOURCES
def test_every_read_that_a_server_takes_is_taken(source: str) -> None:
    refused = [
        text
        for text, verdicts in recorded(source)
        if any(map(is_valid, verdicts)) and not writes(verdicts) and not is_taken(text)
    ]
    assert [text for text in refused if text not in NOT_OURS] == []


@SOURCES
def test_nothing_that_writes_is_taken(source: str) -> None:
    assert [text for text, verdicts in recorded(source) if writes(verdicts) and is_taken(text)] == []


@SOURCES
def test_what_no_server_takes_is_refused_or_wrong_in_meaning_alone(source: str) -> None:
    taken = [
        (text, verdicts)
        for text, verdicts in recorded(source)
        if not any(map(is_valid, verdicts)) and is_taken(text)
    ]
    # An error of grammar in one version is one of meaning in another that knows the construct.
    unexplained = [
        (text, verdicts[2])
        for text, verdicts in taken
        if not any(LEFT_TO_THE_SERVER.match(verdict) for verdict in verdicts)
    ]
    assert unexplained == []


def test_a_difference_that_is_gone_is_taken_from_the_list() -> None:
    assert [text for text in NOT_OURS if is_taken(text)] == []


def test_enough_of_modern_cypher_was_asked() -> None:
    verdicts = list(neo4j_verdicts.read("constructs").values())
    valid = [said for said in verdicts if any(map(is_valid, said))]
    for_25_alone = [said for said in valid if not is_valid(said[0])]
    assert len(valid) > 180
    assert len(verdicts) - len(valid) > 80
    assert len(for_25_alone) > 10
