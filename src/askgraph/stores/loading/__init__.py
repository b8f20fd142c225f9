"""Files into a graph: CSV, TSV, Parquet and JSON Lines into a property graph, the RDF syntaxes into an RDF graph."""

from .load import LoadOptions, MissingNodes, load_files
from .report import LoadReport, OnError, Problem, ProblemsError

__all__ = ["LoadOptions", "LoadReport", "MissingNodes", "OnError", "Problem", "ProblemsError", "load_files"]
