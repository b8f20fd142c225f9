"""Cut a graph to a question: neighbours, DIAMOnD, C3 and a random walk, one within the other."""
