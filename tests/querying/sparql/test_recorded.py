"""Texts that models and people wrote: what is SPARQL is read, what is not is refused as the engine refuses it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from tests.querying.sparql.recorded import challenge_answers, recorded_predictions

from askgraph.core.errors import QuerySyntaxError
from askgraph.querying.sparql.parser import parse
from askgraph.querying.sparql.printer import text_of

pyoxigraph = pytest.importorskip("pyoxigraph", reason="the embedded engine, pyoxigraph, is not installed")

GOES_OUT = re.compile(r"(?<![?$:\w])SERVICE\s+(SILENT\s+)?[^\s{]+\s*\{", re.IGNORECASE)


def verdict(text: str) -> str:
    try:
        query = parse(text).query
    except QuerySyntaxError as error:
        return error.code
    assert parse(text_of(query)).query == query
    return "read"


def engine_reads(text: str) -> bool:
    """Whether the embedded engine takes a text for a query; its store is empty."""
    assert not GOES_OUT.search(text), "such a query must not be run"
    try:
        pyoxigraph.Store().query(text)
    except SyntaxError:
        return False
    return True


def test_every_recorded_prediction_is_read() -> None:
    verdicts = Counter(verdict(text) for text in recorded_predictions())
    assert verdicts == {"read": 143}


def test_the_texts_of_the_challenge_are_read_where_the_engine_reads_them() -> None:
    verdicts: Counter[str] = Counter()
    stricter = []
    for texts in challenge_answers().values():
        for text in texts:
            code = verdict(text)
            verdicts[code] += 1
            if (code == "read") != engine_reads(text):
                stricter.append(code)
    assert verdicts == {"read": 292, "prefix": 53, "syntax": 20, "aggregate": 3, "scope": 1}
    # (MIN(?weight) AS ?weight), which SPARQL 1.1 forbids and this engine does not.
    assert stricter == ["scope"]
