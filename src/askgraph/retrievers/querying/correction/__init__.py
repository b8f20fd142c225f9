"""Queries put right before they run: by the schema, and by the names and values that the graph has."""
