"""Where the graph is, which models are used, and when a traversal has enough."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..core.errors import SettingsError
from ..core.run import without_credentials
from ..core.settings import Settings
from ..retrievers.traversal.stopping import BALANCED, AdaptiveStopping

DEFAULT_ENDPOINT: Final = "http://localhost:7878/query"
DEFAULT_EMBEDDING_MODEL: Final = "all-MiniLM-L6-v2"
DEFAULT_MODEL: Final = "gpt-4o-mini"

# Names under which the packaged model is known.
_MINILM: Final = frozenset({"all-minilm-l6-v2", "sentence-transformers/all-minilm-l6-v2", "minilm"})


@dataclass(frozen=True, eq=False)
class KGConfig:
    """How a knowledge graph is searched.

    Attributes:
        sparql_endpoint: the address of a SPARQL endpoint, or whatever else :func:`askgraph.open_graph` opens: a graph
            folder, an RDF file, the address of a database.
        embedding_model: tells what relations mean. ``all-MiniLM-L6-v2`` comes with askgraph; other names are those of
            the setting ``embedder``.
        openai_model: the language model: a name of OpenAI's, or ``vendor:name`` for another one.
        lm_api_key: its key; the environment's otherwise (``OPENAI_API_KEY``).
        min_subgraphs: adaptive stopping: so many are collected whatever they are like.
        max_subgraphs: never more than these.
        quality_threshold_ratio: stop if the next probability is below this part of the median.
        absolute_prob_threshold: stop if it is below this.
        max_hops: the longest path; ``None`` leaves it to :func:`~askgraph.kgnode.get_subgraphs`.
        language_model: a model object of yours, in place of ``openai_model``: any
            :class:`~askgraph.models.language_model.LanguageModel`.
        settings: further settings, by their names.
    """

    sparql_endpoint: str = DEFAULT_ENDPOINT
    embedding_model: str = DEFAULT_EMBEDDING_MODEL
    openai_model: str = DEFAULT_MODEL
    lm_api_key: str | None = field(default=None, repr=False)
    min_subgraphs: int = BALANCED.min_subgraphs
    max_subgraphs: int = BALANCED.max_subgraphs
    quality_threshold_ratio: float = BALANCED.quality_threshold_ratio
    absolute_prob_threshold: float = BALANCED.absolute_prob_threshold
    max_hops: int | None = None
    language_model: Any = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """What cannot be used is told when it is said, and not at the first question.

        Raises:
            SettingsError: numbers that make no rule of stopping, an embedder that does not exist, settings that do not.
        """
        _ = self.stopping
        if not str(self.sparql_endpoint or "").strip():
            raise SettingsError(f"sparql_endpoint must be an address or a path, not {self.sparql_endpoint!r}")
        if self.max_hops is not None and self.max_hops < 1:
            raise SettingsError(f"max_hops must be a whole number above zero, not {self.max_hops!r}")
        _ = self.engine_settings

    def __repr__(self) -> str:
        """Without credentials and keys."""
        return (
            f"KGConfig(sparql_endpoint={without_credentials(str(self.sparql_endpoint))!r}, "
            f"embedding_model={self.embedding_model!r}, openai_model={self.openai_model!r})"
        )

    @classmethod
    def default(cls) -> KGConfig:
        """What holds where no configuration is given."""
        return cls()

    @property
    def stopping(self) -> AdaptiveStopping:
        """The rule by which a traversal ends. Raises :class:`SettingsError` for numbers that make none."""
        return AdaptiveStopping(
            self.min_subgraphs,
            self.max_subgraphs,
            self.quality_threshold_ratio,
            self.absolute_prob_threshold,
        )

    @property
    def engine_settings(self) -> Settings:
        """The settings with which the graph is opened. Raises :class:`SettingsError`."""
        key = {"model_key": self.lm_api_key} if self.lm_api_key else {}
        return Settings.load(**{"save_runs": False, "embedder": self._embedder, **key, **self.settings})

    @property
    def _embedder(self) -> str:
        return "minilm" if self.embedding_model.lower() in _MINILM else self.embedding_model

    @property
    def names_another_vendor(self) -> bool:
        """Whether the language model is one of another vendor, or a server's address."""
        return ":" in self.openai_model

    @property
    def model_name(self) -> str:
        """The language model as the rest of askgraph names it: ``"openai:gpt-4o-mini"``."""
        return self.openai_model if self.names_another_vendor else f"openai:{self.openai_model}"

    @property
    def has_key(self) -> bool:
        """Whether a key for OpenAI's models is at hand."""
        return bool(self.lm_api_key or os.environ.get("OPENAI_API_KEY"))
