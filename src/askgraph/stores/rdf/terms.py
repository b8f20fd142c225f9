"""The literals of a graph, numbered in the order of their values.

Two numbers belong to a literal. Its *term* is what was written: text, datatype, language. Its *value code* is what it
means: terms that are one value to a plan (``01`` and ``1``) share one. Both follow the order of values, so that codes
compare as their values do, and the values of one class are one range of codes.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...core.plan import Comparator
from ...core.values import LanguageText, Value
from ..property.texts import TextTable, build_text_table
from .literals import canonical_language, literal_to_ntriples, literal_value
from .value_order import ValueClass, compare, order_key, value_class
from .vocabulary import TRIPLE_TERM

NO_VALUE: Final = -1
_CHUNK: Final = 100_000
# Every integer up to here is a float.
_EXACT_FLOATS: Final = 2.0**53
# Types whose values, if they are alone, come in the right order by themselves.
_SORTABLE: Final = frozenset({int, float, Decimal, bool, datetime.date, datetime.datetime})


@dataclass(frozen=True, slots=True)
class LiteralKind:
    """What literals share: the datatype's IRI, and the language tag (with its direction: ``ar--rtl``) or ``None``."""

    datatype: str
    language: str | None = None

    @property
    def shown_language(self) -> str | None:
        """The language tag without direction, with its usual capitals."""
        return None if self.language is None else canonical_language(self.language.partition("--")[0])

    def value(self, text: str) -> Value:
        """The Python value of a literal of this kind."""
        return literal_value(text, self.datatype, self.shown_language)

    def to_ntriples(self, text: str) -> str:
        """A literal of this kind as N-Triples writes it. A triple term is its own text."""
        if self.datatype == TRIPLE_TERM:
            return text
        language = self.language
        if language is not None:
            tag, _, direction = language.partition("--")
            language = canonical_language(tag) + (f"--{direction}" if direction else "")
        return literal_to_ntriples(text, self.datatype, language)


@dataclass(frozen=True, eq=False)
class Terms:
    """Every literal of a graph.

    Attributes:
        texts: the text of each term.
        kinds: the kind of each term, a place in ``kind_table``.
        values: the value code of each term.
        first_terms: for each value code one of its terms.
        kind_table: kinds.
        class_ends: for each :class:`ValueClass` the value code after its last one.
        not_a_number: the value code of the first NaN, which is also the end of the numbers that can be compared.
        mixes_floats: whether there are floats beside numbers that compare with them only as floats.
    """

    texts: TextTable
    kinds: NDArray[np.int32]
    values: NDArray[np.int32]
    first_terms: NDArray[np.int32]
    kind_table: Sequence[LiteralKind]
    class_ends: Sequence[int]
    not_a_number: int
    mixes_floats: bool

    @property
    def value_count(self) -> int:
        """How many different values there are."""
        return len(self.first_terms)

    @cached_property
    def shown_languages(self) -> Sequence[str | None]:
        """The language of each kind, as it is shown."""
        return [kind.shown_language for kind in self.kind_table]

    def term_value(self, term: int) -> Value:
        """The value of a term, as it was written."""
        return self._kind(term).value(self.texts.text(term))

    def _kind(self, term: int) -> LiteralKind:
        return self.kind_table[int(self.kinds[term])]

    def value(self, code: int) -> Value:
        """The value with a code."""
        return self.term_value(int(self.first_terms[code]))

    def values_of(self, codes: NDArray[np.integer[Any]]) -> list[Value]:
        """The values with these codes, in their order; null for :data:`NO_VALUE`."""
        distinct, positions = np.unique(codes, return_inverse=True)
        has_null = len(distinct) > 0 and distinct[0] == NO_VALUE
        terms = self.first_terms[distinct[1:] if has_null else distinct].astype(np.int64)
        kinds = self.kinds[terms].tolist()
        decoded: list[Value] = [None] if has_null else []
        table = self.kind_table
        decoded += [
            table[kind].value(text) for kind, text in zip(kinds, self.texts.texts(terms), strict=True)
        ]
        return [decoded[position] for position in positions.reshape(-1).tolist()]

    def class_range(self, kind: ValueClass) -> tuple[int, int]:
        """The first value code of a class, and the one after its last."""
        return (self.class_ends[kind - 1] if kind else 0), self.class_ends[kind]

    def matching_range(self, comparator: Comparator, constant: Value) -> tuple[int, int] | None:
        """The value codes from … to below … for which the comparison with a constant holds; ``None`` if they are
        not one range: for ``<>`` and comparisons of texts by their parts, and with values that have no full order."""
        kind = value_class(constant)
        if not kind.has_order or kind is ValueClass.DURATION or comparator not in ("=", "<", "<=", ">", ">="):
            return None
        start, end = self.class_range(kind)
        if kind is ValueClass.NUMBER:
            if constant != constant or self._is_uneven(constant):
                return None
            end = self.not_a_number
        first = self._first_code(start, end, ">=", constant)
        match comparator:
            case "<":
                return start, first
            case ">=":
                return first, end
        after = self._first_code(first, end, ">", constant)
        return {"=": (first, after), "<=": (start, after), ">": (after, end)}[comparator]

    @cached_property
    def sizes(self) -> NDArray[np.int32]:
        """For each value code a number that is equal for values that compare as equal (1 and 1.0, one text in two
        languages), and compares as they do within one class that has a full order."""
        starts_new = np.ones(self.value_count, dtype=np.bool_)
        for kind, may_be_equal in (
            (ValueClass.NUMBER, len({type(self.value(code)) for code in self._one_of_each_kind()}) > 1),
            (ValueClass.TEXT, any(language is not None for language in self.shown_languages)),
        ):
            start, end = self.class_range(kind)
            if may_be_equal and end > start:
                values = self.values_of(np.arange(start, end, dtype=np.int64))
                equal = [compare(one, "=", other) is True for one, other in pairwise(values)]
                starts_new[start + 1 : end] = ~np.array(equal, dtype=np.bool_)
        return np.cumsum(starts_new, dtype=np.int32)

    def _one_of_each_kind(self) -> list[int]:
        """For each kind of literal among the numbers the code of one."""
        end = self.class_ends[ValueClass.NUMBER]
        _, firsts = np.unique(self.kinds[self.first_terms[:end]], return_index=True)
        return firsts.tolist()  # type: ignore[no-any-return]

    def _is_uneven(self, constant: Value) -> bool:
        """Whether the numbers before and after a constant may not be two runs: some compare with it exactly and some
        only as floats."""
        return self.mixes_floats or (isinstance(constant, float) and abs(constant) >= _EXACT_FLOATS)

    def _first_code(self, start: int, end: int, comparator: Comparator, constant: Value) -> int:
        """The first code of a range whose value compares so with a constant; all after it do."""
        while start < end:
            middle = (start + end) // 2
            if compare(self.value(middle), comparator, constant):
                end = middle
            else:
                start = middle + 1
        return start

    def to_ntriples(self, term: int) -> str:
        """A term as N-Triples writes it."""
        return self._kind(term).to_ntriples(self.texts.text(term))


@dataclass(frozen=True, slots=True)
class SortedTerms:
    """Terms in their final order, and for each of the given ones its new number."""

    terms: Terms
    new_numbers: NDArray[np.int32]


def sort_terms(
    texts: Sequence[str], kinds: NDArray[np.int32], kind_table: Sequence[LiteralKind]
) -> SortedTerms:
    """Number literals in the order of their values.

    Args:
        texts: the text of each literal.
        kinds: the kind of each, a place in ``kind_table``.
        kind_table: kinds.
    """
    ordered: dict[ValueClass, _Ordered] = {}
    text_numbers, others = _by_class(texts, kinds, kind_table)
    for kind in ValueClass:
        entries = others.get(kind, [])
        ordered[kind] = (
            _order_texts(text_numbers, texts, kinds, kind_table)
            if kind is ValueClass.TEXT
            else _order_values(entries, texts, kinds, kind_table)
        )
    order = list(chain.from_iterable(ordered[kind].numbers for kind in ValueClass))
    is_first = list(chain.from_iterable(ordered[kind].is_first for kind in ValueClass))
    numbers = [value for value, _ in others.get(ValueClass.NUMBER, [])]
    types = {type(value) for value in numbers}
    not_a_number = sum(ordered[ValueClass.NUMBER].is_first) - any(value != value for value in numbers)
    ends = np.cumsum([sum(ordered[kind].is_first) for kind in ValueClass]).tolist()
    positions = np.array(order, dtype=np.int64)
    values = np.cumsum(np.array(is_first, dtype=np.int32), dtype=np.int32) - 1
    new_numbers = np.empty(len(order), dtype=np.int32)
    new_numbers[positions] = np.arange(len(order), dtype=np.int32)
    terms = Terms(
        texts=build_text_table(
            [texts[number] for number in order[start : start + _CHUNK]]
            for start in range(0, len(order), _CHUNK)
        ),
        kinds=kinds[positions],
        values=values.astype(np.int32),
        first_terms=np.flatnonzero(np.array(is_first, dtype=np.bool_)).astype(np.int32),
        kind_table=tuple(kind_table),
        class_ends=tuple(ends),
        not_a_number=not_a_number,
        mixes_floats=float in types and len(types) > 1,
    )
    return SortedTerms(terms, new_numbers)


@dataclass(frozen=True, slots=True)
class _Ordered:
    """Literals of one class in their order, and whether each is another value than the one before it."""

    numbers: list[int]
    is_first: list[bool]


def _by_class(
    texts: Sequence[str], kinds: NDArray[np.int32], kind_table: Sequence[LiteralKind]
) -> tuple[list[int], dict[ValueClass, list[tuple[Value, int]]]]:
    """The literals that are texts, and the others with their values by class."""
    # Texts are most of all literals: they need no detour through values.
    are_texts = np.array([_language_of_texts(kind) is not None for kind in kind_table], dtype=np.bool_)[kinds]
    others: dict[ValueClass, list[tuple[Value, int]]] = {}
    for number in np.flatnonzero(~are_texts).tolist():
        value = kind_table[kinds[number]].value(texts[number])
        others.setdefault(value_class(value), []).append((value, number))
    return np.flatnonzero(are_texts).tolist(), others


def _order_texts(
    numbers: list[int], texts: Sequence[str], kinds: NDArray[np.int32], kind_table: Sequence[LiteralKind]
) -> _Ordered:
    languages = [_language_of_texts(kind) or "" for kind in kind_table]
    datatypes = [kind.datatype for kind in kind_table]
    numbers.sort(key=texts.__getitem__)
    sorted_texts = [texts[number] for number in numbers]
    is_first = [True] * len(numbers)
    start = 0
    for end in range(1, len(numbers) + 1):
        if end < len(numbers) and sorted_texts[end] == sorted_texts[start]:
            continue
        if end - start > 1:
            run = sorted(
                numbers[start:end], key=lambda number: (languages[kinds[number]], datatypes[kinds[number]])
            )
            numbers[start:end] = run
            for place in range(start + 1, end):
                is_first[place] = languages[kinds[numbers[place]]] != languages[kinds[numbers[place - 1]]]
        start = end
    return _Ordered(numbers, is_first)


def _order_values(
    entries: list[tuple[Value, int]],
    texts: Sequence[str],
    kinds: NDArray[np.int32],
    kind_table: Sequence[LiteralKind],
) -> _Ordered:
    types = {type(value) for value, _ in entries}
    is_simple = len(types) == 1 and types <= _SORTABLE and all(value == value for value, _ in entries)
    key = _itself if is_simple else order_key
    datatypes = [kind.datatype for kind in kind_table]
    keyed = sorted((key(value), datatypes[kinds[number]], texts[number], number) for value, number in entries)
    numbers = [entry[3] for entry in keyed]
    is_first = [True] + [keyed[i][0] != keyed[i - 1][0] for i in range(1, len(keyed))] if keyed else []
    return _Ordered(numbers, is_first)


def _itself(value: Value) -> Any:
    return value


def _language_of_texts(kind: LiteralKind) -> str | None:
    """The language of a kind whose values are texts, ``""`` for none; ``None`` for other kinds."""
    example = kind.value("")
    if isinstance(example, LanguageText):
        return example.language
    return "" if example == "" else None
