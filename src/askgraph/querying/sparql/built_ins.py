"""The functions that SPARQL has by name, and how many arguments each takes."""

from __future__ import annotations

from ..tokens import words

_ANY_NUMBER = 1_000_000

ARGUMENTS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(words("NOW RAND UUID STRUUID"), (0, 0)),
    "BNODE": (0, 1),
    **dict.fromkeys(
        words(
            """STR LANG DATATYPE IRI URI ABS CEIL FLOOR ROUND STRLEN UCASE LCASE ENCODE_FOR_URI YEAR MONTH DAY HOURS
            MINUTES SECONDS TIMEZONE TZ MD5 SHA1 SHA256 SHA384 SHA512 ISIRI ISURI ISBLANK ISLITERAL ISNUMERIC BOUND"""
        ),
        (1, 1),
    ),
    **dict.fromkeys(
        words("LANGMATCHES CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER STRLANG STRDT SAMETERM"), (2, 2)
    ),
    "IF": (3, 3),
    **dict.fromkeys(words("SUBSTR REGEX"), (2, 3)),
    "REPLACE": (3, 4),
    **dict.fromkeys(words("CONCAT COALESCE"), (0, _ANY_NUMBER)),
}
"""The least and the most arguments of each function; the names in capitals."""

AGGREGATES = frozenset(words("COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT"))
"""Functions of all the rows of a group."""

SPELLING = {
    "ISIRI": "isIRI",
    "ISURI": "isURI",
    "ISBLANK": "isBLANK",
    "ISLITERAL": "isLITERAL",
    "ISNUMERIC": "isNUMERIC",
    "SAMETERM": "sameTerm",
}
"""How the standard writes the names that it does not write in capitals."""

OF_SPARQL_12 = frozenset(
    words("TRIPLE SUBJECT PREDICATE OBJECT ISTRIPLE LANGDIR HASLANG HASLANGDIR STRLANGDIR")
)
"""Functions of SPARQL 1.2, which is not read here."""


def arity(name: str) -> str:
    """How many arguments a function takes, in words."""
    least, most = ARGUMENTS[name]
    if most == 0:
        return "no argument"
    if least == most:
        return "one argument" if most == 1 else f"{_NUMBERS[most]} arguments"
    return f"{_NUMBERS[least]} or {_NUMBERS[most]} arguments"


_NUMBERS = ("no", "one", "two", "three", "four")
