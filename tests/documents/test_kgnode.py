"""The examples of the document on path-aware subgraph extraction: only imports, endpoints and models are changed.

They run against a real Oxigraph server and against an embedded graph of the same triples, without a language model (no
key is set) and with one that says what a script tells it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askgraph import load_graph
from askgraph.core.errors import (
    OpenError,
    PlanError,
    QueryError,
    QueryRefusedError,
    SettingsError,
)
from askgraph.kgnode import (
    KGConfig,
    close_graphs,
    execute_sparql_query,
    generate_answer,
    get_seed_nodes,
    get_subgraphs,
    kg_retrieve,
)
from askgraph.models.language_model import Request
from askgraph.models.scripted import ScriptedModel

DBLP = """
@prefix : <https://dblp.org/rdf/schema#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix pid: <https://dblp.org/pid/> .
@prefix rec: <https://dblp.org/rec/> .
pid:1 a :Person ; rdfs:label "Kamil Zbikowski" ; :primaryAffiliation "Warsaw University of Technology" .
pid:2 a :Person ; rdfs:label "Michal Ostapowicz" .
pid:3 a :Person ; rdfs:label "John Smith" ; :orcid <https://orcid.org/0000-1> .
pid:4 a :Person ; rdfs:label "Jane Doe" .
rec:1 a :Publication ; rdfs:label "Reinforcement Learning in Trading" ; :authoredBy pid:1 , pid:2 ;
  :yearOfPublication "2023"^^xsd:gYear ; :publishedIn "IEEE Access" .
rec:2 a :Publication ; rdfs:label "Knowledge Graphs at Work" ; :authoredBy pid:3 , pid:4 ;
  :yearOfPublication "2021"^^xsd:gYear .
rec:3 a :Publication ; rdfs:label "Subgraphs for Questions" ; :authoredBy pid:3 ;
  :yearOfPublication "2022"^^xsd:gYear .
:authoredBy rdfs:label "authored by" . :yearOfPublication rdfs:label "year of publication" .
"""
PID, REC = "https://dblp.org/pid/", "https://dblp.org/rec/"


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("dblp")
    (folder / "dblp.ttl").write_text(DBLP, encoding="utf-8")
    load_graph([folder / "dblp.ttl"], folder / "dblp.graph")
    yield str(folder / "dblp.graph")
    close_graphs()


@pytest.fixture(scope="module")
def served(oxigraph) -> Iterator[str]:
    oxigraph.load(DBLP)
    yield oxigraph.url
    close_graphs()


@pytest.fixture(params=["embedded", pytest.param("served", marks=pytest.mark.server("oxigraph"))])
def endpoint(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """An embedded graph, or the plain address of a server: ``http://127.0.0.1:…/query``."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    address: str = request.getfixturevalue(request.param)
    return address


@pytest.fixture
def config(endpoint: str) -> KGConfig:
    return KGConfig(sparql_endpoint=endpoint, embedding_model="all-MiniLM-L6-v2", openai_model="gpt-4o-mini")


# --- quick start


def test_quick_start(config, capsys):
    # End-to-end question answering
    answer = generate_answer(
        query="Did Kamil Zbikowski and Michal Ostapowicz co-author a paper?", config=config
    )
    print(answer)
    printed = capsys.readouterr().out
    assert printed.startswith("Yes.")
    assert "Reinforcement Learning in Trading authored by Kamil Zbikowski" in printed
    assert {PID + "1", PID + "2", REC + "1"} <= set(answer["citations"])
    assert "SELECT" in answer["sparql_used"]
    assert 0 < answer["confidence"] <= 1


def test_without_a_key_it_works_and_says_that_no_model_was_asked(config):
    answer = generate_answer(query="What papers did John Smith publish?", config=config)
    assert any("no language model" in note for note in answer["notes"])
    assert "Knowledge Graphs at Work" in answer["answer"]
    assert "Subgraphs for Questions" in answer["answer"]


def test_what_the_graph_does_not_tell_is_not_made_up(config):
    answer = generate_answer(query="Did Kamil Zbikowski and Jane Doe co-author a paper?", config=config)
    assert "Yes" not in answer["answer"]
    assert answer["citations"] == []
    assert answer["raw_results"]["success"] is False
    assert answer["raw_results"]["failure_stage"] == "sparql_execution"


# --- step by step


def test_step_by_step_pipeline(config):
    # 1. Find seed nodes (hybrid search: semantic + keyword)
    seed_nodes, extracted_entities = get_seed_nodes(
        query="What papers did John Smith publish?", config=config
    )
    assert [seed["entity_uri"] for seed in seed_nodes] == [PID + "3"]
    assert set(seed_nodes[0]) >= {"entity_uri", "label", "source", "score", "description", "entity_from"}
    assert [entity["name"] for entity in extracted_entities] == ["John Smith"]

    # 2. Extract relevant subgraphs using path-aware traversal
    all_subgraphs = []
    for seed_node in seed_nodes:
        subgraphs, template_text = get_subgraphs(
            seed_node=seed_node["entity_uri"],
            query="What papers did John Smith publish?",
            config=config,
            seed_nodes=seed_nodes,  # Optional: provides context for template generation
        )
        all_subgraphs.extend(subgraphs)
    assert template_text == "What papers did John Smith publish?"
    assert all(0.36 < subgraph["probability"] < 2.72 for subgraph in all_subgraphs)
    best = all_subgraphs[0]
    assert best["path"] == "John Smith <-authored by-"
    assert (REC + "2", "https://dblp.org/rdf/schema#authoredBy", PID + "3") in best["triplet_uris"]
    assert [label for _, label, _, is_node in best["path_with_label"] if not is_node] == ["authored by"]

    # 3. Full pipeline: query → seed discovery → subgraph → SPARQL → answer
    result = kg_retrieve(query="What papers did John Smith publish?", config=config)
    assert result["success"] is True
    assert {row["answer"] for row in result["results"]} == {REC + "2", REC + "3"}
    assert {"seed_finding", "subgraph_extraction", "sparql_generation", "total"} <= set(result["timing"])
    assert result["failure_stage"] is None
    json.dumps(result)


def test_a_failure_names_its_stage_and_keeps_what_was_found(config):
    result = kg_retrieve(query="What is the weather like today?", config=config)
    assert result["success"] is False
    assert result["failure_stage"] == "seed_finding"
    assert result["failure_reason"]
    assert result["seed_nodes"] == []


# --- configuration


def test_configuration_and_direct_queries(endpoint):
    # Create configuration with custom parameters
    config = KGConfig(
        sparql_endpoint=endpoint,
        embedding_model="all-MiniLM-L6-v2",
        openai_model="gpt-4o-mini",
        min_subgraphs=3,  # Adaptive stopping: minimum
        max_subgraphs=15,  # Adaptive stopping: maximum
        quality_threshold_ratio=0.65,  # Adaptive stopping: quality threshold
        absolute_prob_threshold=1.5,  # Minimum probability cutoff
    )

    # Execute SPARQL queries directly
    results = execute_sparql_query(query="SELECT * WHERE { ?s ?p ?o } LIMIT 10", config=config)
    assert len(results) == 10
    assert all(set(row) == {"s", "p", "o"} for row in results)


@pytest.mark.parametrize(
    "preset",
    [
        {
            "min_subgraphs": 3,
            "max_subgraphs": 15,
            "quality_threshold_ratio": 0.65,
            "absolute_prob_threshold": 1.5,
        },
        {
            "min_subgraphs": 2,
            "max_subgraphs": 10,
            "quality_threshold_ratio": 0.75,
            "absolute_prob_threshold": 2.0,
        },
        {
            "min_subgraphs": 5,
            "max_subgraphs": 20,
            "quality_threshold_ratio": 0.4,
            "absolute_prob_threshold": 1.0,
        },
        {"min_subgraphs": 25, "max_subgraphs": 25},
    ],
    ids=["balanced", "aggressive", "conservative", "disabled"],
)
def test_adaptive_stopping_presets(embedded, preset):
    config = KGConfig(sparql_endpoint=embedded, **preset)
    subgraphs, _ = get_subgraphs(PID + "3", "What papers did John Smith publish?", config)
    assert 1 <= len(subgraphs) <= preset["max_subgraphs"]


def test_an_aggressive_preset_collects_no_more_than_a_conservative_one(embedded):
    def count(**rule):
        config = KGConfig(sparql_endpoint=embedded, **rule)
        return len(get_subgraphs(PID + "3", "What papers did John Smith publish?", config)[0])

    aggressive = count(
        min_subgraphs=2, max_subgraphs=10, quality_threshold_ratio=0.75, absolute_prob_threshold=2.0
    )
    conservative = count(
        min_subgraphs=5, max_subgraphs=20, quality_threshold_ratio=0.4, absolute_prob_threshold=1.0
    )
    assert aggressive < conservative


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"embedding_model": "google/embeddinggemma-300m"}, "embedder"),
        ({"min_subgraphs": 9, "max_subgraphs": 3}, "max_subgraphs"),
        ({"sparql_endpoint": " "}, "sparql_endpoint"),
        ({"max_hops": 0}, "max_hops"),
        ({"settings": {"no_such_setting": 1}}, "no_such_setting"),
    ],
)
def test_what_cannot_be_used_is_told(embedded, given, said):
    with pytest.raises(SettingsError, match=said):
        get_seed_nodes("Who is John Smith?", config=KGConfig(**{"sparql_endpoint": embedded, **given}))


def test_an_endpoint_that_is_not_there_is_an_error_and_never_an_empty_list():
    config = KGConfig(sparql_endpoint="http://127.0.0.1:9/query")
    for call in (
        lambda: execute_sparql_query("SELECT * WHERE { ?s ?p ?o }", config),
        lambda: get_seed_nodes("Who is Ada?", config=config),
        lambda: kg_retrieve("Who is Ada?", config),
    ):
        with pytest.raises(OpenError):
            call()


def test_an_empty_question_is_told(embedded):
    with pytest.raises(PlanError, match="empty"):
        kg_retrieve("  ", KGConfig(sparql_endpoint=embedded))


def test_a_search_mode_that_does_not_exist_is_told(embedded):
    config = KGConfig(sparql_endpoint=embedded)
    for call in (get_seed_nodes, kg_retrieve, generate_answer):
        with pytest.raises(SettingsError, match="psychic"):
            call("Who is John Smith?", config=config, search_mode="psychic")
    for mode in ("hybrid", "keyword", "semantic"):
        seeds, _ = get_seed_nodes("Who is John Smith?", config=config, search_mode=mode)
        assert [seed["entity_uri"] for seed in seeds] == [PID + "3"]


def test_neither_key_nor_password_is_shown():
    config = KGConfig(sparql_endpoint="http://me:secret@127.0.0.1:9/query", lm_api_key="sk-123")
    assert "secret" not in repr(config)
    assert "sk-123" not in repr(config)


# --- direct queries


def test_ask_gives_one_row_with_its_truth(config):
    assert execute_sparql_query("ASK { ?x a <https://dblp.org/rdf/schema#Person> }", config) == [
        {"boolean": True}
    ]


def test_values_keep_their_kinds_where_that_is_asked_for(config):
    query = "SELECT ?year WHERE { <https://dblp.org/rec/1> <https://dblp.org/rdf/schema#yearOfPublication> ?year }"
    assert execute_sparql_query(query, config) == [{"year": "2023"}]
    assert execute_sparql_query(query, config, typed=True) != [{"year": "2023"}]


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("SELEC ?x WHERE {", QueryError),
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", QueryError),
        ("SELECT * WHERE { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", QueryRefusedError),
    ],
)
def test_a_query_that_may_not_run_is_an_error(config, query, error):
    with pytest.raises(error):
        execute_sparql_query(query, config)


# --- logging


def _run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )


_ASKS = """
from askgraph.kgnode import KGConfig, get_seed_nodes
get_seed_nodes(query="What papers did John Smith publish?", config=KGConfig(sparql_endpoint={graph!r}))
"""


@pytest.mark.parametrize(
    ("level", "told"), [("DEBUG", True), ("INFO", True), ("WARNING", False), ("CRITICAL", False)]
)
def test_the_environment_says_what_is_told(embedded, level, told):
    done = _run(_ASKS.format(graph=embedded), ASKGRAPH_LOG_LEVEL=level)
    assert bool(done.stderr) is told
    assert done.stdout == ""


def test_levels_are_set_in_code(embedded):
    lines = "from askgraph.kgnode.core import set_log_level, disable_logging\n"
    shown = _run(lines + 'set_log_level("DEBUG")\n' + _ASKS.format(graph=embedded))
    assert "seed for 'John Smith'" in shown.stderr
    assert _run(lines + "disable_logging()\n" + _ASKS.format(graph=embedded)).stderr == ""


def test_a_level_that_does_not_exist_is_told():
    from askgraph.kgnode import set_log_level

    with pytest.raises(SettingsError, match="LOUD"):
        set_log_level("LOUD")


# --- with a language model


def test_a_model_names_the_things_and_the_path(endpoint):
    model = ScriptedModel(
        {
            "extract_entities": {
                "entities": [{"name": "Smith, John", "types": ["Person"]}],
                "relations": ["authored by"],
            },
            "path_template": {"phrase": "publication authored by John Smith", "relations": ["authored by"]},
        }
    )
    config = KGConfig(sparql_endpoint=endpoint, language_model=model)
    seed_nodes, entities = get_seed_nodes(query="What did Smith, J. write?", config=config)
    assert entities == [{"name": "Smith, John", "types": ["Person"]}]
    assert seed_nodes[0]["entity_uri"] == PID + "3"
    subgraphs, template = get_subgraphs(seed_nodes[0], "What did Smith, J. write?", config)
    assert template == "publication authored by John Smith"
    assert subgraphs[0]["path"] == "John Smith <-authored by-"
    assert {request.purpose for request in model.requests} == {"extract_entities", "path_template"}


_NAMES = {"entities": [{"name": "John Smith", "types": ["Person"]}], "relations": ["authored by"]}
_TEMPLATE = {"phrase": "publication authored by John Smith", "relations": ["authored by"]}
_SPARQL = """PREFIX : <https://dblp.org/rdf/schema#>
SELECT ?paper WHERE { ?paper :authoredBy <https://dblp.org/pid/3> }"""


def _says_what_john_smith_wrote(request: Request) -> Any:
    """A model that answers from the fact that says it."""
    if request.purpose == "answer":
        wanted = "Knowledge Graphs at Work authored by John Smith"
        line = next(line for line in request.messages[-1].text.splitlines() if wanted in line)
        number = re.search(r"\d+", line)
        assert number is not None
        return f"{wanted}. [{number[0]}]\nShort answer: Knowledge Graphs at Work"
    replies = {"extract_entities": _NAMES, "path_template": _TEMPLATE, "sparql": f"```sparql\n{_SPARQL}\n```"}
    return replies[request.purpose]


def test_a_model_writes_the_query_and_sees_what_was_found_around_the_seeds(endpoint):
    model = ScriptedModel(_says_what_john_smith_wrote)
    config = KGConfig(sparql_endpoint=endpoint, language_model=model)
    answer = generate_answer(query="What papers did John Smith publish?", config=config)
    assert {row["paper"] for row in answer["raw_results"]["results"]} == {REC + "2", REC + "3"}
    assert "authoredBy" in answer["sparql_used"]
    assert answer["answer"].startswith("Knowledge Graphs at Work authored by John Smith")
    assert REC + "2" in answer["citations"]
    asked = next(request for request in model.requests if request.purpose == "sparql")
    shown = asked.messages[-1].text
    assert "'John Smith' may be <https://dblp.org/pid/3>" in shown
    assert "?n1 <https://dblp.org/rdf/schema#authoredBy> <https://dblp.org/pid/3> ." in shown


def test_a_query_with_a_mistake_is_written_again(endpoint):
    replies: dict[str, Any] = {
        "extract_entities": _NAMES,
        "path_template": _TEMPLATE,
        "sparql": "SELEC ?x WHERE {",
        "sparql_repair": _SPARQL,
    }
    config = KGConfig(sparql_endpoint=endpoint, language_model=ScriptedModel(replies))
    result = kg_retrieve(query="What papers did John Smith publish?", config=config)
    assert {row["paper"] for row in result["results"]} == {REC + "2", REC + "3"}
    assert any("written again" in note for note in result["notes"])


def test_a_query_that_finds_nothing_gives_way_to_the_paths(endpoint):
    empty = _SPARQL.replace("pid/3", "pid/nobody")
    replies: dict[str, Any] = {
        "extract_entities": _NAMES,
        "path_template": _TEMPLATE,
        "sparql": empty,
        "sparql_repair": empty,
    }
    config = KGConfig(sparql_endpoint=endpoint, language_model=ScriptedModel(replies))
    result = kg_retrieve(query="What papers did John Smith publish?", config=config)
    assert {row["answer"] for row in result["results"]} == {REC + "2", REC + "3"}
    assert any("paths" in note for note in result["notes"])


def test_what_a_model_writes_can_neither_write_nor_call_out(endpoint):
    def retrieve(text: str) -> dict[str, Any]:
        replies: dict[str, Any] = {
            "extract_entities": _NAMES,
            "path_template": _TEMPLATE,
            "sparql": text,
            "sparql_repair": text,
        }
        config = KGConfig(sparql_endpoint=endpoint, language_model=ScriptedModel(replies))
        return kg_retrieve(query="What papers did John Smith publish?", config=config)

    with pytest.raises(QueryRefusedError):
        retrieve("SELECT * WHERE { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }")
    with pytest.raises(QueryRefusedError):
        retrieve("DELETE WHERE { ?s ?p ?o }")
    # What is no query is none, and the paths are tried instead.
    assert "ELECT" not in str(retrieve("ELECT ?s WHERE { ?s ?p ?o")["sparql"]).replace("SELECT", "")


def test_a_model_that_fails_leaves_the_names_of_the_graph(embedded):
    config = KGConfig(sparql_endpoint=embedded, language_model=ScriptedModel([]))
    seed_nodes, _ = get_seed_nodes(query="What papers did John Smith publish?", config=config)
    assert [seed["entity_uri"] for seed in seed_nodes] == [PID + "3"]


# --- many callers at once


def test_threads_share_one_graph_and_do_not_mix_their_answers(embedded):
    config = KGConfig(sparql_endpoint=embedded)
    found: dict[str, str] = {}

    def ask(name: str) -> None:
        seeds, _ = get_seed_nodes(query=f"Who is {name}?", config=config)
        found[name] = seeds[0]["label"]

    names = ["John Smith", "Jane Doe", "Kamil Zbikowski", "Michal Ostapowicz"]
    threads = [threading.Thread(target=ask, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {name: name for name in names}


@pytest.mark.parametrize(
    ("question", "path"),
    [("Which team did Lyon Rovers beat?", "-beat->"), ("Which team beat Lyon Rovers?", "<-beat-")],
)
def test_of_equally_probable_paths_those_come_first_that_go_with_the_words(tmp_path, question, path):
    file = tmp_path / "league.ttl"
    file.write_text(
        "@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':a a :Team ; rdfs:label "Łódź United" ; :beat :b . :b a :Team ; rdfs:label "Lyon Rovers" ; :beat :c .\n'
        ':c a :Team ; rdfs:label "Bergen Stars" .\n',
        encoding="utf-8",
    )
    subgraphs, _ = get_subgraphs("http://x.org/b", question, KGConfig(sparql_endpoint=str(file)))
    assert subgraphs[0]["path"] == f"Lyon Rovers {path}"
    probabilities = [subgraph["probability"] for subgraph in subgraphs]
    assert probabilities == sorted(probabilities, reverse=True)


def test_two_graphs_never_see_each_other(embedded, tmp_path: Path):
    (tmp_path / "other.ttl").write_text(
        '<http://x.org/j> a <http://x.org/Ship> ; <http://www.w3.org/2000/01/rdf-schema#label> "John Smith" .',
        encoding="utf-8",
    )
    other = KGConfig(sparql_endpoint=str(tmp_path / "other.ttl"))
    assert get_seed_nodes("Who is John Smith?", config=other)[0][0]["entity_uri"] == "http://x.org/j"
    mine = KGConfig(sparql_endpoint=embedded)
    assert get_seed_nodes("Who is John Smith?", config=mine)[0][0]["entity_uri"] == PID + "3"
