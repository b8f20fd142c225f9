"""Counts and samples of a graph on a server: what is asked, and what came of it.

A small graph is counted exactly, with what describes the graph left out. Of a large one, types and predicates are
counted if the server can do that in time, and everything else is learned from a few statements of each predicate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..rdf.instances import DECLARING
from ..rdf.sparql_words import ABSENT
from ..rdf.vocabulary import EMPTY_TYPES, OWL, RDF, SH
from .hiding import NOTHING_HIDDEN, Hiding
from .terms import Literal, Resource, Term
from .wording import TYPE, iris, listed

SMALL: Final = 300_000
"""Statements up to which a graph is counted exactly."""
MOST_GROUPS: Final = 5_000
MOST_NAMES: Final = 1_000
"""Types, and predicates, that a schema has at most; the most frequent first."""
SAMPLED_STATEMENTS: Final = 100_000
STATEMENTS_OF_A_PREDICATE: Final = 100
PREDICATES_AT_ONCE: Final = 40
MEMBERS_OF_A_TYPE: Final = 30
TYPES_AT_ONCE: Final = 60

_STRUCTURE: Final = (RDF, OWL, SH)
_NO_STRUCTURE: Final = frozenset({OWL + "sameAs", RDF + "value"})


def is_edge_type(predicate: str) -> bool:
    """Whether a predicate may join nodes: it is none by which RDF, OWL and SHACL write down a vocabulary."""
    if predicate in _NO_STRUCTURE:
        return True
    return predicate not in DECLARING and not predicate.startswith(_STRUCTURE)


@dataclass(frozen=True, slots=True)
class Scope:
    """What of a graph is counted: without what describes it, and without what is hidden.

    Attributes:
        declared_types: types of classes, properties and the like that the graph has.
        declaring: properties by which others are known.
        hiding: the deny-lists.
        distinct: whether a statement may come twice, so that things are to be counted once.
    """

    declared_types: tuple[str, ...] = ()
    declaring: tuple[str, ...] = ()
    hiding: Hiding = NOTHING_HIDDEN
    distinct: bool = False

    def nodes_only(self, variable: str) -> str:
        """Filters that leave out whatever is no node that may be seen."""
        parts = [f"FILTER NOT {test}" for test in self._declarations(variable)]
        return " ".join([*parts, self.hiding.no_hidden_node(variable)])

    def no_declaration(self, variable: str, predicates: Sequence[str]) -> str:
        """A filter that leaves out edges of some types from whatever is no node; empty if there are none."""
        tests = self._declarations(variable)
        if not tests or not predicates:
            return ""
        return f"FILTER(?p NOT IN ({listed(predicates)}) || !({' || '.join(tests)}))"

    def _declarations(self, variable: str) -> list[str]:
        """Tests for what is no node."""
        tests = []
        if self.declared_types:
            types = listed(self.declared_types)
            tests.append(f"EXISTS {{ {variable} a ?declared . FILTER(?declared IN ({types})) }}")
        if self.declaring:
            path = "|".join(f"<{name}>|^<{name}>" for name in self.declaring)
            tests.append(f"EXISTS {{ {variable} {path} ?other }}")
        return tests

    def count(self, variable: str) -> str:
        """A count of what a variable is bound to."""
        return f"COUNT(DISTINCT {variable})" if self.distinct else "COUNT(*)"


# --- what is asked


def size_query(most: int = SMALL) -> str:
    """How many statements there are, counted no further than ``most``."""
    return f"SELECT (COUNT(*) AS ?n) WHERE {{ {{ SELECT ?s WHERE {{ ?s ?p ?o }} LIMIT {most + 1} }} }}"


def types_query(scope: Scope, *, sampled: bool = False) -> str:
    """Members by type."""
    inner = f"?s {TYPE} ?type"
    if sampled:
        inner = f"{{ SELECT ?s ?type WHERE {{ {inner} }} LIMIT {SAMPLED_STATEMENTS} }}"
    hidden = scope.hiding.no_hidden_node("?s")
    return _grouped("?type", f"({scope.count('?s')} AS ?n)", f"{inner} . {hidden}", MOST_NAMES)


def totals_query(pairs: Sequence[tuple[str, str]], scope: Scope) -> str:
    """Members by type, those of subtypes too. ``pairs``: each type with itself and with every type above it."""
    inner = f"{_values(pairs)} ?s {TYPE} ?type . {scope.hiding.no_hidden_node('?s')}"
    return _grouped("?owner", "(COUNT(DISTINCT ?s) AS ?n)", inner, MOST_NAMES)


def predicates_query(scope: Scope, *, sampled: bool = False, exact: bool = False) -> str:
    """Statements by predicate, and how many of them have a literal for an object."""
    inner = "?s ?p ?o"
    if sampled:
        inner = f"{{ SELECT ?s ?p ?o WHERE {{ {inner} }} LIMIT {SAMPLED_STATEMENTS} }}"
    hiding = scope.hiding
    left_out = f"{hiding.no_hidden_predicate('?p')} {_visible_ends(scope)}"
    nodes = scope.nodes_only("?s") if exact else ""
    counts = "(COUNT(*) AS ?n) (SUM(IF(isLiteral(?o), 1, 0)) AS ?literals)"
    return _grouped("?p", counts, f"{inner} . {nodes} {left_out}", MOST_NAMES)


def members_query(types: Sequence[str], scope: Scope) -> str:
    """By type and predicate: how many of a few members of the type have it, and their statements."""
    left_out = f"{scope.hiding.no_hidden_predicate('?p')} {_visible_ends(scope)}"
    counts = (
        "(COUNT(DISTINCT ?s) AS ?n) (COUNT(*) AS ?statements) (SUM(IF(isLiteral(?o), 1, 0)) AS ?literals)"
    )
    parts = [
        f"SELECT ?type ?p {counts} WHERE {{ {{ SELECT ?type ?s WHERE {{ VALUES ?type {{ {iris([type])} }} "
        f"?s {TYPE} ?type . {scope.hiding.no_hidden_node('?s')} }} LIMIT {MEMBERS_OF_A_TYPE} }} "
        f"?s ?p ?o . {left_out} }} GROUP BY ?type ?p"
        for type in types
    ]
    return _together("?type ?p ?n ?statements ?literals", parts)


def ends_query(scope: Scope) -> str:
    """Edges by predicate, type of the source and type of the target."""
    inner = (
        f"?s ?p ?o . FILTER(!isLiteral(?o) && ?p != {TYPE}) {scope.nodes_only('?s')} "
        f"{scope.hiding.no_hidden_node('?o')} {scope.hiding.no_hidden_predicate('?p')} "
        f"OPTIONAL {{ ?s {TYPE} ?a . {telling('?a')} }} OPTIONAL {{ ?o {TYPE} ?b . {telling('?b')} }} "
        f"{_or_none('?a', '?from')} {_or_none('?b', '?to')}"
    )
    return _grouped("?p ?from ?to", "(COUNT(*) AS ?n)", inner, MOST_GROUPS)


def owners_query(pairs: Sequence[tuple[str, str]], scope: Scope) -> str:
    """Nodes by property and type, and how many different values there are. ``pairs`` as in :func:`totals_query`;
    none: every type is its own."""
    typed = f"{_values(pairs)} ?s {TYPE} ?type ." if pairs else f"?s {TYPE} ?owner . {telling('?owner')}"
    value = (
        f"?s ?p ?o . FILTER(isLiteral(?o)) {scope.nodes_only('?s')} {scope.hiding.no_hidden_predicate('?p')}"
    )
    hidden = scope.hiding.no_hidden_value("?s", "?p")
    counts = "(COUNT(DISTINCT ?s) AS ?n) (COUNT(DISTINCT ?o) AS ?values)"
    return _grouped("?p ?owner", counts, f"{typed} {value} {hidden}", MOST_GROUPS)


def untyped_owners_query(scope: Scope) -> str:
    """Nodes without a type by property."""
    inner = (
        f"?s ?p ?o . FILTER(isLiteral(?o)) FILTER NOT EXISTS {{ ?s {TYPE} ?any . {telling('?any')} }} "
        f"{scope.nodes_only('?s')} {scope.hiding.no_hidden_predicate('?p')}"
    )
    counts = "(COUNT(DISTINCT ?s) AS ?n) (COUNT(DISTINCT ?o) AS ?values)"
    return _grouped("?p", counts, inner, MOST_GROUPS)


def literals_query(scope: Scope) -> str:
    """Values by property, datatype and language, with a few of them."""
    inner = (
        f"?s ?p ?o . FILTER(isLiteral(?o)) {scope.nodes_only('?s')} {scope.hiding.no_hidden_predicate('?p')} "
        f"{scope.hiding.no_hidden_value('?s', '?p')} BIND(DATATYPE(?o) AS ?kind) {_or_none('?kind', '?datatype')} "
        "BIND(LANG(?o) AS ?language)"
    )
    counts = "(COUNT(*) AS ?n) (MIN(STR(?o)) AS ?least) (SAMPLE(STR(?o)) AS ?one) (MAX(STR(?o)) AS ?most)"
    return _grouped("?p ?datatype ?language", counts, inner, MOST_GROUPS)


def nodes_query(scope: Scope, *, untyped: bool = False) -> str:
    """How many nodes there are, or how many without a type."""
    rest = f"FILTER NOT EXISTS {{ ?x {TYPE} ?any . {telling('?any')} }}" if untyped else ""
    # Each node once before it is looked at: a statement is cheap to read, and what is said of a node dear to test.
    subjects = f"{{ SELECT DISTINCT ?x WHERE {{ ?x ?p ?o }} }} {scope.nodes_only('?x')} {rest}"
    objects = f"?s ?p ?x . FILTER(!isLiteral(?x) && ?p != {TYPE}) {scope.nodes_only('?s')}"
    hidden = scope.hiding.no_hidden_node("?x")
    return (
        f"SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ {{ {subjects} }} UNION "
        f"{{ {{ SELECT DISTINCT ?x WHERE {{ {objects} }} }} {hidden} {rest} }} }}"
    )


def declared_predicates_query(scope: Scope) -> str:
    """The predicates that classes, properties and the like have."""
    parts = (
        [f"{{ ?s {TYPE} ?type . FILTER(?type IN ({listed(scope.declared_types)})) }}"]
        if scope.declared_types
        else []
    )
    if scope.declaring:
        path = "|".join(f"<{name}>|^<{name}>" for name in scope.declaring)
        parts.append(f"{{ ?s {path} ?other }}")
    return f"SELECT DISTINCT ?p WHERE {{ {' UNION '.join(parts)} ?s ?p ?o }} LIMIT {MOST_NAMES}"


def samples_query(predicates: Sequence[str], scope: Scope) -> str:
    """A few statements of each predicate: by types of both ends, or datatype and language."""
    keys = "?p ?from ?to ?literal ?datatype ?language"
    visible = f"{scope.hiding.no_hidden_node('?s')} {scope.hiding.no_hidden_value('?s', '?p')}"
    parts = [
        f"SELECT {keys} (COUNT(*) AS ?n) (SAMPLE(STR(?o)) AS ?one) WHERE {{ "
        f"{{ SELECT ?s ?p ?o WHERE {{ VALUES ?p {{ {iris([predicate])} }} ?s ?p ?o . {visible} }} "
        f"LIMIT {STATEMENTS_OF_A_PREDICATE} }} "
        f"OPTIONAL {{ ?s {TYPE} ?a . {telling('?a')} }} "
        f"OPTIONAL {{ FILTER(isIRI(?o)) ?o {TYPE} ?b . {telling('?b')} }} "
        f"{_or_none('?a', '?from')} {_or_none('?b', '?to')} "
        f'BIND(IF(isLiteral(?o), 1, 0) AS ?literal) BIND(IF(isLiteral(?o), LANG(?o), "") AS ?language) '
        f"BIND(IF(isLiteral(?o), DATATYPE(?o), ?none) AS ?kind) {_or_none('?kind', '?datatype')} }} GROUP BY {keys}"
        for predicate in predicates
    ]
    return _together(f"{keys} ?n ?one", parts)


def _together(columns: str, parts: Sequence[str]) -> str:
    """Small queries in one. Each is whole in itself: some engines scan everything where a union is joined."""
    united = " UNION ".join(f"{{ {part} }}" for part in parts)
    return f"SELECT {columns} WHERE {{ {united} }} ORDER BY DESC(?n) LIMIT {MOST_GROUPS}"


def _grouped(keys: str, counts: str, inner: str, limit: int) -> str:
    return (
        f"SELECT {keys} {counts} WHERE {{ {inner} }} GROUP BY {keys} ORDER BY DESC(?n) {keys} LIMIT {limit}"
    )


def _values(pairs: Sequence[tuple[str, str]]) -> str:
    rows = " ".join(f"({iris([type])} {iris([owner])})" for type, owner in pairs)
    return f"VALUES (?type ?owner) {{ {rows} }}"


def _or_none(variable: str, key: str) -> str:
    """A key to group by that is never unbound: an engine may make several groups of what has no value."""
    return f"BIND(COALESCE({variable}, <{ABSENT}>) AS {key})"


def telling(variable: str) -> str:
    """Leaves out types that say nothing."""
    return f"FILTER({variable} NOT IN ({listed(sorted(EMPTY_TYPES))}))"


def _visible_ends(scope: Scope) -> str:
    hiding = scope.hiding
    if not hiding:
        return ""
    return f"{hiding.no_hidden_node('?s')} {hiding.no_hidden_node('?o')} {hiding.no_hidden_value('?s', '?p')}"


# --- what came of it


@dataclass(frozen=True, slots=True)
class PredicateCount:
    """Statements of a predicate: those that lead to nodes, and those that lead to literals."""

    links: int
    literals: int


@dataclass(frozen=True, slots=True)
class Ends:
    """Edges of one type between nodes of two types; ``""`` for none."""

    predicate: str
    source: str
    target: str
    count: int


@dataclass(frozen=True, slots=True)
class Owned:
    """Nodes of one type that have a property. ``distinct``: different values, or ``None`` if not known."""

    predicate: str
    owner: str
    count: int
    distinct: int | None = None


@dataclass(frozen=True, slots=True)
class Values:
    """Values of a property with one datatype and language, and some of them as they are written."""

    predicate: str
    datatype: str
    language: str | None
    count: int
    texts: tuple[str, ...] = ()

    @property
    def samples(self) -> list[Literal]:
        """Some of the values."""
        return [Literal(text, self.datatype, self.language) for text in self.texts]


@dataclass(frozen=True, slots=True)
class Sample:
    """A row of :func:`samples_query`."""

    predicate: str
    source: str
    target: str
    is_literal: bool
    datatype: str
    language: str | None
    count: int
    text: str


@dataclass(frozen=True, slots=True)
class Membership:
    """A row of :func:`members_query`: of ``members`` that were looked at, ``nodes`` have the predicate."""

    type: str
    predicate: str
    members: int
    nodes: int
    statements: int
    literals: int


def id_of(term: Term | None) -> str:
    """The id of a resource; empty for anything else, and for what stands for nothing."""
    return term.id if isinstance(term, Resource) and term.id != ABSENT else ""


def text_of(term: Term | None) -> str:
    """The text of a literal; empty for anything else."""
    return term.text if isinstance(term, Literal) else ""
