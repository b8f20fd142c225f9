"""What the writer of SPARQL must know of a graph beyond its schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .arrays import distinct
from .columns import RdfColumns
from .instances import DECLARING
from .sparql_dialect import OURS, STANDARD, SparqlDialect
from .vocabulary import EMPTY_TYPES, SCHEMA_TYPES, XSD


@dataclass(frozen=True, slots=True)
class SparqlContext:
    """Facts on which the wording of a query depends. The defaults are those of a plain graph.

    Attributes:
        prefixes: prefix to namespace, for short names.
        with_languages: properties that have values with a language tag.
        with_years: properties that have values of ``xsd:gYear``, which do not compare with numbers.
        of_declarations: predicates that classes and properties have too, and not only nodes.
        declaration_types: the types of classes, properties and the like that the graph has.
        declaring: properties by which classes and properties are known that have no such type.
        empty_types: types that the schema does not show because they say nothing.
        has_named_graphs: whether a triple may stand in several graphs.
        counts_are_exact: whether the schema's counts are those of the graph, and no estimates.
        hidden_types: types whose nodes are not to be seen.
        hidden_edge_types: predicates that are not to be seen.
        hidden_keys: properties that are not to be seen of nodes with some types: pairs of the key and these types.
        dialect: of the engine that is to run the query.
    """

    prefixes: Mapping[str, str] = field(default_factory=dict)
    with_languages: frozenset[str] = frozenset()
    with_years: frozenset[str] = frozenset()
    of_declarations: frozenset[str] = frozenset()
    declaration_types: tuple[str, ...] = ()
    declaring: tuple[str, ...] = ()
    empty_types: tuple[str, ...] = ()
    has_named_graphs: bool = False
    counts_are_exact: bool = True
    hidden_types: tuple[str, ...] = ()
    hidden_edge_types: tuple[str, ...] = ()
    hidden_keys: tuple[tuple[str, tuple[str, ...]], ...] = ()
    dialect: SparqlDialect = STANDARD


def sparql_context(columns: RdfColumns) -> SparqlContext:
    """The context of a graph."""
    terms = columns.terms
    subjects = np.repeat(np.arange(columns.resource_count), np.diff(columns.statement_offsets))
    objects = columns.statement_objects
    are_literals = objects < 0
    kinds = terms.kinds[~objects[are_literals]] if len(terms.kinds) else np.empty(0, dtype=np.int32)
    predicates = columns.statement_predicates[are_literals]
    has_language = np.array([kind.language is not None for kind in terms.kind_table], dtype=np.bool_)
    is_year = np.array([kind.datatype == XSD + "gYear" for kind in terms.kind_table], dtype=np.bool_)
    used_types = set(
        columns.resources.texts(
            distinct(objects[(columns.statement_predicates == columns.type_predicate) & (objects >= 0)])
        )
    )
    return SparqlContext(
        prefixes=columns.prefixes,
        with_languages=_names(columns, predicates[has_language[kinds]]),
        with_years=_names(columns, predicates[is_year[kinds]]),
        of_declarations=_names(columns, columns.statement_predicates[~columns.is_node[subjects]]),
        declaration_types=tuple(sorted(SCHEMA_TYPES & used_types)),
        declaring=_declaring(columns),
        empty_types=tuple(sorted(EMPTY_TYPES & used_types)),
        has_named_graphs=bool(columns.graph_names),
        dialect=OURS,
    )


def _declaring(columns: RdfColumns) -> tuple[str, ...]:
    """The declaring properties that the graph has, if anything is a declaration by them alone."""
    used = [name for name in DECLARING if name in columns.predicate_numbers]
    rows = columns.find_rows(sorted(SCHEMA_TYPES))
    typings = (columns.statement_predicates == columns.type_predicate) & np.isin(
        columns.statement_objects, rows[rows >= 0]
    )
    subjects = np.repeat(np.arange(columns.resource_count), np.diff(columns.statement_offsets))
    typed = np.zeros(columns.resource_count, dtype=np.bool_)
    typed[subjects[typings]] = True
    numbers = [columns.predicate_numbers[name] for name in used]
    by_use = np.isin(columns.statement_predicates, numbers)
    declared = np.concatenate(
        [subjects[by_use], columns.statement_objects[by_use & (columns.statement_objects >= 0)]]
    )
    return tuple(used) if bool(np.any(~typed[declared] & ~columns.is_node[declared])) else ()


def _names(
    columns: RdfColumns, predicates: np.ndarray[tuple[int, ...], np.dtype[np.int32]]
) -> frozenset[str]:
    return frozenset(columns.predicates[number] for number in distinct(predicates).tolist())
