"""Nouns that name a kind of thing, in a graph that has no types: they are not looked for."""

from __future__ import annotations

import pytest

from askgraph.core.schema import EdgeType, NodeType, Schema
from askgraph.linking.kinds import KindWords
from askgraph.linking.language import language
from askgraph.linking.question import Question

ENGLISH = language("en")
EDGES = tuple(EdgeType(id, id, 9) for id in ("directed by", "has genre", "starred actors"))
BARE = Schema("property", 9, 27, (NodeType("", "untyped", 9, 9),), EDGES, ())
TYPED = Schema("property", 9, 27, (NodeType("Film", "film", 9, 9),), EDGES, ())


def left(text: str, schema: Schema = BARE, name: str = "Ada Berg") -> list[str]:
    question = Question.parse(text, ENGLISH)
    start = text.find(name)
    covered = frozenset(
        place
        for place, word in enumerate(question.words)
        if start >= 0 and start <= word.start < start + len(name)
    )
    contents = {
        place: word.normal
        for place, word in enumerate(question.words)
        if place not in covered and not word.is_stop
    }
    return list(KindWords(schema, ENGLISH).without(contents, question, covered).values())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("which films were directed by Ada Berg", ["directed"]),
        ("what is the genre of the films directed by Ada Berg", ["genre", "directed"]),
        ("who acted in the movies that Ada Berg directed", ["acted", "directed"]),
        ("who directed the movie Ada Berg", ["directed"]),
        ("which Ada Berg films have actors", ["actors"]),
        ("how many films did Ada Berg direct", ["direct"]),
    ],
)
def test_the_kind_of_thing_is_no_word_to_be_explained(text: str, words: list[str]) -> None:
    assert left(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("what is the colour of the films directed by Ada Berg", ["colour", "directed"]),
        ("what colour is Ada Berg", ["colour"]),
        ("which genre do the films by Ada Berg have", ["genre"]),
        ("does Ada Berg love opera", ["love", "opera"]),
    ],
)
def test_what_is_asked_of_something_and_what_the_graph_knows_stays(text: str, words: list[str]) -> None:
    assert left(text) == words


def test_where_nodes_have_types_every_word_counts() -> None:
    assert left("which comedies were directed by Ada Berg", TYPED) == ["comedies", "directed"]
