"""Floor 4: evidence to answer."""
