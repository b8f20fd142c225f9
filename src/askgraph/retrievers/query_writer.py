"""Asks a model for a query: what it is shown, and what it is told when it must write again."""

from __future__ import annotations

from ..core.evidence import Link
from ..core.run import Run
from ..core.schema import Schema
from ..linking.graph_index import GraphIndex
from ..linking.linked_question import LinkedQuestion
from ..models.base import Embedder
from ..models.calls import ModelCalls
from ..stores.base import Capabilities


class QueryWriter:
    """Makes the prompts for queries on one graph."""

    def __init__(
        self,
        schema: Schema,
        index: GraphIndex,
        embedder: Embedder | None,
        capabilities: Capabilities,
    ) -> None:
        self._schema = schema
        self._index = index
        self._embedder = embedder
        self._capabilities = capabilities

    def task(self, question: LinkedQuestion, language: str, calls: ModelCalls, run: Run) -> QueryTask:
        """What the model is shown for one question."""
        data = {
            "question": question.question.text,
            "schema": _whole(self._schema),
            "mentions": "\n".join(_mention(link, self._schema) for link in question.things),
            "examples": "",
            "dialect": self._capabilities.engine,
        }
        return QueryTask(language, data, calls, run)


class QueryTask:
    """One question for which a query is to be written."""

    def __init__(self, language: str, data: dict[str, str], calls: ModelCalls, run: Run) -> None:
        self._language = language
        self._data = data
        self._calls = calls
        self._run = run
        self._written = ""

    def write(self) -> str:
        """The model's reply to the question."""
        with self._run.step("write query") as step:
            reply = self._calls.text(self._language, self._data)
            step.note(reply=reply.text)
        self._written = reply.text
        return reply.text

    def write_again(self, written: str, diagnostic: str) -> str:
        """Its reply after what it wrote did not do."""
        data = {**self._data, "query": written, "problem": diagnostic}
        with self._run.step("write query") as step:
            reply = self._calls.text(f"{self._language}_repair", data)
            step.note(reply=reply.text, is_repair=True)
        return reply.text


def _whole(schema: Schema) -> str:
    lines = []
    for item in schema.node_types:
        keys = ", ".join(own.key for own in schema.properties_of(item.id))
        lines.append(f"(:{item.id} {{{keys}}})  {item.description}".rstrip())
    for edge in schema.edge_types:
        for end in edge.ends:
            lines.append(f"(:{end.source})-[:{edge.id}]->(:{end.target})")
    return "\n".join(lines)


def _mention(link: Link, schema: Schema) -> str:
    """``"hinges" is the Product 'Hinge 4mm'``."""
    kind = " ".join(schema.label_of(type) for type in link.types[:1]) or link.kind
    return f'"{link.mention.text}" is the {kind} {link.name!r} (id {link.id})'
