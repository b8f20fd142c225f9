"""Asks a model for a query: what it is shown, and what it is told when it must write again.

It is shown the part of the schema that the question needs, in the spelling of the query language; what the words of the
question name in the graph; solved questions that are like it; and where the engine differs from others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from ...core.evidence import Link
from ...core.hidden import NOTHING_HIDDEN, Hidden
from ...core.printable import printable
from ...core.run import Run
from ...core.schema import UNTYPED, Schema
from ...core.words import local_name
from ...linking.graph_index import GraphIndex
from ...linking.linked_question import LinkedQuestion
from ...linking.property_values import value_of
from ...linking.schema_chooser import SchemaChooser
from ...linking.schema_text import schema_text
from ...models.base import Embedder
from ...models.calls import ModelCalls
from ...querying.dialect_notes import dialect_notes
from ...stores.base import Capabilities
from ...stores.query_text import LANGUAGE_NAMES

SCHEMA_TOKENS = 4_000
"""Tokens that a schema may take in a prompt, where nobody says."""

_MOST_MENTIONS = 12
_MOST_NAMESAKES = 3
_MOST_EXAMPLES = 4


class Example(Protocol):
    """A question that was solved."""

    @property
    def question(self) -> str:
        """As it was asked."""

    @property
    def query(self) -> str:
        """What answers it."""


class FindsExamples(Protocol):
    """Knows solved questions of a graph."""

    def similar(
        self, question: LinkedQuestion, limit: int, *, language: str, hidden: Hidden
    ) -> Sequence[Example]:
        """Those most like a question whose query is in this language and names nothing hidden, the best first."""


class QueryWriter:
    """Makes the prompts for queries on one graph.

    Args:
        schema: what a query may use.
        index: of the graph; its vectors tell which parts of a schema a question is about.
        embedder: what those vectors are of.
        capabilities: of the graph; its engine is told.
        examples: solved questions of the graph, or ``None``.
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
        examples: FindsExamples | None = None,
        schema_tokens: int = SCHEMA_TOKENS,
        hidden: Hidden = NOTHING_HIDDEN,
        nearby: str = "",
    ) -> None:
        self._schema = schema
        self._chooser = SchemaChooser(schema, index.labels, embedder, hidden)
        self._capabilities = capabilities
        self._examples = examples
        self._schema_tokens = schema_tokens
        self._hidden = hidden
        self._nearby = nearby

    def task(self, question: LinkedQuestion, language: str, calls: ModelCalls, run: Run) -> QueryTask:
        """What the model is shown for one question."""
        engine, dialect = self._capabilities.engine, self._capabilities.dialect
        data = {
            "question": question.question.text,
            "mentions": "\n".join(_mentions(question, self._schema, language)),
            "nearby": self._nearby,
            "examples": self._solved(question, language, run),
            "dialect": f"{LANGUAGE_NAMES[language]} of {engine}",
            "notes": "\n".join(dialect_notes(language, engine=engine, dialect=dialect)),
        }
        room = calls.tokens_left(f"{language}_repair", {**data, "schema": "", "query": "", "problem": ""})
        with run.step("choose schema") as step:
            selected = self._chooser.choose(
                question,
                schema_text(language, dict(self._capabilities.prefixes)),
                budget=min(self._schema_tokens, max(room // 2, 1)),
                tokens=calls.tokens,
            )
            step.note(**selected.to_dict())
        return QueryTask(language, {**data, "schema": selected.text}, calls, run)

    def _solved(self, question: LinkedQuestion, language: str, run: Run) -> str:
        if self._examples is None:
            return ""
        with run.step("find solved questions") as step:
            found = self._examples.similar(question, _MOST_EXAMPLES, language=language, hidden=self._hidden)
            step.note(questions=[example.question for example in found])
        return "\n\n".join(f"Question: {example.question}\n{example.query.strip()}" for example in found)


class QueryTask:
    """One question for which a query is to be written."""

    def __init__(self, language: str, data: dict[str, str], calls: ModelCalls, run: Run) -> None:
        self._language = language
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


# --- what the words of a question name


def _mentions(question: LinkedQuestion, schema: Schema, language: str) -> Iterable[str]:
    """``"hinges" is the Product "Hinge 4mm"``, a line for each thing that a word may name."""
    shown = 0
    for mention in question.mentions:
        links = [link for link in question.things if link.mention == mention]
        for link in links[:_MOST_NAMESAKES]:
            if shown == _MOST_MENTIONS:
                return
            shown += 1
            yield f'"{mention.text}" is {_thing(link, schema, language)}'
        others = max(len(links), max(link.alternatives for link in links) + 1) - _MOST_NAMESAKES
        if others > 0:
            yield f'"{mention.text}" may be {others:,} others of that name'


def _thing(link: Link, schema: Schema, language: str) -> str:
    name = printable(link.name)
    if link.kind == "value":
        key = value_of(link.id)[0]
        return f'the value "{name}" of {_name(key, language)}'
    types = [_name(type, language) for type in link.types if type != UNTYPED and schema.has_node_type(type)]
    what = f'the {types[0]} "{name}"' if types else f'"{name}"'
    return f"{what}, <{link.id}>" if language == "sparql" and "://" in link.id else what


def _name(id: str, language: str) -> str:
    return local_name(id) if language == "sparql" else id
