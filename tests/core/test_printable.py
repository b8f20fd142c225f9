from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from tests.made_answers import any_text

from askgraph.core.printable import printable, shortened


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("  several\n\n lines\tand tabs ", "several lines and tabs"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b2J", "\\x9b2J"),
        ("a\u202eb", "a\\u202eb"),
        ("half \ud800", "half \\ud800"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("Müller 漢字 🙂", "Müller 漢字 🙂"),
        # Joiners belong to Persian words and to pictures of families.
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_what_steers_a_terminal_is_shown_and_not_obeyed(text, shown):
    assert printable(text) == shown


@given(any_text)
def test_nothing_printable_is_a_control_character(text):
    shown = printable(text)
    assert not [
        character for character in shown if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
    ]
    assert printable(shown) == shown


def test_a_long_identifier_keeps_its_beginning_and_its_end():
    assert shortened("http://example.org/a/very/long/identifier", 20) == "http://exampl…tifier"
    assert shortened("short", 20) == "short"
    assert len(shortened("x" * 100, 20)) == 20
    assert shortened("x" * 100, 1) == "…"
