"""Named ways from a linked question to its answer, one module each."""
