"""Changes of a SPARQL text that keep what it means, or keep it as harmful as it was."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from askgraph.core.errors import QueryError
from askgraph.querying.source import SourceText
from askgraph.querying.sparql.lexer import tokenize
from askgraph.querying.tokens import END, Token

SEPARATORS = (
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "  \n ",
    "# DROP ALL\n",
    "#'\n",
    '#"""\r',
    "# } SERVICE <x>\n",
    "##\n",
)
"""What separates tokens and means nothing."""

WRAPPERS: tuple[Callable[[str], str], ...] = (
    lambda pattern: f"SELECT * {{ {pattern} }}",
    lambda pattern: f"SELECT * {{ ?s ?p ?o OPTIONAL {{ {pattern} }} }}",
    lambda pattern: f"SELECT * {{ {{ ?s ?p ?o }} UNION {{ {pattern} }} }}",
    lambda pattern: f"SELECT * {{ ?s ?p ?o MINUS {{ {pattern} }} }}",
    lambda pattern: f"SELECT * {{ GRAPH ?g {{ {pattern} }} }}",
    lambda pattern: f"SELECT * {{ {{ SELECT * {{ {pattern} }} }} }}",
    lambda pattern: f"SELECT * {{ ?s ?p ?o FILTER NOT EXISTS {{ {pattern} }} }}",
    lambda pattern: f"SELECT (EXISTS {{ {pattern} }} AS ?x) {{ }}",
    lambda pattern: f"ASK {{ BIND(IF(EXISTS {{ {pattern} }}, 1, 2) AS ?x) }}",
    lambda pattern: f"CONSTRUCT {{ ?s ?p ?o }} {{ ?s ?p ?o {{ {pattern} }} }}",
    lambda pattern: f"DESCRIBE ?s {{ {{ {{ {pattern} }} }} ?s ?p ?o }}",
    lambda pattern: f"SELECT ?s {{ ?s ?p ?o }} GROUP BY ?s HAVING (EXISTS {{ {pattern} }})",
)
"""Where a harmful pattern can be put without becoming harmless."""


def respaced(text: str, chance: Random) -> str:
    """Other white space and comments between the tokens, and at the ends."""
    parts: list[str] = []
    position = 0
    for token in _tokens(text):
        gap = text[position : token.start]
        # Where nothing stood, something may join two signs into one or part a prefix from its name.
        parts.append(gap + chance.choice(SEPARATORS) if gap and chance.random() < 0.4 else gap)
        parts.append(text[token.start : token.end])
        position = token.end
    return "".join(parts) + text[position:]


def recased(text: str, chance: Random) -> str:
    """Words of the language in other letters; ``a`` has only one form."""
    parts: list[str] = []
    position = 0
    for token in _tokens(text):
        parts.append(text[position : token.start])
        word = text[token.start : token.end]
        if token.is_name and token.key != "a":
            word = "".join(chance.choice((letter.upper(), letter.lower())) for letter in word)
        parts.append(word)
        position = token.end
    return "".join(parts) + text[position:]


def escaped(text: str, chance: Random) -> str:
    """Characters beyond ASCII as escapes."""
    return "".join(
        f"\\u{ord(character):04X}" if 0x7F < ord(character) <= 0xFFFF and chance.random() < 0.5 else character
        for character in text
    )


def _tokens(text: str) -> list[Token]:
    """The tokens of a text; none where it cannot be taken apart, or where escapes move them."""
    if "\\" in text:
        return []
    try:
        return [token for token in tokenize(SourceText(text)) if token.key != END]
    except QueryError:
        return []
