"""The strategy of path-aware traversal: what the path most like the question leads to; see
:mod:`askgraph.retrievers.traversal`.

It reads nothing but which relations a question is about: no conditions, no order, no figures. So it answers what asks
for the ends of paths, and abstains from what asks for more. With a language model the template of the paths and the
answer are written by it, from the facts of the subgraphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..answering.compose import abstain
from ..answering.node_types import with_types
from ..answering.path_answers import (
    PathAnswers,
    asks_for_more_than_paths,
    compose_from_paths,
    explained_words,
)
from ..answering.path_confidence import confidence_of, path_features
from ..answering.written import write_answer
from ..core.budget import Budget
from ..core.errors import ModelError
from ..core.evidence import Answer, Evidence, ShortAnswer
from ..core.graph import Node
from ..core.run import Run
from ..linking.language import language
from ..linking.linked_question import LinkedQuestion
from ..linking.vocabulary import WordMatcher, other_labels_of
from ..models.calls import ModelCalls
from ..retrievers.seeds import Seed, seeds_of
from ..retrievers.traversal.model_template import ModelTemplates
from ..retrievers.traversal.retriever import MAX_HOPS, PathRetriever
from ..retrievers.traversal.subgraph import Subgraph
from ..retrievers.traversal.template import Template, template_of_question
from ..retrievers.traversal.traversal import Traversed
from .base import Parts

_NEAREST = 5


@dataclass(frozen=True)
class _Best:
    """The most probable subgraph, what it answers, how sure that is and what speaks against it; or why it answers
    nothing."""

    subgraph: Subgraph
    answers: tuple[ShortAnswer, ...] = ()
    confidence: float = 0.0
    reason_to_abstain: str = ""
    against: Mapping[str, float] = field(default_factory=dict)


class PathsStrategy:
    """Answers with what stands at the end of the most probable path from what the question names."""

    name = "paths"

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._other_labels = other_labels_of(parts.schema)
        self._retriever = PathRetriever(
            parts.store,
            parts.schema,
            parts.embedder,
            max_facts=parts.settings.max_facts,
            max_hops=max(MAX_HOPS, parts.settings.max_hops),
        )

    def answer(self, question: LinkedQuestion, budget: Budget, run: Run) -> Answer:
        """Answer a linked question, or abstain."""
        seeds = seeds_of(question, self._parts.store, budget)
        if not seeds:
            return abstain(question, "The question names nothing of the graph from which paths could begin.")
        calls = None if self._parts.model is None else self._parts.calls(budget, run)
        template = None if calls is None else self._template(question, seeds, calls, run)
        found = self._retriever.traverse(question, seeds, budget, run, template)
        if not found.subgraphs:
            return abstain(question, "No path leads on from what the question names.", notes=found.notes)
        if calls is None:
            return self._read_off(question, seeds, found, run)
        return self._written(question, seeds, found, calls, run)

    def _template(
        self, question: LinkedQuestion, seeds: Sequence[Seed], calls: ModelCalls, run: Run
    ) -> Template:
        """A path that the model thinks up; the question where it fails, which the run records."""
        maker = ModelTemplates(self._parts.schema_chooser, lambda budget, run: calls)
        try:
            return maker(question, seeds, calls.budget, run)
        except ModelError:
            return template_of_question(question.question.text)

    def _written(
        self,
        question: LinkedQuestion,
        seeds: Sequence[Seed],
        found: Traversed,
        calls: ModelCalls,
        run: Run,
    ) -> Answer:
        """What the model makes of the facts; what can be read off the best path, if it says nothing."""
        parts = self._parts
        evidence = Evidence(tuple(self._retriever.facts(found.subgraphs)), found.notes)
        with run.step("write") as step:
            answer = write_answer(
                question,
                with_types(evidence, parts.store, parts.schema),
                calls,
                settings=parts.settings,
                embedder=parts.embedder,
                on_text=run.say,
                interpretation=found.subgraphs[0].path,
                otherwise=lambda: self._read_off(question, seeds, found, run),
            )
            step.note(facts=len(answer.facts), confidence=round(answer.confidence, 4))
        return answer

    def _read_off(
        self, question: LinkedQuestion, seeds: Sequence[Seed], found: Traversed, run: Run
    ) -> Answer:
        """What stands at the end of the best path, or an abstention."""
        with run.step("answer") as step:
            best = self._judged(question, found.subgraphs, seeds)
            facts = self._retriever.facts(found.subgraphs)
            step.note(
                facts=len(facts),
                confidence=round(best.confidence, 4),
                against={name: round(value, 4) for name, value in best.against.items()},
                abstained=best.reason_to_abstain,
            )
        if best.reason_to_abstain:
            nearest = [fact.text for fact in facts[:_NEAREST]]
            return abstain(
                question,
                best.reason_to_abstain,
                nearest=nearest,
                confidence=best.confidence,
                notes=found.notes,
            )
        return compose_from_paths(
            question, best.subgraph, best.answers, facts, confidence=best.confidence, notes=found.notes
        )

    def _judged(
        self, question: LinkedQuestion, subgraphs: Sequence[Subgraph], seeds: Sequence[Seed]
    ) -> _Best:
        best = subgraphs[0]
        asked = asks_for_more_than_paths(question)
        said = self._retriever.said_paths(question, seeds)
        if asked:
            return _Best(best, reason_to_abstain=f"It asks for {asked}, which paths alone do not answer.")
        left_out = self._left_out(question, best, seeds)
        if left_out:
            return _Best(best, reason_to_abstain=f"The best path does not lead by {left_out!r}.")
        if said.against(best):
            return _Best(
                best, reason_to_abstain="The best path leads the other way round than the question says."
            )
        nodes = self._nodes(best)
        named = frozenset(node for seed in seeds if seed.value is None for node in seed.nodes)
        answers = PathAnswers(question, self._parts.schema, nodes, named).of(best)
        if not answers:
            return _Best(best, reason_to_abstain="The best path does not say what is asked.")
        types = frozenset(self._parts.schema.with_subtypes([link.id for link in question.asked]))
        explained = explained_words(best, self._matcher(question), self._parts.schema)
        is_undecided = said.is_undecided(subgraphs)
        against = path_features(
            question, subgraphs, answers, explained, nodes, types, is_undecided=is_undecided
        )
        confidence = confidence_of(against)
        reason = ""
        if confidence < self._parts.settings.least_confidence:
            reason = "No path from what the question names is enough like what it asks."
        return _Best(best, answers, confidence, reason, against)

    def _nodes(self, best: Subgraph) -> Mapping[str, Node]:
        ids = dict.fromkeys(node for instance in best.instances for node in instance.nodes)
        return {node.id: node for node in self._parts.store.nodes(list(ids))}

    def _left_out(self, question: LinkedQuestion, best: Subgraph, seeds: Sequence[Seed]) -> str:
        """The first thing that the question names and that is nowhere on the path."""
        on_the_way = {*best.seed, *(node for instance in best.instances for node in instance.nodes)}
        reached = {seed.mention for seed in seeds if not on_the_way.isdisjoint(seed.nodes)}
        return next((mention.text for mention in question.mentions if mention not in reached), "")

    def _matcher(self, question: LinkedQuestion) -> WordMatcher:
        return WordMatcher(
            question.words,
            language(question.language),
            self._parts.index.labels,
            self._parts.embedder,
            question.phrases(),
            self._other_labels,
        )
