"""What an answer is worth."""

from __future__ import annotations

from typing import Any

import pytest

from askgraph.core.evidence import Answer, Sentence, ShortAnswer
from askgraph.core.plan import Table
from askgraph.evaluation.gold import GoldItem
from askgraph.evaluation.gold_answers import Gold
from askgraph.evaluation.scoring import Score, harmonic_mean, score_answer


def answered(*texts: Any, table: Table | None = None, abstained: bool = False) -> Answer:
    return Answer(
        "Who?",
        (Sentence("…"),),
        tuple(ShortAnswer(str(text), value=text) for text in texts),
        table=table,
        abstained=abstained,
    )


def gold(*texts: Any, rows: tuple[tuple[Any, ...], ...] = ()) -> Gold:
    wrapped = tuple(tuple(None if cell is None else GoldItem((cell,)) for cell in row) for row in rows)
    return Gold(tuple(GoldItem((text,)) for text in texts), wrapped)


def score(answer: Answer, right: Gold, first: int = 3) -> Score:
    return score_answer(answer, right, {}, first)


def test_the_right_answer_and_no_other() -> None:
    result = score(answered("Ada"), gold("ada"))
    assert (result.hit_1, result.hit_k, result.precision, result.recall, result.f1) == (True, True, 1, 1, 1)


def test_too_many_cost_precision_and_too_few_cost_recall() -> None:
    many = score(answered("Ada", "Bob", "Cy", "Di"), gold("Ada", "Bob"))
    assert (many.precision, many.recall) == (0.5, 1)
    few = score(answered("Ada"), gold("Ada", "Bob", "Cy", "Di"))
    assert (few.precision, few.recall) == (1, 0.25)
    assert few.f1 == pytest.approx(0.4)


def test_the_order_counts_for_the_hits_alone() -> None:
    result = score(answered("Bob", "Cy", "Ada"), gold("Ada"), first=3)
    assert (result.hit_1, result.hit_k) == (False, True)
    assert score(answered("Bob", "Cy", "Ada"), gold("Ada"), first=2).hit_k is False


def test_an_abstention_is_worth_nothing() -> None:
    result = score(answered("Ada", abstained=True), gold("Ada", rows=(("Ada", 1),)))
    assert (result.hit_1, result.f1, result.rows_f1) == (False, 0, 0)


def test_one_answer_may_stand_for_two_of_one_name() -> None:
    result = score(answered("Ada"), gold("Ada", "ADA"))
    assert (result.precision, result.recall) == (1, 1)


ROWS = Table(("who", "n"), ("value", "value"), [("Ada", 3), ("Bob", 5)])


def test_rows_are_right_as_a_whole_in_whatever_order_of_columns() -> None:
    whole = score(answered("Ada", "Bob", table=ROWS), gold("3", "5", rows=((3, "Ada"), (5, "bob"))))
    assert whole.rows_f1 == 1
    half = score(answered("Ada", "Bob", table=ROWS), gold("Ada", "Bob", rows=(("Ada", 3), ("Bob", 6))))
    assert half.rows_f1 == pytest.approx(0.5)
    assert half.f1 == 1


def test_a_row_is_used_once() -> None:
    right = gold("Ada", rows=(("Ada", 3), ("Ada", 3)))
    assert score(answered("Ada", table=ROWS), right).rows_f1 == pytest.approx(0.5)


def test_a_null_in_a_right_row_asks_for_nothing() -> None:
    assert score(answered("Ada", table=ROWS), gold("Ada", rows=(("Ada", None), ("Bob", 5)))).rows_f1 == 1


def test_no_rows_where_rows_are_right() -> None:
    assert score(answered("Ada"), gold("Ada", rows=(("Ada", 1),))).rows_f1 == 0
    assert score(answered("Ada"), gold("Ada")).rows_f1 is None


def test_the_harmonic_mean_of_nothing_is_nothing() -> None:
    assert harmonic_mean(0, 0) == 0
    assert harmonic_mean(1, 0.5) == pytest.approx(2 / 3)
