"""From the subgraph of a question and the reports on it to an answer without a model: the sentences that bear on the
question most, each with the edges that it is made of.

The score of a point comes from the graph here: how near the point is to what the question names, how far its relation
says what the question says, and whether its nodes have the type that is asked for. What the question names is a report
of its own, over all its edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..core.evidence import Answer, Fact, Sentence, ShortAnswer
from ..core.schema import Schema
from ..linking.linked_question import LinkedQuestion
from ..linking.vocabulary import WordMatcher
from ..retrievers.subgraph.communities import CommunityReport, listed, said_of_many
from ..retrievers.subgraph.evidence import definition_fact_of, fact_of
from ..retrievers.subgraph.selection import SelectedEdge, SelectedNode, SubgraphSelection
from .compose import abstain
from .report_points import HIGHEST, Point

MOST_SENTENCES: Final = 5
_MOST_NAMED: Final = 10
_MOST_CONFIDENT: Final = 0.9
# An edge between two communities may stand in no report, and nothing tells how many do: half is as much as is sure.
_MOST_CONFIDENT_OF_WHOLE: Final = 0.5
# Nor whether the relation that is asked for is in any: one of which the question says no word, and not the type of what
# it leads to either, is then no answer to it.
_NEAR_IN_REPORTS: Final = 0.95
_MAY_LEAVE_OUT: Final = (
    "Reports may leave some out: what joins two communities stands in few of them. The strategy 'subgraph' reads every "
    "edge of what is named."
)
_LEAST_SHARE: Final = 0.4
_NEAREST: Final = 5


class ReportExtracts:
    """Makes the answer to a question from a selection and its reports.

    Args:
        question: as linked.
        selection: the subgraph.
        schema: of the graph.
        matcher: of the question's words.
    """

    def __init__(
        self, question: LinkedQuestion, selection: SubgraphSelection, schema: Schema, matcher: WordMatcher
    ) -> None:
        self._question = question
        self._selection = selection
        self._matcher = matcher
        self._asked = frozenset(schema.with_subtypes([link.id for link in question.asked]))
        self._edges = {item.edge.id: item for item in selection.edges}
        self._seeds = {item.id for item in selection.seeds}
        self._is_whole = selection.is_of_whole_graph

    def points(self, reports: Sequence[CommunityReport]) -> list[Point]:
        """All points, the highest score first."""
        found = [*self._points_of_named(), *self._points_of_reports(reports)]
        return sorted(found, key=lambda point: (-point.score, bool(point.reports)))

    def answer(
        self, points: Sequence[Point], *, most_facts: int, least_confidence: float, notes: Sequence[str]
    ) -> Answer:
        """The answer that these points give, or an abstention."""
        facts: list[Fact] = []
        sentences = self._definitions(facts)
        best = points[0] if points else None
        confidence = min(_MOST_CONFIDENT, best.score / HIGHEST) if best is not None else 0.0
        if best is None or confidence < least_confidence:
            nearest = [point.text for point in points[:_NEAREST]]
            where = "the reports on the graph" if self._is_whole else "the subgraph of the question"
            reason = f"Nothing in {where} says enough of what it asks."
            return abstain(self._question, reason, nearest=nearest, confidence=confidence, notes=notes)
        if self._is_whole and confidence > _MOST_CONFIDENT_OF_WHOLE:
            confidence = _MOST_CONFIDENT_OF_WHOLE
            if confidence < least_confidence:
                reason = (
                    "Without a model the reports on the graph may leave some out, so this is not sure enough."
                )
                nearest = [point.text for point in points[:_NEAREST]]
                return abstain(self._question, reason, nearest=nearest, confidence=confidence, notes=notes)
        said = list(notes)
        if self._is_whole:
            said.append(_MAY_LEAVE_OUT)
        for point in self._distinct(points, best.score * _LEAST_SHARE):
            room = max(most_facts - len(facts), 0)
            if not room or len(sentences) >= MOST_SENTENCES:
                break
            first = len(facts)
            if len(point.edges) > room:
                said.append(
                    f"{len(point.edges):,} edges say that {point.text} The first {room:,} are facts here."
                )
            facts.extend(fact_of(item, self._selection.by_id) for item in point.edges[:room])
            sentences.append(Sentence(point.text, tuple(range(first + 1, len(facts) + 1))))
        return Answer(
            question=self._question.question.text,
            sentences=tuple(sentences),
            answers=tuple(ShortAnswer(item.node.name, item.id) for item in best.ends),
            facts=tuple(facts),
            confidence=confidence,
            links=self._question.links,
            interpretation=self._interpretation(),
            notes=(*said, *self._selection.notes),
        )

    # --- points

    def _points_of_named(self) -> Iterable[Point]:
        """What the edges of the named nodes say, by relation, direction and the type of the other end."""
        groups: dict[tuple[str, str, bool, str], list[SelectedEdge]] = {}
        for item in self._selection.edges:
            source, target = item.edge.source, item.edge.target
            for seed, other, forward in ((source, target, True), (target, source, False)):
                if seed in self._seeds:
                    kind = self._selection.by_id[other].layer
                    groups.setdefault((seed, item.label, forward, kind), []).append(item)
        near = _NEAR_IN_REPORTS if self._is_whole and not self._asked else 1.0
        for (seed, label, forward, _), edges in groups.items():
            ids = dict.fromkeys(item.edge.target if forward else item.edge.source for item in edges)
            ends = tuple(self._selection.by_id[id] for id in ids)
            names = [item.node.name for item in ends]
            name = self._selection.by_id[seed].node.name
            if forward:
                text = f"{name} {label} {listed(names, _MOST_NAMED)}."
            else:
                text = said_of_many(names, label, name, _MOST_NAMED)
            yield Point(text, self._score(near, label, ends), (), tuple(edges), ends)

    def _points_of_reports(self, reports: Sequence[CommunityReport]) -> Iterable[Point]:
        about = self._around_named()
        for report in reports:
            # What a model wrote is no extract.
            if report.children or report.written_by:
                continue
            for finding in report.findings:
                edges = tuple(self._edges[id] for id in finding.edges if id in self._edges)
                if edges and self._bears(edges, about):
                    nodes = [self._selection.by_id[id] for id in finding.nodes if id not in self._seeds]
                    near = 0.5 * report.rating / 10
                    score = self._score(near, edges[0].label, nodes)
                    yield Point(finding.explanation, score, (report.community,), edges)

    def _around_named(self) -> tuple[set[str], set[str]]:
        """What is next to the named nodes, themselves included, and the relations that are said of them."""
        near, labels = set(self._seeds), set()
        for item in self._selection.edges:
            ends = (item.edge.source, item.edge.target)
            if not self._seeds.isdisjoint(ends):
                near.update(ends)
                labels.add(item.label)
        return near, labels

    def _bears(self, edges: Sequence[SelectedEdge], about: tuple[set[str], set[str]]) -> bool:
        """Whether edges of one relation say something of the named. In reports on the whole graph, most of which are on
        other things, the same relation of another thing would be read as more of the list: the players of another club.
        """
        if not (self._seeds and self._is_whole):
            return True
        near, labels = about
        ends = {end for item in edges for end in (item.edge.source, item.edge.target)}
        return not (self._seeds if edges[0].label in labels else near).isdisjoint(ends)

    def _score(self, near: float, label: str, nodes: Sequence[SelectedNode]) -> float:
        said = float(self._matcher.explained(label).mean()) if len(self._matcher.words) else 1.0
        asked = 1.0
        if self._asked:
            asked = sum(not self._asked.isdisjoint(item.node.types) for item in nodes) / max(len(nodes), 1)
        return HIGHEST * near * (0.5 + 0.5 * said) * (0.3 + 0.7 * asked)

    # --- sentences

    def _definitions(self, facts: list[Fact]) -> list[Sentence]:
        """What the graph says of the named nodes in words of its own."""
        sentences: list[Sentence] = []
        for item in self._selection.seeds:
            fact = definition_fact_of(item)
            if fact is not None and len(sentences) < MOST_SENTENCES - 1:
                facts.append(fact)
                sentences.append(Sentence(fact.text, (len(facts),)))
        return sentences

    def _distinct(self, points: Sequence[Point], least: float) -> Iterable[Point]:
        """Points of enough score that say something new: most of their edges have not been told of."""
        told: set[str] = set()
        for point in points:
            own = {item.edge.id for item in point.edges}
            if point.score >= least and len(own & told) * 2 <= len(own):
                told |= own
                yield point

    def _interpretation(self) -> str:
        names = self._names_of_seeds()
        if self._is_whole:
            return f"what the reports on the graph say of {names}"
        return f"what the part of the graph around {names} says"

    def _names_of_seeds(self) -> str:
        return listed([item.node.name for item in self._selection.seeds], _MOST_NAMED)
