"""Path-aware traversal: the subgraphs around some nodes that fit a question best, with their probabilities.

Open paths wait in a priority queue, ordered by ``P ∝ exp(cos(path, template))``: how like in meaning a path is to the
*template*, which is the question itself or a path that a model has thought up in the words of the schema. The best
ones are followed further, a whole frontier at a time; what no further hop makes better is collected as a subgraph,
until what waits is no longer good enough (:mod:`~askgraph.retrievers.traversal.stopping`).
"""
