"""Open graphs, kept between calls: whoever asks the same graph twice opens it once."""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from ..core.run import Run
from ..engine import Graph, open_graph
from ..linking.linked_question import LinkedQuestion
from ..models.calls import ModelCalls
from ..models.language_model import LanguageModel
from ..models.registry import make_model, make_prompts
from .config import KGConfig
from .log import logger

if TYPE_CHECKING:
    from ..core.budget import Budget

_open: dict[tuple[str, str], Graph] = {}
_lock = Lock()


def graph_of(config: KGConfig) -> Graph:
    """The graph that a configuration names. It stays open for the next call.

    Raises:
        OpenError: there is none, or it is not reached.
    """
    settings = config.engine_settings
    key = (str(config.sparql_endpoint), settings.model_dump_json())
    with _lock:
        if key not in _open:
            _open[key] = open_graph(config.sparql_endpoint, settings=settings)
            logger.info("opened %r", _open[key].location)
        return _open[key]


def close_graphs() -> None:
    """Close every graph that the façade has open. The next call opens what it needs again."""
    with _lock, ExitStack() as closing:
        for graph in _open.values():
            closing.callback(graph.close)
        _open.clear()


atexit.register(close_graphs)


class Session:
    """One call of the façade: an open graph, a question, its run.

    Attributes:
        graph: the graph.
        config: how it is searched.
        run: the record of what is done.
        budget: what it may take.
        parts: what is made of the graph: schema, index, embedder.
        model: the language model; ``None`` where there is no key for the one that is named.
        notes: what is to be said beside the result.
    """

    def __init__(self, query: str, config: KGConfig) -> None:
        self.config = config
        self.graph = graph_of(config)
        self.run = Run(query, graph=self.graph.location, graph_version=self.graph.store.capabilities.version)
        self.budget: Budget = self.graph.settings.budget()
        self.notes: list[str] = []
        self.model = self._model()
        self.parts = replace(self.graph.parts(), model=self.model)

    def linked(self) -> LinkedQuestion:
        """The question, with what its words name. Raises :class:`PlanError` for an empty one."""
        return self.graph.linked(self.run.question, self.run)

    @cached_property
    def calls(self) -> ModelCalls:
        """The model calls of this run, which share one budget."""
        assert self.model is not None
        return ModelCalls(self.model, self.budget, self.run, make_prompts(self.graph.settings))

    def note(self, text: str) -> None:
        """Say something beside the result."""
        self.notes.append(text)
        logger.info("%s", text)

    def _model(self) -> LanguageModel | None:
        """The model object given; that of the name, if there is a key; that of the settings; else none, and a note."""
        config, settings = self.config, self.config.engine_settings
        if config.language_model is not None:
            return make_model(settings, config.language_model)
        if config.names_another_vendor or config.has_key:
            return make_model(settings, config.model_name)
        if settings.model is not None:
            return make_model(settings)
        self.note(f"There is no key for {config.openai_model}: no language model was asked.")
        return None
