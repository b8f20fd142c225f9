"""Looks at a graph on a server: the way to it, what answers, what is in it, and who prevents what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

from ..core.settings import Settings
from ..engine import Graph, access_of, open_graph
from ..stores.address import Address, parse_address
from ..stores.opening import BOLT_SCHEMES, ENDPOINT_SCHEMES
from .connection import connection
from .content import abilities, content
from .finding import Finding, look
from .server_index import server_index


def server(location: str, settings: Settings, *, self_test: bool) -> list[Finding]:
    """Everything about the graph at an address; where it cannot be reached, only that."""

    def check() -> Iterator[Finding]:
        address = parse_address(location, access_of(settings).credentials, settings.ca_file)
        if address.scheme in BOLT_SCHEMES:
            yield from _database(location, address, settings, self_test=self_test)
        elif address.scheme in ENDPOINT_SCHEMES:
            yield from _endpoint(location, address, settings, self_test=self_test)
        else:  # which says what can be opened
            open_graph(location, settings=settings).close()

    return [_with_advice(finding) for finding in look("server", check)]


def _with_advice(finding: Finding) -> Finding:
    if finding.severity != "problem" or finding.advice:
        return finding
    return replace(
        finding,
        advice="Is this the address of a graph? Bolt is spoken at port 7687 as a rule; an endpoint has a path such as "
        "/sparql or /query.",
    )


def _database(location: str, address: Address, settings: Settings, *, self_test: bool) -> Iterator[Finding]:
    from .database import (
        database,
        database_protections,
        hidden_in_database,
        inspected,
        names_in_database,
        schema_of_database,
    )

    def graph_on_server(graph: Graph) -> Iterator[Finding]:
        yield from schema_of_database(graph)
        yield from names_in_database(graph, settings)

    yield from connection(address)
    said = inspected(address, settings)
    yield from database(said, settings)
    yield from _graph(location, settings, graph_on_server)
    yield from look("deny-lists", lambda: hidden_in_database(address, settings))
    yield from _protections(
        lambda: database_protections(address, said, settings, self_test=self_test), self_test=self_test
    )


def _endpoint(location: str, address: Address, settings: Settings, *, self_test: bool) -> Iterator[Finding]:
    from .endpoint import (
        endpoint,
        endpoint_protections,
        hidden_in_endpoint,
        names_in_endpoint,
        recognised,
        schema_of_endpoint,
    )

    def graph_on_server(graph: Graph) -> Iterator[Finding]:
        yield from schema_of_endpoint(graph)
        yield from names_in_endpoint(graph)

    yield from connection(address)
    engine = recognised(address, settings)
    yield from endpoint(address, engine)
    yield from _graph(location, settings, graph_on_server)
    yield from look("deny-lists", lambda: hidden_in_endpoint(address, settings))
    yield from _protections(
        lambda: endpoint_protections(address, engine, settings, self_test=self_test), self_test=self_test
    )


def _graph(location: str, settings: Settings, names: Callable[[Graph], Iterator[Finding]]) -> list[Finding]:
    """What is in the graph, and how it is found."""

    def check() -> Iterator[Finding]:
        with closing(open_graph(location, settings=settings)) as graph:
            yield from content(graph)
            yield from look("names", lambda: names(graph))
            yield from look("index", lambda: server_index(graph))
            yield from abilities(graph)

    return look("graph", check)


def _protections(check: Callable[[], Iterator[Finding]], *, self_test: bool) -> list[Finding]:
    findings = look("protections", check)
    if self_test or any(finding.severity == "problem" for finding in findings):
        return findings
    note = "nothing was tried: what is said of protections was told by the server, or is known of servers of its kind"
    return [Finding("note", "self-test", note, "--self-test tries out what is harmless."), *findings]
