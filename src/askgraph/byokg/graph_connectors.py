"""The linkers: a model's proposals for a question, in one call each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from ..core.errors import PlanError
from ..core.evidence import Fact
from ..core.schema import Schema
from ..engine import Graph
from ..models.language_model import LanguageModel
from ..retrievers.exploring.schema_outline import schema_outline
from ..retrievers.exploring.tagged_reply import lines, queries, read_proposal, sections
from ..strategies.agent.components import Situation
from ..strategies.agent.proposers import ModelProposer, all_kinds, facts_within, queries_alone, situation_data
from .graphs import GraphLike, graph_of
from .llm import language_model
from .runs import Asked


def parse_response(response: str, pattern: str) -> list[str]:
    """The lines in all that a pattern's first group finds in a reply; blank ones are left out."""
    found = re.findall(pattern, response, re.DOTALL)
    return [line.strip() for body in found for line in body.splitlines() if line.strip()]


class _Linker:
    """What both linkers share."""

    first: ClassVar[str]
    again: ClassVar[str]

    def __init__(
        self,
        llm_generator: LanguageModel | Any | None = None,
        graph_store: GraphLike | None = None,
        max_input_tokens: int = 32_000,
    ) -> None:
        """A linker.

        Args:
            llm_generator: a language model, or any object with ``generate(prompt, system_prompt)``.
            graph_store: the graph; that of the engine otherwise.
            max_input_tokens: the most tokens of what was found before.
        """
        self.llm_generator = llm_generator
        self.graph_store = graph_store
        self.max_input_tokens = max_input_tokens

    @cached_property
    def graph(self) -> Graph | None:
        """The graph, or ``None`` where it was given none."""
        return None if self.graph_store is None else graph_of(self.graph_store)

    @cached_property
    def model(self) -> LanguageModel | None:
        """The language model, or ``None`` where it was given none."""
        if self.llm_generator is None:
            return None
        return language_model(self.llm_generator, None if self.graph is None else self.graph.settings)

    def proposer(self, outline: Callable[[], str], languages: Sequence[str]) -> ModelProposer:
        """What the loop asks."""
        raise NotImplementedError

    def generate_response(
        self,
        question: str,
        schema: Schema | Mapping[str, Any] | str | None = None,
        graph_context: str = "",
        task_prompts: str | None = None,
        user_input: str = "",
    ) -> str:
        """What the model proposes, as it says it.

        Args:
            question: in plain words.
            schema: of the graph; its own otherwise.
            graph_context: what was found before, a line each. With it the model is asked what else to try, or to say
                that this is enough.
            task_prompts: instructions of your own, told to the model beside ours.
            user_input: what the user says besides.

        Raises:
            PlanError: there is no graph or no model, or the question is empty.
            ModelError, BudgetError: as the call.
        """
        asked, model = self._asked(question)
        calls = asked.calls(model)
        names = [
            f"{link.mention.text} = {link.name} ({link.id})"
            for link in asked.linked.things
            if link.kind == "node"
        ]
        besides = "\n".join(part for part in (user_input, task_prompts) if part)
        situation = Situation(question, besides, names=tuple(names), is_first=not graph_context)
        languages = asked.parts.store.capabilities.query_languages
        data = situation_data(situation, self._in_words(schema, asked), languages)
        facts = [
            Fact(line, "statement", 1.0, "context") for line in graph_context.splitlines() if line.strip()
        ]
        data["facts"] = facts_within(facts, self.max_input_tokens, calls.tokens)
        return calls.text(self.again if graph_context else self.first, data).text

    def parse_response(self, text: str) -> dict[str, list[str]]:
        """The proposals in a reply, by task; a task for which there are none has an empty list."""
        found = sections(text)
        proposal = read_proposal(text)
        return {
            "entity-extraction": list(proposal.entities),
            "path-extraction": list(proposal.paths),
            "opencypher": list(proposal.queries),
            "opencypher-linking": list(queries(found.get("opencypher-linking", ()))),
            "draft-answer-generation": list(proposal.answers),
            "task-completion": list(lines(found.get("task-completion", ()))),
        }

    def _asked(self, question: str) -> tuple[Asked, LanguageModel]:
        if self.graph is None or self.model is None:
            raise PlanError(
                f"this {type(self).__name__} has no {'graph' if self.graph is None else 'model'} of its own",
                advice=f"{type(self).__name__}(llm_generator, graph_store)",
            )
        return Asked.of(self.graph, question), self.model

    def _in_words(self, schema: Schema | Mapping[str, Any] | str | None, asked: Asked) -> str:
        if schema is None or isinstance(schema, Schema):
            return schema_outline(schema or asked.parts.schema, asked.relevance)
        return schema if isinstance(schema, str) else str(schema)


class KGLinker(_Linker):
    """Asks a model, in one call, for entities, paths, queries and draft answers; there is one prompt for the first time
    and one for the times after that."""

    first = "propose"
    again = "propose_again"

    def proposer(self, outline: Callable[[], str], languages: Sequence[str]) -> ModelProposer:
        """What the loop asks."""
        return all_kinds(outline, languages)


class CypherKGLinker(_Linker):
    """Asks a model for queries alone: those that find what the question names, and the one that answers it. On an RDF
    graph they are SPARQL."""

    first = "propose_query"
    again = "propose_query_again"

    def proposer(self, outline: Callable[[], str], languages: Sequence[str]) -> ModelProposer:
        """What the loop asks."""
        return queries_alone(outline, languages)
