"""JSON Lines by the book: what is wrong with a line, and where in it.

DuckDB's reader takes what is no JSON (``NaN``, a comma before a closing bracket, a key given twice); this one does not.
It is slower, and runs only over files in which DuckDB found, or may have overlooked, a fault.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import IO, Any, Final

from ...core.errors import EncodingError, LoadError, Location, MalformedFileError

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_BLANK: Final = b" \t\r\n"
_CONSTANT = re.compile(r"(?<![\w\"])-?(?:NaN|Infinity)\b")
_HALF_PAIR = re.compile(r"\\u(?:[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|[dD][c-fC-F][0-9a-fA-F]{2})")
_FULL_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")

IDLE_COMMA: Final = r",\s*[}\]]"
NO_NUMBERS: Final = ("nan", "inf")
MAYBE_LENIENT: Final = rf"(?i)[:\[,]\s*-?(nan|inf|infinity)\s*[,}}\]]|{IDLE_COMMA}"
"""A pattern (RE2) that every text matches which DuckDB takes for JSON and which is none. Some others match it too. A
text that matches has an idle comma, or one of :data:`NO_NUMBERS` in it, which is faster to see."""


class _DuplicateKey(ValueError):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class _NotJson(ValueError):
    """A constant that JSON does not have."""


def object_lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers, counted from 1, without the byte order mark."""
    for number, line in enumerate(stream, start=1):
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if line.strip(_BLANK):
            yield number, line


def check_line(line: bytes, name: str, number: int) -> LoadError | None:
    """What keeps a line from being one JSON object, or ``None``."""

    def fault(message: str, column: int, advice: str | None = None) -> LoadError:
        return MalformedFileError(message, location=Location(name, number, column), advice=advice)

    try:
        text = line.rstrip(b"\r\n").decode()
    except UnicodeDecodeError as error:
        return EncodingError(
            f"not UTF-8: byte 0x{line[error.start]:02X} at byte {error.start + 1} of the line",
            location=Location(name, number, len(line[: error.start].decode(errors="replace")) + 1),
            advice=f"Convert the file, for example: iconv -f WINDOWS-1252 -t UTF-8 {name} > utf8.jsonl",
        )
    try:
        value = json.loads(
            text,
            object_pairs_hook=_without_duplicates,
            parse_constant=_refuse_constant,
            parse_int=_some_number,
        )
    except json.JSONDecodeError as error:
        if (comma := _idle_comma(text, error.pos)) is not None:
            return fault("not JSON: a comma with nothing after it", comma + 1)
        advice = _ONE_A_LINE if error.msg == "Extra data" or error.pos >= len(text.rstrip()) else None
        return fault(f"not JSON: {error.msg}", error.colno, advice)
    except _DuplicateKey as error:
        return fault(
            f"the key {error.key!r} is there twice", _second(text, error.key), "Leave one of them out."
        )
    except _NotJson:
        match = _CONSTANT.search(text)
        return fault(
            f"not JSON: {match[0] if match else 'NaN'} is no number of JSON",
            match.start() + 1 if match else 1,
            'Write null for a missing number, or {"$type": "float", "value": "nan"}.',
        )
    except RecursionError:
        return fault("nested too deeply", 1)
    if not isinstance(value, dict):
        return fault(
            f"a line must be a JSON object, not {_kind(value)}",
            len(text) - len(text.lstrip()) + 1,
            _ONE_A_LINE,
        )
    if half := _half_pair(text):
        return fault(
            "half of a surrogate pair, which is no character",
            half,
            "Write both halves, or the character itself.",
        )
    return None


def _idle_comma(text: str, position: int) -> int | None:
    """Where a comma before a closing bracket stands, if that is the fault. (Pythons differ in what they point at.)"""
    if text[position : position + 1] == "," and text[position + 1 :].lstrip()[:1] in ("}", "]"):
        return position
    before = text[:position].rstrip()
    return len(before) - 1 if text[position : position + 1] in ("}", "]") and before.endswith(",") else None


_ONE_A_LINE: Final = "Write one object a line; to convert: jq -c . FILE > LINES.jsonl"


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _DuplicateKey(key)
        found[key] = value
    return found


def _some_number(text: str) -> int:
    """Whatever it is: Python would refuse to read a very long one."""
    return len(text)


def _refuse_constant(text: str) -> Any:
    raise _NotJson(text)


def _second(text: str, key: str) -> int:
    """The column of the second time that a key stands in a text, as well as it can be told."""
    places = [
        match.start() + 1
        for match in re.finditer(re.escape(json.dumps(key, ensure_ascii=False)) + r"\s*:", text)
    ]
    return places[1] if len(places) > 1 else 1


def _half_pair(text: str) -> int:
    """The column of an escaped surrogate without its other half, 0 if there is none."""
    if "\\ud" not in text and "\\uD" not in text:
        return 0
    hidden = _FULL_PAIR.sub(lambda pair: " " * len(pair[0]), text.replace("\\\\", "  "))
    match = _HALF_PAIR.search(hidden)
    return match.start() + 1 if match else 0


def _kind(value: Any) -> str:
    return {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}.get(
        type(value), "a number"
    )
