"""Small random graphs, and plans over them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from askgraph.core.errors import PlanError
from askgraph.core.graph import Edge, Node
from askgraph.core.plan import (
    Aggregate,
    And,
    Column,
    Compare,
    Constant,
    EdgePattern,
    Exists,
    IsNull,
    NodePattern,
    NodeReference,
    Not,
    Or,
    OrderBy,
    Pattern,
    Plan,
    PropertyOf,
)
from askgraph.core.values import Duration, LanguageText, Point, TypedLiteral

TYPES = ("A", "B", "C", "a")
PARENTS = {"B": ("A",), "C": ("B",), "D": ("A",)}
EDGE_TYPES = ("r", "s", "R")
KEYS = ("k", "K", "tags", "odd key'\"")

_ZONE = datetime.timezone(datetime.timedelta(hours=2))
_NUMBERS = st.sampled_from([
    0, 1, -1, 2, 3, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**70, -(2**80), 1.0, -1.5, 2.5, 0.1, 2.0**53,
    2.0**63, float("inf"), float("-inf"), float("nan"), Decimal("0.1"), Decimal("1"), Decimal("1.00"), Decimal("-2.50"),
    Decimal("1E+30"),
    Decimal("12345678901234567890.123456789"), Decimal("NaN"),
])  # fmt: skip
_TEXTS = st.sampled_from(["", "a", "b", "A", "ab", "é", "1", "%", "_", "𝒳", "￿", "x\ny", "'"])
_TIMES = st.sampled_from([
    datetime.date(2020, 1, 1), datetime.date(1999, 12, 31), datetime.datetime(2020, 1, 1, 12, 30),
    datetime.datetime(2020, 1, 1, 12, 30, tzinfo=datetime.UTC), datetime.datetime(2020, 1, 1, 14, 30, tzinfo=_ZONE),
    datetime.time(1, 2, 3, 4), datetime.time(9), datetime.time(9, tzinfo=_ZONE), Duration(1), Duration(0, 30),
    Duration(0, 40), Duration(1, -1), Duration(0, 1), Duration(0, 0, 86_400_000_000), Duration(),
    Duration(0, 0, -1_500_000),
])  # fmt: skip
_OTHERS = st.sampled_from([
    Point(1, 2), Point(1, 2, 3, 4979), b"", b"a\x00", LanguageText("a", "en"), LanguageText("a", "de"),
    LanguageText("b", "en"), TypedLiteral("7", "urn:t"), {"m": 1}, {"$type": "x"},
])  # fmt: skip
SCALARS: st.SearchStrategy[Any] = st.one_of(
    _NUMBERS, st.integers(-3, 3), _TEXTS, st.booleans(), _TIMES, _OTHERS
)
VALUES = st.one_of(
    SCALARS,
    st.lists(st.integers(-2, 2) | st.none(), max_size=3),
    st.lists(_TEXTS, max_size=3),
    st.lists(SCALARS | st.none() | st.just([1]), max_size=3),
)
PLAIN_VALUES = st.one_of(
    st.integers(-3, 3), _TEXTS, st.sampled_from([1.5, 2.0]), st.lists(st.integers(-2, 2), max_size=2)
)


@st.composite
def graphs(
    draw: st.DrawFn,
    values: st.SearchStrategy[Any] = VALUES,
    edge_values: st.SearchStrategy[Any] | None = None,
) -> tuple[list[Node], list[Edge]]:
    """At most six nodes and eight edges: self-loops, parallel edges, several types, none. With ``edge_values`` edges
    have properties too."""
    ids = draw(
        st.lists(
            st.sampled_from(["n1", "n2", "n3", "N1", "é", "a b", "'", "n4"]),
            min_size=1,
            max_size=6,
            unique=True,
        )
    )
    nodes = [
        Node(
            id,
            types=tuple(draw(st.lists(st.sampled_from(TYPES), max_size=2, unique=True))),
            properties=draw(st.dictionaries(st.sampled_from(KEYS), values, max_size=3)),
        )
        for id in ids
    ]
    ends = st.sampled_from(ids)
    edges = draw(
        st.lists(
            st.builds(
                lambda source, target, type, properties: Edge("", source, target, type, properties),
                ends,
                ends,
                st.sampled_from(EDGE_TYPES),
                st.just({})
                if edge_values is None
                else st.dictionaries(st.sampled_from(KEYS), edge_values, max_size=2),
            ),
            max_size=8,
        )
    )
    return nodes, edges


@st.composite
def plans(draw: st.DrawFn, nodes: list[Node], edges: list[Edge]) -> Plan:
    """A plan over the types, keys and ids that the graph has."""
    pattern = draw(_patterns(nodes, edges, ("x", "y", "z"), ()))
    variables = [node.variable for node in pattern.nodes]
    operands: st.SearchStrategy[Any] = st.sampled_from([NodeReference(variable) for variable in variables])
    of_edges = _keys_of(edges)
    if of_edges:
        pattern = draw(_with_edge_variables(pattern))
    properties = None
    for owners, keys in ((variables, _keys_of(nodes)), (list(pattern.edge_variables), of_edges)):
        if owners and keys:
            own = st.builds(PropertyOf, st.sampled_from(owners), st.sampled_from(keys))
            properties = own if properties is None else properties | own
            operands |= own
    simple = operands | st.builds(Constant, SCALARS | st.none())
    cells = st.one_of(
        operands, operands, st.builds(Constant, SCALARS | st.none()), _aggregates(operands, properties)
    )
    columns = draw(st.lists(cells, min_size=1, max_size=3))
    named = tuple(Column(f"c{i}", cell) for i, cell in enumerate(columns))
    where = draw(st.none() | _conditions(simple, nodes, edges, tuple(variables)))
    names = st.sampled_from([column.name for column in named])
    comparators = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])
    try:
        return Plan(
            pattern,
            named,
            where,
            having=tuple(draw(st.lists(st.tuples(names, comparators, SCALARS), max_size=1))),
            order=tuple(draw(st.lists(st.builds(OrderBy, names, st.booleans()), max_size=2))),
            distinct=draw(st.booleans()),
            limit=draw(st.none() | st.integers(0, 5)),
            offset=draw(st.integers(0, 2)),
        )
    except PlanError:
        assume(False)
        raise


def _keys_of(owners: Iterable[Node | Edge]) -> list[str]:
    return sorted({key for item in owners for key, value in item.properties.items() if value is not None})


@st.composite
def _with_edge_variables(draw: st.DrawFn, pattern: Pattern) -> Pattern:
    """The pattern, some of its required edges with a variable."""
    named = [
        replace(edge, variable=f"edge {place}") if not edge.optional and draw(st.booleans()) else edge
        for place, edge in enumerate(pattern.edges)
    ]
    return Pattern(pattern.nodes, tuple(named))


def _aggregates(
    operands: st.SearchStrategy[Any], properties: st.SearchStrategy[Any] | None
) -> st.SearchStrategy[Any]:
    count = st.builds(Aggregate, st.just("count"), st.none() | operands, st.booleans())
    if properties is None:
        return count
    functions = st.sampled_from(["count", "sum", "average", "minimum", "maximum"])
    return count | st.builds(Aggregate, functions, properties, st.booleans())


@st.composite
def _patterns(
    draw: st.DrawFn, nodes: list[Node], edges: list[Edge], names: tuple[str, ...], outer: tuple[str, ...]
) -> Pattern:
    present = sorted({type for node in nodes for type in node.types})
    types = st.lists(st.sampled_from([*present, ""]), max_size=2, unique=True).map(tuple)
    ids = st.one_of(
        st.just(()),
        st.just(()),
        st.lists(st.sampled_from([node.id for node in nodes]), min_size=1, max_size=2).map(tuple),
    )
    fewest = 0 if outer else 1
    variables = draw(st.lists(st.sampled_from([*names, *outer]), min_size=fewest, max_size=3, unique=True))
    patterns = tuple(NodePattern(variable, draw(types), draw(ids)) for variable in variables)
    known = sorted({*variables, *outer})
    ends = st.sampled_from(known)
    edge_types = sorted({edge.type for edge in edges})
    some = (
        st.lists(st.sampled_from(edge_types), max_size=2, unique=True).map(tuple)
        if edge_types
        else st.just(())
    )
    edge = st.builds(EdgePattern, ends, ends, some, st.sampled_from(["out", "in", "both"]), st.booleans())
    try:
        pattern = Pattern(patterns, tuple(draw(st.lists(edge, min_size=0 if variables else 1, max_size=3))))
        _ = pattern.optional_edges
    except PlanError:
        assume(False)
        raise
    return pattern


def _conditions(
    operands: st.SearchStrategy[Any], nodes: list[Node], edges: list[Edge], variables: tuple[str, ...]
) -> st.SearchStrategy[Any]:
    comparators = st.sampled_from(["=", "<>", "<", "<=", ">", ">=", "contains", "starts with", "ends with"])
    leaves = st.one_of(
        st.builds(Compare, operands, comparators, operands),
        st.builds(Compare, operands, comparators, operands),
        st.builds(IsNull, operands),
        st.builds(Exists, _patterns(nodes, edges, ("u", "v"), variables)),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(Not, inner),
            st.builds(And, st.lists(inner, max_size=2).map(tuple)),
            st.builds(Or, st.lists(inner, max_size=2).map(tuple)),
        ),
        max_leaves=3,
    )
