"""Which engine answers at an endpoint, told from the headers of its replies, and what each does in its own way.

Fuseki, Virtuoso and Oxigraph were measured on real servers; what stands here of GraphDB, QLever, Blazegraph and the
Wikidata Query Service is what their documentation says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Engine(StrEnum):
    """What runs behind an endpoint."""

    FUSEKI = "Apache Jena Fuseki"
    VIRTUOSO = "Virtuoso"
    OXIGRAPH = "Oxigraph"
    GRAPHDB = "GraphDB"
    QLEVER = "QLever"
    WIKIDATA = "Wikidata Query Service"
    BLAZEGRAPH = "Blazegraph"
    UNKNOWN = "a SPARQL 1.1 endpoint"


@dataclass(frozen=True, slots=True)
class Recognised:
    """An engine and its version, which may be empty."""

    engine: Engine
    version: str = ""

    @property
    def shown(self) -> str:
        """For people."""
        return f"{self.engine} {self.version}".strip()

    @property
    def timeout_parameter(self) -> str:
        """The parameter of a request by which the server is told our deadline, in seconds; empty where there is none.

        Virtuoso has one, and answers then with a part of the result as if it were the whole: it is never sent.
        """
        return "timeout" if self.engine in (Engine.FUSEKI, Engine.GRAPHDB, Engine.QLEVER) else ""

    @property
    def timeout_header(self) -> str:
        """The same as a header, in milliseconds."""
        return "X-BIGDATA-MAX-QUERY-MILLIS" if self.engine is Engine.BLAZEGRAPH else ""

    @property
    def names_blank_nodes(self) -> bool:
        """Whether a blank node can be asked for again by what the server calls it."""
        return self.engine is Engine.VIRTUOSO

    @property
    def caps_rows(self) -> bool:
        """Whether it may cut a result and not say so, so that a round number of rows is suspect."""
        return self.engine not in (Engine.FUSEKI, Engine.OXIGRAPH)

    @property
    def merges_graphs(self) -> bool:
        """Whether a triple that stands in two graphs of the data set is one in its default graph, as SPARQL asks."""
        return self.engine is not Engine.VIRTUOSO


UNRECOGNISED: Final = Recognised(Engine.UNKNOWN)

_BY_SERVER: Final = (
    (re.compile(r"Virtuoso/(\S+)"), Engine.VIRTUOSO),
    (re.compile(r"Oxigraph/(\S+)"), Engine.OXIGRAPH),
    (re.compile(r"Fuseki\D*([\d.]+)?"), Engine.FUSEKI),
    (re.compile(r"GraphDB\D*([\d.]+)?"), Engine.GRAPHDB),
    (re.compile(r"qlever\D*([\d.]+)?", re.IGNORECASE), Engine.QLEVER),
    (re.compile(r"(?:bigdata|blazegraph)\D*([\d.]+)?", re.IGNORECASE), Engine.BLAZEGRAPH),
)


def recognise(host: str, path: str, headers: Mapping[str, str]) -> Recognised:
    """The engine that sent a reply.

    Args:
        host, path: of the endpoint.
        headers: of the reply, by name in lower case.
    """
    if host == "query.wikidata.org" or host.endswith(".query.wikidata.org"):
        return Recognised(Engine.WIKIDATA)
    for pattern, engine in _BY_SERVER:
        found = pattern.search(headers.get("server", ""))
        if found is not None:
            return Recognised(engine, found[1] or "")
    if "fuseki-request-id" in headers:
        return Recognised(Engine.FUSEKI)
    if "qlever" in host.lower():
        return Recognised(Engine.QLEVER)
    if path.startswith(("/bigdata/", "/blazegraph/")):
        return Recognised(Engine.BLAZEGRAPH)
    if path.startswith("/repositories/"):
        # GraphDB, and RDF4J, whose protocol it speaks.
        return Recognised(Engine.GRAPHDB)
    return UNRECOGNISED
