"""Questions that tell a path of several steps: each step is followed in the order in which the words tell it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from askgraph import Answer, Graph, Settings, open_graph

PEOPLE = (
    "Dora Ekman",
    "Walt Silva",
    "Ann Brandt",
    "Bob Novak",
    "Cid Moreau",
    "Zoe Farkas",
    "Finn Olsen",
    "Gus Holm",
)
FILMS = {
    "The Silent River": ("Dora Ekman", "Walt Silva", ("Ann Brandt", "Bob Novak"), "Drama"),
    "The Paper Bridge": ("Dora Ekman", "Zoe Farkas", ("Bob Novak", "Cid Moreau"), "Comedy"),
    "Garden of Winter": ("Ann Brandt", "Walt Silva", ("Dora Ekman",), "Horror"),
    "The Last Harbor": ("Finn Olsen", "Finn Olsen", ("Gus Holm",), "Western"),
}


@pytest.fixture(scope="module")
def films(settings: Settings) -> Iterator[Graph]:
    import networkx

    graph = networkx.MultiDiGraph()
    for name in PEOPLE:
        graph.add_node(name, label="Person", name=name)
    for title, (director, writer, actors, genre) in FILMS.items():
        graph.add_node(title, label="Movie", name=title)
        graph.add_node(genre, label="Genre", name=genre)
        graph.add_edge(title, director, type="DIRECTED_BY")
        graph.add_edge(title, writer, type="WRITTEN_BY")
        graph.add_edge(title, genre, type="HAS_GENRE")
        for actor in actors:
            graph.add_edge(title, actor, type="STARRED_ACTORS")
    with open_graph(graph, settings=settings) as opened:
        yield opened


def texts(answer: Answer) -> set[str]:
    return {item.text for item in answer.answers}


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("who starred in the films directed by Dora Ekman?", {"Ann Brandt", "Bob Novak", "Cid Moreau"}),
        ("who directed the films that Bob Novak acted in?", {"Dora Ekman"}),
        ("who wrote the movies directed by Dora Ekman?", {"Walt Silva", "Zoe Farkas"}),
        ("what genres do the films directed by Dora Ekman have?", {"Drama", "Comedy"}),
    ],
)
def test_the_words_nearest_to_a_name_tell_the_first_step(
    films: Graph, question: str, right: set[str]
) -> None:
    assert texts(films.ask(question)) == right


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("which movies have the same director as The Silent River?", {"The Paper Bridge"}),
        ("what films share an actor with The Silent River?", {"The Paper Bridge"}),
        ("who co-starred with Bob Novak?", {"Ann Brandt", "Cid Moreau"}),
        ("who acted together with Ann Brandt?", {"Bob Novak"}),
        ("which films are by the writer of The Silent River?", {"Garden of Winter"}),
    ],
)
def test_what_is_shared_leads_back_to_what_else_has_it_and_not_to_itself(
    films: Graph, question: str, right: set[str]
) -> None:
    assert texts(films.ask(question)) == right


def test_a_relation_that_is_spoken_of_twice_is_followed_twice(films: Graph) -> None:
    answer = films.ask("who wrote the movies directed by the director of The Silent River?")
    assert texts(answer) == {"Zoe Farkas"}


def test_what_stands_behind_which_is_what_is_asked_for(films: Graph) -> None:
    assert texts(films.ask("which genre is the movie directed by Finn Olsen?")) == {"Western"}
    assert texts(films.ask("in which movies did Gus Holm act?")) == {"The Last Harbor"}
