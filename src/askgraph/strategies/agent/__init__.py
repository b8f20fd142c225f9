"""The strategy that combines others until the question is answered.

A model proposes, in one reply, what the question is about, which relations to follow, a query and what it expects for
an answer. All of that is tried on the graph; what was found, and what went wrong, is told to it when it is asked again.
As soon as the facts answer the question nothing more is asked.
"""
