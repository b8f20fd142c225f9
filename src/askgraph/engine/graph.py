"""A graph that answers questions: the loop from question to answer, and everything that it needs kept ready."""

from __future__ import annotations

import asyncio
import math
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from ..core.budget import Budget
from ..core.descriptions import Descriptions, describe
from ..core.errors import (
    CorruptIndexError,
    OpenError,
    PlanError,
    SettingsError,
)
from ..core.evidence import Answer
from ..core.linked_text import LinkedText
from ..core.progress import SILENT, Progress
from ..core.run import Run, Step, without_credentials
from ..core.run_store import RunStore
from ..core.schema import Schema
from ..core.settings import Settings
from ..graph_queries import GraphQueries
from ..linking.detection import detect_language
from ..linking.explanation import explain_links
from ..linking.graph_index import GraphIndex, IndexReport
from ..linking.guessed_labels import with_guessed_labels
from ..linking.language import Language, language
from ..linking.linker import LinkedQuestion, Linker
from ..linking.name_meanings import EmbeddingReport, NameEmbedding
from ..linking.translation import Translator
from ..models.base import Embedder
from ..models.language_model import LanguageModel
from ..models.registry import make_embedder, make_model
from ..stores.folder import DERIVED_FOLDER, SUBGRAPHS_FOLDER
from ..strategies.base import Parts, Strategy
from ..strategies.registry import check_nested, check_strategy, make_strategy
from .example_methods import ExampleMethods
from .index_keeper import IndexKeeper, IndexStatus
from .model_methods import ModelMethods
from .pool import shared_pool
from .query_methods import QueryMethods
from .subgraph_methods import SubgraphMethods
from .subgraphs import Subgraphs

if TYPE_CHECKING:
    from ..retrievers.subgraph.options import Nested
    from ..stores.base import GraphStore
    from ..stores.exporting import ExportFormat, ExportReport
    from ..strategies.subgraph import SubgraphStrategy

LONGEST_QUESTION = 2_000
_Answers = TypeVar("_Answers")


class Graph(QueryMethods, ModelMethods, SubgraphMethods, ExampleMethods):
    """An open graph. Made by :func:`open_graph`; a context manager; safe to use from several threads.

    Attributes:
        location: where it is, without credentials.
        store: the graph itself.
        settings: what it was opened with.
    """

    def __init__(
        self,
        location: str,
        store: GraphStore,
        index_folder: Path | None,
        settings: Settings,
        descriptions: Descriptions | None = None,
        model: LanguageModel | None = None,
    ) -> None:
        self.location = without_credentials(location)
        self.store = store
        self.settings = settings
        self._closed = False
        self._closing = ExitStack()
        self._closing.callback(store.close)
        if index_folder is None:
            index_folder = Path(self._closing.enter_context(tempfile.TemporaryDirectory(prefix="askgraph-")))
        self._descriptions = descriptions
        self._described: Schema | None = None
        self._lock = threading.RLock()
        self._strategies: dict[str, tuple[GraphIndex, Strategy]] = {}
        self._linkers: dict[str, tuple[GraphIndex, Linker]] = {}
        self._queries = GraphQueries(store, settings)
        self._embedder: Embedder | None = None
        self._embedder_is_ready = False
        self._model = model
        self._index_keeper = IndexKeeper(
            self.location,
            store,
            self.schema,
            descriptions,
            index_folder / DERIVED_FOLDER,
            self._ready_embedder,
            dictionaries=settings.dictionaries,
            languages=settings.languages,
        )
        self._closing.callback(self._index_keeper.close)
        self._subgraphs = Subgraphs(store, index_folder / SUBGRAPHS_FOLDER)

    # --- what the graph is

    def schema(self) -> Schema:
        """What the graph is made of, in the words of its owner where there are descriptions.

        Raises:
            SettingsError: descriptions of what the graph does not have.
        """
        with self._lock:
            if self._described is None:
                schema = with_guessed_labels(self.store.schema())
                self._described = describe(schema, self._descriptions) if self._descriptions else schema
            return self._described

    def export(
        self, directory: Path | str, *, format: ExportFormat = "csv", progress: Progress = SILENT
    ) -> ExportReport:
        """Write the whole graph to files in a new folder. Raises :class:`ExportError`."""
        from ..stores.exporting import export_graph

        return export_graph(self.store, Path(directory), format, progress=progress)

    # --- its index

    def index_status(self) -> IndexStatus:
        """Whether there is an index, and whether it fits."""
        return self._index_keeper.status()

    def build_index(self, *, rebuild: bool = False, progress: Progress = SILENT) -> IndexReport:
        """Make the index if there is none that fits, or in any case with ``rebuild``.

        Of a graph on a server this copies all names, and answers say from then on how old they are. A copying that was
        interrupted is taken up where it stopped.
        """
        return self._index_keeper.build(rebuild=rebuild, progress=progress)

    def name_embedding(self) -> NameEmbedding:
        """What gives every name of the index a vector, so that things are found by what they mean too: its ``cost()``
        tells what that takes, :meth:`embed_names` does it.

        Raises:
            OpenError: there is no index with names yet.
            SettingsError: the settings name no embedder.
        """
        # Names are many and asked for once: a cache beside the index would hold them all twice.
        embedder = make_embedder(self.settings, cached=False)
        if embedder is None:
            raise SettingsError("the settings name no embedder, so names get no vectors")
        return self._index_keeper.name_embedding(embedder)

    def embed_names(self, embedding: NameEmbedding, progress: Progress = SILENT) -> EmbeddingReport:
        """Give every name its vector. What an interruption leaves is taken up the next time.

        Raises:
            ModelError: the embedder fails.
        """
        return self._index_keeper.embed_names(embedding, progress)

    def drop_name_vectors(self) -> bool:
        """Find names by how they are written alone from now on. Gives whether they had vectors."""
        return self._index_keeper.drop_name_vectors()

    def _open_index(self, run: Run, progress: Progress) -> GraphIndex:
        return self._index_keeper.open(run, progress)

    def _ready_embedder(self) -> Embedder | None:
        with self._lock:
            if not self._embedder_is_ready:
                self._embedder = make_embedder(self.settings)
                self._embedder_is_ready = True
            return self._embedder

    # --- questions

    def link(self, text: str) -> LinkedText:
        """What the words of a text name in this graph, what else came into question, and why the rest was not linked.

        Iterating over the result gives the links.

        Raises:
            PlanError: the text is empty, too long, or no text.
        """
        self._check_question(text, None)
        run = Run(text, graph=self.location, graph_version=self.store.capabilities.version)
        linked = self._link(text, run, SILENT)
        index = self._open_index(run, SILENT)
        return explain_links(linked, index.names, index.values)

    @property
    def model(self) -> LanguageModel | None:
        """The language model that answers are written with: the one given, else that of the settings, else none.

        Raises:
            ModelError, SettingsError: the settings name one that cannot be used.
        """
        with self._lock:
            if self._model is None and self.settings.model:
                self._model = make_model(self.settings)
            return self._model

    def ask(
        self,
        question: str,
        *,
        strategy: str = "auto",
        nested: Nested | None = None,
        timeout: float | None = None,
        on_step: Callable[[Step, bool], None] | None = None,
        on_text: Callable[[str], None] | None = None,
        save: bool | None = None,
        progress: Progress = SILENT,
    ) -> Answer:
        """Answer a question, or abstain.

        Args:
            question: in plain words.
            strategy: ``"auto"``, or the name of one.
            nested: for the strategy ``"subgraph"``, how much of the selection is used: ``"neighbours"``, ``"diamond"``,
                ``"c3"`` or ``"full"``; :meth:`ask_nested` answers from each of them.
            timeout: seconds allowed; the setting ``timeout`` otherwise. Making a missing index does not count.
            on_step: called with each step as it begins (``False``) and ends (``True``).
            on_text: called with the pieces of an answer that a model writes, as it writes them.
            save: store the run; the setting ``save_runs`` otherwise.
            progress: told about the making of a missing index.

        Raises:
            PlanError: an empty question, a strategy that does not exist, one that needs a model where none is set, or
                one that has no nested subgraphs.
            DeadlineExceededError: the time was up before anything was found.
            UnsafeCypherError, UnsafeSparqlError: a model wrote a query that the gate refuses.
            ModelError: the model failed, where nothing can be answered without it.
        """
        self._check_question(question, timeout)
        check_strategy(strategy, has_model=self.model is not None)
        check_nested(strategy, nested)
        run = self._begun(question, strategy, nested, on_step, on_text)
        with self._stored_if_it_fails(run, save):
            answer = self._healing(
                lambda: self._answer(question, strategy, nested, run, timeout, progress), progress
            )
        answer = self._with_run(answer, run, save)
        run.finish(answer)
        failed = self._save(run, save)
        return replace(answer, run=None, notes=(*answer.notes, failed)) if failed else answer

    def _begun(
        self,
        question: str,
        strategy: str,
        nested: str | None,
        on_step: Callable[[Step, bool], None] | None,
        on_text: Callable[[str], None] | None = None,
    ) -> Run:
        """The record of a question that is asked now."""
        options = {
            "strategy": strategy,
            "max_hops": self.settings.max_hops,
            "embedder": without_credentials(self.settings.embedder),
            "model": self.model.name if self.model is not None else None,
        }
        return Run(
            question,
            graph=self.location,
            graph_version=self.store.capabilities.version,
            options=options if nested is None else options | {"nested": nested},
            on_step=on_step,
            on_text=on_text,
        )

    @contextmanager
    def _stored_if_it_fails(self, run: Run, save: bool | None) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            run.finish(error=error)
            self._save(run, save)
            raise

    def parts(self, progress: Progress = SILENT) -> Parts:
        """What strategies and retrievers work with. ``progress`` is told about the making of a missing index."""
        return self._parts(self._open_index(self._unrecorded(""), progress), self.model)

    def linked(self, question: str, run: Run | None = None) -> LinkedQuestion:
        """A question with what its words name, as strategies take it. Raises :class:`PlanError` as :meth:`link`."""
        self._check_question(question, None)
        return self._link(question, run or self._unrecorded(question), SILENT)

    def _unrecorded(self, question: str) -> Run:
        return Run(question, graph=self.location, graph_version=self.store.capabilities.version)

    def _check_question(self, question: Any, timeout: Any) -> None:
        self._check_timeout(timeout)
        if not isinstance(question, str) or not question.strip():
            raise PlanError(
                "the question is empty" if isinstance(question, str) else "a question is a text",
                advice='Say in plain words what you want to know: "Who leads the sales team?".',
            )
        if len(question) > LONGEST_QUESTION:
            raise PlanError(
                f"the question has {len(question):,} characters; at most {LONGEST_QUESTION:,} are read"
            )
        if any("\ud800" <= character <= "\udfff" for character in question):
            raise PlanError("the question has half of a surrogate pair in it, which is no character")

    def _check_timeout(self, timeout: Any) -> None:
        """That the graph is open, and so many seconds can be waited."""
        if self._closed:
            raise OpenError("the graph was closed", advice="Open it again: open_graph(…).")
        if timeout is not None and not (isinstance(timeout, int | float) and 0 < timeout < math.inf):
            raise SettingsError(f"the timeout must be a number of seconds above zero, not {timeout!r}")

    async def ask_async(self, question: str, **options: Any) -> Answer:
        """As :meth:`ask`, without blocking the caller's event loop: a bounded pool of threads does the work."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(shared_pool(), lambda: self.ask(question, **options))

    def _healing(self, answered: Callable[[], _Answers], progress: Progress) -> _Answers:
        """Answer; an index that turns out to be damaged is made again once."""
        try:
            return answered()
        except CorruptIndexError:
            self.build_index(rebuild=True, progress=progress)
            return answered()

    def _answer(
        self,
        question: str,
        strategy: str,
        nested: Nested | None,
        run: Run,
        timeout: float | None,
        progress: Progress,
    ) -> Answer:
        index = self._open_index(run, progress)
        budget = self._budget_of_question(timeout)
        linked = self._link(question, run, progress)
        chosen = self._strategy(strategy, index)
        if nested is None:
            answer = chosen.answer(linked, budget, run)
        else:
            answer = cast("SubgraphStrategy", chosen).answer(linked, budget, run, nested=nested)
        notes = (*self._age_of_names(index), *self._age_of_meanings())
        return replace(answer, notes=(*answer.notes, *notes))

    def _budget_of_question(self, timeout: float | None) -> Budget:
        settings = self.settings if timeout is None else self.settings.model_copy(update={"timeout": timeout})
        return settings.budget()

    def _age_of_names(self, index: GraphIndex) -> list[str]:
        """What is to be said of names that were copied from a server, which may have changed since."""
        copied = index.description.names_built
        if copied is None or not self.store.capabilities.remote:
            return []
        moment = datetime.fromisoformat(copied).astimezone(UTC)
        return [
            f"Names are those of {moment:%Y-%m-%d %H:%M} UTC; `askgraph index GRAPH --rebuild` copies them again."
        ]

    def _age_of_meanings(self) -> list[str]:
        """What is to be said of vectors over names that are older than the names."""
        if self._index_keeper.has_current_name_vectors is not False:
            return []
        return ["Names that are new have no vectors yet; `askgraph index GRAPH` makes them."]

    def _link(self, question: str, run: Run, progress: Progress) -> LinkedQuestion:
        index = self._open_index(run, progress)
        with run.step("link") as step:
            linked = self._index_keeper.traced(self._linker(question, index).link(question))
            step.note(
                links=[
                    f"{link.mention.text} -> {link.kind} {link.id} ({link.score:.2f})"
                    for link in linked.links
                ],
                unlinked=[f"{item.mention.text}: {item.reason}" for item in linked.unlinked],
                read_as=linked.masked,
                language=linked.language,
            )
        return linked

    def _strategy(self, name: str, index: GraphIndex) -> Strategy:
        """What answers from this index. Kept: it learns what the schema allows once."""
        with self._lock:
            kept = self._strategies.get(name)
            if kept is None or kept[0] is not index:
                kept = self._strategies[name] = (index, make_strategy(name, self._parts(index, self.model)))
            return kept[1]

    def _parts(self, index: GraphIndex, model: LanguageModel | None) -> Parts:
        made = Parts(
            self.store, self.schema(), index, self._ready_embedder(), self.settings, self._queries, model
        )
        return replace(
            made,
            examples=self.examples.solved,
            reports_ahead=self._reports_for_questions,
            selector=lambda: self._subgraphs.selector(made.schema, None),
        )

    def _linker(self, question: str, index: GraphIndex) -> Linker:
        """What links a question, by the rules of its language. Kept: it learns the words of the schema once."""
        code = self.settings.language if self.settings.language != "auto" else detect_language(question)
        with self._lock:
            kept = self._linkers.get(code)
            if kept is None or kept[0] is not index:
                kept = self._linkers[code] = (index, self._make_linker(language(code), index))
            return kept[1]

    def _make_linker(self, rules: Language, index: GraphIndex) -> Linker:
        translate = None
        if rules.pattern is not None:
            translate = Translator(rules, self.schema(), index.labels, self._ready_embedder())
        return Linker(
            index.names,
            index.values,
            self.schema(),
            rules,
            translate,
            index.edge_values,
            index.by_meaning(self._ready_embedder()),
        )

    def _with_run(self, answer: Answer, run: Run, save: bool | None) -> Answer:
        return replace(answer, run=run.id) if self._saves(save) else answer

    def _saves(self, save: bool | None) -> bool:
        return self.settings.save_runs if save is None else save

    def _save(self, run: Run, save: bool | None) -> str:
        """Store the run. Where that fails the answer is not lost: gives what to say about it, else an empty text."""
        if not self._saves(save):
            return ""
        try:
            RunStore(self.settings.runs_dir).save(run)
        except OSError as error:
            return f"The run was not stored: {self.settings.runs_dir}: {error.strerror or error}."
        return ""

    # --- its end

    def close(self) -> None:
        """Let go of everything. Closing twice is allowed."""
        self._closed = True
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        """Where the graph is."""
        return f"Graph({self.location!r})"
