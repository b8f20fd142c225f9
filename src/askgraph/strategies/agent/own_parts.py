"""The parts of the loop that are askgraph's own, over the retrievers of the house."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...core.budget import Budget
from ...core.evidence import Evidence, Fact, ShortAnswer
from ...linking.name_meanings import NamesByMeaning
from ...linking.named_by_model import LinkedNames, link_names
from ...linking.names import Names
from ...models.calls import ModelCalls
from ...retrievers.exploring.exploration import Explorer
from ...retrievers.exploring.metapath_text import MetapathReader
from ...retrievers.exploring.metapaths import MetapathRetriever
from ...retrievers.exploring.shortest_paths import ShortestPathRetriever
from ...retrievers.querying.written_queries import WrittenQueries
from ...retrievers.relevance import Relevance
from .findings import Found


class IndexedNames:
    """Links names by the index of the graph, or the server's."""

    def __init__(self, names: Names, *, limit: int = 3, by_meaning: NamesByMeaning | None = None) -> None:
        self._names = names
        self._limit = limit
        self._by_meaning = by_meaning

    def link(self, names: Sequence[str]) -> LinkedNames:
        """Their nodes."""
        return link_names(names, self._names, limit=self._limit, by_meaning=self._by_meaning)


class ExploredTriples:
    """Finds triples by exploring the graph, for one question."""

    is_own_choice = False

    def __init__(self, explorer: Explorer, question: str, relevance: Relevance) -> None:
        self._explorer = explorer
        self._question = question
        self._relevance = relevance

    def find(
        self, sources: Sequence[str], facts: Sequence[Fact], budget: Budget, calls: ModelCalls | None
    ) -> Found:
        """Triples about the question."""
        return Found(self._explorer.explore(self._question, sources, self._relevance, budget, calls=calls))


class FollowedPaths:
    """Follows metapaths and finds shortest paths."""

    def __init__(
        self,
        reader: MetapathReader,
        metapaths: MetapathRetriever,
        shortest: ShortestPathRetriever,
        names: Names,
    ) -> None:
        self._reader = reader
        self._max_hops: int | None = None
        self._metapaths = metapaths
        self._shortest = shortest
        self._names = names

    def within(self, max_hops: int) -> FollowedPaths:
        """The same, with shortest paths of at most so many edges."""
        other = FollowedPaths(self._reader, self._metapaths, self._shortest, self._names)
        other._max_hops = max_hops
        return other

    def follow(self, sources: Sequence[str], paths: Sequence[str], budget: Budget) -> Found:
        """What the paths lead to. They answer the question if each of them leads somewhere."""
        facts: list[Fact] = []
        notes: dict[str, None] = {}
        types: dict[str, tuple[str, ...]] = {}
        answers: dict[tuple[str | None, str], ShortAnswer] = {}
        feedback: list[str] = []
        for text in paths:
            metapath = self._reader.read(text)
            own = link_names(metapath.starts, self._names).ids if metapath.starts else ()
            if metapath.starts and not own:
                metapath = replace(metapath, problem=self._reader.unknown(metapath.starts[0]))
            followed = self._metapaths.follow(metapath, own or sources, budget)
            if followed.stopped_at:
                why = metapath.problem or f"it leads nowhere beyond {followed.stopped_at!r}"
                feedback.append(f"The path {text!r} was not followed to its end: {why}.")
            facts += followed.evidence.facts
            notes |= dict.fromkeys(followed.evidence.notes)
            types |= followed.evidence.types
            answers |= {(item.node, item.text): item for item in followed.answers}
        evidence = Evidence(tuple(facts), tuple(notes), types)
        return Found(
            evidence, tuple(answers.values()), bool(answers) and not feedback, feedback=tuple(feedback)
        )

    def connect(self, sources: Sequence[str], targets: Sequence[str], budget: Budget) -> Found:
        """How sources and targets are connected: what is connected is spoken for."""
        evidence = self._shortest.between(sources, targets, budget, max_hops=self._max_hops)
        ends: dict[str, ShortAnswer] = {}
        for fact in evidence.facts:
            if fact.path is not None:
                last = fact.path.hops[-1]
                ends[str(last.target)] = ShortAnswer(last.target_name, last.target)
        return Found(evidence, tuple(ends.values()))


class GatedQueries:
    """Runs queries through the gate."""

    def __init__(self, queries: WrittenQueries) -> None:
        self._queries = queries

    def run(self, queries: Sequence[str], budget: Budget) -> Found:
        """What they gave. The first that gives rows answers the question."""
        ran = [self._queries.run(text, budget) for text in queries]
        good = next((item for item in ran if item.outcome == "rows"), None)
        facts = tuple(fact for item in ran for fact in item.evidence.facts)
        notes = tuple(dict.fromkeys(note for item in ran for note in item.evidence.notes))
        types = {id: kinds for item in ran for id, kinds in item.evidence.types.items()}
        return Found(
            Evidence(facts, notes, types),
            good.answers if good is not None else (),
            good is not None,
            tuple(dict.fromkeys(id for item in ran for id in item.nodes)),
            good.table if good is not None else None,
            tuple(item.feedback for item in ran),
        )
