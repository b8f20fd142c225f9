"""How large a value of Cypher may become that the text of a query alone puts together.

What comes from the data counts as one: how much there is of it, the text does not tell. What the text makes of it does
count: ``a + a`` is twice as large as ``a``, ``range(1, 1000)`` a thousand times as large as a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..tokens import words

_MOST = 10**30
"""Sizes and numbers beyond are all the same, and counting them exactly would itself take for ever."""


class Size(NamedTuple):
    """The most that a value can be.

    Attributes:
        length: characters of a text, items of a list.
        item: the size of one item; 1 for texts.
        is_list: whether it is a list for sure.
        number: for numbers (and the numbers in a list) the greatest; ``None`` if that is not known.
    """

    length: int = 1
    item: int = 1
    is_list: bool = False
    number: float | None = None

    @property
    def total(self) -> int:
        """All of it."""
        return min(_MOST, self.length * self.item)

    @property
    def one(self) -> Size:
        """An item of it."""
        return Size(self.item, number=self.number)


OF_DATA = Size()


def sum_of(one: Size, other: Size) -> Size:
    """``one + other``: numbers, texts or lists."""
    number = None
    if one.number is not None and other.number is not None:
        number = one.number + other.number
    if one.is_list and other.is_list:
        return Size(_bounded(one.length + other.length), max(one.item, other.item), True, number)
    if one.is_list or other.is_list:
        items, added = (one, other) if one.is_list else (other, one)
        return Size(items.length + 1, max(items.item, added.total), True, number)
    if number is not None:
        return Size(number=number)
    return Size(_bounded(one.total + other.total))


def greatest(sizes: Sequence[Size]) -> Size:
    """One of several values, whichever it is."""
    if not sizes:
        return OF_DATA
    numbers = [size.number for size in sizes if size.number is not None]
    return Size(
        max(size.length for size in sizes),
        max(size.item for size in sizes),
        any(size.is_list for size in sizes),
        max(numbers, default=None),
    )


def list_of(items: Sequence[Size]) -> Size:
    """``[a, b]``."""
    return Size(
        max(1, len(items)), max((item.total for item in items), default=1), True, greatest(items).number
    )


def repeated(steps: int, item: Size) -> Size:
    """A list of so many such items."""
    return Size(_bounded(steps), item.total, True, item.number)


def size_of_call(name: str, arguments: Sequence[Size], steps: int) -> Size:
    """What a function gives. ``steps``: how many rows there are, for aggregates; ``name`` in lower case."""
    if not arguments:
        return Size(number=steps if name == "count" else None)
    rule = _RULES.get(name)
    if rule is not None:
        return rule(arguments, steps)
    if name in _SCALARS:
        return OF_DATA
    if name in _AS_LARGE:
        return arguments[0]
    return Size(_bounded(sum(size.total for size in arguments)), is_list=arguments[0].is_list)


def range_length(arguments: Sequence[Size]) -> int:
    """How many numbers ``range(start, end, step)`` makes; 1 where the text does not tell."""
    numbers = [argument.number for argument in arguments] + [1] * (3 - len(arguments))
    if len(numbers) != 3 or any(number is None for number in numbers):
        return 1
    start, end, step = (number or 0 for number in numbers)
    return _bounded((end - start) // step + 1) if step else 1


def _bounded(value: float) -> int:
    return _MOST if value >= _MOST or value != value else max(0, int(value))


def _range(arguments: Sequence[Size], _: int) -> Size:
    ends = [argument.number for argument in arguments[:2] if argument.number is not None]
    return Size(range_length(arguments), 1, True, max(ends, default=None))


def _replaced(arguments: Sequence[Size], _: int) -> Size:
    """Every character may be replaced, and the places between them too."""
    text, _found, put = (*arguments, OF_DATA, OF_DATA)[:3]
    return Size(_bounded((text.total + 1) * max(1, put.total)))


def _times(arguments: Sequence[Size], _: int) -> Size:
    text, count = (*arguments, OF_DATA)[:2]
    return Size(_bounded(text.total * max(1.0, count.number or 1)))


def _padded(arguments: Sequence[Size], _: int) -> Size:
    text, width = (*arguments, OF_DATA)[:2]
    return Size(_bounded(max(text.total, width.number or 1)))


def _joined(arguments: Sequence[Size], _: int) -> Size:
    first, second = (*arguments, OF_DATA)[:2]
    items, between = (first, second) if first.is_list or not second.is_list else (second, first)
    return Size(_bounded(items.total + items.length * between.total))


def _split(arguments: Sequence[Size], _: int) -> Size:
    return Size(arguments[0].total + 1, arguments[0].total, True)


_RULES: dict[str, Callable[[Sequence[Size], int], Size]] = {
    "range": _range,
    **dict.fromkeys(("collect", "collect_list"), lambda sizes, steps: repeated(steps, sizes[0])),
    **dict.fromkeys(("replace", "regexp_replace", "string.replaceregex"), _replaced),
    "repeat": _times,
    **dict.fromkeys(("lpad", "rpad"), _padded),
    **dict.fromkeys(("string.join", "join", "list_to_string"), _joined),
    **dict.fromkeys(("split", "string_split", "btrim"), _split),
    **dict.fromkeys(("head", "last", "list_extract", "list_element"), lambda sizes, _: sizes[0].one),
    **dict.fromkeys(("size", "length"), lambda sizes, _: Size(number=sizes[0].length)),
    "count": lambda _, steps: Size(number=steps),
    "coalesce": lambda sizes, _: greatest(sizes),
    "coll.flatten": lambda sizes, _: Size(sizes[0].total, sizes[0].item, True, sizes[0].number),
    **dict.fromkeys(
        words("tointeger tointegerornull toint tofloat tofloatornull abs ceil ceiling floor round cast"),
        lambda sizes, _: Size(number=sizes[0].number),
    ),
}
_SCALARS = frozenset(
    words(
        """avg stdev stdevp percentilecont percentiledisc exists isempty id elementid type labels keys timestamp
        date datetime localdatetime localtime time duration point.distance toboolean rand sign exp log log10 sqrt
        sin cos tan startnode endnode properties nodes relationships"""
    )
)
_AS_LARGE = frozenset(
    words(
        """tail reverse tolower toupper lower upper trim ltrim rtrim substring left right tostring tostringornull
        max min toset coll.sort coll.distinct list.sort list.dedup list_sort list_distinct list_unique list_slice
        list_reverse list_reverse_sort tostringlist tointegerlist tofloatlist normalize"""
    )
)
