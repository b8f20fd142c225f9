"""The embedded RDF graph behind the seam of graph stores."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import numpy as np
from numpy.typing import NDArray

from ...core.adjacency import Adjacency
from ...core.budget import Budget
from ...core.checked_query import CheckedQuery
from ...core.errors import OpenError, QueryFailedError, UnsupportedGraphError
from ...core.graph import Direction, Edge, Node
from ...core.plan import Plan, Table
from ...core.progress import SILENT, Progress
from ...core.query_result import QueryExplanation, QueryResult
from ...core.schema import Schema
from ...core.values import Value
from ...core.version import version_of
from ..base import Capabilities, GraphInRows, Neighbors, RelationCount
from ..folder import GraphFolder, PinnedVersion
from ..loading.report import OnError
from ..query_text import cut_notes, insist_on_checked, most_rows
from .columns import COLUMNS_FOLDER, RdfColumns, open_columns
from .hops import count_relations, edge_numbers, find_neighbors
from .introspection import introspect, open_schema
from .loading import content_hash, read_rdf
from .names import DEFAULT_LABELS, LabelSettings
from .plan_to_sparql import plan_to_sparql
from .query_cells import MOST_NAMED, cells_of
from .sparql_context import SparqlContext, sparql_context
from .sparql_process import SparqlProcess
from .sparql_results import run_as_sparql
from .statements import StatementReader

_LIMITS = (
    "SPARQL text sees the triples of all named graphs as one graph where it does not say GRAPH.",
    "The engine of SPARQL text cannot be interrupted: its process is ended at the deadline.",
    "It does not tell how it would run a SPARQL query.",
    "It infers nothing but subclasses and equivalent classes: other rules of OWL are not applied.",
)


class RdfStore:
    """A version of an RDF graph, open for reading. Safe to use from several threads at once."""

    def __init__(
        self,
        columns: RdfColumns,
        *,
        version: str,
        labels: LabelSettings = DEFAULT_LABELS,
        pin: PinnedVersion | None = None,
    ) -> None:
        """A store over what is open already; :meth:`open` and :meth:`from_files` are what callers use.

        Args:
            columns: the graph.
            version: the hash of its content.
            labels: how names are chosen.
            pin: of the version whose folder the columns are in, closed with the store; ``None`` for a graph in memory.
        """
        self._columns: RdfColumns | None = columns
        self._version = version
        self._labels = labels
        self._pin = pin
        self._folder = None if pin is None else pin.version.path
        self._reader = StatementReader(columns, labels)
        self._schema: Schema | None = None
        self._in_rows: GraphInRows | None = None
        self._lock = threading.Lock()
        self._sparql = SparqlProcess(self._reader.ntriples, len(columns.statement_objects), self._folder)

    @classmethod
    def open(cls, path: str | Path, *, labels: LabelSettings = DEFAULT_LABELS) -> Self:
        """Open the current version of a graph folder; it stays as it is for as long as the store is open.

        Raises:
            OpenError: nothing is there, it is no RDF graph, or it is damaged.
        """
        folder = GraphFolder.open(path)
        if folder.kind != "rdf":
            raise UnsupportedGraphError(f"{path} is a graph of kind {folder.kind}, not an RDF graph")
        pin = folder.pin()
        try:
            columns = open_columns(pin.version.path / COLUMNS_FOLDER)
            return cls(columns, version=pin.version.content_hash, labels=labels, pin=pin)
        except BaseException:
            pin.close()
            raise

    @classmethod
    def from_files(
        cls,
        *paths: str | Path,
        labels: LabelSettings = DEFAULT_LABELS,
        on_error: OnError = "stop",
        base_iri: str | None = None,
        progress: Progress = SILENT,
    ) -> Self:
        """A graph of RDF files, in memory. Raises what :func:`load_rdf` raises."""
        columns = read_rdf(paths, on_error=on_error, base_iri=base_iri, progress=progress)
        return cls(columns, version=content_hash(columns, base_iri), labels=labels)

    # --- what it is

    @property
    def capabilities(self) -> Capabilities:
        """What this store can and cannot do."""
        return Capabilities(
            kind="rdf",
            engine=f"sorted arrays, read by pyoxigraph {version_of('pyoxigraph')}",
            persistent=self._folder is not None,
            version=self._version,
            query_languages=("sparql",),
            limits=_LIMITS,
            prefixes=tuple(sorted(self._columns.prefixes.items())) if self._columns is not None else (),
        )

    @property
    def version_folder(self) -> Path | None:
        """The folder of the version that is open, where what is derived from it may be kept; ``None`` for a graph in
        memory."""
        return self._folder

    @property
    def columns(self) -> RdfColumns:
        """The arrays of the graph. Raises :class:`OpenError` when the store is closed."""
        if self._columns is None:
            raise OpenError("the graph was closed")
        return self._columns

    @property
    def adjacency(self) -> Adjacency:
        """The edges as arrays; row numbers are those of :meth:`ids`."""
        return self.columns.adjacency

    def graph_in_rows(self) -> GraphInRows:
        """The graph as arrays. Kept after the first call."""
        columns = self.columns
        with self._lock:
            if self._in_rows is None:
                self._in_rows = GraphInRows(
                    columns.adjacency,
                    tuple(columns.predicates),
                    tuple(columns.resources.texts(columns.class_rows.astype(np.int64))),
                    _most_specific_classes(columns),
                )
            return self._in_rows

    def edges_at(self, numbers: NDArray[np.int64]) -> Iterator[Edge]:
        """The edges of these numbers, in their order."""
        return self._reader.edges(numbers)

    def ids(self, rows: NDArray[np.int64]) -> list[str]:
        """The ids of nodes by row."""
        return self.columns.resources.texts(rows)

    def rows(self, ids: Sequence[str]) -> NDArray[np.int64]:
        """The rows of nodes by id; -1 where there is none."""
        return self.columns.find_rows(ids)

    def schema(self, budget: Budget | None = None) -> Schema:
        """What the graph is made of. Kept after the first call."""
        columns = self.columns
        with self._lock:
            if self._schema is None:
                if self._folder is not None and self._labels == DEFAULT_LABELS:
                    self._schema = open_schema(self._folder)
                else:
                    self._schema = introspect(columns, self._labels)
            return self._schema

    # --- nodes and edges

    def nodes(self, ids: Sequence[str] | None = None) -> Iterator[Node]:
        """The nodes with these ids, in their order, classes and properties too; without ids every node by its id."""
        columns = self.columns
        rows = columns.node_rows if ids is None else columns.find_rows(ids)
        return self._reader.nodes(rows)

    def edges(self, ids: Sequence[str] | None = None) -> Iterator[Edge]:
        """The edges with these ids, in their order; without ids every edge by source, type and target."""
        columns = self.columns
        if ids is not None:
            return self._reader.edges(edge_numbers(columns, ids))
        return self._reader.edges(np.arange(columns.adjacency.edge_count, dtype=np.int64))

    def neighbors(
        self,
        ids: Sequence[str],
        direction: Direction = "both",
        *,
        types: Sequence[str] | None = None,
        limit_per_node: int | None = None,
        budget: Budget | None = None,
    ) -> Neighbors:
        """One hop from each of these nodes over edges of these types (``None``: all; empty: none)."""
        return find_neighbors(
            self.columns, ids, direction, types=types, limit_per_node=limit_per_node, budget=budget
        )

    def relations(self, ids: Sequence[str], budget: Budget | None = None) -> Sequence[RelationCount]:
        """The edge types that leave and enter these nodes, with the number of edges, the most frequent first."""
        if budget is not None:
            budget.check("counting relations")
        return count_relations(self.columns, ids)

    # --- plans and export

    def run(self, plan: Plan, budget: Budget | None = None) -> Table:
        """Run a plan. Raises :class:`PlanError` if it names types or keys that the schema does not have."""
        from .execution.run import run_plan

        return run_plan(self.columns, plan, self.schema(), budget)

    def to_sparql(self, plan: Plan) -> str:
        """A plan as a SPARQL query, to be shown. Raises :class:`PlanError` as :meth:`run` does."""
        return plan_to_sparql(plan, self.schema(), self._sparql_context)

    def run_as_sparql(self, plan: Plan, budget: Budget | None = None) -> Table:
        """Run what :meth:`to_sparql` gives, on oxigraph in a process that is killed when the time is up.

        :meth:`run` is faster and exact; this shows that the query says the same. The index that it needs is made from
        the graph when it is first used, and kept with the version. Raises what :meth:`run` raises.
        """
        return run_as_sparql(plan, self.to_sparql(plan), self._sparql, budget or Budget())

    # --- query text

    def query(
        self,
        checked: CheckedQuery,
        parameters: Mapping[str, Value] | None = None,
        budget: Budget | None = None,
    ) -> QueryResult:
        """Run a SPARQL query that has passed the gate, on oxigraph in a process that is killed when the time is up.

        IRIs and blank nodes come as nodes with their names and types, without their properties. A triple of a named
        graph is seen as one of the default graph too.

        Raises:
            TypeError: anything but a :class:`CheckedQuery`.
            QueryFailedError: it is no SPARQL, it was given parameters, or the engine cannot run it.
            DeadlineExceededError, CapExceededError, OpenError: as :meth:`run`.
        """
        self._insist_on_query(checked, parameters)
        budget = budget or Budget()
        found = self._sparql.run(checked.text, most_rows(checked, budget), budget)
        rows, all_named = cells_of(found.rows, lambda ids: self.nodes(ids), self.schema())
        notes = list(checked.notes)
        if not all_named:
            notes.append(f"Names of nodes were looked up for the first {MOST_NAMED:,} of them.")
        notes += cut_notes(len(rows), found.truncated)
        return QueryResult(found.columns, rows, found.shape, found.truncated, tuple(notes))

    def explain(
        self,
        checked: CheckedQuery,
        parameters: Mapping[str, Value] | None = None,
        budget: Budget | None = None,
    ) -> QueryExplanation:
        """Always raises :class:`QueryFailedError`: oxigraph does not tell how it would run a query."""
        self._insist_on_query(checked, parameters)
        raise QueryFailedError(
            "the embedded engine does not tell how it would run a SPARQL query",
            code="unsupported",
            advice="Run it with a short --timeout instead.",
        )

    def prepare_queries(self, progress: Progress = SILENT) -> None:
        """Make the index that SPARQL text needs, if it is not there yet. Takes as long as it takes.

        Raises:
            OpenError, CapExceededError: it cannot be made.
        """
        _ = self.columns
        self._sparql.prepare(progress)

    def _insist_on_query(self, checked: CheckedQuery, parameters: Mapping[str, Value] | None) -> None:
        _ = self.columns
        insist_on_checked(checked, "sparql", parameters or {})
        if parameters:
            raise QueryFailedError(
                "a SPARQL query has no parameters",
                code="parameters",
                advice="Write the values into its text, for example with VALUES.",
            )

    @property
    def sparql_process_id(self) -> int | None:
        """The operating system's number of the process that runs SPARQL; ``None`` while there is none."""
        return self._sparql.process_id

    def ntriples(self) -> Iterator[str]:
        """Every triple as a line of N-Triples with its line feed, in a fixed order; literals as they were written.

        A triple in named graphs is a line of N-Quads, once for each graph.
        """
        _ = self.columns
        return self._reader.ntriples()

    def write_ntriples(self, file: IO[str]) -> int:
        """Write :meth:`ntriples` to a text file; the number of lines."""
        count = 0
        for line in self.ntriples():
            file.write(line)
            count += 1
        return count

    @cached_property
    def _sparql_context(self) -> SparqlContext:
        return sparql_context(self.columns)

    @property
    def has_named_graphs(self) -> bool:
        """Whether any triple stands in a named graph: then an export is N-Quads."""
        return bool(self.columns.graph_names)

    # --- the end

    def close(self) -> None:
        """Let go of the files. Closing twice is allowed."""
        self._sparql.close()
        with self._lock:
            self._columns = None
            if self._pin is not None:
                self._pin.close()
                self._pin = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"RdfStore({'in memory' if self._folder is None else str(self._folder)!r})"


def _most_specific_classes(columns: RdfColumns) -> NDArray[np.int64]:
    """For each row the place of its class: of several the one with fewest members, the first of equals; -1 of none."""
    chosen = np.full(len(columns.is_node), -1, dtype=np.int64)
    sizes = np.diff(columns.class_offsets)
    # Written from the largest to the smallest: what is written last stays.
    for place in sorted(range(len(sizes)), key=lambda place: (-int(sizes[place]), -place)):
        chosen[columns.class_members[columns.class_offsets[place] : columns.class_offsets[place + 1]]] = place
    return chosen
