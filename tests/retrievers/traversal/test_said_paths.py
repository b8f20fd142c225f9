"""Of paths that are alike in meaning those come first that go with the words of the question."""

from __future__ import annotations

import networkx
import pytest

from askgraph import open_graph
from askgraph.core.budget import Budget
from askgraph.core.evidence import Mention
from askgraph.linking.language import language
from askgraph.linking.question import Question
from askgraph.retrievers.seeds import Seed
from askgraph.retrievers.traversal.stopping import hard_limit
from askgraph.retrievers.traversal.template import Template
from askgraph.retrievers.traversal.traversal import PathTraversal

_NODES = {
    "Team": ["Lyon Rovers", "Łódź United", "Bergen Stars", "Porto Eagles"],
    "Player": ["Bo Lee", "Ann Hill", "Cid Moss", "Emil Fox"],
    "City": ["Lyon", "Łódź", "Bergen"],
}
_EDGES = [
    ("Łódź United", "beat", "Lyon Rovers"),
    ("Lyon Rovers", "beat", "Bergen Stars"),
    ("Bergen Stars", "beat", "Porto Eagles"),
    ("Łódź United", "beat", "Porto Eagles"),
    ("Bo Lee", "plays for", "Łódź United"),
    ("Ann Hill", "plays for", "Łódź United"),
    ("Emil Fox", "plays for", "Lyon Rovers"),
    ("Lyon Rovers", "plays in", "Lyon"),
    ("Łódź United", "plays in", "Łódź"),
    ("Bergen Stars", "plays in", "Bergen"),
    ("Bo Lee", "friend of", "Emil Fox"),
    ("Ann Hill", "friend of", "Bo Lee"),
]


@pytest.fixture(scope="module")
def league(plain_settings):
    content = networkx.MultiDiGraph()
    for type, names in _NODES.items():
        for name in names:
            content.add_node(name, labels=[type], name=name)
    for source, relation, target in _EDGES:
        content.add_edge(source, target, type=relation)
    with open_graph(content, settings=plain_settings) as graph:
        yield graph


def _found(league, question, name):
    """What a traversal finds around what has a name, and what the words say of it."""
    (node,) = league.store.nodes([name])
    start = question.find(name)
    mention = Mention(name, start, start + len(name)) if start >= 0 else Mention("", 0, 0)
    seed = Seed(mention, name, 1.0, (node.id,), node.types)
    traversal = PathTraversal(league.store, league.schema(), None)
    found = traversal.subgraphs([seed], Template(question), Budget(), stopping=hard_limit(15), max_hops=2)
    rules = language("en")
    return found.subgraphs, traversal.said_paths(Question.parse(question, rules), rules, [seed])


def _best(league, question, name):
    subgraphs, said = _found(league, question, name)
    return said.ordered(subgraphs)[0].path


@pytest.mark.parametrize(
    ("question", "name", "path"),
    [
        ("Which team did Lyon Rovers beat?", "Lyon Rovers", "-beat->"),
        ("Which team beat Lyon Rovers?", "Lyon Rovers", "<-beat-"),
        ("Which team was beaten by Lyon Rovers?", "Lyon Rovers", "-beat->"),
        ("By which team was Lyon Rovers beaten?", "Lyon Rovers", "<-beat-"),
        ("Who is a friend of Bo Lee?", "Bo Lee", "<-friend of-"),
        ("Whose friend is Bo Lee?", "Bo Lee", "-friend of->"),
    ],
)
def test_the_words_say_in_which_direction_a_path_leads(league, question, name, path):
    assert _best(league, question, name) == f"{name} {path}"


@pytest.mark.parametrize(
    ("question", "name", "path"),
    [
        ("Which team beat Łódź United?", "Łódź United", "-beat->"),
        ("Which teams did Porto Eagles beat?", "Porto Eagles", "<-beat-"),
        ("Whose friend is Emil Fox?", "Emil Fox", "<-friend of-"),
    ],
)
def test_a_path_that_leads_only_the_other_way_is_against_the_words(league, question, name, path):
    subgraphs, said = _found(league, question, name)
    (best, *_) = said.ordered(subgraphs)
    assert best.path == f"{name} {path}"
    assert said.against(best) == 1


@pytest.mark.parametrize("name", ["Łódź United", "Lyon Rovers"])
def test_a_relation_that_is_said_word_for_word_comes_before_one_that_is_alike(league, name):
    assert _best(league, f"Who plays for {name}?", name) == f"{name} <-plays for-"
    assert _best(league, f"Which place does {name} play in?", name) == f"{name} -plays in->"


def test_the_name_of_a_seed_says_no_relation(league):
    subgraphs, said = _found(league, "What is Lyon Rovers?", "Lyon Rovers")
    assert said.ordered(subgraphs) == said.equals_ordered(subgraphs)


def test_words_on_both_sides_of_a_name_are_not_side_by_side(league):
    question = "Who plays Lyon Rovers for money?"
    subgraphs, said = _found(league, question, "Lyon Rovers")
    assert said.ordered(subgraphs) == said.equals_ordered(subgraphs)


def test_what_types_say_already_is_not_asked_of_the_words(league):
    # Only players play for a team: the way back is no way against the words.
    subgraphs, said = _found(league, "Łódź United plays for whom?", "Łódź United")
    assert all(said.against(item) == 0 for item in subgraphs if item.path.endswith("<-plays for-"))


def test_a_longer_path_says_its_direction_again_with_each_hop(league):
    question = "Which team beat the team that beat Bergen Stars?"
    subgraphs, said = _found(league, question, "Bergen Stars")
    by_path = {item.path: said.against(item) for item in subgraphs}
    assert by_path["Bergen Stars <-beat- <-beat-"] == 0
    assert by_path["Bergen Stars -beat->"] == 1


def test_probabilities_stay_and_only_equals_change_places_where_the_cosine_alone_counts(league):
    subgraphs, said = _found(league, "Which team did Lyon Rovers beat?", "Lyon Rovers")
    ordered = said.equals_ordered(subgraphs)
    assert ordered[0].path == "Lyon Rovers -beat->"
    assert [item.probability for item in ordered] == [item.probability for item in subgraphs]
    assert sorted(map(id, ordered)) == sorted(map(id, subgraphs))


@pytest.mark.parametrize("question", ["Beat Lyon Rovers?", "Lyon Rovers: beat"])
def test_two_directions_of_which_the_words_choose_none_are_undecided(league, question):
    subgraphs, said = _found(league, question.replace("Lyon Rovers", "them"), "Lyon Rovers")
    assert said.is_undecided(said.ordered(subgraphs))


def test_a_direction_that_is_said_is_decided(league):
    subgraphs, said = _found(league, "Which team did Lyon Rovers beat?", "Lyon Rovers")
    assert not said.is_undecided(said.ordered(subgraphs))


def test_paths_from_a_seed_that_nobody_named_are_against_nothing(league):
    subgraphs, said = _found(league, "Which team did they beat?", "Lyon Rovers")
    assert all(said.against(item) == 0 for item in subgraphs)


def test_a_seed_that_is_met_again_makes_a_path_no_more_probable(league):
    nodes = league.store.nodes(["Łódź United", "Lyon Rovers"])
    seeds = [Seed(Mention("", 0, 0), node.name, 1.0, (node.id,), node.types) for node in nodes]
    traversal = PathTraversal(league.store, league.schema(), None)
    question = Template("Did Łódź United beat Lyon Rovers?")
    found = traversal.subgraphs(seeds, question, Budget(), stopping=hard_limit(15))
    once = next(item for item in found.subgraphs if len(item.kinds) == 1 and item.met)
    assert all(item.probability <= once.probability + 1e-6 for item in found.subgraphs if item.met)
