"""How many tokens a text is, where the tokenizer of a model is not at hand: a little too many rather than too few.

Tokenizers cut the words of the English of their training into pieces of four characters and more, and what they know
less of (long compounds, capitals, digits, other scripts) into shorter ones. The estimate counts each kind at the rate
of the less economical of two small tokenizers, WordPiece with 30,000 pieces and byte pairs with 49,000. Those of large
models have three to six times as many pieces, and cut less. ``tests/models/test_estimates.py`` compares.
"""

from __future__ import annotations

import math
import re

# What a chat template puts round a message: its role and its marks.
TOKENS_PER_MESSAGE = 8
TOKENS_PER_REQUEST = 8

_PIECES = re.compile(
    r"(?P<word>[A-Z]?[a-z]+)|(?P<capitals>[A-Z]+)|(?P<single>[0-9]| (?=[0-9]))|(?P<blank>\s+)|(?P<mark>[!-/:-@\[-`{-~])"
    r"|(?P<other>[^\x00-\x7f])|(?P<control>.)",
    re.DOTALL,
)


def estimated_tokens(text: str) -> int:
    """An upper estimate of the tokens of a text for an unknown tokenizer."""
    count = 0.0
    for match in _PIECES.finditer(text):
        piece, kind = match[0], match.lastgroup
        if kind == "word":
            count += _word(len(piece))
        elif kind == "capitals":
            count += max(1.0, len(piece) / 1.4)
        elif kind == "blank":
            # One blank goes with the word after it; an indentation is one token, a line break or tab another.
            count += sum(character not in " \u00a0" for character in piece) + ("  " in piece)
        elif kind == "other":
            count += _beyond_ascii(piece)
        else:
            count += 1.0
    return math.ceil(count)


def _word(length: int) -> float:
    if length <= 4:
        return 1.0
    # Longer words are compounds, terms of a field, or of another language.
    return length / 3.8 if length <= 8 else length / 2.3


def _beyond_ascii(character: str) -> float:
    # Letters of alphabets near to Latin take about one token, others up to one a byte; no character takes more.
    size = len(character.encode("utf-8", "replace"))
    if not character.isalpha():
        return float(size)
    return 1.0 if ord(character) < 0x500 else min(size, 2.0)
