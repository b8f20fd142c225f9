"""The seam behind which every graph lives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from ..core.adjacency import Adjacency
from ..core.budget import Budget
from ..core.checked_query import CheckedQuery
from ..core.graph import Direction, Edge, Node
from ..core.plan import Plan, Table
from ..core.progress import SILENT, Progress
from ..core.query_result import QueryExplanation, QueryResult
from ..core.schema import GraphKind, Schema
from ..core.values import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a store can and cannot do.

    Attributes:
        kind: ``"property"`` or ``"rdf"``.
        engine: the name and version of what runs below, for people.
        persistent: whether the graph outlives the process.
        query_languages: languages of query text that it runs.
        dialect: for Cypher, the gate's name of the engine's dialect; empty where there is none.
        remote: whether it lives on a server: it is asked, not copied.
        finds_names: whether it looks names up by itself (:class:`FindsNames`).
        version: changes whenever the content does: what an index must match. The same content loaded the same way gives
            the same version.
        limits: what it cannot do, in plain sentences, for `askgraph doctor`.
        prefixes: for RDF the prefixes that the graph's files declare, each with its namespace.
        edge_properties: whether something may be said of its edges: properties, named graphs, RDF 1.2 annotations.
    """

    kind: GraphKind
    engine: str
    persistent: bool
    version: str
    query_languages: tuple[str, ...] = ()
    dialect: str = ""
    remote: bool = False
    finds_names: bool = False
    limits: tuple[str, ...] = ()
    prefixes: tuple[tuple[str, str], ...] = ()
    edge_properties: bool = True


@dataclass(frozen=True, slots=True)
class RelationCount:
    """How many edges of one type leave (``forward``) or enter a set of nodes."""

    type: str
    forward: bool
    count: int


@dataclass(frozen=True)
class Neighbors:
    """One hop from a batch of nodes, as columns of equal length, in the order of the ids asked for.

    Attributes:
        origins: for each hop the position of its start in the ids that were asked for.
        forward: whether the edge leads from the origin (``True``) or to it.
        edge_types: for each hop the position of its edge's type in ``type_names``.
        type_names: edge type ids.
        nodes: for each hop the id of the node at its other end.
        edges: for each hop the edge's id.
        cut: for each asked id whose hops were capped, how many it has in all.

    A self-loop is one hop forward, and, where both directions are asked for, is not given again backward.
    """

    origins: NDArray[np.int64]
    forward: NDArray[np.bool_]
    edge_types: NDArray[np.int64]
    type_names: tuple[str, ...]
    nodes: Sequence[str]
    edges: Sequence[str]
    cut: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        """The number of hops."""
        return len(self.origins)

    def edge_ids(self, places: Sequence[int]) -> list[str]:
        """The ids of the edges of some hops, at once where a store makes ids only when they are looked at."""
        edges = self.edges
        return (
            edges.at(places) if isinstance(edges, _MadeWhenLookedAt) else [edges[place] for place in places]
        )


@runtime_checkable
class _MadeWhenLookedAt(Protocol):
    """Ids of which making many at once costs little more than making one."""

    def at(self, places: Sequence[int]) -> list[str]:
        """Those at some places."""


class GraphStore(Protocol):
    """A graph, wherever it lives. Every method is batched: one round trip for many ids, never one for each.

    Ids that the graph does not have give nothing and raise nothing. All raise :class:`DeadlineExceededError` when the
    budget's time is up, and :class:`OpenError` when the graph is gone.
    """

    @property
    def capabilities(self) -> Capabilities:
        """What this store can and cannot do."""

    def schema(self, budget: Budget | None = None) -> Schema:
        """What the graph is made of. Kept after the first call."""

    def nodes(self, ids: Sequence[str] | None = None) -> Iterator[Node]:
        """The nodes with these ids, in their order; without ids every node, streamed, in a fixed order."""

    def edges(self, ids: Sequence[str] | None = None) -> Iterator[Edge]:
        """The edges with these ids, in their order; without ids every edge, streamed, in a fixed order."""

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

        For one node, hops out come before hops in, and each group is ordered by type and by the other end; with
        ``limit_per_node`` the first that many hops of each node are given and :attr:`Neighbors.cut` says so.
        """

    def relations(self, ids: Sequence[str], budget: Budget | None = None) -> Sequence[RelationCount]:
        """The edge types that leave and enter these nodes, with the number of edges, the most frequent first."""

    def run(self, plan: Plan, budget: Budget | None = None) -> Table:
        """Run a plan. Raises :class:`PlanError` if it names types or keys that the schema does not have."""

    def query(
        self,
        checked: CheckedQuery,
        parameters: Mapping[str, Value] | None = None,
        budget: Budget | None = None,
    ) -> QueryResult:
        """Run a query that has passed the gate, in the store's own language, and read at most the budget's rows and
        bytes of its result, whichever cap is smaller.

        Raises:
            TypeError: anything but a :class:`CheckedQuery`.
            QueryFailedError: parameters are missing, the language is not the store's, or the engine cannot run it.
        """

    def explain(
        self,
        checked: CheckedQuery,
        parameters: Mapping[str, Value] | None = None,
        budget: Budget | None = None,
    ) -> QueryExplanation:
        """How the engine would run a query, without running it.

        Raises as :meth:`query` does; :class:`QueryFailedError` too where the engine cannot tell.
        """

    def close(self) -> None:
        """Let go of files and connections. Closing twice is allowed."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@runtime_checkable
class PreparesQueries(Protocol):
    """What an embedded store can do besides: make ahead what its engine for query text runs on, and say how far it is.

    Without it the first query makes it, within its own budget.
    """

    def prepare_queries(self, progress: Progress = SILENT) -> None:
        """Make it if it is not there yet. Takes as long as it takes. Raises :class:`OpenError`."""


class FindsNames(Protocol):
    """What a store can do besides, if its server has an index of texts: find nodes by words, with no copy of the names.

    Such a store says so in :attr:`Capabilities.finds_names`.
    """

    def find_names(
        self, texts: Sequence[str], *, limit: int = 20, budget: Budget | None = None
    ) -> Sequence[Sequence[Node]]:
        """For each text up to ``limit`` nodes whose names share words with it (exactly, else nearly), the best first.

        One round trip for all texts. The nodes have their names and types; whether a name really is meant is decided
        by the caller.
        """


@runtime_checkable
class FindsWrittenNames(FindsNames, Protocol):
    """A store that finds names as they are written for much less than names that are alike: it need not weigh every
    name that has any of the words."""

    def find_written_names(
        self, texts: Sequence[str], *, limit: int = 20, budget: Budget | None = None
    ) -> Sequence[Sequence[Node]]:
        """For each text up to ``limit`` nodes whose names have all of its words as they are written, the best first."""


@dataclass(frozen=True, slots=True)
class NodePage:
    """Some nodes of a graph, and where to go on after them.

    Attributes:
        nodes: with their names, types and properties.
        cursor: what :meth:`PagesNodes.node_pages` takes to go on after this page; JSON text of the store's own.
    """

    nodes: Sequence[Node]
    cursor: str


@runtime_checkable
class TellsTypes(Protocol):
    """What a store can do besides, if it knows the types of its nodes without reading the nodes."""

    def of_types(self, ids: Sequence[str], types: Sequence[str]) -> Sequence[bool]:
        """For each of these nodes whether it carries one of these types (not a subtype); no for one that it lacks."""


@dataclass(frozen=True, slots=True, eq=False)
class GraphInRows:
    """A whole graph as arrays, for algorithms. Nodes are row numbers, edges their places in the adjacency.

    Attributes:
        adjacency: the edges, by row; its type codes are places in ``edge_types``.
        edge_types: edge type ids.
        node_types: node type ids.
        types_of_rows: for each row the place of its node's type in ``node_types``: of several types the one that
            fewest nodes have; -1 where it has none.
    """

    adjacency: Adjacency
    edge_types: tuple[str, ...]
    node_types: tuple[str, ...]
    types_of_rows: NDArray[np.int64]


@runtime_checkable
class GivesRows(Protocol):
    """What an embedded store can do besides: give the whole graph as arrays, and translate rows and ids."""

    def graph_in_rows(self) -> GraphInRows:
        """The graph as arrays. Kept after the first call."""

    def rows(self, ids: Sequence[str]) -> NDArray[np.int64]:
        """The row of each node id, -1 where there is none."""

    def ids(self, rows: NDArray[np.int64]) -> list[str]:
        """The node ids of these rows."""

    def edges_at(self, numbers: NDArray[np.int64]) -> Iterator[Edge]:
        """The edges of these numbers, in their order."""


class PagesNodes(Protocol):
    """What a store on a server can do besides: give its nodes page by page, so that reading them can be taken up again
    where it stopped. Nodes that come or go meanwhile may or may not be among them."""

    def node_pages(self, after: str | None = None) -> Iterator[NodePage]:
        """Every node from the beginning, or after a cursor, in a fixed order."""
