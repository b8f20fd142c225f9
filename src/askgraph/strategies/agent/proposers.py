"""Asking a model, in one call, what to try for a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ...core.evidence import Fact
from ...models.calls import ModelCalls
from ...retrievers.exploring.tagged_reply import Proposal, read_proposal
from .components import Situation

REPLY_TOKENS: Final = 1_500
# What facts may take of the room that is left: an estimate of tokens is one.
_SHARE_OF_FACTS: Final = 0.8
_MOST_FACTS: Final = 200
_QUERY_LANGUAGES: Final = {"cypher": "Cypher", "sparql": "SPARQL"}


class ModelProposer:
    """Asks a model. There is one prompt for the first time, and one for the times after that.

    Args:
        name: what runs call it.
        first: the name of the first prompt.
        again: the name of the others.
        schema: gives the schema in lines.
        languages: query languages of the graph.
    """

    def __init__(
        self, name: str, first: str, again: str, schema: Callable[[], str], languages: Sequence[str]
    ) -> None:
        self._name = name
        self._first = first
        self._again = again
        self._schema = schema
        self._languages = tuple(languages)

    @property
    def name(self) -> str:
        """As given."""
        return self._name

    def propose(self, situation: Situation, calls: ModelCalls | None) -> Proposal:
        """What to try: one call."""
        if calls is None:
            return Proposal(is_finished=True)
        purpose = self._first if situation.is_first else self._again
        data = situation_data(situation, self._schema(), self._languages)
        room = calls.tokens_left(purpose, data, max_tokens=REPLY_TOKENS)
        data["facts"] = facts_within(situation.facts, int(room * _SHARE_OF_FACTS), calls.tokens)
        return read_proposal(calls.text(purpose, data, max_tokens=REPLY_TOKENS).text)


def all_kinds(schema: Callable[[], str], languages: Sequence[str]) -> ModelProposer:
    """Proposes entities, paths, queries and answers."""
    return ModelProposer("linker", "propose", "propose_again", schema, languages)


def queries_alone(schema: Callable[[], str], languages: Sequence[str]) -> ModelProposer:
    """Proposes queries: for what is asked about, and for the answer."""
    return ModelProposer("query linker", "propose_query", "propose_query_again", schema, languages)


def situation_data(situation: Situation, schema: str, languages: Sequence[str]) -> dict[str, str]:
    """The data of a prompt, but for the facts."""
    return {
        "question": situation.question,
        "user_input": situation.user_input,
        "schema": schema,
        "names": "\n".join(situation.names),
        "feedback": "\n".join(situation.feedback),
        "facts": "",
        "query_language": _QUERY_LANGUAGES.get(languages[0], languages[0]) if languages else "",
    }


def facts_within(facts: Sequence[Fact], room: int, tokens: Callable[[str], int]) -> str:
    """The best facts that so many tokens have room for, a line each; how many are left out is said."""
    kept: list[str] = []
    for fact in facts[:_MOST_FACTS]:
        room -= tokens(fact.text)
        if room < 0:
            break
        kept.append(fact.text)
    if len(kept) < len(facts):
        kept.append(f"({len(facts) - len(kept)} more facts are left out.)")
    return "\n".join(kept)
