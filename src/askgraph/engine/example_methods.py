"""What an open graph offers of solved examples."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ..core.progress import SILENT
from ..core.run import Run
from ..linking.solved_examples import SolvedExamples
from .example_book import ExampleBook, examples_file

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.settings import Settings
    from ..graph_queries import QueryCheck
    from ..linking.linked_question import LinkedQuestion
    from ..models.base import Embedder


class ExampleMethods:
    """A part of :class:`~askgraph.engine.graph.Graph`."""

    location: str
    settings: Settings

    if TYPE_CHECKING:

        def check(self, query: str, *, language: str | None = None) -> QueryCheck: ...  # noqa: D102
        def _link(self, question: str, run: Run, progress: Progress) -> LinkedQuestion: ...
        def _ready_embedder(self) -> Embedder | None: ...

    @cached_property
    def examples(self) -> ExampleBook:
        """Questions that were solved, of which the most similar are shown to a model that writes queries."""
        file = examples_file(self.settings.data_dir, self.location)
        return ExampleBook(
            SolvedExamples(file, self._ready_embedder),
            lambda query, language: self.check(query, language=language),
            lambda text: self._link(text, Run(text, graph=self.location, graph_version=""), SILENT),
        )
