"""How right one answer is: its short answers as a set against the right ones, and its rows where these were asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..core.evidence import Answer
from ..core.graph import Node
from ..core.plan import Table
from .gold_answers import Gold
from .matching import (
    Candidate,
    Lookup,
    candidate_of_node,
    candidates_of_answers,
    candidates_of_gold,
    keys_of,
)


@dataclass(frozen=True, slots=True)
class Score:
    """Measures of one answer, each from 0 to 1.

    Attributes:
        hit_1: whether the first short answer is right.
        hit_k: whether one of the first k is.
        precision: the share of the answers that are right.
        recall: the share of the right ones that were answered.
        rows_f1: the same as :attr:`f1`, of whole rows; ``None`` where the right answer has one column.
    """

    hit_1: bool = False
    hit_k: bool = False
    precision: float = 0.0
    recall: float = 0.0
    rows_f1: float | None = None

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return harmonic_mean(self.precision, self.recall)


def harmonic_mean(precision: float, recall: float) -> float:
    """What is known as F1; 0 where both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def score_answer(answer: Answer, gold: Gold, nodes: Mapping[str, Node], first: int) -> Score:
    """Measure an answer by :data:`askgraph.evaluation.matching.RULE`.

    Args:
        answer: what was answered; an abstention scores 0.
        gold: what is right; it must not be empty.
        nodes: the nodes of both, by id.
        first: how many of the first answers count for :attr:`Score.hit_k`.
    """
    rows_f1 = _rows_f1(answer.table, gold, nodes) if gold.rows else None
    if answer.abstained:
        return Score(rows_f1=None if rows_f1 is None else 0.0)
    given = candidates_of_answers(answer.answers, nodes)
    return score_candidates(given, candidates_of_gold(gold.items, nodes), first, rows_f1)


def score_candidates(
    given: Sequence[Candidate], right: Sequence[Candidate], first: int, rows_f1: float | None = None
) -> Score:
    """Measure what was given, in its order, against what is right."""
    lookup = Lookup(right)
    found: set[int] = set()
    hits = []
    for candidate in given:
        same = lookup.same_as(candidate)
        found.update(same)
        hits.append(bool(same))
    return Score(
        hit_1=any(hits[:1]),
        hit_k=any(hits[:first]),
        precision=sum(hits) / len(hits) if hits else 0.0,
        recall=len(found) / len(right) if right else 0.0,
        rows_f1=rows_f1,
    )


def _rows_f1(table: Table | None, gold: Gold, nodes: Mapping[str, Node]) -> float:
    """Rows count as found whole: every cell of the right row stands in one row of the answer, in any order."""
    if table is None or not table.rows:
        return 0.0
    own = [
        [
            candidate_of_node(str(cell), nodes.get(str(cell))) if kind == "node" else Candidate(keys_of(cell))
            for cell, kind in zip(row, table.kinds, strict=True)
            if cell is not None
        ]
        for row in table.rows
    ]
    rows_by_cell = _RowIndex(own)
    wanted = [candidates_of_gold([item for item in row if item is not None], nodes) for row in gold.rows]
    used: set[int] = set()
    found = 0
    for cells in wanted:
        match = rows_by_cell.row_with(cells, used)
        if match is not None:
            used.add(match)
            found += 1
    return harmonic_mean(found / len(own), found / len(wanted))


class _RowIndex:
    """Finds the rows that hold some cells, by their first cell."""

    def __init__(self, rows: Sequence[Sequence[Candidate]]) -> None:
        self._rows = rows
        cells = [(candidate, place) for place, row in enumerate(rows) for candidate in row]
        self._places = [place for _, place in cells]
        self._lookup = Lookup([candidate for candidate, _ in cells])

    def row_with(self, cells: Sequence[Candidate], used: set[int]) -> int | None:
        """The first row not used yet that holds all these cells."""
        if not cells:
            return None
        for place in dict.fromkeys(self._places[found] for found in self._lookup.same_as(cells[0])):
            if place in used:
                continue
            row = self._rows[place]
            if all(any(cell.is_same(other) for other in row) for cell in cells):
                return place
        return None
