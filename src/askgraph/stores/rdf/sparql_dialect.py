"""Where engines part from SPARQL, so that a plan means the same on each of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class SparqlDialect:
    """What the wording of a query must heed. The defaults are SPARQL as the recommendation has it.

    Attributes:
        is_for_reading: whether people read the query, and whoever runs plans sees to the rarest cases (a sum of nothing
            is 0 in SPARQL and null in a plan).
        has_our_functions: whether the engine has a function of ours for the blank node with an id.
        blank_node_start: with what a blank node's label begins where the engine takes it for an IRI in a query;
            ``None``: there a blank node cannot be asked for.
        compares_typed_texts: whether texts with a datatype, or without, compare with each other as texts.
        divides_exactly: whether two integers divide to a decimal.
        joins_loops: whether an edge from a node to itself stays one where the query goes on from there.
        groups_nulls: whether all that has no value is one group.
        orders_groups: whether groups can be ordered by an expression.
        sorts_repeated_rows: whether rows that are equal in all that they are ordered by are all kept under a limit.
        has_wide_integers: whether integers beyond 64 bits are compared at all.
        numbers_come_first: whether MIN and MAX are known to take numbers before texts, as plans do.
        merges_graphs: whether a triple in two graphs of the data set is one.
    """

    is_for_reading: bool = False
    has_our_functions: bool = False
    blank_node_start: str | None = None
    compares_typed_texts: bool = True
    divides_exactly: bool = True
    joins_loops: bool = True
    groups_nulls: bool = True
    orders_groups: bool = True
    sorts_repeated_rows: bool = True
    has_wide_integers: bool = True
    numbers_come_first: bool = False
    merges_graphs: bool = True


STANDARD: Final = SparqlDialect()
OXIGRAPH: Final = SparqlDialect(has_wide_integers=False, numbers_come_first=True)
OURS: Final = replace(OXIGRAPH, is_for_reading=True, has_our_functions=True)
"""The embedded engine, with our function."""

VIRTUOSO: Final = SparqlDialect(
    blank_node_start="nodeID://",
    compares_typed_texts=False,
    divides_exactly=False,
    joins_loops=False,
    groups_nulls=False,
    orders_groups=False,
    sorts_repeated_rows=False,
    numbers_come_first=True,
    merges_graphs=False,
)
