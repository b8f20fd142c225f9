"""Properties of a Cypher query that their nodes do not have: another spelling, another node, another kind of thing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from ....core.schema import UNTYPED
from ....core.words import normalize, split_identifier
from ....querying.cypher.bindings import Binding
from ....querying.cypher.clause_tree import Statement
from ....querying.cypher.expression_tree import (
    MapEntry,
    MapLiteral,
    ProjectedProperty,
    PropertyAccess,
    Text,
)
from ....querying.cypher.named_places import NamedPlaces, PropertyPlace, named_places
from ....querying.cypher.pattern_tree import LabelName, NodePattern, RelationshipPattern
from ....querying.rewriting import Place, place_of
from ....querying.tree import SyntaxNode
from .draft import Doubt, Draft
from .schema_words import CLEAR, CLEAR_IN_CONTEXT, SchemaWords
from .value_lookup import SAME_NAME, Held, ValueLookup

_MOVED = 0.9
_FEW = 12
_ITS_NAME = 0.85
_SURE_SPELLING = 0.9
_LABELLED = 0.85
# What models call a name, whatever the graph calls it.
_GENERAL_NAMES = ("name", "label")
_NAME_WORDS = ("name", "title", "label", "full name", "preferred name", "display name", "fullname")


def correct_properties(draft: Draft[Statement], words: SchemaWords, lookup: ValueLookup) -> None:
    """Put right the properties of a query whose labels and relationship types are right.

    A value that is asked of a property that there is not tells which one is meant, if one has it.
    """
    _Properties(draft, words, lookup).correct()


class _Properties:
    def __init__(self, draft: Draft[Statement], words: SchemaWords, lookup: ValueLookup) -> None:
        self.draft = draft
        self.words = words
        self.lookup = lookup
        self.schema = words.schema
        self.places: NamedPlaces = named_places(draft.tree, words.schema, draft.source)
        self.replacements: dict[Place, Callable[[SyntaxNode], SyntaxNode]] = {}

    def correct(self) -> None:
        for place in self.places.properties:
            if place.owner.kind != "other" and not self._has(place.owner, place.key):
                self._correct_one(place)
        self.draft.replace(self.replacements)

    def _has(self, owner: Binding, key: str) -> bool:
        if owner.types is not None and not self._are_known(owner):
            return True  # Of what is not known nothing can be said.
        return key in self.words.keys(owner.types, of_edges=owner.kind == "edge")

    def _are_known(self, owner: Binding) -> bool:
        known = self.schema.has_edge_type if owner.kind == "edge" else self.schema.has_node_type
        return owner.types is not None and all(map(known, owner.types))

    def _correct_one(self, place: PropertyPlace) -> None:
        own = self.words.keys(place.owner.types, of_edges=place.owner.kind == "edge")
        choice = self.words.choose(place.key, own)
        if choice.name is not None and choice.likeness >= _SURE_SPELLING:
            self._rename(place, choice.name, choice.reason, choice.likeness)
            return
        holder = self._holder_of_value(place)
        if holder is not None:
            self._rename(place, holder.key, f"it has {holder.text}", holder.score)
            return
        name, others = self._name_key(place), self._others_with(place)
        # Everything has a name to a model; but a title that another node has is that node's.
        if name is not None and (not others or normalize(split_identifier(place.key)) in _GENERAL_NAMES):
            self._rename(place, name, f"it is what {self._owner_text(place)} is called by", _ITS_NAME)
            return
        if len(others) == 1:
            self._move(place, others[0])
            return
        if choice.name is not None:
            self._rename(place, choice.name, choice.reason, choice.likeness)
            return
        near = self.words.choose(place.key, own, clear=CLEAR_IN_CONTEXT)
        if near.name is not None and len(own) <= _FEW and near.likeness >= CLEAR_IN_CONTEXT:
            self._rename(place, near.name, near.reason, near.likeness)
            return
        self._doubt(place, own, others, choice.candidates)

    # What else may be meant

    def _others_with(self, place: PropertyPlace) -> list[str]:
        """The other variables there that have the property."""
        return [
            name
            for name, binding in sorted(place.scope.items())
            if name != place.variable
            and binding.kind != "other"
            and binding.types is not None
            and self._are_known(binding)
            and place.key in self.words.keys(binding.types, of_edges=binding.kind == "edge")
        ]

    def _holder_of_value(self, place: PropertyPlace) -> Held | None:
        """The property of such nodes that has the value which is asked for."""
        if place.owner.kind == "edge":
            return None
        for item in self.places.comparisons:
            is_it = item.node is place.node or (item.property is not None and item.property is place.node)
            if is_it and item.operator == "=" and len(item.literals) == 1:
                literal = item.literals[0]
                if isinstance(literal, Text):
                    verdict = self.lookup.judge(literal.value, place.key, place.owner.types)
                    best = verdict.held[0] if verdict.kind == "one" else None
                    return best if best is not None and best.score >= SAME_NAME else None
        return None

    def _name_key(self, place: PropertyPlace) -> str | None:
        """The property that names such a node, where the query asks for its name by another word."""
        if normalize(split_identifier(place.key)) not in _NAME_WORDS or place.owner.kind == "edge":
            return None
        own = self.words.keys(place.owner.types, of_edges=False)
        naming = [key for key in own if normalize(split_identifier(key)) in _NAME_WORDS]
        return naming[0] if len(naming) == 1 and naming[0] != place.key else None

    # Changes

    def _rename(self, place: PropertyPlace, key: str, reason: str, confidence: float) -> None:
        node = place.node
        self.draft.note(
            "property",
            self._written(place, place.key),
            self._written(place, key),
            f"{self._owner_text(place)} has no property {place.key}; {reason}",
            confidence,
            node.span,
        )
        self.replacements[place_of(node)] = lambda found: found.changed(key=key)

    def _move(self, place: PropertyPlace, variable: str) -> None:
        """The property is one of another node or relationship of the pattern."""
        target = self._pattern_of(variable)
        if isinstance(place.node, PropertyAccess):
            self.replacements[place_of(place.node)] = lambda node: node.changed(
                subject=cast("PropertyAccess", node).subject.changed(name=variable)
            )
        elif isinstance(place.node, MapEntry) and place.pattern is not None and target is not None:
            self._move_entry(place.node, place.pattern, target)
        else:
            self._doubt(place, (), [variable], ())
            return
        self.draft.note(
            "property",
            self._written(place, place.key),
            f"{variable}.{place.key}",
            f"{self._owner_text(place)} has no property {place.key}, and {variable} has it",
            _MOVED,
            place.node.span,
        )

    def _pattern_of(self, variable: str) -> NodePattern | RelationshipPattern | None:
        for place in self.places.nodes:
            if place.node.variable == variable:
                return place.node
        return next((edge.node for edge in self.places.edges if edge.node.variable == variable), None)

    def _move_entry(
        self,
        entry: MapEntry,
        pattern: NodePattern | RelationshipPattern,
        target: NodePattern | RelationshipPattern,
    ) -> None:
        left, right = place_of(pattern), place_of(target)
        earlier = self.replacements.get(left)

        def without(node: SyntaxNode) -> SyntaxNode:
            node = earlier(node) if earlier else node
            properties = cast("NodePattern", node).properties
            assert isinstance(properties, MapLiteral)
            kept = tuple(item for item in properties.entries if item.span != entry.span)
            return node.changed(properties=properties.changed(entries=kept) if kept else None)

        self.replacements[left] = without
        before = self.replacements.get(right)

        def with_it(node: SyntaxNode) -> SyntaxNode:
            node = before(node) if before else node
            properties = cast("NodePattern", node).properties
            if isinstance(properties, MapLiteral):
                return node.changed(properties=properties.changed(entries=(*properties.entries, entry)))
            return node.changed(properties=MapLiteral((entry,))) if properties is None else node

        self.replacements[right] = with_it

    # Words

    def _doubt(
        self, place: PropertyPlace, own: Sequence[str], others: Sequence[str], near: Sequence[str]
    ) -> None:
        owner = self._owner_text(place)
        advice: str | None
        relation = place.key if self.schema.has_edge_type(place.key) else self._means_a_relation(place)
        if relation:
            advice = f"{relation} is a relationship: match it in a pattern, -[:{relation}]-."
            names: tuple[str, ...] = (relation,)
        elif others:
            names = tuple(f"{name}.{place.key}" for name in others)
            advice = f"Did you mean {' or '.join(names)}?"
        elif near:
            names = tuple(near)
            advice = f"Did you mean {' or '.join(near[:3])}?"
        else:
            names = tuple(own[:5])
            advice = f"There is {', '.join(own[:8])}." if own else None
        message = f"{owner} has no property {place.key}"
        self.draft.doubt(Doubt("unknown-property", message, place.node.span, advice, names))

    def _means_a_relation(self, place: PropertyPlace) -> str:
        """The relationship of such nodes that the property was taken for."""
        types = place.owner.types
        if types is None or place.owner.kind == "edge":
            return ""
        beside = [
            edge.id
            for edge in self.schema.edge_types
            if any(ends.source in types or ends.target in types for ends in edge.ends)
        ]
        return self.words.choose(place.key, beside, clear=CLEAR).name or ""

    def _owner_text(self, place: PropertyPlace) -> str:
        if place.owner.types:
            return " or ".join(sorted(place.owner.types))
        return "no relationship" if place.owner.kind == "edge" else "no node"

    def _written(self, place: PropertyPlace, key: str) -> str:
        if isinstance(place.node, MapEntry | ProjectedProperty) or place.variable is None:
            return key
        return f"{place.variable}.{key}"


def add_labels(draft: Draft[Statement], words: SchemaWords) -> None:
    """Give a label to nodes that have none where that decides what the rows are.

    A node that no relationship holds and no label limits stands for every node of the graph; where its properties are
    those of one type only, that type is meant. What cannot be told is said.
    """
    places = named_places(draft.tree, words.schema, draft.source)
    every = frozenset(words.node_types)
    if len(every) < 2:
        return
    labelled = {place.node.variable for place in places.nodes if place.node.variable and place.binding.types}
    replacements: dict[Place, Callable[[SyntaxNode], SyntaxNode]] = {}
    seen: set[str] = set()
    for place in places.nodes:
        variable = place.node.variable
        if not variable or variable in labelled or variable in places.joined or variable in seen:
            continue
        seen.add(variable)
        keys = [
            item.key for item in places.properties if item.variable == variable and item.owner.kind == "node"
        ]
        fitting = _types_with_all(keys, words)
        if len(fitting) == 1:
            (label,) = fitting
            draft.note(
                "type",
                f"({variable})",
                f"({variable}:{label})",
                f"only {label} has {' and '.join(dict.fromkeys(keys))}",
                _LABELLED,
                place.node.span,
            )
            replacements[place_of(place.node)] = _labelled(label)
        elif keys and not _is_told_apart(variable, places):
            types = sorted(fitting) or sorted(every)
            draft.doubt(
                Doubt(
                    "missing-type",
                    f"nothing says of what type {variable} is",
                    place.node.span,
                    f"Give it a label: {' or '.join(types[:5])}.",
                    tuple(types[:5]),
                    "warning",
                )
            )
    draft.replace(replacements)


def _labelled(label: str) -> Callable[[SyntaxNode], SyntaxNode]:
    return lambda node: node.changed(labels=LabelName(label))


def _types_with_all(keys: Sequence[str], words: SchemaWords) -> frozenset[str]:
    if not keys:
        return frozenset()
    fitting: frozenset[str] | None = None
    for key in keys:
        owners = frozenset(
            item.owner for item in words.schema.properties if item.key == key and not item.of_edges
        )
        fitting = owners if fitting is None else fitting & owners
    return (fitting or frozenset()) - {UNTYPED}


def _is_told_apart(variable: str, places: NamedPlaces) -> bool:
    """Whether the node is found by a value of its own: then its type follows."""
    patterns = [item.node for item in places.nodes if item.node.variable == variable]
    return any(
        place.variable == variable or place.pattern in patterns
        for place in places.comparisons
        if place.operator == "="
    )
