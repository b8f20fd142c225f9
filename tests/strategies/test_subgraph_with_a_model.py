"""Query-first with a language model: names, reports, points and the answer, in one run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from askgraph import Answer, Graph, Settings, load_graph, open_graph
from askgraph.core.errors import (
    DeadlineExceededError,
    ModelAuthenticationError,
    ModelUnreachableError,
    PlanError,
)
from askgraph.core.run import Run, Step
from askgraph.models.language_model import Request
from askgraph.models.scripted import ScriptedModel
from askgraph.retrievers.subgraph.options import NESTED
from askgraph.retrievers.subgraph.written_reports import WritingCosts

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "In which pathways is NAT2?"
REPORT = {
    "title": "Biotransformation",
    "summary": "Genes that transform what is foreign.",
    "rating": 8,
    "rating_explanation": "Central.",
    "findings": [{"summary": "Part", "explanation": "It takes part.", "references": ["N1", "E1"]}],
}
POINT = {"description": "NAT2 participates in Biological oxidations.", "score": 90, "reports": [1]}
WRITTEN = "NAT2 participates in Biological oxidations [1].\n\nShort answer: Biological oxidations"


def well(request: Request) -> Any:
    """What a model says that does as it is told."""
    return {
        "extract_entities": {"entities": [{"name": "NAT2", "types": ["Gene"]}], "relations": []},
        "community_report": REPORT,
        "map_reports": {"points": [POINT]},
        "reduce_points": WRITTEN,
    }[request.purpose]


def but(**lines: Any) -> Callable[[Request], Any]:
    """The same, but for some purposes."""
    return lambda request: lines.get(request.purpose) or well(request)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hetionet")
    files = ROOT / "examples" / "hetionet"
    load_graph([files / "nodes.csv", files / "edges.csv"], folder / "hetionet.graph")
    return folder


class Asking:
    """Asks with one script after another; reports are kept in a cache of this test alone."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self._folder = folder
        self.settings = Settings.load(
            save_runs=False, cache_dir=cache / "cache", data_dir=cache / "data", embedder="none"
        )
        self.steps: list[Step] = []

    def graph(self, script: Any, **options: Any) -> Graph:
        self.model = ScriptedModel(script)
        settings = self.settings.model_copy(update=options)
        return open_graph(self._folder / "hetionet.graph", settings=settings, model=self.model)

    def __call__(self, script: Any, question: str = QUESTION, **options: Any) -> Answer:
        self.steps = []
        with self.graph(script, **options) as graph:
            return graph.ask(
                question,
                strategy="subgraph",
                on_step=lambda step, finished: self.steps.append(step) if finished else None,
            )

    def details(self, name: str) -> dict[str, Any]:
        return next(step.details for step in self.steps if step.name == name)

    @property
    def purposes(self) -> list[str]:
        return [request.purpose for request in self.model.requests]


@pytest.fixture
def asking(folder: Path, tmp_path: Path) -> Asking:
    return Asking(folder, tmp_path)


# --- the five steps


def test_the_steps_are_in_the_run_from_the_names_to_the_answer(asking: Asking) -> None:
    answer = asking(well)
    names = [step.name for step in asking.steps if step.name not in ("index", "link")]
    assert names == ["mentions", "links", "subgraph", "reports", "answer"]
    assert asking.details("mentions")["mentions"] == ["NAT2 (Gene)"]
    assert asking.details("links")["links"] == ["NAT2 -> NAT2 Gene::10 (1.00)"]
    assert asking.details("reports")["written"] == asking.purposes.count("community_report") > 0
    assert asking.details("answer")["points"][0]["score"] == 90
    assert answer.text == "NAT2 participates in Biological oxidations. [1][2]"
    assert answer.facts[0].kind == "report"
    assert [link.id for link in answer.links if link.kind == "node"] == ["Gene::10"]


def test_the_second_run_writes_no_report_again(asking: Asking) -> None:
    first = asking(well)
    again = asking(well)
    assert "community_report" not in asking.purposes
    assert asking.details("reports")["kept"] > 0
    assert asking.details("reports")["written"] == 0
    assert again.to_dict() == first.to_dict()


def test_what_the_question_names_is_told_with_all_its_edges(asking: Asking) -> None:
    """The edges between two communities are in no report of a community."""
    asking(well)
    (shown,) = [
        request.messages[1].text for request in asking.model.requests if request.purpose == "map_reports"
    ]
    for pathway in ("Biological oxidations", "Metabolism", "Phase II conjugation", "Arylamine metabolism"):
        assert pathway in shown.split("Report 2:")[0]


def test_a_name_that_is_not_in_the_question_counts_only_where_the_graph_has_just_that(asking: Asking) -> None:
    said = {"entities": [{"name": "NAT2"}, {"name": "NAT22222"}, {"name": "obesity"}], "relations": []}
    asking(but(extract_entities=said))
    assert asking.details("links")["unlinked"] == ["NAT22222"]
    assert [line.split(" -> ")[0] for line in asking.details("links")["links"]] == ["NAT2", "obesity"]


@pytest.mark.parametrize("said", ["NAT2, I think", "{}", {"entities": []}, {"entities": [{"name": "Zork"}]}])
def test_where_the_model_names_nothing_the_index_does(asking: Asking, said: Any) -> None:
    answer = asking(but(extract_entities=said))
    assert not answer.abstained
    assert asking.details("subgraph")["seed"] == 1


# --- models that fail


def test_a_model_that_dies_costs_its_words_and_no_more(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askgraph.models.waiting.time.sleep", lambda seconds: None)
    answer = asking(lambda request: ModelUnreachableError("nobody answers"))
    assert not answer.abstained
    assert answer.sentences[-1].facts
    assert any("nobody answers" in note for note in answer.notes)


def test_reports_that_cannot_be_used_are_extracts_and_the_answer_says_so(asking: Asking) -> None:
    answer = asking(but(community_report="This is about genes."))
    assert answer.text == "NAT2 participates in Biological oxidations. [1][2]"
    assert any("This is an extract of the graph." in note for note in answer.notes)
    assert asking.details("reports")["written"] == 0


def test_words_of_a_report_that_nothing_supports_do_not_reach_the_answer_unmarked(asking: Asking) -> None:
    invented = REPORT | {
        "findings": [{"summary": "x", "explanation": "NAT2 causes asthma.", "references": ["N1"]}]
    }
    answer = asking(
        but(
            community_report=invented,
            map_reports={"points": [{"description": "NAT2 causes asthma.", "score": 100, "reports": [1, 2]}]},
            reduce_points="NAT2 causes asthma [1][2].",
        )
    )
    assert answer.abstained
    # Nor does it when the model dies before the answer, and the answer is an extract.
    answer = asking(but(map_reports="no JSON"))
    assert "causes" not in answer.text


def test_a_wrong_key_is_an_error(asking: Asking) -> None:
    with pytest.raises(ModelAuthenticationError):
        asking(lambda request: ModelAuthenticationError("no such key"))


def test_calls_and_tokens_of_the_budget_hold_for_all_steps_together(asking: Asking) -> None:
    asking(well, model_calls=4)
    assert len(asking.purposes) <= 4
    assert asking.purposes[-1] == "reduce_points"
    asking(well, tokens=12_000, reply_cache=False)
    assert "reduce_points" in asking.purposes


# --- the four subgraphs


def test_each_nested_subgraph_answers_for_itself(asking: Asking) -> None:
    named = {"entities": [{"name": "alcohol dependence"}], "relations": []}
    with asking.graph(but(extract_entities=named)) as graph:
        found = graph.ask_nested("Which genes are associated with alcohol dependence?")
    assert tuple(found) == NESTED
    sizes = [item.nodes for item in found.values()]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    assert len(set(sizes)) > 2
    assert found.run is None


def test_they_are_those_of_one_question_each_without_a_model(asking: Asking, folder: Path) -> None:
    with open_graph(folder / "hetionet.graph", settings=asking.settings) as graph:
        every = graph.ask_nested(QUESTION)
        for nested, item in every.items():
            alone = graph.ask(QUESTION, strategy="subgraph", nested=nested)
            assert alone.sentences == item.answer.sentences
            assert alone.facts == item.answer.facts
        assert graph.ask(QUESTION, strategy="subgraph").to_dict() == every["full"].answer.to_dict()


def test_one_run_is_stored_for_all_four(asking: Asking, folder: Path) -> None:
    settings = asking.settings.model_copy(update={"save_runs": True})
    with open_graph(folder / "hetionet.graph", settings=settings) as graph:
        found = graph.ask_nested(QUESTION)
    stored = list(settings.runs_dir.iterdir())
    assert len(stored) == 1
    assert found.run is not None
    assert found.run in stored[0].name
    assert found.to_dict()["nested"]["c3"]["answer"]["question"] == QUESTION
    assert "c3" in repr(found)


def test_what_is_no_question_for_reports_is_answered_by_none_of_them(asking: Asking) -> None:
    with asking.graph(well) as graph:
        found = graph.ask_nested("How many genes are associated with obesity?")
    assert all(item.answer.abstained for item in found.values())
    assert not asking.purposes


@pytest.mark.parametrize(("strategy", "nested"), [("auto", "c3"), ("paths", "full"), ("subgraph", "half")])
def test_a_choice_that_there_is_not_is_refused(asking: Asking, strategy: str, nested: Any) -> None:
    with asking.graph(well) as graph, pytest.raises(PlanError, match="nested subgraph"):
        graph.ask(QUESTION, strategy=strategy, nested=nested)


# --- reports of a whole graph


def test_reports_of_a_question_are_written_by_the_model_and_kept(asking: Asking) -> None:
    with asking.graph(well) as graph:
        told: list[int] = []

        def agree(costs: WritingCosts) -> bool:
            told.append(costs.to_write)
            return True

        reports = graph.communities(QUESTION, with_model=True, on_costs=agree)
        assert all(report.written_by for report in reports if report.edges)
        assert told == [asking.purposes.count("community_report")]
        assert graph.communities(QUESTION, with_model=True) == reports
        assert graph.communities(QUESTION, with_model=True, on_costs=lambda costs: False) != reports


def test_reports_by_a_model_need_one(asking: Asking, folder: Path) -> None:
    with open_graph(folder / "hetionet.graph", settings=asking.settings) as graph:
        with pytest.raises(PlanError, match="language model"):
            graph.communities(QUESTION, with_model=True)
        selection = graph.subgraph(QUESTION)
        with pytest.raises(PlanError, match="language model"):
            graph.write_reports(selection, ())


def test_the_record_of_a_run_has_every_call(asking: Asking) -> None:
    from dataclasses import replace

    from askgraph.core.progress import SILENT
    from askgraph.strategies.subgraph import SubgraphStrategy

    with asking.graph(well) as graph:
        run = Run(QUESTION, graph="g", graph_version="1")
        parts = replace(graph.parts(), model=asking.model)
        linked = graph._link(QUESTION, run, SILENT)
        SubgraphStrategy(parts).answer(linked, graph.settings.budget(), run)
    assert [call.purpose for call in run.calls] == asking.purposes
    assert run.to_dict()["steps"][-1]["details"]["points"]


def test_a_model_that_is_late_at_every_step_is_told_of_once(asking: Asking) -> None:
    waits = {
        "extract_entities": "connecting with it", "community_report": "waiting for it", "map_reports": "asking it",
    }  # fmt: skip
    answer = asking(
        lambda request: DeadlineExceededError(f"the time of 7 s was up while {waits[request.purpose]}")
    )
    assert not answer.abstained
    late = [note for note in answer.notes if "share of the time" in note]
    assert len(late) == 1
    assert "not read" in late[0]
    assert not any("was up while" in note for note in answer.notes)
    assert any("This is the answer without the model." in note for note in answer.notes)


def test_packages_that_do_not_load_in_time_leave_time_for_the_answer_without_them(
    folder: Path, tmp_path: Path
) -> None:
    over = Event()

    class Heavy(ScriptedModel):
        def load(self) -> None:
            over.wait(20)

    settings = Asking(folder, tmp_path).settings
    model = Heavy(well)
    try:
        with open_graph(folder / "hetionet.graph", settings=settings, model=model) as graph:
            graph.subgraph(QUESTION)
            answer = graph.ask(QUESTION, strategy="subgraph", timeout=6)
    finally:
        over.set()
    assert not answer.abstained
    assert model.requests == []
    assert sum("share of the time" in note for note in answer.notes) == 1


def test_a_model_is_loaded_before_the_first_call_and_once_asked_says_itself_what_is_wrong(
    folder: Path, tmp_path: Path
) -> None:
    loads: list[int] = []

    class Broken(ScriptedModel):
        def load(self) -> None:
            loads.append(len(self.requests))
            raise ModelUnreachableError("nobody answers")

    model = Broken(well)
    with open_graph(
        folder / "hetionet.graph", settings=Asking(folder, tmp_path).settings, model=model
    ) as graph:
        answer = graph.ask(QUESTION, strategy="subgraph")
    assert loads == [0]
    assert answer.facts[0].kind == "report"
