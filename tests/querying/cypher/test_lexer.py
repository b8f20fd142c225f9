"""Cypher text is taken apart as Neo4j does it; where readers could disagree it is refused."""

from __future__ import annotations

import pytest

from askgraph.core.errors import QueryError, QueryRefusedError, QuerySyntaxError
from askgraph.querying.cypher.escapes import decode_escapes
from askgraph.querying.cypher.lexer import match_brackets, tokenize
from askgraph.querying.source import SourceText


def keys(text: str) -> list[str]:
    return [token.key for token in tokenize(SourceText(text))[:-1]]


def test_words_are_compared_in_capitals_and_quoted_names_never_are_words() -> None:
    tokens = tokenize(SourceText("match `match` MATCH `a``b` größe"))
    assert [token.key for token in tokens[:-1]] == ["MATCH", "<name>", "MATCH", "<name>", "größe"]
    assert tokens[3].text == "a`b"
    assert all(token.is_name for token in tokens[:-1])


def test_letters_that_only_look_like_ascii_make_no_keyword() -> None:
    # The long s and the Kelvin sign become S and K where all of Unicode is folded.
    assert keys("\u017fET S\u212aIP") == ["\u017fET", "S\u212aIP"]


def test_numbers() -> None:
    assert keys("1 1_000 0xFF 0o17 1.5 .5 1e3 1.5E-3") == ["<integer>"] * 4 + ["<float>"] * 4
    assert keys("1..3") == ["<integer>", "..", "<integer>"]
    assert keys("*..3") == ["*", "..", "<integer>"]
    assert keys("1 .x") == ["<integer>", ".", "X"]


@pytest.mark.parametrize("text", ["1a", "0xZZ", "017abc", "1.5x", "1e3y"])
def test_a_number_that_runs_into_a_name_is_an_error(text: str) -> None:
    with pytest.raises(QuerySyntaxError):
        keys(text)


def test_comments_end_at_a_line_feed_or_a_carriage_return_and_do_not_nest() -> None:
    assert keys("a // b\nc") == ["A", "C"]
    assert keys("a // b\rc") == ["A", "C"]
    assert keys("a /* /* b */ c") == ["A", "C"]
    assert keys("a /* // */ c") == ["A", "C"]
    assert keys("a // /*\n c // */") == ["A", "C"]


def test_strings_end_at_their_own_quote() -> None:
    assert keys("""'a "b" \\' c' "it's" 'x\\\\'""") == ["<string>"] * 3


def test_a_backslash_is_no_escape_in_a_quoted_name() -> None:
    assert keys("`x\\` DELETE n") == ["<name>", "DELETE", "N"]


@pytest.mark.parametrize(
    "text", ["'abc", '"abc', "`abc", "/* abc", "s'abc", "s'{1}", "s'{'", "s'a}'", "``", "$``", "a # b", "a?b"]
)
def test_what_does_not_end_or_does_not_belong_is_an_error(text: str) -> None:
    with pytest.raises(QuerySyntaxError):
        keys(text)


@pytest.mark.parametrize("character", list("\u00a0\u2003\u2028\u001c\u001f\u3000\t\r\n"))
def test_every_white_space_of_cypher_separates(character: str) -> None:
    assert keys(f"a{character}b") == ["A", "B"]


@pytest.mark.parametrize("character", list("\u200b\u00ad\u0085\u180e\x00\x01\ufeff\u2060"))
def test_invisible_characters_that_readers_disagree_on_are_refused(character: str) -> None:
    with pytest.raises(QuerySyntaxError):
        keys(f"a {character} b")


@pytest.mark.parametrize("character", list("\u2028\u2029\u0085\x0b\x0c\x1c"))
def test_a_comment_that_some_readers_would_end_earlier_is_refused(character: str) -> None:
    with pytest.raises(QueryRefusedError) as caught:
        keys(f"MATCH (n) // c{character} DELETE n\nRETURN n")
    assert caught.value.code == "escape"


def test_expressions_inside_interpolated_strings_are_seen() -> None:
    assert keys("s'a{n.x}b{ {k: s\"{1}\"}.k }'") == [
        "<text-open>", "<text-part>", "{", "N", ".", "X", "}", "<text-part>",
        "{", "{", "K", ":", "<text-open>", "{", "<integer>", "}", "<text-close>", "}", ".", "K", "}", "<text-close>",
    ]  # fmt: skip
    assert keys("names'x'"[4:]) == ["<text-open>", "<text-part>", "<text-close>"]
    assert keys("names 'x'") == ["NAMES", "<string>"]


def test_arrows_drawn_with_other_dashes_are_arrows() -> None:
    assert keys("(a)\u2014[r]\u2014\u27e9(b)") == ["(", "A", ")", "-", "[", "R", "]", "-", ">", "(", "B", ")"]


def test_brackets_are_matched_before_parsing() -> None:
    tokens = tokenize(SourceText("( [ a | b | c ] { } ] )"))
    brackets = match_brackets(tokens)
    assert brackets.closers == {0: 11, 1: 7, 8: 9}
    assert brackets.last_bar == {1: 5}


# Unicode escapes


def test_an_escape_for_a_character_beyond_ascii_is_that_character() -> None:
    assert decode_escapes("'\\u00B0'").text == "'°'"
    assert decode_escapes("'\\uuu00B0'").text == "'°'"
    assert decode_escapes("'\\uD83D\\uDE00'").text == "'😀'"
    assert decode_escapes("no escape").text == "no escape"


@pytest.mark.parametrize(
    "text",
    [
        "\\u0044ELETE", "D\\u0045L\\u0045TE", "'x\\u0027 DELETE n //'", "`a\\u0060", "/* \\u002A\\u002F */",
        "\\uu0044ELETE", "'\\\\u0027'", "'\\u0020'", "// \\u000A DELETE n",
    ],
)  # fmt: skip
def test_an_escape_that_hides_an_ascii_character_is_refused(text: str) -> None:
    with pytest.raises(QueryRefusedError) as caught:
        decode_escapes(text)
    assert caught.value.code == "escape"


@pytest.mark.parametrize("text", ["'\\uD83D'", "'\\uDE00'", "'\\uD83Dx\\uDE00'", "'\\uD83D\\u00B0'"])
def test_half_a_character_is_an_error(text: str) -> None:
    with pytest.raises(QueryError):
        decode_escapes(text)


def test_a_backslash_that_is_escaped_itself_begins_no_escape() -> None:
    assert decode_escapes("'\\\\u00B0'").text == "'\\\\u00B0'"


def test_errors_after_an_escape_point_into_the_original() -> None:
    source = decode_escapes("RETURN '\\u00B0\\u00B0' @")
    with pytest.raises(QuerySyntaxError) as caught:
        tokenize(source)
    assert caught.value.column == 23
