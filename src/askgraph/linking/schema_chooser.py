"""The part of one graph's schema that a question needs, whoever is to see it: a model that writes a query, one that
names things, one that thinks up a path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from ..core.hidden import NOTHING_HIDDEN, Hidden
from ..core.schema import Schema
from ..models.base import Embedder
from .language import language
from .linked_question import LinkedQuestion
from .schema_relevance import SchemaRelevance
from .schema_selection import SelectedSchema, select_schema
from .schema_text import SchemaText, schema_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LABEL_TOKENS: Final = 1_500
"""Tokens that names of types and relations may take in a prompt that needs nothing but these."""


class SchemaChooser:
    """Chooses parts of one schema.

    Args:
        schema: of the graph, as it was extracted, or sampled where the graph is large.
        labels: what its labels and their words mean, as the graph's index keeps them.
        embedder: what these vectors are of; ``None``: words are compared by their letters alone.
        hidden: what nobody is to see.
    """

    def __init__(
        self,
        schema: Schema,
        labels: Mapping[str, NDArray[np.float32]],
        embedder: Embedder | None,
        hidden: Hidden = NOTHING_HIDDEN,
    ) -> None:
        self.schema = schema
        self._labels = labels
        self._embedder = embedder
        self._hidden = hidden

    def choose(
        self, linked: LinkedQuestion, text: SchemaText, *, budget: int, tokens: Callable[[str], int]
    ) -> SelectedSchema:
        """What a question needs, within ``budget`` tokens of what ``text`` makes of it."""
        relevance = SchemaRelevance(self.schema, language(linked.language), self._labels, self._embedder)
        return select_schema(
            self.schema, linked, relevance, text, budget=budget, tokens=tokens, hidden=self._hidden
        )

    def labels_for(self, linked: LinkedQuestion, tokens: Callable[[str], int]) -> SelectedSchema:
        """What a question needs where only the names of types and relations are shown."""
        kind = "sparql" if self.schema.kind == "rdf" else "cypher"
        return self.choose(linked, schema_text(kind), budget=LABEL_TOKENS, tokens=tokens)
