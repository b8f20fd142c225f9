"""An exact reader of delimited text: every record with the line on which it stands, every fault with its place.

DuckDB reads the files; this reader is slower and runs for the header, and over a whole file only after something went
wrong, to say where. Both take the same things for the same: quotes are doubled within quotes (RFC 4180), blanks may
stand round a quoted value (one before it), a quote within an unquoted value is a character, blank lines are nothing,
and so are empty values beyond the last column. A lone carriage return ends a line.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Final

from ...core.errors import EncodingError, LoadError, Location, MalformedFileError
from ...core.words import quantity

LONGEST_RECORD: Final = 16 * 1024 * 1024
"""Bytes that one record may have."""

_LINE = re.compile(rb"([^\r\n]*)(\r\n|\r|\n|$)")
_OPENING_QUOTE = re.compile(rb' ?"')
_BLANKS = re.compile(rb" *")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Record:
    """One row of a file.

    Attributes:
        line: where it begins, counted from 1.
        plain: the row as it stands in the file, if that is one line without quotes; else ``None``.
    """

    __slots__ = ("_delimiter", "_lines", "_values", "line", "plain")

    def __init__(
        self,
        line: int,
        values: list[str | None],
        lines: list[int] | None = None,
        plain: bytes | None = None,
        delimiter: bytes = b"",
    ) -> None:
        self.line = line
        self.plain = plain
        self._values = values
        self._lines = lines
        self._delimiter = delimiter

    @property
    def values(self) -> list[str | None]:
        """The texts of its cells; ``None`` for an empty cell without quotes."""
        if self.plain is None:
            return self._values
        return [text or None for text in self.plain.decode().split(self._delimiter.decode())]

    def line_of(self, position: int) -> int:
        """The line on which a cell begins."""
        return self._lines[position] if self._lines and position < len(self._lines) else self.line


@dataclass(slots=True)
class _Line:
    content: bytes
    ending: bytes
    number: int
    offset: int


class _Fault(Exception):
    """A record that cannot be read: the place of the fault and the error class."""

    def __init__(
        self, message: str, column: int, *, advice: str | None = None, encoding: bool = False
    ) -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.advice = advice
        self.kind: type[LoadError] = EncodingError if encoding else MalformedFileError


class RecordReader:
    """Iterates over the records of a stream and the errors of those that cannot be read, in their order.

    Args:
        stream: bytes, decompressed.
        name: the file's name for messages.
        delimiter: one character.
        columns: the names of the columns; ``None`` while they are not known (to read the header).
    """

    def __init__(
        self, stream: IO[bytes], *, name: str, delimiter: str, columns: Sequence[str] | None = None
    ) -> None:
        self._lines = _split_lines(stream)
        self._returned: deque[_Line] = deque()
        self._name = name
        self._delimiter = delimiter.encode()
        self._columns = columns
        self._delimiters = -1 if columns is None else len(columns) - 1

    def __iter__(self) -> Iterator[Record | LoadError]:
        delimiter, delimiters = self._delimiter, self._delimiters
        while (line := self._next_line()) is not None:
            content = line.content
            if content and content.count(delimiter) == delimiters and _is_plain(content):
                yield Record(line.number, [], plain=content, delimiter=delimiter)
                continue
            if not content.strip(b" \t") and self._is_blank():
                continue
            try:
                yield self._read_record(line)
            except _Fault as fault:
                yield self._error(fault, line.number)

    def _is_blank(self) -> bool:
        """In a table of one column an empty line is a row without a value."""
        return self._columns is None or len(self._columns) > 1

    def _next_line(self) -> _Line | None:
        return self._returned.popleft() if self._returned else next(self._lines, None)

    def _read_record(self, first: _Line) -> Record:
        lines: list[int] | None = None
        if b'"' in first.content:
            taken = [first]
            try:
                values, lines = self._read_quoted(taken)
            except _Fault:
                # What follows the line with the fault may be sound.
                self._returned.extendleft(reversed(taken[1:]))
                raise
        else:
            taken = [first]
            values = [value or None for value in first.content.split(self._delimiter)]
        self._check_width(values)
        texts = self._decode(values, taken)
        return Record(first.number, texts, lines if len(taken) > 1 else None)

    def _read_quoted(self, taken: list[_Line]) -> tuple[list[bytes | None], list[int]]:
        """The values of a record that has quotes; lines that it needs beyond the first are added to ``taken``."""
        values: list[bytes | None] = []
        lines: list[int] = []
        position = 0
        while True:
            content = taken[-1].content
            lines.append(taken[-1].number)
            opening = _OPENING_QUOTE.match(content, position)
            if opening is None:
                end = content.find(self._delimiter, position)
                values.append(content[position : end if end >= 0 else None] or None)
            else:
                value, after = self._read_to_closing_quote(taken, opening.end(), len(values))
                values.append(value)
                end = self._end_of_quoted(taken[-1], after, len(values) - 1)
            if end < 0:
                return values, lines
            position = end + len(self._delimiter)

    def _read_to_closing_quote(self, taken: list[_Line], position: int, column: int) -> tuple[bytes, int]:
        parts: list[bytes] = []
        size = 0
        while True:
            line = taken[-1]
            end = line.content.find(b'"', position)
            if end < 0:
                parts += [line.content[position:], line.ending]
                size += len(line.content)
                following = self._next_line() if size <= LONGEST_RECORD else None
                if following is None:
                    raise _unterminated(column, at_end=size <= LONGEST_RECORD)
                taken.append(following)
                position = 0
            elif line.content.startswith(b'""', end):
                parts.append(line.content[position : end + 1])
                position = end + 2
            else:
                parts.append(line.content[position:end])
                return b"".join(parts), end + 1

    def _end_of_quoted(self, line: _Line, position: int, column: int) -> int:
        """Where the delimiter after a quoted value stands, -1 at the end of the line."""
        blanks = _BLANKS.match(line.content, position)
        end = blanks.end() if blanks else position
        if end == len(line.content):
            return -1
        if line.content.startswith(self._delimiter, end):
            return end
        follows = line.content[position : position + 20].decode(errors="replace")
        backslash = line.content[position - 2 : position - 1] == b"\\"
        raise _Fault(
            f"the quoted value ends on line {line.number} and {follows!r} follows it",
            column,
            advice='Write a quote within a value as "" (not as \\").'
            if backslash
            else 'Close the value before the next delimiter; write a quote within it as "".',
        )

    def _check_width(self, values: list[bytes | None]) -> None:
        if sum(map(len, filter(None, values))) > LONGEST_RECORD:
            raise _Fault(
                f"a row of more than {LONGEST_RECORD:,} bytes", 0, advice="Is a quote missing before it?"
            )
        if self._columns is None:
            return
        width = len(self._columns)
        while len(values) > width and values[-1] is None:
            values.pop()
        if len(values) != width:
            raise _Fault(
                f"the row has {quantity(len(values), 'value')} and the table {quantity(width, 'column')}",
                min(len(values), width),
                advice="Quote a value that has the delimiter in it."
                if len(values) > width
                else "Give each row a value (it may be empty) for each column.",
            )

    def _decode(self, values: Sequence[bytes | None], taken: Sequence[_Line]) -> list[str | None]:
        texts: list[str | None] = []
        for position, value in enumerate(values):
            if value is not None and b"\0" in value:
                raise _Fault("the value has a NUL byte: this is not text", position, advice="Remove it.")
            try:
                texts.append(None if value is None else value.decode())
            except UnicodeDecodeError as error:
                raise self._not_utf8(error, position, taken) from None
        return texts

    def _not_utf8(self, error: UnicodeDecodeError, position: int, taken: Sequence[_Line]) -> _Fault:
        byte = error.object[error.start]
        raw = b"".join(line.content + line.ending for line in taken)
        offset = taken[0].offset + max(0, raw.find(error.object[error.start : error.end]))
        return _Fault(
            f"not UTF-8: byte 0x{byte:02X} at offset {offset:,} of the file",
            position,
            advice=f"Convert the file, for example: iconv -f WINDOWS-1252 -t UTF-8 {self._name} > utf8.csv",
            encoding=True,
        )

    def _error(self, fault: _Fault, line: int) -> LoadError:
        named = self._columns is not None and fault.column < len(self._columns)
        column = self._columns[fault.column] if named and self._columns else fault.column + 1
        return fault.kind(fault.message, location=Location(self._name, line, column), advice=fault.advice)


def _unterminated(column: int, *, at_end: bool) -> _Fault:
    reached = "the end of the file" if at_end else f"{LONGEST_RECORD:,} bytes"
    return _Fault(
        f"the quote that opens here is not closed before {reached}",
        column,
        advice='Close it, or write a quote that is part of the value as "" within quotes.',
    )


def _is_plain(content: bytes) -> bool:
    """Whether a line is sound as it stands: no quotes, no NUL, UTF-8, not too long."""
    if b'"' in content or b"\0" in content or len(content) > LONGEST_RECORD:
        return False
    if content.isascii():
        return True
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _split_lines(stream: IO[bytes]) -> Iterator[_Line]:
    number, offset = 0, 0
    for raw in stream:
        if offset == 0 and raw.startswith(_BYTE_ORDER_MARK):
            raw = raw[len(_BYTE_ORDER_MARK) :]
            offset = len(_BYTE_ORDER_MARK)
        if b"\r" not in raw and raw.endswith(b"\n"):
            number += 1
            yield _Line(raw[:-1], b"\n", number, offset)
            offset += len(raw)
            continue
        for content, ending in _parts(raw):
            number += 1
            yield _Line(content, ending, number, offset)
            offset += len(content) + len(ending)


def _parts(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The lines of what ends with a line feed: one, unless there are carriage returns in it."""
    returns = raw.find(b"\r")
    if returns < 0:
        yield (raw[:-1], b"\n") if raw.endswith(b"\n") else (raw, b"")
    elif returns == len(raw) - 2 and raw.endswith(b"\n"):
        yield raw[:-2], b"\r\n"
    else:
        for match in _LINE.finditer(raw):
            if match[0]:
                yield match[1], match[2]
