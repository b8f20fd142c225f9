"""Regular expressions that may backtrack for ever are told from those that may not."""

from __future__ import annotations

import re
import time

import pytest

from askgraph.querying.regular_expressions import may_backtrack_forever

HARMFUL = [
    "(a+)+$",
    "(a*)*b",
    "([a-z]+)*!",
    "(?:x+y?)+z",
    "((ab)*)+c",
    "(a|a)*b",
    "(a|ab)*c",
    "(.|x)+y",
    "(.*a){20}",
    "(?<name>a+)+",
    r"(\w+\s?)*$",
    "(a+){2,}",
    "([[a]b]+)+",
    "x" * 2_000,
    "(a+a+ )+$",
    "(a+ ?)+$",
    "([a-z]+[a-z ])+$",
    r"(\w+[-_])+$",
    "(.+,)*$",
    "([^ ]+,)*$",
    "(?i)([a-z]+Z)*$",
    "([a-z]+,|[a-z]+;|[a-z]+,)*$",
    "(a+b{0,1})*$",
    "((a+),?)*$",
    "(a+^)*$",
    r"(\W+ )*$",
]
HARMLESS = [
    "([A-Z][a-z]+ )+[A-Z][a-z]+",
    r"^[\w.+-]+@([a-zA-Z0-9-]+\.)+[a-zA-Z]{2,}$",
    r"@(\w+\.)+\w{2,4}",
    r"(\d+,)*\d+",
    "(,[a-z]+)*",
    "([^,]+,)*x",
    r"(\s+x)+$",
    r"(\S+ )+$",
    "(ab*c)+d",
    "(?i).*matrix.*",
    ".*foo.*bar.*",
    "a+b+c+",
    "(foo|bar)*",
    "(ab)+",
    "[a-z]+@[a-z]+",
    "(a+){2}",
    "(a+)?",
    r"\(a+\)+",
    r"[(a+)]+",
    "[^]]+",
    "^(Mr|Ms) .+$",
    "x{2,3}",
    "a{b",
    "(",
    "[",
    "\\",
    ")",
    "",
]


@pytest.mark.parametrize("pattern", HARMFUL)
def test_harmful(pattern: str) -> None:
    assert may_backtrack_forever(pattern)


@pytest.mark.parametrize("pattern", HARMLESS)
def test_harmless(pattern: str) -> None:
    assert not may_backtrack_forever(pattern)


def test_what_is_called_harmless_is_fast_on_a_text_made_to_be_slow() -> None:
    text = "a" * 60 + "!"
    for pattern in HARMLESS:
        try:
            compiled = re.compile(pattern)
        except re.error:
            continue
        began = time.process_time()
        compiled.match(text)
        assert time.process_time() - began < 0.5, pattern
