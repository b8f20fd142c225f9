"""Answers from the reports on the whole graph, which are made ahead of time and kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askgraph import Answer, Graph, Settings, load_graph, open_graph
from askgraph.core.budget import Budget
from askgraph.core.errors import CapExceededError, PlanError
from askgraph.core.run import Run
from askgraph.retrievers.subgraph import whole
from askgraph.strategies import global_search
from askgraph.strategies.global_search import GlobalSearchStrategy

DISEASES = ("Mumps", "Gout", "Asthma", "Psoriasis", "Rickets", "Scurvy")
GENES = 12
GOUT = "Which genes are associated with Gout?"


def write_graph(folder: Path) -> Path:
    """Diseases, each with genes that interact, and one gene of the next disease."""
    nodes, edges = ["id:ID,name,:LABEL"], [":START_ID,:END_ID,:TYPE"]
    for place, disease in enumerate(DISEASES):
        nodes.append(f"d{place},{disease},Disease")
        nodes += [f"g{place}_{gene},{disease[:3].upper()}{gene},Gene" for gene in range(GENES)]
        after = (place + 1) % len(DISEASES)
        edges += [f"d{place},g{place}_{gene},associates" for gene in range(GENES)]
        edges.append(f"d{place},g{after}_0,associates")
        for gene in range(GENES):
            edges += [f"g{place}_{gene},g{place}_{(gene + step) % GENES},interacts" for step in (1, 3)]
    files = [folder / "nodes.csv", folder / "edges.csv"]
    for file, lines in zip(files, (nodes, edges), strict=True):
        file.write_text("\n".join(lines), encoding="utf-8")
    load_graph(files, folder / "made.graph")
    return folder


def opened(folder: Path) -> Graph:
    settings = Settings.load(
        save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data", embedder="none"
    )
    return open_graph(folder / "made.graph", settings=settings)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_graph(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def made(folder: Path) -> Iterator[Graph]:
    with opened(folder) as graph:
        graph.communities()
        yield graph


def asked(graph: Graph, question: str) -> tuple[Answer, Run]:
    run = Run(question, graph="", graph_version="")
    strategy = GlobalSearchStrategy(graph.parts())
    return strategy.answer(graph.linked(question, run), graph.settings.budget(), run), run


def details(run: Run, step: str) -> dict[str, Any]:
    return next(item.details for item in run.steps if item.name == step)


def test_reports_that_are_missing_are_made_once_and_their_cost_is_said(tmp_path: Path):
    write_graph(tmp_path)
    with opened(tmp_path) as graph:
        first = graph.ask(GOUT, strategy="global")
        said = [note for note in first.notes if "made first" in note]
        assert len(said) == 1
        assert "askgraph communities GRAPH" in said[0]
        assert not any("made first" in note for note in graph.ask(GOUT, strategy="global").notes)
    with opened(tmp_path) as graph:
        again = graph.ask(GOUT, strategy="global")
        assert not any("made first" in note for note in again.notes)
        assert again.text == first.text
        ahead = GlobalSearchStrategy(graph.parts()).work_ahead()
        assert ahead.were_kept
        # What it took is known also later.
        assert f"{ahead.seconds:.1f} s" in said[0]
        assert (ahead.calls, ahead.usage.tokens) == (0, 0)


def test_making_reports_takes_no_time_of_the_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    left: list[float] = []
    restarted = Budget.restarted

    def watched(budget: Budget) -> Budget:
        left.append(budget.seconds)
        return restarted(budget)

    monkeypatch.setattr(Budget, "restarted", watched)
    write_graph(tmp_path)
    with opened(tmp_path) as graph:
        graph.ask(GOUT, strategy="global", timeout=20)
        graph.ask(GOUT, strategy="global", timeout=20)
    assert left.count(20) == 1


def test_every_sentence_rests_on_edges_that_reports_tell_of(made: Graph):
    found, _ = asked(made, GOUT)
    assert not found.abstained
    told = {id for report in made.communities() for item in report.findings for id in item.edges}
    cited = {hop.edge for fact in found.facts if fact.path for hop in fact.path.hops if hop.edge}
    assert cited
    assert cited <= told
    expected = {edge.target for edge in made.store.edges() if edge.source == "d1"}
    assert {item.node for item in found.answers} <= expected


def test_what_was_left_out_is_said_and_recorded(made: Graph, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(global_search, "_MOST_REPORTS", 3)
    found, run = asked(made, GOUT)
    reports = made.communities()
    noted = details(run, "reports")
    assert details(run, "communities") == {"reports": len(reports), "were_kept": True}
    assert noted["reports_read"] == 3
    assert noted["reports_read"] + noted["left_out"] == len(reports)
    assert any(f"{noted['left_out']:,} were left out" in note for note in found.notes)
    # Each holds the gene, or says a word of the question.
    assert all(float(line.split()[0]) > 0 for line in noted["reports"])


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("How many genes are associated with Gout?", "a number"),
        ("Which gene has the most diseases?", "a superlative"),
        ("What are the main themes?", "names nothing"),
    ],
)
def test_what_reports_do_not_say_is_not_answered(made: Graph, question: str, reason: str):
    found, _ = asked(made, question)
    assert found.abstained
    assert reason in found.text


def test_titles_are_told_where_nothing_is_named(made: Graph):
    found, _ = asked(made, "What are the main themes?")
    titles = [report.title for report in made.communities()]
    assert found.nearest
    assert set(found.nearest) <= set(titles)


def test_the_same_question_gives_the_same_run(made: Graph):
    prints = [asked(made, GOUT)[1].fingerprint() for _ in range(2)]
    assert prints[0] == prints[1]


def test_parts_of_no_kept_graph_are_refused_with_the_reason(made: Graph):
    strategy = GlobalSearchStrategy(replace(made.parts(), reports_ahead=None))
    run = Run(GOUT, graph="", graph_version="")
    with pytest.raises(PlanError, match="nothing keeps the reports"):
        strategy.answer(made.linked(GOUT, run), made.settings.budget(), run)


def test_a_graph_that_is_too_large_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(whole, "MOST_EDGES", 10)
    write_graph(tmp_path)
    with opened(tmp_path) as graph, pytest.raises(CapExceededError, match="at most 10"):
        graph.ask(GOUT, strategy="global")


def test_reports_made_anew_are_read_at_once(folder: Path):
    with opened(folder) as graph:
        _, first = asked(graph, GOUT)
        strategy = GlobalSearchStrategy(graph.parts())
        run = Run(GOUT, graph="", graph_version="")
        strategy.answer(graph.linked(GOUT, run), graph.settings.budget(), run)
        remade = graph.communities(rebuild=True)
        run = Run(GOUT, graph="", graph_version="")
        strategy.answer(graph.linked(GOUT, run), graph.settings.budget(), run)
        assert details(run, "communities")["reports"] == len(remade)
        assert details(run, "reports") == details(first, "reports")
