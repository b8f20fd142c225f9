"""Conditions on many matches at once, with their three outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.plan import (
    And,
    Comparator,
    Compare,
    Condition,
    Constant,
    Exists,
    Expression,
    IsNull,
    NodeReference,
    Not,
    Or,
    Pattern,
    PropertyOf,
)
from ....core.values import Value
from ..columns import RdfColumns
from ..value_order import ValueClass, compare, value_class
from .batches import NULL, Batch, RowGroups

Outcomes = NDArray[np.int8]
"""For each match :data:`TRUE`, :data:`FALSE` or :data:`UNKNOWN`."""

FALSE: Final = 0
TRUE: Final = 1
UNKNOWN: Final = -1

ExistsTest = Callable[[Pattern, Batch], NDArray[np.bool_]]
"""For each match whether a pattern matches with the match's nodes as they are."""

_BETWEEN_CHECKS: Final = 2_000
_PARTS_OF_TEXTS: Final = ("contains", "starts with", "ends with")
_MIRRORED: Final[dict[Comparator, Comparator]] = {
    "=": "=",
    "<>": "<>",
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
}


class Conditions:
    """Evaluates conditions over one graph."""

    def __init__(self, columns: RdfColumns, exists: ExistsTest, check: Callable[[], None]) -> None:
        """``check``: called often by what takes long; raises when the time is up."""
        self._columns = columns
        self._exists = exists
        self._check = check

    def holds(self, condition: Condition, batch: Batch) -> NDArray[np.bool_]:
        """For which matches the condition is true."""
        passed: NDArray[np.bool_] = self.outcomes(condition, batch) == TRUE
        return passed

    def outcomes(self, condition: Condition, batch: Batch) -> Outcomes:
        """The outcome for each match."""
        match condition:
            case Compare(left, comparator, right):
                return self._compare(left, comparator, right, batch)
            case IsNull(expression):
                return self._is_null(expression, batch)
            case And(parts):
                return self._all(parts, batch)
            case Or(parts):
                # Not (not a and not b): the table of three outcomes is symmetric.
                return _negated(self._all(tuple(Not(part) for part in parts), batch))
            case Not(part):
                return _negated(self.outcomes(part, batch))
            case Exists(pattern):
                return self._exists(pattern, batch).astype(np.int8)

    def _all(self, parts: tuple[Condition, ...], batch: Batch) -> Outcomes:
        result = np.full(batch.length, TRUE, dtype=np.int8)
        for part in parts:
            outcome = self.outcomes(part, batch)
            result = np.where(
                (result == FALSE) | (outcome == FALSE), FALSE, np.minimum(result, outcome)
            ).astype(np.int8)
        return result

    def _is_null(self, expression: Expression, batch: Batch) -> Outcomes:
        match expression:
            case NodeReference(variable):
                return _as_outcomes(batch.slots[variable] == NULL)
            case PropertyOf():
                return _as_outcomes(batch.slots[expression] == NULL)
            case Constant(value):
                return np.full(batch.length, TRUE if value is None else FALSE, dtype=np.int8)
        raise TypeError(f"no operand of a condition: {expression!r}")

    # --- comparisons

    def _compare(self, left: Expression, comparator: Comparator, right: Expression, batch: Batch) -> Outcomes:
        if isinstance(left, Constant) and not isinstance(right, Constant) and comparator in _MIRRORED:
            left, comparator, right = right, _MIRRORED[comparator], left
        match left, right:
            case Constant(one), Constant(other):
                return np.full(batch.length, _outcome(compare(one, comparator, other)), dtype=np.int8)
            case NodeReference(one), NodeReference(other) if comparator in _MIRRORED:
                return _compare_numbers(batch.slots[one], comparator, batch.slots[other])
            case PropertyOf(), PropertyOf() if comparator in _MIRRORED:
                return self._compare_codes(batch.slots[left], comparator, batch.slots[right])
            case PropertyOf(), Constant(constant):
                return self._compare_with_constant(batch.slots[left], comparator, constant)
            case NodeReference(variable), Constant(str() as constant) if comparator in _MIRRORED:
                return self._compare_id(batch.slots[variable], comparator, constant)
        return self._compare_pairs(left, comparator, right, batch)

    def _compare_with_constant(
        self, codes: NDArray[np.int64], comparator: Comparator, constant: Value
    ) -> Outcomes:
        if constant is None:
            return np.full(len(codes), UNKNOWN, dtype=np.int8)
        terms = self._columns.terms
        is_negated = comparator == "<>"
        if comparator in _PARTS_OF_TEXTS:
            return self._look_into_texts(codes, comparator, constant)
        found = terms.matching_range("=" if is_negated else comparator, constant)
        if found is None:
            return self._by_distinct((codes,), lambda code: compare(terms.value(code), comparator, constant))
        kind = value_class(constant)
        start, end = terms.class_range(kind)
        if kind is ValueClass.NUMBER:
            end = terms.not_a_number
        outcomes = np.full(len(codes), UNKNOWN, dtype=np.int8)
        comparable = (codes >= start) & (codes < end)
        holds = (codes >= found[0]) & (codes < found[1])
        outcomes[comparable] = (holds != is_negated)[comparable]
        return outcomes

    def _compare_codes(
        self, left: NDArray[np.int64], comparator: Comparator, right: NDArray[np.int64]
    ) -> Outcomes:
        """Values of two properties: by number where their class has a full order, else each pair by itself."""
        terms = self._columns.terms
        bounds = np.asarray(terms.class_ends)
        classes = np.searchsorted(bounds, left, side="right")
        outcomes = np.full(len(left), UNKNOWN, dtype=np.int8)
        comparable = (
            (left != NULL) & (right != NULL) & (classes == np.searchsorted(bounds, right, side="right"))
        )
        numbers = classes == ValueClass.NUMBER
        comparable &= ~(numbers & ((left >= terms.not_a_number) | (right >= terms.not_a_number)))
        simple = comparable & (classes < ValueClass.DURATION) & ~(numbers & terms.mixes_floats)
        outcomes[simple] = _compare_numbers(terms.sizes[left[simple]], comparator, terms.sizes[right[simple]])
        rest = comparable & ~simple
        if rest.any():
            outcomes[rest] = self._by_distinct(
                (left[rest], right[rest]),
                lambda one, other: compare(terms.value(one), comparator, terms.value(other)),
            )
        return outcomes

    def _look_into_texts(self, codes: NDArray[np.int64], comparator: Comparator, constant: Value) -> Outcomes:
        """Each different text is read once, many together."""
        terms = self._columns.terms
        outcomes = np.full(len(codes), UNKNOWN, dtype=np.int8)
        start, end = terms.class_range(ValueClass.TEXT)
        are_texts = (codes >= start) & (codes < end)
        if value_class(constant) is not ValueClass.TEXT or not are_texts.any():
            return outcomes
        found, places = np.unique(codes[are_texts], return_inverse=True)
        texts = terms.texts.texts(terms.first_terms[found].astype(np.int64))
        part = str(constant).lower()
        match comparator:
            case "contains":
                holds = [part in text.lower() for text in texts]
            case "starts with":
                holds = [text.lower().startswith(part) for text in texts]
            case _:
                holds = [text.lower().endswith(part) for text in texts]
        outcomes[are_texts] = np.array(holds, dtype=np.int8)[places.reshape(-1)]
        return outcomes

    def _compare_id(self, rows: NDArray[np.int64], comparator: Comparator, text: str) -> Outcomes:
        """Rows follow the order of ids: the text has a place among them."""
        place = int(self._columns.find_rows([text])[0])
        if place >= 0:
            return _compare_numbers(rows, comparator, np.full(len(rows), place))
        # Between two rows: on a scale twice as fine, rows are odd.
        fine = np.where(rows == NULL, NULL, rows * 2 + 1)
        return _compare_numbers(fine, comparator, np.full(len(rows), self._rows_below(text) * 2))

    def _rows_below(self, text: str) -> int:
        resources = self._columns.resources
        low, high = 0, self._columns.resource_count
        while low < high:
            middle = (low + high) // 2
            if resources.text(middle) < text:
                low = middle + 1
            else:
                high = middle
        return low

    def _compare_pairs(
        self, left: Expression, comparator: Comparator, right: Expression, batch: Batch
    ) -> Outcomes:
        """Any comparison, once for each different pair of values."""
        sides = [self._numbers_and_reader(side, batch) for side in (left, right)]
        (one, read_one), (other, read_other) = sides
        return self._by_distinct(
            (one, other), lambda first, second: compare(read_one(first), comparator, read_other(second))
        )

    def _numbers_and_reader(
        self, expression: Expression, batch: Batch
    ) -> tuple[NDArray[np.int64], Callable[[int], Value]]:
        match expression:
            case NodeReference(variable):
                return batch.slots[variable], self._columns.resources.text
            case PropertyOf():
                return batch.slots[expression], self._columns.terms.value
            case Constant(value):
                number = NULL if value is None else 0
                return np.full(batch.length, number, dtype=np.int64), lambda _: value
        raise TypeError(f"no operand of a condition: {expression!r}")

    def _by_distinct(
        self, columns: tuple[NDArray[np.int64], ...], test: Callable[..., bool | None]
    ) -> Outcomes:
        """The outcome of a test for each row; the test sees each combination of numbers once, and none with a null."""
        groups = RowGroups.of(columns)
        distinct = [column[groups.representatives].tolist() for column in columns]
        outcomes = np.empty(len(groups.representatives), dtype=np.int8)
        for place, numbers in enumerate(zip(*distinct, strict=True)):
            if place % _BETWEEN_CHECKS == 0:
                self._check()
            outcomes[place] = UNKNOWN if NULL in numbers else _outcome(test(*numbers))
        return outcomes[groups.group_of_rows()]


def _as_outcomes(holds: NDArray[np.bool_]) -> Outcomes:
    return holds.astype(np.int8)


def _outcome(holds: bool | None) -> int:
    return UNKNOWN if holds is None else int(holds)


def _negated(outcomes: Outcomes) -> Outcomes:
    return np.where(outcomes == UNKNOWN, UNKNOWN, 1 - outcomes).astype(np.int8)


def _compare_numbers(left: NDArray[np.int64], comparator: Comparator, right: NDArray[np.int64]) -> Outcomes:
    match comparator:
        case "=":
            holds = left == right
        case "<>":
            holds = left != right
        case "<":
            holds = left < right
        case "<=":
            holds = left <= right
        case ">":
            holds = left > right
        case _:
            holds = left >= right
    return np.where((left == NULL) | (right == NULL), UNKNOWN, holds).astype(np.int8)
