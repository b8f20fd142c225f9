"""What puts questions as queries, made from the parts of an open graph."""

from __future__ import annotations

from ..core.hidden import NOTHING_HIDDEN, Hidden
from ..graph_queries import policy_of
from ..retrievers.querying.query_correction import QueryCorrector
from ..retrievers.querying.query_running import QueryRunner
from ..retrievers.querying.query_writer import QueryWriter
from ..retrievers.querying.text_to_query import TextToQuery
from .base import Parts


def text_to_query(
    parts: Parts,
    *,
    language: str | None = None,
    hidden: Hidden = NOTHING_HIDDEN,
    seconds: float | None = None,
    rows: int | None = None,
    nearby: str = "",
) -> TextToQuery:
    """A finder over these parts, with the limits of the settings where none are given.

    ``nearby``: what was found in the graph around what the question names, for the model to see.

    Raises:
        QueryFailedError: the graph takes no queries in that language.
    """
    settings = parts.settings
    return TextToQuery(
        query_runner(parts, language=language, hidden=hidden, seconds=seconds, rows=rows),
        QueryWriter(
            parts.schema,
            parts.index,
            parts.embedder,
            parts.store.capabilities,
            examples=parts.examples,
            schema_tokens=settings.schema_tokens,
            hidden=settings.hidden + hidden,
            nearby=nearby,
        ),
        repairs=settings.query_repairs,
        second_looks=settings.query_second_looks,
    )


def query_runner(
    parts: Parts,
    *,
    language: str | None = None,
    hidden: Hidden = NOTHING_HIDDEN,
    seconds: float | None = None,
    rows: int | None = None,
) -> QueryRunner:
    """What prepares and runs queries that a model wrote, with the limits of the settings where none are given.

    Raises:
        QueryFailedError: the graph takes no queries in that language.
    """
    corrector = QueryCorrector(
        parts.schema,
        index=parts.index,
        store=parts.store,
        policy=policy_of(parts.settings),
        embedder=parts.embedder,
    )
    return QueryRunner(
        parts.queries,
        corrector,
        parts.queries.language(language),
        hidden,
        parts.settings.query_timeout if seconds is None else seconds,
        rows,
    )
