"""Graphs on which the documented classes are tested."""

from __future__ import annotations

from tests.strategies.conftest import company_graph, company_rdf, settings

__all__ = ["company_graph", "company_rdf", "settings"]
