"""What stands behind the reports of an answer: the edges and definitions of their communities, by which sentences are
judged. What a report says itself, which a model may have written, supports nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..core.evidence import Fact
from ..linking.language import PATTERN
from ..models.base import Embedder
from ..retrievers.subgraph.communities import CommunityReport
from ..retrievers.subgraph.evidence import RETRIEVER, definition_fact_of, fact_of
from ..retrievers.subgraph.selection import SubgraphSelection
from .support.judge import Judge, Judged

# Words by which a sentence says that it is from reports, and nothing of the graph.
_FROM_REPORTS = re.compile(
    r"^\s*(?:(?:according to|based on|from|as (?:stated|shown|given) (?:in|by)|per) (?:the |these )?reports?\b[\s,:]*"
    r"|(?:the|these) reports? (?:says?|states?|shows?|mentions?|indicates?|tells?|confirms?)(?: us)?(?: that)?\b\s*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """Reports as facts, and the facts behind them.

    Attributes:
        reports: each report as a fact of its own, which names what it rests on.
        facts: edges and definitions of their communities, each once.
        behind: for each report the places of its facts.
    """

    reports: tuple[Fact, ...]
    facts: tuple[Fact, ...]
    behind: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, reports: Sequence[CommunityReport], selection: SubgraphSelection) -> ReportFacts:
        """Those of some reports on a selection."""
        edges = {item.edge.id: item for item in selection.edges}
        places: dict[str, int] = {}
        facts: list[Fact] = []
        behind = []
        for report in reports:
            own = [definition_fact_of(selection.by_id[id]) for id in report.nodes if id in selection.by_id]
            own += [fact_of(edges[id], selection.by_id) for id in report.edges if id in edges]
            numbers = []
            for fact in filter(None, own):
                key = " ".join(fact.elements)
                if key not in places:
                    places[key] = len(facts)
                    facts.append(fact)
                numbers.append(places[key])
            behind.append(tuple(numbers))
        return cls(tuple(map(_fact_of_report, reports)), tuple(facts), tuple(behind))

    @property
    def all(self) -> tuple[Fact, ...]:
        """The reports, then what is behind them: in this order they are numbered from 1."""
        return (*self.reports, *self.facts)


def _fact_of_report(report: CommunityReport) -> Fact:
    nodes = dict.fromkeys(id for finding in report.findings for id in finding.nodes)
    edges = dict.fromkeys(id for finding in report.findings for id in finding.edges)
    return Fact(
        text=f"Report on {report.title}: {report.summary}",
        kind="report",
        score=report.rating / 10,
        retriever=RETRIEVER,
        step=f"community {report.community}",
        elements=(*(nodes or dict.fromkeys(report.nodes)), *edges),
    )


class ReportJudge(Judge):
    """Judges sentences that cite reports, by the facts behind the reports.

    A sentence that these support rests on the report and on the facts: both have numbers in :attr:`ReportFacts.all`.
    """

    def __init__(
        self,
        behind: ReportFacts,
        question: str,
        *,
        types: Mapping[str, Sequence[str]],
        embedder: Embedder | None = None,
        language: str = PATTERN,
    ) -> None:
        super().__init__(behind.facts, question, types=types, embedder=embedder, language=language)
        self._behind = behind
        self._first: dict[int, int] = {}
        for report, places in enumerate(behind.behind, start=1):
            for place in places:
                self._first.setdefault(place + 1, report)

    def judge(self, text: str, cited: Sequence[int] = ()) -> Judged:
        """Judge a sentence, without its citations, by what is behind the reports that it cites, else behind all."""
        count = len(self._behind.reports)
        reports = [number for number in dict.fromkeys(cited) if 1 <= number <= count]
        numbers = [place + 1 for report in reports for place in self._behind.behind[report - 1]]
        judged = super().judge(_FROM_REPORTS.sub("", text), numbers)
        if judged.verdict.kind != "supported":
            return judged
        facts = judged.verdict.facts
        named = [
            report for report in reports if not set(facts).isdisjoint(self._numbers_of(report))
        ] or sorted({self._first[number] for number in facts})
        shifted = tuple(count + number for number in facts)
        return replace(judged, verdict=replace(judged.verdict, facts=(*named, *shifted)))

    def _numbers_of(self, report: int) -> list[int]:
        return [place + 1 for place in self._behind.behind[report - 1]]
