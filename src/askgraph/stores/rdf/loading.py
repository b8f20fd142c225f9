"""RDF files into a graph folder."""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ...core.errors import LoadError
from ...core.progress import SILENT, Progress
from ...core.words import quantity
from ..folder import GraphFolder
from ..loading.report import LoadReport, OnError, ProblemLog
from ..loading.sources import FileFormat, find_files
from .building import ColumnsBuilder
from .columns import COLUMNS_FOLDER, RdfColumns, SourceFile, open_columns, save_columns
from .introspection import introspect, save_schema
from .literals import is_ill_typed
from .names import DEFAULT_LABELS
from .reading import QuadReader, scratch_file
from .syntaxes import examine
from .value_order import ValueClass

_DIGEST_SCHEME: Final = b"askgraph rdf 1"


def load_rdf(
    paths: Sequence[str | Path],
    into: str | Path,
    *,
    on_error: OnError = "stop",
    base_iri: str | None = None,
    create: bool = True,
    wait: float = 0.0,
    progress: Progress = SILENT,
) -> LoadReport:
    """Load RDF files into a new graph folder, or add them to what one has.

    Turtle, N-Triples, N-Quads, TriG, RDF/XML, JSON-LD and N3, each also with gzip, told by their names. All of them or
    none: whatever goes wrong leaves the graph as it was.

    Args:
        paths: the files.
        into: the graph folder.
        on_error: what to do with a fault. ``skip`` leaves out bad lines of N-Triples and N-Quads; a fault in another
            syntax ends the load all the same. ``report`` lists the faults and loads nothing if there are any.
        base_iri: what relative IRIs are relative to.
        create: whether to make the folder if there is none.
        wait: seconds to wait for another writer to end.
        progress: told about the stages.

    Raises:
        MissingFileError, MalformedFileError, EncodingError, BadValueError: with file, line and column.
        ProblemsError: ``on_error="report"`` found faults.
        OpenError: the folder holds something else, is damaged, or is being written to.
    """
    started = time.monotonic()
    log = ProblemLog(on_error)
    with GraphFolder.writing(into, kind="rdf", create=create, wait=wait) as version:
        previous = None if version.previous is None else open_columns(version.previous.path / COLUMNS_FOLDER)
        columns = _read(paths, ColumnsBuilder(previous), log, base_iri, progress)
        save_columns(columns, version.path / COLUMNS_FOLDER)
        progress.start("Describing the schema")
        save_schema(introspect(columns, DEFAULT_LABELS), version.path)
        progress.finish()
        version.seal(content_hash(columns, base_iri))
    return _report(columns, previous, [str(path) for path in paths], log, time.monotonic() - started)


def read_rdf(
    paths: Sequence[str | Path],
    *,
    on_error: OnError = "stop",
    base_iri: str | None = None,
    progress: Progress = SILENT,
) -> RdfColumns:
    """The graph of RDF files, in memory. Arguments and errors are those of :func:`load_rdf`."""
    return _read(paths, ColumnsBuilder(), ProblemLog(on_error), base_iri, progress)


def content_hash(columns: RdfColumns, base_iri: str | None = None) -> str:
    """A hash of what was loaded and how. The order of the files makes no difference."""
    digest = hashlib.sha256(_DIGEST_SCHEME)
    for source in sorted({(source.content_hash, source.syntax) for source in columns.sources}):
        digest.update(repr((*source, base_iri or "")).encode())
    return digest.hexdigest()


def _read(
    paths: Sequence[str | Path],
    builder: ColumnsBuilder,
    log: ProblemLog,
    base_iri: str | None,
    progress: Progress,
) -> RdfColumns:
    """Add what the files say to what the builder has."""
    files = find_files(paths)
    for file in files:
        if file.format is not FileFormat.RDF:
            raise LoadError("this is no RDF file", location=file.at(), advice="Load tables with load_graph.")
    with tempfile.TemporaryDirectory(prefix="askgraph-rdf-") as scratch:
        for number, file in enumerate(files):
            examined = examine(file, scratch_file(Path(scratch), number))
            source = SourceFile(file.name, examined.content_hash, examined.syntax.value)
            if source.content_hash in {known.content_hash for known in builder.sources}:
                log.note(f"{file.name} was loaded before, with the same content.")
                continue
            progress.start(f"Reading {file.path.name}", examined.size)
            reader = QuadReader(examined, log, base_iri=base_iri, progress=progress)
            before = len(builder)
            builder.collect(reader.quads(), reader.blank_names())
            if len(builder) == before:
                log.note(f"{file.name} has no triples.")
            builder.sources.append(source)
            for prefix, iri in reader.prefixes.items():
                builder.prefixes.setdefault(prefix, iri)
            progress.finish()
    log.conclude()
    progress.start("Sorting")
    columns = builder.build()
    progress.finish()
    _note_what_is_odd(columns, log)
    return columns


def _note_what_is_odd(columns: RdfColumns, log: ProblemLog) -> None:
    terms = columns.terms
    start, end = terms.class_range(ValueClass.OTHER)
    odd = [code for code in range(start, end) if is_ill_typed(terms.value(code))]
    if odd:
        example = terms.to_ntriples(int(terms.first_terms[odd[0]]))
        log.note(
            f"{quantity(len(odd), 'literal is', 'literals are')} not written as the datatype asks and kept as text, "
            f"for example {example}."
        )


def _report(
    columns: RdfColumns, previous: RdfColumns | None, names: list[str], log: ProblemLog, seconds: float
) -> LoadReport:
    nodes, edges = len(columns.node_rows), columns.adjacency.edge_count
    nodes_before, edges_before = (
        (0, 0) if previous is None else (len(previous.node_rows), previous.adjacency.edge_count)
    )
    return LoadReport(
        nodes=nodes - nodes_before,
        edges=edges - edges_before,
        files=tuple(names),
        seconds=seconds,
        total_nodes=nodes,
        total_edges=edges,
        skipped=tuple(log.problems),
        skipped_count=log.count,
        notes=tuple(log.notes),
    )
