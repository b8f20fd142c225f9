"""Reports that a model writes, and answers from nested subgraphs, as commands show them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from askgraph import Settings, load_graph, open_graph
from askgraph.cli.views.reports import costs_in_words
from askgraph.models.kept_replies import RecordingModel
from askgraph.models.language_model import Request
from askgraph.models.scripted import ScriptedModel
from askgraph.retrievers.subgraph.written_reports import WritingCosts

from .conftest import Askgraph

QUESTION = "In which pathways is NAT2?"


def said(request: Request) -> Any:
    if request.purpose == "extract_entities":
        return {"entities": [{"name": "NAT2", "types": ["Gene"]}], "relations": []}
    if request.purpose == "community_report":
        findings = [{"summary": "Part", "explanation": "It takes part.", "references": ["N1", "E1"]}]
        return {
            "title": "Biotransformation", "summary": "Genes that transform.", "rating": 8,
            "rating_explanation": "Central.", "findings": findings,
        }  # fmt: skip
    if request.purpose == "map_reports":
        point = {"description": "NAT2 participates in Metabolism.", "score": 90, "reports": [1]}
        return {"points": [point]}
    return "NAT2 participates in Metabolism [1].\n\nShort answer: Metabolism"


@pytest.fixture(scope="module")
def hetionet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = Path(__file__).resolve().parents[2] / "examples" / "hetionet"
    folder = tmp_path_factory.mktemp("hetionet") / "hetionet.graph"
    load_graph([root / "nodes.csv", root / "edges.csv"], folder)
    return folder


@pytest.fixture(scope="module")
def replay(hetionet: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a model said to all that the commands below ask of it."""
    folder = tmp_path_factory.mktemp("replies")
    model = RecordingModel(ScriptedModel(said, name="wise"), folder / "replies.jsonl")
    settings = Settings.load(save_runs=False, cache_dir=folder, data_dir=folder)
    with open_graph(hetionet, settings=settings, model=model) as graph:
        graph.ask_nested(QUESTION)
        graph.communities(QUESTION, with_model=True)
    return f"replay:{folder / 'replies.jsonl'}"


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reports are kept for one test alone."""
    monkeypatch.setenv("ASKGRAPH_CACHE_DIR", str(tmp_path / "cache"))


def test_all_four_subgraphs_answer_side_by_side(askgraph: Askgraph, hetionet: Path):
    done = askgraph("ask", hetionet, QUESTION, "--strategy", "subgraph", "--nested", "all")
    assert done.code == 0
    headings = [
        line for line in done.out.partition("\nNotes\n")[0].splitlines() if line and not line.startswith(" ")
    ]
    names = ["neighbours alone", "with DIAMOnD", "with DIAMOnD and C3", "with the random walk"]
    assert [re.sub(r"  .*", "", line) for line in headings] == names
    assert all("nodes, " in line and " report" in line for line in headings)
    assert done.out.count("confidence 0.50") == 4
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_what_is_to_be_said_of_the_four_stands_once_at_the_end(
    askgraph: Askgraph, hetionet: Path, tmp_path: Path
):
    nobody = tmp_path / "nothing.jsonl"
    nobody.write_text("", encoding="utf-8")
    words = ("--strategy", "subgraph", "--nested", "all", "--model", f"replay:{nobody}")
    done = askgraph("ask", hetionet, QUESTION, *words)
    assert done.code == 0
    answers, _, notes = done.out.partition("\nNotes\n")
    assert answers.count("confidence") == 4
    assert notes.count("The model could not say what the question names") == 1


def test_there_is_nothing_to_report_on_in_an_empty_graph(askgraph: Askgraph, tmp_path: Path):
    (tmp_path / "none.csv").write_text("id,name,type\n", encoding="utf-8")
    load_graph([tmp_path / "none.csv"], tmp_path / "empty.graph")
    assert "nothing to report on" in askgraph("communities", tmp_path / "empty.graph").out


def test_all_four_are_one_json_document(askgraph: Askgraph, hetionet: Path):
    done = askgraph("ask", hetionet, QUESTION, "--strategy", "subgraph", "--nested", "all", "--json")
    assert list(done.json["nested"]) == ["neighbours", "diamond", "c3", "full"]
    sizes = [item["nodes"] for item in done.json["nested"].values()]
    assert sizes == sorted(sizes)
    shown = askgraph("runs", "show", done.json["run"])
    assert shown.code == 0
    assert '"nested": "all"' in shown.out


def test_one_of_them_is_chosen(askgraph: Askgraph, hetionet: Path):
    done = askgraph("ask", hetionet, QUESTION, "--strategy", "subgraph", "--nested", "diamond", "--json")
    assert done.code == 0
    assert (
        json.loads(askgraph("runs", "show", done.json["run"], "--json").out)["options"]["nested"] == "diamond"
    )


@pytest.mark.parametrize("nested", ["diamond", "all"])
def test_other_strategies_have_none(askgraph: Askgraph, hetionet: Path, nested: str):
    done = askgraph("ask", hetionet, QUESTION, "--nested", nested)
    assert done.code != 0
    assert "the strategy 'auto' has no nested subgraphs" in done.err
    assert "--strategy subgraph" in done.err


def test_runs_show_tells_the_points_with_their_scores(askgraph: Askgraph, hetionet: Path, replay: str):
    done = askgraph("ask", hetionet, QUESTION, "--strategy", "subgraph", "--model", replay, "--json")
    assert done.json["answer"] == "NAT2 participates in Metabolism. [1][2]"
    shown = askgraph("runs", "show", done.json["run"]).out
    for step in ("mentions", "links", "subgraph", "reports", "answer"):
        assert re.search(rf"^ +\d.* {step}$", shown, re.MULTILINE), step
    assert "NAT2 participates in Metabolism. (score 90.0" in shown
    assert "Report on NAT2" in shown


def test_reports_are_written_and_who_wrote_them_is_said(askgraph: Askgraph, hetionet: Path, replay: str):
    done = askgraph("communities", hetionet, QUESTION, "--model", replay)
    assert done.code == 0, done.err
    assert "communities to report on" in done.err
    assert "tokens in and at most" in done.err.replace("\n", " ")
    assert "Biotransformation" in done.out
    assert "reports by wise." in done.out
    again = askgraph("communities", hetionet, QUESTION, "--model", replay)
    assert "a report on that is kept" in again.err.replace("\n", " ")
    assert again.out == done.out


def test_a_dry_run_says_what_they_take_and_calls_nothing(askgraph: Askgraph, hetionet: Path, replay: str):
    done = askgraph("communities", hetionet, "--model", replay, "--dry-run")
    assert done.code == 0
    assert done.out == ""
    assert "writes 4" in done.err.replace("\n", " ")
    costs = askgraph("communities", hetionet, "--model", replay, "--dry-run", "--json").json
    assert costs["to_write"] == costs["reports"] > 100
    assert costs["input_tokens"] > 100_000
    assert "language model" in askgraph("communities", hetionet, "--dry-run").err


def test_a_dry_run_needs_no_key(askgraph: Askgraph, hetionet: Path):
    done = askgraph("communities", hetionet, QUESTION, "--model", "openai:gpt-4o-mini", "--dry-run")
    assert done.code == 0, done.err
    assert "at most $0.0" in done.err.replace("\n", " ")


def test_what_the_recording_lacks_is_an_extract_and_that_is_said(
    askgraph: Askgraph, hetionet: Path, replay: str
):
    done = askgraph("communities", hetionet, "obesity", "--model", replay)
    assert done.code == 0
    assert "This is an extract of the graph." in done.out.replace("\n", " ").replace("  ", " ")


def test_graphrag_gets_the_reports_of_the_model(
    askgraph: Askgraph, hetionet: Path, replay: str, tmp_path: Path
):
    duckdb = pytest.importorskip("duckdb")
    target = tmp_path / "project"
    words = ("subgraph", hetionet, QUESTION, "--export", "graphrag", target, "--reports", "--model", replay)
    done = askgraph(*words)
    assert done.code == 0, done.err
    (file,) = target.rglob("community_reports.parquet")
    rows = duckdb.sql(f"SELECT title, rank, full_content FROM '{file}'").fetchall()
    written = [row for row in rows if row[0] == "Biotransformation"]
    assert len(written) > 2
    assert all(rank == 8.0 for _, rank, _ in written)
    assert all("[Data: Entities (" in content and "Relationships (" in content for _, _, content in written)


def test_a_model_for_nothing_is_refused(askgraph: Askgraph, hetionet: Path, replay: str):
    done = askgraph("subgraph", hetionet, "obesity", "--model", replay)
    assert done.code != 0
    assert "--reports" in done.err


def test_what_a_finding_of_a_model_rests_on_is_shown_with_it(askgraph: Askgraph, hetionet: Path, replay: str):
    done = askgraph("communities", hetionet, QUESTION, "--model", replay)
    assert done.code == 0
    out = " ".join(done.out.split())
    assert re.search(
        r"Part: It takes part\. rests on nodes \S+, \S+ and \S+; edge \S+\|\S+\|\S+", out
    ) or re.search(r"Part: It takes part\. rests on nodes \S+ and \S+; edge \S+\|\S+\|\S+", out)
    # An extract names its nodes itself.
    assert "rests on" not in askgraph("communities", hetionet, QUESTION).out


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (0.0, "out, at no cost."),
        (None, "at a price that is not known."),
        (0.0004, "at most $0.01."),
        (0.49, "$0.49."),
    ],
)
def test_what_reports_cost_is_said_as_it_is(cost: float | None, words: str):
    costs = WritingCosts(3, 0, 100, 50, cost)
    assert words in costs_in_words(costs, "wise")
