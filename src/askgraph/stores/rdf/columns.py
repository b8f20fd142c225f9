"""How an RDF graph lies on disk: sorted arrays, mapped into memory.

::

    graph.json              predicates, kinds of literal, graph names, prefixes, what was loaded
    resources_*.npy         the text of every IRI and blank node; row numbers follow the order of the ids
    is_node.npy             whether a resource is a node, and not part of the schema
    statement_*.npy         every triple once, by subject, predicate and object: the truth
    graph_*.npy             which graphs a statement stands in, for those that stand in a named one
    terms_*.npy             the text of every literal; term numbers follow the order of the values
    out_*.npy, in_*.npy     the edges as adjacency (core.adjacency.Adjacency)
    typed_*.npy             the edges again, by type
    class_*.npy             the nodes of each class
    property_*.npy          the values of each property

An object below zero is the literal with the number ``~object``. Predicates are numbered in the order of their IRIs.
Everything below the statements could be made from them again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...core.adjacency import Adjacency
from ...core.errors import CorruptGraphError
from ..property.adjacency import open_adjacency, open_array, save_adjacency
from ..property.texts import TextTable, open_text_table
from .terms import LiteralKind, Terms
from .vocabulary import RDF_TYPE

FORMAT: Final = 1
COLUMNS_FOLDER: Final = "columns"

_DESCRIPTION: Final = "graph.json"
_LOAD_AGAIN: Final = "Load the graph again."
_ARRAYS: Final = (
    "is_node", "statement_offsets", "statement_predicates", "statement_objects", "graph_statements", "graph_codes",
    "typed_offsets", "typed_sources", "typed_targets", "typed_in_targets", "typed_in_sources",
    "class_rows", "class_offsets", "class_members", "property_offsets", "property_subjects", "property_values",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that was loaded: its name, the SHA-256 of its content, and the syntax it was read as."""

    name: str
    content_hash: str
    syntax: str


@dataclass(frozen=True, eq=False)
class RdfColumns:
    """An RDF graph as arrays. Row, term, predicate and graph numbers are private to it.

    Attributes:
        resources: ids by row.
        is_node: by row.
        statement_offsets: by row, where its statements begin; one more for the end.
        statement_predicates: by statement.
        statement_objects: by statement: a row, or ``~term``.
        graph_statements: statements that stand in a named graph, ascending, once for each of their graphs.
        graph_codes: the graphs of these; 0 is the default graph, others are one more than their place in
            ``graph_names``.
        terms: the literals.
        adjacency: the edges: statements between nodes but ``rdf:type``. Types are predicate numbers.
        typed_offsets: by predicate, where its edges begin in the four arrays that follow.
        typed_sources: with ``typed_targets``, edges by (type, source, target).
        typed_targets: see there.
        typed_in_targets: with ``typed_in_sources``, edges by (type, target, source).
        typed_in_sources: see there.
        class_rows: the rows of classes that nodes have, ascending.
        class_offsets: by place in ``class_rows``, where the members begin.
        class_members: rows of nodes, ascending for each class.
        property_offsets: by predicate, where its values begin in the two arrays that follow.
        property_subjects: with ``property_values``, value codes of nodes by (predicate, subject, value).
        property_values: see there.
        predicates: IRIs by number.
        graph_names: named graphs, ids as of nodes.
        prefixes: prefixes that the files declared.
        sources: what was loaded.
    """

    resources: TextTable
    is_node: NDArray[np.bool_]
    statement_offsets: NDArray[np.int64]
    statement_predicates: NDArray[np.int32]
    statement_objects: NDArray[np.int32]
    graph_statements: NDArray[np.int64]
    graph_codes: NDArray[np.int32]
    terms: Terms
    adjacency: Adjacency
    typed_offsets: NDArray[np.int64]
    typed_sources: NDArray[np.int32]
    typed_targets: NDArray[np.int32]
    typed_in_targets: NDArray[np.int32]
    typed_in_sources: NDArray[np.int32]
    class_rows: NDArray[np.int32]
    class_offsets: NDArray[np.int64]
    class_members: NDArray[np.int32]
    property_offsets: NDArray[np.int64]
    property_subjects: NDArray[np.int32]
    property_values: NDArray[np.int32]
    predicates: Sequence[str]
    graph_names: Sequence[str] = ()
    prefixes: Mapping[str, str] = field(default_factory=dict)
    sources: Sequence[SourceFile] = ()

    @property
    def resource_count(self) -> int:
        """How many IRIs and blank nodes there are."""
        return len(self.is_node)

    @property
    def statement_count(self) -> int:
        """How many different triples there are."""
        return len(self.statement_predicates)

    @cached_property
    def node_rows(self) -> NDArray[np.int64]:
        """The rows of all nodes, ascending."""
        return np.flatnonzero(self.is_node)

    @cached_property
    def predicate_numbers(self) -> Mapping[str, int]:
        """The number of each predicate."""
        return {iri: number for number, iri in enumerate(self.predicates)}

    @cached_property
    def type_predicate(self) -> int:
        """The number of ``rdf:type``; -1 if nothing has a type."""
        return self.predicate_numbers.get(RDF_TYPE, -1)

    @cached_property
    def class_numbers(self) -> Mapping[str, int]:
        """The place of each class in ``class_rows``."""
        names = self.resources.texts(self.class_rows.astype(np.int64))
        return {name: place for place, name in enumerate(names)}

    def find_rows(self, ids: Sequence[str]) -> NDArray[np.int64]:
        """The row of each id, -1 where there is none."""
        return self.resources.find(ids)

    def members_of(self, class_id: str) -> NDArray[np.int32]:
        """The nodes that carry a class themselves, ascending."""
        place = self.class_numbers.get(class_id)
        if place is None:
            return np.empty(0, dtype=np.int32)
        return self.class_members[self.class_offsets[place] : self.class_offsets[place + 1]]

    def graphs_of(self, statement: int) -> list[str]:
        """The named graphs in which a statement stands."""
        start, end = np.searchsorted(self.graph_statements, (statement, statement + 1))
        return [self.graph_names[code - 1] for code in self.graph_codes[start:end].tolist() if code]

    def find_statement(self, subject: int, predicate: int, object: int) -> int:
        """The number of the statement with these rows and numbers, -1 if there is none."""
        start, end = self.statement_offsets[subject : subject + 2].tolist()
        low, high = np.searchsorted(self.statement_predicates[start:end], (predicate, predicate + 1))
        found = np.flatnonzero(self.statement_objects[start + low : start + high] == object)
        return int(start + low + found[0]) if len(found) else -1


def save_columns(columns: RdfColumns, folder: Path) -> None:
    """Write everything to ``folder``, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    columns.resources.save(folder, "resources")
    columns.terms.texts.save(folder, "terms_texts")
    save_adjacency(columns.adjacency, folder)
    arrays = {name: getattr(columns, name) for name in _ARRAYS} | {
        "terms_kinds": columns.terms.kinds,
        "terms_values": columns.terms.values,
        "terms_first": columns.terms.first_terms,
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)
    description = {
        "format": FORMAT,
        "predicates": list(columns.predicates),
        "literal_kinds": [[kind.datatype, kind.language] for kind in columns.terms.kind_table],
        "class_ends": list(columns.terms.class_ends),
        "not_a_number": columns.terms.not_a_number,
        "mixes_floats": columns.terms.mixes_floats,
        "graph_names": list(columns.graph_names),
        "prefixes": dict(columns.prefixes),
        "sources": [[source.name, source.content_hash, source.syntax] for source in columns.sources],
    }
    (folder / _DESCRIPTION).write_text(json.dumps(description, ensure_ascii=False), encoding="utf-8")


def open_columns(folder: Path) -> RdfColumns:
    """Map what :func:`save_columns` wrote into memory. Raises :class:`CorruptGraphError`."""
    try:
        data: dict[str, Any] = json.loads((folder / _DESCRIPTION).read_text(encoding="utf-8"))
        return _assemble(folder, data)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CorruptGraphError(
            f"the graph in {folder} cannot be read: {error}", advice=_LOAD_AGAIN
        ) from error


def _assemble(folder: Path, data: Mapping[str, Any]) -> RdfColumns:
    if data["format"] != FORMAT:
        raise CorruptGraphError(
            f"the graph in {folder} has format {data['format']}, and this askgraph reads {FORMAT}",
            advice=_LOAD_AGAIN,
        )
    terms = Terms(
        texts=open_text_table(folder, "terms_texts"),
        kinds=open_array(folder / "terms_kinds.npy"),
        values=open_array(folder / "terms_values.npy"),
        first_terms=open_array(folder / "terms_first.npy"),
        kind_table=tuple(LiteralKind(datatype, language) for datatype, language in data["literal_kinds"]),
        class_ends=tuple(data["class_ends"]),
        not_a_number=data["not_a_number"],
        mixes_floats=data["mixes_floats"],
    )
    columns = RdfColumns(
        resources=open_text_table(folder, "resources"),
        terms=terms,
        adjacency=open_adjacency(folder),
        predicates=tuple(data["predicates"]),
        graph_names=tuple(data["graph_names"]),
        prefixes=data["prefixes"],
        sources=tuple(SourceFile(*source) for source in data["sources"]),
        **{name: open_array(folder / f"{name}.npy") for name in _ARRAYS},
    )
    if not _fits_together(columns):
        raise CorruptGraphError(f"the arrays in {folder} do not fit together", advice=_LOAD_AGAIN)
    return columns


def _fits_together(columns: RdfColumns) -> bool:
    rows, edges = columns.resource_count, columns.adjacency.edge_count
    return (
        len(columns.resources) == rows
        and columns.adjacency.node_count == rows
        and len(columns.statement_offsets) == rows + 1
        and int(columns.statement_offsets[-1]) == columns.statement_count == len(columns.statement_objects)
        and len(columns.typed_offsets) == len(columns.predicates) + 1 == len(columns.property_offsets)
        and int(columns.typed_offsets[-1])
        == edges
        == len(columns.typed_sources)
        == len(columns.typed_in_sources)
        and int(columns.property_offsets[-1])
        == len(columns.property_subjects)
        == len(columns.property_values)
        and int(columns.class_offsets[-1]) == len(columns.class_members)
        and len(columns.terms.texts) == len(columns.terms.kinds) == len(columns.terms.values)
    )
