"""The embedded property graph as a store."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from ...core.adjacency import Adjacency
from ...core.budget import Budget
from ...core.checked_query import CheckedQuery
from ...core.errors import (
    CapExceededError,
    CorruptGraphError,
    OpenError,
    UnsupportedGraphError,
)
from ...core.graph import Direction, Edge, Node
from ...core.plan import Plan, Table
from ...core.progress import SILENT, Progress
from ...core.query_result import QueryExplanation, QueryResult
from ...core.schema import Schema
from ...core.values import Value
from ...core.version import version_of
from ...core.words import quantity
from ..base import Capabilities, GraphInRows, Neighbors, RelationCount
from ..folder import GraphFolder
from ..query_text import cut_notes, insist_on_checked, most_rows
from .arrays import GraphArrays, open_arrays
from .catalog import read_catalog
from .database import STAGING, connect_for_reading
from .hops import count_types, hop_bytes, hops
from .layout import ADJACENCY_FOLDER, DATABASE_FILE, FORMAT_VERSION, ID_KEY, SCHEMA_FILE
from .node_types import NodeTypes
from .reading import BATCH, GraphReader, LazyTexts, read_name_rules

if TYPE_CHECKING:
    import duckdb

    from .cypher_process import CypherProcess
    from .writer import PropertyGraphWriter

_LIMITS: Final = (
    "Cypher text runs on a copy of the graph that is made when it is first needed, and that must fit in memory.",
    "In Cypher text decimals and integers beyond 64 bits are floating-point numbers; results show exact nodes.",
    "In Cypher text points in space or on a plane are maps, bytes are Base64, texts have no language.",
    "In Cypher text id(r) of a relationship is a number that means nothing in another version.",
    "In Cypher text n.type is the label, and n.name the title, of a node that has no such property.",
    "In Cypher text labels(n) of a node without a label is a list of one empty text.",
    "Some Cypher queries cannot be interrupted: their process is ended at the deadline.",
)

_OWN_IDS: Final = (
    "Where nodes have a property id, that is what n.id and id(n) give in Cypher text, if it tells them apart.",
)

_UNDIRECTED: Final = (
    "The graph was undirected: in Cypher text a pattern without an arrow finds its relationships from both ends.",
)


class PropertyStore:
    """A property graph in DuckDB with its adjacency in arrays; a :class:`askgraph.stores.base.GraphStore`.

    Safe to use from several threads at once. A version of a graph folder is pinned for as long as the store is open:
    writers do not disturb it.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        arrays: GraphArrays,
        *,
        version: str,
        folder: Path | None = None,
        symmetric: bool = False,
        resources: ExitStack | None = None,
    ) -> None:
        """A store over what is open already; it closes ``connection`` and ``resources``.

        Args:
            connection: on the graph's database.
            arrays: of the same version.
            version: the hash of its content.
            folder: the version's folder; ``None`` for a graph in memory.
            symmetric: whether every edge means the same in both directions.
            resources: whatever must stay open as long as the store.
        """
        self._connection = connection
        self._arrays = arrays
        self._version = version
        self._folder = folder
        self._symmetric = symmetric
        self._resources = resources or ExitStack()
        self._catalog = read_catalog(connection)
        self._reader = GraphReader(self._catalog, arrays, read_name_rules(connection, self._catalog))
        self._schema: Schema | None = None
        self._idle_cursors: list[duckdb.DuckDBPyConnection] = []
        self._guard = threading.Lock()
        self._schema_guard = threading.Lock()
        self._node_types: NodeTypes | None = None
        self._in_rows: GraphInRows | None = None
        self._types_guard = threading.Lock()
        self._cypher: CypherProcess | None = None
        self._cypher_guard = threading.Lock()
        self._closed = False

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open the current version of the graph folder at ``path``.

        Raises:
            GraphNotFoundError: nothing is there.
            UnsupportedGraphError: it is no property graph, or one of a newer format.
            CorruptGraphError: it is damaged.
        """
        folder = GraphFolder.open(path)
        if folder.kind != "property":
            raise UnsupportedGraphError(f"{path} is a graph of kind {folder.kind}, not a property graph")
        with ExitStack() as resources:
            version = resources.enter_context(folder.pin()).version
            connection = connect_for_reading(version.path / DATABASE_FILE)
            resources.callback(connection.close)
            metadata = _read_metadata(connection, version.path)
            arrays = open_arrays(
                version.path / ADJACENCY_FOLDER, with_edge_ids=metadata.get("edges_with_id") == "true"
            )
            store = cls(
                connection,
                arrays,
                version=version.content_hash,
                folder=version.path,
                resources=resources,
            )
            store._resources = resources.pop_all()
            return store

    @classmethod
    def of_writer(cls, writer: PropertyGraphWriter, *, symmetric: bool = False) -> Self:
        """The graph that a writer in memory has finished. The store closes the writer's connection.

        ``symmetric``: whether every edge means the same in both directions.
        """
        finished = writer.finished
        if finished is None:
            raise ValueError("the writer has not finished")
        writer.connection.execute(f"DETACH {STAGING}; SET lock_configuration = true")
        return cls(writer.connection, finished.arrays, version=finished.content_hash, symmetric=symmetric)

    # --- what the store is

    @property
    def capabilities(self) -> Capabilities:
        """What this store can and cannot do."""
        import duckdb

        return Capabilities(
            kind="property",
            engine=f"DuckDB {duckdb.__version__}, Cypher by kglite {version_of('kglite')}",
            persistent=self._folder is not None,
            version=self._version,
            query_languages=("cypher",),
            dialect="kglite",
            limits=(
                *_LIMITS,
                *(_OWN_IDS if ID_KEY in self._catalog.node_columns else ()),
                *(_UNDIRECTED if self._symmetric else ()),
            ),
        )

    @property
    def version_folder(self) -> Path | None:
        """The folder of the version that is open, where derived things may be kept; ``None`` in memory."""
        return self._folder

    @property
    def adjacency(self) -> Adjacency:
        """The graph as arrays of row numbers, for algorithms; :meth:`rows` and :meth:`ids` translate."""
        return self._arrays.adjacency

    def rows(self, ids: Sequence[str]) -> NDArray[np.int64]:
        """The row number of each node id, -1 where there is none."""
        return self._reader.node_rows(ids)

    def ids(self, rows: NDArray[np.int64]) -> list[str]:
        """The node ids of these row numbers."""
        return self._reader.node_ids(rows)

    # --- what a graph store does

    def schema(self, budget: Budget | None = None) -> Schema:
        """What the graph is made of. A graph folder keeps it from the time of loading."""
        with self._schema_guard:
            if self._schema is None:
                self._schema = self._stored_schema() or self._introspect(budget)
            return self._schema

    def nodes(self, ids: Sequence[str] | None = None) -> Iterator[Node]:
        """The nodes with these ids, in their order; without ids every node, in the order of arrival."""
        if ids is None:
            rows = np.arange(self._arrays.adjacency.node_count, dtype=np.int64)
        else:
            found = self._reader.node_rows(ids)
            rows = found[found >= 0]
        for start in range(0, len(rows), BATCH):
            with self._cursor() as cursor:
                nodes = list(self._reader.nodes(cursor, rows[start : start + BATCH]))
            yield from nodes

    def of_types(self, ids: Sequence[str], types: Sequence[str]) -> Sequence[bool]:
        """For each of these nodes whether it carries one of these types; no for one that is not there."""
        rows = self._reader.node_rows(ids)
        codes = [code for name, code in self._catalog.node_type_codes.items() if name in types]
        own = self._types_of_nodes()
        known: list[bool] = ((rows >= 0) & own.have(np.maximum(rows, 0), codes)).tolist()
        return known

    def _types_of_nodes(self) -> NodeTypes:
        with self._types_guard:
            if self._node_types is None:
                with self._cursor() as cursor:
                    self._node_types = NodeTypes(cursor, self._arrays.adjacency.node_count)
            return self._node_types

    def graph_in_rows(self) -> GraphInRows:
        """The graph as arrays. Kept after the first call."""
        own = self._types_of_nodes()
        with self._types_guard:
            if self._in_rows is None:
                names = tuple(self._catalog.node_type_codes)
                codes = np.array(list(self._catalog.node_type_codes.values()), dtype=np.int64)
                places = np.full(int(codes.max(initial=-1)) + 2, -1, dtype=np.int64)
                places[codes] = np.arange(len(names))
                chosen = own.most_specific(len(places))
                self._in_rows = GraphInRows(
                    self._arrays.adjacency, self._reader.edge_types, names, places[chosen]
                )
            return self._in_rows

    def edges_at(self, numbers: NDArray[np.int64]) -> Iterator[Edge]:
        """The edges of these numbers, in their order."""
        for start in range(0, len(numbers), BATCH):
            with self._cursor() as cursor:
                edges = list(self._reader.edges(cursor, numbers[start : start + BATCH]))
            yield from edges

    def edges(self, ids: Sequence[str] | None = None) -> Iterator[Edge]:
        """The edges with these ids, in their order; without ids every edge, ordered by source, type and target."""
        if ids is None:
            numbers = np.arange(self._arrays.adjacency.edge_count, dtype=np.int64)
        else:
            found = self._reader.edge_numbers(ids)
            numbers = found[found >= 0]
        yield from self.edges_at(numbers)

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

        Types are ordered by id, other ends by arrival. Of ``limit_per_node`` and the budget's ``fan_out`` the smaller
        holds. ``nodes`` and ``edges`` of the result are made when they are looked at.
        """
        self._check_open()
        if budget is not None:
            budget.check("following edges")
            limit_per_node = min(budget.fan_out, budget.fan_out if limit_per_node is None else limit_per_node)
        wanted = None
        if types is not None:
            codes = [
                self._catalog.edge_type_codes[name] for name in types if name in self._catalog.edge_type_codes
            ]
            wanted = np.zeros(len(self._reader.edge_types), dtype=np.bool_)
            wanted[codes] = True
        rows = self._reader.node_rows(ids)
        if budget is not None and hop_bytes(self._arrays.adjacency, rows, direction) > budget.bytes:
            raise CapExceededError(
                f"the neighbours of {quantity(len(ids), 'node')} would take more than {budget.bytes:,} bytes",
                advice="Ask for fewer nodes at once, or allow more with Budget(bytes=…).",
            )
        found = hops(
            self._arrays.adjacency,
            rows,
            direction,
            wanted_types=wanted,
            limit=limit_per_node,
        )
        return Neighbors(
            origins=found.origins,
            forward=found.forward,
            edge_types=found.types,
            type_names=self._reader.edge_types,
            nodes=LazyTexts(found.nodes, self._reader.node_ids),
            edges=LazyTexts(found.edges, self._reader.edge_ids),
            cut={ids[position]: total for position, total in found.cut.items()},
        )

    def relations(self, ids: Sequence[str], budget: Budget | None = None) -> Sequence[RelationCount]:
        """The edge types that leave and enter these nodes, with the number of edges, the most frequent first."""
        self._check_open()
        if budget is not None:
            budget.check("counting edges")
        names = self._reader.edge_types
        rows = np.unique(self._reader.node_rows(ids))
        leaving, entering = count_types(self._arrays.adjacency, rows, len(names))
        counts = [
            RelationCount(name, forward, int(count))
            for forward, side in ((True, leaving), (False, entering))
            for name, count in zip(names, side.tolist(), strict=True)
            if count
        ]
        return sorted(counts, key=lambda item: (-item.count, item.type, not item.forward))

    def run(self, plan: Plan, budget: Budget | None = None) -> Table:
        """Run a plan. Raises :class:`PlanError` if it names types or keys that the schema does not have."""
        import duckdb

        from .run_plan import run_plan

        schema = self.schema(budget)
        with self._cursor() as cursor:
            try:
                return run_plan(
                    cursor,
                    plan,
                    schema,
                    budget,
                    catalog=self._catalog,
                    find_rows=lambda ids: self._reader.node_rows(ids).tolist(),
                )
            except duckdb.OutOfMemoryException as error:
                raise CapExceededError(
                    "the plan needs more memory than a query may take",
                    advice="Ask for something narrower: fewer types, a filter, a limit.",
                ) from error

    # --- query text

    def query(
        self,
        checked: CheckedQuery,
        parameters: Mapping[str, Value] | None = None,
        budget: Budget | None = None,
    ) -> QueryResult:
        """Run a Cypher query that has passed the gate, on kglite in a process that is killed when the time is up.

        Nodes, edges and paths of the result are those of this store, with their ids, types and exact properties.

        Raises:
            TypeError: anything but a :class:`CheckedQuery`.
            QueryFailedError: it is no Cypher, parameters are missing, or the engine cannot run it.
            DeadlineExceededError, CapExceededError, OpenError: the time is up; it needs too much memory; the engine's
                graph cannot be made.
        """
        from .cypher_cells import cells_of

        self._check_open()
        insist_on_checked(checked, "cypher", parameters or {})
        budget = budget or Budget()
        found = self._cypher_process().run(checked.text, parameters or {}, most_rows(checked, budget), budget)
        with self._cursor() as cursor:
            rows = cells_of(
                found.rows,
                lambda numbers: self._reader.nodes(cursor, numbers),
                lambda numbers: self._reader.edges(cursor, numbers),
                budget.bytes,
            )
        budget.check("reading the nodes of a result")
        truncated = found.truncated or len(rows) < len(found.rows)
        notes = (*checked.notes, *cut_notes(len(rows), truncated))
        columns = checked.columns if len(checked.columns or ()) == len(found.columns) else found.columns
        return QueryResult(columns or (), rows, "rows", truncated, notes, found.warnings)

    def explain(
        self,
        checked: CheckedQuery,
        parameters: Mapping[str, Value] | None = None,
        budget: Budget | None = None,
    ) -> QueryExplanation:
        """How the Cypher engine would run a query. Raises as :meth:`query` does."""
        self._check_open()
        insist_on_checked(checked, "cypher", parameters or {})
        return self._cypher_process().explain(checked.text, parameters or {}, budget or Budget())

    def prepare_queries(self, progress: Progress = SILENT) -> None:
        """Make the graph that Cypher text runs on, if it is not there yet. Takes as long as it takes.

        Raises:
            OpenError, CapExceededError: it cannot be made.
        """
        self._check_open()
        self._cypher_process().prepare(progress)

    @property
    def cypher_process_id(self) -> int | None:
        """The operating system's number of the process that runs Cypher; ``None`` while there is none."""
        return None if self._cypher is None else self._cypher.process_id

    def _cypher_process(self) -> CypherProcess:
        from .cypher_feed import CypherFeed
        from .cypher_process import CypherProcess

        with self._cypher_guard:
            self._check_open()
            if self._cypher is None:
                feed = CypherFeed(self._cursor, self._catalog, self._arrays)
                self._cypher = CypherProcess(feed, self._folder)
            return self._cypher

    def close(self) -> None:
        """Let go of files and connections. Closing twice is allowed."""
        with self._cypher_guard:
            if self._cypher is not None:
                self._cypher.close()
        with self._guard:
            self._closed = True
            cursors, self._idle_cursors = self._idle_cursors, []
        for cursor in cursors:
            cursor.close()
        self._connection.close()
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        adjacency = self._arrays.adjacency
        place = self._folder or "memory"
        return (
            f"<PropertyStore of {adjacency.node_count:,} nodes and {adjacency.edge_count:,} edges in {place}>"
        )

    # --- inside

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor that nobody else uses meanwhile: DuckDB's connections are not made for several threads."""
        self._check_open()
        with self._guard:
            cursor = self._idle_cursors.pop() if self._idle_cursors else self._connection.cursor()
        try:
            yield cursor
        finally:
            with self._guard:
                keep = not self._closed
                if keep:
                    self._idle_cursors.append(cursor)
            if not keep:
                cursor.close()

    def _check_open(self) -> None:
        if self._closed:
            raise OpenError("the graph was closed", advice="Open it again.")

    def _stored_schema(self) -> Schema | None:
        if self._folder is None or not (self._folder / SCHEMA_FILE).is_file():
            return None
        try:
            return Schema.from_dict(json.loads((self._folder / SCHEMA_FILE).read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError) as error:
            raise CorruptGraphError(
                f"{self._folder / SCHEMA_FILE} cannot be read: {error}", advice="Load the graph again."
            ) from error

    def _introspect(self, budget: Budget | None) -> Schema:
        from .introspection import introspect

        with self._cursor() as cursor:
            schema = introspect(cursor, budget)
        if not self._symmetric:
            return schema
        return replace(schema, edge_types=tuple(replace(item, symmetric=True) for item in schema.edge_types))


def _read_metadata(connection: duckdb.DuckDBPyConnection, version: Path) -> dict[str, str]:
    import duckdb

    try:
        metadata = dict(connection.execute("SELECT key, value FROM metadata").fetchall())
        found = int(metadata["format_version"])
    except (duckdb.Error, KeyError, ValueError) as error:
        raise CorruptGraphError(
            f"{version} holds no graph: {error}", advice="Load the graph again."
        ) from error
    if found > FORMAT_VERSION:
        raise UnsupportedGraphError(
            f"the tables in {version} have format {found}, and this askgraph reads up to {FORMAT_VERSION}",
            advice="Update askgraph, or load the graph again with this one.",
        )
    return metadata
