"""Queries put right before they run, with no language model: by the schema, then by the values that the graph has.

A query that names what the graph does not have, points an arrow the wrong way or asks for a name in another spelling
gives no rows, and no engine says why. What is meant is mostly clear: then it is put right, and said. Where it is not,
the query stays as it is there, and it is said exactly what is wrong and what may be meant. Nothing is executed here but
bounded look-ups; what comes out has to pass the gate like any other text.

Linking the values of a generated query to what the graph holds is the largest gain known in text-to-query; see the
measurements in docs/query-correction.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...core.budget import Budget
from ...core.hidden import NOTHING_HIDDEN, Hidden
from ...core.schema import Schema
from ...core.values import Value
from ...querying.gate import check
from ...querying.languages import guess_language
from ...querying.policy import GatePolicy
from ...querying.rewriting import RewritesText, rewritten
from ...querying.schema_check import SchemaProblem, problems_of
from .correction.changes import Change, Correction
from .correction.denied import hold_back_guesses
from .correction.draft import Doubt, Draft
from .correction.schema_words import SchemaWords
from .correction.value_lookup import Memory, ValueLookup
from .correction.visible import visible_schema

if TYPE_CHECKING:
    from ...linking.graph_index import GraphIndex
    from ...models.base import Embedder
    from ...stores.base import Capabilities, GraphStore

_DENY_LISTS_KEPT = 8

__all__ = ["Change", "Correction", "QueryCorrector", "correct"]


def correct(
    text: str,
    *,
    language: str | None = None,
    schema: Schema,
    index: GraphIndex | None = None,
    store: GraphStore | None = None,
    policy: GatePolicy | None = None,
    budget: Budget | None = None,
    parameters: Mapping[str, Value] | None = None,
    embedder: Embedder | None = None,
) -> Correction:
    """Put one query right; see :class:`QueryCorrector`, which does it for many without preparing anew."""
    corrector = QueryCorrector(schema, index=index, store=store, policy=policy, embedder=embedder)
    return corrector.correct(text, language=language, parameters=parameters, budget=budget)


@dataclass
class QueryCorrector:
    """Puts the queries on one graph right.

    Args:
        schema: of the graph, in the words of its owner.
        index: its names and values; without it, and without a store, values stay as they are.
        store: the graph, for what the index does not have; asked within the budget, never for more than a few rows.
        policy: what the operator allows queries to do.
        embedder: for names of types and properties that are like none by their words.
    """

    schema: Schema
    index: GraphIndex | None = None
    store: GraphStore | None = None
    policy: GatePolicy | None = None
    embedder: Embedder | None = None
    _words: dict[Hidden, SchemaWords] = field(init=False, repr=False, default_factory=dict)
    _memory: Memory = field(init=False, repr=False, default_factory=Memory)

    def correct(
        self,
        text: str,
        *,
        language: str | None = None,
        parameters: Mapping[str, Value] | None = None,
        budget: Budget | None = None,
        hidden: Hidden = NOTHING_HIDDEN,
    ) -> Correction:
        """Put a query right.

        Args:
            text: what a user or a model wrote.
            language: ``"cypher"`` or ``"sparql"``; by the first words of the text otherwise.
            parameters: the values of its parameters; texts among them are linked too.
            budget: what the look-ups may take in all (two seconds at most).
            hidden: what it must not lead to nor tell of, beside what the operator hides.

        Raises:
            QuerySyntaxError: the text is no query of its language.
            QueryRefusedError: it is one that may not run. A refusal is never put right.
            SettingsError: as the gate.
        """
        language = language or self._language(text)
        policy = replace(self._gate, hidden=self._gate.hidden + hidden)
        words = self._visible_words(policy.hidden)
        lookup = self._lookup(words.schema, budget or Budget(), policy.hidden)
        draft, linked = self._drafted(text, language, words, lookup, dict(parameters or {}))
        hold_back_guesses(draft)
        new = rewritten(draft.source, draft.original, draft.tree, _LANGUAGES[language](self._gate))
        self._pass_gate(new, language, linked, policy)
        problems = problems_of(draft.tree, draft.source, language, words.schema)
        found = _joined(problems, draft)
        return Correction(new, tuple(draft.changes), found, linked, tuple(lookup.unlooked))

    # Its parts

    @property
    def _gate(self) -> GatePolicy:
        return self.policy or GatePolicy()

    @cached_property
    def _capabilities(self) -> Capabilities | None:
        """Asked for once: to tell them some stores look around."""
        return self.store.capabilities if self.store is not None else None

    def _language(self, text: str) -> str:
        languages = self._capabilities.query_languages if self._capabilities is not None else ()
        return languages[0] if languages else guess_language(text)

    def _lookup(self, schema: Schema, budget: Budget, hidden: Hidden) -> ValueLookup:
        names = self.index.names if self.index is not None else None
        values = self.index.values if self.index is not None else None
        return ValueLookup(schema, self.store, names, values, budget, self._memory, hidden)

    def _visible_words(self, hidden: Hidden) -> SchemaWords:
        """The words of the schema without what is hidden; those of the last few deny-lists are kept."""
        known = self._words.get(hidden)
        if known is None:
            labels = self.index.labels if self.index is not None else {}
            schema = visible_schema(self.schema, hidden)
            known = SchemaWords(schema, vectors=labels, embedder=self.embedder)
            if len(self._words) >= _DENY_LISTS_KEPT:
                self._words.clear()
            self._words[hidden] = known
        return known

    def _dialect(self, language: str) -> str | None:
        known = self._capabilities
        return (known.dialect or None) if language == "cypher" and known is not None else None

    def _drafted(
        self,
        text: str,
        language: str,
        words: SchemaWords,
        lookup: ValueLookup,
        parameters: dict[str, Value],
    ) -> tuple[Draft[Any], dict[str, Value]]:
        """The query as it is to be, and its parameters."""
        if language == "cypher":
            from .correction.cypher import corrected_cypher

            return corrected_cypher(text, words, lookup, parameters, self._dialect(language))
        from .correction.sparql import corrected_sparql

        return corrected_sparql(text, words, lookup, self._gate.prefixes), parameters

    def _pass_gate(
        self, text: str, language: str, parameters: Mapping[str, Value], policy: GatePolicy
    ) -> None:
        check(
            text,
            language=language,
            dialect=self._dialect(language),
            policy=policy,
            parameters=parameters,
        )


def _cypher(policy: GatePolicy) -> RewritesText:
    from ...querying.cypher.parser import parse
    from ...querying.cypher.printer import text_of

    return RewritesText(lambda text: parse(text).statement, text_of)


def _sparql(policy: GatePolicy) -> RewritesText:
    from ...querying.sparql.parser import parse
    from ...querying.sparql.printer import text_of

    return RewritesText(lambda text: parse(text, prefixes=policy.prefixes).query, text_of)


_LANGUAGES: dict[str, Callable[[GatePolicy], RewritesText]] = {"cypher": _cypher, "sparql": _sparql}


def _joined(problems: tuple[SchemaProblem, ...], draft: Draft[Any]) -> tuple[SchemaProblem, ...]:
    """The problems that the schema check finds, and the doubts of the correction, which know more where both speak of
    one place."""
    own = [_as_problem(doubt, draft) for doubt in draft.doubts]
    told = {(item.offset, _KINDS.get(item.code, item.code)) for item in own}
    rest = [item for item in problems if (item.offset, _KINDS.get(item.code, item.code)) not in told]
    return tuple(sorted((*own, *rest), key=lambda item: (item.offset, item.code)))


# What the schema check and the correction may call differently at one place.
_KINDS: dict[str, str] = {"wrong-ends": "ends", "wrong-direction": "ends"}


def _as_problem(doubt: Doubt, draft: Draft[Any]) -> SchemaProblem:
    line, column, offset = draft.source.position(doubt.span.start)
    excerpt = draft.source.excerpt(doubt.span)
    return SchemaProblem(
        doubt.code,
        doubt.message,
        doubt.advice,
        doubt.suggestions,
        line,
        column,
        offset,
        excerpt,
        doubt.severity,
    )
