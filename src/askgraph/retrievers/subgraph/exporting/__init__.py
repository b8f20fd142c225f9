"""A selection in files: GraphML, JSON, CSV, JSON for Cytoscape, and the tables that GraphRAG takes."""

from .export import EXPORT_FORMATS, SubgraphFormat, export_selection

__all__ = ["EXPORT_FORMATS", "SubgraphFormat", "export_selection"]
