"""Query texts put to an open graph: through the gate, past the schema, to the store.

A user's own query and one that a model has written go the same way; nothing gets to a store by another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .core.budget import Budget
from .core.errors import QueryFailedError, QuerySyntaxError, SettingsError
from .core.hidden import NOTHING_HIDDEN, Hidden
from .core.progress import SILENT, Progress
from .core.query_result import QueryExplanation, QueryResult
from .core.schema import Schema
from .core.settings import Settings
from .querying.gate import CheckedQuery, check
from .querying.policy import GatePolicy
from .querying.schema_check import SchemaProblem, check_schema
from .stores.base import GraphStore, PreparesQueries
from .stores.query_text import LANGUAGE_NAMES

_COMMENTS = re.compile(r"\s+|#[^\n]*\n?|//[^\n]*\n?|/\*.*?\*/", re.DOTALL)
_FIRST_WORDS = {
    "sparql": ("select", "construct", "ask", "describe", "prefix", "base"),
    "cypher": ("match", "optional", "return", "with", "unwind", "call", "cypher"),
}


@dataclass(frozen=True, slots=True)
class QueryCheck:
    """A query that may run on a graph, and where it asks for what the graph does not have.

    Attributes:
        query: what the store takes.
        problems: with the graph's schema, in the order of the text; none if it was not looked at.
    """

    query: CheckedQuery
    problems: tuple[SchemaProblem, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """The problems, each in a line."""
        return tuple(
            " ".join(
                part
                for part in (f"{problem.message[:1].upper()}{problem.message[1:]}.", problem.advice)
                if part
            )
            for problem in self.problems
        )


def policy_of(settings: Settings) -> GatePolicy:
    """What the operator allows queries to do, and what nobody is to see.

    Raises :class:`SettingsError` for a setting of the gate that does not exist.
    """
    return replace(GatePolicy().updated(settings.gate), hidden=settings.hidden)


class GraphQueries:
    """Checks, explains and runs query texts on one graph."""

    def __init__(self, store: GraphStore, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    def check(
        self,
        text: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        language: str | None = None,
        rows: int | None = None,
        schema: Schema | None = None,
        hidden: Hidden = NOTHING_HIDDEN,
    ) -> QueryCheck:
        """Let a query through the gate as the operator has set it, and compare it with a schema if one is given.

        ``hidden`` is not seen by this query, beside what the operator hides from all.

        Raises:
            QuerySyntaxError, QueryRefusedError: it may not run.
            QueryFailedError: the graph takes no queries in that language.
            SettingsError: settings of the gate that do not exist, or a number of rows that is none.
        """
        capabilities = self._store.capabilities
        language = self.language(language)
        policy = self._policy(rows)
        if hidden:
            policy = replace(policy, hidden=policy.hidden + hidden)
        try:
            checked = check(
                text,
                language=language,
                dialect=capabilities.dialect or None,
                policy=policy,
                parameters=dict(parameters or {}),
            )
        except QuerySyntaxError as error:
            error.advice = _wrong_language(text, language) or error.advice
            raise
        problems = () if schema is None else check_schema(checked, schema)
        return QueryCheck(checked, problems)

    def run(
        self,
        checked: QueryCheck,
        parameters: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        progress: Progress = SILENT,
    ) -> QueryResult:
        """Run a query that was checked; its problems are among the warnings of the result.

        Raises:
            QueryFailedError: the engine cannot run it.
            DeadlineExceededError, CapExceededError, OpenError: as the store's ``query``.
        """
        self._prepare(progress)
        result = self._store.query(checked.query, parameters, self._budget(checked, timeout))
        return replace(result, warnings=(*checked.warnings, *result.warnings)) if checked.problems else result

    def explain(
        self,
        checked: QueryCheck,
        parameters: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        progress: Progress = SILENT,
    ) -> QueryExplanation:
        """How the engine would run a query. Raises as :meth:`run`; :class:`QueryFailedError` if it cannot tell."""
        self._prepare(progress)
        return self._store.explain(checked.query, parameters, self._budget(checked, timeout))

    def _prepare(self, progress: Progress) -> None:
        """What an embedded engine derives from the graph is made before the clock of the query starts."""
        if isinstance(self._store, PreparesQueries):
            self._store.prepare_queries(progress)

    def language(self, wanted: str | None) -> str:
        """The language of query texts that is wanted, or else the graph's own.

        Raises:
            QueryFailedError: the graph does not take that language, or none.
        """
        languages = self._store.capabilities.query_languages
        if not languages:
            raise QueryFailedError("this graph takes no query text", code="language")
        if wanted is None:
            return languages[0]
        if wanted in languages:
            return wanted
        known = " or ".join(LANGUAGE_NAMES.get(name, name) for name in languages)
        raise QueryFailedError(
            f"this graph takes {known}, not {LANGUAGE_NAMES.get(wanted, wanted)}",
            code="language",
            advice=f"Write the query in {known}.",
        )

    def _policy(self, rows: int | None) -> GatePolicy:
        """What the operator allows; a caller may ask for fewer rows, and for more only where the operator set none."""
        policy = policy_of(self._settings)
        if rows is None:
            if "rows" not in self._settings.gate:
                policy = replace(policy, rows=self._settings.rows)
            return policy
        _check_rows(rows)
        most = policy.rows if "rows" in self._settings.gate else None
        return replace(policy, rows=rows if most is None else min(rows, most))

    def _budget(self, checked: QueryCheck, timeout: float | None) -> Budget:
        budget = self._settings.budget()
        rows = checked.query.row_cap
        seconds = budget.seconds if timeout is None else timeout
        return Budget(seconds=seconds, rows=budget.rows if rows is None else rows, fan_out=budget.fan_out)


def _check_rows(rows: Any) -> None:
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
        raise SettingsError(f"the number of rows must be a whole number above zero, not {rows!r}")


def _wrong_language(text: str, language: str) -> str | None:
    """What to say of a text that looks like another language than the graph's."""
    position = 0
    while found := _COMMENTS.match(text, position):
        position = found.end()
    word = re.match(r"\w+", text[position:])
    for other, words in _FIRST_WORDS.items():
        if other != language and word is not None and word[0].lower() in words:
            return f"This looks like {LANGUAGE_NAMES[other]}; this graph takes {LANGUAGE_NAMES[language]}."
    return None
