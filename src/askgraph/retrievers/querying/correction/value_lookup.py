"""Which value of a graph a query means that asks for one by name.

The value index and the names of nodes answer first: they know case, accents, slips of the pen, word order, acronyms
and further names. What they do not cover (long texts, graphs on a server whose values are not copied) is asked of the
graph with a bounded plan. A match counts if it is of a node of the right type, and its value is what the asked property
holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ....core.budget import Budget
from ....core.errors import AskgraphError
from ....core.graph import Node
from ....core.hidden import NOTHING_HIDDEN, Hidden
from ....core.plan import (
    Column,
    Comparator,
    Compare,
    Constant,
    EdgePattern,
    NodePattern,
    NodeReference,
    Pattern,
    Plan,
    PropertyOf,
)
from ....core.schema import Schema
from ....core.values import LanguageText, Value, ValueType
from ....core.words import normalize, split_identifier
from ....indexes.names import NameMatch
from ....linking.names import Names, NoNames
from ....linking.property_values import value_of
from ....stores.base import GraphStore
from .literals import folded
from .opposites import are_opposite
from .spoken_names import initials_in_order, joined_initials, spoken_names
from .text_likeness import likeness

VerdictKind = Literal["there", "one", "several", "none", "unknown"]

CLEAR = 0.8
"""From this score on a name is taken for another. See :class:`~askgraph.indexes.names.NameMatch`."""
MARGIN = 0.04
"""How much better it must be than the next different value."""
SAME_NAME = 0.97
"""Matches from here on are one name in several spellings."""

_CANDIDATES = 12
_PROPOSED = 40
_SHOWN = 5
_OTHER_KEY = 0.03
_SECONDS = 2.0
_DIGITS = re.compile(r"\d+")
_LONGEST = 300
# What is found only without the words that people put around a name is a little less sure.
_SPOKEN = 0.02
_INITIALS_OF_ONE = 0.9
_MOST_INITIALS = 5
_MOST_ENDS = 500
_INITIALS_OF_MANY = 0.7
_TYPES_LOOKED_AT = 40


@dataclass(frozen=True, slots=True)
class Held:
    """A value that a property of some nodes holds; ``node`` is the one of them by whose name it was found."""

    key: str
    value: Value
    score: float
    name: str
    types: tuple[str, ...] = ()
    node: str = ""

    @property
    def text(self) -> str:
        """The value as text."""
        return self.value.text if isinstance(self.value, LanguageText) else str(self.value)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of looking a value up.

    Attributes:
        kind: ``"there"``: the graph has it as it is; ``"one"``: this one is meant (``held`` has more than one where one
            name is stored in several spellings); ``"several"``: it cannot be told which; ``"none"``: nothing is like
            it; ``"unknown"``: it could not be looked up.
        held: the values that are meant, or come into question, the likeliest first.
        note: what else is known: the type of a node that has the name but does not fit.
    """

    kind: VerdictKind
    held: tuple[Held, ...] = ()
    note: str = ""


@dataclass(slots=True)
class Memory:
    """What look-ups in one graph may keep from one query to the next."""

    namespaces: dict[str, None] = field(default_factory=dict)


class ValueLookup:
    """Looks values up in one graph, within a budget; what was looked up is remembered.

    Args:
        schema: of the graph.
        store: the graph; ``None``: only the indexes are asked.
        names: every node under every name.
        values: the values of properties.
        budget: what looking up may take in all.
        memory: what earlier look-ups in the graph have kept.
        hidden: what is not to be seen; ``schema`` is without it.
    """

    def __init__(
        self,
        schema: Schema,
        store: GraphStore | None,
        names: Names | None,
        values: Names | None,
        budget: Budget,
        memory: Memory | None = None,
        hidden: Hidden = NOTHING_HIDDEN,
    ) -> None:
        self._memory = memory or Memory()
        self._hidden = hidden
        self.schema = schema
        self._store = store
        self._names: Names = names or NoNames()
        self._values: Names = values or NoNames()
        self._budget = budget.within(min(_SECONDS, budget.remaining))
        self.unlooked: dict[str, None] = {}
        self._nodes: dict[str, Node] = {}

    # Questions

    def types_of_name(self, text: str) -> frozenset[str] | None:
        """The types of the nodes that bear a name; ``None`` if nobody bears it, or nodes of different types do."""
        (found,) = self._names.exact([text], limit=_CANDIDATES)
        types = {match.types for match in self._seen(found)}
        if len(types) != 1:
            return None
        (only,) = types
        return frozenset(only) if only and all(map(self.schema.has_node_type, only)) else None

    def judge(self, text: str, key: str, types: frozenset[str] | None, *, folding: str = "") -> Verdict:
        """Which value of the property ``key`` of nodes of these types a text means."""
        if not text.strip() or len(text) > _LONGEST:
            return Verdict("unknown")
        wide = self._widened(types)
        held = self._held(text, key, wide, exactly=True)
        if any(folded(item.text, folding) == text and item.key == key for item in held):
            return Verdict("there")
        found = [*held, *self._held(text, key, wide, exactly=False)]
        for less, name in enumerate(spoken_names(text, self._type_words(types))[1:], start=1):
            near = self._held(name, key, wide, exactly=False)
            found += [replace(item, score=round(item.score - _SPOKEN * less, 4)) for item in near]
            found += self._with_initials(name, key, types)
        verdict = self._decided(text, key, _merged(found))
        if verdict.kind != "one":
            initials = self._with_initials(text, key, types)
            verdict = self._decided(text, key, _merged([*found, *initials])) if initials else verdict
        if verdict.kind in ("one", "several") and verdict.held[0].score >= SAME_NAME:
            return verdict
        return self._asked_of_graph(text, key, types, folding, verdict)

    def is_node(self, id: str) -> bool | None:
        """Whether the graph has a node with this id; ``None`` if it cannot be asked."""
        found = self.nodes([id])
        return None if found is None else bool(found)

    def nodes(self, ids: Sequence[str]) -> list[Node] | None:
        """The nodes with these ids; ``None`` if the graph cannot be asked."""
        missing = [id for id in dict.fromkeys(ids) if id not in self._nodes]
        if missing:
            if self._store is None or self._budget.remaining <= 0:
                return None
            try:
                self._nodes.update(
                    (node.id, node) for node in self._store.nodes(missing) if self._is_seen(node.types)
                )
            except AskgraphError as error:
                self.unlooked[f"The graph could not be asked for its nodes: {error.message}."] = None
                return None
        return [self._nodes[id] for id in ids if id in self._nodes]

    def namespaces(self) -> tuple[str, ...]:
        """Where the ids of nodes lie that are IRIs, by a few nodes of each type."""
        if not self._memory.namespaces and self._store is not None:
            for item in self.schema.node_types[:_TYPES_LOOKED_AT]:
                for id in self._some_of(item.id):
                    cut = max(id.rfind("#"), id.rfind("/")) + 1
                    if cut:
                        self._memory.namespaces[id[:cut]] = None
        return tuple(self._memory.namespaces)

    def _some_of(self, node_type: str) -> list[str]:
        assert self._store is not None
        reference = NodeReference("n")
        plan = Plan(Pattern((NodePattern("n", (node_type,)),)), (Column("n", reference),), limit=3)
        try:
            return [str(row[0]) for row in self._store.run(plan, self._budget).rows]
        except AskgraphError as error:
            self.unlooked[f"The graph could not be asked for its nodes: {error.message}."] = None
            return []

    def named(self, text: str, types: frozenset[str] | None) -> Sequence[NameMatch]:
        """The nodes whose names are like a text, the best first."""
        (found,) = self._names.search([text], limit=_CANDIDATES, types=self._widened(types))
        return self._seen(found)

    def _seen(self, found: Sequence[NameMatch]) -> Sequence[NameMatch]:
        """Matches without those of nodes that are not to be seen."""
        return [match for match in found if self._is_seen(match.types)] if self._hidden.types else found

    def _is_seen(self, types: Iterable[str]) -> bool:
        return not any(map(self._hidden.hides_type, types))

    def named_or_short(self, text: str, types: frozenset[str] | None) -> Sequence[NameMatch]:
        """The same, of names without what people put around them too."""
        best: Sequence[NameMatch] = ()
        for name in spoken_names(text, self._type_words(types)):
            found = self.named(name, types)
            if found and (not best or found[0].score > best[0].score):
                best = found
        return best

    def end_with_initials(self, predicate: str, text: str) -> NameMatch | None:
        """The one node among those that a predicate leads to whose name has these capitals for initials."""
        if not (text.isascii() and text.isupper() and text.isalpha() and len(text) <= _MOST_INITIALS):
            return None
        nodes = (NodePattern("a"), NodePattern("b"))
        pattern = Pattern(nodes, (EdgePattern("a", "b", (predicate,)),))
        plan = Plan(pattern, (Column("b", NodeReference("b")),), limit=_MOST_ENDS)
        if self._store is None or self._budget.remaining <= 0 or self._hidden.types:
            return None
        try:
            ids = [str(row[0]) for row in self._store.run(plan, self._budget).rows]
        except AskgraphError as error:
            self.unlooked[f"What {predicate} leads to could not be looked up: {error.message}."] = None
            return None
        named = [(node.id, node.name) for node in self.nodes(ids) or ()]
        fitting = [(id, name) for id, name in named if initials_in_order(name) == text.lower()]
        if len(ids) >= _MOST_ENDS or len(fitting) != 1:
            return None
        ((id, name),) = fitting
        return NameMatch(id, name, _INITIALS_OF_ONE, "acronym")

    # The indexes

    def _held(self, text: str, key: str, types: frozenset[str] | None, *, exactly: bool) -> list[Held]:
        """What nodes of these types hold under a name or value like the text."""
        if exactly:
            (names,) = self._names.exact([text], limit=_CANDIDATES, types=types)
            (values,) = self._values.exact([text], limit=_CANDIDATES)
        else:
            (names,) = self._names.search([text], limit=_CANDIDATES, types=types)
            (values,) = self._values.search([text], limit=_PROPOSED)
        keys = self._keys(types)
        found = [
            Held(own, value, match.score, match.name)
            for match in self._seen(values)
            for own, value in [value_of(match.id)]
            if own in keys
        ]
        seen = self._seen(names)
        nodes = {node.id: node for node in self.nodes([match.id for match in seen]) or ()}
        for match in seen:
            node = nodes.get(match.id)
            if node is not None:
                found += [item for item in _held_by(node, match, key) if item.key in keys or item.key == key]
        return found

    def _with_initials(self, text: str, key: str, types: frozenset[str] | None) -> list[Held]:
        """Johnson & Johnson for J&J."""
        letters = joined_initials(text)
        if not letters:
            return []
        wanted = "".join(letters).lower()
        found = [
            _text_of(value)
            for sign in ("&", "and")
            for value in self._values_with(key, types, "contains", f"{sign} {letters[-1]}", _PROPOSED) or ()
        ]
        fitting = [value for value in dict.fromkeys(found) if initials_in_order(value) == wanted]
        score = _INITIALS_OF_ONE if len(fitting) == 1 else _INITIALS_OF_MANY
        return [Held(key, value, score, value) for value in fitting]

    def _type_words(self, types: frozenset[str] | None) -> frozenset[str]:
        """The words that the types are called by (``None``: all types): "BRCA1 gene" is a gene."""
        named = types if types is not None else [item.id for item in self.schema.node_types]
        labels = [self.schema.label_of(name) for name in named]
        return frozenset(word for label in labels for word in normalize(split_identifier(label)).split())

    def _keys(self, types: frozenset[str] | None) -> frozenset[str]:
        return frozenset(
            item.key
            for item in self.schema.properties
            if not item.of_edges and (types is None or item.owner in types)
        )

    def _widened(self, types: frozenset[str] | None) -> frozenset[str] | None:
        if types is None or not all(map(self.schema.has_node_type, types)):
            return None
        return frozenset(self.schema.with_subtypes(sorted(types)))

    def _decided(self, text: str, key: str, held: Sequence[Held]) -> Verdict:
        """One value where one is clearly the best; the same name in several spellings is one."""
        if not held:
            return Verdict("none")
        ranked = sorted(held, key=lambda item: (-_rank(item, key), item.key != key, item.text))
        best = ranked[0]
        same = [item for item in ranked if item.score >= SAME_NAME and item.key == best.key]
        if best.score >= SAME_NAME and same:
            return Verdict("one", tuple(same))
        others = [item for item in ranked[1:] if item.text != best.text]
        margin = _rank(best, key) - (_rank(others[0], key) if others else 0.0)
        if best.score >= CLEAR and margin >= MARGIN and _may_be_a_slip(text, best.name):
            return Verdict("one", (best,))
        return Verdict("several", tuple(ranked[:_SHOWN]))

    # The graph itself

    def _asked_of_graph(
        self, text: str, key: str, types: frozenset[str] | None, folding: str, verdict: Verdict
    ) -> Verdict:
        """What the indexes may not have: asked for exactly, then for what holds its words."""
        if self._is_covered(key, types) and verdict.kind == "one":
            return verdict
        exact = self._values_with(key, types, "=" if not folding else "contains", text, 20)
        if exact is None:
            return verdict if verdict.held else Verdict("unknown")
        if any(folded(_text_of(value), folding) == text for value in exact):
            return Verdict("there")
        if self._is_covered(key, types) or verdict.kind == "one":
            return self._with_note(text, verdict)
        found = [
            Held(key, value, score, _text_of(value))
            for value in self._alike(text, key, types)
            if (score := likeness(text, _text_of(value))) >= _LEAST
        ]
        return self._with_note(text, self._decided(text, key, _merged([*verdict.held, *found])))

    def _is_covered(self, key: str, types: frozenset[str] | None) -> bool:
        """Whether the indexes have the values of a property."""
        return not isinstance(self._values, NoNames)

    def _alike(self, text: str, key: str, types: frozenset[str] | None) -> list[Value]:
        """Values that hold the longest word of a text."""
        for word in _longest_words(text):
            found = self._values_with(key, types, "contains", word, _PROPOSED)
            if found:
                return found
        return []

    def in_property(self, held: Held, key: str, types: frozenset[str] | None) -> Held | None:
        """What the one node that has a value in one property has in another; ``None`` if that is not one text."""
        if held.node:
            nodes = self.nodes([held.node])
            own = _texts(nodes[0], key) if nodes else []
        else:
            same = Compare(PropertyOf("n", held.key), "=", Constant(held.value))
            own = self._run(PropertyOf("n", key), self._nodes_of(types), same, 2) or []
        if len(own) != 1 or not isinstance(own[0], str | LanguageText):
            return None
        return replace(held, key=key, value=own[0])

    def judge_edge(self, text: str, key: str, types: frozenset[str] | None, *, folding: str = "") -> Verdict:
        """Which value of a property of edges of these types a text means: edges have no names to be found by."""
        known = sorted(types) if types is not None and all(map(self.schema.has_edge_type, types)) else []
        edge = EdgePattern("a", "b", tuple(known), variable="r")
        pattern = Pattern((NodePattern("a"), NodePattern("b")), (edge,))
        property = PropertyOf("r", key)
        found: dict[str, Value] = {}
        for word in (text, *_longest_words(text)):
            values = self._run(property, pattern, Compare(property, "contains", Constant(word)), _PROPOSED)
            if values is None:
                return Verdict("unknown")
            if any(folded(_text_of(value), folding) == text for value in values):
                return Verdict("there")
            found.update((_text_of(value), value) for value in values)
        held = [Held(key, value, likeness(text, name), name) for name, value in found.items()]
        return self._decided(text, key, [item for item in held if item.score >= _LEAST])

    def values_containing(self, text: str, key: str, types: frozenset[str] | None) -> Sequence[Value] | None:
        """Values of a property that hold a text, whatever its case; ``None`` if the graph cannot be asked."""
        return self._values_with(key, types, "contains", text, _PROPOSED)

    def _values_with(
        self, key: str, types: frozenset[str] | None, comparator: Comparator, text: str, most: int
    ) -> list[Value] | None:
        property = PropertyOf("n", key)
        where = Compare(property, comparator, Constant(text))
        return self._run(property, self._nodes_of(types), where, most)

    def _nodes_of(self, types: frozenset[str] | None) -> Pattern:
        known = sorted(types) if types is not None and all(map(self.schema.has_node_type, types)) else []
        return Pattern((NodePattern("n", tuple(known)),))

    def _run(self, property: PropertyOf, pattern: Pattern, where: Compare, most: int) -> list[Value] | None:
        """The different values of a property, where a condition holds; ``None`` if the graph cannot be asked."""
        if self._store is None:
            return None
        if self._hidden.types:
            # A plan cannot leave out nodes that have a hidden type besides another.
            self.unlooked["Only names were looked up, because some types are hidden."] = None
            return None
        if self._budget.remaining <= 0:
            self.unlooked["The time for looking values up was over."] = None
            return None
        plan = Plan(pattern=pattern, columns=(Column("value", property),), where=where, limit=most)
        try:
            return [row[0] for row in self._store.run(plan, self._budget).rows if row[0] is not None]
        except AskgraphError as error:
            self.unlooked[f"{property.key} could not be looked up: {error.message}."] = None
            return None

    def _with_note(self, text: str, verdict: Verdict) -> Verdict:
        """Who else bears the name, where nobody of the right type does."""
        if verdict.kind == "one":
            return verdict
        (matches,) = self._names.exact([text], limit=3)
        found = self._seen(matches)
        if not found:
            return verdict
        types = " or ".join(found[0].types) or "node without a type"
        return Verdict(verdict.kind, verdict.held, f"There is a {types} named {found[0].name}.")


_LEAST = 0.6


def _held_by(node: Node, match: NameMatch, key: str) -> list[Held]:
    """What a node that was found by a name has in the property that is asked for, or else where the name stands."""

    def held(where: str, value: Value) -> Held:
        return Held(where, value, match.score, match.name, node.types, node.id)

    own = _texts(node, key)
    named_so = [value for value in own if _text_of(value) == match.name]
    if named_so:
        return [held(key, value) for value in named_so]
    for other, value in node.properties.items():
        if not isinstance(value, list) and _text_of(value) == match.name:
            return [held(other, value)]
    # A further name, from a list or from the graph's owner: the node is known by what the asked property says.
    return [held(key, own[0])] if len(own) == 1 else []


def _texts(node: Node, key: str) -> list[Value]:
    return [value for value in _items(node.properties.get(key)) if isinstance(value, str | LanguageText)]


def _longest_words(text: str) -> list[str]:
    return sorted(re.findall(r"\w{3,}", text), key=lambda word: (-len(word), word))[:2]


def _items(value: Value) -> Iterable[Value]:
    return value if isinstance(value, list) else () if value is None else (value,)


def _text_of(value: Value) -> str:
    return value.text if isinstance(value, LanguageText) else str(value)


def _merged(held: Iterable[Held]) -> list[Held]:
    """Each value once, with its best score."""
    best: dict[tuple[str, str], Held] = {}
    for item in held:
        known = best.get((item.key, item.text))
        if known is None or item.score > known.score:
            best[item.key, item.text] = item
    return list(best.values())


def _rank(item: Held, key: str) -> float:
    return item.score - (0.0 if item.key == key else _OTHER_KEY)


def _may_be_a_slip(one: str, other: str) -> bool:
    """NUP155 is no slip for NUP153, nor Apollo 11 for Apollo 13, nor hypotension for hypertension."""
    same_numbers = _DIGITS.findall(one) == _DIGITS.findall(other)
    return same_numbers and not are_opposite(normalize(one).split(), normalize(other).split())


def is_text_property(schema: Schema, key: str, types: frozenset[str] | None, *, of_edges: bool) -> bool:
    """Whether a property holds texts, as far as the schema tells."""
    kinds = [
        kind
        for item in schema.properties
        if item.key == key and item.of_edges == of_edges and (types is None or item.owner in types)
        for kind in item.value_types
    ]
    return ValueType.TEXT in kinds or ValueType.LIST in kinds
