"""Which reports bear on a question, without a model: by the nodes that it names and by its words.

A graph has thousands of reports, and a model reads some hundred of them for what a question may cost. The share of the
named things that a community holds counts most; then the share of the question's words that its report has, each word
weighed by how few reports have it (its inverse document frequency, as Robertson and Spärck Jones weigh it).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...core.words import normalize
from .communities import CommunityReport

_WEIGHT_OF_NAMED: Final = 0.7
_SHORTEST_PLURAL: Final = 4
_ASCII_WORD: Final = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class RelevantReport:
    """A report, and how much it bears on a question, from 0 to 1."""

    report: CommunityReport
    relevance: float


class ReportRelevance:
    """Ranks the reports of one graph. What the reports say is read once.

    Args:
        reports: of any levels.
    """

    def __init__(self, reports: Sequence[CommunityReport]) -> None:
        self._reports = reports
        self._with_word: dict[str, list[int]] = {}
        self._with_node: dict[str, list[int]] = {}
        for place, report in enumerate(reports):
            for word in dict.fromkeys(words_of(report.text)):
                self._with_word.setdefault(word, []).append(place)
            for node in report.nodes:
                self._with_node.setdefault(node, []).append(place)

    def ranked(self, named: Sequence[Sequence[str]], words: Sequence[str]) -> list[RelevantReport]:
        """All reports, the most relevant first.

        Args:
            named: for each thing that the question names, the ids of the nodes that it may be.
            words: the question's content words, those of names among them.

        Returns:
            Each report with its relevance. Of equals the higher rating comes first, then the finer level, then the
            lower number.
        """
        by_name, by_word = self._shares_of_named(named), self._shares_of_words(words)
        weight = _WEIGHT_OF_NAMED if named else 0.0
        found = [
            RelevantReport(report, weight * by_name[place] + (1 - weight) * by_word[place])
            for place, report in enumerate(self._reports)
        ]
        return sorted(found, key=_order)

    def _shares_of_named(self, named: Sequence[Sequence[str]]) -> list[float]:
        shares = [0.0] * len(self._reports)
        for ids in named:
            places = dict.fromkeys(place for id in ids for place in self._with_node.get(id, ()))
            for place in places:
                shares[place] += 1 / len(named)
        return shares

    def _shares_of_words(self, words: Sequence[str]) -> list[float]:
        shares = [0.0] * len(self._reports)
        weights = {word: self._rarity(word) for word in words_of(" ".join(words))}
        total = sum(weights.values())
        for word, weight in weights.items():
            for place in self._with_word.get(word, ()):
                shares[place] += weight / total
        return shares

    def _rarity(self, word: str) -> float:
        return math.log1p(len(self._reports) / (1 + len(self._with_word.get(word, ()))))


def words_of(text: str) -> list[str]:
    """The words of a text as :func:`~askgraph.core.words.normalize` gives them, plurals in ``s`` as their singular."""
    # The same for texts of ASCII alone, which most are, in a fifth of the time: there are millions of words.
    words = _ASCII_WORD.findall(text.lower()) if text.isascii() else normalize(text).split()
    return [_singular(word) for word in words]


def _singular(word: str) -> str:
    is_plural = len(word) >= _SHORTEST_PLURAL and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if is_plural else word


def _order(item: RelevantReport) -> tuple[float, float, int, int]:
    return -round(item.relevance, 12), -item.report.rating, -item.report.level, item.report.community
