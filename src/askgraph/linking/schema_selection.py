"""The part of a schema that a question needs, within a number of tokens.

A schema of 1,500 types does not fit into a prompt, and what a question does not need leads a model astray. What is
named, or spoken of in other words, comes first; then what lies between it in the graph, so that a path can be written;
then how things are named; then what is near. A schema that fits is given whole.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

from ..core.hidden import NOTHING_HIDDEN, Hidden
from ..core.schema import UNTYPED, EdgeEnds, EdgeType, Property, Schema
from ..core.values import ValueType
from .linked_question import LinkedQuestion
from .schema_relevance import PartKind, Reason, SchemaRelevance, shown_reasons
from .schema_text import SchemaText

# What is less relevant is only taken where it lies near something that is more so.
_NAMED = 0.8
_RELEVANT = 0.25
# Of the budget, for what lies round the types that are named, and together with what is relevant.
_SHARE_OF_THE_NAMED = 0.6
_SHARE_OF_THE_RELEVANT = 0.85
_USUAL = 0.9
_MOST_NAMED = 24
_MOST_SEEDS = 8
_LONGEST_CONNECTION = 3
_MOST_NAMING = 2
_MOST_ENDS = 6
# Parts that are taken out at a time where a schema turns out too long when it is written.
_TAKEN_OUT = 0.04
_MOST_REASONS = 12
# A budget of which so much is used is spent; how often more is tried.
_FULL = 0.92
_MOST_ROUNDS = 3
# What a part of a schema takes at the least: of one with very many it need not be counted.
_FEWEST_TOKENS = 2


@dataclass(frozen=True, slots=True)
class SelectedSchema:
    """What of a schema was chosen for a question.

    Attributes:
        schema: the part, itself a schema.
        text: the part as written for a query language.
        tokens: how many tokens the text is.
        is_whole: whether nothing was left out.
        reasons: why its parts were chosen, where the question gave a reason.
        left_out: how many node types, edge types and properties were not chosen.
    """

    schema: Schema
    text: str
    tokens: int
    is_whole: bool
    reasons: Mapping[tuple[PartKind, str], Reason]
    left_out: tuple[int, int, int] = (0, 0, 0)

    def to_dict(self) -> dict[str, Any]:
        """What a run records of the choice, as strict JSON data."""
        types, edges, properties = self.left_out
        return {
            "whole": self.is_whole,
            "tokens": self.tokens,
            "node_types": len(self.schema.node_types),
            "edge_types": len(self.schema.edge_types),
            "properties": len(self.schema.properties),
            "left_out": {"node_types": types, "edge_types": edges, "properties": properties},
            "reasons": shown_reasons(self.reasons, _MOST_REASONS),
        }


def select_schema(
    schema: Schema,
    linked: LinkedQuestion,
    relevance: SchemaRelevance,
    text: SchemaText,
    *,
    budget: int,
    tokens: Callable[[str], int],
    hidden: Hidden = NOTHING_HIDDEN,
) -> SelectedSchema:
    """Choose the part of a schema that a question needs.

    Args:
        schema: the schema.
        linked: the question, with what its words name.
        relevance: of the same schema.
        text: how the part is to be written.
        budget: tokens that it may have, where one part of it fits at all.
        tokens: counts the tokens of a text.
        hidden: what is in no prompt.
    """
    schema = _without_hidden(schema, hidden)
    parts = len(schema.node_types) + len(schema.edge_types) + len(schema.properties)
    whole = text.write(schema) if _FEWEST_TOKENS * parts <= budget else ""
    size = tokens(whole) if whole or not parts else budget + 1
    there = _parts_of(schema)
    reasons = {part: reason for part, reason in relevance.of(linked).items() if part in there}
    if size <= budget:
        return SelectedSchema(schema, whole, size, True, reasons)
    selection = _Selection(schema, reasons, text, budget, tokens)
    part, written, size = selection.filled()
    left_out = (
        len(schema.node_types) - len(part.node_types),
        len(schema.edge_types) - len(part.edge_types),
        len(schema.properties) - len(part.properties),
    )
    there = _parts_of(part)
    chosen = {key: reason for key, reason in reasons.items() if key in there}
    return SelectedSchema(part, written, size, False, chosen, left_out)


def _without_hidden(schema: Schema, hidden: Hidden) -> Schema:
    """The schema without what nobody is to see; a store leaves it out as well."""
    if not hidden:
        return schema
    return replace(
        schema,
        node_types=tuple(item for item in schema.node_types if not hidden.hides_type(item.id)),
        edge_types=tuple(
            replace(item, ends=tuple(pair for pair in item.ends if not _has_hidden_end(pair, hidden)))
            for item in schema.edge_types
            if not hidden.hides_type(item.id)
        ),
        properties=tuple(
            item
            for item in schema.properties
            if not hidden.hides_type(item.owner) and not hidden.hides_property(item.key, (item.owner,))
        ),
    )


def _has_hidden_end(pair: EdgeEnds, hidden: Hidden) -> bool:
    return hidden.hides_type(pair.source) or hidden.hides_type(pair.target)


def _parts_of(schema: Schema) -> set[tuple[PartKind, str]]:
    return {
        *(("node type", item.id) for item in schema.node_types),
        *(("edge type", item.id) for item in schema.edge_types),
        *(("property", item.key) for item in schema.properties),
    }


_Unit = tuple[PartKind, str, str]
"""A part that is chosen: a type or edge type by its id, a property by its key and owner."""


class _Selection:
    """What was chosen so far, in the order in which it was chosen, and what it costs."""

    def __init__(
        self,
        schema: Schema,
        reasons: Mapping[tuple[PartKind, str], Reason],
        text: SchemaText,
        budget: int,
        tokens: Callable[[str], int],
    ) -> None:
        self._schema = schema
        self._reasons = reasons
        self._text = text
        self._budget = budget
        # What the parts may cost as far as that can be told of each by itself.
        self._allowed = float(budget)
        self._rounds = _MOST_ROUNDS
        self._tokens = tokens
        self._chosen: dict[_Unit, None] = {}
        self._spent = tokens(text.head(schema)) // 2
        self._edges_of: dict[str, list[tuple[EdgeType, str]]] = {}
        for item in schema.edge_types:
            for pair in item.ends:
                for own, other in ((pair.source, pair.target), (pair.target, pair.source)):
                    self._edges_of.setdefault(own, []).append((item, other))
        self._properties_of: dict[str, list[Property]] = {}
        self._edge_properties_of: dict[str, list[Property]] = {}
        self._owners_of: dict[str, list[Property]] = {}
        for owned in schema.properties:
            of = self._edge_properties_of if owned.of_edges else self._properties_of
            of.setdefault(owned.owner, []).append(owned)
            self._owners_of.setdefault(owned.key, []).append(owned)

    # Choosing

    def filled(self) -> tuple[Schema, str, int]:
        """The chosen part, its text and its tokens."""
        while True:
            self._fill()
            part, text, size = self._written()
            if size >= _FULL * self._budget or self._rounds == 0:
                return part, text, size
            # What the parts cost one by one was too high an estimate: there is room for more.
            self._rounds -= 1
            self._allowed *= min(2.0, self._budget / max(size, 1))

    def _fill(self) -> None:
        """Choose until what is allowed is spent, the most needed first."""
        ranked = sorted(self._reasons.items(), key=lambda item: (-item[1].score, item[0]))
        for part, reason in ranked[:_MOST_NAMED]:
            if reason.score >= _NAMED and self._has_room(_SHARE_OF_THE_RELEVANT):
                self._take(part)
        seeds = self._types()[:_MOST_SEEDS]
        for one, other in combinations(seeds, 2):
            for id in self._connection(one, other):
                self._add("edge type", id)
        self._add_all(
            chain(self._naming(seeds), self._between(seeds), self._near(seeds)), _SHARE_OF_THE_NAMED
        )
        for part, reason in ranked:
            if reason.score >= _RELEVANT and self._has_room(_SHARE_OF_THE_RELEVANT):
                self._take(part)
        types = self._types()
        self._add_all(chain(self._naming(types), self._between(types), self._near(types), self._rest()), 1.0)

    def _add_all(self, units: Iterable[_Unit], share: float) -> None:
        """Choose these, until this share of the budget is spent."""
        for unit in units:
            if not self._has_room(share):
                return
            self._add(*unit)

    def _has_room(self, share: float) -> bool:
        return self._spent < share * self._allowed

    def _types(self) -> list[str]:
        return [id for kind, id, _ in self._chosen if kind == "node type"]

    def _take(self, part: tuple[PartKind, str]) -> None:
        """Choose a part, of a property those owners that are chosen, or else the one that has it most."""
        kind, id = part
        if kind != "property":
            self._add(kind, id)
            return
        owners = [item.owner for item in self._owners_of.get(id, ()) if not item.of_edges]
        known = [owner for owner in owners if ("node type", owner, "") in self._chosen]
        for owner in known or owners[:1]:
            self._add("property", id, owner)
        for item in self._owners_of.get(id, ()):
            if item.of_edges:
                self._add("edge type", item.owner)

    def _add(self, kind: PartKind, id: str, owner: str = "") -> None:
        """Choose a part with what it cannot do without: an edge type with what it joins, a property with its owner."""
        unit = (kind, id, owner)
        if unit in self._chosen:
            return
        if kind == "property":
            self._add("node type", owner)
        if kind == "edge type":
            for type in self._ends_to_add(self._schema.edge_type(id)):
                self._add("node type", type)
        if kind == "node type" and not self._schema.has_node_type(id):
            return
        self._chosen[unit] = None
        self._spent += self._cost(unit)

    def _ends_to_add(self, item: EdgeType) -> Iterator[str]:
        """The types at the ends of an edge type that make it useful: those of its most frequent pair, where no pair is
        chosen yet; of a pair of which one end is chosen the other."""
        chosen = {id for kind, id, _ in self._chosen if kind == "node type"}
        if any(pair.source in chosen and pair.target in chosen for pair in item.ends):
            return
        touching = [pair for pair in item.ends if pair.source in chosen or pair.target in chosen]
        for pair in (touching or list(item.ends))[:1]:
            yield pair.source
            yield pair.target

    def _cost(self, unit: _Unit) -> int:
        kind, id, owner = unit
        if kind == "node type":
            return self._tokens(self._text.node_type(self._schema.node_type(id))) + 1
        if kind == "edge type":
            item = self._schema.edge_type(id)
            own = self._edge_properties_of.get(id, ())
            return self._tokens(self._text.edge_type(replace(item, ends=item.ends[:2]), own)) + 1
        held = next(item for item in self._properties_of[owner] if item.key == id)
        is_known = self._text.language == "sparql" and any(
            other[0] == "property" and other[1] == id and other != unit for other in self._chosen
        )
        return 6 if is_known else self._tokens(self._text.property(held, (owner,))) + 1

    def _connection(self, start: str, goal: str) -> list[str]:
        """The edge types of a shortest path between two types, whichever way its edges point; the most frequent of
        those of equal length. Types count with those below and above them."""
        goals = {*self._schema.subtypes(goal), *self._schema.supertypes((goal,))}
        waiting = deque(
            (type, ())
            for type in dict.fromkeys((*self._schema.subtypes(start), *self._schema.supertypes((start,))))
        )  # type: deque[tuple[str, tuple[str, ...]]]
        seen = {type for type, _ in waiting}
        while waiting:
            type, path = waiting.popleft()
            for item, other in self._edges_of.get(type, ()):
                if other in goals:
                    return [*path, item.id]
                if other not in seen and other != UNTYPED and len(path) < _LONGEST_CONNECTION - 1:
                    seen.add(other)
                    waiting.append((other, (*path, item.id)))
        return []

    # What comes after what the question speaks of

    def _naming(self, types: Sequence[str]) -> Iterator[_Unit]:
        """By what things of some types are called: texts that nearly all of them have, and that differ."""
        for type in types:
            texts = [item for item in self._properties_of.get(type, ()) if ValueType.TEXT in item.value_types]
            best = sorted(texts, key=lambda item: (item.coverage < _USUAL, -(item.distinct or 0)))
            for item in best[:_MOST_NAMING]:
                yield "property", item.key, type

    def _between(self, types: Sequence[str]) -> Iterator[_Unit]:
        """Edge types that join two of some types."""
        for item in self._schema.edge_types:
            if any(pair.source in types and pair.target in types for pair in item.ends):
                yield "edge type", item.id, ""

    def _near(self, types: Sequence[str]) -> Iterator[_Unit]:
        """What things of some types have: their properties, and the edges that begin or end at them; the relevant
        first, then by turns, so that no type with very many of them leaves nothing for another."""
        found: dict[_Unit, tuple[float, int]] = {}
        for type in types:
            edges = dict.fromkeys(item.id for item, _ in self._edges_of.get(type, ()))
            for turn, id in enumerate(edges):
                found.setdefault(("edge type", id, ""), (-self._score("edge type", id), turn))
            for turn, item in enumerate(self._properties_of.get(type, ())):
                found.setdefault(("property", item.key, type), (-self._score("property", item.key), turn))
        yield from sorted(found, key=lambda unit: found[unit])

    def _rest(self) -> Iterator[_Unit]:
        """Everything else, the most frequent first."""
        for item in self._schema.edge_types:
            yield "edge type", item.id, ""
        for node_type in self._schema.node_types:
            yield "node type", node_type.id, ""

    def _score(self, kind: PartKind, id: str) -> float:
        reason = self._reasons.get((kind, id))
        return reason.score if reason else 0.0

    # Writing

    def _written(self) -> tuple[Schema, str, int]:
        """The chosen part, its text and its tokens; what was chosen last is taken out where it is too long."""
        while True:
            part = self._part(self._chosen)
            text = self._text.write(part)
            size = self._tokens(text)
            if size <= self._budget or len(self._chosen) <= 1:
                return part, text, size
            kept = max(1, int(len(self._chosen) * (1 - _TAKEN_OUT)) - 1)
            self._chosen = dict.fromkeys(list(self._chosen)[:kept])

    def _part(self, chosen: Iterable[_Unit]) -> Schema:
        units = set(chosen)
        types = {id for kind, id, _ in units if kind == "node type"}
        edges = {id for kind, id, _ in units if kind == "edge type"}
        return replace(
            self._schema,
            node_types=tuple(item for item in self._schema.node_types if item.id in types),
            edge_types=tuple(
                replace(item, ends=_shown_ends(item, types))
                for item in self._schema.edge_types
                if item.id in edges
            ),
            properties=tuple(
                item
                for item in self._schema.properties
                if (item.owner in edges if item.of_edges else ("property", item.key, item.owner) in units)
            ),
        )


def _shown_ends(item: EdgeType, types: set[str]) -> tuple[EdgeEnds, ...]:
    """The pairs of types that are shown of an edge type: those of which both are, or else the most frequent."""
    both = [pair for pair in item.ends if pair.source in types and pair.target in types]
    return tuple((both or list(item.ends))[:_MOST_ENDS])
