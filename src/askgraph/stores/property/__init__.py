"""The embedded property graph: the truth in one DuckDB file, neighbours in memory-mapped arrays."""
