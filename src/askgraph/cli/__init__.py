"""The terminal door. Only here does the package know a terminal."""
