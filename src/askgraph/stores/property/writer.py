"""The one way into a property graph: loaders hand over relations, the writer merges them into a new version.

    with PropertyGraphWriter.into("company.graph", reads=[Path("people.csv"), Path("works.csv")]) as writer:
        writer.connection.execute("CREATE TEMP TABLE people AS SELECT * FROM read_csv(…)")
        name = PropertySource("name", "name", "text")
        writer.add_nodes("people", id_column="id", types=["Person"], properties=[name])
        writer.add_edges("works", source_column="person", target_column="company", type="works at")
        summary = writer.finish()

Rows travel from SQL to SQL: Python sees neither a node nor an edge.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from ...core.errors import LoadError
from ...core.graph import Edge, Node
from ...core.progress import SILENT, Progress
from ..folder import GraphFolder
from .arrays import GraphArrays, build_arrays, save_arrays
from .catalog import PropertyColumn
from .database import PREVIOUS, connect_for_writing
from .edge_merging import EdgeMerger, MergedEdges
from .fingerprint import content_hash
from .layout import ADJACENCY_FOLDER, CREATE_TABLES, DATABASE_FILE, FORMAT_VERSION, SCHEMA_FILE, TABLES
from .node_merging import MergedNodes, NodeMerger
from .objects import stage_edge_objects, stage_node_objects
from .staging import (
    EdgeRelation,
    NodeRelation,
    Problems,
    PropertyColumns,
    PropertySource,
    SourceOfRows,
)

if TYPE_CHECKING:
    import duckdb

__all__ = ["LoadSummary", "PropertyGraphWriter", "PropertySource", "SourceOfRows", "stop_at_problem"]

_SPILL_FOLDER: Final = "spill"
_STAGES: Final = 4
_LOADER_KEY: Final = "loader."


@dataclass(frozen=True, slots=True)
class LoadSummary:
    """What a load did to the graph.

    Attributes:
        nodes_added: ids that the graph did not have.
        nodes_updated: ids that it had and that this load gave again (types joined, properties overwritten).
        edges_added: edges that the graph did not have.
        edges_present: edges that it had already, by their given id (updated) or by their whole content (left alone).
        rows_skipped: rows left out because of a problem that ``on_problem`` allowed.
        nodes: nodes in the graph now.
        edges: edges in the graph now.
    """

    nodes_added: int
    nodes_updated: int
    edges_added: int
    edges_present: int
    rows_skipped: int
    nodes: int
    edges: int


@dataclass(frozen=True, slots=True, eq=False)
class FinishedGraph:
    """What a writer has made beside the tables: the arrays, and the hash of the content."""

    arrays: GraphArrays
    content_hash: str


def stop_at_problem(problem: LoadError) -> None:
    """The policy of a careful loader: the first problem ends the load."""
    raise problem


class PropertyGraphWriter:
    """Collects relations of nodes and edges, then merges them with what the graph has into a new version.

    Attributes:
        connection: DuckDB on the unfinished version's file. It can read the files named in ``reads`` and nothing else;
            no extension is installed or loaded by itself. Make staging relations with ``CREATE TEMP TABLE`` or
            ``CREATE TEMP VIEW``, called otherwise than the tables of the layout; they vanish with the connection. A
            view over a file costs less than a table, because a relation is read once. The order of its rows is the
            order of arrival. The database ``staging`` is the writer's own.
        finished: what :meth:`finish` made beside the tables; ``None`` before.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        *,
        has_previous: bool = False,
        name_properties: Sequence[str] | None = None,
        alias_properties: Sequence[str] | None = None,
        on_problem: Callable[[LoadError], None] = stop_at_problem,
        progress: Progress = SILENT,
    ) -> None:
        """See :meth:`into` and :meth:`in_memory`, which make the connection too."""
        self.connection = connection
        self.finished: FinishedGraph | None = None
        self._has_previous = has_previous
        self._naming = {"name_properties": name_properties, "alias_properties": alias_properties}
        self._problems = Problems(on_problem)
        self._progress = progress
        self._remembered: dict[str, str] = {}
        self._nodes: list[NodeRelation] = []
        self._edges: list[EdgeRelation] = []

    @classmethod
    @contextmanager
    def into(
        cls,
        path: Path | str,
        *,
        create: bool = True,
        reads: Sequence[Path] = (),
        memory_limit: str = "1GB",
        threads: int | None = None,
        name_properties: Sequence[str] | None = None,
        alias_properties: Sequence[str] | None = None,
        on_problem: Callable[[LoadError], None] = stop_at_problem,
        progress: Progress = SILENT,
        wait: float = 0.0,
    ) -> Iterator[Self]:
        """A writer on the graph folder at ``path``; leaving the block after :meth:`finish` publishes the new version.

        Leaving it otherwise (by an error, or without :meth:`finish`) leaves the graph as it was; a folder that this
        call made is removed.

        Args:
            path: the graph folder; made if ``create`` and nothing is there.
            create: whether a new graph may be made.
            reads: the files that ``connection`` may read.
            memory_limit: what DuckDB may take before it writes to disk.
            threads: threads of DuckDB; ``None``: one a core.
            name_properties: keys that give a node its names, the preferred first. ``None``: as before, else by the
                rules of ``layout.NAME_PROPERTIES``.
            alias_properties: keys whose values are further names.
            on_problem: told of every dangling edge, duplicate id and value that cannot be stored, with its place. It
                may raise the error (the load stops) or return (the row is left out).
            progress: told of the stages.
            wait: seconds to wait for another writer to end.

        Raises:
            GraphLockedError: another process is writing.
            UnsupportedGraphError, CorruptGraphError: what is at ``path`` is no property graph, or a damaged one.
            GraphNotFoundError: nothing is there and ``create`` is false.
        """
        with GraphFolder.writing(path, kind="property", create=create, wait=wait) as version:
            previous = None if version.previous is None else version.previous.path / DATABASE_FILE
            spill = version.path / _SPILL_FOLDER
            connection = connect_for_writing(
                version.path / DATABASE_FILE,
                previous=previous,
                reads=reads,
                spill=spill,
                memory_limit=memory_limit,
                threads=threads,
            )
            try:
                writer = cls(
                    connection,
                    has_previous=previous is not None,
                    name_properties=name_properties,
                    alias_properties=alias_properties,
                    on_problem=on_problem,
                    progress=progress,
                )
                yield writer
                if writer.finished is not None:
                    writer._write_schema(version.path)
            finally:
                connection.close()
            if writer.finished is not None:
                shutil.rmtree(spill, ignore_errors=True)
                save_arrays(writer.finished.arrays, version.path / ADJACENCY_FOLDER)
                version.seal(writer.finished.content_hash)

    @classmethod
    def in_memory(
        cls,
        *,
        name_properties: Sequence[str] | None = None,
        on_problem: Callable[[LoadError], None] = stop_at_problem,
        progress: Progress = SILENT,
    ) -> Self:
        """A writer of a graph that lives in memory; :class:`PropertyStore` takes over its ``connection``."""
        connection = connect_for_writing(
            None, previous=None, reads=(), spill=None, memory_limit=None, threads=None
        )
        return cls(connection, name_properties=name_properties, on_problem=on_problem, progress=progress)

    def add_nodes(
        self,
        relation: str,
        *,
        id_column: str,
        types: Sequence[str] = (),
        types_column: str | None = None,
        types_separator: str | None = None,
        properties: Sequence[PropertySource] = (),
        source: SourceOfRows | None = None,
        implied: bool = False,
    ) -> None:
        """One node for each row of ``relation``.

        Args:
            relation: a table or view of :attr:`connection`, as SQL names it. Read once, by :meth:`finish` (and again to
                tell of a row at fault).
            id_column: VARCHAR, never null.
            types: labels of every node of the relation; they come before those of ``types_column``.
            types_column: VARCHAR or VARCHAR[] with the labels of each node; null or empty: none.
            types_separator: what separates several labels in one text.
            properties: at most one for each pair of key and column type.
            source: where the rows come from.
            implied: the rows are ends that edges mention (``x_id``, ``x_name`` beside an edge): one may repeat, also
                with other content (the first value of each property stays), and a row of a relation that is not
                implied goes before it without a clash.

        Within one load an id that comes twice with the same content is one node; with other content it is a
        :class:`DuplicateIdError`. An id that the graph has from an earlier load is updated: new types are added after
        the old ones, a property that has a value in the new row takes it, and the others keep theirs.
        """
        self._nodes.append(
            NodeRelation(
                relation=relation,
                id_column=id_column,
                types=tuple(types),
                types_column=types_column,
                types_separator=types_separator,
                properties=tuple(properties),
                source=source,
                implied=implied,
            )
        )

    def add_edges(
        self,
        relation: str,
        *,
        source_column: str,
        target_column: str,
        type: str | None = None,
        type_column: str | None = None,
        id_column: str | None = None,
        properties: Sequence[PropertySource] = (),
        source: SourceOfRows | None = None,
    ) -> None:
        """One edge for each row of ``relation``; its ends are node ids (VARCHAR) of this load or an earlier one.

        Args:
            relation: a table or view of :attr:`connection`, as SQL names it. Read once, by :meth:`finish` (and again to
                tell of a row at fault).
            source_column: the id of the node that the edge leaves.
            target_column: the id of the node that it enters.
            type: the type of every edge of the relation; or
            type_column: a VARCHAR column with the type of each.
            id_column: VARCHAR; null or empty: no id given; so is the id that ``core.graph.edge_id`` makes.
            properties: at most one for each pair of key and column type.
            source: where the rows come from.

        Parallel edges of one load all stay. An edge with a given id replaces the edge of an earlier load that has this
        id; an edge without one that an earlier load gave with the same ends, type and properties is not added again
        (loading the same file twice changes nothing).
        """
        self._edges.append(
            EdgeRelation(
                relation=relation,
                source_column=source_column,
                target_column=target_column,
                type=type,
                type_column=type_column,
                id_column=id_column,
                properties=tuple(properties),
                source=source,
            )
        )

    def add_node_objects(self, nodes: Iterable[Node], *, source: SourceOfRows | None = None) -> None:
        """Nodes from Python. Any value of :mod:`askgraph.core.values` survives exactly. ``Node.names`` is not stored:
        names are properties. ``source.locate`` gets the nodes' ordinals in the iterable."""
        table = f"node_objects_{len(self._nodes)}"
        self._nodes.append(stage_node_objects(self.connection, table, nodes, source, self._problems))

    def add_edge_objects(self, edges: Iterable[Edge], *, source: SourceOfRows | None = None) -> None:
        """Edges from Python. An empty ``Edge.id`` or one that :func:`askgraph.core.graph.edge_id` makes counts as not
        given. ``source.locate`` gets the edges' ordinals in the iterable."""
        table = f"edge_objects_{len(self._edges)}"
        self._edges.append(stage_edge_objects(self.connection, table, edges, source, self._problems))

    def remember(self, key: str, value: str) -> None:
        """Leave word for later loads into this graph (:meth:`remembered`)."""
        self._remembered[_LOADER_KEY + key] = value

    def remembered(self, key: str) -> str | None:
        """What an earlier load left under this key."""
        if not self._has_previous:
            return None
        row = self.connection.execute(
            f"SELECT value FROM {PREVIOUS}.metadata WHERE key = ?", [_LOADER_KEY + key]
        ).fetchone()
        return None if row is None else str(row[0])

    def finish(self) -> LoadSummary:
        """Check, merge, number, sort and write everything. May be called once.

        What DuckDB raises while it reads a relation (a view over a file that does not parse) is passed on.

        Raises:
            DuplicateIdError, DanglingEdgeError, BadValueError: by way of ``on_problem``, naming file and line.
            LoadError: the graph does not fit in the memory and disk that there is.
        """
        import duckdb

        try:
            return self._finish()
        except duckdb.OutOfMemoryException as error:
            raise LoadError(
                f"the load needs more memory or disk than there is: {str(error).partition(chr(10))[0]}",
                advice="Free some disk space, or load fewer rows at a time.",
            ) from error

    def _finish(self) -> LoadSummary:
        connection = self.connection
        self._refuse_hidden_tables()
        connection.execute(CREATE_TABLES)
        self._progress.start("building the graph", _STAGES)
        nodes, edges = self._merge()
        arrays = build_arrays(connection)
        self._progress.advance()
        self._write_metadata(arrays)
        self.finished = FinishedGraph(arrays, content_hash(connection))
        connection.execute("CHECKPOINT")
        self._progress.advance()
        self._progress.finish()
        return LoadSummary(
            nodes_added=nodes.added,
            nodes_updated=nodes.updated,
            edges_added=edges.added,
            edges_present=edges.present,
            rows_skipped=self._problems.skipped,
            nodes=arrays.adjacency.node_count,
            edges=arrays.adjacency.edge_count,
        )

    def _refuse_hidden_tables(self) -> None:
        """A temporary table goes before one of the graph that has the same name."""
        rows = self.connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE temporary UNION ALL"
            " SELECT view_name FROM duckdb_views() WHERE temporary"
        ).fetchall()
        hidden = sorted({name.casefold() for (name,) in rows} & TABLES)
        if hidden:
            raise ValueError(
                f"a temporary relation cannot be called {hidden[0]!r}: the graph has a table of that name"
            )

    def _merge(self) -> tuple[MergedNodes, MergedEdges]:
        old = self._previous_columns()
        of_nodes, of_edges = PropertyColumns("node", old), PropertyColumns("edge", old)
        nodes = NodeMerger(
            self.connection,
            of_nodes,
            previous_columns=list(of_nodes),
            previous_types=self._previous_names("node_types"),
            problems=self._problems,
        ).merge(self._nodes)
        self._describe_columns("nodes", of_nodes)
        self._progress.advance()
        edges = EdgeMerger(
            self.connection,
            of_edges,
            previous_columns=list(of_edges),
            previous_types=self._previous_names("edge_types"),
            problems=self._problems,
        ).merge(self._edges)
        self._describe_columns("edges", of_edges)
        self._progress.advance()
        return nodes, edges

    def _write_schema(self, version: Path) -> None:
        """Count the schema once, so that opening need not."""
        from .introspection import introspect

        self._progress.start("counting types and properties")
        schema = introspect(self.connection)
        text = json.dumps(schema.to_dict(), ensure_ascii=False, allow_nan=False)
        (version / SCHEMA_FILE).write_text(text, encoding="utf-8")
        self._progress.finish()

    def _previous_columns(self) -> list[PropertyColumn]:
        if not self._has_previous:
            return []
        rows = self.connection.execute(
            f"SELECT owner, key, column_type, column_name FROM {PREVIOUS}.property_columns ORDER BY owner, position"
        ).fetchall()
        return [PropertyColumn(*row) for row in rows]

    def _previous_names(self, table: str) -> list[str] | None:
        if not self._has_previous:
            return None
        rows = self.connection.execute(f"SELECT name FROM {PREVIOUS}.{table} ORDER BY code").fetchall()
        return [name for (name,) in rows]

    def _describe_columns(self, table: str, columns: PropertyColumns) -> None:
        """Write down the columns that hold a value; the others are dropped."""
        counted = ", ".join(["count(*)", *(f"count({name})" for name in columns.names)])
        _, *counts = self.connection.execute(f"SELECT {counted} FROM {table}").fetchone() or (0,)
        kept = 0
        for column, count in zip(columns, counts, strict=True):
            if count == 0:
                self.connection.execute(f"ALTER TABLE {table} DROP COLUMN {column.column_name}")
                continue
            self.connection.execute(
                "INSERT INTO property_columns VALUES (?, ?, ?, ?, ?)",
                [column.owner, kept, column.key, column.column_type, column.column_name],
            )
            kept += 1

    def _write_metadata(self, arrays: GraphArrays) -> None:
        values = {
            "format_version": str(FORMAT_VERSION),
            "edges_with_id": json.dumps(arrays.edge_ids is not None),
        }
        if self._has_previous:
            old = self.connection.execute(f"SELECT key, value FROM {PREVIOUS}.metadata").fetchall()
            values |= {key: value for key, value in old if key in self._naming or key.startswith(_LOADER_KEY)}
        values |= {key: json.dumps(list(keys)) for key, keys in self._naming.items() if keys is not None}
        values |= self._remembered
        self.connection.executemany("INSERT INTO metadata VALUES (?, ?)", sorted(values.items()))
