"""The one way into a property graph: loaders hand over relations, the writer merges them into a new version.

    with PropertyGraphWriter.into("company.graph", reads=[Path("people.csv"), Path("works.csv")]) as writer:
        writer.connection.execute("CREATE TEMP TABLE people AS SELECT * FROM read_csv(…)")
        writer.add_nodes("people", id_column="id", types=["Person"], properties=[PropertySource("name", "name", "text")])
        writer.add_edges("works", source_column="person", target_column="company", type="works at")
        summary = writer.finish()

Rows travel from SQL to SQL: Python sees neither a node nor an edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import LoadError, Location
from ...core.graph import Edge, Node
from ...core.progress import SILENT, Progress

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class PropertySource:
    """Where a property comes from: ``column`` of the relation, which already has the SQL type that
    ``layout.COLUMN_TYPES`` gives for ``column_type`` (``integer`` BIGINT, ``text[]`` VARCHAR[], …). Null: no value."""

    key: str
    column: str
    column_type: str


@dataclass(frozen=True, slots=True)
class SourceOfRows:
    """Where the rows of a relation come from, so that a fault can be shown at its place.

    Attributes:
        file: the file's name for people.
        line_column: a column of the relation with the line of each row, counted from 1.
        locate: for relations without such a column: given the ordinals (from 0, in the relation's order) of rows
            that are at fault, the lines where they stand. Called only when there is a fault.
    """

    file: str
    line_column: str | None = None
    locate: Callable[[Sequence[int]], Sequence[Location]] | None = None


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


def stop_at_problem(problem: LoadError) -> None:
    """The policy of a careful loader: the first problem ends the load."""
    raise problem


class PropertyGraphWriter:
    """Collects relations of nodes and edges, then merges them with what the graph has into a new version.

    Attributes:
        connection: DuckDB on the unfinished version's file. It can read the files named in ``reads`` and nothing else;
            no extension is installed or loaded by itself. Make staging relations with ``CREATE TEMP TABLE`` or
            ``CREATE TEMP VIEW`` (any schema but ``main`` is free too); they vanish with the connection. The order of a
            relation's rows is the order of arrival.
    """

    connection: duckdb.DuckDBPyConnection

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
    ) -> Iterator[PropertyGraphWriter]:
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
            on_problem: told of every dangling edge and duplicate id, with its place. It may raise the error (the load
                stops) or return (the row is left out).
            progress: told of the stages.

        Raises:
            GraphLockedError: another process is writing.
            UnsupportedGraphError, CorruptGraphError: what is at ``path`` is no property graph, or a damaged one.
            GraphNotFoundError: nothing is there and ``create`` is false.
        """
        raise NotImplementedError

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
        """One node for each row of ``relation`` (the name of a table or view of :attr:`connection`).

        Args:
            relation: read once, by :meth:`finish`.
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
        raise NotImplementedError

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
            relation: read once, by :meth:`finish`.
            source_column: the id of the node that the edge leaves.
            target_column: the id of the node that it enters.
            type: the type of every edge of the relation; or
            type_column: a VARCHAR column with the type of each.
            id_column: VARCHAR; null: no id given.
            properties: at most one for each pair of key and column type.
            source: where the rows come from.

        Parallel edges of one load all stay. An edge with a given id replaces the edge of an earlier load that has this
        id; an edge without one that an earlier load gave with the same ends, type and properties is not added again
        (loading the same file twice changes nothing).
        """
        raise NotImplementedError

    def add_node_objects(self, nodes: Iterable[Node], *, source: SourceOfRows | None = None) -> None:
        """Nodes from Python. Any value of :mod:`askgraph.core.values` survives exactly. ``Node.names`` is not stored:
        names are properties."""
        raise NotImplementedError

    def add_edge_objects(self, edges: Iterable[Edge], *, source: SourceOfRows | None = None) -> None:
        """Edges from Python. An empty ``Edge.id`` or one that :func:`askgraph.core.graph.edge_id` makes counts as not
        given."""
        raise NotImplementedError

    def finish(self) -> LoadSummary:
        """Check, merge, number, sort and write everything. May be called once.

        Raises:
            DuplicateIdError, DanglingEdgeError, BadValueError: by way of ``on_problem``, naming file and line.
        """
        raise NotImplementedError
