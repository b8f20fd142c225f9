"""Values in Cypher as plans mean them: comparisons with three outcomes, and the order of values of several kinds."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from ...core.plan import Comparator
from ...core.values import Duration, LanguageText, Point, Value
from .engines import Engine

UNKNOWN: Final = "null"
"""What a comparison gives that has no answer."""

# Kinds of value that can be compared, in the order of plans, with the names of their types.
KINDS: Final[dict[str, tuple[str, ...]]] = {
    "number": ("INTEGER", "FLOAT"),
    "text": ("STRING",),
    "boolean": ("BOOLEAN",),
    "date": ("DATE",),
    "datetime": ("LOCAL DATETIME",),
    "zoned": ("ZONED DATETIME",),
    "time": ("LOCAL TIME",),
    "duration": ("DURATION",),
    "zoned time": ("ZONED TIME",),
    "point": ("POINT",),
}
_KIND_OF_TYPE: Final = {name: kind for kind, names in KINDS.items() for name in names}
# These can only be equal.
_WITHOUT_ORDER: Final = frozenset({"zoned time", "point"})
# These are compared by their parts.
_WITH_PARTS: Final = frozenset({"zoned", "duration"})
_TEXT_WORDS: Final = {"contains": "CONTAINS", "starts with": "STARTS WITH", "ends with": "ENDS WITH"}
_ANY: Final = tuple(KINDS)


@dataclass(frozen=True, slots=True)
class Operand:
    """An expression, and what it may be.

    Attributes:
        text: in Cypher.
        kinds: the kinds of value that it may have; none for what can be compared with nothing.
        is_sure: whether it has no others: a constant, a count, an id. What was seen of a property is not sure.
        has_both_numbers: whether it may be an integer and may be a float.
    """

    text: str
    kinds: tuple[str, ...] = _ANY
    is_sure: bool = False
    has_both_numbers: bool = True


def operand_of_types(text: str, names: Iterable[str] | None) -> Operand:
    """An expression whose values were seen to be of these types; ``None`` for one that may be anything."""
    if names is None:
        return Operand(text)
    seen = set(names)
    found = {_KIND_OF_TYPE[name] for name in seen if name in _KIND_OF_TYPE}
    kinds = tuple(kind for kind in KINDS if kind in found)
    return Operand(text, kinds, has_both_numbers={"INTEGER", "FLOAT"} <= seen)


def kinds_of_constant(value: Value) -> tuple[str, ...]:
    """The kind of a constant; none for one that equals nothing that a server holds."""
    match value:
        case bool():
            return ("boolean",)
        case int() | float() | Decimal():
            return () if isinstance(value, float | Decimal) and math.isnan(value) else ("number",)
        case str() | LanguageText():
            return ("text",)
        case datetime.datetime():
            return ("datetime",) if value.tzinfo is None else ("zoned",)
        case datetime.date():
            return ("date",)
        case datetime.time():
            return ("time",) if value.tzinfo is None else ("zoned time",)
        case Duration():
            return ("duration",)
        case Point():
            return ("point",)
    return ()


def sent_constant(value: Value) -> Any:
    """A constant as it can be sent and compared: servers have no integers of more than 64 bits."""
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**63:
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    return value


class Comparisons:
    """Writes comparisons for one engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def compare(self, left: Operand, comparator: Comparator, right: Operand, *, is_strict: bool) -> str:
        """A comparison as a plan means it.

        Args:
            left: one side.
            comparator: of the plan.
            right: the other side.
            is_strict: whether it matters that an unknown outcome is not false (below a negation). Where it does not,
                an index can be used.
        """
        if comparator in _TEXT_WORDS:
            return self._text(left, _TEXT_WORDS[comparator], right)
        kinds = [kind for kind in left.kinds if kind in right.kinds]
        if comparator not in ("=", "<>"):
            kinds = [kind for kind in kinds if kind not in _WITHOUT_ORDER]
        if not kinds:
            return UNKNOWN
        if self._needs_no_test(left, right, kinds, comparator, is_strict=is_strict):
            return _of_kind(kinds[0], left.text, comparator, right.text)
        whens = "".join(
            f" WHEN {self._both_are(kind, left, right)} THEN {_of_kind(kind, left.text, comparator, right.text)}"
            for kind in kinds
        )
        return f"CASE{whens} END"

    def is_of_kind(self, kind: str, text: str) -> str:
        """The condition that a value is there and of a kind."""
        return self._engine.is_of(text, *KINDS[kind])

    def _needs_no_test(
        self, left: Operand, right: Operand, kinds: Sequence[str], comparator: Comparator, *, is_strict: bool
    ) -> bool:
        """Whether Cypher's own comparison is right for whatever the values are."""
        if len(kinds) > 1:
            return False
        if kinds[0] in _WITH_PARTS:
            # To ask a value of another kind for these parts is an error, which ends the whole query.
            return left.is_sure and right.is_sure
        if left.kinds == right.kinds and len(left.kinds) == 1:
            return True
        # A comparison by size of values of two kinds is null in Cypher too; whether they are equal is false.
        return comparator not in ("=", "<>") or (comparator == "=" and not is_strict)

    def _both_are(self, kind: str, left: Operand, right: Operand) -> str:
        tests = [self.is_of_kind(kind, side.text) for side in (left, right) if not side.is_sure]
        return " AND ".join(tests) or "true"

    def _text(self, left: Operand, words: str, right: Operand) -> str:
        """Without case. A function of texts fails for anything else, so what is not sure is tested."""
        if "text" not in left.kinds or "text" not in right.kinds:
            return UNKNOWN
        form = f"toLower({left.text}) {words} toLower({right.text})"
        if left.is_sure and right.is_sure:
            return form
        return f"CASE WHEN {self._both_are('text', left, right)} THEN {form} END"

    # --- order

    def order(self, text: str, operand: Operand, *, is_descending: bool) -> list[str]:
        """The keys by which a column of such values is ordered; null comes last."""
        direction = " DESC" if is_descending else ""
        keys = [f"{text} IS NULL"] if is_descending else []
        if len(operand.kinds) > 1:
            ranks = "".join(
                f" WHEN {self.is_of_kind(kind, text)} THEN {rank}" for rank, kind in enumerate(operand.kinds)
            )
            keys.append(f"CASE{ranks} ELSE {len(operand.kinds)} END{direction}")
        keys.append(text + direction)
        if operand.has_both_numbers and "number" in operand.kinds:
            keys.append(f"{self._engine.is_of(text, 'FLOAT')}{direction}")
        return keys


def _of_kind(kind: str, left: str, comparator: str, right: str) -> str:
    if kind == "zoned":
        return f"{_instant(left)} {comparator} {_instant(right)}"
    if kind == "duration":
        return _durations(left, comparator, right)
    return f"{left} {comparator} {right}"


def _instant(text: str) -> str:
    """Microseconds: Cypher itself tells apart two times of one instant in different zones."""
    return f"({text}.epochSeconds * 1000000 + {text}.microsecond)"


def _durations(left: str, comparator: str, right: str) -> str:
    """By months and by time together; where these disagree neither is less."""
    months = (f"{left}.months", f"{right}.months")
    rest = tuple(
        f"({text}.days * 86400000000 + {text}.seconds * 1000000 + {text}.microsecondsOfSecond)"
        for text in (left, right)
    )
    equal = f"({months[0]} = {months[1]} AND {rest[0]} = {rest[1]})"
    if comparator == "=":
        return equal
    if comparator == "<>":
        return f"NOT {equal}"
    sign = comparator[0]
    agree = f"sign({months[0]} - {months[1]}) * sign({rest[0]} - {rest[1]}) >= 0"
    beyond = f"({months[0]} {sign} {months[1]} OR ({months[0]} = {months[1]} AND {rest[0]} {comparator} {rest[1]}))"
    return f"CASE WHEN {agree} THEN {beyond} END"
