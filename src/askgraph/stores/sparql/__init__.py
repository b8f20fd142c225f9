"""RDF graphs on a server, behind the SPARQL 1.1 Protocol: asked, never copied.

``http`` sends a request and reads the reply under one deadline; ``client`` makes of it rows, triples, or an error with
a type, and believes no reply that it has not read to its end; ``engines`` knows who is who and what each does in its
own way. Above these lies what a graph store does: ``node_reading``, ``hops``, ``plans``, ``queries``, ``name_search``,
``introspection``.
"""
