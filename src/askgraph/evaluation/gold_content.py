"""What the gold query of a question is made of."""

from __future__ import annotations

from ..core.errors import QueryError
from ..core.schema import Schema
from .gold import GoldQuery
from .query_content import QueryContent


def content_of(query: GoldQuery, schema: Schema) -> QueryContent | None:
    """What a gold query is made of; ``None`` where its text cannot be read.

    Args:
        query: the query.
        schema: tells types and edge types from nodes.
    """
    if query.plan is not None:
        from .plan_content import content_of_plan

        return content_of_plan(query.plan, asks=query.asks)
    try:
        if query.language == "sparql":
            from .sparql_content import content_of_sparql

            return content_of_sparql(query.text, schema)
        from .cypher_content import content_of_cypher

        return content_of_cypher(query.text)
    except QueryError:
        return None
