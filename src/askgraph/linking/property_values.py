"""Values of properties that a question may name things by: short texts, and whole numbers such as a policy's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import cast

from ..core.graph import Node
from ..core.values import LanguageText, Value, from_json_value, to_json_value

# A text longer than this is prose, not something that a question names.
_LONGEST_TEXT = 80

NamedValue = str | int | float | Decimal


def value_id(key: str, value: NamedValue) -> str:
    """The id under which the value index keeps the value ``value`` of the property ``key``."""
    return json.dumps([key, to_json_value(value)], ensure_ascii=False)


def value_of(id: str) -> tuple[str, NamedValue]:
    """The property key and the value of an id made by :func:`value_id`."""
    key, value = json.loads(id)
    return key, cast("NamedValue", from_json_value(value))


def named_values(node: Node) -> Iterator[tuple[str, NamedValue]]:
    """The values of a node that may be named in words, each with its key: no prose, and no measurements."""
    for key, value in node.properties.items():
        for item in value if isinstance(value, list) else (value,):
            named = _named(item)
            if named is not None:
                yield key, named


def text_of_value(value: NamedValue) -> str:
    """How a value is written in a question: a whole number without a fraction."""
    return value if isinstance(value, str) else str(int(value))


def _named(value: Value) -> NamedValue | None:
    if isinstance(value, LanguageText):
        value = value.text
    if isinstance(value, str):
        return value if value and len(value) <= _LONGEST_TEXT else None
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if value.is_integer() else None
    if isinstance(value, Decimal):
        return value if value.is_finite() and value == value.to_integral_value() else None
    return None
