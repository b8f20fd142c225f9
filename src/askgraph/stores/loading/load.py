"""Files into a graph: what each file is, what it gives, and what happens to rows that cannot be taken."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from ...core.budget import Budget
from ...core.errors import DanglingEdgeError, DuplicateIdError, LoadError, SettingsError
from ...core.progress import SILENT, Progress
from ..property.database import PREVIOUS
from .delimited import DelimitedOptions, inspect_delimited
from .header_faults import HeaderContext
from .mapping import Column, ColumnMap
from .report import LoadReport, OnError, ProblemLog
from .sources import FileFormat, InputFile, find_files
from .spaces import IdSpaces
from .staged import Loadable, StagedTable

if TYPE_CHECKING:
    from ..property.writer import LoadSummary, PropertyGraphWriter

_SPACES: Final = "id_spaces"
_RDF_NAMES: Final = (
    "which properties name the nodes of an RDF graph is a setting (label_properties) and not part of the graph:"
    " what was asked for here has no effect"
)

MissingNodes = Literal["auto", "create", "error"]


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How files of nodes and edges are read.

    Attributes:
        node_type: the type of nodes of files that have no column for it.
        edge_type: the type of edges of files that have no column for it.
        missing_nodes: what an edge does whose end is no node: ``create`` makes one without type and properties,
            ``error`` is a :class:`DanglingEdgeError`, ``auto`` creates them where neither this load nor the graph has
            any node with a type or property.
        delimiter: of CSV and TSV files; ``None``: judged by the header.
        has_header: whether CSV and TSV files have a header; ``None``: judged by the first line.
        array_separator: what stands between the elements of a list, and between several types, in one cell.
        infer_types: whether columns without a declared type are judged by their values; else they are text.
        name_properties: keys that give nodes their names, the preferred first; ``None``: the usual ones.
        alias_properties: keys with further names.
        memory_limit: what the database may take before it writes to disk.
        threads: of the database; ``None``: one a core.
    """

    node_type: str | None = None
    edge_type: str | None = None
    missing_nodes: MissingNodes = "auto"
    delimiter: str | None = None
    has_header: bool | None = None
    array_separator: str = ";"
    infer_types: bool = True
    name_properties: Sequence[str] | None = None
    alias_properties: Sequence[str] | None = None
    memory_limit: str = "1GB"
    threads: int | None = None

    def __post_init__(self) -> None:
        for name, text in (("delimiter", self.delimiter), ("array_separator", self.array_separator)):
            if text is not None and (len(text.encode()) != 1 or text in '"\r\n'):
                raise SettingsError(
                    f"the {name} must be one ASCII character, not {text!r}",
                    advice="For example , ; | or a tab.",
                )
        if self.missing_nodes not in ("auto", "create", "error"):
            raise SettingsError(f"missing_nodes is auto, create or error, not {self.missing_nodes!r}")


def load_files(
    paths: Sequence[str | Path],
    into: str | Path,
    *,
    on_error: OnError = "stop",
    column_map: Mapping[str, Any] | None = None,
    name_properties: Sequence[str] = (),
    options: LoadOptions | None = None,
    progress: Progress = SILENT,
    budget: Budget | None = None,
) -> LoadReport:
    """Load files into the graph folder at ``into``; a new folder is made, an existing graph grows.

    What a file is, its suffix tells: CSV and TSV, JSON Lines (all also with ``.gz``) and Parquet make a property graph,
    the RDF syntaxes an RDF graph. Which table has nodes and which edges, its header tells (see :mod:`.dialects`).

    Args:
        paths: the files.
        into: the graph folder.
        on_error: ``stop`` raises at the first row that cannot be taken; ``skip`` leaves such rows out and reports them;
            ``report`` reads everything, and if there is any such row raises with all of them and loads nothing.
        column_map: what columns mean that have other names (see :mod:`.mapping`).
        name_properties: keys that give nodes their names, the preferred first; none: the usual ones.
        options: see :class:`LoadOptions`.
        progress: told how far the load is.
        budget: its time limits the load; ``None``: no limit.

    Raises:
        LoadError: what is wrong, with file, line and column. The graph is then as it was, and a folder that this call
            made is gone.
        SettingsError: a map or an option that cannot be used.
        OpenError: ``into`` cannot be written to, or is a graph of the other kind.
        DeadlineExceededError: the budget's time is up.
    """
    if on_error not in ("stop", "skip", "report"):
        raise SettingsError(f"on_error is stop, skip or report, not {on_error!r}")
    files = find_files(paths)
    options = options or LoadOptions()
    if name_properties:
        options = replace(options, name_properties=tuple(name_properties))
    if files[0].format is FileFormat.RDF:
        if column_map:
            raise SettingsError("a column map is for tables: RDF files have no columns")
        report = _load_rdf(files, into, on_error=on_error, progress=progress)
        return replace(report, notes=(*report.notes, _RDF_NAMES)) if options.name_properties else report
    with tempfile.TemporaryDirectory(prefix="askgraph-load-") as scratch:
        load = _Load(files, options, ProblemLog(on_error), progress, budget)
        load.inspect(ColumnMap.parse(column_map), Path(scratch))
        return load.write(into)


def _load_rdf(
    files: Sequence[InputFile], into: str | Path, *, on_error: OnError, progress: Progress
) -> LoadReport:
    from ..rdf.loading import load_rdf

    return load_rdf([file.path for file in files], into, on_error=on_error, progress=progress)


class _Load:
    """One load of tables into a property graph."""

    def __init__(
        self,
        files: Sequence[InputFile],
        options: LoadOptions,
        log: ProblemLog,
        progress: Progress,
        budget: Budget | None,
    ) -> None:
        self._files = files
        self._options = options
        self._log = log
        self._progress = progress
        self._budget = budget
        self._started = time.monotonic()
        self._column_map = ColumnMap()
        self._loadables: list[Loadable] = []

    def inspect(self, column_map: ColumnMap, scratch: Path) -> None:
        """Look at every header, so that most mistakes show before anything is read."""
        self._column_map = column_map
        column_map.check_files([file.name for file in self._files])
        for number, file in enumerate(self._files):
            with self._reporting():
                loadable = self._inspect_file(file, column_map, scratch, number)
                self._loadables.append(loadable)
                column_map.mark_used(loadable.headers or ())
        if len(self._loadables) == len(self._files):
            self._check_map({loadable.file.name: loadable.headers for loadable in self._loadables})

    def _check_map(self, seen: Mapping[str, Sequence[str] | None]) -> None:
        """Every entry of the map must have met a column, as soon as all columns are known."""
        known = {name: headers for name, headers in seen.items() if headers is not None}
        if len(known) == len(seen):
            self._column_map.check_used(known)

    def _inspect_file(self, file: InputFile, column_map: ColumnMap, scratch: Path, number: int) -> Loadable:
        context = HeaderContext(
            file=file.name,
            file_map=column_map.for_file(file.name),
            node_type=self._options.node_type,
            edge_type=self._options.edge_type,
        )
        if file.format is FileFormat.PARQUET:
            from .parquet import inspect_parquet

            return inspect_parquet(file, context)
        if file.format is FileFormat.JSON_LINES:
            from .jsonlines import inspect_json_lines

            return inspect_json_lines(file, context, scratch, number)
        options = DelimitedOptions(
            delimiter=self._options.delimiter,
            has_header=self._options.has_header,
            array_separator=self._options.array_separator,
            infer_types=self._options.infer_types,
        )
        return inspect_delimited(file, context, options, scratch, number)

    def write(self, into: str | Path) -> LoadReport:
        """Read, check and merge everything into a new version of the graph."""
        from ..property.deadline import within_deadline
        from ..property.writer import PropertyGraphWriter

        tables: list[StagedTable] = []
        with PropertyGraphWriter.into(
            into,
            reads=[file.path for loadable in self._loadables for file in loadable.reads],
            memory_limit=self._options.memory_limit,
            threads=self._options.threads,
            name_properties=self._options.name_properties,
            alias_properties=self._options.alias_properties,
            on_problem=lambda error: self._log.add(_in_columns(error, tables)),
            progress=self._progress,
        ) as writer:
            with within_deadline(writer.connection, self._budget, "loading"):
                self._stage(writer, tables)
                self._hand_over(writer, tables)
                summary = writer.finish()
            self._log.conclude()
        return self._report(summary)

    def _stage(self, writer: PropertyGraphWriter, tables: list[StagedTable]) -> None:
        from .conversion import register_functions

        register_functions(writer.connection)
        for number, loadable in enumerate(self._loadables):
            self._progress.start(f"reading {loadable.file.name}")
            with self._reporting():
                table = loadable.stage(writer.connection, f"staged_{number}", self._log, self._budget)
                tables.append(table)
                self._column_map.mark_used(table.headers)
            self._progress.finish()
        if len(tables) == len(self._files):
            self._check_map({table.name: table.headers for table in tables})

    def _hand_over(self, writer: PropertyGraphWriter, tables: Sequence[StagedTable]) -> None:
        from .tables import TableLoader

        make_ends = self._options.missing_nodes == "create" or (
            self._options.missing_nodes == "auto"
            and not any(table.mapping.nodes for table in tables)
            and _has_bare_nodes(writer)
        )
        spaces = IdSpaces.from_text(writer.remembered(_SPACES))
        spaces.add(_node_spaces(tables, with_ends=make_ends), graph_is_new=not _has_previous(writer))
        loader = TableLoader(writer, spaces=spaces, log=self._log, separator=self._options.array_separator)
        for table in tables:
            for note in table.mapping.notes:
                self._log.note(note)
            with self._reporting():
                loader.load(table, make_ends=make_ends)
        if (
            make_ends
            and self._options.missing_nodes == "auto"
            and any(table.mapping.edges for table in tables)
        ):
            self._log.note("no file of nodes was given: the nodes are the ends of the edges")
        writer.remember(_SPACES, spaces.to_text())

    def _reporting(self) -> _Reporting:
        """Where the policy is to report, what is wrong with a whole file is one more problem."""
        return _Reporting(self._log)

    def _report(self, summary: LoadSummary) -> LoadReport:
        return LoadReport(
            nodes=summary.nodes_added,
            edges=summary.edges_added,
            files=tuple(file.name for file in self._files),
            seconds=time.monotonic() - self._started,
            nodes_updated=summary.nodes_updated,
            edges_present=summary.edges_present,
            total_nodes=summary.nodes,
            total_edges=summary.edges,
            skipped=tuple(self._log.problems),
            skipped_count=self._log.count,
            notes=tuple(self._log.notes),
        )


class _Reporting:
    """A block in which a fault of a whole file goes to the log, where the policy is to report."""

    def __init__(self, log: ProblemLog) -> None:
        self._log = log

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if self._log.on_error != "report" or not isinstance(error, LoadError):
            return False
        self._log.add(error)
        return True


def _has_previous(writer: PropertyGraphWriter) -> bool:
    row = writer.connection.execute(
        "SELECT count(*) FROM duckdb_databases() WHERE database_name = $name", {"name": PREVIOUS}
    ).fetchone()
    return row is not None and row[0] > 0


def _has_bare_nodes(writer: PropertyGraphWriter) -> bool:
    """Whether the graph that is there has no node with a type or property: it was made of edges alone."""
    if not _has_previous(writer):
        return True
    row = writer.connection.execute(
        f"SELECT (SELECT count(*) FROM {PREVIOUS}.node_types)"
        f" + (SELECT count(*) FROM {PREVIOUS}.property_columns WHERE owner = 'node')"
    ).fetchone()
    return row is not None and row[0] == 0


def _node_spaces(tables: Sequence[StagedTable], *, with_ends: bool) -> list[str]:
    spaces = [nodes.id.space for table in tables for nodes in table.mapping.nodes]
    edges = [table.mapping.edges for table in tables if table.mapping.edges is not None and with_ends]
    return spaces + [space for edge in edges for space in (edge.source.space, edge.target.space)]


def _in_columns(error: LoadError, tables: Sequence[StagedTable]) -> LoadError:
    """An error of the writer, which knows roles, with the name of the column in the file."""
    place = error.location
    mapping = next(
        (table.mapping for table in tables if place is not None and table.name == place.file), None
    )
    if place is None or mapping is None:
        return error
    column: Column | None = None
    if isinstance(error, DanglingEdgeError) and mapping.edges is not None:
        column = mapping.edges.target if place.column == "target" else mapping.edges.source
    elif isinstance(error, DuplicateIdError):
        column = mapping.nodes[0].id if mapping.nodes else mapping.edges.id if mapping.edges else None
    if column is None:
        return error
    return type(error)(error.message, location=replace(place, column=column.header), advice=error.advice)
