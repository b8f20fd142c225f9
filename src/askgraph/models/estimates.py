"""How many tokens a text is, where the tokenizer of a model is not at hand: a little too many rather than too few.

Tokenizers cut the English of their training into pieces of some four characters, and what they know less of (other
scripts, digits, punctuation, identifiers) into shorter ones. The estimate counts words, digits, marks and characters
beyond ASCII apart, at the rates of the least economical tokenizer of several (``tests/models/test_estimates.py``).
"""

from __future__ import annotations

import math
import re

# What a chat template puts round a message: its role and its marks.
TOKENS_PER_MESSAGE = 8
TOKENS_PER_REQUEST = 8

_PIECES = re.compile(
    r"(?P<word>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<blank>\s+)|(?P<mark>[!-/:-@\[-`{-~]+)|(?P<other>.)",
    re.DOTALL,
)


def estimated_tokens(text: str) -> int:
    """An upper estimate of the tokens of a text for an unknown tokenizer."""
    count = 0.0
    for match in _PIECES.finditer(text):
        piece, kind = match[0], match.lastgroup
        if kind == "word":
            count += _word(piece)
        elif kind in ("digits", "mark"):
            count += len(piece)
        elif kind == "blank":
            # One blank goes with the word after it.
            count += 0.0 if piece == " " else math.ceil(len(piece) / 4)
        else:
            count += _beyond_ascii(piece)
    return math.ceil(count)


def _word(word: str) -> float:
    if word.islower() or word.istitle():
        return max(1.0, len(word) / 4)
    # Capitals and camel case are cut at nearly every change.
    return max(1.0, len(word) / 2)


def _beyond_ascii(character: str) -> float:
    # No tokenizer takes more tokens than bytes for a character; those that see it often take about one.
    return (
        1.0
        if character.isalpha() and ord(character) < 0x500
        else float(min(3, len(character.encode("utf-8", "replace"))))
    )
