from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.answering.citations import Citations, numbers_in, parse_citations

SHAPES = [
    ("A treats B [1].", "A treats B.", (1,)),
    ("A treats B. [1]", "A treats B.", (1,)),
    ("A treats B [1, 2].", "A treats B.", (1, 2)),
    ("A treats B [1][2].", "A treats B.", (1, 2)),
    ("A treats B [1], [2].", "A treats B.", (1, 2)),
    ("A treats B [1-3].", "A treats B.", (1, 2, 3)),
    ("A treats B [1–3].", "A treats B.", (1, 2, 3)),
    ("A treats B [1, 3-5].", "A treats B.", (1, 3, 4, 5)),
    ("A treats B [1 and 2].", "A treats B.", (1, 2)),
    ("A treats B [1; 2].", "A treats B.", (1, 2)),
    ("A treats B (1).", "A treats B.", (1,)),
    ("A treats B (1, 2).", "A treats B.", (1, 2)),
    ("A treats B【1†source】.", "A treats B.", (1,)),
    ("A treats B 【1】【2】.", "A treats B.", (1, 2)),
    ("A treats B ^1.", "A treats B.", (1,)),
    ("A treats B [^1].", "A treats B.", (1,)),
    ("A treats B¹.", "A treats B.", (1,)),
    ("A treats B.<sup>1</sup>", "A treats B.", (1,)),
    ("A treats B <sup>[1, 2]</sup>.", "A treats B.", (1, 2)),
    ("A treats B (fact 3).", "A treats B.", (3,)),
    ("A treats B (facts 1 and 2).", "A treats B.", (1, 2)),
    ("A treats B (see fact 3).", "A treats B.", (3,)),
    ("A treats B [fact 3].", "A treats B.", (3,)),
    ("A treats B [Fact 1, Fact 2].", "A treats B.", (1, 2)),
    ("A treats B [source: 4].", "A treats B.", (4,)),
    ("A treats B [#1].", "A treats B.", (1,)),
    ("According to fact 3, A treats B.", "A treats B.", (3,)),
    ("Based on facts 1 and 2, A treats B.", "A treats B.", (1, 2)),
    ("Fact 2 states that A treats B.", "A treats B.", (2,)),
    ("A treats B, as facts 1 and 2 show.", "A treats B.", (1, 2)),
    ("A [1] and B [2] are drugs.", "A and B are drugs.", (1, 2)),
    ("A treats B [1] [2] .", "A treats B.", (1, 2)),
    ("A treats B [Report 3].", "A treats B.", (3,)),
    ("According to reports 1 and 2, A treats B.", "A treats B.", (1, 2)),
    ("Report 2 states that A treats B.", "A treats B.", (2,)),
    ("A treats B [Data: Reports (1, 2)].", "A treats B.", (1, 2)),
    ("A treats B [Data: Reports (2, 7, 3, +more)].", "A treats B.", (2, 7, 3)),
]


@pytest.mark.parametrize(("text", "plain", "numbers"), SHAPES, ids=[shape[0] for shape in SHAPES])
def test_citations_of_every_shape_are_taken_out(text, plain, numbers):
    cited = parse_citations(text, most=9)
    assert (cited.text, cited.numbers) == (plain, numbers)


@pytest.mark.parametrize(
    "text",
    [
        "The film came out in (1999).",
        "It rose by 10^3 units.",
        "CYP2D6 and [some words] stay.",
        "In fact the drug works.",
        "The house has 3 rooms.",
        "It weighs 5 (in kg).",
    ],
)
def test_what_is_no_citation_stays(text):
    cited = parse_citations(text, most=9)
    assert cited.text == text
    assert cited.numbers == ()


def test_a_number_in_plain_brackets_cites_only_where_there_is_such_a_fact():
    assert parse_citations("A treats B (7).", most=5).numbers == ()
    assert parse_citations("A treats B (5).", most=5).numbers == (5,)


def test_a_range_is_written_out_but_not_without_end():
    assert numbers_in("2-5") == (2, 3, 4, 5)
    assert numbers_in("5-2") == (5, 2)
    assert numbers_in("1-999999") == (1, 999999)


def test_marks_keep_sentences_whole():
    citations = Citations(9)
    marked = citations.marked("A treats B [1. 2]. C treats D [3].")
    assert citations.taken_from(marked).numbers == (3,)


@given(st.text(max_size=80))
def test_no_text_breaks_the_reading_of_citations(text):
    cited = parse_citations(text, most=5)
    assert "\ue000" not in cited.text or "\ue000" in text
