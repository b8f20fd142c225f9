"""Indexes: nodes found by name, anything found by vector. Saved whole, opened in a blink, memory-mapped."""
