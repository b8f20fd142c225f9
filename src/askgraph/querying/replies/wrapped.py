"""Queries that stand in JSON, or in what was meant to be JSON."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_QUERY_KEYS = re.compile(
    r"(?i)(?:.*[_-])?(?:cypher|sparql|query|queries|statement|statements|code|final|corrected|answer|result|text|content"
    r"|response|output|arguments|input|parameters|args|sql)(?:[_-].*)?$"
)
_TALK_KEYS = re.compile(
    r"(?i).*(?:explan|reason|thought|comment|analysis|question|descri|example|title|rationale|note|original|draft|wrong)"
)
_PARAMETER_KEYS = ("parameters", "params", "query_parameters", "bindings")
_OBJECT = re.compile(r"\{\s*[\"']|\[\s*(?:\{\s*)?[\"']")
_MOST_OBJECTS = 20
_DEEPEST = 4
# A text longer than this is not read as Python.
_LONGEST_LITERAL = 65_536
_STRING_OF_KEY = re.compile(
    r"""["'](?P<key>(?:\w+[_-])?(?:cypher|sparql|query|statement)(?:[_-]\w+)?)["']\s*:\s*(?P<quote>["'])(?P<text>(?:[^"'\\]++|\\.|(?!(?P=quote))["'])*+)""",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class WrappedText:
    """A string of a JSON document.

    Attributes:
        text: the string.
        start: where its document begins in the text that was looked at.
        end: where it ends.
        key: what it stands under.
        parameters: the values that stand beside it.
        is_later_item: whether it is not the first of a list.
    """

    text: str
    start: int
    end: int
    key: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    is_later_item: bool = False


@dataclass(frozen=True, slots=True)
class Documents:
    """What of a text is JSON: its strings, and whether one of them should have been a query and is empty."""

    strings: tuple[WrappedText, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    has_no_query: bool = False


def documents_in(text: str) -> Documents:
    """The JSON objects and lists in a text, and the strings in them that may be queries.

    Python's own spelling is read too, and of a document that is broken off the string under a key such as ``cypher``.
    """
    strings: list[WrappedText] = []
    spans: list[tuple[int, int]] = []
    is_empty = False
    for start, end, document in _documents(text):
        spans.append((start, end))
        for item, key, parameters, is_later in _strings(document, "", {}, 0):
            strings.append(WrappedText(item, start, end, key, parameters, is_later))
        is_empty = is_empty or _has_empty_query(document)
    if not spans:
        strings = list(_broken(text))
        spans = [(item.start, item.end) for item in strings]
    return Documents(tuple(strings), tuple(spans), is_empty)


def _documents(text: str) -> Iterator[tuple[int, int, Any]]:
    decoder = json.JSONDecoder(strict=False)
    position = tries = 0
    while tries < _MOST_OBJECTS and (opening := _OBJECT.search(text, position)) is not None:
        tries += 1
        start = opening.start()
        try:
            document, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            found = _python_literal(text, start)
            if found is None:
                position = opening.end()
                continue
            document, end = found
        yield start, end, document
        position = end


def _python_literal(text: str, start: int) -> tuple[Any, int] | None:
    """A dictionary or list in the spelling of Python, if the rest of the text is one but for what follows its last
    bracket."""
    end = max(text.rfind("}"), text.rfind("]")) + 1
    if not start < end <= start + _LONGEST_LITERAL:
        return None
    try:
        document = ast.literal_eval(text[start:end])
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    return (document, end) if isinstance(document, dict | list) else None


def _strings(
    value: Any, key: str, parameters: Mapping[str, Any], depth: int, *, is_later: bool = False
) -> Iterator[tuple[str, str, Mapping[str, Any], bool]]:
    """The strings of a document under keys that a query may have."""
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        inner = value.strip()
        if inner[:1] in ("{", "[") and (document := _inner_document(inner)) is not None:
            yield from _strings(document, key, parameters, depth + 1)
        else:
            yield value, key, parameters, is_later
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _strings(item, key, parameters, depth + 1, is_later=is_later or place > 0)
    elif isinstance(value, dict):
        given = next(
            (value[name] for name in _PARAMETER_KEYS if isinstance(value.get(name), dict)), parameters
        )
        for name, item in value.items():
            if not _TALK_KEYS.match(str(name)):
                yield from _strings(item, str(name), given, depth + 1, is_later=is_later)


def _inner_document(text: str) -> Any:
    """A document that was written into a string, as the arguments of tools are."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _has_empty_query(document: Any) -> bool:
    """Whether an object has a place for a query, and nothing in it."""
    return isinstance(document, dict) and any(
        item in (None, "", [], {}) and _QUERY_KEYS.match(str(key)) and str(key).lower() not in _PARAMETER_KEYS
        for key, item in document.items()
    )


def _broken(text: str) -> Iterator[WrappedText]:
    """The strings under the keys of queries in a document that cannot be read."""
    for number, found in enumerate(_STRING_OF_KEY.finditer(text)):
        if number == _MOST_OBJECTS:
            break
        raw, quote = found["text"], found["quote"]
        try:
            unescaped = json.loads(f'"{_requoted(raw, quote)}"', strict=False)
        except ValueError:
            unescaped = raw
        yield WrappedText(unescaped, found.start("text"), found.end("text"), found["key"])


def _requoted(raw: str, quote: str) -> str:
    return raw.replace("\\'", "'").replace('"', '\\"') if quote == "'" else re.sub(r"\\$", "", raw)
