"""The words by which queries of a language begin and go on, and by which a sentence is told from a clause."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ..tokens import words


@dataclass(frozen=True, slots=True)
class QueryWords:
    """How the queries of a language look in a text.

    Attributes:
        start: where a query may begin: the words, and what must come after them.
        weak: beginnings that are everyday words as well ("with", "return").
        unsafe: where a command begins that does more than read.
        goes_on: words in capitals that never follow a whole query: after one, the query was not whole.
        essential: what a text must hold, one after the other, to be meant as a query, faults or not.
    """

    start: re.Pattern[str]
    weak: re.Pattern[str]
    unsafe: re.Pattern[str]
    goes_on: frozenset[str]
    essential: tuple[re.Pattern[str], ...]


def _patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, re.IGNORECASE) for text in texts)


_CYPHER_CHANGES = r"""
    (?:DETACH\s+|NODETACH\s+)?DELETE\s+[A-Za-z_`] | SET\s+[\w`]+(?:\.[\w`]+)?\s*(?:[=:{]|\+=) | (?:MERGE|INSERT)\s*\(
  | CREATE\s*\( | CREATE\s+(?:OR\s+REPLACE\s+)?(?:[A-Z]+\s+)?(?:INDEX|CONSTRAINT|USER|ROLE|DATABASE)\b
  | REMOVE\s+[\w`]+\s*[.:] | FOREACH\s*\( | LOAD\s+CSV\b | DROP\s+(?:INDEX|CONSTRAINT|USER|ROLE|DATABASE)\b
"""
_CYPHER = QueryWords(
    start=re.compile(
        r"""(?ix) (?<![\w.:$]) (?:
            (?:OPTIONAL\s+)?MATCH (?=\s*\(|\s+[\w`]) | CYPHER\s+(?=[0-9]|\w+=) | UNWIND\s+(?=[\[$\w(])
          | CALL\s*(?=[{(]|\s[\w`]) | FOR\s+(?=\w+\s+IN\s) | (?:WITH|RETURN)\s+(?=[\w`'"(\[{$*-]) )"""
    ),
    weak=re.compile(r"(?i)(?:WITH|RETURN|CALL|UNWIND|CYPHER|FOR)\b"),
    unsafe=re.compile(rf"(?ix) (?<![\w.:$-]) (?: {_CYPHER_CHANGES} )"),
    goes_on=frozenset(
        words("""WHERE RETURN ORDER LIMIT SKIP AND OR XOR NOT UNION AS DESC ASC DESCENDING ASCENDING IN IS STARTS ENDS
        CONTAINS THEN ELSE END WHEN BY ON YIELD HAVING GROUP FROM JOIN""")
    ),
    essential=_patterns(r"\b(?:MATCH|CALL|UNWIND|WITH)\b", r"[(\[{]", r"\bRETURN\b"),
)
_SPARQL = QueryWords(
    start=re.compile(
        r"""(?ix) (?<![\w.:?$<@]) (?:
            PREFIX\s+(?=[\w.-]*:\s*<) | BASE\s*(?=<) | SELECT\s*(?=[?$(*]|\s(?:DISTINCT|REDUCED)\b)
          | ASK\s*(?=\{|WHERE\b|FROM\b) | CONSTRUCT\s*(?=\{|WHERE\b|FROM\b) | DESCRIBE\s+(?=[<?$*]|[\w-]*:) )"""
    ),
    weak=re.compile(r"(?!)"),
    unsafe=re.compile(
        r"""(?ix) (?<![\w.:?$<-]) (?: (?:INSERT|DELETE)\s*(?:DATA\s*|WHERE\s*)?\{ | LOAD\s+(?:SILENT\s+)?<
          | (?:DROP|CLEAR)\s+(?:SILENT\s+)?(?:GRAPH|ALL|DEFAULT|NAMED)\b | (?:COPY|MOVE|ADD)\s+(?:<|GRAPH\b|DEFAULT\b)
          | CREATE\s+(?:SILENT\s+)?GRAPH\b | WITH\s*<[^>\s]*>\s*(?:INSERT|DELETE)\b )"""
    ),
    goes_on=frozenset(
        words("WHERE ORDER GROUP HAVING LIMIT OFFSET VALUES FILTER OPTIONAL UNION BIND AS FROM SERVICE")
    ),
    essential=_patterns(r"\b(?:SELECT|ASK|CONSTRUCT|DESCRIBE)\b", r"\{|[?$]\w"),
)

SENTENCE_WORDS = frozenset(
    words("""and this that these those which where it its they we you i here note so then thus to for in of as by is
        are will would returns finds gives gets lists shows with without because since but or if when while
        und das dies diese welche wobei um y que esto esta donde para con et ce cette qui pour""")
)
"""Words that go on with a sentence where the last word of a query was read in it."""

SENTENCE_ENDS = re.compile(r"\s(?:--|[–—#]|//|=>|->|→|:)(?=\s)|[.;!?:](?=\s|$)|\s\((?=[A-Za-z])")
"""Where a sentence, or a remark, may begin in the line in which a query ends."""


def holds(text: str, patterns: tuple[re.Pattern[str], ...]) -> bool:
    """Whether all of these stand in a text, one after the other."""
    place = 0
    for pattern in patterns:
        found = pattern.search(text, place)
        if found is None:
            return False
        place = found.end()
    return True


@cache
def words_of(language: str) -> QueryWords:
    """How the queries of a language look."""
    return _SPARQL if language == "sparql" else _CYPHER
