"""The SPARQL 1.1 Query Results JSON Format, read row by row as it comes.

A result of a million rows is never in memory as a whole, and a reply that is broken off is told from one that is not:
it ends where the grammar does not let it end.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, Final

from .terms import BadTerm, Row, term_of_binding

_SPACE: Final = re.compile(r"[ \t\r\n]*")
# One row is never so long.
_LONGEST_VALUE: Final = 64 * 1024 * 1024
_TAIL: Final = 1_000
# Rows that wait for a head that comes last.
_MOST_HEADLESS: Final = 100_000


class BrokenReply(Exception):
    """A reply that is not what its format asks for. ``tail``: the text where it goes wrong, often a server's words."""

    def __init__(self, tail: str) -> None:
        super().__init__(tail)
        self.tail = tail


class JsonResults:
    """Reads one reply.

    Attributes:
        columns: names of the variables; known when the first row is, or, from a server that sends the head last, at
            the end.
        boolean: the answer to an ASK.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.columns: tuple[str, ...] | None = None
        self.boolean: bool | None = None
        self._source = _Source(pieces)
        self._headless: list[dict[str, Any]] = []

    def rows(self) -> Iterator[Row]:
        """The rows. Raises :class:`BrokenReply`; what was given before that is no whole answer."""
        source = self._source
        for key in source.members():
            match key:
                case "head":
                    self._take_head(source.value())
                case "boolean":
                    value = source.value()
                    if not isinstance(value, bool):
                        raise BrokenReply(source.tail())
                    self.boolean = value
                case "results":
                    yield from self._results()
                case _:
                    source.value()
        source.end()
        for binding in self._headless:
            yield self._row(binding)
        if self.boolean is None and self.columns is None:
            raise BrokenReply("")

    def _results(self) -> Iterator[Row]:
        source = self._source
        for key in source.members():
            if key != "bindings":
                source.value()
                continue
            for binding in source.items():
                if not isinstance(binding, dict):
                    raise BrokenReply(source.tail())
                if self.columns is not None:
                    yield self._row(binding)
                elif len(self._headless) < _MOST_HEADLESS:
                    self._headless.append(binding)
                else:
                    raise BrokenReply("the names of the columns come after too many rows")

    def _row(self, binding: dict[str, Any]) -> Row:
        columns = self.columns or ()
        if any(name not in columns for name in binding):
            raise BrokenReply(str(binding)[:_TAIL])
        try:
            return tuple(
                term_of_binding(found) if (found := binding.get(name)) is not None else None
                for name in columns
            )
        except BadTerm as error:
            raise BrokenReply(str(error)[:_TAIL]) from None

    def _take_head(self, head: Any) -> None:
        names = head.get("vars", ()) if isinstance(head, dict) else None
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise BrokenReply(str(head)[:_TAIL])
        if self.columns is None and names:
            self.columns = tuple(names)
        elif self.columns is None and isinstance(names, list) and "vars" in head:
            self.columns = ()


class _Source:
    """JSON text that comes in pieces, and a place in it."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._scan = json.JSONDecoder().raw_decode
        self._text = ""
        self._place = 0

    def members(self) -> Iterator[str]:
        """The keys of an object; after each its value must be read."""
        self._expect("{")
        if self._next() == "}":
            self._place += 1
            return
        while True:
            key = self.value()
            if not isinstance(key, str):
                raise BrokenReply(self.tail())
            self._expect(":")
            yield key
            if self._separator("}"):
                return

    def items(self) -> Iterator[Any]:
        """The values of an array."""
        self._expect("[")
        if self._next() == "]":
            self._place += 1
            return
        while True:
            yield self.value()
            if self._separator("]"):
                return

    def value(self) -> Any:
        """Any value."""
        if self._next() not in '{["-0123456789tfn':
            raise BrokenReply(self.tail())
        while True:
            try:
                value, end = self._scan(self._text, self._place)
            except RecursionError:
                raise BrokenReply(self.tail()) from None
            except ValueError:
                if len(self._text) - self._place > _LONGEST_VALUE or not self._more():
                    raise BrokenReply(self.tail()) from None
                continue
            # A number that reaches to the end of what is there may go on.
            if end == len(self._text) and isinstance(value, int | float) and self._more():
                continue
            self._place = end
            return value

    def end(self) -> None:
        """Nothing may follow but space."""
        if self._next():
            raise BrokenReply(self.tail())

    def tail(self) -> str:
        """The text at this place."""
        while len(self._text) - self._place < _TAIL and self._more():
            pass
        return self._text[self._place : self._place + _TAIL]

    def _next(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            self._place = _SPACE.match(self._text, self._place).end()  # type: ignore[union-attr]  # it matches nothing, too
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._more():
                return ""

    def _expect(self, character: str) -> None:
        if self._next() != character:
            raise BrokenReply(self.tail())
        self._place += 1

    def _separator(self, closing: str) -> bool:
        """Whether the object or array ends here."""
        found = self._next()
        if found not in (",", closing) or not found:
            raise BrokenReply(self.tail())
        self._place += 1
        return found == closing

    def _more(self) -> bool:
        """Take in what comes next; at least as much as is waiting, so that a long value is not read again and again."""
        waiting = self._text[self._place :]
        parts, size = [waiting], 0
        for piece in self._pieces:
            try:
                text = self._decoder.decode(piece)
            except UnicodeDecodeError:
                raise BrokenReply(piece[:_TAIL].decode("utf-8", "replace")) from None
            parts.append(text)
            size += len(text)
            if text and size >= len(waiting):
                break
        self._text, self._place = "".join(parts), 0
        return size > 0
