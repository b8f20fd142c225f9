"""The judging of single sentences: pronouns, languages, odd input, many facts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askgraph.answering.judged_reply import JudgedReply
from askgraph.answering.support.judge import Judge
from askgraph.core.evidence import Fact
from askgraph.core.graph import Hop, Path
from askgraph.core.values import Value, display


def edge(subject: str, label: str, object: str) -> Fact:
    path = Path(subject, subject, (Hop(label, label, True, "edge", object, object),))
    return Fact(f"{subject} {label} {object}", "path", 0.9, "tests", path=path)


def row(**columns: Value) -> Fact:
    return Fact(
        "; ".join(f"{key}: {display(value)}" for key, value in columns.items()),
        "row",
        0.9,
        "tests",
        row=columns,
    )


FACTS = [
    edge("Ada Lovelace", "has manager", "Charles Babbage"),
    edge("Ada Lovelace", "member of", "Engines"),
    row(answer="Ada Lovelace", born=1815, phone="+44 1", salary=3487),
    Fact("The analytical engine was never built.", "statement", 0.5, "tests"),
]
TYPES = {"Ada Lovelace": ("Employee",), "Charles Babbage": ("Employee",), "Engines": ("Department",)}


def judge(text: str, *cited: int, facts=FACTS, question="Who manages Ada Lovelace?", **options):
    return Judge(facts, question, types=TYPES, **options).judge(text, cited)


def test_a_sentence_cited_rightly_stands_as_cited():
    judged = judge("Ada Lovelace is managed by Charles Babbage.", 1)
    assert (judged.verdict.kind, judged.verdict.facts, judged.citing) == ("supported", (1,), "as cited")


@pytest.mark.parametrize("cited", [(), (2,), (99,)])
def test_a_sentence_cited_wrongly_or_not_at_all_gets_the_facts_that_support_it(cited):
    judged = judge("Ada Lovelace is managed by Charles Babbage.", *cited)
    assert (judged.verdict.facts, judged.citing) == ((1,), "cited anew")


def test_facts_cited_beside_those_that_support_it_are_not_kept():
    assert judge("Ada Lovelace is managed by Charles Babbage.", 1, 2, 3).verdict.facts == (1,)


def test_an_unsupported_sentence_tells_the_first_thing_that_is_missing():
    judged = judge("Ada Lovelace is managed by Grace Hopper.", 1)
    assert judged.verdict.kind == "unsupported"
    assert judged.verdict.reason == "no fact names 'Grace Hopper'"
    assert judged.citing == "not at all"


def test_a_pronoun_speaks_of_what_the_sentence_before_named():
    facts = [edge("Ada Lovelace", "member of", "Engines"), edge("Grace Hopper", "member of", "Compilers"),
             row(answer="Grace Hopper", phone="+1 3")]  # fmt: skip
    judging = Judge(facts, "Where do they work?")
    assert judging.judge("Grace Hopper is a member of Compilers.", (2,)).verdict.kind == "supported"
    assert judging.judge("Her phone is +1 3.", (3,)).verdict.kind == "supported"


def test_an_answer_in_a_word_must_say_what_the_question_asks():
    assert judge("Charles Babbage.", 1).verdict.kind == "supported"
    assert judge("Charles Babbage.", 1, question="Who married Ada Lovelace?").verdict.kind == "unsupported"


def test_a_name_is_known_by_its_parts_its_initials_and_with_a_typo():
    for name in ("Babbage", "Charles", "C. Babbage", "Mr. Babbage", "Charles Babbadge", "charles babbage"):
        assert judge(f"Ada Lovelace's manager is {name}.", 1).verdict.kind == "supported", name


def test_a_part_of_a_name_that_two_have_names_neither():
    facts = [edge("Ada Lovelace", "has manager", "Ann Smith"), edge("Bob Stone", "has manager", "Joe Smith")]
    assert judge("Bob Stone's manager is Smith.", 1, 2, facts=facts).verdict.kind == "unsupported"


def test_an_acronym_stands_for_its_name():
    facts = [edge("Ada Lovelace", "member of", "World Health Organization")]
    assert judge("Ada Lovelace is a member of the WHO.", 1, facts=facts).verdict.kind == "supported"
    assert judge("Ada Lovelace is a member of the WTO.", 1, facts=facts).verdict.kind == "unsupported"


def test_a_text_supports_what_it_says_and_denies_what_it_denies():
    assert judge("The analytical engine was never built.", 4).verdict.kind == "supported"
    assert judge("The analytical engine was built.", 4).verdict.kind == "unsupported"


def test_without_facts_nothing_is_supported():
    judged = judge("Ada Lovelace is managed by Charles Babbage.", 1, facts=[])
    assert judged.verdict.kind == "unsupported"
    assert judged.verdict.reason


# --- other languages


@pytest.mark.parametrize(
    ("language", "good", "bad"),
    [
        (
            "de",
            "Die Managerin von Ada Lovelace ist Charles Babbage.",
            "Ada Lovelaces Chefin ist Grace Hopper.",
        ),
        ("de", "Ada Lovelace verdient 3487.", "Ada Lovelace verdient 9999."),
        ("de", "Ada Lovelace verdient 3.487.", "Ada Lovelace verdient 3,487."),
        ("de", "Sie wurde am 10. Dezember 1815 geboren: Ada Lovelace.", "Ada Lovelace: 11. Dezember 1815."),
        ("es", "El jefe de Ada Lovelace es Charles Babbage.", "El jefe de Ada Lovelace es Isaac Newton."),
    ],
)
def test_in_a_language_without_rules_names_and_numbers_are_checked(language, good, bad):
    facts = [*FACTS, row(answer="Ada Lovelace", birth="1815-12-10")]
    judging = Judge(facts, "Wer leitet Ada Lovelace?", language=language)
    assert not judging.checks_everything
    assert judging.judge(good, (1, 3, 5)).verdict.kind == "supported"
    assert judging.judge(bad, (1, 3, 5)).verdict.kind == "unsupported"


def test_a_question_in_another_script_is_told_from_english():
    judging = Judge(FACTS, "谁管理Ada Lovelace的工作并负责她的部门?")
    assert not judging.checks_everything
    assert judging.judge("Ada Lovelace的经理是Charles Babbage。", (1,)).verdict.kind == "supported"
    assert judging.judge("Ada Lovelace的经理是Grace Hopper。", (1,)).verdict.kind == "unsupported"


def test_a_question_in_a_language_without_rules_is_told_by_its_little_words():
    assert not Judge(FACTS, "Quel est le chef de Ada Lovelace?").checks_everything
    assert Judge(FACTS, "boss Ada Lovelace").checks_everything
    assert Judge(FACTS, "Who directed La La Land?").checks_everything


# --- what must hold for any text


@settings(max_examples=300)
@given(st.text(max_size=80), st.lists(st.integers(-5, 9), max_size=4))
def test_no_text_breaks_the_judge(text, cited):
    judged = judge(text, *cited)
    assert judged.verdict.kind in ("supported", "unsupported", "no claim")
    assert all(1 <= number <= len(FACTS) for number in judged.verdict.facts)
    assert (judged.verdict.kind == "unsupported") == bool(judged.verdict.reason)


_SENTENCE_PARTS = """
Ada Lovelace Charles Babbage Engines manager manages is of by the who not only 1815 3,487 than older and , : ( ) born
in has member with both three all more most total average before after as 's phone 44
"""
_WORDS = st.sampled_from(sorted(_SENTENCE_PARTS.split()))


@settings(max_examples=200)
@given(st.lists(_WORDS, max_size=14), st.sampled_from(["en", "de"]))
def test_no_order_of_words_breaks_the_judge(words, language):
    text = " ".join(words)
    first, second = (judge(text, 1, 3, language=language) for _ in range(2))
    assert first == second


@settings(max_examples=60)
@given(st.text(max_size=30), st.text(max_size=12), st.text(max_size=30), st.text(max_size=40))
def test_no_name_breaks_the_judge(subject, label, object, text):
    facts = [edge(subject, label, object), row(answer=subject, value=object)]
    Judge(facts, text, types={subject: (label,)}).judge(f"{object} {text} {subject}", (1, 2))


def test_a_sentence_is_judged_quickly_by_many_facts():
    facts = [
        edge(f"Person Number {number}", "has manager", f"Manager Number {number % 17}")
        for number in range(200)
    ]
    judging = Judge(facts, "Who manages Person Number 5?")
    judging.judge("Warm up.", ())
    began = time.process_time()
    for number in range(20):
        judging.judge(
            f"The manager of Person Number {number} is Manager Number {number % 17}.", (number + 1,)
        )
    assert (time.process_time() - began) / 20 < 0.03


@pytest.mark.parametrize(
    "text", ["Ada, " * 3_000, "No. " * 4_000, "1 " * 6_000, "to " * 6_000, "[1] " * 3_000]
)
def test_a_model_that_repeats_itself_costs_no_time(text):
    reply = JudgedReply(Judge(FACTS, "Who?", types=TYPES), len(FACTS), on_text=lambda shown: None)
    began = time.process_time()
    for start in range(0, len(text), 100):
        reply.feed(text[start : start + 100])
    reply.finish(was_cut=True)
    assert time.process_time() - began < 10
    assert not any(item.sentence.facts for item in reply.sentences)
