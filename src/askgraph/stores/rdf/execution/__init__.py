"""Plans run on the columns of an RDF graph, many matches at a time.

A batch of matches is a set of arrays of numbers: rows of nodes, codes of values. Rows follow the order of ids and codes
the order of values, so that whatever a plan compares, sorts or groups is done on numbers; texts are read only for the
rows that are given back. Batches are small enough for the clock to be looked at often, and what a plan no longer
needs of a match is dropped at once, equal matches becoming one with a weight.
"""
