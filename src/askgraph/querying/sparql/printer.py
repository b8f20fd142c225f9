"""Prints a tree of SPARQL back as text."""

from __future__ import annotations

from ..printing import listed, text_of
from . import expression_printer, pattern_printer, query_printer, term_printer

__all__ = ["listed", "text_of"]

# Importing them declares their writers.
_ = (expression_printer, pattern_printer, query_printer, term_printer)
