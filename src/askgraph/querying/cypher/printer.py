"""Prints a tree of Cypher back as text."""

from __future__ import annotations

from ..printing import listed, text_of
from . import clause_printer, expression_printer, pattern_printer

__all__ = ["listed", "text_of"]

# Importing them declares their writers.
_ = (clause_printer, expression_printer, pattern_printer)
