"""How two strategies stand beside each other on a page."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len

from askgraph.cli.page import Page
from askgraph.cli.views.strategy_comparison import show_strategy_comparison
from askgraph.core.model_call import Usage
from askgraph.evaluation.pairwise_judge import CRITERIA, CriterionVerdict, PairVerdict
from askgraph.evaluation.strategy_answer import Cost, StrategyAnswer
from askgraph.evaluation.strategy_comparison import ComparedQuestion, StrategyComparison


def answered(text: str, tokens: int, calls: int = 2, **values: Any) -> StrategyAnswer:
    cost = Cost(1.5, calls, Usage(tokens, tokens // 10, estimated=True, cost=None))
    return StrategyAnswer(text, text, abstained=False, cost=cost, reports_read=7, **values)


def verdict(**better: Any) -> PairVerdict:
    tie = CriterionVerdict("neither", "first", "second", ("because", "because"))
    said = dict.fromkeys(CRITERIA, tie)
    for name, which in better.items():
        said[name] = CriterionVerdict(which, which, which, ("because", "because"))
    return PairVerdict(said, 2, Usage(900, 100, cost=0.0))


COMPARED = (
    ComparedQuestion(
        "1", "Which genes?", answered("Three genes. [1]", 1_000, named=1.0),
        answered("A long answer. " * 60, 50_000, 11, named=0.25), ("DRD2",), 1, verdict(directness="first"),
    ),
    ComparedQuestion(
        "2", "What\x1b[31m is it about?", StrategyAnswer("It names nothing."),
        StrategyAnswer(error="ModelError: no\nmore"),
    ),
)  # fmt: skip


def comparison(**values: Any) -> StrategyComparison:
    usual: dict[str, Any] = {
        "started": datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC),
        "graph": "hetionet.graph",
        "graph_version": "1",
        "questions": {"name": "q.jsonl", "format": "JSON Lines"},
        "strategies": ("subgraph", "global"),
        "ahead": (None, Cost(407.0, 530, Usage(1_456_846, 300_000))),
        "compared": COMPARED,
        "model": "openai:small",
        "judge": "openai:large",
        "notes": ("Two of them are hard to compare.",),
    }
    return StrategyComparison(**usual | values)


def shown(compared: StrategyComparison, *, width: int = 80, encoding: str = "utf-8", most: int = 10) -> str:
    lines = show_strategy_comparison(compared, Page(width, encoding), most_questions=most)
    return "\n".join(line.plain for line in lines)


def test_costs_verdicts_and_answers_stand_below_each_other():
    text = shown(comparison())
    assert (
        text.split("Which genes?")[0]
        == """\
2 questions from q.jsonl (JSON Lines)
Graph   hetionet.graph
Model   openai:small
Judge   openai:large

                          subgraph               global
answered                    1 of 2               1 of 2
right answers named           100%                  25%
ahead: time                      -             407.00 s
ahead: model calls               -                  530
ahead: tokens in / out           -  1,456,846 / 300,000
a question: model calls          1                  5.5
a question: tokens in          500               25,000
a question: tokens out          50                2,500
a question: reports read       3.5                  3.5
a question: time, p50       750 ms               750 ms
ended in an error                0                    1
Tokens are our estimate where the provider does not say.

better by          subgraph  global  tie  of these by order
comprehensiveness         0       0    1                  1
diversity                 0       0    1                  1
empowerment               0       0    1                  1
directness                1       0    0                  0
Each pair was judged in both orders; where the verdict changed with the order it
is a tie. Judging took 2 calls and 1,000 tokens.

"""
    )
    words = " ".join(text.split())
    assert "100% of the right answers, 7 reports, 2 calls, 1,000 + 100 tokens, 1.50 s" in words
    assert "judge comprehensiveness tie, diversity tie, empowerment tie, directness subgraph" in words
    assert "(no answer) It names nothing." in text
    assert "ModelError: no" in text
    assert text.endswith("• Two of them are hard to compare.")


def test_how_many_questions_pay_for_the_work_ahead_is_said():
    cheaper_later = replace(COMPARED[0], first=answered("a", 60_000), second=answered("b", 50_000))
    text = shown(comparison(compared=(cheaper_later,)))
    # 1,756,846 tokens ahead, 11,000 a question between them.
    assert "By tokens subgraph is the cheaper one up to 159 questions of this graph." in text
    assert "By tokens" not in shown(comparison())


def test_what_a_question_costs_is_shown_where_prices_are_known():
    def priced(dollars: float) -> StrategyAnswer:
        return replace(answered("a", 10), cost=Cost(1.0, 1, Usage(10, 1, cost=dollars)))

    both = replace(COMPARED[0], first=priced(0.0123), second=priced(0.5))
    words = " ".join(shown(comparison(compared=(both,))).split())
    assert "a question: dollars $0.0123 $0.5000" in words
    assert "dollars" not in shown(comparison())
    free = replace(both, second=priced(0.0))
    assert "dollars" not in shown(comparison(compared=(free,)))


def test_without_a_model_and_right_answers_there_is_less_to_say():
    bare = replace(COMPARED[0], first=StrategyAnswer("x", abstained=False), second=StrategyAnswer("y"))
    text = shown(comparison(model=None, judge=None, ahead=(None, Cost(3.0)), compared=(bare,), notes=()))
    assert "Model   none" in text
    for absent in ("Judge", "model calls", "tokens", "right answers", "ended in an error", "better by"):
        assert absent not in text


def test_a_judge_that_compared_nothing_or_failed_says_so():
    unasked = shown(comparison(compared=COMPARED[1:]))
    assert "The judge compared nothing: no question has two answers." in unasked
    failed = replace(COMPARED[0], verdict=PairVerdict({}, 1, Usage(), "the model is gone"))
    text = shown(comparison(compared=(failed,)))
    assert "no verdict: the model is gone" in text
    assert "The judge compared nothing: it failed at 1 question, which is said there." in text


def test_long_lists_and_long_answers_are_cut_and_the_cut_is_said():
    text = shown(comparison(), most=1)
    assert "… 1 more: --json shows all" in text
    assert "What" not in text.split("Which genes?")[1]
    assert text.count("A long answer.") < 40
    assert "answer. …" in " ".join(text.split()) or "long …" in " ".join(text.split())


@pytest.mark.parametrize("width", [40, 80, 100])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_no_line_is_wider_than_the_page_and_nothing_acts_on_the_terminal(width: int, encoding: str):
    text = shown(comparison(), width=width, encoding=encoding)
    assert all(cell_len(line) <= width for line in text.split("\n"))
    assert "\x1b" not in text
    assert text.isascii() or encoding == "utf-8"
