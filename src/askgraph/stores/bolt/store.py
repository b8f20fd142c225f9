"""A property graph on a server that speaks Bolt, as a store."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from ...core.budget import Budget
from ...core.checked_query import CheckedQuery
from ...core.graph import Direction, Edge, Node
from ...core.hidden import NOTHING_HIDDEN, Hidden
from ...core.plan import Plan, Table
from ...core.query_result import QueryExplanation, QueryResult
from ...core.schema import Schema
from ...core.values import Value
from ..address import Address
from ..base import Capabilities, Neighbors, NodePage, RelationCount
from ..property.names import NameRules, name_rules
from .catalog import Catalog, read_catalog
from .elements import ElementReader
from .engines import Engine, engine_of
from .hops import HopReader
from .introspection import Introspection, introspect
from .name_lookup import NameLookup
from .plan_to_cypher import GraphWords, plan_to_cypher
from .reading import GraphReader
from .running import explain_checked, run_checked
from .running_plans import run_plan
from .server import POOL_SIZE, BoltServer

_LIMITS: Final = (
    "Ids of nodes and edges are the server's own: they mean nothing in a copy restored from a dump.",
    "Vectors (lists of more than 64 numbers) are left out of nodes and edges.",
    "A property is read as a list only if a sample of its values had one.",
)


def open_bolt(
    address: Address,
    *,
    hidden: Hidden = NOTHING_HIDDEN,
    impersonate: str | None = None,
    label_properties: Sequence[str] = (),
    timeout: float = 30.0,
    pool_size: int = POOL_SIZE,
) -> BoltStore:
    """Connect to a graph on a server.

    Args:
        address: its scheme is ``neo4j`` or ``bolt``, perhaps with ``+s`` or ``+ssc``; its path names the database.
        hidden: types and properties that are then nowhere.
        impersonate: on Neo4j Enterprise, the user whose rights hold.
        label_properties: properties that name the nodes, before the usual ones.
        timeout: seconds for connecting, and for each request that comes without a budget.
        pool_size: connections that may be open at once.

    Raises:
        UnreachableError, AuthenticationError, ServerBusyError: there is no way to the server.
        GraphNotFoundError: it has no such database.
        UnsupportedGraphError: a Neo4j before 5.
        SettingsError: an address or a setting that cannot be used.
    """
    server = BoltServer(address, impersonate=impersonate, timeout=timeout, pool_size=pool_size)
    try:
        engine = engine_of(server.agent())
    except BaseException:
        server.close()
        raise
    server.ends_what_is_cut = engine.ends_what_is_cut
    return BoltStore(server, engine, hidden=hidden, label_properties=label_properties)


@dataclass(frozen=True, slots=True)
class _Learned:
    """What is found out about the graph when it is first needed, and kept."""

    catalog: Catalog
    introspection: Introspection
    names: NameRules
    lookup: NameLookup
    reader: GraphReader
    hops: HopReader
    words: GraphWords
    version: str


class BoltStore:
    """A graph on a server; a :class:`askgraph.stores.base.GraphStore` that finds names and pages nodes.

    Ids are the server's element ids: uniform, quick, and good for as long as the database lives. They are not the same
    in a database restored from a dump; such a one has an id of its own, which is part of the capabilities' ``version``,
    so nothing derived outlives them. Keys that a constraint makes unique would outlive a restore, but they name some
    nodes and not others.

    Safe to use from several threads at once.
    """

    def __init__(
        self, server: BoltServer, engine: Engine, *, hidden: Hidden, label_properties: Sequence[str] = ()
    ) -> None:
        """A store over a server that has introduced itself; it closes ``server``."""
        self._server = server
        self._engine = engine
        self._hidden = hidden
        self._label_properties = tuple(label_properties)
        self._guard = threading.Lock()
        self._learned: _Learned | None = None

    # --- what it is

    @property
    def capabilities(self) -> Capabilities:
        """What this store can and cannot do. Asks the server for the schema when it is first needed."""
        learned = self._learn()
        return Capabilities(
            kind="property",
            engine=self._engine.title,
            persistent=True,
            version=learned.version,
            query_languages=("cypher",),
            dialect=self._engine.dialect,
            remote=True,
            finds_names=learned.lookup.is_possible,
            limits=self._limits(learned),
        )

    @property
    def engine(self) -> Engine:
        """Which engine answers."""
        return self._engine

    @property
    def server(self) -> BoltServer:
        """The way to the server, for whoever examines it."""
        return self._server

    def catalog(self, budget: Budget | None = None) -> Catalog:
        """What the server says of its indexes, constraints and limits."""
        return self._learn(budget).catalog

    def schema(self, budget: Budget | None = None) -> Schema:
        """What the graph is made of: what the server knows, then samples. Kept after the first call."""
        return self._learn(budget).introspection.schema

    # --- nodes and edges

    def nodes(self, ids: Sequence[str] | None = None) -> Iterator[Node]:
        """The nodes with these ids, in their order; without ids every node, page by page, in a fixed order."""
        learned = self._learn()
        if ids is not None:
            return learned.reader.nodes(ids, self._elements(learned))
        return (node for page in self.node_pages() for node in page.nodes)

    def node_pages(self, after: str | None = None) -> Iterator[NodePage]:
        """Every node from the beginning, or after a cursor, in a fixed order."""
        learned = self._learn()
        return learned.reader.pages(after, self._elements(learned))

    def edges(self, ids: Sequence[str] | None = None) -> Iterator[Edge]:
        """The edges with these ids, in their order; without ids every edge, in the order of their sources."""
        learned = self._learn()
        if ids is not None:
            return learned.reader.edges(ids, self._elements(learned))
        return learned.reader.all_edges(self._elements(learned))

    def neighbors(
        self,
        ids: Sequence[str],
        direction: Direction = "both",
        *,
        types: Sequence[str] | None = None,
        limit_per_node: int | None = None,
        budget: Budget | None = None,
    ) -> Neighbors:
        """One hop from each of these nodes; see :meth:`askgraph.stores.base.GraphStore.neighbors`.

        Of ``limit_per_node`` and the budget's ``fan_out`` the smaller holds, and the server cuts: a node with a hundred
        thousand neighbours sends no more than these.
        """
        budget = self._server.budget(budget)
        limit = budget.fan_out if limit_per_node is None else min(limit_per_node, budget.fan_out)
        return self._learn(budget).hops.neighbors(ids, direction, types, limit, budget)

    def relations(self, ids: Sequence[str], budget: Budget | None = None) -> Sequence[RelationCount]:
        """The edge types that leave and enter these nodes, with the number of edges, the most frequent first."""
        budget = self._server.budget(budget)
        learned = self._learn(budget)
        return learned.hops.relations(ids, budget)

    def find_names(
        self, texts: Sequence[str], *, limit: int = 20, budget: Budget | None = None
    ) -> Sequence[Sequence[Node]]:
        """For each text up to ``limit`` nodes whose names share words with it, the best first; one request for all."""
        return self._find_names(texts, limit, budget, alike=True)

    def find_written_names(
        self, texts: Sequence[str], *, limit: int = 20, budget: Budget | None = None
    ) -> Sequence[Sequence[Node]]:
        """The same for names that have all the words of a text as they are written."""
        return self._find_names(texts, limit, budget, alike=False)

    def _find_names(
        self, texts: Sequence[str], limit: int, budget: Budget | None, *, alike: bool
    ) -> Sequence[Sequence[Node]]:
        learned = self._learn(budget)
        elements, budget = self._elements(learned), self._server.budget(budget)
        return learned.lookup.find(texts, limit, elements, budget, alike=alike)

    # --- plans and queries

    def run(self, plan: Plan, budget: Budget | None = None) -> Table:
        """Run a plan. Raises :class:`PlanError` if it names types or keys that the schema does not have."""
        return run_plan(self._server, plan, self._learn(budget).words, budget)

    def to_cypher(self, plan: Plan) -> str:
        """The query that :meth:`run` sends, to be shown, its parameters as comments. Raises :class:`PlanError`."""
        return str(plan_to_cypher(plan, self._learn().words))

    def query(
        self,
        checked: CheckedQuery,
        parameters: Mapping[str, Value] | None = None,
        budget: Budget | None = None,
    ) -> QueryResult:
        """Run a Cypher query that has passed the gate, in a session that reads.

        Raises:
            TypeError: anything but a :class:`CheckedQuery`.
            QueryFailedError: it is in another language or dialect, parameters are missing, or the server refuses it.
            DeadlineExceededError, CapExceededError, ServerError: the time is up; it needs too much memory; the server
                is gone.
        """
        elements = self._elements(self._learn(budget))
        return run_checked(self._server, self._engine, elements, checked, parameters or {}, budget)

    def explain(
        self,
        checked: CheckedQuery,
        parameters: Mapping[str, Value] | None = None,
        budget: Budget | None = None,
    ) -> QueryExplanation:
        """How the server would run a query. Raises as :meth:`query` does."""
        return explain_checked(self._server, self._engine, checked, parameters or {}, budget)

    # --- the end

    def close(self) -> None:
        """Close all connections. Closing twice is allowed."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<BoltStore at {self._server.address.shown}>"

    # --- inside

    def _learn(self, budget: Budget | None = None) -> _Learned:
        with self._guard:
            if self._learned is None:
                self._learned = self._find_out(budget)
            return self._learned

    def _find_out(self, budget: Budget | None) -> _Learned:
        budget = self._server.budget(budget)
        catalog = read_catalog(self._server, self._engine, budget)
        introspection = introspect(self._server, self._engine, catalog, self._hidden, budget)
        keys = {item.key for item in introspection.schema.properties if not item.of_edges}
        names = _with_preferred(name_rules(sorted(keys)), self._label_properties)
        labels = [type for type in self._hidden.types if type in catalog.labels]
        edge_types = [type for type in self._hidden.types if type in catalog.edge_types]
        return _Learned(
            catalog=catalog,
            introspection=introspection,
            names=names,
            lookup=NameLookup(self._server, self._engine, catalog, names, self._hidden),
            reader=GraphReader(self._server, self._engine, labels),
            hops=HopReader(
                self._server,
                self._engine,
                self._hidden,
                labels,
                [item.id for item in introspection.schema.edge_types],
            ),
            words=GraphWords(
                self._engine,
                introspection.schema,
                introspection.key_types,
                introspection.edge_key_types,
                self._hidden,
                labels,
                edge_types,
            ),
            version=self._fingerprint(catalog, introspection.schema),
        )

    def _elements(self, learned: _Learned) -> ElementReader:
        return ElementReader(self._engine, self._hidden, learned.names)

    def _fingerprint(self, catalog: Catalog, schema: Schema) -> str:
        """What an index must match: the database, and the shape of the graph in it. Counts change all the time."""
        shape = [
            self._server.address.shown,
            catalog.database_id,
            self._engine.product,
            sorted(item.id for item in schema.node_types),
            sorted(
                [item.id, sorted([pair.source, pair.target] for pair in item.ends)]
                for item in schema.edge_types
            ),
            sorted([item.owner, item.key, item.of_edges] for item in schema.properties),
            self._hidden.types,
            self._hidden.properties,
            self._label_properties,
        ]
        text = json.dumps(shape, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def _limits(self, learned: _Learned) -> tuple[str, ...]:
        limits = list(_LIMITS)
        if not self._engine.ends_what_is_cut:
            limits.append(
                f"{self._engine.product} heeds no time limit of its clients: a query that takes too long is left, and"
                " ended where the user may do that."
            )
            limits.append(
                f"{self._engine.product} does not refuse writes in read sessions: use a user who can only read."
            )
        if learned.catalog.time_limit is not None:
            limits.append(f"The server ends any query after {learned.catalog.time_limit:g} s.")
        return (*limits, *learned.lookup.limits)


def _with_preferred(rules: NameRules, preferred: Sequence[str]) -> NameRules:
    """The rules with some keys before the usual ones."""
    if not preferred:
        return rules
    return NameRules(tuple(dict.fromkeys((*preferred, *rules.keys))), rules.fallbacks, rules.aliases)
