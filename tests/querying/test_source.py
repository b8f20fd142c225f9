"""Errors point to the place in the text as the user sees it."""

from __future__ import annotations

from askgraph.querying.source import SourceText, Span


def test_lines_and_columns_count_from_one_and_know_every_kind_of_line_end() -> None:
    source = SourceText("ab\ncd\r\nef\rgh")
    assert source.position(0) == (1, 1, 0)
    assert source.position(4) == (2, 2, 4)
    assert source.position(7) == (3, 1, 7)
    assert source.position(11) == (4, 2, 11)


def test_a_place_beyond_the_end_is_the_end() -> None:
    assert SourceText("ab").position(99) == (1, 3, 2)


def test_the_excerpt_shows_the_line_and_a_mark_under_the_place() -> None:
    source = SourceText("MATCH (n)\nRETURN m.name")
    assert source.excerpt(Span(17, 18)) == "2 | RETURN m.name\n           ^"


def test_a_long_line_is_cut_around_the_place() -> None:
    source = SourceText("x" * 300 + "!" + "y" * 300)
    shown, mark = source.excerpt(Span(300, 301)).split("\n")
    assert len(shown) < 140
    assert shown[mark.index("^")] == "!"


def test_the_mark_stands_right_under_wide_characters() -> None:
    source = SourceText("名前 ?")
    _, mark = source.excerpt(Span(3, 4)).split("\n")
    # "1 | ", two characters of two columns each, and a blank.
    assert mark == " " * 4 + " " * 4 + " " + "^"


def test_characters_that_move_the_cursor_are_not_shown() -> None:
    source = SourceText("a\x1b[31mb\tc")
    assert source.excerpt(Span(0, 1)).split("\n")[0] == "1 | a·[31mb c"


def test_an_error_says_what_where_and_what_to_do() -> None:
    source = SourceText("RETURN @")
    error = source.syntax_error(Span(7, 8), "this is wrong", advice="Do better.")
    assert (error.code, error.line, error.column, error.offset) == ("syntax", 1, 8, 7)
    assert str(error) == "this is wrong (line 1, column 8)\n1 | RETURN @\n           ^\nDo better."


def test_places_after_a_decoded_escape_are_those_of_the_original() -> None:
    source = SourceText(r"'\u00e9' !", "'é' !", [(2, 5)])
    assert source.position(1).offset == 1
    assert source.position(4).offset == 9
