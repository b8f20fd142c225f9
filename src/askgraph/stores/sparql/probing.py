"""What can be learned of an endpoint by reading alone, for a doctor.

Nothing here could change anything or make the server call anybody: each question is a small query for a few rows. What
a server does with updates, with SERVICE or with a query that runs too long can only be seen by trying
(:mod:`askgraph.stores.sparql.trials`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...core.budget import Budget
from ...core.errors import BadReplyError, BudgetError, QueryError
from ..rdf.names import LabelSettings
from .client import SparqlClient
from .counting import SMALL, size_query
from .engines import Recognised
from .name_search import find_index, search_settings
from .self_description import SHAPES, SIZES, TYPINGS, number_of
from .terms import Resource, Row

MOST_GRAPHS: Final = 20
_GRAPHS: Final = (
    "SELECT ?g WHERE { { SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }"
    f" LIMIT {MOST_GRAPHS + 1} }} }}"
)
_SHARE: Final = 0.4


@dataclass(frozen=True, slots=True)
class EndpointFacts:
    """What an endpoint told. ``None``: it could not, or not in time.

    Attributes:
        engine: what answers.
        statements: in the default graph; no more than :data:`~askgraph.stores.sparql.counting.SMALL` are counted.
        is_larger: whether there are more statements than were counted.
        named_graphs: the first of them, by name; empty where there are none.
        has_more_graphs: whether there are more.
        finds_text: whether it has an index of texts by which names are found.
        row_cap: the most rows of a result, if a reply has said so.
        describes_itself: what it says of itself: any of ``"VoID"``, ``"SHACL"``, ``"ontology"``.
    """

    engine: Recognised
    statements: int | None
    is_larger: bool
    named_graphs: tuple[str, ...] | None
    has_more_graphs: bool
    finds_text: bool | None
    row_cap: int | None
    describes_itself: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether the default graph has nothing in it: the data may lie in named graphs that the address leaves out."""
        return self.statements == 0


def probe(client: SparqlClient, labels: LabelSettings, budget: Budget) -> EndpointFacts:
    """Ask an endpoint what it is.

    Args:
        client: asks; it need not have greeted the server.
        labels: how names are chosen, to know where to look for texts.
        budget: deadline; each question has its share of it.

    Raises:
        DeadlineExceededError: it does not answer even the least question in time.
        ServerError: it is not reached, or refuses.
    """
    engine = client.greet(budget)
    size = _first_number(_rows(client, size_query(), budget))
    graphs = _rows(client, _GRAPHS, budget)
    names = None if graphs is None else sorted(term.id for (term,) in graphs if isinstance(term, Resource))
    described = tuple(
        what
        for what, query in (("VoID", SIZES), ("SHACL", SHAPES), ("ontology", TYPINGS))
        if _rows(client, f"{query.rpartition('LIMIT')[0]}LIMIT 1", budget)
    )
    return EndpointFacts(
        engine=engine,
        statements=None if size is None else min(size, SMALL),
        is_larger=size is not None and size > SMALL,
        named_graphs=None if names is None else tuple(names[:MOST_GRAPHS]),
        has_more_graphs=names is not None and len(names) > MOST_GRAPHS,
        finds_text=_finds_text(client, labels, budget),
        row_cap=client.row_cap,
        describes_itself=described,
    )


def _finds_text(client: SparqlClient, labels: LabelSettings, budget: Budget) -> bool | None:
    if budget.remaining <= 0:
        return None
    found, _ = find_index(client, search_settings(labels), budget.within(budget.remaining * _SHARE))
    return found


def _rows(client: SparqlClient, query: str, budget: Budget) -> list[Row] | None:
    if budget.remaining <= 0:
        return None
    share = budget.within(budget.remaining * _SHARE)
    try:
        return client.select(query, Budget(seconds=share.seconds, rows=100)).rows
    except (BadReplyError, BudgetError, QueryError):
        return None


def _first_number(rows: list[Row] | None) -> int | None:
    return number_of(rows[0][0]) if rows else None
