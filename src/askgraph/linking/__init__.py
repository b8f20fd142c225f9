"""Floor 2: from the words of a question to the nodes and types of a graph."""
