"""Cypher text to tokens, and which bracket closes which.

White space, names, numbers, strings, comments and arrows are those of Neo4j's own grammar (Cypher 5 and 25, read in
its openly licensed lexer); where Cypher 5 and 25 differ on a character, or readers could disagree about where a
comment ends, the text is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..source import SourceText, Span
from ..tokens import END, NAME, Token

_SPACE = "\\t\\n\\x0b\\x0c\\r\\x1c-\\x1f \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
_DIGITS = "[0-9](?:_?[0-9])*+"
_TOKEN = re.compile(
    rf"""
      (?P<space> [{_SPACE}]++ )
    | (?P<open> [sS]['"] )
    | (?P<word> [^\W\d]\w*+ )
    | (?P<float> (?: (?:{_DIGITS})? \. {_DIGITS} (?:[eE][+-]?[0-9]++)? | {_DIGITS} [eE][+-]?[0-9]++ ) )
    | (?P<integer> 0[xX][0-9a-fA-F]++ | 0[oO][0-7]++ | {_DIGITS} )
    | (?P<string> '[^'\\]*+(?:\\.[^'\\]*+)*+' | "[^"\\]*+(?:\\.[^"\\]*+)*+" )
    | (?P<quoted> `[^`]*+(?:``[^`]*+)*+` )
    | (?P<parameter> \$(?: \w++ | `[^`]*+(?:``[^`]*+)*+` ) )
    | (?P<comment> //[^\r\n]*+ | /\*.*?\*/ )
    | (?P<symbol> <= | >= | <> | != | =~ | \.\. | :: | \|\| | \+= | /(?!\*) | [()\[\]{{}},.:;+\-*%^=<>|&!$] )
    | (?P<dash> [\u2010-\u2015\u2212\ufe58\ufe63\uff0d] )
    | (?P<left> [\u27e8\u3008\ufe64\uff1c] )
    | (?P<right> [\u27e9\u3009\ufe65\uff1e] )
    """,
    re.VERBOSE | re.DOTALL,
)
_INTERPOLATED = {
    "'": re.compile(r"(?:[^'{}\\]|\\.)++", re.DOTALL),
    '"': re.compile(r'(?:[^"{}\\]|\\.)++', re.DOTALL),
}
# Some readers end a line comment here; Neo4j does not.
_OTHER_LINE_ENDS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_WORD_CHARACTER = re.compile(r"\w")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}

TEXT_OPEN, TEXT_PART, TEXT_CLOSE = "<text-open>", "<text-part>", "<text-close>"
STRING, INTEGER, FLOAT, PARAMETER = "<string>", "<integer>", "<float>", "<parameter>"


@dataclass(frozen=True, slots=True)
class Brackets:
    """What is known of brackets before parsing; keys and values are token indexes.

    Attributes:
        closers: for each opening bracket the one that closes it; an unclosed one is missing.
        last_bar: for each opening bracket the last ``|`` right inside it.
    """

    closers: dict[int, int] = field(default_factory=dict)
    last_bar: dict[int, int] = field(default_factory=dict)


def tokenize(source: SourceText) -> list[Token]:
    """The tokens of a text, the last of which is ``END``.

    Raises :class:`QuerySyntaxError` for a character that begins nothing, a string, quoted name or comment that does not
    end, and :class:`QueryRefusedError` for a comment whose end readers disagree on.
    """
    return _Lexer(source).tokens()


def match_brackets(tokens: Sequence[Token]) -> Brackets:
    """Which bracket closes which, in one pass. What is closed wrongly is left for the parser to meet."""
    brackets = Brackets()
    open_indexes: list[int] = []
    for index, token in enumerate(tokens):
        key = token.key
        if key in _CLOSERS:
            open_indexes.append(index)
        elif not open_indexes:
            continue
        elif key == "|":
            brackets.last_bar[open_indexes[-1]] = index
        elif key in ")]}" and _CLOSERS[tokens[open_indexes[-1]].key] == key:
            brackets.closers[open_indexes.pop()] = index
    return brackets


class _Lexer:
    """Reads a text once from left to right."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.text = source.text
        self.position = 0
        self.found: list[Token] = []
        # Interpolated strings that are open, innermost last: their quote, and how many braces are open inside.
        self.interpolations: list[tuple[str, int]] = []
        self.braces = 0

    def tokens(self) -> list[Token]:
        match, length = _TOKEN.match, len(self.text)
        while self.position < length:
            found = match(self.text, self.position)
            if found is None:
                raise self._no_token()
            kind = found.lastgroup
            if kind != "space":
                self._take(kind or "", found[0], found.start(), found.end())
            self.position = max(self.position, found.end())
        if self.interpolations:
            raise self._error(length - 1, length, "the interpolated string is never closed")
        self.found.append(Token(END, "", length, length))
        return self.found

    def _take(self, kind: str, text: str, start: int, end: int) -> None:
        if kind == "word":
            self._word(text, start, end)
        elif kind == "symbol":
            self.found.append(Token(text, text, start, end))
            if text in "{}":
                self._brace(text, end)
        elif kind == "quoted":
            self.found.append(Token(NAME, self._unquoted(text, start, end), start, end, True))
        elif kind == "parameter":
            name = text[1:] if text[1] != "`" else self._unquoted(text[1:], start, end)
            self.found.append(Token(PARAMETER, name, start, end))
        elif kind in ("integer", "float"):
            self._number(kind, text, start, end)
        elif kind == "comment":
            self._comment(text, start, end)
        elif kind == "open":
            self._open_interpolation(text[1], start, end)
        else:
            key = {"string": STRING, "dash": "-", "left": "<", "right": ">"}[kind]
            self.found.append(Token(key, text, start, end))

    def _word(self, text: str, start: int, end: int) -> None:
        if text.isascii():
            self.found.append(Token(text.upper(), text, start, end, True))
        elif text.isidentifier():
            self.found.append(Token(text, text, start, end, True))
        else:
            raise self._error(start, end, "this is not a name", "Put it in back-ticks.")

    def _unquoted(self, text: str, start: int, end: int) -> str:
        name = text[1:-1].replace("``", "`")
        if not name:
            raise self._error(start, end, "a name cannot be empty")
        return name

    def _number(self, kind: str, text: str, start: int, end: int) -> None:
        if end < len(self.text) and _WORD_CHARACTER.match(self.text, end):
            raise self._error(start, end + 1, "a number runs into a name", "Put a blank between them.")
        self.found.append(Token(f"<{kind}>", text, start, end))

    def _comment(self, text: str, start: int, end: int) -> None:
        if text[1] == "/" and (odd := _OTHER_LINE_ENDS.search(text)):
            raise self.source.refusal(
                Span(start + odd.start(), start + odd.end()),
                "some readers end the comment at this invisible character, others do not",
                code="escape",
                advice="Remove the character.",
            )

    def _brace(self, text: str, end: int) -> None:
        """Braces inside an interpolated string must be counted, to know which one leads back into its text."""
        if text == "{":
            self.braces += 1
        elif self.braces:
            self.braces -= 1
        elif self.interpolations:
            quote, self.braces = self.interpolations.pop()
            self._interpolation(quote, end)

    def _open_interpolation(self, quote: str, start: int, end: int) -> None:
        self.found.append(Token(TEXT_OPEN, quote, start, end))
        self._interpolation(quote, end)

    def _interpolation(self, quote: str, start: int) -> None:
        """Take the text of an interpolated string up to its end or to the brace that opens an expression."""
        part = _INTERPOLATED[quote].match(self.text, start)
        if part is not None:
            self.found.append(Token(TEXT_PART, part[0], start, part.end()))
            start = part.end()
        closing = self.text[start : start + 1]
        if closing == quote:
            self.found.append(Token(TEXT_CLOSE, quote, start, start + 1))
        elif closing == "{":
            self.found.append(Token("{", "{", start, start + 1))
            self.interpolations.append((quote, self.braces))
            self.braces = 0
        else:
            raise self._error(start, start + 1, "the interpolated string is never closed")
        self.position = start + 1

    def _no_token(self) -> Exception:
        start = self.position
        character = self.text[start]
        if character in "'\"":
            return self._error(start, start + 1, "this string is never closed")
        if character == "`":
            return self._error(start, start + 1, "this quoted name is never closed")
        if self.text.startswith("/*", start):
            return self._error(start, start + 2, "this comment is never closed")
        if character.isprintable():
            return self._error(start, start + 1, f"{character!r} does not belong in a query")
        return self._error(
            start,
            start + 1,
            f"the invisible character U+{ord(character):04X} does not belong in a query",
            "Remove it, or put a plain blank in its place.",
        )

    def _error(self, start: int, end: int, message: str, advice: str | None = None) -> Exception:
        return self.source.syntax_error(Span(start, end), message, advice=advice)
