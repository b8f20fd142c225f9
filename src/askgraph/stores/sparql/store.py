"""An RDF graph on a server behind the seam of graph stores."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Final, Self

from ...core.budget import Budget
from ...core.checked_query import CheckedQuery
from ...core.errors import AskgraphError, DeadlineExceededError, OpenError
from ...core.graph import Direction, Edge, Node
from ...core.hidden import NOTHING_HIDDEN, Hidden
from ...core.plan import Plan, Table
from ...core.query_result import QueryExplanation, QueryResult
from ...core.schema import UNTYPED, Schema
from ...core.values import Value
from ..address import Address
from ..base import Capabilities, Neighbors, NodePage, RelationCount
from ..query_text import insist_on_checked
from ..rdf.names import LabelSettings
from ..rdf.plan_to_sparql import plan_to_sparql
from ..rdf.sparql_context import SparqlContext
from ..rdf.sparql_words import is_iri
from ..rdf.vocabulary import RDF_REIFIES
from .client import SparqlClient
from .endpoint import DEFAULT_USER_AGENT, Endpoint
from .engines import Engine
from .hiding import Hiding
from .hops import HopReader
from .introspection import Introspection, Learned
from .name_search import NameSearch, SearchSettings, find_index, search_settings
from .node_reading import NodeReader, PagePlan
from .plans import run_plan
from .queries import no_explanation, run_query
from .schema_building import build_context, build_schema, describe, labels_queries, terms_of

OPENING_SECONDS: Final = 15.0
COPIED_NODES: Final = 50_000
"""Nodes up to which the names of a graph are copied where its server has no index of texts."""
_INDEX_SECONDS: Final = 5.0
_SCHEMA_SECONDS: Final = 60.0
_NAME_SECONDS: Final = 10.0

_LIMITS: Final = (
    "It infers nothing but subclasses and equivalent classes; what the server infers is seen.",
    "A change of the graph's content is not noticed: what is kept of it (an index) is as old as when it was made.",
    "It cannot tell how the server would run a query.",
)
_BLANK_NODES: Final = (
    "Blank nodes have no lasting ids on this server: they are not followed from node to node."
)
_EXACT_NAMES: Final = (
    "The server has no index of texts that could be used: names are found as they are written, in the usual "
    "capitals and languages, and not with typing errors."
)
_ENGINE_LIMITS: Final[dict[Engine, tuple[str, ...]]] = {
    Engine.VIRTUOSO: (
        "Virtuoso cuts results at its row cap, those of CONSTRUCT without a word.",
        "Virtuoso gives up a whole query for an error in one expression, and prints floats with six digits.",
    ),
    Engine.OXIGRAPH: (
        "Oxigraph goes on with a query after its client has gone, up to its own time-out and beyond.",
        "Oxigraph keeps xsd:int and its kin as xsd:integer.",
    ),
    Engine.WIKIDATA: (
        "The Wikidata Query Service ends queries after 60 s, and asks for a User-Agent with an address of yours.",
        "Members of Wikidata's classes have no rdf:type: its schema shows predicates and no types.",
    ),
}


def open_endpoint(
    address: Address,
    *,
    hidden: Hidden = NOTHING_HIDDEN,
    label_properties: Sequence[str] = (),
    languages: Sequence[str] = ("en",),
    user_agent: str = DEFAULT_USER_AGENT,
    budget: Budget | None = None,
) -> SparqlStore:
    """Open the graph behind a SPARQL endpoint. It is asked once, to see that it is there and what it is.

    Args:
        address: such as ``sparql+https://host/sparql?default-graph-uri=http://example.org/graph``.
        hidden: the deny-lists.
        label_properties: properties that name nodes, before the usual ones.
        languages: preferred languages of labels.
        user_agent: who asks; public endpoints want to know how to reach you.
        budget: the time that opening may take; 15 s by default.

    Raises:
        SettingsError: the address has options that it cannot have.
        GraphNotFoundError: no SPARQL endpoint is there.
        ServerError: nothing answers, it refuses, has no room, or answers with something else.
        DeadlineExceededError: it does not answer in time.
    """
    endpoint = Endpoint.of(address, user_agent=user_agent)
    labels = LabelSettings(properties=tuple(label_properties), languages=tuple(languages))
    client = SparqlClient(endpoint)
    try:
        client.greet(budget or Budget(seconds=OPENING_SECONDS))
        return SparqlStore(client, labels, hidden)
    except BaseException:
        client.close()
        raise


class SparqlStore:
    """An RDF graph behind a SPARQL endpoint. Safe to use from several threads at once."""

    def __init__(self, client: SparqlClient, labels: LabelSettings, hidden: Hidden = NOTHING_HIDDEN) -> None:
        """``client`` has greeted the server. :func:`open_endpoint` is what callers use."""
        self.client = client
        self._labels = labels
        self._hidden = hidden
        self._closed = False
        self._lock = threading.RLock()
        self._learned: Learned | None = None
        self._schema: Schema | None = None
        self._search: tuple[bool, SearchSettings] | None = None
        self._finds_names: bool | None = None
        self.schema_requests = 0
        """How many requests the schema took."""

    # --- what it is

    @property
    def capabilities(self) -> Capabilities:
        """What this store can and cannot do."""
        engine = self.client.engine
        limits = [*_LIMITS, *_ENGINE_LIMITS.get(engine.engine, ())]
        if not engine.names_blank_nodes:
            limits.append(_BLANK_NODES)
        if self._search is not None and not self._search[0]:
            limits.append(_EXACT_NAMES)
        if self._schema is not None:
            limits += self._schema.notes
        return Capabilities(
            kind="rdf",
            engine=engine.shown,
            persistent=True,
            version=self.client.endpoint.fingerprint(self._labels, self._hidden),
            query_languages=("sparql",),
            remote=True,
            finds_names=self._is_to_find_names,
            limits=tuple(dict.fromkeys(limits)),
            edge_properties=self._learned is not None and RDF_REIFIES in self._learned.predicates,
        )

    @property
    def _is_to_find_names(self) -> bool:
        """Whether names are to be looked up on the server: by an index of texts; or, in a graph that is too large to
        have its names copied, as they are written. A small graph without an index is better copied, for names are then
        found with typing errors too."""
        with self._lock:
            if self._finds_names is None:
                try:
                    is_full_text, _ = self._name_index(Budget(seconds=_NAME_SECONDS))
                    self._finds_names = is_full_text or self.schema().node_count > COPIED_NODES
                except AskgraphError:
                    return True
            return self._finds_names

    def schema(self, budget: Budget | None = None) -> Schema:
        """What the graph is made of, learned in at most 20 requests, with a minute's time by default. Kept after the
        first call. What is estimated or missing stands in its notes."""
        budget = budget or Budget(seconds=_SCHEMA_SECONDS)
        with self._turn(budget):
            self._insist_on_open()
            if self._schema is None:
                introspection = Introspection(self.client, self._labels, self._hidden, budget)
                learned = introspection.learn()
                names = terms_of(learned)
                rows = [
                    row
                    for query in labels_queries(names, self._labels, self.client.engine)
                    for row in introspection.rows_of_labels(query)
                ]
                self._schema = build_schema(learned, describe(names, rows, learned, self._labels))
                self._learned = learned
                self.schema_requests = introspection.requests
            return self._schema

    def _what_is_learned(self, budget: Budget | None) -> tuple[Schema, Learned]:
        schema = self.schema(budget)
        assert self._learned is not None
        return schema, self._learned

    @contextmanager
    def _turn(self, budget: Budget) -> Iterator[None]:
        """One thread at a time asks what the graph is; the others wait for it, but not beyond their time."""
        if not self._lock.acquire(timeout=budget.remaining):
            raise DeadlineExceededError(
                f"{budget.stated_time} was up while another question waited for the schema",
                advice="Ask again: it is being read.",
            )
        try:
            yield
        finally:
            self._lock.release()

    @property
    def _hiding(self) -> Hiding:
        """The deny-lists. What lies below a hidden type is hidden too: for that the hierarchy must be known."""
        if not self._hidden:
            return Hiding()
        return self._what_is_learned(None)[1].hiding

    def context(self, budget: Budget | None = None) -> SparqlContext:
        """What the wording of queries depends on in this graph."""
        _, learned = self._what_is_learned(budget)
        several = len(self.client.endpoint.default_graphs) != 1
        return build_context(learned, self.client.engine, several_graphs=several)

    # --- nodes and edges

    def nodes(self, ids: Sequence[str] | None = None) -> Iterator[Node]:
        """The nodes with these ids, in their order; without ids every node, page by page in the order of
        :meth:`node_pages`.

        Unlike an embedded graph's, these pages cost the server time: a big graph is asked, not read through.
        """
        self._insist_on_open()
        if ids is not None:
            yield from self._reader().nodes(ids, Budget())
            return
        for page in self.node_pages():
            yield from page.nodes

    def node_pages(self, after: str | None = None) -> Iterator[NodePage]:
        """Every node, or those after a cursor, type by type in the order of the ids. Blank nodes are left out.

        Of a graph that was sampled and not counted, nodes without a type are only among them if a sample had one.
        """
        schema, learned = self._what_is_learned(None)
        counted = {item.id: item.count for item in schema.node_types if item.count and is_iri(item.id)}
        edge_types = tuple(item.id for item in schema.edge_types)
        plan = PagePlan(
            scope=learned.scope,
            types={type: counted[type] for type in sorted(counted)},
            has_untyped=schema.has_node_type(UNTYPED)
            or not counted
            or (learned.is_exact and learned.untyped_count is None),
            edge_types=edge_types,
            shared=tuple(name for name in edge_types if name in learned.declared_predicates),
        )
        yield from self._reader().pages(plan, after)

    def edges(self, ids: Sequence[str] | None = None) -> Iterator[Edge]:
        """The edges with these ids, in their order; without ids every edge, by source."""
        self._insist_on_open()
        if ids is not None:
            yield from self._hops(None).edges(ids, Budget())
            return
        for page in self.node_pages():
            hops = self.neighbors([node.id for node in page.nodes], "out", budget=Budget(fan_out=10**9))
            for place, type, target, edge in zip(
                hops.origins.tolist(), hops.edge_types.tolist(), hops.nodes, hops.edges, strict=True
            ):
                yield Edge(edge, page.nodes[place].id, target, hops.type_names[type])

    def neighbors(
        self,
        ids: Sequence[str],
        direction: Direction = "both",
        *,
        types: Sequence[str] | None = None,
        limit_per_node: int | None = None,
        budget: Budget | None = None,
    ) -> Neighbors:
        """One hop from each of these nodes over edges of these types (``None``: all; empty: none).

        Of the limit and the budget's fan-out (1,000 without a budget) the smaller holds.
        """
        self._insist_on_open()
        budget = budget or Budget()
        budget.check("following edges")
        limit = budget.fan_out if limit_per_node is None else min(limit_per_node, budget.fan_out)
        return self._hops(budget).neighbors(ids, direction, types=types, limit=limit, budget=budget)

    def relations(self, ids: Sequence[str], budget: Budget | None = None) -> Sequence[RelationCount]:
        """The edge types that leave and enter these nodes, with the number of edges, the most frequent first."""
        self._insist_on_open()
        budget = budget or Budget()
        budget.check("counting relations")
        return self._hops(budget).relations(ids, budget)

    # --- plans and queries

    def run(self, plan: Plan, budget: Budget | None = None) -> Table:
        """Run a plan. Raises :class:`PlanError` if it names types or keys that the schema does not have."""
        budget = budget or Budget()
        schema, _ = self._what_is_learned(budget)
        return run_plan(plan, schema, self.context(budget), self.client, budget)

    def to_sparql(self, plan: Plan) -> str:
        """A plan as SPARQL for this server, to be shown. Raises :class:`PlanError` as :meth:`run` does.

        It lacks the conditions that keep out what is hidden, for these name it; the gate puts them to every query.
        """
        context = replace(self.context(), hidden_types=(), hidden_edge_types=(), hidden_keys=())
        return plan_to_sparql(plan, self.schema(), context)

    def query(
        self,
        checked: CheckedQuery,
        parameters: Mapping[str, Value] | None = None,
        budget: Budget | None = None,
    ) -> QueryResult:
        """Run SPARQL that has passed the gate: SELECT, ASK, CONSTRUCT or DESCRIBE.

        Raises:
            TypeError: anything but a :class:`CheckedQuery`.
            QueryFailedError: it is not SPARQL, or the server cannot run it.
            DeadlineExceededError: the time is up, here or on the server.
            ServerError: the server is not reached, or its reply is no whole answer.
        """
        self._insist_on_open()
        return run_query(checked, parameters, self.client, Hiding.of(self._hidden), budget or Budget())

    def explain(
        self,
        checked: CheckedQuery,
        parameters: Mapping[str, Value] | None = None,
        budget: Budget | None = None,
    ) -> QueryExplanation:
        """Nothing: the SPARQL protocol has no way to ask. Raises :class:`QueryFailedError`, and :class:`TypeError` as
        :meth:`query` does."""
        insist_on_checked(checked, "sparql", parameters or {})
        raise no_explanation()

    # --- names

    def find_names(
        self, texts: Sequence[str], *, limit: int = 20, budget: Budget | None = None
    ) -> Sequence[Sequence[Node]]:
        """For each text up to ``limit`` nodes whose names share words with it, the best first.

        By the server's own index of texts where it has one; else only names that are written so.
        """
        self._insist_on_open()
        budget = budget or Budget(seconds=_NAME_SECONDS)
        is_full_text, settings = self._name_index(budget)
        search = NameSearch(self.client, self._reader(), self._hiding, is_full_text=is_full_text)
        return search.find(texts, settings, limit, budget)

    def _name_index(self, budget: Budget) -> tuple[bool, SearchSettings]:
        with self._turn(budget):
            if self._search is None:
                settings = search_settings(self._labels, self._naming(), self._languages())
                self._search = find_index(self.client, settings, budget.within(_INDEX_SECONDS))
            return self._search

    def _naming(self) -> list[str]:
        """Properties of this graph that name nodes beside the usual ones, if the schema is known."""
        from ..rdf.names import NameRules

        if self._learned is None:
            return []
        rules = NameRules(self._labels, list(self._learned.predicates), self._learned.types)
        known = {*rules.label_ranks, *rules.alias_ranks}
        return [name for name in self._learned.predicates if name in known]

    def _languages(self) -> list[str]:
        """Language tags that values of this graph have, the most frequent first, if the schema is known."""
        if self._learned is None:
            return []
        counts: dict[str, int] = {}
        tagged = [(item.language, item.count) for item in self._learned.values]
        tagged += [(item.language, item.count) for item in self._learned.samples]
        for tag, count in tagged:
            if tag:
                counts[tag] = counts.get(tag, 0) + count
        return sorted(counts, key=lambda tag: (-counts[tag], tag))[:12]

    # --- the end

    def _hops(self, budget: Budget | None) -> HopReader:
        schema, learned = self._what_is_learned(budget)
        declared = learned.declared_predicates
        # Of a graph that was not counted nobody knows that only declarations have a predicate.
        shared = [name for name in declared if schema.has_edge_type(name) or not learned.is_exact]
        return HopReader(
            self.client,
            learned.scope,
            shared,
            declared.difference(shared),
            annotated=RDF_REIFIES in learned.predicates,
        )

    def _reader(self) -> NodeReader:
        return NodeReader(self.client, self._labels, self._hiding)

    def _insist_on_open(self) -> None:
        if self._closed:
            raise OpenError("the graph was closed")

    def close(self) -> None:
        """Close the connections. Closing twice is allowed."""
        self._closed = True
        self.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"SparqlStore({self.client.endpoint.shown!r})"
