"""What a question goes beyond, it does not ask for."""

from __future__ import annotations

import pytest

from askgraph.linking.asked_types import goes_beyond_its_phrase
from askgraph.linking.language import language
from askgraph.linking.question import Question


@pytest.mark.parametrize(
    ("text", "beyond"),
    [
        ("What does a gene that ABC interacts with take part in?", True),
        ("What is a publisher that Tides is published by located in?", True),
        ("What is the manager of Ada a member of?", True),
        ("What is a company that Ada works for known for?", True),
        ("What is the company that Ada works for?", False),
        ("What are the prices of a service that a department that Ada belongs to is responsible for?", False),
        ("Who are the authors that Ada was influenced by?", False),
        ("What is the publisher of Tides?", False),
        ("What is the gene associated with asthma?", False),
        ("Which department does the manager of Ada belong to?", False),
    ],
)
def test_a_verb_at_the_end_asks_for_what_is_not_named(text: str, beyond: bool) -> None:
    rules = language("en")
    assert goes_beyond_its_phrase(Question.parse(text, rules), rules) is beyond
