"""Looks at a SPARQL endpoint: what answers there, what it prevents, and what only askgraph does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.budget import Budget
from ..core.settings import Settings
from ..core.words import quantity
from ..engine import SMALL_GRAPH
from ..stores.address import Address
from ..stores.sparql.client import SparqlClient
from ..stores.sparql.endpoint import Endpoint
from ..stores.sparql.engines import Engine, Recognised
from ..stores.sparql.store import SparqlStore
from ..stores.sparql.trials import EndpointTrials, try_out
from ..stores.trial import Trial
from .connection import is_loopback
from .deny_lists import deny_lists
from .endpoint_kinds import known_of
from .finding import Finding
from .protection import after_trial, protection

if TYPE_CHECKING:
    from ..engine import Graph

_PATIENCE = 10.0
_MEASURED = (Engine.FUSEKI, Engine.VIRTUOSO, Engine.OXIGRAPH)


def recognised(address: Address, settings: Settings) -> Recognised:
    """What answers at an endpoint.

    Raises:
        ServerError, DeadlineExceededError: nothing does in time, or nothing that speaks the protocol.
    """
    with _open(address) as client:
        return client.greet(Budget(seconds=min(_PATIENCE, settings.timeout)))


@contextmanager
def _open(address: Address) -> Iterator[SparqlClient]:
    client = SparqlClient(Endpoint.of(address))
    try:
        yield client
    finally:
        client.close()


def endpoint(address: Address, engine: Recognised) -> Iterator[Finding]:
    """What answers, and with whose rights."""
    asked = Endpoint.of(address)
    graphs = f"; its default graph: {', '.join(asked.default_graphs)}" if asked.default_graphs else ""
    yield Finding(
        "ok", "server", f"{engine.shown}, SPARQL 1.1 over {asked.scheme.upper()}{graphs}", known="told"
    )
    if engine.engine not in _MEASURED:
        yield Finding(
            "note",
            "server",
            "servers of this kind were not tried by the makers of askgraph; what is said of them is what their "
            "documentation says",
            "--self-test tries this very one.",
        )
    if asked.credentials:
        who = "whoever the token stands for" if asked.credentials.token else asked.credentials.user
        yield Finding("ok", "user", f"{who}; what that user may do cannot be asked")
    else:
        yield Finding("ok", "user", "none: requests carry neither a user nor a token")


def schema_of_endpoint(graph: Graph) -> Iterator[Finding]:
    """What it cost to learn what the graph is made of."""
    store = graph.store
    assert isinstance(store, SparqlStore)
    graph.schema()
    yield Finding("ok", "schema", f"read in {quantity(store.client.requests, 'request')}")


def names_in_endpoint(graph: Graph) -> Iterator[Finding]:
    """Whether the endpoint looks names up by itself."""
    if graph.index_status().has_names and graph.index_status().state == "current":
        return
    copying = f"A copy of the names finds misspelled ones too: askgraph index {graph.location}"
    if graph.store.capabilities.finds_names:
        what = "looked up on the server: by its index of texts if it has one, else only as they are spelled"
        yield Finding("ok", "names", what, copying)
    elif graph.schema().node_count <= SMALL_GRAPH:
        what = "the server cannot look them up; as the graph is small, the first question copies them"
        yield Finding("note", "names", what)
    else:
        yield Finding("note", "names", "the server cannot look them up", copying)


def hidden_in_endpoint(address: Address, settings: Settings) -> Iterator[Finding]:
    """What the deny-lists hide."""
    with _open(address) as client:

        def has_type(name: str) -> bool:
            return _is_iri(name) and (
                client.ask(f"ASK {{ ?s a <{name}> }}", Budget(seconds=_PATIENCE))
                or client.ask(f"ASK {{ ?s <{name}> ?o }}", Budget(seconds=_PATIENCE))
            )

        def has_property(name: str) -> bool:
            return _is_iri(name) and client.ask(f"ASK {{ ?s <{name}> ?o }}", Budget(seconds=_PATIENCE))

        yield from deny_lists(settings.hidden, has_type, has_property)


def _is_iri(name: str) -> bool:
    """Whether a text can stand between angle brackets in a query as it is."""
    return ":" in name and not any(character <= " " or character in '<>"{}|^`\\' for character in name)


def endpoint_protections(
    address: Address, engine: Recognised, settings: Settings, *, self_test: bool
) -> Iterator[Finding]:
    """Every protection of an endpoint, in a fixed order; with ``self_test``, tried out."""
    trials = EndpointTrials()
    if self_test:
        trials = try_out(Endpoint.of(address), engine, is_local=is_loopback(address.host))
    known = known_of(engine.engine)
    yield after_trial(
        known.updates,
        trials.update,
        held="the query endpoint takes no update",
        open="the query endpoint takes updates; askgraph sends none",
    )
    if trials.update_beside is not None:
        yield _updates_beside(trials.update_beside)
    yield after_trial(
        known.time,
        trials.time_out,
        held="a query that takes too long is stopped",
        open="no time-out was seen, though there may be a longer one; askgraph stops waiting",
        otherwise="nobody",
    )
    if known.hanging_up is not None:
        yield known.hanging_up
    yield _rows(
        after_trial(known.rows, trials.rows, held="results are cut", open="results are not cut"), settings
    )
    yield after_trial(known.partial, trials.partial)
    yield after_trial(
        known.service,
        trials.service,
        held="SERVICE calls no other address",
        open="SERVICE calls other addresses; askgraph refuses SERVICE",
    )
    yield after_trial(
        known.documents,
        trials.documents,
        held="FROM fetches no document",
        open="FROM fetches documents; askgraph refuses FROM",
    )


def _updates_beside(trial: Trial) -> Finding:
    """Whether whoever asks as we do may write by way of the endpoint that is made for that."""
    if trial.held is False:
        return protection(
            "rights",
            "askgraph",
            f"beside the query endpoint there is one that takes updates from us; askgraph sends none: {trial.what}",
            "Serve people a server or a data set that is read-only, or let updates ask for a password.",
            known="tried",
            severity="warning",
        )
    return replace(
        protection(
            "rights", "server", "no updates are taken from us beside the query endpoint", known="tried"
        ),
        trial=trial.what,
    )


def _rows(finding: Finding, settings: Settings) -> Finding:
    if finding.enforced_by != "askgraph":
        return finding
    return replace(finding, what=f"{finding.what}; askgraph takes {settings.rows:,} rows")
