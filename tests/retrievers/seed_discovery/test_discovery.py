"""Seeds for what a question names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.progress import SILENT
from askgraph.core.run import Run
from askgraph.linking.name_meanings import NearNode
from askgraph.retrievers.seed_discovery.discovery import SeedDiscovery, SeedNode, filter_seeds
from askgraph.retrievers.seed_discovery.entities import NamedEntity, TypeGuesses, entities_of

AUTHORS = """
@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:p1 a :Person ; rdfs:label "Kamil Zbikowski" . :p2 a :Person ; rdfs:label "Michał Ostapowicz" .
:p3 a :Person ; rdfs:label "Grita D. Tasha" ; skos:altLabel "G. Tasha" .
:p4 a :Person ; rdfs:label "Jean-Luc Ponty" .
:j1 a :Journal ; rdfs:label "Nature" . :q1 a :Paper ; rdfs:label "Nature of Things" .
:n1 a :Person ; rdfs:label "Natura" .
:quoted a :Paper ; rdfs:label "On \\"Quoted\\" Names } UNION { ?x ?y ?z" .
:s1 a :Person ; rdfs:label "John Smith" . :s2 a :Person ; rdfs:label "John Smith" .
:s3 a :Person ; rdfs:label "John Smith" .
:s4 a :Person ; rdfs:label "John Smithson" .
"""
X = "http://x.org/"


@pytest.fixture(scope="module")
def authors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("authors")
    (folder / "authors.ttl").write_text(AUTHORS, encoding="utf-8")
    load_graph([folder / "authors.ttl"], folder / "authors.graph")
    settings = Settings.load(save_runs=False, cache_dir=folder / "cache", embedder="none")
    with open_graph(folder / "authors.graph", settings=settings) as graph:
        yield graph


@pytest.fixture(scope="module")
def discovery(authors: Graph) -> SeedDiscovery:
    index = authors._open_index(Run("x", graph="x", graph_version=""), SILENT)
    return SeedDiscovery(authors.store, authors.schema(), index.names)


def _ids(seeds: list[SeedNode]) -> list[str]:
    return [seed.node.removeprefix(X) for seed in seeds]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Kamil Zbikowski", "p1"),
        ("kamil zbikowski", "p1"),
        ("Zbikowski, Kamil", "p1"),
        ("Kamil Żbikowski", "p1"),
        ("Michal Ostapowicz", "p2"),
        ("Grita D. Tasha", "p3"),
        ("Grita Tasha", "p3"),
        ("Tasha, Grita D.", "p3"),
        ("Grita Tahsa", "p3"),
        ("Jean Luc Ponty", "p4"),
        ("Ponty, Jean-Luc", "p4"),
        ('On "Quoted" Names } UNION { ?x ?y ?z', "quoted"),
    ],
)
def test_a_name_is_found_however_it_is_written(discovery, written, meant):
    assert _ids(discovery.discover([NamedEntity(written)]))[0] == meant


def test_what_is_not_in_the_graph_gives_no_seed(discovery):
    assert discovery.discover([NamedEntity("Wolfgang Amadeus Mozart")]) == []
    assert discovery.discover([]) == []


def test_a_guessed_type_decides_among_things_of_like_names(discovery):
    assert _ids(discovery.discover([NamedEntity("Nature")]))[0] == "j1"
    assert _ids(discovery.discover([NamedEntity("Nature", (X + "Person",))]))[0] == "n1"
    assert _ids(discovery.discover([NamedEntity("Nature", (X + "Journal",))]))[0] == "j1"


def test_a_wrong_guess_of_a_type_does_not_lose_an_exact_name(discovery):
    assert _ids(discovery.discover([NamedEntity("Kamil Zbikowski", (X + "Journal",))]))[0] == "p1"


def test_homonyms_are_all_seeds_and_what_is_merely_alike_is_not(discovery):
    assert sorted(_ids(discovery.discover([NamedEntity("John Smith")], limit=5))) == ["s1", "s2", "s3"]
    assert len(discovery.discover([NamedEntity("John Smith")], limit=2)) == 2


def test_labels_are_whole_and_descriptions_say_types_and_other_names(discovery):
    (seed,) = discovery.discover([NamedEntity("Grita D. Tasha")])
    assert seed.label == "Grita D. Tasha"
    assert seed.description == "person: Grita D. Tasha, G. Tasha"
    assert seed.source == "keyword"
    assert seed.score > 0.9


def test_several_entities_keep_their_own_seeds(discovery):
    seeds = discovery.discover([NamedEntity("Kamil Zbikowski"), NamedEntity("Michal Ostapowicz")])
    assert [(seed.entity.name, seed.node) for seed in seeds] == [
        ("Kamil Zbikowski", X + "p1"),
        ("Michal Ostapowicz", X + "p2"),
    ]


def test_seeds_by_meaning_come_from_where_names_have_vectors(authors):
    def semantic(names, limit):
        return [[NearNode(X + "p4", "Jean-Luc Ponty", (), 0.8)] for _ in names]

    index = authors._open_index(Run("x", graph="x", graph_version=""), SILENT)
    found = SeedDiscovery(authors.store, authors.schema(), index.names, semantic)
    assert [(seed.node, seed.source) for seed in found.discover([NamedEntity("the jazz violinist")])] == [
        (X + "p4", "semantic")
    ]
    assert found.discover([NamedEntity("the jazz violinist")], mode="keyword") == []
    assert found.discover([NamedEntity("Kamil Zbikowski")], mode="semantic")[0].node == X + "p4"


def test_entities_of_a_question_are_what_it_names_linked_or_not(authors):
    run = Run("x", graph="x", graph_version="")
    question = authors._link("Did Kamil Zbikowski and Wolfgang Mozart co-author a paper?", run, SILENT)
    names = [entity.name for entity in entities_of(question, authors.schema())]
    assert names[0] == "Kamil Zbikowski"
    assert any("Mozart" in name for name in names)


def test_a_type_that_stands_beside_a_name_is_its_guess(authors):
    run = Run("x", graph="x", graph_version="")
    question = authors._link("Which papers are in the journal Nature?", run, SILENT)
    (entity,) = [item for item in entities_of(question, authors.schema()) if item.name == "Nature"]
    assert entity.types == (X + "Journal",)


def test_types_are_resolved_by_label_and_iri_in_singular_and_plural(authors):
    guesses = TypeGuesses(authors.schema())
    assert guesses.resolve(["persons", "Spaceship", X + "Journal"]) == (X + "Person", X + "Journal")


def _seeds(*scores: float) -> list[SeedNode]:
    entity = NamedEntity("x")
    return [SeedNode(str(place), "x", (), "keyword", score, "", entity) for place, score in enumerate(scores)]


@pytest.mark.parametrize(
    ("scores", "kept"),
    [
        ((1.0, 0.97, 0.94, 0.9), 2),
        ((0.8, 0.75, 0.73), 2),
        ((0.66, 0.62, 0.60), 2),
        ((0.62, 0.60, 0.59, 0.5), 2),
        ((1.0, 1.0, 1.0, 1.0, 1.0), 5),
        ((), 0),
    ],
)
def test_the_better_the_best_the_fewer_others_are_kept(scores, kept):
    assert len(filter_seeds(_seeds(*scores), 5)) == kept


def _plain(folder):
    return Settings.load(save_runs=False, cache_dir=folder / "cache", embedder="none")


_TROUBLE = 'Bob "The Builder" \\ O\'Neil } UNION { ?s ?p ?o'


def test_names_with_signs_of_a_query_are_names_and_nothing_more(tmp_path):
    turtle = tmp_path / "signs.ttl"
    quoted = _TROUBLE.replace("\\", "\\\\").replace('"', '\\"')
    turtle.write_text(
        "@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        f':p1 a :Tradesman ; rdfs:label "{quoted}" . :p2 a :Tradesman ; rdfs:label "Cho" .',
        encoding="utf-8",
    )
    with open_graph(turtle, settings=_plain(tmp_path)) as graph:
        index = graph._open_index(Run("x", graph="x", graph_version=""), SILENT)
        discovery = SeedDiscovery(graph.store, graph.schema(), index.names)
        found = discovery.discover(
            [NamedEntity(_TROUBLE), NamedEntity('" } # {'), NamedEntity('x" || "1"="1')]
        )
        assert [(seed.node, seed.label) for seed in found] == [("http://e/p1", _TROUBLE)]
        # A type of the graph's own vocabulary is as good a guess as one of DBLP's.
        found = discovery.discover([NamedEntity("Cho", ("http://e/Tradesman",), ("Tradesman",))])
        assert [seed.node for seed in found] == ["http://e/p2"]


def test_every_node_is_found_however_few_edges_it_has(tmp_path):
    turtle = tmp_path / "many.ttl"
    lines = [
        f':n{number} rdfs:label "Node {number:05d} Quark" ; :knows :n0 , :n1 .' for number in range(12_000)
    ]
    lines.append(':lonely rdfs:label "Lonely Quokka" .')
    head = "@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
    turtle.write_text("\n".join([head, *lines]), encoding="utf-8")
    with open_graph(turtle, settings=_plain(tmp_path)) as graph:
        index = graph._open_index(Run("x", graph="x", graph_version=""), SILENT)
        found = SeedDiscovery(graph.store, graph.schema(), index.names).discover(
            [NamedEntity("Lonely Quoka")]
        )
        assert [seed.node for seed in found] == ["http://e/lonely"]
