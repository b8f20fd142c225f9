from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.answering.citations import Citations
from askgraph.answering.sentences import split_sentences


def texts(reply: str) -> list[str]:
    citations = Citations(99)
    return [citations.taken_from(piece.text).text for piece in split_sentences(citations.marked(reply))]


def numbers(reply: str) -> list[tuple[int, ...]]:
    citations = Citations(99)
    return [citations.taken_from(piece.text).numbers for piece in split_sentences(citations.marked(reply))]


@pytest.mark.parametrize(
    ("reply", "sentences"),
    [
        ("A treats B. C treats D.", ["A treats B.", "C treats D."]),
        ("Does A treat B? Yes!", ["Does A treat B?", "Yes!"]),
        ("Dr. Smith met Mr. Jones. They left.", ["Dr. Smith met Mr. Jones.", "They left."]),
        ("J. R. R. Tolkien wrote it. He lived long.", ["J. R. R. Tolkien wrote it.", "He lived long."]),
        ("It costs 0.85 EUR. It weighs 3.5 g.", ["It costs 0.85 EUR.", "It weighs 3.5 g."]),
        ("He works for the U.S. Army. She does not.", ["He works for the U.S. Army.", "She does not."]),
        ("See e.g. the third one. That is all.", ["See e.g. the third one.", "That is all."]),
        ("Acme Inc. sells it. Good.", ["Acme Inc. sells it.", "Good."]),
        ('He said "It works." Then he left.', ['He said "It works."', "Then he left."]),
        ("**A treats B.** C treats D.", ["**A treats B.**", "C treats D."]),
        ("It has vitamin C. It is cheap.", ["It has vitamin C.", "It is cheap."]),
        ("The answer is: A, B and C.", ["The answer is: A, B and C."]),
        ("A治疗B。C治疗D！", ["A治疗B。", "C治疗D！"]),
        ("A treats B...and more. Good.", ["A treats B...and more.", "Good."]),
        ("A line\nthat goes on. And ends.", ["A line that goes on.", "And ends."]),
        ("Policy No. 5 expired. Policy No. 6 did not.", ["Policy No. 5 expired.", "Policy No. 6 did not."]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(reply, sentences):
    assert texts(reply) == sentences


def test_items_of_a_list_are_sentences_that_begin_a_line():
    pieces = split_sentences("There are two:\n- A\n- B\n\n1. First.\n2. Second.")
    assert [(piece.text, piece.begins_line) for piece in pieces] == [
        ("There are two:", True),
        ("- A", True),
        ("- B", True),
        ("1. First.", True),
        ("2. Second.", True),
    ]


def test_rows_of_a_table_are_checked_with_their_headings():
    pieces = split_sentences("| Drug | Treats |\n|------|--------|\n| Lisinopril | hypertension |\n\nDone.")
    assert [piece.claim for piece in pieces] == ["Drug Lisinopril, Treats hypertension", "Done."]
    assert pieces[0].text == "| Lisinopril | hypertension |"


def test_headings_and_fences_are_apart_from_the_text():
    assert texts("## Answer\nA treats B.\n```\nC treats D.\n```") == [
        "## Answer",
        "A treats B.",
        "C treats D.",
    ]


def test_a_citation_behind_the_full_stop_belongs_to_the_sentence_before():
    assert numbers("A treats B. [1] C treats D. [2][3] E.") == [(1,), (2, 3), ()]
    assert numbers("A treats B.[1] C treats D [2].") == [(1,), (2,)]
    assert numbers("A治疗B。[1]C治疗D。[2]") == [(1,), (2,)]


def test_a_citation_at_the_head_of_an_item_belongs_to_it():
    assert numbers("- [1] A treats B\n- [2] C treats D") == [(1,), (2,)]


@given(st.text(alphabet="ab .!?\n-|1[]*#。A", max_size=60))
def test_nothing_is_lost_in_splitting(reply):
    kept = "".join(character for character in reply if character.isalnum())
    found = "".join(piece.text for piece in split_sentences(reply))
    assert [character for character in found if character in "abA"] == [
        character for character in kept if character in "abA"
    ] or "|" in reply
