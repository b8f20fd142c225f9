"""A graph in files of open formats: nobody is locked in."""

from .export import export_graph
from .report import FORMATS, ExportFormat, ExportReport

__all__ = ["FORMATS", "ExportFormat", "ExportReport", "export_graph"]
