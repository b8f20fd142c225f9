"""askgraph: answers from a knowledge graph, with the facts each sentence rests on."""
