"""The strategy that needs no language model: read the question by the graph's own words, run the best reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..answering.compose import abstain, compose
from ..answering.confidence import Judgement, judge, open_words
from ..core.budget import Budget
from ..core.evidence import Answer
from ..core.graph import Node
from ..core.run import Run
from ..core.words import quantity
from ..linking.language import PATTERN, language
from ..linking.linked_question import LinkedQuestion
from ..retrievers.reading.questions import Found, QuestionRetriever
from ..retrievers.reading.reading import Reading
from ..retrievers.relevance import Relevance
from .base import Parts
from .relevances import Relevances

_NEAREST = 5
# How like a word a name must be to be shown where no answer is found.
_LIKE = 0.7


@dataclass(frozen=True)
class Decision:
    """How a question was read, and whether that is trusted.

    Attributes:
        readings: the best first.
        judgement: of the best one; its reason to abstain is empty where it is trusted.
        notes: what was cut on the way.
        found: what the best reading found; ``None`` where it was not worth running.
    """

    readings: Sequence[Reading]
    judgement: Judgement
    notes: tuple[str, ...] = ()
    found: Found | None = None


class ReadingStrategy:
    """The words of a question against the words of a graph; see :mod:`askgraph.retrievers.reading.questions`."""

    name = "reading"

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._retriever = QuestionRetriever(
            parts.store,
            parts.schema,
            Relevances(parts).of,
            max_hops=parts.settings.max_hops,
            max_facts=parts.settings.max_facts,
        )

    def answer(self, question: LinkedQuestion, budget: Budget, run: Run) -> Answer:
        """Answer a linked question, or abstain."""
        decision = self.decide(question, budget, run)
        readings, found, judgement = decision.readings, decision.found, decision.judgement
        notes = (*decision.notes, *self._link_notes(question, readings[0] if readings else None))
        if found is None or judgement.reason_to_abstain:
            return self._abstain(question, readings, judgement, notes, budget, run)
        with run.step("answer") as step:
            facts = self._retriever.facts(found)
            step.note(facts=len(facts), confidence=round(judgement.confidence, 4))
            nodes = self._nodes_in(found)
            answer = compose(question, found, facts, nodes, confidence=judgement.confidence, notes=notes)
        if not answer.answers:
            missing = Judgement(0.0, f"The graph has no value for this: {found.in_words}.")
            return self._abstain(question, readings, missing, notes, budget, run)
        return answer

    def decide(self, question: LinkedQuestion, budget: Budget, run: Run) -> Decision:
        """Read a linked question, and judge the best reading before and after it is run."""
        readings, notes, relevance = self._retriever.read(question, budget, run)
        judgement = self._judge(question, readings, relevance, run)
        if judgement.reason_to_abstain:
            return Decision(readings, judgement, notes)
        found = self._retriever.run(readings[0], budget, run)
        judgement = self._judge(question, readings, relevance, run, found)
        if not judgement.reason_to_abstain and not found.table.rows and not found.reading.is_yes_no:
            judgement = Judgement(0.0, "No node of the graph meets every condition.")
        return Decision(readings, judgement, notes, found)

    def _judge(
        self,
        question: LinkedQuestion,
        readings: Sequence[Reading],
        relevance: Relevance,
        run: Run,
        found: Found | None = None,
    ) -> Judgement:
        """Judge the best reading: before it is run, and once more by what it found."""
        parts = self._parts
        with run.step("judge") as step:
            judgement = judge(
                question,
                readings,
                relevance,
                parts.schema,
                least=parts.settings.least_confidence,
                table=None if found is None else found.table,
            )
            told = {name: round(value, 4) for name, value in judgement.features.items() if value}
            step.note(confidence=round(judgement.confidence, 4), against=told)
        return judgement

    def _nodes_in(self, found: Found) -> dict[str, Node]:
        table = found.table
        places = [place for place, kind in enumerate(table.kinds) if kind == "node"]
        ids = dict.fromkeys(
            str(row[place]) for row in table.rows for place in places if row[place] is not None
        )
        return {node.id: node for node in self._parts.store.nodes(list(ids))}

    # --- what is said beside the answer

    def _abstain(
        self,
        question: LinkedQuestion,
        readings: Sequence[Reading],
        judgement: Judgement,
        notes: Sequence[str],
        budget: Budget,
        run: Run,
    ) -> Answer:
        with run.step("abstain") as step:
            step.note(reason=judgement.reason_to_abstain, confidence=round(judgement.confidence, 4))
            nearest = self._nearest(question, readings, budget, run)
        return abstain(
            question,
            judgement.reason_to_abstain,
            nearest=nearest,
            confidence=judgement.confidence,
            notes=notes,
        )

    def _nearest(
        self, question: LinkedQuestion, readings: Sequence[Reading], budget: Budget, run: Run
    ) -> list[str]:
        """Facts of the readings that came nearest, and names like those that were not found."""
        nearest: list[str] = []
        for reading in readings[:_NEAREST]:
            if reading.ends:
                facts = self._retriever.facts(self._retriever.run(reading, budget, run), most=1)
                nearest.extend(fact.text for fact in facts)
        for link in question.things:
            if link.method == "fuzzy":
                nearest.append(f"{link.name} (a name like {link.mention.text!r})")
        for word in open_words(question, readings):
            for match in self._parts.index.names.search([word], limit=2, cutoff=_LIKE)[0]:
                nearest.append(f"{match.name} (a name like {word!r})")
        return list(dict.fromkeys(nearest))[:_NEAREST]

    def _link_notes(self, question: LinkedQuestion, reading: Reading | None) -> list[str]:
        notes = []
        if question.language != PATTERN and self._parts.settings.language == "auto":
            notes.append(f"The question was read as {language(question.language).name}.")
        for mention in question.mentions:
            links = [link for link in question.things if link.mention == mention]
            if links[0].alternatives:
                same = links[0].alternatives + 1
                followed = "all were followed" if same <= len(links) else f"{len(links)} were followed"
                meant = reading.meant(mention) if reading is not None else None
                if meant and len(meant) < same:
                    kinds = dict.fromkeys(kind for link in links if link.id in meant for kind in link.types)
                    labels = ", ".join(map(self._parts.schema.label_of, kinds))
                    which = f" ({labels})" if labels else ""
                    followed = f"the rest of the question leaves {len(meant)} of them{which}"
                notes.append(f"{quantity(same, 'thing')} in the graph fit {mention.text!r}; {followed}.")
            elif links[0].method in ("fuzzy", "acronym", "meaning"):
                notes.append(f"{mention.text!r} was read as {links[0].name!r}.")
        return notes
