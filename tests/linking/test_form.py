"""What a question wants is read from its words."""

from __future__ import annotations

import pytest

from askgraph.linking.form import Form, read_form
from askgraph.linking.language import language
from askgraph.linking.question import Question

RULES = language("en")


def form_of(text: str) -> Form:
    return read_form(Question.parse(text, RULES), RULES)


@pytest.mark.parametrize(
    "text",
    ["How many departments are there?", "What is the number of departments?", "Count the departments"],
)
def test_a_count_is_recognised_however_it_is_asked(text: str) -> None:
    assert form_of(text).counts


@pytest.mark.parametrize("text", ["Which departments are there?", "Who manages Ada?"])
def test_what_asks_for_no_number_is_no_count(text: str) -> None:
    assert not form_of(text).counts


@pytest.mark.parametrize(
    ("text", "comparator", "number"),
    [
        ("products under 20 euro", "<", 20),
        ("products that cost more than 1,500 euros", ">", 1500),
        ("sensors of at least 2.5 kg", ">=", 2.5),
        ("sensors heavier than 3 kg", ">", 3),
        ("services cheaper than 100", "<", 100),
        ("departments with no more than 5 employees", "<=", 5),
        ("items of exactly 7 parts", "=", 7),
    ],
)
def test_a_bound_is_read_with_its_number(text: str, comparator: str, number: float) -> None:
    (comparison,) = form_of(text).comparisons
    assert (comparison.comparator, comparison.number) == (comparator, number)


def test_a_unit_or_an_adjective_says_which_property_is_bounded() -> None:
    assert "price" in form_of("products under 20 euro").comparisons[0].words
    assert "weight" in form_of("sensors heavier than 3 kg").comparisons[0].words


def test_a_number_without_a_comparator_is_no_bound() -> None:
    assert form_of("What happened to order 4711?").comparisons == ()


@pytest.mark.parametrize(
    ("text", "extreme", "word", "limit"),
    [
        ("What is the cheapest sensor?", "least", "price", 1),
        ("the three heaviest sensors", "most", "weight", 3),
        ("What is the most expensive service?", "most", "price", 1),
        ("the 5 cheapest services", "least", "price", 5),
        ("Which is the least expensive service?", "least", "price", 1),
    ],
)
def test_a_superlative_says_which_end_of_which_scale(text: str, extreme: str, word: str, limit: int) -> None:
    superlative = form_of(text).superlative
    assert superlative is not None
    assert (superlative.extreme, superlative.limit) == (extreme, limit)
    assert word in superlative.words


def test_the_most_of_something_leaves_the_scale_to_the_words_that_follow() -> None:
    superlative = form_of("Who has the most products?").superlative
    assert superlative is not None
    assert superlative.words == ()


def test_top_with_a_number_and_a_second_superlative_is_one_scale() -> None:
    superlative = form_of("the top 5 suppliers with best reliability").superlative
    assert superlative is not None
    assert (superlative.extreme, superlative.limit) == ("most", 5)


@pytest.mark.parametrize("text", ["Is Ada a manager?", "Do we have suppliers in Rome?", "Are there any?"])
def test_a_yes_or_no_question_begins_with_its_verb(text: str) -> None:
    assert form_of(text).is_yes_no


def test_words_of_a_name_are_not_read_as_form() -> None:
    question = Question.parse("Who wrote Under 20 Stars?", RULES)
    taken = frozenset({2, 3, 4})
    form = read_form(question, RULES, taken)
    assert form.comparisons == ()
    assert not form.used & taken


@pytest.mark.parametrize("text", ["", "?", "!!!", "😀", "\x00", "most", "than 5", "more than", "top 0"])
def test_no_text_breaks_the_reading(text: str) -> None:
    form_of(text)
