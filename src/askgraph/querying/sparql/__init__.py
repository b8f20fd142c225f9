"""SPARQL 1.1 queries: parser, tree, printer."""
