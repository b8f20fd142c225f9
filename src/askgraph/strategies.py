"""How the linked question is answered: which retrievers, and what is made of what they find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .answering.compose import abstain, answer_from_members, answer_from_paths
from .answering.confidence import judge
from .core.budget import Budget
from .core.evidence import Answer, Evidence, ShortAnswer
from .core.graph import Node
from .core.run import Run
from .core.schema import Schema
from .core.settings import Settings
from .core.values import display
from .core.words import quantity
from .linking.graph_index import GraphIndex
from .linking.language import Language
from .linking.linker import LinkedQuestion
from .models.base import Embedder
from .retrievers.members import MemberRetriever, MembersReading
from .retrievers.paths import Finding, PathRetriever
from .retrievers.relevance import Relevance
from .stores.base import GraphStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NEAREST = 5


@dataclass(frozen=True)
class Parts:
    """What a strategy works with: an open graph and everything made for it."""

    store: GraphStore
    schema: Schema
    index: GraphIndex
    embedder: Embedder | None
    rules: Language
    settings: Settings


class WithoutModel:
    """The strategy that needs no language model: members of a type, else paths from the linked nodes."""

    name = "paths"

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        settings = parts.settings
        self._members = MemberRetriever(parts.store, parts.schema, parts.rules, max_facts=settings.max_facts)
        self._paths = PathRetriever(
            parts.store,
            parts.schema,
            self._relevance,
            max_hops=settings.max_hops,
            max_facts=settings.max_facts,
        )

    def answer(self, question: LinkedQuestion, budget: Budget, run: Run) -> Answer:
        """Answer a linked question, or abstain."""
        members = self._members.read(question, budget, run)
        if members is not None:
            return self._answer_members(question, members)
        findings, notes = self._paths.find(question, budget, run) if question.nodes else ([], [])
        with run.step("answer") as step:
            judgement = judge(question, findings)
            step.note(confidence=round(judgement.confidence, 4), abstains=bool(judgement.reason_to_abstain))
            if judgement.reason_to_abstain:
                nearest = self._nearest(question, findings)
                return abstain(
                    question,
                    judgement.reason_to_abstain,
                    nearest=nearest,
                    confidence=judgement.confidence,
                    notes=[*notes, *self._link_notes(question)],
                )
            return self._answer_paths(question, findings[0], judgement.confidence, notes)

    # --- members of a type

    def _answer_members(self, question: LinkedQuestion, reading: MembersReading) -> Answer:
        count = None
        nodes: list[Node] = []
        if reading.counted:
            value = reading.table.rows[0][0] if reading.table.rows else 0
            count = value if isinstance(value, int) else 0
        else:
            nodes = list(self._parts.store.nodes([str(row[0]) for row in reading.table.rows]))
        return answer_from_members(
            question,
            reading.facts,
            nodes=nodes,
            count=count,
            label=reading.type.label,
            table=reading.table,
            notes=[reading.note] if reading.note else [],
        )

    # --- paths

    def _relevance(self, question: LinkedQuestion) -> Relevance:
        parts = self._parts
        vector: NDArray[np.float32] | None = None
        if parts.embedder is not None:
            vector = parts.embedder.embed([question.masked])[0]
        asked = parts.schema.with_subtypes(question.asked_types)
        return Relevance(parts.schema, parts.index.hops, vector, question.stems, asked, parts.rules)

    def _answer_paths(
        self, question: LinkedQuestion, finding: Finding, confidence: float, notes: list[str]
    ) -> Answer:
        answers, total = self._ends(finding)
        facts = self._paths.facts(finding, self._parts.settings.max_facts)
        if total > len(answers):
            notes = [*notes, f"{quantity(total, 'answer')} were found; the first {len(answers)} are given."]
        return answer_from_paths(
            question,
            Evidence(tuple(facts), (*notes, *self._link_notes(question))),
            answers=answers,
            total=total,
            interpretation=self._paths.describe(finding),
            confidence=confidence,
        )

    def _ends(self, finding: Finding) -> tuple[list[ShortAnswer], int]:
        most = self._parts.settings.rows
        if finding.values:
            distinct = {display(value): value for _, value in finding.values}
            return [ShortAnswer(text, value=value) for text, value in list(distinct.items())[:most]], len(
                distinct
            )
        nodes = self._parts.store.nodes(finding.ends[:most])
        return [ShortAnswer(node.name, node.id) for node in nodes], len(finding.ends)

    # --- what is said beside the answer

    def _link_notes(self, question: LinkedQuestion) -> list[str]:
        notes = []
        for mention in question.mentions:
            links = [link for link in question.nodes if link.mention == mention]
            if links[0].alternatives:
                same = links[0].alternatives + 1
                followed = "all were followed" if same == len(links) else f"{len(links)} were followed"
                notes.append(f"{quantity(same, 'node')} fit {mention.text!r}; {followed}.")
            elif links[0].method != "exact":
                notes.append(f"{mention.text!r} was read as {links[0].name!r}.")
        return notes

    def _nearest(self, question: LinkedQuestion, findings: list[Finding]) -> list[str]:
        nearest: list[str] = []
        for finding in findings[:_NEAREST]:
            nearest.extend(fact.text for fact in self._paths.facts(finding, 1))
        for item in question.unlinked:
            nearest.extend(f"{match.name} (a name like {item.mention.text!r})" for match in item.nearest)
        return list(dict.fromkeys(nearest))[:_NEAREST]
