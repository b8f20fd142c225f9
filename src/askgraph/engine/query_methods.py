"""What an open graph does with query texts in its own language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core.progress import SILENT, Progress
from ..core.query_result import QueryExplanation, QueryResult
from ..core.run import Run
from ..graph_queries import GraphQueries, QueryCheck, policy_of

if TYPE_CHECKING:
    import threading

    from ..core.budget import Budget
    from ..core.schema import Schema
    from ..core.settings import Settings
    from ..linking.graph_index import GraphIndex
    from ..models.base import Embedder
    from ..retrievers.querying.query_correction import Correction, QueryCorrector
    from ..stores.base import GraphStore


class QueryMethods:
    """A part of :class:`~askgraph.engine.graph.Graph`."""

    location: str
    settings: Settings
    store: GraphStore
    _queries: GraphQueries
    _lock: threading.RLock
    _correcting: tuple[GraphIndex, QueryCorrector] | None = None

    if TYPE_CHECKING:

        def schema(self) -> Schema: ...  # noqa: D102
        def _check_timeout(self, timeout: Any) -> None: ...
        def _open_index(self, run: Run, progress: Progress) -> GraphIndex: ...
        def _ready_embedder(self) -> Embedder | None: ...

    def check(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        language: str | None = None,
        rows: int | None = None,
        schema_check: bool = True,
    ) -> QueryCheck:
        """Whether a query may run here, and what it asks for that the graph does not have. Nothing is run.

        Args:
            query: a text in the graph's language.
            parameters: values of its parameters.
            language: ``"cypher"`` or ``"sparql"``; the graph's own otherwise.
            rows: the most rows; the setting ``rows``, or that of the gate, otherwise.
            schema_check: whether names and directions are compared with the schema.

        Raises:
            QuerySyntaxError: it is no query of the language.
            QueryRefusedError: the gate does not let it through.
            QueryFailedError: the graph takes no queries in that language.
        """
        self._check_timeout(None)
        schema = self.schema() if schema_check else None
        return self._queries.check(query, parameters, language=language, rows=rows, schema=schema)

    def query(
        self,
        query: str | QueryCheck,
        parameters: Mapping[str, Any] | None = None,
        *,
        language: str | None = None,
        timeout: float | None = None,
        rows: int | None = None,
        schema_check: bool = True,
        correct: bool = False,
        progress: Progress = SILENT,
    ) -> QueryResult:
        """Run a query that only reads, in the graph's own language.

        Args:
            query: a text, or what :meth:`check` gave.
            parameters: values of its parameters.
            language: as for :meth:`check`.
            timeout: seconds allowed; the setting ``timeout`` otherwise. What an embedded engine makes of the graph when
                it is first used does not count.
            rows: as for :meth:`check`.
            schema_check: as for :meth:`check`; what it finds is among the warnings of the result.
            correct: put the query right first, as :meth:`correct` does; what was changed is among the notes of the
                result, what could not be put right among its warnings.
            progress: told about what an embedded engine makes.

        Raises:
            QueryError: as :meth:`check`; :class:`QueryFailedError` too where the engine cannot run it.
            DeadlineExceededError, CapExceededError: the time is up, or memory is.
        """
        self._check_timeout(timeout)
        if correct and isinstance(query, str):
            correction = self.correct(query, parameters, language=language)
            checked = self._checked(
                correction.text, correction.parameters, language, rows, schema_check=False
            )
            checked = replace(checked, problems=correction.problems)
            result = self._queries.run(checked, correction.parameters, timeout=timeout, progress=progress)
            return replace(result, notes=(*correction.notes, *result.notes))
        checked = self._checked(query, parameters, language, rows, schema_check)
        return self._queries.run(checked, parameters, timeout=timeout, progress=progress)

    def correct(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        language: str | None = None,
        budget: Budget | None = None,
    ) -> Correction:
        """Put a query right by the schema and by the names and values of the graph, without running it.

        Args:
            query: a text in the graph's language.
            parameters: values of its parameters; texts among them are looked up too.
            language: as for :meth:`check`.
            budget: what the look-ups may take; two seconds at most.

        Returns:
            The query, what was changed in it, and what could not be told.

        Raises:
            QuerySyntaxError, QueryRefusedError: as :meth:`check`.
        """
        self._check_timeout(None)
        return self._corrector().correct(query, language=language, parameters=parameters, budget=budget)

    def _corrector(self) -> QueryCorrector:
        """What puts queries right. Kept: it takes the words of the schema apart once."""
        from ..retrievers.querying.query_correction import QueryCorrector

        run = Run("", graph=self.location, graph_version=self.store.capabilities.version)
        index = self._open_index(run, SILENT)
        with self._lock:
            if self._correcting is None or self._correcting[0] is not index:
                corrector = QueryCorrector(
                    self.schema(),
                    index=index,
                    store=self.store,
                    policy=policy_of(self.settings),
                    embedder=self._ready_embedder(),
                )
                self._correcting = (index, corrector)
            return self._correcting[1]

    def explain(
        self,
        query: str | QueryCheck,
        parameters: Mapping[str, Any] | None = None,
        *,
        language: str | None = None,
        timeout: float | None = None,
        progress: Progress = SILENT,
    ) -> QueryExplanation:
        """How the engine would run a query, without running it. Raises as :meth:`query`, and
        :class:`QueryFailedError` where the engine cannot tell."""
        self._check_timeout(timeout)
        checked = self._checked(query, parameters, language, None, False)
        return self._queries.explain(checked, parameters, timeout=timeout, progress=progress)

    def _checked(
        self,
        query: str | QueryCheck,
        parameters: Mapping[str, Any] | None,
        language: str | None,
        rows: int | None,
        schema_check: bool,
    ) -> QueryCheck:
        if isinstance(query, QueryCheck):
            return query
        return self.check(query, parameters, language=language, rows=rows, schema_check=schema_check)
