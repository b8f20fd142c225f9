"""Floor 6: askgraph as a server. The extra ``server`` installs what it stands on (Starlette and uvicorn).

``text2sparql`` speaks the HTTP protocol of the TEXT2SPARQL challenge. Nothing heavy is imported before it is used.
"""
