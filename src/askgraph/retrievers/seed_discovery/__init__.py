"""Seeds for a question: what it names, with guesses of types, looked up under every way to write it, and filtered."""
