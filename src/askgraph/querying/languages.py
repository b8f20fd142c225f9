"""Which query language a text is written in, as far as its first words tell."""

from __future__ import annotations

import re

from .tokens import words

# What may stand before the first word: blanks, and the comments of either language.
_BEFORE = re.compile(r"(?:\s++|#[^\r\n]*+|//[^\r\n]*+|/\*.*?\*/)++", re.DOTALL)
_FIRST = re.compile(r"([A-Za-z]+)\s*+([A-Za-z]+|.)?", re.DOTALL)

_SPARQL = frozenset(words("SELECT ASK CONSTRUCT DESCRIBE PREFIX BASE DEFINE"))
_TARGETS = words("ALL DEFAULT GRAPH NAMED SILENT")
# Words that begin something in both languages, and what follows them in SPARQL.
_SPARQL_PAIRS = {
    "INSERT": frozenset("{") | {"DATA"},
    "DELETE": frozenset("{") | {"DATA", "WHERE"},
    "WITH": frozenset("<"),
    "CLEAR": frozenset(_TARGETS),
    "COPY": frozenset(("<", *_TARGETS)),
    "MOVE": frozenset(("<", *_TARGETS)),
    "ADD": frozenset(("<", *_TARGETS)),
    "LOAD": frozenset("<") | {"SILENT"},
    "CREATE": frozenset(("GRAPH", "SILENT")),
    "DROP": frozenset(_TARGETS),
}


def guess_language(text: str) -> str:
    """``"sparql"`` for a text that begins as a query or an update of SPARQL does, ``"cypher"`` for any other."""
    before = _BEFORE.match(text)
    start = before.end() if before else 0
    found = _FIRST.match(text, start)
    if found is None:
        return "cypher"
    first, second = found[1].upper(), (found[2] or "").upper()
    is_sparql = first in _SPARQL or second in _SPARQL_PAIRS.get(first, ())
    return "sparql" if is_sparql else "cypher"
