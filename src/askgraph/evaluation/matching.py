"""When an answer counts as right. One rule for every set of questions; :data:`RULE` says it.

Each thing that an answer may be called becomes a few keys: a text its normal form, a number its size, a truth value
itself, a day its date. Two things are the same if they share a key; two nodes only if they have the same id.
"""

from __future__ import annotations

import contextlib
import datetime
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from ..core.evidence import ShortAnswer
from ..core.graph import Node
from ..core.values import LanguageText, TypedLiteral, Value, display
from ..core.words import local_name, normalize
from .gold import GoldItem

RULE: Final = (
    "An answer counts when its id, one of its names, or its value equals a right one: names after normalising (case, "
    "accents, punctuation and blanks do not matter), numbers by size, truth values as yes or no; two nodes only by "
    "their ids."
)

Key = tuple[str, str | int | float]

_NUMBER: Final = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][+-]?\d+)?")
_TRUTHS: Final = {"yes": True, "true": True, "no": False, "false": False}
# Sums and averages that were made in another order differ in their last digits.
_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that is compared: its keys, and its id where it is a node."""

    keys: frozenset[Key]
    node: str | None = None

    def is_same(self, other: Candidate) -> bool:
        """Whether the two are one and the same by :data:`RULE`."""
        if self.node is not None and other.node is not None:
            return self.node == other.node
        return not self.keys.isdisjoint(other.keys)


def keys_of(value: Value) -> frozenset[Key]:
    """The keys of a value. A text that reads as a number, a date, or yes or no, has the keys of that as well."""
    match value:
        case bool():
            return frozenset({("truth", value)})
        case int() | float() | Decimal():
            return frozenset({_number_key(value)})
        case datetime.datetime():
            return _moment_keys(value)
        case datetime.date():
            return frozenset({("day", value.isoformat())})
        case list() | tuple():
            return frozenset(key for item in value for key in keys_of(item))
        case str() | LanguageText() | TypedLiteral():
            return _text_keys(str(value))
    return _text_keys(display(value))


def _text_keys(text: str) -> frozenset[Key]:
    stripped = text.strip()
    # An id is itself, letter by letter; a text of signs alone ("+") has no normal form.
    keys: set[Key] = {("id", stripped), ("text", normalize(stripped) or stripped)}
    if stripped.casefold() in _TRUTHS:
        keys.add(("truth", _TRUTHS[stripped.casefold()]))
    elif stripped and _NUMBER.fullmatch(stripped):
        with contextlib.suppress(InvalidOperation):  # a sign without digits
            keys.add(_number_key(Decimal(stripped.replace(",", ""))))
    elif stripped[:4].isdigit():
        keys |= _written_date(stripped)
    return frozenset(keys)


def _number_key(number: float | Decimal) -> Key:
    if isinstance(number, int):
        return ("number", number)
    if not math.isfinite(number):
        return ("number", str(float(number)))
    nearest = int(number.to_integral_value()) if isinstance(number, Decimal) else round(number)
    if abs(float(number) - nearest) <= abs(nearest) * 10.0**-_DIGITS:
        return ("number", nearest)
    return ("number", float(f"{number:.{_DIGITS}g}"))


def _written_date(text: str) -> frozenset[Key]:
    try:
        return frozenset({("day", datetime.date.fromisoformat(text).isoformat())})
    except ValueError:
        pass
    try:
        return _moment_keys(datetime.datetime.fromisoformat(text))
    except ValueError:
        return frozenset()


def _moment_keys(moment: datetime.datetime) -> frozenset[Key]:
    if moment.tzinfo is not None:
        moment = moment.astimezone(datetime.UTC)
    keys: set[Key] = {("moment", moment.isoformat())}
    if moment.time() == datetime.time():
        keys.add(("day", moment.date().isoformat()))
    return frozenset(keys)


# --- what is compared


def candidate_of_node(id: str, node: Node | None) -> Candidate:
    """A node by its id, its names, and the last part of its id."""
    names = [name.text for name in node.names] if node is not None else []
    keys = [keys_of(name) for name in (*names, local_name(id))]
    return Candidate(frozenset({("id", id)}.union(*keys)), id)


def candidates_of_answers(answers: Sequence[ShortAnswer], nodes: Mapping[str, Node]) -> list[Candidate]:
    """What was answered. ``nodes``: the nodes among the answers, by id."""
    return [
        candidate_of_node(answer.node, nodes.get(answer.node))
        if answer.node is not None
        else Candidate(
            keys_of(answer.text) | keys_of(answer.value if answer.value is not None else answer.text)
        )
        for answer in answers
    ]


def candidates_of_gold(items: Iterable[GoldItem], nodes: Mapping[str, Node]) -> list[Candidate]:
    """What is right. ``nodes``: the nodes among the items, by id."""
    found = []
    for item in items:
        keys = frozenset(key for form in item.forms for key in keys_of(form))
        if item.node is not None:
            keys |= candidate_of_node(item.node, nodes.get(item.node)).keys
        found.append(Candidate(keys, item.node))
    return found


class Lookup:
    """Finds which of some candidates are the same as another, without comparing every pair."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._by_node: dict[str, list[int]] = {}
        self._by_key: dict[Key, list[int]] = {}
        self._all = candidates
        for place, candidate in enumerate(candidates):
            if candidate.node is not None:
                self._by_node.setdefault(candidate.node, []).append(place)
            for key in candidate.keys:
                self._by_key.setdefault(key, []).append(place)

    def same_as(self, other: Candidate) -> list[int]:
        """The places of the candidates that are the same as this one, in order."""
        places = {place for key in other.keys for place in self._by_key.get(key, ())}
        if other.node is not None:
            places = {place for place in places if self._all[place].node is None}
            places.update(self._by_node.get(other.node, ()))
        return sorted(places)
