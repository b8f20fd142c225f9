"""Asks a server what its graph is made of: first what the graph says of itself, then counts, then samples.

At most :data:`MOST_REQUESTS` requests, each with its own share of the time. One that fails takes nothing but itself:
the schema is then made of the others, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ...core.budget import Budget
from ...core.errors import (
    AskgraphError,
    BadReplyError,
    BudgetError,
    DeadlineExceededError,
    GraphNotFoundError,
    QueryError,
)
from ...core.hidden import Hidden
from ...core.schema import Schema
from ..rdf.names import LabelSettings
from ..rdf.vocabulary import CLASS_TYPES, EMPTY_TYPES, SCHEMA_TYPES
from . import counting
from .client import Found, SparqlClient
from .counting import Ends, Membership, Owned, PredicateCount, Sample, Scope, Values, id_of, text_of
from .hiding import Hiding
from .self_description import (
    LINKS,
    PARTITIONS,
    SHAPES,
    SIZES,
    TYPINGS,
    PropertyShape,
    ServerDeclarations,
    Statistics,
    number_of,
    partitions,
    shapes,
    sizes,
)
from .terms import Literal, Row

MOST_REQUESTS: Final = 20
_LABEL_REQUESTS: Final = 2
_SHARE: Final = 0.34
_FEW_NODES: Final = 10
_MOST_TYPES: Final = 120


@dataclass(frozen=True)
class Learned:
    """What a server told of its graph.

    Attributes:
        declarations: of classes and properties.
        shapes: what SHACL says.
        hiding: the deny-lists, with the types below hidden ones.
        scope: what was counted.
        is_exact: whether everything was counted, and nothing estimated.
        node_count, untyped_count: ``None`` if not known.
        types: members by type.
        totals: the same with members of subtypes.
        predicates: statements by predicate.
        ends, owned, values: as counted; empty where they were sampled.
        members, samples: as sampled; empty where everything was counted.
        declared_predicates: predicates that classes and properties have too.
        empty_types: types that say nothing and that nodes of the graph have.
        above: of each type itself and every type above it.
        notes: what failed, was cut or estimated, in plain sentences.
    """

    declarations: ServerDeclarations
    shapes: Sequence[PropertyShape]
    hiding: Hiding
    scope: Scope
    is_exact: bool
    node_count: int | None
    untyped_count: int | None
    types: Mapping[str, int]
    totals: Mapping[str, int]
    predicates: Mapping[str, PredicateCount]
    ends: Sequence[Ends] = ()
    owned: Sequence[Owned] = ()
    values: Sequence[Values] = ()
    members: Sequence[Membership] = ()
    samples: Sequence[Sample] = ()
    declared_predicates: frozenset[str] = frozenset()
    empty_types: tuple[str, ...] = ()
    above: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def owners_of(self, type: str) -> Sequence[str]:
        """A type and every type above it."""
        return self.above.get(type, (type,))


class Introspection:
    """Learns one graph. Used once.

    Attributes:
        requests: how many were sent.
    """

    def __init__(self, client: SparqlClient, labels: LabelSettings, hidden: Hidden, budget: Budget) -> None:
        self.requests = 0
        self._client = client
        self._labels = labels
        self._hidden = hidden
        self._budget = budget
        self._notes: dict[str, None] = {}

    def learn(self) -> Learned:
        """Ask everything.

        Raises:
            DeadlineExceededError: the time was up before anything was known.
            ServerError: the server is not reached, or refuses.
        """
        statistics = self._statistics()
        declarations = ServerDeclarations(
            self._labels, self._rows(TYPINGS, "the classes and properties that it declares"),
            self._rows(LINKS, "its hierarchy of classes"),
        )  # fmt: skip
        hierarchy = _hierarchy(declarations)
        hiding = Hiding.of(self._hidden, hierarchy)
        said = shapes(self._rows(SHAPES, "its shapes"))
        size = statistics.triples
        if size is None or size <= counting.SMALL:
            size = self._number(counting.size_query(), "its size")
        is_small = size is not None and size <= counting.SMALL
        # Where a server does not merge graphs, a statement may come twice.
        bare = Scope(hiding=hiding, distinct=not self._client.engine.merges_graphs)
        all_types = self._types(bare, statistics)
        scope = _scope(bare, all_types, declarations)
        types = {
            type: count
            for type, count in all_types.items()
            if type not in scope.declared_types and type not in EMPTY_TYPES and type not in hiding.types
        }
        pairs = _pairs(types, hierarchy)
        predicates = self._predicates(scope, statistics, exact=is_small)
        learned = self._details(scope, pairs, types, predicates, exact=is_small)
        return Learned(
            declarations=declarations,
            shapes=said,
            hiding=hiding,
            scope=scope,
            is_exact=learned.is_exact,
            node_count=learned.node_count if learned.node_count is not None else statistics.entities,
            untyped_count=learned.untyped_count,
            types=types,
            totals=self._totals(types, pairs, scope, exact=is_small),
            predicates=learned.predicates,
            members=learned.members,
            ends=learned.ends,
            owned=learned.owned,
            values=learned.values,
            samples=learned.samples,
            declared_predicates=self._declared_predicates(scope),
            empty_types=tuple(sorted(EMPTY_TYPES.intersection(all_types))),
            above={type: hierarchy.supertypes([type]) for type in types},
            notes=tuple(self._notes),
        )

    def rows_of_labels(self, query: str) -> list[Row]:
        """The rows of a request for labels, for which there is always one left."""
        return self._rows(query, "labels", most=MOST_REQUESTS)

    # --- what the graph says of itself

    def _statistics(self) -> Statistics:
        triples, entities = sizes(self._rows(SIZES, "its VoID description"))
        if triples is None:
            return Statistics()
        classes, properties = partitions(self._rows(PARTITIONS, "its VoID partitions"))
        return Statistics(triples, entities, classes, properties)

    # --- counts

    def _types(self, scope: Scope, statistics: Statistics) -> dict[str, int]:
        if statistics.classes and (statistics.triples or 0) > counting.SMALL:
            self._note("Types and their counts are those that the graph's VoID description gives.")
            return dict(statistics.classes)
        found = self._ask(counting.types_query(scope))
        if found is None:
            found = self._ask(counting.types_query(scope, sampled=True))
            self._note(
                f"The server could not count types in time: those of {counting.SAMPLED_STATEMENTS:,} statements are "
                "shown, with counts among these."
                if found is not None
                else "The server could not tell its types in time."
            )
        self._note_on_cap(found, "types")
        return _counts(found)

    def _predicates(
        self, scope: Scope, statistics: Statistics, *, exact: bool
    ) -> dict[str, PredicateCount] | None:
        """Statements by predicate; ``None`` if the server cannot count them in time."""
        if statistics.properties and not exact:
            self._note("Predicates and their counts are those that the graph's VoID description gives.")
            return {name: PredicateCount(count, count) for name, count in statistics.properties.items()}
        found = self._ask(counting.predicates_query(scope, exact=exact))
        self._note_on_cap(found, "predicates")
        return None if found is None else _predicate_counts(found)

    def _first_predicates(self, scope: Scope) -> dict[str, PredicateCount]:
        """The predicates of the first statements that the server finds."""
        found = self._ask(counting.predicates_query(scope, sampled=True))
        self._note(
            f"The server could not count statements in time: predicates are those of "
            f"{counting.SAMPLED_STATEMENTS:,} statements, with counts among these."
            if found is not None
            else "The server could not tell its predicates in time."
        )
        return {} if found is None else _predicate_counts(found)

    def _members(self, types: Mapping[str, int], scope: Scope) -> list[Membership]:
        """What a few members of each type have, the most frequent types first."""
        names = list(types)
        members: list[Membership] = []
        for start in range(0, min(len(names), _MOST_TYPES), counting.TYPES_AT_ONCE):
            found = self._ask(counting.members_query(names[start : start + counting.TYPES_AT_ONCE], scope))
            if found is None:
                break
            for type, predicate, nodes, statements, literals in found.rows:
                if id_of(type) and id_of(predicate):
                    looked_at = min(counting.MEMBERS_OF_A_TYPE, types.get(id_of(type), 0))
                    numbers = [number_of(number) or 0 for number in (nodes, statements, literals)]
                    members.append(Membership(id_of(type), id_of(predicate), max(looked_at, 1), *numbers))
        return members

    def _totals(
        self, types: Mapping[str, int], pairs: Sequence[tuple[str, str]], scope: Scope, *, exact: bool
    ) -> dict[str, int]:
        """Members by type, those of subtypes too; the sum of them where they are not counted."""
        if exact and any(type != owner for type, owner in pairs):
            found = self._ask(counting.totals_query(pairs, scope))
            if found is not None:
                return _counts(found)
        totals = dict(types)
        for type, owner in pairs:
            if type != owner:
                totals[owner] = totals.get(owner, 0) + types.get(type, 0)
        return totals

    def _declared_predicates(self, scope: Scope) -> frozenset[str]:
        if not scope.declared_types and not scope.declaring:
            return frozenset()
        rows = self._rows(counting.declared_predicates_query(scope), "what classes and properties have")
        return frozenset(id for row in rows if (id := id_of(row[0])))

    # --- details

    def _details(
        self,
        scope: Scope,
        pairs: Sequence[tuple[str, str]],
        types: Mapping[str, int],
        predicates: Mapping[str, PredicateCount] | None,
        *,
        exact: bool,
    ) -> _Details:
        if exact and predicates is not None:
            counted = self._counted_details(scope, pairs)
            if counted is not None:
                return replace(counted, predicates=predicates)
            self._note("The server could not count ends and owners in time.")
        members = self._members(types, scope)
        if predicates is None and members:
            self._note(
                "The server could not count statements in time: how many there are of each predicate is estimated from "
                f"{counting.MEMBERS_OF_A_TYPE} members of each type."
            )
            predicates = _estimated(members, types)
        elif predicates is None:
            predicates = self._first_predicates(scope)
        return _Details(predicates=predicates, members=members, samples=self._sampled(scope, predicates))

    def _counted_details(self, scope: Scope, pairs: Sequence[tuple[str, str]]) -> _Details | None:
        hierarchical = [pair for pair in pairs if any(type != owner for type, owner in pairs)]
        ends = self._ask(counting.ends_query(scope))
        owners = self._ask(counting.owners_query(hierarchical, scope)) if ends is not None else None
        untyped = self._ask(counting.untyped_owners_query(scope)) if owners is not None else None
        literals = self._ask(counting.literals_query(scope)) if untyped is not None else None
        if ends is None or owners is None or untyped is None or literals is None:
            return None
        for found, what in ((ends, "pairs of types"), (owners, "owners"), (literals, "kinds of values")):
            self._note_on_cap(found, what)
        return _Details(
            is_exact=not any(found.truncated for found in (ends, owners, untyped, literals)),
            node_count=self._number(counting.nodes_query(scope), "its nodes"),
            untyped_count=self._number(counting.nodes_query(scope, untyped=True), "nodes without a type"),
            ends=[
                Ends(id_of(row[0]), id_of(row[1]), id_of(row[2]), number_of(row[3]) or 0) for row in ends.rows
            ],
            owned=[
                *(
                    Owned(id_of(row[0]), id_of(row[1]), number_of(row[2]) or 0, number_of(row[3]))
                    for row in owners.rows
                ),
                *(
                    Owned(id_of(row[0]), "", number_of(row[1]) or 0, number_of(row[2]))
                    for row in untyped.rows
                ),
            ],
            values=[_values_of(row) for row in literals.rows],
        )

    def _sampled(self, scope: Scope, predicates: Mapping[str, PredicateCount]) -> list[Sample]:
        """A few statements of as many predicates as there are requests for, the most frequent first."""
        names = [name for name in predicates if counting.is_edge_type(name) or predicates[name].literals]
        samples: list[Sample] = []
        sampled = 0
        for start in range(0, len(names), counting.PREDICATES_AT_ONCE):
            if self.requests >= MOST_REQUESTS - _LABEL_REQUESTS - 1:
                break
            part = names[start : start + counting.PREDICATES_AT_ONCE]
            found = self._ask(counting.samples_query(part, scope))
            if found is None:
                break
            samples += map(_sample_of, found.rows)
            sampled += len(part)
        if names:
            self._note(
                f"Ends, owners and kinds of values are those of up to {counting.STATEMENTS_OF_A_PREDICATE} statements "
                f"of each predicate, and their counts are estimates."
            )
        if sampled < len(names):
            self._note(
                f"Only the {sampled:,} most frequent of {len(names):,} predicates were looked into."
                if sampled
                else "No predicate could be looked into in time."
            )
        return samples

    # --- asking

    def _rows(self, query: str, what: str, *, most: int = MOST_REQUESTS - _LABEL_REQUESTS) -> list[Row]:
        found = self._ask(query, most=most)
        if found is None:
            self._note(f"The server could not tell {what} in time.")
            return []
        if found.truncated:
            self._note(f"Of {what} only the first {len(found.rows):,} statements were read.")
        return found.rows

    def _number(self, query: str, what: str) -> int | None:
        rows = self._rows(query, what)
        return number_of(rows[0][0]) if rows else None

    def _ask(self, query: str, *, most: int = MOST_REQUESTS - _LABEL_REQUESTS) -> Found[Row] | None:
        """The rows of a query within its share of the time; ``None`` if the server cannot answer it."""
        if self.requests >= most:
            return None
        self._budget.check("asking for the schema")
        share = self._budget.within(max(self._budget.remaining * _SHARE, 0.5))
        limits = Budget(seconds=share.seconds, rows=counting.MOST_GROUPS * 4, bytes=self._budget.bytes)
        self.requests += 1
        try:
            return self._client.select(query, limits)
        except GraphNotFoundError:
            raise
        except (BadReplyError, BudgetError, QueryError) as error:
            if self._is_over(error):
                raise
            return None

    def _is_over(self, error: AskgraphError) -> bool:
        return isinstance(error, DeadlineExceededError) and self._budget.remaining <= 0

    def _note(self, sentence: str) -> None:
        self._notes[sentence] = None

    def _note_on_cap(self, found: Found[Row] | None, what: str) -> None:
        if found is not None and (
            found.truncated or len(found.rows) in (counting.MOST_NAMES, counting.MOST_GROUPS)
        ):
            self._note(f"Of its {what} the {len(found.rows):,} most frequent are shown.")


@dataclass(frozen=True)
class _Details:
    is_exact: bool = False
    node_count: int | None = None
    untyped_count: int | None = None
    predicates: Mapping[str, PredicateCount] = field(default_factory=dict)
    members: Sequence[Membership] = ()
    ends: Sequence[Ends] = ()
    owned: Sequence[Owned] = ()
    values: Sequence[Values] = ()
    samples: Sequence[Sample] = ()


def _hierarchy(declarations: ServerDeclarations) -> Schema:
    """Only the classes and what is above and below them."""
    from ...core.schema import NodeType

    parents, equivalents = declarations.parents, declarations.equivalents
    names = dict.fromkeys(declarations.classes)
    for name in list(names):
        names.update(dict.fromkeys((*parents.get(name, ()), *equivalents.get(name, ()))))
    types = (NodeType(name, name, 0, 0, parents.get(name, ()), equivalents.get(name, ())) for name in names)
    return Schema("rdf", 0, 0, tuple(types), (), ())


def _scope(bare: Scope, types: Mapping[str, int], declarations: ServerDeclarations) -> Scope:
    """What is counted: all but declarations; these too in a graph that is about its classes."""
    classes = sum(count for type, count in types.items() if type in CLASS_TYPES)
    others = sum(count for type, count in types.items() if type not in SCHEMA_TYPES)
    if classes > _FEW_NODES * max(others, 1):
        return bare
    return Scope(
        declared_types=tuple(sorted(type for type in types if type in SCHEMA_TYPES)),
        declaring=declarations.declared_by_use,
        hiding=bare.hiding,
        distinct=bare.distinct,
    )


def _pairs(types: Mapping[str, int], hierarchy: Schema) -> list[tuple[str, str]]:
    """Each type with itself and with every type above it."""
    return [(type, owner) for type in types for owner in hierarchy.supertypes([type])]


def _counts(found: Found[Row] | None) -> dict[str, int]:
    if found is None:
        return {}
    return {id: number_of(row[1]) or 0 for row in found.rows if (id := id_of(row[0]))}


def _predicate_counts(found: Found[Row] | None) -> dict[str, PredicateCount]:
    counts: dict[str, PredicateCount] = {}
    for row in found.rows if found is not None else ():
        total, literals = number_of(row[1]) or 0, number_of(row[2]) or 0
        if name := id_of(row[0]):
            counts[name] = PredicateCount(total - literals, literals)
    return counts


def _estimated(members: Sequence[Membership], types: Mapping[str, int]) -> dict[str, PredicateCount]:
    """Statements by predicate, from what a few members of each type have."""
    counts: dict[str, list[float]] = {}
    for item in members:
        own = counts.setdefault(item.predicate, [0.0, 0.0])
        scale = types.get(item.type, 0) / item.members
        own[0] += (item.statements - item.literals) * scale
        own[1] += item.literals * scale
    ordered = sorted(counts, key=lambda name: (-sum(counts[name]), name))
    return {name: PredicateCount(*(round(count) for count in counts[name])) for name in ordered}


def _values_of(row: Row) -> Values:
    texts = dict.fromkeys(term.text for term in row[4:] if isinstance(term, Literal))
    language = text_of(row[2]) or None
    return Values(id_of(row[0]), id_of(row[1]), language, number_of(row[3]) or 0, tuple(texts))


def _sample_of(row: Row) -> Sample:
    predicate, source, target, is_literal, datatype, language, count, text = row
    return Sample(
        id_of(predicate),
        id_of(source),
        id_of(target),
        number_of(is_literal) == 1,
        id_of(datatype),
        text_of(language) or None,
        number_of(count) or 0,
        text_of(text),
    )
