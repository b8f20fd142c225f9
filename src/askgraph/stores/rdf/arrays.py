"""Small tools for sorted arrays: packed sorts, runs, slices end to end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..property.adjacency import stable_order

Integers = NDArray[np.integer[Any]]

_PACKED_BITS: Final = 62


def sort_order(columns: Sequence[Integers]) -> NDArray[np.int64]:
    """The order that sorts rows by these columns, the first column first; rows that are equal keep their order.

    Columns hold numbers from 0 up. Where they fit into 62 bits together they are sorted as one number, which is
    several times faster than one after the other.
    """
    packed = pack(columns)
    if packed is None:
        return np.lexsort(tuple(reversed([np.asarray(column) for column in columns])))
    keys, bound = packed
    return stable_order(keys, bound)


def pack(columns: Sequence[Integers]) -> tuple[NDArray[np.int64], int] | None:
    """The columns as one number for each row, in the same order, and a number above all of them; ``None`` if they do
    not fit. Columns hold numbers from 0 up."""
    bounds = [int(column.max()) + 1 if len(column) else 1 for column in columns]
    if sum(max(bound - 1, 1).bit_length() for bound in bounds) > _PACKED_BITS:
        return None
    keys: NDArray[np.int64] = np.zeros(len(columns[0]), dtype=np.int64)
    total = 1
    for column, bound in zip(columns, bounds, strict=True):
        keys *= bound
        keys += column
        total *= bound
    return keys, total


def starts_of_runs(columns: Sequence[Integers]) -> NDArray[np.bool_]:
    """For rows that are sorted by these columns: whether a row differs from the one before it."""
    first = np.zeros(len(columns[0]), dtype=np.bool_)
    first[:1] = True
    for column in columns:
        first[1:] |= column[1:] != column[:-1]
    return first


def distinct(numbers: Integers) -> NDArray[np.int64]:
    """Each number once, ascending. (``numpy.unique`` goes through a hash table, which is slower for small numbers.)"""
    ordered = np.sort(np.asarray(numbers, dtype=np.int64))
    return ordered[starts_of_runs((ordered,))]


def offsets_of(sorted_numbers: Integers, count: int) -> NDArray[np.int64]:
    """Where the run of each number from 0 to below ``count`` begins, and where the last one ends."""
    offsets: NDArray[np.int64] = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(sorted_numbers, minlength=count), out=offsets[1:])
    return offsets


def positions_of_slices(starts: Integers, lengths: Integers) -> NDArray[np.int64]:
    """``start, start + 1, …`` of each start, as many as its length, end to end."""
    ends = np.cumsum(lengths, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    positions: NDArray[np.int64] = np.arange(total, dtype=np.int64)
    positions += np.repeat(np.asarray(starts) - (ends - lengths), lengths)
    return positions


def compact(numbers: Integers) -> NDArray[Any]:
    """The same numbers in four bytes each."""
    return np.ascontiguousarray(numbers, dtype=np.int32)
