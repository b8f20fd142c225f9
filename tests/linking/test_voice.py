"""Who does it to whom is read from where a name stands, however the graph calls the relation."""

from __future__ import annotations

import pytest

from askgraph.core.evidence import Mention
from askgraph.linking.language import language
from askgraph.linking.question import Question
from askgraph.linking.voice import Voice


def is_forward(label: str, text: str, name: str, use: int = 0) -> bool | None:
    """Whether what ``name`` names is at the source of the relation."""
    rules = language("en")
    start = text.index(name)
    mention = Mention(name, start, start + len(name))
    return Voice(Question.parse(text, rules), rules).is_forward(label, mention, use)


@pytest.mark.parametrize(
    ("label", "text", "forward"),
    [
        ("manages", "who manages Ada", False),
        ("manages", "whom does Ada manage", True),
        ("manages", "by whom is Ada managed", False),
        ("manages", "people managed by Ada", True),
        ("managed by", "who manages Ada", True),
        ("managed by", "who is managed by Ada", False),
        ("managed by", "by whom is Ada managed", True),
        ("managed by", "whom is Ada managed by", True),
        ("has manager", "who manages Ada", True),
        ("has manager", "whom does Ada manage", False),
        ("cites", "papers cited by Ada", True),
        ("cites", "papers that cite Ada", False),
    ],
)
def test_active_and_passive_lead_in_opposite_directions(label: str, text: str, forward: bool) -> None:
    assert is_forward(label, text, "Ada") is forward


@pytest.mark.parametrize(
    ("label", "text", "forward"),
    [
        ("manages", "the manager of Ada", False),
        ("teaches", "the teacher of Ada", False),
        ("led by", "the leader of Ada", True),
        ("has manager", "the manager of Ada", True),
        ("has manager", "Ada's manager", True),
        ("has manager", "who has Ada as a manager", False),
        ("has manager", "people whose manager is Ada", False),
        ("has manager", "who has the manager Ada", False),
        ("has product manager", "which things have Ada as their product manager", False),
        ("has prerequisite", "prerequisites of Ada", True),
        ("has prerequisite", "which course is Ada a prerequisite of", False),
        ("has prerequisite", "which courses have a course that Ada teaches as their prerequisite", False),
        ("parent of", "who are the parents of Ada", False),
        ("parent", "who are the parents of Ada", True),
    ],
)
def test_a_noun_has_an_owner_and_what_is_owned(label: str, text: str, forward: bool) -> None:
    assert is_forward(label, text, "Ada") is forward


def test_the_two_sides_of_a_statement_are_opposite() -> None:
    text = "Is Logic a prerequisite of Algebra?"
    assert is_forward("has prerequisite", text, "Logic") is False
    assert is_forward("has prerequisite", text, "Algebra") is True


def test_nothing_is_said_of_a_relation_that_the_question_does_not_name() -> None:
    assert is_forward("has manager", "which managers have Ada as their direct report", "Ada") is None
    assert is_forward("works for", "who manages Ada", "Ada") is None


def test_each_use_of_a_relation_has_its_own_word() -> None:
    text = "who was influenced by a person who influenced Ada"
    assert is_forward("influenced by", text, "Ada", 0) is True
    assert is_forward("influenced by", text, "Ada", 1) is False
