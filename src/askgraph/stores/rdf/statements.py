"""Nodes, edges and triples read from the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.graph import Edge, Node, edge_id
from ...core.values import Value
from ..property.hops import sources_of
from .arrays import positions_of_slices
from .columns import RdfColumns
from .guessed_names import guess_naming_properties
from .literals import resource_to_ntriples
from .names import LabelSettings, NameRules
from .vocabulary import EMPTY_TYPES, RDF_REIFIES

GRAPH_PROPERTY: Final = "graph"
"""The property of an edge that names the graphs it stands in."""

_ROWS_AT_ONCE: Final = 10_000


def _name_rules(columns: RdfColumns, labels: LabelSettings) -> NameRules:
    rules = NameRules(labels, columns.predicates, columns.class_numbers)
    guessed = guess_naming_properties(columns, list(rules.label_ranks))
    return NameRules(labels, columns.predicates, columns.class_numbers, guessed) if guessed else rules


class StatementReader:
    """Reads what the columns of a graph say about its nodes and edges."""

    def __init__(self, columns: RdfColumns, labels: LabelSettings) -> None:
        self._columns = columns
        self._names = _name_rules(columns, labels)
        self._type_predicate = columns.type_predicate
        self._reifies = columns.predicate_numbers.get(RDF_REIFIES, -1)

    # --- nodes

    def nodes(self, rows: NDArray[np.int64]) -> Iterator[Node]:
        """The nodes of these rows, in their order. Rows below zero are passed over."""
        rows = rows[rows >= 0]
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            yield from self._nodes(rows[start : start + _ROWS_AT_ONCE])

    def _nodes(self, rows: NDArray[np.int64]) -> Iterator[Node]:
        columns, terms = self._columns, self._columns.terms
        starts = columns.statement_offsets[rows]
        lengths = columns.statement_offsets[rows + 1] - starts
        statements = positions_of_slices(starts, lengths)
        predicates, objects = columns.statement_predicates[statements], columns.statement_objects[statements]
        written = ~objects[objects < 0].astype(np.int64)
        kinds, table = terms.kinds[written].tolist(), terms.kind_table
        values = (
            table[kind].value(text) for kind, text in zip(kinds, terms.texts.texts(written), strict=True)
        )
        literals = zip(terms.values[written].tolist(), values, strict=True)
        are_types = (predicates == self._type_predicate) & (objects >= 0)
        types = iter(columns.resources.texts(objects[are_types].astype(np.int64)))
        # What the statements of all nodes say, one after the other: a literal, a type, or nothing for a node.
        told = iter(zip(predicates.tolist(), (objects < 0).tolist(), are_types.tolist(), strict=True))
        for id, length in zip(columns.resources.texts(rows), lengths.tolist(), strict=True):
            own_types: list[str] = []
            found: dict[tuple[int, int], Value] = {}
            for predicate, is_literal, is_type in islice(told, length):
                if is_literal:
                    code, value = next(literals)
                    found.setdefault((predicate, code), value)
                elif is_type:
                    own_types.append(next(types))
            pairs = [(columns.predicates[predicate], value) for (predicate, _), value in found.items()]
            shown = tuple(type for type in own_types if type not in EMPTY_TYPES)
            yield Node(id, self._names.names(id, pairs), shown, _as_properties(pairs))

    def _distinct_values(self, literals: Sequence[tuple[str, int]]) -> list[tuple[str, Value]]:
        """The values of pairs of predicate and term; of terms that are one value the first."""
        terms = self._columns.terms
        seen: dict[tuple[str, int], int] = {}
        for predicate, term in literals:
            seen.setdefault((predicate, int(terms.values[term])), term)
        return [(predicate, terms.term_value(term)) for (predicate, _), term in seen.items()]

    # --- edges

    def edges(self, numbers: NDArray[np.int64]) -> Iterator[Edge]:
        """The edges with these numbers (places in the adjacency), in their order."""
        columns = self._columns
        for start in range(0, len(numbers), _ROWS_AT_ONCE):
            part = numbers[start : start + _ROWS_AT_ONCE]
            sources = sources_of(columns.adjacency, part)
            types = columns.adjacency.out_types[part].tolist()
            targets = columns.adjacency.out_targets[part].astype(np.int64)
            source_ids = columns.resources.texts(sources)
            target_ids = columns.resources.texts(targets)
            rows = zip(sources.tolist(), types, targets.tolist(), strict=True)
            for (source, type, target), source_id, target_id in zip(
                rows, source_ids, target_ids, strict=True
            ):
                name = columns.predicates[type]
                properties = self._edge_properties(source, type, target)
                yield Edge(edge_id(source_id, name, target_id), source_id, target_id, name, properties)

    def _edge_properties(self, source: int, type: int, target: int) -> dict[str, Value]:
        """The named graphs of an edge, and what its reifiers say of it (RDF 1.2 annotations)."""
        columns = self._columns
        properties: dict[str, Value] = {}
        if len(columns.graph_statements):
            graphs = columns.graphs_of(columns.find_statement(source, type, target))
            if graphs:
                properties[GRAPH_PROPERTY] = graphs[0] if len(graphs) == 1 else graphs
        if self._reifies >= 0:
            properties |= self._annotations(source, type, target)
        return properties

    def _annotations(self, source: int, type: int, target: int) -> dict[str, Value]:
        reifiers = self._reifiers.get((source, type, target), ())
        literals: list[tuple[str, int]] = []
        values: list[tuple[str, Value]] = []
        columns = self._columns
        for reifier in reifiers:
            start, end = columns.statement_offsets[reifier : reifier + 2].tolist()
            for statement in range(start, end):
                predicate = int(columns.statement_predicates[statement])
                object = int(columns.statement_objects[statement])
                if predicate in (self._reifies, self._type_predicate):
                    continue
                if object < 0:
                    literals.append((columns.predicates[predicate], ~object))
                else:
                    values.append((columns.predicates[predicate], columns.resources.text(object)))
        return _as_properties([*self._distinct_values(literals), *values])

    @cached_property
    def _reifiers(self) -> dict[tuple[int, int, int], list[int]]:
        """The rows of the reifiers of each edge that has any."""
        from pyoxigraph import RdfFormat, parse

        columns = self._columns
        statements = np.flatnonzero(columns.statement_predicates == self._reifies)
        subjects = np.searchsorted(columns.statement_offsets, statements, side="right") - 1
        found: dict[tuple[int, int, int], list[int]] = {}
        for subject, statement in zip(subjects.tolist(), statements.tolist(), strict=True):
            object = int(columns.statement_objects[statement])
            if object >= 0:
                continue
            line = f"<urn:r> <{RDF_REIFIES}> {columns.terms.texts.text(~object)} ."
            triple = next(parse(line, RdfFormat.N_TRIPLES)).object
            ids = [_id_of(triple.subject), _id_of(triple.object)]
            source, target = columns.find_rows(ids).tolist()
            type = columns.predicate_numbers.get(triple.predicate.value, -1)
            if min(source, target, type) >= 0:
                found.setdefault((source, type, target), []).append(subject)
        return found

    # --- triples

    def ntriples(self) -> Iterator[str]:
        """Every triple as a line of N-Triples, or of N-Quads where it stands in a named graph, once for each graph."""
        columns = self._columns
        predicates = [f"<{iri}>" for iri in columns.predicates]
        graphs = ["", *(f" {resource_to_ntriples(name)}" for name in columns.graph_names)]
        codes = self._graph_codes()
        for start in range(0, columns.resource_count, _ROWS_AT_ONCE):
            rows = np.arange(start, min(start + _ROWS_AT_ONCE, columns.resource_count), dtype=np.int64)
            subjects = [resource_to_ntriples(id) for id in columns.resources.texts(rows)]
            first, last = columns.statement_offsets[[rows[0], rows[-1] + 1]].tolist()
            lengths = np.diff(columns.statement_offsets[rows[0] : rows[-1] + 2])
            owners = np.repeat(rows - start, lengths).tolist()
            objects = self._object_texts(columns.statement_objects[first:last])
            used = columns.statement_predicates[first:last].tolist()
            for place, (owner, predicate, object) in enumerate(zip(owners, used, objects, strict=True)):
                for code in codes.get(first + place, (0,)):
                    yield f"{subjects[owner]} {predicates[predicate]} {object}{graphs[code]} .\n"

    def _graph_codes(self) -> dict[int, list[int]]:
        codes: dict[int, list[int]] = {}
        columns = self._columns
        pairs = zip(columns.graph_statements.tolist(), columns.graph_codes.tolist(), strict=True)
        for statement, code in pairs:
            codes.setdefault(statement, []).append(code)
        return codes

    def _object_texts(self, objects: NDArray[np.int32]) -> list[str]:
        columns = self._columns
        resources = iter(columns.resources.texts(objects[objects >= 0].astype(np.int64)))
        terms = ~objects[objects < 0].astype(np.int64)
        table = columns.terms.kind_table
        kinds = columns.terms.kinds[terms].tolist()
        texts = columns.terms.texts.texts(terms)
        literals = iter([table[kind].to_ntriples(text) for kind, text in zip(kinds, texts, strict=True)])
        return [
            next(literals) if object < 0 else resource_to_ntriples(next(resources))
            for object in objects.tolist()
        ]


def _as_properties(values: Sequence[tuple[str, Value]]) -> dict[str, Value]:
    """One value as it is, several as a list."""
    gathered: dict[str, list[Value]] = {}
    for predicate, value in values:
        gathered.setdefault(predicate, []).append(value)
    return {key: found[0] if len(found) == 1 else found for key, found in gathered.items()}


def _id_of(term: object) -> str:
    from pyoxigraph import BlankNode, NamedNode

    if isinstance(term, BlankNode):
        return f"_:{term.value}"
    return term.value if isinstance(term, NamedNode) else ""
