"""What of a model's reply is its answer: without reasoning, chat marks and fences; out of JSON where it came so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ..models.replies import without_reasoning

_FENCED = re.compile(r"\A\s*(?:```|~~~)[\w-]*\s*\n(.*?)\n?\s*(?:```|~~~)?\s*\Z", re.DOTALL)
_ANSWER_KEYS = (
    "answer", "final_answer", "finalAnswer", "response", "reply", "text", "content", "result", "output", "sentences",
)  # fmt: skip
_LABEL = re.compile(r"\A\s*(?:\*\*)?(?:final answer|answer|response)(?:\*\*)?\s*:(?:\*\*)?\s*", re.IGNORECASE)
_SHORT = re.compile(r"\A[\s*_#>-]*short answers?[\s*_]*:[\s*_]*", re.IGNORECASE)
_SHORT_LINE = re.compile(r"^(?=[\s*_#>-]*short answers?[\s*_]*:)", re.IGNORECASE | re.MULTILINE)


def answer_text(reply: str) -> str:
    """The text of an answer in a reply; empty where there is none."""
    text = without_reasoning(reply)
    fenced = _FENCED.match(text)
    if fenced:
        text = fenced[1]
    if looks_like_json(text):
        text = _out_of_json(text)
    return _LABEL.sub("", text)


def looks_like_json(text: str) -> bool:
    """Whether a reply begins as JSON does."""
    return text.lstrip()[:1] == "{" or text.lstrip()[:2] in ("[{", '["')


def _out_of_json(text: str) -> str:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return text
    found = list(_texts(data))
    return "\n".join(found)


def _texts(data: Any) -> Iterator[str]:
    """The texts under the keys that answers have; all texts where there is no such key."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, list):
        for item in data:
            yield from _texts(item)
    elif isinstance(data, dict):
        keys = [key for key in _ANSWER_KEYS if key in data] or list(data)
        for key in keys[:1] if keys[0] in _ANSWER_KEYS else keys:
            yield from _texts(data[key])


def split_short_answer(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without its last line "Short answer: A; B", and what that line says."""
    parts = _SHORT_LINE.split(text)
    if len(parts) == 1:
        return text, ()
    line, _, rest = parts[-1].partition("\n")
    said = _SHORT.sub("", line)
    items = tuple(item.strip(" *_.\"'") for item in re.split(r"\s*;\s*", said))
    return "".join(parts[:-1]) + rest, tuple(item for item in items if item)


def may_be_short_answer(text: str) -> bool:
    """Whether a text that is still being written may become the line of the short answer."""
    begun = text.strip(" *_#>-").casefold()
    return "short answer".startswith(begun[:12]) and bool(begun)
