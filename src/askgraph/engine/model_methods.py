"""What an open graph does with a language model, beside answering."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core.dry_run import DryRun
from ..core.errors import ModelAuthenticationError, ModelError
from ..core.hidden import NOTHING_HIDDEN, Hidden
from ..core.progress import SILENT, Progress
from ..core.run import Run, Step
from ..core.schema import Schema
from ..models.dry_run import DryRunModel
from ..models.registry import make_model
from ..strategies.base import Parts, no_model
from ..strategies.finding import text_to_query
from ..strategies.registry import make_strategy
from .dry_running import dry_run_of

if TYPE_CHECKING:
    from ..core.settings import Settings
    from ..linking.graph_index import GraphIndex
    from ..linking.linked_question import LinkedQuestion
    from ..models.language_model import LanguageModel
    from ..retrievers.querying.text_to_query import FoundByQuery
    from ..stores.base import GraphStore


class ModelMethods:
    """A part of :class:`~askgraph.engine.graph.Graph`."""

    location: str
    settings: Settings
    store: GraphStore

    if TYPE_CHECKING:

        @property
        def model(self) -> LanguageModel | None: ...  # noqa: D102
        def _check_question(self, question: Any, timeout: Any) -> None: ...
        def _link(self, question: str, run: Run, progress: Progress) -> LinkedQuestion: ...
        def _open_index(self, run: Run, progress: Progress) -> GraphIndex: ...
        def _parts(self, index: GraphIndex, model: LanguageModel | None) -> Parts: ...

    def find(
        self,
        question: str,
        *,
        model: Any = None,
        schema: Schema | None = None,
        hidden: Hidden = NOTHING_HIDDEN,
        language: str | None = None,
        timeout: float | None = None,
        query_timeout: float | None = None,
        rows: int | None = None,
        on_step: Callable[[Step, bool], None] | None = None,
        progress: Progress = SILENT,
    ) -> FoundByQuery:
        """The rows that answer a question: a model writes a query, the gate checks it, the graph runs it.

        Args:
            question: in plain words.
            model: a language model, or any object with ``generate(prompt, system_prompt)``; that of the graph
                otherwise.
            schema: the part of the graph's schema that the query may use; all of it otherwise.
            hidden: what the query must not see, beside what the operator hides.
            language: ``"cypher"`` or ``"sparql"``; the graph's own otherwise.
            timeout: seconds allowed in all; the setting ``timeout`` otherwise.
            query_timeout: seconds that a query may run; the setting ``query_timeout`` otherwise.
            rows: the most rows; the setting ``rows`` otherwise.
            on_step: called with each step as it begins (``False``) and ends (``True``).
            progress: told about the making of a missing index.

        Raises:
            AskgraphError: as :meth:`askgraph.retrievers.querying.text_to_query.TextToQuery.find`; :class:`PlanError`
                too for an empty question, and :class:`ModelError` where there is no model.
        """
        self._check_question(question, timeout)
        writing = self.model if model is None else make_model(self.settings, model)
        if writing is None:
            raise no_model("a query is written by a language model")
        run = Run(
            question,
            graph=self.location,
            graph_version=self.store.capabilities.version,
            on_step=on_step,
        )
        index = self._open_index(run, progress)
        settings = self.settings if timeout is None else self.settings.model_copy(update={"timeout": timeout})
        budget = settings.budget()
        parts = self._parts(index, writing)
        if schema is not None:
            parts = replace(parts, schema=schema)
        finder = text_to_query(parts, language=language, hidden=hidden, seconds=query_timeout, rows=rows)
        calls = parts.calls(budget, run)
        return finder.find(self._link(question, run, progress), calls, budget, run)

    def dry_run(self, question: str, *, strategy: str = "auto", progress: Progress = SILENT) -> DryRun:
        """What the model would be asked first, and what that would cost. No model is called, nothing is stored.

        Raises:
            PlanError: as :meth:`ask`; also where no model is set.
        """
        self._check_question(question, None)
        would_be_asked = self._model_without_key()
        if would_be_asked is None:
            raise no_model("a dry run shows what a language model would be asked")
        model = DryRunModel(would_be_asked)
        run = Run(question, graph=self.location, graph_version=self.store.capabilities.version)
        parts = self._parts(self._open_index(run, progress), model)
        budget = self.settings.budget()
        with suppress(ModelError):
            make_strategy(strategy, parts).answer(self._link(question, run, progress), budget, run)
        return dry_run_of(question, strategy, model, self.settings)

    def _model_without_key(self) -> LanguageModel | None:
        """The model, also where its key is still missing: it will not be called."""
        from pydantic import SecretStr

        try:
            return self.model
        except ModelAuthenticationError:
            return make_model(self.settings.model_copy(update={"model_key": SecretStr("none yet")}))
