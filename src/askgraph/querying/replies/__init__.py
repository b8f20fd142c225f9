"""What a language model says when it is asked for a query: the query in it, or why there is none."""

from .extracted import CandidateQuery, ExtractedReply, Outcome
from .extraction import queries_in

__all__ = ["CandidateQuery", "ExtractedReply", "Outcome", "queries_in"]
