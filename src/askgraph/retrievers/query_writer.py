"""Asks a model for a query: what it is shown, and what it is told when it must write again."""

from __future__ import annotations

from ..core.evidence import Link
from ..core.hidden import NOTHING_HIDDEN, Hidden
from ..core.run import Run
from ..core.schema import Schema
from ..linking.graph_index import GraphIndex
from ..linking.language import language
from ..linking.linked_question import LinkedQuestion
from ..linking.schema_relevance import SchemaRelevance
from ..linking.schema_selection import select_schema
from ..linking.schema_text import schema_text
from ..models.base import Embedder
from ..models.calls import ModelCalls
from ..stores.base import Capabilities
from ..stores.query_text import LANGUAGE_NAMES

# Names of one mention that are shown; more only say that the name is common.
_MOST_NAMES = 3
SCHEMA_TOKENS = 4_000


class QueryWriter:
    """Makes the prompts for queries on one graph.

    Args:
        schema: what a query may use.
        index: of the graph; its vectors tell which parts of a schema a question is about.
        embedder: what those vectors are of.
        capabilities: of the graph; its engine is told.
        examples: solved examples of the graph, or ``None``.
        schema_tokens: tokens that the schema may take in a prompt.
        hidden: what no prompt shows.
        nearby: what was found in the graph around what the question names, for the model to see.
    """

    def __init__(
        self,
        schema: Schema,
        index: GraphIndex,
        embedder: Embedder | None,
        capabilities: Capabilities,
        *,
        schema_tokens: int = SCHEMA_TOKENS,
        hidden: Hidden = NOTHING_HIDDEN,
        nearby: str = "",
    ) -> None:
        self._schema = schema
        self._index = index
        self._embedder = embedder
        self._capabilities = capabilities
        self._schema_tokens = schema_tokens
        self._hidden = hidden
        self._nearby = nearby

    def task(self, question: LinkedQuestion, query_language: str, calls: ModelCalls, run: Run) -> QueryTask:
        """What the model is shown for one question."""
        data = {
            "question": question.question.text,
            "mentions": "\n".join(self._mentions(question)),
            "nearby": self._nearby,
            "examples": "",
            "dialect": f"{LANGUAGE_NAMES[query_language]} of {self._capabilities.engine}",
        }
        with run.step("choose schema") as step:
            room = calls.tokens_left(
                f"{query_language}_repair", {**data, "schema": "", "query": "", "problem": ""}
            )
            selected = select_schema(
                self._schema,
                question,
                SchemaRelevance(
                    self._schema, language(question.language), self._index.labels, self._embedder
                ),
                schema_text(query_language),
                budget=min(self._schema_tokens, max(room // 2, 1)),
                tokens=calls.tokens,
                hidden=self._hidden,
            )
            step.note(**selected.to_dict())
        return QueryTask(query_language, {**data, "schema": selected.text}, calls, run)

    def _mentions(self, question: LinkedQuestion) -> list[str]:
        """What the words of the question name, as the graph has it: ``"hinges" is the Product 'Hinge 4mm'``."""
        lines = []
        for mention in question.mentions:
            links = [link for link in question.things if link.mention == mention]
            lines += [self._in_words(link) for link in links[:_MOST_NAMES]]
        return lines

    def _in_words(self, link: Link) -> str:
        kinds = ", ".join(self._schema.label_of(type) for type in link.types)
        if link.kind == "value":
            return f'"{link.mention.text}" is the value {link.name!r} of {kinds or "a property"}'
        return f'"{link.mention.text}" is {link.name!r} ({kinds or "a node"}), id {link.id}'


class QueryTask:
    """One question for which a query is to be written."""

    def __init__(self, query_language: str, data: dict[str, str], calls: ModelCalls, run: Run) -> None:
        self._language = query_language
        self._data = data
        self._calls = calls
        self._run = run

    def write(self) -> str:
        """The model's reply to the question."""
        with self._run.step("write query") as step:
            reply = self._calls.text(self._language, self._data)
            step.note(reply=reply.text)
        return reply.text

    def write_again(self, written: str, diagnostic: str) -> str:
        """Its reply after what it wrote did not do."""
        data = {**self._data, "query": written, "problem": diagnostic}
        with self._run.step("write query") as step:
            reply = self._calls.text(f"{self._language}_repair", data)
            step.note(reply=reply.text, is_repair=True)
        return reply.text
