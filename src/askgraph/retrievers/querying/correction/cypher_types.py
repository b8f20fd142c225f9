"""Labels, relationship types and arrows of a Cypher query, put right by the schema.

What a pattern says is taken together: the labels at the ends of a relationship tell which types may join them, and the
type of a relationship tells which labels its ends may have. An unlabelled node has the types that have the properties
which are asked of it, or those of the nodes that bear the name which it is said to have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ....core.schema import UNTYPED, EdgeEnds, Schema
from ....querying.cypher.bindings import label_names
from ....querying.cypher.clause_tree import Statement
from ....querying.cypher.expression_tree import Text
from ....querying.cypher.named_places import EdgePlace, LabelPlace, NamedPlaces, named_places
from ....querying.cypher.pattern_tree import LabelName, NodePattern, RelationshipPattern
from ....querying.rewriting import Place, place_of
from ....querying.tree import SyntaxNode
from .draft import Doubt, Draft
from .schema_words import CLEAR_IN_CONTEXT, Choice, SchemaWords

Types = frozenset[str]
TypesOfName = Callable[[str], Types | None]
_ONLY_ONE = 0.7
_LIKE_THE_ONLY_ONE = 0.5
_BY_NAME = 0.85
_BY_PROPERTIES = 0.8
_ROUNDS = 3


def correct_types(draft: Draft[Statement], words: SchemaWords, types_of_name: TypesOfName) -> None:
    """Put right the labels, relationship types and directions of a query.

    Args:
        draft: the query.
        words: the names of its graph's schema.
        types_of_name: the types of the nodes that bear a name; ``None`` if there is none, or they differ.
    """
    for _ in range(_ROUNDS):
        before = draft.tree
        _Round(draft, words, types_of_name).names()
        if draft.tree is before:
            break
    _Round(draft, words, types_of_name).arrows()


class _Round:
    """One look at the patterns of a query as it is now."""

    def __init__(self, draft: Draft[Statement], words: SchemaWords, types_of_name: TypesOfName) -> None:
        self.draft = draft
        self.words = words
        self.schema: Schema = words.schema
        self.types_of_name = types_of_name
        self.places: NamedPlaces = named_places(draft.tree, words.schema, draft.source, infer=False)
        self._types = self._types_of_variables()

    # What is known of nodes

    def _types_of_variables(self) -> dict[str, Types]:
        """For each variable the types that its labels, or else its properties, leave."""
        found: dict[str, Types] = {}
        keys: dict[str, list[str]] = {}
        for place in self.places.nodes:
            labels = label_names(place.node.labels) or place.binding.types
            if place.node.variable and labels and all(map(self.schema.has_node_type, labels)):
                found[place.node.variable] = labels
        for item in self.places.properties:
            if item.owner.kind == "node" and item.variable and item.variable not in found:
                keys.setdefault(item.variable, []).append(item.key)
        for variable, own in keys.items():
            fitting = self._types_with(own)
            if fitting:
                found[variable] = fitting
        return found

    def _types_with(self, keys: Iterable[str]) -> Types | None:
        """The types that have all of these properties; ``None`` if that is none or every one."""
        fitting = None
        for key in keys:
            owners = frozenset(
                item.owner for item in self.schema.properties if item.key == key and not item.of_edges
            )
            if owners:
                fitting = owners if fitting is None else fitting & owners
        every = frozenset(self.words.node_types)
        return fitting if fitting and fitting != every and UNTYPED not in fitting else None

    def _types_of(self, node: NodePattern) -> Types | None:
        """What is known of a node, at this place or another."""
        labels = label_names(node.labels)
        if labels is not None:
            return labels if all(map(self.schema.has_node_type, labels)) else None
        if node.variable and node.variable in self._types:
            return self._types[node.variable]
        return self._named(node)

    def _named(self, node: NodePattern) -> Types | None:
        for place in self.places.comparisons:
            is_it = place.pattern is node or (node.variable and place.variable == node.variable)
            if is_it and place.operator == "=" and not place.value.of_edges and len(place.literals) == 1:
                literal = place.literals[0]
                if isinstance(literal, Text):
                    return self.types_of_name(literal.value)
        return None

    # Names

    def names(self) -> None:
        """Names that the schema does not have become those that are meant."""
        replacements: dict[Place, Callable[[SyntaxNode], SyntaxNode]] = {}
        for place in self.places.labels:
            new = self._right_name(place)
            if new is not None and place_of(place.node) not in replacements:
                replacements[place_of(place.node)] = _renamed(new)
        self.draft.replace(replacements)

    def _right_name(self, place: LabelPlace) -> str | None:
        name = place.node.name
        is_edge = place.kind == "edge"
        known = self.schema.has_edge_type(name) if is_edge else self.schema.has_node_type(name)
        if known or (place.kind == "other" and self.schema.has_edge_type(name)):
            return None
        every = self.words.edge_types if is_edge else self.words.node_types
        choice = self.words.choose(name, every)
        reason = choice.reason
        if choice.name is None:
            fitting = self._fitting_edges(place) if is_edge else self._fitting_labels(place)
            choice, reason = self._choose_in_context(name, fitting, choice)
            if choice.name is None and isinstance(place.bearer, NodePattern):
                choice, reason = self._by_what_is_asked(place.bearer, choice)
            if choice.name is None and is_edge and fitting:
                self._doubt_edge(place, fitting, choice)
        if choice.name is None:
            return None
        if (
            is_edge
            and self.words.may_be_turned(name, choice.name)
            and not self._ends_tell(place, choice.name)
        ):
            self._doubt_direction(place, choice.name)
            return None
        kind = "relation" if is_edge else "type"
        self.draft.note(
            "relation" if is_edge else "type",
            name,
            choice.name,
            f"the graph has no {kind} {name}; {reason}",
            choice.likeness,
            place.node.span,
        )
        return choice.name

    def _by_what_is_asked(self, node: NodePattern, without: Choice) -> tuple[Choice, str]:
        """The label of the nodes that have the name, or the properties, which are asked of this one."""
        types = self._named(node)
        if types is not None and len(types) == 1:
            (only,) = types
            return Choice(only, _BY_NAME, (only,), ""), "it is what the node of that name is"
        keys = [
            item.key
            for item in self.places.properties
            if item.pattern is node or (node.variable and item.variable == node.variable)
        ]
        types = self._types_with(keys)
        if types is not None and len(types) == 1:
            (only,) = types
            return Choice(only, _BY_PROPERTIES, (only,), ""), "only such nodes have these properties"
        return without, without.reason

    def _ends_tell(self, place: LabelPlace, name: str) -> bool:
        """Whether what stands at the ends of a relationship leaves one direction for a type of it."""
        for edge in self.places.edges:
            if edge.node is place.bearer and edge.is_one_step:
                left, right = self._types_of(edge.left_node), self._types_of(edge.right_node)
                return self._joins(name, left, right) != self._joins(name, right, left)
        return False

    def _doubt_direction(self, place: LabelPlace, name: str) -> None:
        written = place.node.name
        message = f"the graph has no relationships of type {written}; {name} may say it the other way round"
        advice = f"Write {name}, its arrow from who has it to who is it."
        self.draft.doubt(Doubt("unknown-relation", message, place.node.span, advice, (name,)))

    def _doubt_edge(self, place: LabelPlace, fitting: Sequence[str], choice: Choice) -> None:
        names = tuple(dict.fromkeys([*(name for name in choice.candidates if name in fitting), *fitting]))[:5]
        only = "Only " if len(names) == 1 else ""
        advice = f"{only}{' or '.join(names)} joins what it would join."
        message = f"the graph has no relationships of type {place.node.name}"
        self.draft.doubt(Doubt("unknown-relation", message, place.node.span, advice, names))

    def _choose_in_context(self, name: str, fitting: Sequence[str], without: Choice) -> tuple[Choice, str]:
        """Among the few names that fit what stands beside. One that fits alone must be somewhat like, too."""
        if not fitting:
            return without, without.reason
        least = _LIKE_THE_ONLY_ONE if len(fitting) == 1 else CLEAR_IN_CONTEXT
        choice = self.words.choose(name, fitting, clear=least)
        if choice.name is not None:
            return choice, f"{choice.reason}, and it fits what it joins"
        return without, without.reason

    def _fitting_edges(self, place: LabelPlace) -> tuple[str, ...]:
        """The relationship types that join what stands at the ends of this one."""
        for edge in self.places.edges:
            if edge.node is place.bearer and edge.is_one_step:
                left, right = self._types_of(edge.left_node), self._types_of(edge.right_node)
                if left is None and right is None:
                    return ()
                return tuple(
                    name
                    for name in self.words.edge_types
                    if self._joins(name, left, right) or self._joins(name, right, left)
                )
        return ()

    def _fitting_labels(self, place: LabelPlace) -> tuple[str, ...]:
        """The labels that nodes at this place can have, by the relationships that lead there."""
        if not isinstance(place.bearer, NodePattern):
            return ()
        variable, fitting = place.bearer.variable, None
        for edge in self.places.edges:
            for node, other in ((edge.left_node, edge.right_node), (edge.right_node, edge.left_node)):
                if node is place.bearer or (variable and node.variable == variable):
                    labels = self._possible_ends(edge, self._types_of(other))
                    if labels is not None:
                        fitting = labels if fitting is None else fitting & labels
        return tuple(name for name in self.words.node_types if fitting and name in fitting)

    def _possible_ends(self, edge: EdgePlace, other: Types | None) -> Types | None:
        """The types at one end of a relationship, the other being of these types."""
        types = label_names(edge.node.types)
        if types is None or not edge.is_one_step:
            types = frozenset(self.words.edge_types) if other is not None and edge.is_one_step else None
        if types is None or not all(map(self.schema.has_edge_type, types)):
            return None
        found = set()
        wide = self._widened(other)
        for name in types:
            for ends in self.schema.edge_type(name).ends:
                for one, far in ((ends.source, ends.target), (ends.target, ends.source)):
                    if wide is None or far in wide:
                        found.add(one)
        return frozenset(found) - {UNTYPED} or None

    # Directions

    def arrows(self) -> None:
        """Arrows that point the wrong way are turned; types that join other nodes than these become those that do."""
        replacements: dict[Place, Callable[[SyntaxNode], SyntaxNode]] = {}
        for edge in self.places.edges:
            types = label_names(edge.node.types)
            if types is None or not all(map(self.schema.has_edge_type, types)):
                continue
            change = self._right_arrow(edge, types)
            if change is not None:
                replacements[place_of(edge.node)] = change
        self.draft.replace(replacements)

    def _right_arrow(self, edge: EdgePlace, types: Types) -> Callable[[SyntaxNode], SyntaxNode] | None:
        left, right = self._types_of(edge.left_node), self._types_of(edge.right_node)
        if not edge.is_one_step and not self._is_path_of_one_kind(types):
            return None
        if (left is None and right is None) or not self._knows_ends(types):
            return None
        forward = any(self._joins(name, left, right) for name in types)
        backward = any(self._joins(name, right, left) for name in types)
        node = edge.node
        if forward or backward:
            points_right, points_left = node.to_right and not node.to_left, node.to_left and not node.to_right
            if (points_right and not forward) or (points_left and not backward):
                return self._turned(edge, types)
            return None
        return self._other_type(edge, types, left, right) if edge.is_one_step else None

    def _turned(self, edge: EdgePlace, types: Types) -> Callable[[SyntaxNode], SyntaxNode]:
        names = " or ".join(sorted(types))
        ends = self._described(types)
        node = edge.node
        before, after = ("->", "<-") if node.to_right else ("<-", "->")
        self.draft.note(
            "direction",
            f"-[:{names}]{before}" if before == "->" else f"{before}[:{names}]-",
            f"{after}[:{names}]-" if after == "<-" else f"-[:{names}]{after}",
            f"{names} leads {ends}",
            0.97,
            node.span,
        )
        return _turn

    def _other_type(
        self, edge: EdgePlace, types: Types, left: Types | None, right: Types | None
    ) -> Callable[[SyntaxNode], SyntaxNode] | None:
        """The one type that joins these ends; a doubt where there are several or none."""
        if left is None or right is None:
            return None
        fitting = [
            name
            for name in self.words.edge_types
            if self._joins(name, left, right) or self._joins(name, right, left)
        ]
        wrong = " or ".join(sorted(types))
        ends = f"{_either(left)} with {_either(right)}"
        if len(fitting) != 1 or not isinstance(edge.node.types, LabelName):
            advice = f"{_either(fitting)} does." if fitting else f"{wrong} leads {self._described(types)}."
            message = f"{wrong} does not join {ends}"
            self.draft.doubt(Doubt("wrong-ends", message, edge.node.span, advice, tuple(fitting[:5])))
            return None
        new = fitting[0]
        reason = f"{wrong} does not join {ends}, and nothing else than {new} does"
        self.draft.note("relation", wrong, new, reason, _ONLY_ONE, edge.node.types.span)
        forward = self._joins(new, left, right)
        return lambda node: _of_type(node, new, forward=forward, backward=self._joins(new, right, left))

    def _is_path_of_one_kind(self, types: Types) -> bool:
        """Whether a path of these types can only have one direction: its ends are of different types."""
        ends = [ends for name in types for ends in self.schema.edge_type(name).ends]
        sources, targets = {item.source for item in ends}, {item.target for item in ends}
        return not sources & targets

    def _knows_ends(self, types: Types) -> bool:
        return all(self.schema.edge_type(name).ends for name in types)

    def _joins(self, name: str, source: Types | None, target: Types | None) -> bool:
        wide_source, wide_target = self._widened(source), self._widened(target)
        return any(
            (wide_source is None or ends.source in wide_source)
            and (wide_target is None or ends.target in wide_target)
            for ends in self.schema.edge_type(name).ends
        )

    def _widened(self, types: Types | None) -> Types | None:
        if types is None or not all(map(self.schema.has_node_type, types)):
            return None
        return frozenset(self.schema.with_subtypes(types)) | frozenset(self.schema.supertypes(types))

    def _described(self, types: Types) -> str:
        pairs: dict[str, None] = {}
        for name in sorted(types):
            for ends in self.schema.edge_type(name).ends[:3]:
                pairs[_from_to(ends)] = None
        return ", or ".join(pairs)


def _from_to(ends: EdgeEnds) -> str:
    return f"from {ends.source or 'untyped'} to {ends.target or 'untyped'}"


def _either(names: Iterable[str]) -> str:
    return " or ".join(sorted(names))


def _renamed(name: str) -> Callable[[SyntaxNode], SyntaxNode]:
    return lambda node: node.changed(name=name)


def _turn(node: SyntaxNode) -> SyntaxNode:
    assert isinstance(node, RelationshipPattern)
    return node.changed(to_left=node.to_right, to_right=node.to_left)


def _of_type(node: SyntaxNode, name: str, *, forward: bool, backward: bool) -> SyntaxNode:
    """The relationship with another type, its arrow where that type can point."""
    assert isinstance(node, RelationshipPattern)
    assert isinstance(node.types, LabelName)
    node = node.changed(types=node.types.changed(name=name))
    if (node.to_right and not node.to_left and not forward) or (
        node.to_left and not node.to_right and not backward
    ):
        return _turn(node)
    return node
