"""Documented components, ours and a user's own, as parts of the loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.budget import Budget
from ..core.errors import AskgraphError
from ..core.evidence import Evidence, Fact, Link, Mention, ShortAnswer
from ..core.graph import Path
from ..linking.named_by_model import LinkedNames
from ..models.calls import ModelCalls
from ..retrievers.exploring.tagged_reply import Proposal, read_proposal
from ..strategies.agent.components import PathFinder, Proposer, Situation
from ..strategies.agent.findings import Found
from .entity_linker import EntityLinker
from .graph_retrievers import AgenticRetriever
from .runs import Asked


class LinkedByComponent:
    """Names linked by an :class:`EntityLinker`, or by any object with its ``link``."""

    def __init__(self, linker: EntityLinker | Any) -> None:
        self._linker = linker

    def link(self, names: Sequence[str]) -> LinkedNames:
        """Their nodes."""
        if not names:
            return LinkedNames()
        if isinstance(self._linker, EntityLinker):
            return self._linker.links(names)
        hits = self._linker.link(list(names), return_dict=True)["hits"]
        return LinkedNames(tuple(map(_link_of, hits)))


class ExploredByComponent:
    """Triples of an :class:`AgenticRetriever`, as it writes them."""

    def __init__(self, retriever: AgenticRetriever, asked: Asked, *, is_own_choice: bool) -> None:
        self._retriever = retriever
        self._asked = asked
        self.is_own_choice = is_own_choice

    def find(
        self, sources: Sequence[str], facts: Sequence[Fact], budget: Budget, calls: ModelCalls | None
    ) -> Found:
        """Triples about the question."""
        evidence = self._retriever.explore(self._asked, sources, calls, most_calls=1)
        return Found(reworded(evidence, lambda path: self._line(evidence, path)))

    def _line(self, evidence: Evidence, path: Path) -> str:
        one = replace(evidence, facts=tuple(fact for fact in evidence.facts if fact.path is path))
        return self._retriever.verbalized(one)[0]


class TriplesOfComponent:
    """Texts of any object with ``retrieve(query, source_nodes, history_context)``."""

    is_own_choice = True

    def __init__(self, retriever: Any, question: str) -> None:
        self._retriever = retriever
        self._question = question

    def find(
        self, sources: Sequence[str], facts: Sequence[Fact], budget: Budget, calls: ModelCalls | None
    ) -> Found:
        """What it gives."""
        known = [fact.text for fact in facts]
        texts = self._retriever.retrieve(self._question, list(sources), known)
        return Found(_texts(texts, type(self._retriever).__name__))


class RewordedPaths:
    """Paths of another finder, as a verbalizer writes them."""

    def __init__(self, paths: PathFinder, verbalize: Callable[[Sequence[Path]], list[str]]) -> None:
        self._paths = paths
        self._verbalize = verbalize

    def follow(self, sources: Sequence[str], paths: Sequence[str], budget: Budget) -> Found:
        """What the paths lead to."""
        return self._reworded(self._paths.follow(sources, paths, budget))

    def connect(self, sources: Sequence[str], targets: Sequence[str], budget: Budget) -> Found:
        """How sources and targets are connected."""
        return self._reworded(self._paths.connect(sources, targets, budget))

    def _reworded(self, found: Found) -> Found:
        return replace(found, evidence=reworded(found.evidence, lambda path: self._verbalize([path])[0]))


class PathsOfComponent:
    """Texts of any object with ``retrieve(source_nodes, metapaths, target_nodes)``."""

    def __init__(self, retriever: Any) -> None:
        self._retriever = retriever

    def follow(self, sources: Sequence[str], paths: Sequence[str], budget: Budget) -> Found:
        """What it gives for metapaths."""
        relations = [[part.strip() for part in path.split("->")] for path in paths]
        return Found(
            _texts(self._retriever.retrieve(list(sources), relations, []), type(self._retriever).__name__)
        )

    def connect(self, sources: Sequence[str], targets: Sequence[str], budget: Budget) -> Found:
        """What it gives for targets."""
        texts = self._retriever.retrieve(list(sources), [], list(targets))
        return Found(_texts(texts, type(self._retriever).__name__))


class QueriesOfComponent:
    """Rows of any object with ``retrieve(query, return_answers)``. What it raises is told to the model."""

    def __init__(self, executor: Any) -> None:
        self._executor = executor

    def run(self, queries: Sequence[str], budget: Budget) -> Found:
        """What they gave."""
        facts: list[Fact] = []
        answers: dict[str, ShortAnswer] = {}
        feedback: list[str] = []
        for query in queries:
            try:
                texts, found = self._executor.retrieve(query, return_answers=True)
            except AskgraphError as error:
                feedback.append(f"The query {query}: {error.message}")
                continue
            if not texts and not found:
                feedback.append(f"The query {query}: it ran and found nothing.")
            facts += _texts(texts, type(self._executor).__name__).facts
            answers |= {str(text): ShortAnswer(str(text), value=str(text)) for text in found}
        evidence = Evidence(tuple(facts))
        return Found(evidence, tuple(answers.values()), bool(facts), feedback=tuple(feedback))


class ProposerWithCalls:
    """A proposer that asks a model of its own."""

    def __init__(self, proposer: Proposer, calls: ModelCalls | None) -> None:
        self._proposer = proposer
        self._calls = calls

    @property
    def name(self) -> str:
        """That of the proposer."""
        return self._proposer.name

    def propose(self, situation: Situation, calls: ModelCalls | None) -> Proposal:
        """What to try."""
        return self._proposer.propose(situation, self._calls or calls)


class ProposerOfComponent:
    """Any object with ``generate_response(question, schema, graph_context, user_input)``."""

    def __init__(self, linker: Any, name: str, schema: Callable[[], str]) -> None:
        self._linker = linker
        self._schema = schema
        self._name = name

    @property
    def name(self) -> str:
        """As given."""
        return self._name

    def propose(self, situation: Situation, calls: ModelCalls | None) -> Proposal:
        """What its reply proposes."""
        reply = self._linker.generate_response(
            question=situation.question,
            schema=self._schema(),
            graph_context="\n".join([*(fact.text for fact in situation.facts), *situation.feedback]),
            user_input=situation.user_input,
        )
        return read_proposal(str(reply))


def _link_of(hit: Mapping[str, Any]) -> Link:
    name = str(hit["document"])
    text = str(hit.get("entity", name))
    score = float(hit.get("match_score", 1.0))
    return Link(Mention(text, 0, len(text)), "node", str(hit["document_id"]), name, score, "matched")


def reworded(evidence: Evidence, line: Callable[[Path], str]) -> Evidence:
    """The evidence with its paths in other words."""
    facts = tuple(
        fact if fact.path is None else replace(fact, text=line(fact.path)) for fact in evidence.facts
    )
    return replace(evidence, facts=facts)


def _texts(texts: Sequence[str], retriever: str) -> Evidence:
    return Evidence(
        tuple(Fact(str(text), "statement", 0.7, retriever) for text in texts if str(text).strip())
    )
