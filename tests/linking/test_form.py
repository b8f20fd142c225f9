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


@pytest.mark.parametrize(
    ("text", "first", "beyond"),
    [
        ("ships built before March 2019", "2019-03-01", "2019-04-01"),
        ("ships built before 5 March 2019", "2019-03-05", "2019-03-06"),
        ("ships built before March 31, 2019", "2019-03-31", "2019-04-01"),
        ("ships built before 2019-12-31", "2019-12-31", "2020-01-01"),
        ("ships built in the 1990s", "1990-01-01", "2000-01-01"),
        ("ships built in the 19th century", "1801-01-01", "1901-01-01"),
        ("ships built before 2019", "2019-01-01", "2020-01-01"),
    ],
)
def test_a_time_is_from_its_first_day_to_before_the_next(text: str, first: str, beyond: str) -> None:
    (comparison,) = form_of(text).comparisons
    assert comparison.period is not None
    assert (str(comparison.period.first), str(comparison.period.beyond)) == (first, beyond)


@pytest.mark.parametrize(
    ("text", "comparator", "number"),
    [
        ("teams of more than five players", ">", 5),
        ("cities of more than half a million people", ">", 500_000),
        ("amounts of less than a million", "<", 1_000_000),
        ("amounts over 2.5 million", ">", 2_500_000),
        ("salaries above 50k", ">", 50_000),
        ("ships that carry 3 or more cargoes", ">=", 3),
        ("professors who teach only one course", "=", 1),
    ],
)
def test_numbers_are_read_in_words_and_with_what_stands_behind_them(
    text: str, comparator: str, number: float
) -> None:
    (comparison,) = form_of(text).comparisons
    assert (comparison.comparator, comparison.number) == (comparator, number)


@pytest.mark.parametrize(
    "text", ["the 30 February 2019 list", "before 99 March", "in the 99th century", "half a"]
)
def test_what_is_no_time_and_no_number_is_no_bound(text: str) -> None:
    assert all(item.period is None for item in form_of(text).comparisons)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("How many ships does each captain command?", "captain"),
        ("ships per port", "port"),
        ("For each of the ports, how many ships are there?", "ports"),
        ("average price for every supplier", "supplier"),
    ],
)
def test_the_word_after_each_is_what_is_grouped_by(text: str, word: str) -> None:
    question = Question.parse(text, RULES)
    place = read_form(question, RULES).groups
    assert place is not None
    assert question.words[place].normal == word


def test_what_rows_are_sorted_by_is_no_group() -> None:
    assert form_of("all ships sorted by name").by_places == ()
    assert len(form_of("number of ships by flag").by_places) == 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [("Who wrote it?", "node"), ("Tell me who wrote it", "node"), ("captains who command ships", None)],
)
def test_a_question_word_asks_only_ahead_of_what_is_named(text: str, kind: str | None) -> None:
    assert form_of(text).asked_kind == kind


def test_the_second_of_an_order_passes_over_the_first() -> None:
    superlative = form_of("the second largest ship").superlative
    assert superlative is not None
    assert (superlative.skip, superlative.limit) == (1, 1)


def test_a_number_of_things_is_averaged_where_it_is_said() -> None:
    assert form_of("the average number of ships per port").is_of_counts
    assert not form_of("the average price of ships").is_of_counts
