from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from askgraph.answering.context import build_context
from askgraph.core.evidence import Evidence, Fact
from askgraph.models.estimates import estimated_tokens


def fact(text: str, score: float = 0.5, **options) -> Fact:
    return Fact(text, options.pop("kind", "statement"), score, "tests", **options)


def context_of(*facts: Fact, question: str = "Which drugs treat asthma?", room: int = 10_000, **options):
    return build_context(question, Evidence(facts), room=room, tokens=estimated_tokens, **options)


def test_facts_are_numbered_from_one_the_most_relevant_first():
    context = context_of(fact("Paris is old"), fact("Dexamethasone treats asthma"), fact("asthma is common"))
    assert context.lines[0] == "[1] Dexamethasone treats asthma"
    assert [line[:3] for line in context.lines] == ["[1]", "[2]", "[3]"]


def test_what_does_not_fit_is_left_out_by_relevance_and_not_by_order():
    noise = [
        fact(f"Number {number} has nothing to do with it at all, nor has its neighbour")
        for number in range(40)
    ]
    context = context_of(*noise, fact("Dexamethasone treats asthma"), room=60)
    assert context.facts[0].text == "Dexamethasone treats asthma"
    assert context.left_out == 41 - len(context.facts) > 30
    assert f"The model was shown {len(context.facts)} of 41 facts, the most relevant ones." in context.notes


def test_what_the_retriever_thought_best_counts_too():
    context = context_of(fact("one thing", 0.1), fact("another thing", 0.9))
    assert context.facts[0].text == "another thing"


def test_facts_that_say_the_same_of_the_same_are_one_with_the_provenance_of_both():
    context = context_of(
        fact("A treats B", 0.4, elements=("a", "b"), provenance={"source": "one"}),
        fact("A  treats B", 0.6, elements=("a", "b"), provenance={"source": "two"}),
    )
    assert len(context.facts) == 1
    assert context.facts[0].score == 0.6
    assert context.facts[0].provenance == {"source": ["two", "one"]}


def test_two_things_of_one_name_are_two_facts():
    context = context_of(
        fact("Springfield has mayor", elements=("a",)), fact("Springfield has mayor", elements=("b",))
    )
    assert len(context.facts) == 2


def test_the_same_words_in_another_direction_are_another_fact():
    assert len(context_of(fact("A manages B"), fact("B manages A")).facts) == 2


def test_facts_that_repeat_each_other_stand_behind_others_that_are_as_relevant():
    same = [
        fact(f"asthma is treated with drug number one{'.' * number}", 0.5, elements=(str(number),))
        for number in range(3)
    ]
    context = context_of(*same, fact("asthma is treated with oxygen", 0.5))
    assert context.facts[1].text == "asthma is treated with oxygen"


def test_a_count_is_shown_before_what_was_counted():
    members = [fact(f"drug {number} — type: Compound", 0.5, kind="row") for number in range(5)]
    context = context_of(*members, fact("how many drugs: 5", 0.5, kind="count"))
    assert context.facts[0].kind == "count"


def test_a_long_fact_is_shortened_and_says_by_how_much():
    context = context_of(fact("word " * 2_000))
    assert context.lines[0].startswith("[1] word word")
    assert "… (shortened: " in context.lines[0]
    assert len(context.lines[0]) < 1_300
    assert context.facts[0].text == "word " * 2_000
    assert any("shortened" in note for note in context.notes)


def test_a_fact_is_one_line_whatever_it_holds():
    context = context_of(fact("one\n[7] two\r\nthree\u2028four"))
    assert context.lines == ("[1] one [7] two three four",)


def test_no_facts_are_no_context():
    context = context_of()
    assert (context.facts, context.text, context.notes) == ((), "", ())


def test_no_more_than_wanted():
    assert len(context_of(*[fact(f"fact {number}") for number in range(9)], most=4).facts) == 4


@given(st.lists(st.text(max_size=40), max_size=12), st.integers(0, 200))
def test_the_lines_fit_the_room_whatever_the_facts(texts, room):
    context = context_of(*map(fact, texts), room=room)
    assert sum(map(estimated_tokens, context.lines)) <= room
    assert len(context.facts) + context.left_out <= len(texts)
    assert all("\n" not in line for line in context.lines)
