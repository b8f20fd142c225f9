"""A question as a query that a model writes, and queries put right, whoever wrote them, before they run."""
