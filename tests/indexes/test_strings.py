from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.indexes import strings
from askgraph.indexes.strings import StringTableBuilder

TEXTS = st.lists(st.text(st.characters(exclude_categories=()), max_size=20), max_size=30)


@given(TEXTS, st.randoms(use_true_random=False))
def test_any_strings_come_back_in_any_order(texts, random):
    order = random.sample(range(len(texts)), len(texts))
    table = StringTableBuilder(texts).build()
    assert list(table) == texts
    assert table[:] == texts
    assert table.take(np.array(order, dtype=np.int64)) == [texts[row] for row in order]
    assert list(StringTableBuilder(texts).build(np.array(order, dtype=np.int64))) == [
        texts[row] for row in order
    ]


def test_a_table_that_is_put_in_order_in_several_parts(monkeypatch):
    monkeypatch.setattr(strings, "_ROWS_PER_GATHER", 3)
    texts = [f"text {number}" * (number % 4) for number in range(20)]
    order = np.arange(20)[::-1].copy()
    assert list(StringTableBuilder(texts).build(order)) == texts[::-1]


def test_rows_count_from_the_end_too_and_end_where_the_table_does():
    table = StringTableBuilder(["a", "", "c"]).build()
    assert (table[-1], table[-3], table[1], table[1:]) == ("c", "a", "", ["", "c"])
    for row in (3, -4):
        with pytest.raises(IndexError):
            table[row]


def test_offsets_take_four_bytes_until_they_need_eight():
    small = np.array([0, 5, 2**31 - 1], dtype=np.int64)
    large = np.array([0, 5, 2**31], dtype=np.int64)
    assert strings.compact(small).dtype == np.int32
    assert strings.compact(large).dtype == np.int64
