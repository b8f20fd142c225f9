"""Answers from the reports on the whole graph, which are made ahead of time and kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askgraph import Answer, Graph, Settings, load_graph, open_graph
from askgraph.core.budget import Budget
from askgraph.core.errors import CapExceededError, PlanError
from askgraph.core.run import Run
from askgraph.evaluation.strategy_answer import reports_read
from askgraph.models.language_model import Request
from askgraph.models.scripted import ScriptedModel
from askgraph.retrievers.subgraph import whole
from askgraph.retrievers.subgraph.whole import ReportsAhead
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


def reader(request: Request) -> Any:
    """A model that finds something in the first report of each batch, and writes one sentence of all."""
    if request.purpose == "map_reports":
        number = int(next(iter(re.findall(r"Report (\d+):", request.messages[-1].text))))
        return {"points": [{"description": "Gout associates GOU1.", "score": 90, "reports": [number]}]}
    return "Gout associates GOU1. [1]\nShort answer: GOU1"


def asked_with_a_model(graph: Graph, question: str, **limits: int) -> tuple[Answer, Run, ScriptedModel]:
    model = ScriptedModel(reader)
    run = Run(question, graph="", graph_version="")
    strategy = GlobalSearchStrategy(replace(graph.parts(), model=model))
    return strategy.answer(graph.linked(question, run), Budget(**limits), run), run, model


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
    assert found.interpretation == "what the reports on the graph say of Gout"
    told = {id for report in made.communities() for item in report.findings for id in item.edges}
    cited = {hop.edge for fact in found.facts if fact.path for hop in fact.path.hops if hop.edge}
    assert cited
    assert cited <= told
    expected = {edge.target for edge in made.store.edges() if edge.source == "d1"}
    assert {item.node for item in found.answers} <= expected


LEAGUE = {
    "Łódź United": ("Łódź", ["Zbigniew Żak", "Jürgen Müller", "Søren Ærø", "Nuñez Peña"]),
    "Warta Kraków": ("Kraków", ["Ewa Ślusarz", "Gül Şahin", "Ivo Čech"]),
    "FC Tromsø": ("Tromsø", ["Åse Øye", "Bjørn Ås", "Ğani Öz"]),
}
WHO_PLAYS = "Who plays for Łódź United?"


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """Clubs with their players. Nuñez Peña plays for one, and is at home where another is."""
    nodes, edges = ["id:ID,name,:LABEL", "nt,Polska,National team"], [":START_ID,:END_ID,:TYPE"]
    for place, (club, (city, players)) in enumerate(LEAGUE.items()):
        nodes += [f"c{place},{club},Club", f"t{place},{city},City", f"s{place},{club} Arena,Stadium"]
        nodes += [f"p{place}_{number},{name},Player" for number, name in enumerate(players)]
        edges += [f"c{place},t{place},located in", f"c{place},s{place},home ground"]
        edges += [f"p{place}_{number},c{place},plays for" for number in range(len(players))]
    edges += [f"p0_3,p2_{number},friend of" for number in range(3)]
    edges += ["p2_1,p2_0,friend of", "p2_2,p2_0,friend of", "p2_2,p2_1,friend of", "p0_3,t2,born in"]
    edges += [f"p0_{number},nt,capped by" for number in range(3)]
    edges += [f"p{place}_{number},t{place},born in" for place in (1, 2) for number in range(3)]
    folder = tmp_path_factory.mktemp("league")
    files = [folder / "nodes.csv", folder / "edges.csv"]
    for file, lines in zip(files, (nodes, edges), strict=True):
        file.write_text("\n".join(lines), encoding="utf-8")
    load_graph(files, folder / "made.graph")
    with opened(folder) as graph:
        yield graph


def test_what_reports_list_without_a_model_may_be_incomplete_and_that_is_said(league: Graph):
    found = league.ask(WHO_PLAYS, strategy="global")
    # One of the four is in another community: the case that nobody can see from the reports.
    assert {item.text for item in found.answers} == {"Zbigniew Żak", "Jürgen Müller", "Søren Ærø"}
    assert any(note.startswith("Reports may leave some out") for note in found.notes)
    assert found.confidence <= 0.5
    whole = league.ask(WHO_PLAYS, strategy="subgraph")
    assert len(whole.answers) == 4
    assert whole.confidence > 0.5
    assert not any("may leave some out" in note for note in whole.notes)


def test_a_list_of_one_thing_has_nothing_of_the_others(league: Graph, monkeypatch: pytest.MonkeyPatch):
    # As where a community holds several clubs: every report counts in full.
    monkeypatch.setattr(global_search, "_rated", lambda item: replace(item.report, rating=10.0, children=()))
    found, run = asked(league, WHO_PLAYS)
    assert details(run, "reports")["reports_read"] > 1
    assert "plays for Łódź United: Zbigniew Żak, Jürgen Müller and Søren Ærø." in found.text
    assert not any(club in found.text for club in ("Warta Kraków", "FC Tromsø"))


def test_where_no_report_tells_of_the_relation_asked_for_another_is_not_the_answer(tmp_path: Path):
    nodes = ["id:ID,name,:LABEL", "c0,Łódź United,Club", "c1,Warta Kraków,Club"]
    edges = [":START_ID,:END_ID,:TYPE", "c0,c1,rival of"]
    nodes += [f"p{number},Øye {number},Player" for number in range(6)]
    edges += [f"p{number},c{number % 2},plays for" for number in range(6)]
    # So many findings on friends that there is no room for the players.
    edges += [f"p{one},p{other},friend of" for one in range(6) for other in range(one)]
    edges += [f"p{one},p{other},knows" for one in range(6) for other in range(one)]
    files = [tmp_path / "nodes.csv", tmp_path / "edges.csv"]
    for file, lines in zip(files, (nodes, edges), strict=True):
        file.write_text("\n".join(lines), encoding="utf-8")
    load_graph(files, tmp_path / "made.graph")
    with opened(tmp_path) as graph:
        told = " ".join(report.text for report in graph.communities())
        found = graph.ask(WHO_PLAYS, strategy="global")
    assert "plays for Łódź" not in told
    assert found.abstained, found.text


def test_several_subjects_stand_behind_a_verb_in_the_singular(league: Graph):
    text = league.ask(WHO_PLAYS, strategy="subgraph").text
    assert "plays for Łódź United: Zbigniew Żak, Jürgen Müller, Søren Ærø and Nuñez Peña." in text


def test_an_answer_that_reports_cannot_be_sure_of_is_none_for_who_wants_to_be_surer(league: Graph):
    parts = league.parts()
    strict = replace(parts, settings=parts.settings.model_copy(update={"least_confidence": 0.6}))
    run = Run(WHO_PLAYS, graph="", graph_version="")
    found = GlobalSearchStrategy(strict).answer(league.linked(WHO_PLAYS, run), Budget(), run)
    assert found.abstained
    assert "may leave some out" in found.text


def test_a_graph_of_one_node_has_no_subgraph_that_could_be_spoken_of(tmp_path: Path):
    (tmp_path / "nodes.csv").write_text("id:ID,name,:LABEL\nx,Łódź United,Club\n", encoding="utf-8")
    load_graph([tmp_path / "nodes.csv"], tmp_path / "made.graph")
    with opened(tmp_path) as graph:
        found = graph.ask(WHO_PLAYS, strategy="global")
    assert found.abstained
    assert "Nothing in the reports on the graph" in found.text


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


# --- with a model


def test_a_model_reads_every_report_those_that_bear_on_the_question_first(made: Graph):
    found, run, model = asked_with_a_model(made, GOUT)
    reports = made.communities()
    assert found.text.startswith("Gout associates GOU1.")
    assert [item.text for item in found.answers] == ["GOU1"]
    assert found.interpretation == f"what {len(reports)} reports on the graph say"
    assert sorted(details(run, "answer")["reports_read"]) == sorted(item.community for item in reports)
    assert reports_read(run) == len(reports)
    first = details(run, "answer")["reports_read"][0]
    assert "d1" in next(item.nodes for item in reports if item.community == first)
    assert model.requests[-1].purpose == "reduce_points"
    assert any("how much they bear on the question" in note for note in found.notes)


@pytest.mark.parametrize("limits", [{"tokens": 5_000}, {"model_calls": 2, "tokens": 9_000}])
def test_a_budget_that_does_not_reach_for_all_reports_is_kept_and_said(made: Graph, limits: dict[str, int]):
    found, run, model = asked_with_a_model(made, GOUT, **limits)
    reports = made.communities()
    noted = details(run, "answer")
    assert 0 < len(noted["reports_read"]) < len(reports)
    assert len(noted["reports_read"]) + len(noted["reports_not_read"]) == len(reports)
    assert any(f"{len(noted['reports_not_read'])} reports were not read" in note for note in found.notes)
    assert run.usage.tokens <= limits["tokens"]
    assert len(model.requests) <= limits.get("model_calls", 20)
    by_number = {item.community: item for item in reports}
    # What bears most on the question is what was read.
    assert all("d1" in by_number[number].nodes for number in noted["reports_read"][:2])


def test_a_question_that_names_nothing_is_answered_by_a_model_from_the_widest_reports(made: Graph):
    found, run, _ = asked_with_a_model(made, "What are the main themes?", tokens=9_000)
    ratings = {item.community: item.rating for item in made.communities()}
    read = [ratings[number] for number in details(run, "answer")["reports_read"]]
    assert read == sorted(read, reverse=True)
    assert not found.abstained or "support" in found.text


def test_of_thousands_of_reports_no_more_are_looked_at_than_could_be_read(
    made: Graph, monkeypatch: pytest.MonkeyPatch
):
    reports = made.communities()
    many = tuple(
        replace(reports[place % len(reports)], community=place, children=()) for place in range(5_000)
    )
    parts = replace(
        made.parts(), model=ScriptedModel(reader), reports_ahead=lambda: ReportsAhead(many, were_kept=True)
    )
    run = Run(GOUT, graph="", graph_version="")
    answer = GlobalSearchStrategy(parts).answer(made.linked(GOUT, run), Budget(tokens=20_000), run)
    noted = details(run, "reports")
    assert noted["reports_read"] < 500
    assert noted["reports_read"] + noted["left_out"] == 5_000
    assert any(f"{noted['left_out']:,} were left out" in note for note in answer.notes)
    assert run.usage.tokens <= 20_000


def writer(request: Request) -> Any:
    """A model that also writes reports: one finding, of the first edge."""
    if request.purpose != "community_report":
        return reader(request)
    finding = {"summary": "WRITTEN", "explanation": "They are linked.", "references": ["N1", "E1"]}
    return {
        "title": "A community", "summary": "WRITTEN", "rating": 5, "rating_explanation": "", "findings": [finding],
    }  # fmt: skip


def with_model(folder: Path, name: str = "one") -> Graph:
    settings = Settings.load(
        save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data", embedder="none"
    )
    return open_graph(folder / "made.graph", settings=settings, model=ScriptedModel(writer, name=name))


def maps(graph: Graph) -> str:
    """What the model is shown of reports when it is asked."""
    model = graph.model
    assert isinstance(model, ScriptedModel)
    model.requests.clear()
    graph.ask(GOUT, strategy="global")
    return "\n".join(item.messages[-1].text for item in model.requests if item.purpose == "map_reports")


def test_reports_that_the_model_has_written_are_read_and_their_cost_is_remembered(tmp_path: Path):
    write_graph(tmp_path)
    with with_model(tmp_path) as graph:
        assert "WRITTEN" not in maps(graph)
        written = graph.communities(with_model=True)
        assert {report.written_by for report in written if report.edges} == {"one"}
        assert "WRITTEN" in maps(graph)
    with with_model(tmp_path) as graph:
        assert "WRITTEN" in maps(graph)
        ahead = GlobalSearchStrategy(graph.parts()).work_ahead()
        assert ahead.were_kept
        assert ahead.calls == sum(bool(report.edges) for report in written)
        assert ahead.usage.tokens > 0
        # What is used again costs nothing more, and what it took is not forgotten.
        graph.communities(with_model=True)
        again = GlobalSearchStrategy(graph.parts()).work_ahead()
        assert (again.calls, again.usage) == (ahead.calls, ahead.usage)
        graph.communities(with_model=True, rebuild=True)
        anew = GlobalSearchStrategy(graph.parts()).work_ahead()
        assert (anew.calls, anew.usage.tokens) == (ahead.calls, ahead.usage.tokens)
    with with_model(tmp_path, "another") as graph:
        assert "WRITTEN" not in maps(graph)
    with opened(tmp_path) as graph:
        assert not any(
            report.written_by for report in GlobalSearchStrategy(graph.parts()).work_ahead().reports
        )


def test_costs_that_are_refused_leave_the_extracts(tmp_path: Path):
    write_graph(tmp_path)
    with with_model(tmp_path) as graph:
        graph.communities(with_model=True, on_costs=lambda costs: False)
        assert "WRITTEN" not in maps(graph)


def test_an_index_that_is_made_anew_takes_no_reports_with_it(tmp_path: Path):
    write_graph(tmp_path)
    with with_model(tmp_path) as graph:
        graph.communities(with_model=True)
        graph.build_index(rebuild=True)
        assert "WRITTEN" in maps(graph)
    with with_model(tmp_path) as graph:
        assert "WRITTEN" in maps(graph)
        assert GlobalSearchStrategy(graph.parts()).work_ahead().were_kept
    with opened(tmp_path) as graph:
        assert GlobalSearchStrategy(graph.parts()).work_ahead().were_kept
