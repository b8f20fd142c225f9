from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text
from tests.made_answers import any_text

from askgraph.cli.page import Page, cells


def plain(lines: list[Text]) -> list[str]:
    return [line.plain for line in lines]


def test_words_are_wrapped_between_and_a_long_one_within():
    page = Page(20)
    lines = page.paragraph("Wrapped at http://example.org/a/long/iri here", indent=2, hanging=2)
    assert plain(lines) == ["  Wrapped at", "    http://example.o", "    rg/a/long/iri", "    here"]


def test_wide_characters_count_for_two():
    assert plain(Page(10).paragraph("漢字漢字漢字漢字")) == ["漢字漢字漢", "字漢字"]


def test_styles_survive_wrapping():
    text = Text("one two three four five").append(" six", "bold")
    last = Page(12).paragraph(text)[-1]
    assert last.plain == "four five"[-4:] + " six" or last.plain.endswith("six")
    assert [span.style for span in last.spans] == ["bold"]


def test_an_encoding_without_arrows_gets_ascii_and_escapes():
    page = Page(encoding="ascii")
    assert page.glyphs.right == "->"
    assert page.clean("Müller → 漢…") == "M\\xfcller -> \\u6f22..."
    assert Page(encoding="cp1252").clean("Müller 漢") == "Müller \\u6f22"


def test_columns_are_cut_from_the_widest():
    rows = [[Text("a"), Text("x" * 60), Text("1")], [Text("bb"), Text("y"), Text("20")]]
    lines = plain(Page(40).columns(rows, right=(2,)))
    assert lines == ["a   " + "x" * 31 + "…   1", "bb  y" + " " * 33 + "20"]


def test_a_label_stands_before_all_lines_of_its_text():
    assert plain(Page(20).labeled("Name", "one two three four", width=6)) == [
        "Name  one two three",
        "      four",
    ]


@given(
    any_text,
    st.integers(40, 100),
    st.integers(0, 8),
    st.integers(0, 8),
    st.sampled_from(["utf-8", "ascii", "cp1252"]),
)
def test_any_text_stays_within_the_page_and_nothing_is_lost(text, width, indent, hanging, encoding):
    page = Page(width, encoding)
    lines = plain(page.paragraph(text, indent=indent, hanging=hanging))
    assert all(cell_len(line) <= width for line in lines)
    assert not [c for line in lines for c in line if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    "\n".join(lines).encode(encoding)
    # Characters that take no cell may stand alone, and are then not shown.
    if cells(page.clean(text)):
        assert "".join(lines).replace(" ", "") == page.clean(text).replace(" ", "")


@given(st.lists(st.tuples(any_text, any_text, any_text), min_size=1, max_size=5), st.integers(40, 100))
def test_any_table_stays_within_the_page(rows, width):
    page = Page(width)
    lines = page.columns([[page.text(cell) for cell in row] for row in rows], indent=2, right=(1,))
    assert len(lines) == len(rows)
    assert all(cell_len(line.plain) <= width for line in lines)


@given(any_text, st.integers(0, 100))
def test_a_fitted_text_fits(text, width):
    page = Page()
    assert cell_len(page.fitted(page.text(text), width).plain) <= width


@pytest.mark.parametrize("width", [40, 80, 100])
def test_nothing_is_one_empty_line(width):
    assert plain(Page(width).paragraph("")) == [""]
