"""The engine that combines strategies until a question is answered."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..answering.written import write_answer
from ..core.errors import PlanError
from ..core.evidence import Answer, Evidence, Fact, Link
from ..core.run import Run
from ..core.words import quantity
from ..engine import Graph
from ..models.calls import ModelCalls
from ..models.estimates import estimated_tokens
from ..models.language_model import LanguageModel
from ..strategies.agent.assembly import Assembly
from ..strategies.agent.components import Components, PathFinder, Proposer, QueryRunner, TripleFinder
from ..strategies.agent.findings import Findings
from ..strategies.agent.loop import StrategyLoop
from .adapters import (
    ExploredByComponent,
    LinkedByComponent,
    PathsOfComponent,
    ProposerOfComponent,
    ProposerWithCalls,
    QueriesOfComponent,
    RewordedPaths,
    TriplesOfComponent,
)
from .graph_connectors import CypherKGLinker, KGLinker
from .graph_retrievers import AgenticRetriever, EntityLinker, GraphQueryRetriever, GTraversal, PathRetriever
from .graphs import GraphLike, assembly_of, graph_of
from .llm import language_model
from .runs import Asked

_WITHOUT_MODEL = "reading"
_REMEMBERED = 5_000


class RetrievedContext(list[str]):
    """What was found for a question: a list of texts, the best first, and beside it everything else.

    Attributes:
        answers: what was found to be the answer, as texts; empty where the texts only speak of it.
        facts: the texts as facts, with the ids of what they are made of.
        links: what names were linked to.
        notes: what was cut, guessed or put right, in plain sentences.
        run: the record: every step, every call of the model and what it was for, and why it stopped.
    """

    def __init__(
        self,
        facts: Sequence[Fact],
        answers: Iterable[str],
        *,
        links: Sequence[Link] = (),
        notes: Sequence[str] = (),
        run: Run,
    ) -> None:
        texts = {fact.text: fact for fact in reversed(facts)}
        super().__init__(dict.fromkeys(fact.text for fact in facts))
        self.answers = list(dict.fromkeys(answers))
        self.facts = tuple(texts[text] for text in self)
        self.links = tuple(links)
        self.notes = tuple(notes)
        self.run = run


class ByoKGQueryEngine:
    """Answers questions over a graph: a model proposes entities, paths and queries, the graph is asked, and what came
    of it goes into the next proposal, until the facts answer the question.

    Components that are not given are made when they are first needed: names are looked up by the graph's own index, of
    every node under every name, and nothing is read in the constructor. Without a model questions are answered by their
    words alone.
    """

    def __init__(
        self,
        graph_store: GraphLike,
        entity_linker: EntityLinker | Any | None = None,
        triplet_retriever: AgenticRetriever | Any | None = None,
        path_retriever: PathRetriever | Any | None = None,
        graph_query_executor: GraphQueryRetriever | Any | None = None,
        llm_generator: LanguageModel | Any | None = None,
        kg_linker: KGLinker | Any | None = None,
        cypher_kg_linker: CypherKGLinker | Any | None = None,
        direct_query_linking: bool = False,
        *,
        max_context_tokens: int = 8_000,
    ) -> None:
        """An engine.

        Args:
            graph_store: an open graph (:func:`askgraph.open_graph`), or a store.
            entity_linker: links names; any object with its ``link`` will do, as for all components.
            triplet_retriever: finds triples around what was linked. One that is given is always asked; ours only where
                the question is still open.
            path_retriever: follows metapaths, and connects what was linked with what the model expects.
            graph_query_executor: runs queries.
            llm_generator: a language model, or any object with ``generate(prompt, system_prompt)``.
            kg_linker: asks the model for proposals of all kinds; made of ``llm_generator`` where there is one and no
                ``cypher_kg_linker``.
            cypher_kg_linker: asks the model for queries alone. With both it goes first; the other follows where that
                did not answer the question.
            direct_query_linking: whether the words of the question are linked too, before the model is asked.
            max_context_tokens: estimated tokens that the context may have; what fits worst is left out, and that is
                noted.
        """
        self.graph_store = graph_store
        self._graph = graph_of(graph_store)
        self.entity_linker = entity_linker
        self.triplet_retriever = triplet_retriever
        self.path_retriever = path_retriever
        self.graph_query_executor = graph_query_executor
        self.llm_generator = llm_generator
        if kg_linker is None and cypher_kg_linker is None and llm_generator is not None:
            kg_linker = KGLinker(llm_generator, graph_store)
        self.kg_linker = kg_linker
        self.cypher_kg_linker = cypher_kg_linker
        self.direct_query_linking = direct_query_linking
        self.max_context_tokens = max_context_tokens
        self._model = None if llm_generator is None else language_model(llm_generator, self.graph.settings)
        self._found = _Found()

    @property
    def graph(self) -> Graph:
        """The graph that is asked."""
        return self._graph

    def query(
        self, query: str, iterations: int = 2, cypher_iterations: int = 2, user_input: str = ""
    ) -> RetrievedContext:
        """Find what answers a question.

        Args:
            query: the question.
            iterations: how often proposals of all kinds are asked for, at most.
            cypher_iterations: how often queries alone are asked for, at most.
            user_input: what the user says besides; told to the model.

        Returns:
            The context, a list of texts, with the answers beside it as ``.answers``. (The document's signature promises
            a tuple of both; its examples use the result as the list that it is here.) Errors are never in it.

        Raises:
            PlanError: an empty question.
            ModelError, DeadlineExceededError: the model failed, or the time was up, before anything was found.
        """
        asked = Asked.of(self.graph, query)
        if self.kg_linker is None and self.cypher_kg_linker is None:
            return self._by_words(asked)
        calls = _Calls(asked)
        components = self._components(asked, calls)
        loop = StrategyLoop(components, iterations=iterations, query_iterations=cypher_iterations)
        links = self._direct_links(asked) if self.direct_query_linking else ()
        findings = loop.gather(
            query, links, calls.of(self._model), asked.budget, asked.run, user_input=user_input
        )
        return self._context(findings, asked)

    def generate_response(
        self,
        query: str,
        graph_context: str | Sequence[str] = "",
        task_prompt: str | None = None,
        user_input: str = "",
    ) -> tuple[list[str], str]:
        """Write an answer that rests on the context, and on nothing else.

        Args:
            query: the question.
            graph_context: what :meth:`query` gave, joined by line breaks or as it is.
            task_prompt: instructions of your own for the answer, told to the model beside ours.
            user_input: what the user says besides.

        Returns:
            The short answers, and the answer in words with the numbers of the lines that each sentence rests on. Where
            the context does not say it: no short answers, and a sentence that says so.

        Raises:
            PlanError: there is no model.
            ModelError, BudgetError: as the call.
        """
        answer = self.answer(
            query, graph_context, "\n".join(part for part in (user_input, task_prompt) if part)
        )
        return [item.text for item in answer.answers], answer.text

    def answer(self, query: str, graph_context: str | Sequence[str] = "", user_input: str = "") -> Answer:
        """The same as an :class:`~askgraph.core.evidence.Answer`, each sentence with its facts."""
        if self._model is None:
            raise PlanError(
                "an answer is written by a language model, and there is none", advice="Give llm_generator."
            )
        asked = Asked.of(self.graph, f"{query}\n{user_input}" if user_input else query)
        lines = graph_context.splitlines() if isinstance(graph_context, str) else graph_context
        facts = self._found.facts([line for line in lines if line.strip()])
        return write_answer(
            asked.linked,
            Evidence(facts),
            asked.calls(self._model),
            settings=self.graph.settings,
            embedder=asked.parts.embedder,
        )

    # --- components

    def _components(self, asked: Asked, calls: _Calls) -> Components:
        own = assembly_of(asked.graph)
        outline = own.outline_for(asked.relevance)
        languages = own.languages
        return Components(
            names=own.names if self.entity_linker is None else LinkedByComponent(self.entity_linker),
            triples=self._triples(asked),
            paths=self._paths(own),
            queries=self._queries(own),
            proposer=self._proposer(self.kg_linker, "linker", outline, languages, calls),
            query_proposer=self._proposer(self.cypher_kg_linker, "query linker", outline, languages, calls),
        )

    def _queries(self, own: Assembly) -> QueryRunner | None:
        executor = self.graph_query_executor
        if executor is None or isinstance(executor, GraphQueryRetriever):
            return own.queries
        return QueriesOfComponent(executor)

    def _triples(self, asked: Asked) -> TripleFinder:
        retriever = self.triplet_retriever
        if retriever is None:
            retriever = AgenticRetriever(self._model, GTraversal(self.graph), max_num_entities=25)
            return ExploredByComponent(retriever, asked, is_own_choice=False)
        if isinstance(retriever, AgenticRetriever):
            return ExploredByComponent(retriever, asked, is_own_choice=True)
        return TriplesOfComponent(retriever, asked.question)

    def _paths(self, own: Assembly) -> PathFinder:
        retriever = self.path_retriever
        if retriever is None:
            return own.paths
        if isinstance(retriever, PathRetriever):
            paths = own.paths if retriever.max_distance is None else own.paths.within(retriever.max_distance)
            return RewordedPaths(paths, retriever.path_verbalizer.verbalize)
        return PathsOfComponent(retriever)

    def _proposer(
        self, linker: Any, name: str, outline: Callable[[], str], languages: Sequence[str], calls: _Calls
    ) -> Proposer | None:
        if linker is None:
            return None
        if isinstance(linker, KGLinker | CypherKGLinker):
            return ProposerWithCalls(linker.proposer(outline, languages), calls.of(linker.model))
        return ProposerOfComponent(linker, name, outline)

    def _direct_links(self, asked: Asked) -> tuple[Link, ...]:
        """What the words of the question are linked to: by the user's linker, the question as a whole and what may name
        something in it."""
        things = [link for link in asked.linked.things if link.kind == "node"]
        if self.entity_linker is None:
            return tuple(things)
        mentions = [link.mention.text for link in things] + [
            item.mention.text for item in asked.linked.unlinked
        ]
        return LinkedByComponent(self.entity_linker).link([asked.question, *dict.fromkeys(mentions)]).links

    # --- results

    def _by_words(self, asked: Asked) -> RetrievedContext:
        """What the words of the question find, without a model."""
        from ..strategies.registry import make_strategy

        strategy = make_strategy(_WITHOUT_MODEL, asked.parts)
        answer = strategy.answer(asked.linked, asked.budget, asked.run)
        self._found.keep(answer.facts)
        return RetrievedContext(
            answer.facts,
            (item.text for item in answer.answers),
            links=answer.links,
            notes=answer.notes if not answer.abstained else (*answer.notes, answer.text),
            run=asked.run,
        )

    def _context(self, findings: Findings, asked: Asked) -> RetrievedContext:
        evidence = findings.evidence()
        facts, left = _within(evidence.facts, self.max_context_tokens)
        notes = list(findings.notes)
        if left:
            notes.append(f"{quantity(left, 'fact')} did not fit into {self.max_context_tokens:,} tokens.")
        self._found.keep(facts)
        texts = (answer.text for answer in findings.answers)
        return RetrievedContext(facts, texts, links=findings.links, notes=notes, run=asked.run)


class _Found:
    """What was found lately, by its text: a line of context that comes back is known with all that it is made of."""

    def __init__(self) -> None:
        self._facts: OrderedDict[str, Fact] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, facts: Sequence[Fact]) -> None:
        with self._lock:
            for fact in facts:
                self._facts[fact.text] = fact
                self._facts.move_to_end(fact.text)
            while len(self._facts) > _REMEMBERED:
                self._facts.popitem(last=False)

    def facts(self, lines: Sequence[str]) -> tuple[Fact, ...]:
        with self._lock:
            return tuple(self._facts.get(line) or Fact(line, "statement", 1.0, "context") for line in lines)


class _Calls:
    """The calls of each model for one question: one budget for each model."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._by_model: dict[int, ModelCalls] = {}

    def of(self, model: LanguageModel | None) -> ModelCalls | None:
        if model is None:
            return None
        if id(model) not in self._by_model:
            self._by_model[id(model)] = self._asked.calls(model)
        return self._by_model[id(model)]


def _within(facts: Sequence[Fact], tokens: int) -> tuple[tuple[Fact, ...], int]:
    """The best facts that so many tokens have room for, and how many are left out."""
    kept = []
    for fact in facts:
        tokens -= estimated_tokens(fact.text)
        if tokens < 0:
            break
        kept.append(fact)
    return tuple(kept), len(facts) - len(kept)
