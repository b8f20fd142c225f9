"""Two strategies on the same questions: what is counted, what a failure ends, and what is said of it."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askgraph import Answer, Graph, Settings, open_graph
from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError, EvaluationError, PlanError, QuestionsError
from askgraph.core.evidence import Sentence, ShortAnswer
from askgraph.core.model_call import Usage
from askgraph.core.run import Run
from askgraph.evaluation.asking import evaluate
from askgraph.evaluation.comparing_strategies import compare_strategies
from askgraph.evaluation.gold import QuestionSet
from askgraph.evaluation.gold_answers import Gold
from askgraph.evaluation.named_answers import share_named
from askgraph.evaluation.pairwise_judge import CRITERIA
from askgraph.evaluation.question_objects import item_of_value, question_of_object
from askgraph.evaluation.reading import read_questions
from askgraph.evaluation.strategy_answer import Cost, StrategyAnswer, reports_read
from askgraph.evaluation.strategy_comparison import (
    ComparedQuestion,
    StrategyComparison,
    StrategyTotals,
    break_even,
)
from askgraph.models.language_model import Request
from askgraph.models.scripted import ScriptedModel
from askgraph.strategies import reading, subgraph

from .conftest import PEOPLE, company
from .test_pairwise_judge import always, judgement

AGNES = "Who has the manager Agnes Sorrel?"
MANAGED = ["Clara Umber", "Edgar Wren"]


@pytest.fixture(scope="module")
def open_company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("askgraph")
    settings = Settings.load(
        save_runs=False, embedder="none", cache_dir=folder / "cache", data_dir=folder / "data"
    )
    with open_graph(company(), settings=settings) as opened:
        yield opened


def questions(*objects: dict[str, Any]) -> QuestionSet:
    """Questions as a file would have them that need not say what is right."""
    read = [
        question_of_object(item, number, "en", needs_gold=False)
        for number, item in enumerate(objects, start=1)
    ]
    return QuestionSet("made.jsonl", "JSON Lines", tuple(read), "0" * 16)


# --- files of questions alone


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "# two of them\nWho is, by the way, Agnes?\n\n  How many are there?  \n"),
        ("a.csv", 'question\n"Who is, by the way, Agnes?"\nHow many are there?\n'),
        ("b.csv", 'id,question\n7,"Who is, by the way, Agnes?"\n8,How many are there?\n'),
        ("a.jsonl", '{"question": "Who is, by the way, Agnes?"}\n{"question": "How many are there?"}'),
        ("a.json", '[{"question": "Who is, by the way, Agnes?"}, {"question": "How many are there?"}]'),
    ],
)
def test_questions_alone_are_read_where_nothing_needs_to_be_right(tmp_path: Path, name: str, text: str):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    read = read_questions(file, needs_gold=False)
    assert [item.text for item in read.questions] == ["Who is, by the way, Agnes?", "How many are there?"]
    assert not any(item.has_gold for item in read.questions)
    with pytest.raises(QuestionsError):
        read_questions(file)


def test_answers_of_a_file_are_kept_where_they_are_not_needed(tmp_path: Path):
    file = tmp_path / "a.csv"
    file.write_text("question,answer\nWho?,Agnes\nWho else?,\n", encoding="utf-8")
    asked = read_questions(file, needs_gold=False).questions
    assert [item.answers for item in asked] == [(item_of_value("Agnes"),), ()]


def test_a_question_without_right_answers_is_left_out_of_an_evaluation(open_company: Graph, tmp_path: Path):
    file = tmp_path / "a.txt"
    file.write_text("Who is Agnes Sorrel?", encoding="utf-8")
    with pytest.raises(EvaluationError, match="nothing says what is right"):
        evaluate(open_company, read_questions(file, needs_gold=False))


# --- the share of the right answers that is named


def gold(*values: Any) -> Gold:
    return Gold(tuple(map(item_of_value, values)))


@pytest.mark.parametrize(
    ("sentence", "answers", "right", "share"),
    [
        ("Clara Umber and Edgar Wren.", (), ["Clara Umber", "Edgar Wren"], 1.0),
        ("clara-umber is one.", (), ["Clara Umber", "Edgar Wren"], 0.5),
        ("Claras Umbers.", (), ["Clara Umber"], 0.0),
        ("There are many.", ("Clara Umber",), ["Clara Umber"], 1.0),
        ("There are 6.", (), [6], 1.0),
        ("There are 16.", (), [6], 0.0),
        ("True friends.", (), [True], 0.0),
        ("Nobody knows.", (), ["!?"], 0.0),
    ],
)
def test_what_is_right_is_named_among_the_answers_or_in_a_sentence(
    sentence: str, answers: tuple[str, ...], right: list[Any], share: float
):
    given = Answer("?", (Sentence(sentence, (6,)),), tuple(map(ShortAnswer, answers)))
    assert share_named(given, gold(*right), {}) == share


def test_nothing_is_named_by_an_abstention_and_nothing_can_be_where_nothing_is_right():
    answer = Answer("?", (Sentence("Not Clara Umber.", ()),), abstained=True)
    assert share_named(answer, gold("Clara Umber"), {}) == 0.0
    assert share_named(answer, Gold(()), {}) is None


def test_nodes_are_named_by_each_of_their_names(open_company: Graph):
    nodes = {node.id: node for node in open_company.store.nodes(["p0"])}
    answer = Answer("?", (Sentence("It is Agnes Sorrel.", (1,)),))
    assert share_named(answer, gold({"id": "p0"}), nodes) == 1.0


# --- figures


def answered(tokens: int = 0, **values: Any) -> StrategyAnswer:
    cost = Cost(0.5, 2, Usage(tokens, 0, estimated=True, cost=0.0))
    return StrategyAnswer("So.", "So.", abstained=False, cost=cost, **values)


def comparison(
    *pairs: tuple[StrategyAnswer, StrategyAnswer], ahead: Cost | None = None
) -> StrategyComparison:
    compared = [ComparedQuestion(str(place), "Who?", *pair) for place, pair in enumerate(pairs)]
    return StrategyComparison(
        started=datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC),
        graph="g",
        graph_version="1",
        questions={"name": "q", "format": "made"},
        strategies=("subgraph", "global"),
        ahead=(None, ahead),
        compared=tuple(compared),
    )


def test_totals_count_errors_abstentions_and_means():
    one, other = comparison(
        (answered(10, named=0.5, reports_read=3), StrategyAnswer(error="Error: no", named=0.0)),
        (answered(30, named=1.0, reports_read=4), StrategyAnswer()),
    ).totals
    assert (one.answered, one.failed, one.reports_read, one.named) == (2, 0, 7, 0.75)
    assert (one.cost.calls, one.cost.usage.tokens, one.p50) == (4, 40, 0.5)
    assert (other.answered, other.failed, other.named) == (0, 1, 0.0)
    assert other.cost.usage.estimated is False


@pytest.mark.parametrize(
    ("ahead", "first", "second", "expected"),
    [
        (1_000, 30, 10, ("subgraph", 51)),
        (1_001, 30, 10, ("subgraph", 51)),
        (1_000, 10, 10, None),
        (1_000, 5, 10, None),
        (0, 30, 10, None),
    ],
)
def test_work_ahead_pays_from_some_number_of_questions_on(
    ahead: int, first: int, second: int, expected: tuple[str, int] | None
):
    cost = Cost(1.0, 5, Usage(ahead, 0)) if ahead else None
    compared = comparison((answered(first), answered(second)), ahead=cost)
    assert compared.break_even == expected
    one, other = compared.totals
    assert break_even((other, one)) == expected
    if expected is not None:
        needed = expected[1]
        assert needed * first > ahead + needed * second
        assert (needed - 1) * first <= ahead + (needed - 1) * second


def test_no_questions_have_no_break_even():
    nothing = StrategyTotals("a", None, 0, 0, 0, Cost(), 0, None, 0.0)
    assert break_even((nothing, nothing)) is None


def test_the_reports_that_were_read_are_those_of_the_step_that_says_so():
    run = Run("?", graph="", graph_version="")
    assert reports_read(run) == 0
    with run.step("reports") as step:
        step.note(reports=["a", "b", "c"])
    assert reports_read(run) == 3
    with run.step("answer") as step:
        step.note(reports_read=[4, 5])
    assert reports_read(run) == 2


# --- asked


def test_the_same_questions_are_asked_by_both(open_company: Graph):
    asked = questions(
        {"question": AGNES, "answers": MANAGED},
        {"question": "What is the shoe size of Boris Tarn?", "answers": []},
    )
    found = compare_strategies(open_company, asked)
    assert found.strategies == ("subgraph", "global")
    assert [item.question for item in found.compared] == [item.text for item in asked.questions]
    one = found.compared[0]
    assert one.first.named == 1.0
    assert one.first.is_answered
    assert one.gold_count == 2
    assert found.compared[1].first.named is None
    assert found.ahead[0] is None
    assert found.ahead[1] is not None
    assert found.ahead[1].calls == 0
    assert found.compared[0].second.reports_read > 0
    assert (found.model, found.judge) == (None, None)


def test_two_comparisons_are_the_same_but_for_their_times(open_company: Graph):
    asked = questions({"question": AGNES}, {"question": "What is Research?"})

    def without_times(value: Any) -> Any:
        if isinstance(value, dict):
            times = ("seconds", "p50", "started")
            return {key: without_times(item) for key, item in value.items() if key not in times}
        return [without_times(item) for item in value] if isinstance(value, list) else value

    first, second = (compare_strategies(open_company, asked).to_dict() for _ in range(2))
    assert without_times(first) == without_times(second)


def test_questions_need_no_right_answers_and_a_gold_query_that_fails_is_said(open_company: Graph):
    asked = questions({"question": AGNES, "query": {"cypher": "MATCH (n) RETURN n.noSuchProperty.x("}})
    found = compare_strategies(open_company, asked)
    assert found.compared[0].first.is_answered
    assert found.compared[0].gold_count is None
    assert any("without its right answers" in note for note in found.notes)


def test_a_strategy_that_fails_on_a_question_does_not_end_the_comparison(
    open_company: Graph, monkeypatch: pytest.MonkeyPatch
):
    whole = subgraph.SubgraphStrategy.answer

    def failing(self: Any, question: Any, budget: Budget, run: Run) -> Answer:
        if "Boris" in question.question.text:
            raise DeadlineExceededError("the time was up")
        return whole(self, question, budget, run)

    monkeypatch.setattr(subgraph.SubgraphStrategy, "answer", failing)
    asked = questions({"question": "What is Boris Tarn?", "answers": ["x"]}, {"question": AGNES})
    found = compare_strategies(open_company, asked)
    assert found.compared[0].first.error == "DeadlineExceededError: the time was up"
    assert found.compared[0].first.named == 0.0
    assert not found.compared[0].second.error
    assert found.compared[1].first.is_answered
    assert [totals.failed for totals in found.totals] == [1, 0]


def test_a_limit_and_a_seed_and_a_deadline_hold_for_both(
    open_company: Graph, monkeypatch: pytest.MonkeyPatch
):
    seen: list[float] = []
    whole = reading.ReadingStrategy.answer

    def watched(self: Any, question: Any, budget: Budget, run: Run) -> Answer:
        seen.append(budget.seconds)
        return whole(self, question, budget, run)

    monkeypatch.setattr(reading.ReadingStrategy, "answer", watched)
    asked = questions(*({"question": f"Who is {name}?"} for name in PEOPLE))
    found = compare_strategies(open_company, asked, ["reading", "subgraph"], limit=2, seed=5, timeout=7.0)
    assert len(found.compared) == 2
    assert seen[1:] == [7.0, 7.0]  # the first is the warming up, with the graph's own
    assert found.options is not None
    assert found.options["timeout"] == 7.0


@pytest.mark.parametrize(
    ("strategies", "error"),
    [
        (["subgraph"], EvaluationError),
        (["subgraph", "subgraph"], EvaluationError),
        (["subgraph", "global", "paths"], EvaluationError),
        (["subgraph", "nonsense"], PlanError),
        (["subgraph", "query"], PlanError),
    ],
)
def test_only_two_strategies_that_can_be_taken_are_compared(
    open_company: Graph, strategies: list[str], error: type[Exception]
):
    with pytest.raises(error):
        compare_strategies(open_company, questions({"question": AGNES}), strategies)


# --- judged


def test_the_judge_sees_only_questions_that_both_answered_and_its_calls_are_apart(open_company: Graph):
    judge = ScriptedModel([judgement(directness="first"), judgement(directness="second")])
    asked = questions({"question": AGNES}, {"question": "What is Zorkland?"})
    found = compare_strategies(open_company, asked, ["subgraph", "reading"], judge=judge)
    assert found.compared[1].verdict is None
    assert len(judge.requests) == 2
    assert found.judging.calls == 2
    assert found.judging.usage.tokens > 0
    assert found.totals[0].cost.calls == 0
    assert found.tallies["directness"].to_dict() == {
        "first": 1, "second": 0, "ties": 0, "order_dependent": 0,
    }  # fmt: skip
    # No citation tells the judge where an answer comes from.
    assert "[1]" not in judge.requests[0].messages[-1].text


def test_a_judge_that_prefers_the_first_place_decides_nothing(open_company: Graph):
    judge = ScriptedModel([always("first")] * 2)
    asked = questions({"question": AGNES})
    found = compare_strategies(open_company, asked, ["subgraph", "reading"], judge=judge)
    assert list(found.tallies) == list(CRITERIA)
    assert {(item.ties, item.order_dependent) for item in found.tallies.values()} == {(1, 1)}


def test_a_judge_that_fails_ends_nothing(open_company: Graph):
    judge = ScriptedModel(["no", "no"])
    asked = questions({"question": AGNES})
    found = compare_strategies(open_company, asked, ["subgraph", "reading"], judge=judge)
    verdict = found.compared[0].verdict
    assert verdict is not None
    assert "without a JSON object" in verdict.error
    assert found.tallies == {}


# --- with a model


def reader(request: Request) -> Any:
    if request.purpose == "map_reports":
        return {"points": [{"description": "Clara has the manager Agnes.", "score": 80, "reports": [1]}]}
    return "Clara Umber has manager Agnes Sorrel. [1]\nShort answer: Clara Umber"


def test_tokens_and_calls_are_those_of_the_model_and_reports_made_without_it_are_noted(tmp_path: Path):
    settings = Settings.load(
        save_runs=False, embedder="none", cache_dir=tmp_path / "cache", data_dir=tmp_path / "data"
    )
    model = ScriptedModel(reader)
    with open_graph(company(), settings=settings, model=model) as opened:
        found = compare_strategies(opened, questions({"question": AGNES, "answers": MANAGED}))
    one = found.compared[0]
    assert found.model == "scripted"
    assert one.first.cost.calls + one.second.cost.calls == len(model.requests)
    sent = sum(model.tokens(message.text) for request in model.requests for message in request.messages)
    assert one.first.cost.usage.input_tokens + one.second.cost.usage.input_tokens == sent
    assert one.first.cost.usage.estimated
    assert one.first.reports_read > 0
    assert any("made without a model" in note for note in found.notes)


def test_a_budget_of_no_calls_is_told_of_each_question(tmp_path: Path):
    settings = Settings.load(
        save_runs=False,
        embedder="none",
        cache_dir=tmp_path / "cache",
        data_dir=tmp_path / "data",
        model_calls=0,
    )
    model = ScriptedModel(reader)
    with open_graph(company(), settings=settings, model=model) as opened:
        found = compare_strategies(opened, questions({"question": AGNES}))
    assert model.requests == []
    assert all(totals.cost.calls == 0 for totals in found.totals)
    assert any("not read" in note for note in found.compared[0].first.notes)
