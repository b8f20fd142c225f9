"""Two evaluations compared, and where results are kept."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from askgraph.core.errors import EvaluationError, ResultsNotFoundError
from askgraph.evaluation.comparison import bootstrap_interval, compare, sign_test
from askgraph.evaluation.result_store import ResultStore

from .conftest import abstention, evaluation, hopeless, outcome, wrong

BEFORE = evaluation(
    wrong("a"), outcome("b"), abstention("c"), outcome("d"), wrong("e"), hopeless("f"), id="20260101-1"
)
AFTER = evaluation(
    outcome("a"),
    wrong("b"),
    outcome("c"),
    outcome("d"),
    wrong("e", answers=("Cy",)),
    hopeless("g"),
    id="20260102-2",
)


def test_which_questions_went_better_and_which_worse() -> None:
    found = compare(BEFORE, AFTER)
    assert (found.paired, found.only_before, found.only_after) == (5, 1, 1)
    assert [change.after.question for change in found.better] == ["a", "c"]
    assert [change.after.question for change in found.worse] == ["b"]
    assert [change.after.question for change in found.other] == ["e"]
    credit = found.differences[0]
    assert (credit.measure, credit.questions, credit.before, credit.after) == ("credit", 5, 0.4, 0.6)
    assert credit.low < credit.change < credit.high
    assert not credit.is_clear


def test_the_same_comparison_twice_is_the_same() -> None:
    assert compare(BEFORE, AFTER, seed=3).to_dict() == compare(BEFORE, AFTER, seed=3).to_dict()
    json.dumps(compare(BEFORE, AFTER).to_dict(), allow_nan=False)


def test_a_clear_difference_is_clear() -> None:
    questions = [str(number) for number in range(40)]
    found = compare(evaluation(*map(wrong, questions)), evaluation(*map(outcome, questions)))
    assert found.differences[0].is_clear
    assert (found.differences[0].low, found.differences[0].high) == (1, 1)
    assert found.sign_test < 1e-9


def test_one_question_asked_twice_is_paired_in_order() -> None:
    found = compare(evaluation(outcome("a"), wrong("a")), evaluation(outcome("a"), wrong("a")))
    assert found.paired == 2
    assert not found.better
    assert not found.worse


def test_nothing_in_common_cannot_be_compared() -> None:
    with pytest.raises(EvaluationError, match="no question in common"):
        compare(evaluation(outcome("a")), evaluation(outcome("b")))


def test_what_makes_two_hard_to_compare_is_said() -> None:
    other = evaluation(
        outcome("a"),
        graph_version="2",
        questions={"name": "x", "format": "CSV", "questions": 1, "digest": "9"},
        options={"first": 3, "timeout": 30.0, "embedder": "none", "limit": None, "seed": None},
    )
    files, versions, options = compare(evaluation(outcome("a")), other).notes
    assert "different files" in files
    assert "different graphs" in versions
    assert "embedder: minilm before, none after" in options


@pytest.mark.parametrize(
    ("better", "worse", "probability"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 0.0625), (0, 5, 0.0625), (8, 2, 0.109375), (5, 5, 1.0)],
)
def test_the_sign_test(better: int, worse: int, probability: float) -> None:
    assert sign_test(better, worse) == pytest.approx(probability)


def test_the_interval_is_that_of_the_mean() -> None:
    differences = np.random.default_rng(1).normal(0.5, 1.0, size=400)
    low, high = bootstrap_interval(differences, 7)
    half = 1.96 * differences.std() / 20
    assert low == pytest.approx(differences.mean() - half, abs=0.02)
    assert high == pytest.approx(differences.mean() + half, abs=0.02)


# --- where results are kept


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    store = ResultStore(tmp_path / "evaluations")
    for results in (BEFORE, AFTER):
        store.save(results)
    return store


def test_results_are_found_by_their_id_its_beginning_or_their_file(store: ResultStore) -> None:
    assert store.ids() == ["20260102-2", "20260101-1"]
    for name in ("last", "20260102-2", "20260102", str(store.folder / "20260102-2.json")):
        assert store.find(name).id == AFTER.id
    assert store.find("before-last").id == BEFORE.id
    assert [results.id for results in store.all()] == [AFTER.id, BEFORE.id]


@pytest.mark.parametrize("name", ["202601", "2027", "", "missing.json", "../none"])
def test_what_names_no_results_or_several_is_said(store: ResultStore, name: str) -> None:
    with pytest.raises(ResultsNotFoundError):
        store.find(name)


def test_a_file_that_holds_no_results(store: ResultStore) -> None:
    broken = store.folder / "20270101-x.json"
    for content in ("{", "[]", '{"format": 1}'):
        broken.write_text(content, encoding="utf-8")
        with pytest.raises(EvaluationError, match="20270101"):
            store.find(str(broken))
    assert len(list(store.all())) == 2


def test_nothing_half_written_is_left(store: ResultStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("json.dump", lambda *_, **__: (_ for _ in ()).throw(OSError("no space left")))
    with pytest.raises(OSError, match="no space"):
        store.save(BEFORE)
    assert sorted(path.name for path in store.folder.iterdir()) == ["20260101-1.json", "20260102-2.json"]


def test_an_empty_store(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "none")
    assert store.ids() == []
    with pytest.raises(ResultsNotFoundError):
        store.find("last")
