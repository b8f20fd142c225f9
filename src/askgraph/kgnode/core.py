"""What the document imports from the core of its library: configuration, direct queries, logging."""

from __future__ import annotations

from .config import KGConfig
from .log import disable_logging, set_log_level
from .query import execute_sparql_query

__all__ = ["KGConfig", "disable_logging", "execute_sparql_query", "set_log_level"]
