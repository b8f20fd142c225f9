"""The graphs on which the documents' examples run."""

from __future__ import annotations

from tests.engine.conftest import ck25, company_graph, settings

__all__ = ["ck25", "company_graph", "settings"]
