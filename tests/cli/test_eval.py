from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Askgraph

Questions = Callable[..., Path]

MANAGER = {"question": "Who is the manager of Heinrich Hoch?", "answers": ["Waldtraud Kuttner"]}
DEPARTMENTS = {"question": "How many departments are there?", "answers": [6], "form": "count"}
WRONG = {"question": "Who is the manager of Karen Brant?", "answers": ["Somebody Else"]}
HOPELESS: dict[str, Any] = {"question": "What is the shoe size of Karen Brant?", "answers": []}


@pytest.fixture
def questions(tmp_path: Path) -> Questions:
    def write(*items: dict[str, Any], name: str = "questions.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
        return path

    return write


def test_the_figures_the_failures_and_the_rule_are_printed(
    askgraph: Askgraph, questions: Questions, ck25_turtle: Path
):
    done = askgraph("eval", questions(MANAGER, DEPARTMENTS, WRONG, HOPELESS), ck25_turtle)
    assert done.code == 0
    assert done.out.startswith("4 questions from questions.jsonl (JSON Lines)\n")
    assert re.search(r"^all +4 +3 +0\.67 +0\.67 ", done.out, re.MULTILINE)
    assert "Right         2 of 3 with an F1 of at least 0.5" in done.out
    assert "rightly at 1 of 1 that have" in done.out
    assert "Risk against coverage" in done.out
    assert "Calibration" in done.out
    assert "Who is the manager of Karen Brant?" in done.out
    assert "right   Somebody Else" in done.out
    assert "An answer counts when its id" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_json_has_everything(askgraph: Askgraph, questions: Questions, ck25_turtle: Path):
    data = askgraph("eval", "--json", questions(MANAGER, HOPELESS), ck25_turtle).json
    assert data["summary"]["f1"] == 1
    assert data["summary"]["abstained_rightly"] == 1
    assert [outcome["question"] for outcome in data["outcomes"]] == [
        MANAGER["question"],
        HOPELESS["question"],
    ]
    assert {"risk_coverage", "calibration", "by_kind", "rule", "options"} <= set(data)


def test_a_limit_a_seed_and_a_deadline(askgraph: Askgraph, questions: Questions, ck25_turtle: Path):
    file = questions(MANAGER, DEPARTMENTS, WRONG, HOPELESS)
    data = askgraph(
        "eval", "--json", file, ck25_turtle, "--limit", 2, "--seed", 4, "--timeout", 9, "--first", 3
    ).json
    assert data["summary"]["questions"] == 2
    assert data["options"]["seed"] == 4
    assert data["options"]["timeout"] == 9
    assert data["options"]["first"] == 3


def test_the_strategy_and_the_model_stand_above_the_figures(
    askgraph: Askgraph, questions: Questions, ck25_turtle: Path, tmp_path: Path
):
    replies = tmp_path / "replies.jsonl"
    replies.write_text("", encoding="utf-8")
    told = askgraph(
        "eval",
        questions(MANAGER),
        ck25_turtle,
        "--limit",
        "1",
        "--strategy",
        "reading",
        "--model",
        f"replay:{replies}",
    )
    heading = " ".join(told.out.split("Right")[0].split())
    assert "strategy reading" in heading
    assert "model replay, 1 question n" in heading


def test_failures_are_cut_and_the_cut_is_said(askgraph: Askgraph, questions: Questions, ck25_turtle: Path):
    done = askgraph("eval", questions(WRONG, WRONG | {"answers": ["x"]}), ck25_turtle, "--failures", 1)
    assert "Failures (2), by the step" in done.out
    assert "1 more: --failures 2" in done.out


def test_results_are_kept_listed_and_compared(askgraph: Askgraph, questions: Questions, ck25_turtle: Path):
    askgraph("eval", questions(MANAGER, WRONG), ck25_turtle)
    first = askgraph("eval", "--list", "--json").json
    askgraph(
        "eval",
        questions(MANAGER, WRONG | {"answers": ["Waldtraud Kuttner", "Dietlinde Boehme"]}),
        ck25_turtle,
    )
    assert len(askgraph("eval", "--list", "--json").json) == 2
    assert "questions.jsonl: 2 questions, F1" in askgraph("eval", "--list").out
    done = askgraph("eval", "--compare", first[0]["id"], "last")
    assert done.code == 0
    assert "Of 2 questions" in done.out
    assert "different files of questions" in " ".join(done.out.split())
    data = askgraph("eval", "--compare", first[0]["id"], "last", "--json").json
    assert data["paired"] == 2


def test_nothing_is_kept_on_request(askgraph: Askgraph, questions: Questions, ck25_turtle: Path):
    askgraph("eval", questions(MANAGER), ck25_turtle, "--no-save")
    done = askgraph("eval", "--list")
    assert (done.code, done.out) == (0, "")
    assert "No results are stored yet." in done.err


def test_questions_are_made_from_the_graph_and_written(askgraph: Askgraph, tmp_path: Path, ck25_turtle: Path):
    file = tmp_path / "made.jsonl"
    done = askgraph("eval", ck25_turtle, "--generate", 8, "--seed", 2, "--save", file)
    assert done.code == 0
    assert done.out.startswith("8 questions from 8 made with seed 2 (generated)")
    assert len(file.read_text(encoding="utf-8").splitlines()) == 8
    again = askgraph("eval", file, ck25_turtle, "--json").json
    assert again["summary"]["questions"] == 8


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "QUESTIONS and GRAPH are expected, not 0 words"),
        (("a",), "QUESTIONS and GRAPH are expected, not 1 word"),
        (("a", "b", "c"), "not 3 words"),
        (("a", "b", "--generate", "5"), "needs one GRAPH"),
        (("a", "b", "--save", "x"), "--save writes questions that --generate makes"),
        (("a", "--list"), "not expected here"),
        (("--compare", "a"), "--compare expects two results"),
        (("--compare",), "--compare expects two results"),
        (("a", "b", "--compare", "subgraph"), "two strategies are expected"),
        (("a", "b", "--compare", "subgraph", "global"), "two strategies are expected"),
        (("a", "--compare"), "QUESTIONS and GRAPH are expected, not 1 word"),
        (("a", "b", "--judge", "openai:x"), "--judge compares the answers of two strategies"),
        (("--compare", "last", "before-last", "--judge", "openai:x"), "--judge compares the answers"),
        (("a", "b", "--limit", "0"), "not a number from 1 on"),
        (("a", "b", "--seed", "x"), "not a whole number"),
        (("a", "b", "--limt", "3"), "Did you mean --limit"),
    ],
)
def test_words_that_make_no_sense_are_usage_errors(askgraph: Askgraph, words: tuple[str, ...], message: str):
    done = askgraph("eval", *words)
    assert done.code == 2
    assert message in done.err


def test_a_fault_in_a_file_is_said_with_its_line_before_the_graph_is_opened(
    askgraph: Askgraph, questions: Questions
):
    file = questions(MANAGER, {"question": "Who?"})
    done = askgraph("eval", file, "no.graph")
    assert done.code == 1
    assert "line 2: question 2: it has neither" in done.err


def test_results_that_do_not_exist(askgraph: Askgraph):
    done = askgraph("eval", "--compare", "last", "before-last")
    assert done.code == 1
    assert "there are no results 'last'" in done.err


def test_a_graph_that_does_not_exist(askgraph: Askgraph, questions: Questions, tmp_path: Path):
    done = askgraph("eval", questions(MANAGER), tmp_path / "none.graph")
    assert done.code == 1
    assert "there is no graph at" in done.err
