"""Changes of a Cypher text that keep what it means, or keep it as harmful as it was."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from askgraph.core.errors import QueryError
from askgraph.querying.cypher.escapes import decode_escapes
from askgraph.querying.cypher.lexer import tokenize
from askgraph.querying.tokens import END, Token

SEPARATORS = (
    " ", "\t", "\n", "\r", "\r\n", "\u00a0", "\u2003", "\u2028", "\x1c", "\u3000", "  \n  ", "/**/", "/* DELETE n */",
    "/* /* */", "// CREATE (n)\n", "// it's\r", "/* ` */", '/* " */', "//*\n", "/*//*/",
)  # fmt: skip
"""What separates tokens and means nothing."""


@st.composite
def respaced(draw: st.DrawFn, text: str) -> str:
    """Other white space and comments between the tokens, and at the ends."""
    chance = _chance(draw)
    tokens = _tokens(text)
    parts: list[str] = []
    position = 0
    for token in tokens:
        gap = text[position : token.start]
        if token.key.startswith("<text") or (parts and _inside_string(tokens, token)):
            parts.append(gap)
        elif chance.random() < 0.3 and (gap or _may_part(text, token)):
            parts.append(gap + chance.choice(SEPARATORS))
        else:
            parts.append(gap)
        parts.append(text[token.start : token.end])
        position = token.end
    return "".join(parts) + text[position:]


@st.composite
def recased(draw: st.DrawFn, text: str) -> str:
    """Words in other letters, but for names of procedures, whose case matters."""
    chance = _chance(draw)
    parts: list[str] = []
    position, in_name = 0, False
    for token in _tokens(text):
        parts.append(text[position : token.start])
        word = text[token.start : token.end]
        if token.is_name and word.isascii() and not word.startswith("`") and not in_name:
            word = "".join(chance.choice((letter.upper(), letter.lower())) for letter in word)
        in_name = token.key == "CALL" or (in_name and (token.is_name or token.key == "."))
        parts.append(word)
        position = token.end
    return "".join(parts) + text[position:]


@st.composite
def escaped(draw: st.DrawFn, text: str) -> str:
    """Characters beyond ASCII as escapes."""
    chance = _chance(draw)
    return "".join(
        f"\\u{ord(character):04X}" if 0x7F < ord(character) <= 0xFFFF and chance.random() < 0.5 else character
        for character in text
    )


def _chance(draw: st.DrawFn) -> Random:
    """One draw instead of one for every letter: these texts are long."""
    return Random(draw(st.integers(0, 2**32)))


WRAPPERS: tuple[Callable[[str], str], ...] = (
    lambda text: f"CALL {{ {text}\n}} RETURN 1 AS one",
    lambda text: f"MATCH (n) CALL (n) {{ {text}\n}} RETURN n",
    lambda text: f"RETURN COLLECT {{ {text}\n}} AS c",
    lambda text: f"MATCH (n) WHERE EXISTS {{ {text}\n}} RETURN n",
    lambda text: f"RETURN 1 AS one UNION {text}",
    lambda text: f"RETURN 1 AS one NEXT {text}",
    lambda text: f"WHEN true THEN {{ {text}\n}}",
    lambda text: f"{{ {text}\n}}",
    lambda text: f"EXPLAIN {text}",
    lambda text: f"CYPHER 25 {text}",
    lambda text: f"RETURN 1 AS one; {text}",
    lambda text: f"/* x */ {text} ;",
)
"""Where a text can be put without becoming harmless."""


def _tokens(text: str) -> list[Token]:
    """The tokens of a text; none where it cannot be taken apart, or where escapes move them."""
    try:
        source = decode_escapes(text)
        return [token for token in tokenize(source) if token.key != END] if source.text == text else []
    except QueryError:
        return []


def _inside_string(tokens: list[Token], token: Token) -> bool:
    """Whether a token stands in an interpolated string, whose text is not to be touched."""
    return any(other.key == "<text-open>" for other in tokens) and token.key != END


def _may_part(text: str, token: Token) -> bool:
    """Whether something may stand before a token that follows another directly."""
    before, first = text[token.start - 1 : token.start], text[token.start : token.start + 1]
    return not (before + first) or not (
        (before.isalnum() or before in "_$") and (first.isalnum() or first in "_$")
    )
