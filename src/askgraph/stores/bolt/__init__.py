"""Property graphs on servers that speak Bolt: Neo4j 5 and 2026, ArcadeDB, Memgraph.

The graph stays where it is. Every session is opened for reading, every request has an end, and whatever a server cannot
do is said.
"""
