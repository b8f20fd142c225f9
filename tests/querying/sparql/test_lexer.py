"""SPARQL text is taken apart by the terminals of the standard; codepoint escapes are replaced and remembered."""

from __future__ import annotations

import pytest

from askgraph.core.errors import QuerySyntaxError
from askgraph.querying.source import SourceText, Span
from askgraph.querying.sparql.escapes import Escape, decode_escapes
from askgraph.querying.sparql.iris import is_absolute, resolve
from askgraph.querying.sparql.lexer import quote, tokenize, unquote
from askgraph.querying.sparql.parser import parse


def keys(text: str) -> list[str]:
    return [token.key for token in tokenize(SourceText(text))[:-1]]


def texts(text: str) -> list[str]:
    return [token.text for token in tokenize(SourceText(text))[:-1]]


def test_words_are_compared_without_their_case_but_for_the_one_that_stands_for_a_type() -> None:
    assert keys("select Where a A") == ["SELECT", "WHERE", "a", "A"]


def test_a_less_than_sign_begins_an_iri_only_where_one_is_closed() -> None:
    assert keys("?a < ?b && ?c > ?d") == [
        "<variable>",
        "<",
        "<variable>",
        "&&",
        "<variable>",
        ">",
        "<variable>",
    ]
    assert keys("?a<=5") == ["<variable>", "<=", "<integer>"]
    assert keys("<http://a/b#c?d=%20>") == ["<iri>"]
    assert keys("<é>") == ["<iri>"]


def test_names_end_before_a_dot_that_ends_a_triple() -> None:
    assert texts("a:b.c. a:. :x.. a.b:c _:d.e.") == [
        "a:b.c",
        ".",
        "a:",
        ".",
        ":x",
        ".",
        ".",
        "a.b:c",
        "d.e",
        ".",
    ]
    assert texts("a:b:c :1 :%41 :\\. a:-") == ["a:b:c", ":1", ":%41", ":\\.", "a:", "-"]


def test_variables_end_where_the_standard_says() -> None:
    assert texts("?x-1 ?x.?y $z") == ["x", "-1", "x", ".", "y", "z"]
    assert keys("?") == ["?"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("1", ["<integer>"]), ("1.", ["<integer>", "."]), ("1.5", ["<decimal>"]), (".5", ["<decimal>"]),
        ("1e5", ["<double>"]), ("1.e5", ["<double>"]), (".5E-5", ["<double>"]), ("-1", ["<integer>"]),
        ("+1.5", ["<decimal>"]), ("- 1", ["-", "<integer>"]), ("1-1", ["<integer>", "<integer>"]),
        ("1.5.5", ["<decimal>", "<decimal>"]),
    ],
)  # fmt: skip
def test_numbers_have_the_kinds_of_the_standard(text: str, kinds: list[str]) -> None:
    assert keys(text) == kinds


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("''", ""), ('""', ""), ("''''''", ""), ("'it\\'s'", "it's"), ('"a\\\\"', "a\\"), ("'''a''b'c'''", "a''b'c"),
        ('"""a"b\n"""', 'a"b\n'), ("'\\t\\b\\n\\r\\f\\\"'", '\t\b\n\r\f"'), ("'# no comment'", "# no comment"),
    ],
)  # fmt: skip
def test_strings_mean_what_the_standard_says(text: str, value: str) -> None:
    (token,) = tokenize(SourceText(text))[:-1]
    assert unquote(token.text) == value


STRINGS = ["", "a", "it's", 'say "x"', "'\"", "\\", "a\\", "\n\r\t\b\f", "ü😀", "'''", '"""', "\\u0041"]


@pytest.mark.parametrize("value", STRINGS)
def test_what_is_quoted_is_read_as_it_was(value: str) -> None:
    (token,) = tokenize(SourceText(quote(value)))[:-1]
    assert unquote(token.text) == value
    assert "\n" not in quote(value)


def test_no_more_is_escaped_than_must_be() -> None:
    assert quote("it's") == '"it\'s"'
    assert quote('say "x"') == "'say \"x\"'"
    assert quote("Zürich 😀") == '"Zürich 😀"'


def test_comments_and_white_space_mean_nothing() -> None:
    assert keys("# a\nASK#b\r{# c\r\n}\t# d") == ["ASK", "{", "}"]


@pytest.mark.parametrize("character", "\u00a0\u2028\u200b\u0000\u0085\x0b\x0c×÷§‰")
def test_characters_that_begin_nothing_are_refused_wherever_they_stand(character: str) -> None:
    for text in (f"a {character} b", f"?x{character}", f"a:b{character}", f"_:b{character}", character):
        with pytest.raises(QuerySyntaxError):
            keys(text)


@pytest.mark.parametrize("letter", "éßΩжעم中あ한€😀\u200d")
def test_names_may_have_letters_of_all_scripts(letter: str) -> None:
    assert texts(f"?{letter}x {letter}:{letter} _:{letter}") == [f"{letter}x", f"{letter}:{letter}", letter]


def test_a_mark_follows_a_letter_but_begins_no_name() -> None:
    assert texts("?e\u0301 a\u0301:b\u00b7 :b:\u0301 _:a\u203f") == [
        "e\u0301",
        "a\u0301:b\u00b7",
        ":b:\u0301",
        "a\u203f",
    ]
    for text in ("?\u0301", "\u0301a:b", ":\u0301", "_:\u00b7"):
        with pytest.raises(QuerySyntaxError) as caught:
            keys(text)
        assert "does not belong in" in caught.value.message


# Codepoint escapes


def test_an_escape_is_the_character_that_it_stands_for() -> None:
    source, escapes = decode_escapes("'Z\\u00FCrich \\U0001F600'")
    assert source.text == "'Zürich 😀'"
    assert escapes == (Escape(Span(2, 3), "ü"), Escape(Span(8, 9), "😀"))
    assert not any(escape.is_ascii for escape in escapes)
    assert decode_escapes("no \\n escape")[1] == ()


def test_an_escape_for_an_ascii_character_is_replaced_and_told() -> None:
    parsed = parse("\\u0041SK { ?s ?p 'a' }")
    assert [(escape.character, escape.is_ascii) for escape in parsed.escapes] == [("A", True)]
    hidden = parse("SELECT * { ?s ?p 'x\\u0027 . ?a ?b \\U00000027y' }")
    assert hidden.source.text == "SELECT * { ?s ?p 'x' . ?a ?b 'y' }"
    assert [hidden.source.position(escape.span.start).column for escape in hidden.escapes] == [20, 35]


def test_a_backslash_that_is_escaped_itself_begins_no_escape_but_is_told() -> None:
    source, escapes = decode_escapes("'\\\\u00FC' 'x\\u00E9'")
    assert source.text == "'\\\\u00FC' 'xé'"
    assert [(escape.character, escape.after_backslash) for escape in escapes] == [("ü", True), ("é", False)]
    assert source.slice(escapes[0].span) == "\\u00FC"
    assert decode_escapes("'\\\\\\u00FC'")[0].text == "'\\\\ü'"


def test_escapes_may_stand_in_names_and_iris() -> None:
    parsed = parse("ASK { ?gr\\u00F6\\u00DFe <http://e/\\u00E9> 1 }")
    assert parsed.source.text == "ASK { ?größe <http://e/é> 1 }"


@pytest.mark.parametrize(
    "text", ["'\\uD83D'", "'\\uDE00'", "'\\uD83D\\uDE00'", "'\\U0000D800'", "'\\U00110000'"]
)
def test_an_escape_for_no_character_is_an_error(text: str) -> None:
    with pytest.raises(QuerySyntaxError):
        decode_escapes(text)


def test_errors_after_an_escape_point_into_the_original() -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        parse("ASK { ?s ?p '\\u00B0\\U0001F600' § }")
    assert caught.value.column == 32
    assert caught.value.excerpt.splitlines()[0] == "1 | ASK { ?s ?p '\\u00B0\\U0001F600' § }"


# Relative IRIs: the examples of RFC 3986, section 5.4

BASE = "http://a/b/c/d;p?q"
RESOLVED = {
    "g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g",
    "//g": "http://g", "?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s", "g?y#s": "http://a/b/c/g?y#s", ";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x",
    "": "http://a/b/c/d;p?q", ".": "http://a/b/c/", "./": "http://a/b/c/", "..": "http://a/b/", "../": "http://a/b/",
    "../g": "http://a/b/g", "../..": "http://a/", "../../": "http://a/", "../../g": "http://a/g",
    "../../../g": "http://a/g", "../../../../g": "http://a/g", "/./g": "http://a/g", "/../g": "http://a/g",
    "g.": "http://a/b/c/g.", ".g": "http://a/b/c/.g", "g..": "http://a/b/c/g..", "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y", "g;x=1/../y": "http://a/b/c/y", "g?y/./x": "http://a/b/c/g?y/./x",
    "g#s/../x": "http://a/b/c/g#s/../x",
}  # fmt: skip


@pytest.mark.parametrize(("reference", "resolved"), RESOLVED.items())
def test_relative_iris_are_resolved_as_the_rfc_has_it(reference: str, resolved: str) -> None:
    assert resolve(BASE, reference) == resolved


def test_an_odd_base_does_no_harm() -> None:
    assert resolve("", "x") == "x"
    assert resolve("relative", "x") == "x"
    assert resolve("http://a", "x") == "http://a/x"
    assert resolve("urn:a:b", "#c") == "urn:a:b#c"
    assert not is_absolute("a/b:c")
    assert is_absolute("urn:x")
