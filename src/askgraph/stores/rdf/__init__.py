"""The embedded RDF graph: pyoxigraph reads the files, sorted arrays hold what they say.

A graph is loaded once into columns: every IRI and blank node is numbered in the order of its id, every literal in the
order of its value. Nodes, neighbours, the schema and plans are read from the columns, mapped into memory. SPARQL text
runs on an oxigraph store that is made from them when it is first needed, in a process that can be killed.
"""
