"""From a stream of quads to columns: number everything, sort, drop repeats, find the nodes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..property.adjacency import adjacency_of
from ..property.texts import build_text_table
from .arrays import Integers, compact, offsets_of, sort_order, starts_of_runs
from .columns import RdfColumns, SourceFile
from .instances import ResourceLinks, find_nodes
from .literals import literal_to_ntriples, resource_to_ntriples
from .terms import LiteralKind, SortedTerms, Terms, sort_terms
from .vocabulary import EMPTY_TYPES, RDF_TYPE, TRIPLE_TERM

if TYPE_CHECKING:
    import pyoxigraph

BlankNames = Callable[[str], str]
"""From a blank node's label, as the parser gives it, to the id of the node (``_:…``)."""

_CHUNK: Final = 100_000


class ColumnsBuilder:
    """Collects quads, in numbers of their order of arrival, and makes columns of them."""

    def __init__(self, previous: RdfColumns | None = None) -> None:
        """Start from nothing, or from everything that ``previous`` has."""
        self._rows: dict[str, int] = {}
        self._predicates: dict[str, int] = {}
        self._literals: dict[object, int] = {}
        self._graphs: dict[str, int] = {"": 0}
        self._subjects, self._used, self._objects, self._in_graphs = (array("i") for _ in range(4))
        self.sources: list[SourceFile] = []
        self.prefixes: dict[str, str] = {}
        if previous is not None:
            self._start_from(previous)

    def __len__(self) -> int:
        """Quads collected, repeats included."""
        return len(self._subjects)

    def collect(self, quads: Iterable[pyoxigraph.Quad], blank_name: BlankNames) -> None:
        """Add quads as a parser gives them.

        Args:
            quads: triples are quads in the default graph.
            blank_name: gives a blank node its id.
        """
        from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode

        rows, predicates, literals = self._rows, self._predicates, self._literals
        add_subject, add_predicate = self._subjects.append, self._used.append
        add_object, add_graph = self._objects.append, self._in_graphs.append
        for quad in quads:
            subject, object, graph = quad.subject, quad.object, quad.graph_name
            id = subject.value if type(subject) is NamedNode else blank_name(subject.value)  # type: ignore[union-attr]
            add_subject(rows.setdefault(id, len(rows)))
            add_predicate(predicates.setdefault(quad.predicate.value, len(predicates)))
            if type(object) is NamedNode:
                add_object(rows.setdefault(object.value, len(rows)))
            elif type(object) is Literal:
                add_object(~literals.setdefault(object, len(literals)))
            elif type(object) is BlankNode:
                add_object(rows.setdefault(blank_name(object.value), len(rows)))
            else:
                text = triple_term_text(object, blank_name)
                add_object(~literals.setdefault((text, TRIPLE_TERM, None), len(literals)))
            if type(graph) is DefaultGraph:
                add_graph(0)
            else:
                name = graph.value if type(graph) is NamedNode else blank_name(graph.value)
                add_graph(self._graphs.setdefault(name, len(self._graphs)))

    def build(self) -> RdfColumns:
        """Columns of everything that was collected."""
        ids, new_rows = _sorted_names(list(self._rows))
        names, new_predicates = _sorted_names(list(self._predicates))
        graph_names, new_graphs = _sorted_names(list(self._graphs))
        sorted_terms = self._sort_literals()
        objects = np.frombuffer(self._objects, dtype=np.int32) if self._objects else _nothing()
        quads = _Quads(
            new_rows[_numbers(self._subjects)],
            new_predicates[_numbers(self._used)],
            _renumbered(objects, new_rows, sorted_terms.new_numbers),
            new_graphs[_numbers(self._in_graphs)],
        )
        statements = _Statements.of(quads, len(ids))
        derived = _Derived.of(statements, ids, names, sorted_terms.terms)
        chunks = (ids[start : start + _CHUNK] for start in range(0, len(ids), _CHUNK))
        return RdfColumns(
            resources=build_text_table(chunks),
            terms=sorted_terms.terms,
            predicates=tuple(names),
            graph_names=tuple(graph_names[1:]),
            prefixes=self.prefixes,
            sources=tuple(self.sources),
            statement_offsets=offsets_of(statements.subjects, len(ids)),
            statement_predicates=compact(statements.predicates),
            statement_objects=compact(statements.objects),
            graph_statements=statements.in_graphs,
            graph_codes=compact(statements.graph_codes),
            **derived.arrays,
        )

    def _sort_literals(self) -> SortedTerms:
        texts: list[str] = []
        kinds = array("i")
        table: dict[tuple[str, str | None], int] = {}
        for literal in self._literals:
            if isinstance(literal, tuple):
                text, *kind = literal
                key = (kind[0], kind[1])
            else:
                text, key = literal.value, (literal.datatype.value, literal.language)  # type: ignore[attr-defined]
                direction = literal.direction  # type: ignore[attr-defined]
                if direction is not None:
                    key = (key[0], f"{key[1]}--{direction}")
            texts.append(text)
            kinds.append(table.setdefault(key, len(table)))
        return sort_terms(texts, _numbers(kinds), [LiteralKind(*key) for key in table])

    def _start_from(self, previous: RdfColumns) -> None:
        from pyoxigraph import BaseDirection, Literal, NamedNode

        rows = np.arange(previous.resource_count, dtype=np.int64)
        self._rows = {id: row for row, id in enumerate(previous.resources.texts(rows))}
        self._predicates = {name: number for number, name in enumerate(previous.predicates)}
        self._graphs |= {name: number for number, name in enumerate(previous.graph_names, start=1)}
        terms = previous.terms
        texts = terms.texts.texts(np.arange(len(terms.texts), dtype=np.int64))
        for number, (text, place) in enumerate(zip(texts, terms.kinds.tolist(), strict=True)):
            kind = terms.kind_table[place]
            if kind.datatype == TRIPLE_TERM:
                self._literals[text, TRIPLE_TERM, None] = number
            elif kind.language is None:
                self._literals[Literal(text, datatype=NamedNode(kind.datatype))] = number
            else:
                tag, _, direction = kind.language.partition("--")
                base = BaseDirection(direction) if direction else None
                self._literals[Literal(text, language=tag, direction=base)] = number
        self._add_statements(previous)
        self.sources = list(previous.sources)
        self.prefixes = dict(previous.prefixes)

    def _add_statements(self, previous: RdfColumns) -> None:
        lengths = np.diff(previous.statement_offsets)
        subjects = np.repeat(np.arange(previous.resource_count, dtype=np.int32), lengths)
        # A statement that stands in graphs is given once for each of them; the others stand in the default graph.
        in_graphs = previous.graph_statements
        copies = np.ones(previous.statement_count, dtype=np.int64)
        graphs_of = np.bincount(in_graphs, minlength=previous.statement_count)
        copies[graphs_of > 0] = graphs_of[graphs_of > 0]
        codes = np.zeros(int(copies.sum()), dtype=np.int32)
        codes[np.repeat(graphs_of > 0, copies)] = previous.graph_codes
        self._subjects.frombytes(np.repeat(subjects, copies).tobytes())
        self._used.frombytes(np.repeat(previous.statement_predicates, copies).tobytes())
        self._objects.frombytes(np.repeat(previous.statement_objects, copies).tobytes())
        self._in_graphs.frombytes(codes.tobytes())


def triple_term_text(triple: pyoxigraph.Triple, blank_name: BlankNames) -> str:
    """A triple term as N-Triples writes it, with the ids that blank nodes have here."""
    from pyoxigraph import BlankNode, Literal, NamedNode

    def write(term: object) -> str:
        if isinstance(term, NamedNode):
            return resource_to_ntriples(term.value)
        if isinstance(term, BlankNode):
            return blank_name(term.value)
        if isinstance(term, Literal):
            return literal_to_ntriples(term.value, term.datatype.value, term.language)
        return triple_term_text(term, blank_name)  # type: ignore[arg-type]

    return f"<<( {write(triple.subject)} {write(triple.predicate)} {write(triple.object)} )>>"


def _numbers(numbers: array[int]) -> NDArray[np.int32]:
    return np.frombuffer(numbers, dtype=np.int32) if numbers else _nothing()


def _nothing() -> NDArray[np.int32]:
    return np.empty(0, dtype=np.int32)


def _sorted_names(names: list[str]) -> tuple[list[str], NDArray[np.int32]]:
    """The names in their order, and the new number of each."""
    order = sorted(range(len(names)), key=names.__getitem__)
    new_numbers = np.empty(len(names), dtype=np.int32)
    new_numbers[np.array(order, dtype=np.int64)] = np.arange(len(names), dtype=np.int32)
    return [names[number] for number in order], new_numbers


def _renumbered(
    objects: NDArray[np.int32], new_rows: NDArray[np.int32], new_terms: NDArray[np.int32]
) -> NDArray[np.int32]:
    renumbered = np.empty_like(objects)
    are_literals = objects < 0
    renumbered[are_literals] = ~new_terms[~objects[are_literals]]
    renumbered[~are_literals] = new_rows[objects[~are_literals]]
    return renumbered


class _Quads:
    """Quads in their final numbers, unsorted and with repeats."""

    def __init__(self, subjects: Integers, predicates: Integers, objects: Integers, graphs: Integers) -> None:
        self.subjects, self.predicates, self.objects, self.graphs = subjects, predicates, objects, graphs


class _Statements:
    """Every triple once, sorted, and the graphs in which those stand that stand in named ones."""

    def __init__(
        self,
        subjects: Integers,
        predicates: Integers,
        objects: Integers,
        in_graphs: NDArray[np.int64],
        codes: Integers,
    ) -> None:
        self.subjects, self.predicates, self.objects = subjects, predicates, objects
        self.in_graphs, self.graph_codes = in_graphs, codes

    @classmethod
    def of(cls, quads: _Quads, row_count: int) -> _Statements:
        # Resources by row, then literals by term.
        sortable = np.where(quads.objects >= 0, quads.objects, row_count + ~quads.objects.astype(np.int64))
        order = sort_order((quads.subjects, quads.predicates, sortable, quads.graphs))
        subjects, predicates, objects, graphs = (
            column[order] for column in (quads.subjects, quads.predicates, quads.objects, quads.graphs)
        )
        del sortable, order
        is_quad = starts_of_runs((subjects, predicates, objects, graphs))
        subjects, predicates, objects, graphs = (
            column[is_quad] for column in (subjects, predicates, objects, graphs)
        )
        is_triple = starts_of_runs((subjects, predicates, objects))
        statement_of_quad = np.cumsum(is_triple, dtype=np.int64) - 1
        in_named = np.zeros(int(np.count_nonzero(is_triple)), dtype=np.bool_)
        in_named[statement_of_quad[graphs > 0]] = True
        told = in_named[statement_of_quad]
        return cls(
            subjects[is_triple],
            predicates[is_triple],
            objects[is_triple],
            statement_of_quad[told],
            graphs[told],
        )


class _Derived:
    """What is made from the statements to be read fast."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self.arrays: dict[str, Any] = dict(arrays)

    @classmethod
    def of(cls, statements: _Statements, ids: Sequence[str], names: Sequence[str], terms: Terms) -> _Derived:
        to_resource = statements.objects >= 0
        subjects, predicates, objects = (
            column[to_resource] for column in (statements.subjects, statements.predicates, statements.objects)
        )
        rows = {id: row for row, id in enumerate(ids)} if len(ids) else {}
        links = ResourceLinks(subjects, predicates, objects, statements.subjects, ids, names, rows)
        is_node = find_nodes(links)
        type_number = names.index(RDF_TYPE) if RDF_TYPE in names else -1
        are_edges = is_node[subjects] & (predicates != type_number)
        edges = [compact(column[are_edges]) for column in (subjects, predicates, objects)]
        is_typing = is_node[subjects] & (predicates == type_number)
        return cls(
            {"is_node": is_node, "adjacency": adjacency_of(edges[0], edges[2], edges[1], len(ids))}
            | _edges_by_type(edges[0], edges[1], edges[2], len(names))
            | _classes(
                subjects[is_typing], objects[is_typing], [rows[name] for name in EMPTY_TYPES if name in rows]
            )
            | _properties(statements, is_node, terms, len(names))
        )


def _edges_by_type(sources: Integers, types: Integers, targets: Integers, type_count: int) -> dict[str, Any]:
    outward = sort_order((types, sources, targets))
    inward = sort_order((types, targets, sources))
    return {
        "typed_offsets": offsets_of(types, type_count),
        "typed_sources": compact(sources[outward]),
        "typed_targets": compact(targets[outward]),
        "typed_in_targets": compact(targets[inward]),
        "typed_in_sources": compact(sources[inward]),
    }


def _classes(members: Integers, classes: Integers, hidden: Sequence[int]) -> dict[str, Any]:
    shown = ~np.isin(classes, np.array(hidden, dtype=np.int64))
    members, classes = members[shown], classes[shown]
    class_rows, places = np.unique(classes, return_inverse=True)
    order = sort_order((places, members))
    return {
        "class_rows": compact(class_rows),
        "class_offsets": offsets_of(places, len(class_rows)),
        "class_members": compact(members[order]),
    }


def _properties(
    statements: _Statements, is_node: NDArray[np.bool_], terms: Terms, predicate_count: int
) -> dict[str, Any]:
    is_triple_term = np.array([kind.datatype == TRIPLE_TERM for kind in terms.kind_table], dtype=np.bool_)
    are_values = (statements.objects < 0) & is_node[statements.subjects]
    written = ~statements.objects[are_values]
    plain = (
        ~is_triple_term[terms.kinds[written]]
        if len(terms.kind_table)
        else np.ones(len(written), dtype=np.bool_)
    )
    subjects, predicates = (
        column[are_values][plain] for column in (statements.subjects, statements.predicates)
    )
    codes = terms.values[written[plain]]
    order = sort_order((predicates, subjects, codes))
    subjects, predicates, codes = subjects[order], predicates[order], codes[order]
    # "1" and "01" are one value.
    first = starts_of_runs((predicates, subjects, codes))
    return {
        "property_offsets": offsets_of(predicates[first], predicate_count),
        "property_subjects": compact(subjects[first]),
        "property_values": compact(codes[first]),
    }
