"""A question read by the words of the graph, with no model: from linked words to a plan, and its rows as facts."""
