"""Things found by what their names mean, where vectors were made: once, resumably, and only of what is new."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

from askgraph import Settings, open_graph
from askgraph.core.errors import ModelError, OpenError, SettingsError
from askgraph.core.run import Run
from askgraph.indexes.name_vectors import NameVectors
from askgraph.kgnode import KGConfig, get_seed_nodes
from askgraph.linking.name_meanings import NameEmbedding, has_meaning
from askgraph.linking.named_by_model import link_names
from askgraph.retrievers.seed_discovery.discovery import SeedDiscovery
from askgraph.retrievers.seed_discovery.entities import NamedEntity

NAMES = [f"some thing {place:04}" for place in range(1_000)]


class Counting:
    """Embeds by the letters of a text, counts what it embeds, and fails when told to."""

    name, dimensions, unrelated, same = "letters", 32, 0.1, 0.9

    def __init__(self, fails_after: int | None = None) -> None:
        self.embedded: list[str] = []
        self._fails_after = fails_after

    def embed(self, texts):
        if self._fails_after is not None and len(self.embedded) >= self._fails_after:
            raise ModelError("the embedder has gone")
        self.embedded += texts
        rows = np.full((len(texts), self.dimensions), 0.01, dtype=np.float32)
        for row, text in enumerate(texts):
            for character in text:
                rows[row, ord(character) % self.dimensions] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def embedding(file, embedder, names=NAMES, fingerprint="1"):
    return NameEmbedding(names, file, embedder, fingerprint=fingerprint)


# --- made


def test_the_cost_is_said_before_and_its_samples_are_not_made_again(tmp_path):
    embedder = Counting()
    work = embedding(tmp_path / "v", embedder)
    cost = work.cost()
    assert cost.names == 1_000
    assert 0 < cost.new < 1_000
    assert cost.seconds == pytest.approx(cost.new / cost.per_second)
    report = work.run()
    assert report.names == 1_000
    # The first text alone comes twice: it loads the model before the rate is measured.
    assert len(embedder.embedded) == 1_001
    assert abs((tmp_path / "v").stat().st_size / cost.bytes - 1) < 0.5


def test_work_that_was_interrupted_goes_on_where_it_was(tmp_path):
    broken = Counting(fails_after=500)
    with pytest.raises(ModelError):
        embedding(tmp_path / "v", broken).run()
    assert not (tmp_path / "v").exists()
    whole = Counting()
    embedding(tmp_path / "v", whole).run()
    assert len(whole.embedded) == 1_000 - len(broken.embedded)
    assert [file.name for file in tmp_path.iterdir()] == ["v"]
    straight = embedding(tmp_path / "w", Counting())
    straight.run()
    assert (tmp_path / "w").read_bytes() == (tmp_path / "v").read_bytes()


def test_of_a_changed_graph_only_new_names_are_embedded(tmp_path):
    embedding(tmp_path / "v", Counting()).run()
    later = Counting()
    report = embedding(tmp_path / "v", later, ["a new thing", *NAMES[10:]], "2").run()
    assert later.embedded == ["a new thing"]
    assert (report.names, report.embedded) == (991, 1)
    vectors = NameVectors.open(tmp_path / "v")
    assert vectors.fingerprint == "2"
    assert vectors.vector(NAMES[0]) is None


def test_another_embedder_takes_nothing_over(tmp_path):
    embedding(tmp_path / "v", Counting()).run()
    other = Counting()
    other.name = "other letters"
    assert embedding(tmp_path / "v", other).run().embedded == 1_000


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("myocardial infarction", True), ("Sales", True), ("東京", True), ("ACHE", False), ("P106", False),
        ("2024-01-01", False), ("HLA-DQA1", False), ("", False), ("of", False), ("SMITH, JOHN", True),
    ],
)  # fmt: skip
def test_codes_have_no_meaning(name, meant):
    assert has_meaning(name) is meant


# --- used


def _graph_of(names):
    made = networkx.DiGraph()
    for place, name in enumerate(names):
        made.add_node(f"d{place}", name=name, type="Disease")
        made.add_node(f"g{place}", name=f"GENE{place}", type="Gene")
        made.add_edge(f"d{place}", f"g{place}", type="associates")
    return made


@pytest.fixture(scope="module")
def diseases(tmp_path_factory):
    settings = Settings.load(save_runs=False, cache_dir=tmp_path_factory.mktemp("cache"))
    names = [
        "myocardial infarction",
        "hypertension",
        "asthma",
        "diabetes mellitus",
        "alopecia",
        "Tourette syndrome",
    ]
    with open_graph(_graph_of(names), settings=settings) as graph:
        graph.build_index()
        yield graph


@pytest.fixture
def with_vectors(diseases):
    diseases.embed_names(diseases.name_embedding())
    yield diseases
    diseases.drop_name_vectors()


@pytest.mark.parametrize(
    ("asked", "meant"), [("a heart attack", "d0"), ("high blood pressure", "d1"), ("hair loss", "d4")]
)
def test_a_question_may_call_a_thing_otherwise(with_vectors, asked, meant):
    linked = with_vectors.linked(f"Which genes are associated with {asked}?")
    assert [(link.id, link.method) for link in linked.things] == [(meant, "meaning")]
    answer = with_vectors.ask(f"Which genes are associated with {asked}?")
    assert [item.text for item in answer.answers] == [f"GENE{meant[1:]}"]
    assert any("was read as" in note for note in answer.notes)


@pytest.mark.parametrize("asked", ["a volcano", "the Eiffel Tower", "chess", "the wedding"])
def test_what_the_graph_does_not_have_is_not_taken_for_what_it_has(with_vectors, asked):
    assert with_vectors.linked(f"Which genes are associated with {asked}?").things == ()


@pytest.mark.parametrize("asked", ["illnesses", "type 9 syndrome"])
def test_neither_a_word_for_a_type_nor_a_sibling_is_taken_for_a_thing(asked, tmp_path):
    settings = Settings.load(save_runs=False, cache_dir=tmp_path)
    with open_graph(_graph_of(["Disease", "asthma", "Tourette syndrome"]), settings=settings) as graph:
        graph.build_index()
        graph.embed_names(graph.name_embedding())
        assert graph.linked(f"What {asked} are tied to GENE1?").things[0].method == "exact"
        assert not any(link.method == "meaning" for link in graph.linked(f"What {asked} has GENE1?").things)


def test_a_name_as_it_is_written_comes_before_what_means_the_same(with_vectors):
    linked = with_vectors.linked("Which genes are associated with hypertension?")
    assert [(link.id, link.method) for link in linked.things] == [("d1", "exact")]


def test_without_vectors_nothing_is_found_by_meaning(diseases):
    assert diseases.linked("Which genes are associated with hair loss?").things == ()
    assert diseases.parts().index.by_meaning(diseases.parts().embedder) is None


def test_a_name_that_a_model_gives_may_be_another_one_of_the_thing(with_vectors):
    index = with_vectors.parts().index
    by_meaning = index.by_meaning(with_vectors.parts().embedder)
    found = link_names(["hair loss", "asthma", "volcano"], index.names, by_meaning=by_meaning)
    assert [(link.id, link.method) for link in found.links] == [("d4", "meaning"), ("d2", "exact")]
    assert list(found.unlinked) == ["volcano"]
    assert link_names(["hair loss"], index.names).links == ()


def test_seeds_by_meaning_and_by_spelling_stand_together(with_vectors):
    parts = with_vectors.parts()
    semantic = parts.index.by_meaning(parts.embedder)
    found = SeedDiscovery(parts.store, parts.schema, parts.index.names, semantic.search)
    seeds = found.discover([NamedEntity("heart attack"), NamedEntity("asthmaa")])
    assert [(seed.entity.name, seed.node, seed.source) for seed in seeds] == [
        ("heart attack", "d0", "semantic"),
        ("asthmaa", "d2", "keyword"),
    ]


def test_an_index_that_is_made_again_keeps_the_vectors_and_says_that_they_are_older(with_vectors, tmp_path):
    assert with_vectors.index_status().name_vectors == "current"
    with_vectors.build_index(rebuild=True)
    assert with_vectors.index_status().name_vectors == "older"
    answer = with_vectors.ask("Which genes are associated with hair loss?")
    assert any("no vectors yet" in note for note in answer.notes)
    with_vectors.embed_names(with_vectors.name_embedding())
    assert with_vectors.index_status().name_vectors == "current"


def test_vectors_that_are_damaged_are_left_behind(with_vectors):
    index = with_vectors.parts().index
    path = index.name_vectors.path
    path.write_bytes(path.read_bytes()[:-10])
    assert with_vectors.index_status().name_vectors == "none"
    with_vectors.build_index(rebuild=True)
    assert with_vectors.linked("Which genes are associated with hypertension?").things[0].id == "d1"


def test_names_get_no_vectors_before_there_is_an_index_nor_without_an_embedder(tmp_path):
    settings = Settings.load(save_runs=False, cache_dir=tmp_path)
    with (
        open_graph(_graph_of(["asthma"]), settings=settings) as graph,
        pytest.raises(OpenError, match="copied"),
    ):
        graph.name_embedding()
    none = Settings.load(save_runs=False, cache_dir=tmp_path, embedder="none")
    with (
        open_graph(_graph_of(["asthma"]), settings=none) as graph,
        pytest.raises(SettingsError, match="embedder"),
    ):
        graph.name_embedding()


def test_the_documented_seeds_say_that_names_have_no_vectors_and_use_them_where_they_have(tmp_path):
    turtle = tmp_path / "diseases.ttl"
    turtle.write_text(
        "@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':d1 a :Disease ; rdfs:label "hypertension" ; :gene :g1 . :g1 a :Gene ; rdfs:label "ACE" .',
        encoding="utf-8",
    )
    settings = {"cache_dir": tmp_path / "cache"}
    question = "Which gene is behind high blood pressure?"
    config = KGConfig(sparql_endpoint=str(turtle), settings=settings)
    assert get_seed_nodes(question, config=config, search_mode="semantic")[0] == []
    with open_graph(turtle, settings=Settings.load(save_runs=False, **settings)) as graph:
        graph.embed_names(graph.name_embedding())
    again = KGConfig(sparql_endpoint=str(turtle), settings={**settings, "timeout": 59})
    seeds, _ = get_seed_nodes(question, config=again, search_mode="semantic")
    assert [(seed["entity_uri"], seed["source"]) for seed in seeds] == [("http://e/d1", "semantic")]


def test_a_run_records_what_was_found_by_meaning(with_vectors):
    run = Run("q", graph="g", graph_version="")
    with_vectors.linked("Which genes are associated with hair loss?", run)
    assert any("hair loss -> node d4" in link for step in run.steps for link in step.details["links"])
