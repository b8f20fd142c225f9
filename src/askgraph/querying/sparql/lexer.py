"""SPARQL text to tokens, by the terminals of the grammar of SPARQL 1.1 (§19.8)."""

from __future__ import annotations

import re

from ..source import SourceText, Span
from ..tokens import END, Token

# Names may have many letters beyond ASCII, but not all. No other token than a string, an IRI or a comment has any, so
# it is enough to take all of them here and to look at those of a name later. The classes say which characters of ASCII
# a name has not: classes with letters beyond would take Python twenty times as long to compile.
_FIRST = r"[^\x00-/:-@\[-^`{-\x7f]"
_NEXT = r"[^\x00-,./:-@\[-^`{-\x7f]"
_LOCAL_FIRST = r"[^\x00-/;-@\[-^`{-\x7f]"
_LOCAL_NEXT = r"[^\x00-,./;-@\[-^`{-\x7f]"
_PREFIX = rf"[^\x00-@\[-`{{-\x7f](?:\.*+{_NEXT})*+"
# In a local name a percent sign needs two digits, and other signs a backslash.
_SPECIAL = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
_LOCAL = rf"(?:{_LOCAL_FIRST}|{_SPECIAL})(?:\.*+(?:{_LOCAL_NEXT}|{_SPECIAL}))*+"
_EXPONENT = "[eE][+-]?[0-9]++"
_CHARACTER = r"""\\[tbnrf\\"']"""

_TOKEN = re.compile(
    rf"""
      (?P<space> (?: [\ \t\r\n]++ | \#[^\r\n]*+ )++ )
    | (?P<variable> [?$] {_FIRST}++ )
    | (?P<prefixed> (?:{_PREFIX})?:(?:{_LOCAL})? )
    | (?P<blank> _:{_FIRST}(?:\.*+{_NEXT})*+ )
    | (?P<word> [A-Za-z][A-Za-z0-9_]*+ )
    | (?P<newer> << | \{{\| | \|\}} | ~ | @[A-Za-z]++(?:-[A-Za-z0-9]++)*+--[A-Za-z]++ )
    | (?P<iri> <[^\x00-\x20<>"{{}}|^`\\]*+> )
    | (?P<number> [+-]? (?: [0-9]++\.[0-9]*+{_EXPONENT} | \.[0-9]++{_EXPONENT} | [0-9]++{_EXPONENT}
                          | [0-9]*+\.[0-9]++ | [0-9]++ ) )
    | (?P<string> '{{3}} (?: '{{0,2}}(?:[^'\\]++|{_CHARACTER}) )*+ '{{3}}
                | "{{3}} (?: "{{0,2}}(?:[^"\\]++|{_CHARACTER}) )*+ "{{3}}
                | '(?!'') (?: [^'\\\n\r]++ | {_CHARACTER} )*+ '
                | "(?!"") (?: [^"\\\n\r]++ | {_CHARACTER} )*+ " )
    | (?P<language> @[A-Za-z]++(?:-[A-Za-z0-9]++)*+ )
    | (?P<symbol> \^\^ | && | \|\| | != | <= | >= | [{{}}()\[\],;.=<>!|/*+\-^?] )
    """,
    re.VERBOSE,
)
IRI, PREFIXED, VARIABLE, BLANK = "<iri>", "<prefixed>", "<variable>", "<blank>"
STRING, LANGUAGE = "<string>", "<language>"
INTEGER, DECIMAL, DOUBLE = "<integer>", "<decimal>", "<double>"
NUMBERS = (INTEGER, DECIMAL, DOUBLE)

_KEYS = {
    "iri": IRI,
    "prefixed": PREFIXED,
    "variable": VARIABLE,
    "blank": BLANK,
    "string": STRING,
    "language": LANGUAGE,
}
_NAMES = ("prefixed", "variable", "blank")
# What to take off at the start and the end of a token, to have what it says.
_MARKS_AROUND = {"iri": (1, -1), "variable": (1, None), "blank": (2, None), "language": (1, None)}
_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", "\\": "\\", '"': '"', "'": "'"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def tokenize(source: SourceText) -> list[Token]:
    """The tokens of a text, the last of which is ``END``.

    The key of a word is the word in capitals, but for ``a``, whose case matters. Raises :class:`QuerySyntaxError` for a
    character that begins nothing, and for a string that does not end.
    """
    text, position, length = source.text, 0, len(source.text)
    found: list[Token] = []
    match = _TOKEN.match
    while position < length:
        matched = match(text, position)
        if matched is None:
            raise _no_token(source, position)
        kind, end = matched.lastgroup, matched.end()
        if kind == "newer":
            raise _newer(source, matched[0], position)
        if kind != "space":
            found.append(_token(source, kind or "", matched[0], position, end))
        position = end
    found.append(Token(END, "", length, length))
    return found


def _token(source: SourceText, kind: str, text: str, start: int, end: int) -> Token:
    if kind == "symbol":
        return Token(text, text, start, end)
    if kind == "word":
        return Token("a" if text == "a" else text.upper(), text, start, end, True)
    if kind == "number":
        return Token(_number_kind(text), text, start, end)
    if kind in _NAMES and not text.isascii():
        _check_letters(source, text, start)
    first, last = _MARKS_AROUND.get(kind, (0, None))
    return Token(_KEYS[kind], text[first:last], start, end)


def _number_kind(text: str) -> str:
    if "e" in text or "E" in text:
        return DOUBLE
    return DECIMAL if "." in text else INTEGER


def _check_letters(source: SourceText, name: str, start: int) -> None:
    """Raise :class:`QuerySyntaxError` for a character beyond ASCII that cannot stand where it does in a name."""
    from .letters import misplaced_letter

    place = misplaced_letter(name)
    if place is not None:
        raise _odd_character(source, start + place, "a name")


def unquote(text: str) -> str:
    """The value of a string token."""
    width = 3 if text[:3] in ("'''", '"""') and len(text) >= 6 else 1
    inner = text[width:-width]
    return _ESCAPE.sub(lambda found: _ESCAPES[found[1]], inner) if "\\" in inner else inner


def quote(value: str) -> str:
    """A string literal with this value, in a form in which no reader can see its end too early.

    The kind of quote that the value does not hold is taken, so that a quote is escaped only where it holds both.
    """
    mark = "'" if '"' in value and "'" not in value else '"'
    text = value.replace("\\", "\\\\").replace(mark, "\\" + mark)
    for letter, character in _ESCAPES.items():
        if character < " " and character in text:
            text = text.replace(character, "\\" + letter)
    return f"{mark}{text}{mark}"


# Errors


def _newer(source: SourceText, text: str, start: int) -> Exception:
    what = "a direction of text" if text.startswith("@") else "a triple in the place of a term"
    return source.syntax_error(
        Span(start, start + len(text)),
        f"{what} belongs to SPARQL 1.2, which is not read here",
        code="unsupported",
    )


def _no_token(source: SourceText, start: int) -> Exception:
    character = source.text[start]
    if character in "'\"":
        return _bad_string(source, start)
    if character in "&":
        return _error(source, start, 1, "'&' does not belong in a query", "Write && for 'and'.")
    if character == "`":
        fenced = source.text.startswith("```", start)
        advice = "The query stands in a Markdown fence: send only what is inside." if fenced else None
        return _error(source, start, 3 if fenced else 1, "a back-tick does not belong in a query", advice)
    if character == "\\" and source.text[start + 1 : start + 2] in ("u", "U"):
        return _error(source, start, 2, *_ESCAPE_DIGITS)
    if character == "_":
        return _error(source, start, 1, "a word cannot begin with '_'", "A blank node is written _:name.")
    return _odd_character(source, start, "a query")


def _odd_character(source: SourceText, start: int, where: str) -> Exception:
    character = source.text[start]
    if character.isprintable():
        return _error(source, start, 1, f"{character!r} does not belong in {where}")
    return _error(
        source,
        start,
        1,
        f"the invisible character U+{ord(character):04X} does not belong in {where}",
        "Remove it, or put a plain blank in its place.",
    )


_ESCAPE_DIGITS = ("a codepoint escape needs four hexadecimal digits after \\u, or eight after \\U", None)


def _bad_string(source: SourceText, start: int) -> Exception:
    """What is wrong with a string: an escape that there is not, or no end."""
    text = source.text
    long = text[start : start + 3] in ("'''", '"""')
    mark = text[start : start + (3 if long else 1)]
    end = _end_of_string(text, start + len(mark), mark)
    bad = _first_bad_escape(text, start + len(mark), end)
    if bad is not None:
        if text[bad + 1 : bad + 2] in ("u", "U"):
            return _error(source, bad, 2, *_ESCAPE_DIGITS)
        shown = text[bad : bad + 2]
        return _error(source, bad, 2, f"there is no escape {shown}", f"Write \\{shown} for a backslash.")
    if not long and end < len(text):
        advice = f"A string that goes over several lines stands between {mark * 3} and {mark * 3}."
        return _error(source, start, 1, "this string is not closed on its line", advice)
    return _error(source, start, len(mark), "this string is never closed")


def _end_of_string(text: str, start: int, mark: str) -> int:
    """Where a string is closed, or where it must have been."""
    position = start
    while position < len(text):
        if text.startswith(mark, position) or (len(mark) == 1 and text[position] in "\r\n"):
            return position
        position += 2 if text[position] == "\\" else 1
    return len(text)


def _first_bad_escape(text: str, start: int, end: int) -> int | None:
    position = start
    while position < end:
        if text[position] == "\\":
            if text[position + 1 : position + 2] not in _ESCAPES:
                return position
            position += 1
        position += 1
    return None


def _error(source: SourceText, start: int, length: int, message: str, advice: str | None = None) -> Exception:
    return source.syntax_error(Span(start, start + length), message, advice=advice)
