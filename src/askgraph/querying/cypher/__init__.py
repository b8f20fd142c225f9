"""openCypher: what reads, in Cypher 5 and 25 and in the dialects of other engines."""
