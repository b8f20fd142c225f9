"""What questions to a graph can be made of: types, relations and properties that have words, and nodes that have names.

The graph is read once, node by node, and a fixed number of nodes of each type is kept by lot (reservoir sampling,
Vitter 1985); of a very large graph only the first million nodes are read.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeVar

from ...core.graph import Direction, Node
from ...core.progress import Progress
from ...core.schema import UNTYPED, Property, Schema
from ...core.values import ValueType
from ...core.words import human_label, local_name, normalize
from ...stores.base import GraphStore
from .english import English, is_speakable, without_aside
from .relation_words import RelationWords, noun_words, relation_words

_MOST_NODES: Final = 1_000_000
_KEPT_OF_A_TYPE: Final = 300
_LONGEST_NAME: Final = 60
_LONGEST_KEY: Final = 24
_LEAST_COVERAGE: Final = 0.2
_LEAST_NODES: Final = 2
_KEY_WORDS: Final = frozenset({"number", "id", "code", "identifier", "key", "symbol"})

PropertyKind = Literal["number", "date", "text"]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class TypeWords:
    """A node type and what it is called."""

    id: str
    singular: str
    plural: str


@dataclass(frozen=True, slots=True)
class Step:
    """A relation followed from nodes of one type to nodes of another.

    Attributes:
        type: the edge type's id.
        forward: whether it is followed from source to target.
        words: how it is said.
        start, end: the types at its two ends, as it is followed.
        has_one_end: whether no other type is reached over it from ``start``.
    """

    type: str
    forward: bool
    words: RelationWords
    start: TypeWords
    end: TypeWords
    has_one_end: bool = True

    @property
    def is_symmetric(self) -> bool:
        """Whether its direction does not matter: it holds between nodes of one type, both ways."""
        return self.words.is_symmetric and self.start == self.end

    @property
    def direction(self) -> Direction:
        """How its edge is followed from ``start``."""
        if self.is_symmetric:
            return "both"
        return "out" if self.forward else "in"

    @property
    def side(self) -> str:
        """Which templates speak of it: those for what is asked at the target, or at the source."""
        return "forward" if self.forward else "backward"


@dataclass(frozen=True, slots=True)
class PropertyWords:
    """A property of a type's nodes, and what it is called.

    Attributes:
        key: the property's key.
        noun, a_noun: "weight", "a weight".
        owner: the type.
        kind: what its values are.
        distinct: how many there are, if that is known.
        is_counted: whether it tells how many there are of something: "pages".
    """

    key: str
    noun: str
    a_noun: str
    owner: TypeWords
    kind: PropertyKind
    distinct: int | None
    is_counted: bool = False


@dataclass(frozen=True, slots=True)
class NamedNode:
    """A node with a name that no other node has."""

    id: str
    name: str


@dataclass(frozen=True)
class Material:
    """What questions are made of. Everything is in a fixed order.

    Attributes:
        types: with words, the largest first.
        steps: every relation, in both directions.
        properties: with words.
        names: for each type the kept nodes that have a good name of their own.
        all_names: every name in the graph, normalised.
        notes: what has no words and was left out, in plain sentences.
    """

    types: tuple[TypeWords, ...]
    steps: tuple[Step, ...]
    properties: tuple[PropertyWords, ...]
    names: Mapping[str, Sequence[NamedNode]]
    all_names: frozenset[str]
    notes: tuple[str, ...] = field(default=())


def gather(store: GraphStore, schema: Schema, language: English, seed: int, progress: Progress) -> Material:
    """Read a graph for what questions can be made of."""
    types = {
        item.id: words for item in schema.node_types if (words := _type_words(item.id, schema, language))
    }
    steps = _steps(schema, types, language)
    found = _read_names(store, schema, types, seed, progress)
    described = (
        _property_words(item, types, language) for item in schema.properties if item.key not in found.sources
    )
    properties = tuple(words for words in described if words is not None)
    names = {
        id: found.named[id] or _named_by_key(found.unnamed[id], properties, types[id], schema) for id in types
    }
    said = {step.type for step in steps}
    silent = [item.label for item in schema.edge_types if item.id not in said]
    notes = [f"No questions are made of {', '.join(silent[:10])}: these cannot be said."] if silent else []
    return Material(tuple(types.values()), steps, properties, names, found.all_names, tuple(notes))


def _type_words(id: str, schema: Schema, language: English) -> TypeWords | None:
    if id == UNTYPED or schema.node_type(id).total < _LEAST_NODES:
        return None
    text = without_aside(human_label(schema.node_type(id).label))
    if not is_speakable(text):
        return None
    small = " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in text.split())
    return TypeWords(id, small, language.plural(small))


# --- relations and properties


def _steps(schema: Schema, types: Mapping[str, TypeWords], language: English) -> tuple[Step, ...]:
    steps: list[Step] = []
    for edge_type in schema.edge_types:
        ends = [item for item in edge_type.ends if item.source in types and item.target in types]
        for end in ends:
            source, target = types[end.source], types[end.target]
            words = relation_words(edge_type.label, target.singular, language)
            if words is None:
                continue
            targets = {other.target for other in edge_type.ends if other.source == end.source}
            sources = {other.source for other in edge_type.ends if other.target == end.target}
            steps.append(Step(edge_type.id, True, words, source, target, len(targets) == 1))
            if not steps[-1].is_symmetric:
                steps.append(Step(edge_type.id, False, words, target, source, len(sources) == 1))
    return tuple(steps)


def _property_words(
    item: Property, types: Mapping[str, TypeWords], language: English
) -> PropertyWords | None:
    if item.of_edges or item.owner not in types or item.coverage < _LEAST_COVERAGE or not item.value_types:
        return None
    noun = noun_words(item.label, language)
    kind = _property_kind(item.value_types)
    if noun is None or kind is None or noun.casefold() in language.unspoken:
        return None
    is_counted = kind == "number" and item.value_types == (ValueType.INTEGER,) and language.is_plural(noun)
    return PropertyWords(
        item.key, noun, language.one(noun), types[item.owner], kind, item.distinct, is_counted
    )


def _property_kind(value_types: Sequence[ValueType]) -> PropertyKind | None:
    if all(kind.is_number for kind in value_types):
        return "number"
    if all(kind in (ValueType.DATE, ValueType.DATETIME) for kind in value_types):
        return "date"
    return "text" if value_types[0] is ValueType.TEXT else None


# --- names


@dataclass(frozen=True)
class _Names:
    """Kept nodes by type, those with good names and those without any; the properties that give names; all names."""

    named: Mapping[str, Sequence[NamedNode]]
    unnamed: Mapping[str, Sequence[Node]]
    sources: frozenset[str]
    all_names: frozenset[str]


class _Reservoir(Generic[_T]):
    """Some of many things, each as likely as any other."""

    def __init__(self) -> None:
        self.kept: list[_T] = []
        self._seen = 0

    def offer(self, item: _T, draw: random.Random) -> None:
        self._seen += 1
        if len(self.kept) < _KEPT_OF_A_TYPE:
            self.kept.append(item)
        elif (place := draw.randrange(self._seen)) < _KEPT_OF_A_TYPE:
            self.kept[place] = item


def _read_names(
    store: GraphStore, schema: Schema, types: Mapping[str, TypeWords], seed: int, progress: Progress
) -> _Names:
    draw = random.Random(f"nodes {seed}")
    named: dict[str, _Reservoir[NamedNode]] = {id: _Reservoir() for id in types}
    unnamed: dict[str, _Reservoir[Node]] = {id: _Reservoir() for id in types}
    bearers: dict[str, int] = {}
    sources: set[str] = set()
    progress.start("reading the graph", min(schema.node_count, _MOST_NODES))
    for node in itertools.islice(store.nodes(), _MOST_NODES):
        progress.advance()
        for name in dict.fromkeys(normalize(name.text) for name in node.names):
            bearers[name] = bearers.get(name, 0) + 1
        sources.update(name.source for name in node.names if name.source)
        for id in schema.supertypes(node.types):
            if id in types and _has_good_name(node):
                named[id].offer(NamedNode(node.id, node.names[0].text), draw)
            elif id in types and not any(name.source for name in node.names):
                unnamed[id].offer(node, draw)
    progress.finish()
    alone = {
        id: [node for node in nodes.kept if bearers[normalize(node.name)] == 1] for id, nodes in named.items()
    }
    return _Names(
        alone, {id: nodes.kept for id, nodes in unnamed.items()}, frozenset(sources), frozenset(bearers)
    )


def _has_good_name(node: Node) -> bool:
    """Whether people would call the node so: a text of some letters that is not just its id."""
    if not node.names:
        return False
    name = node.names[0]
    normal = normalize(name.text)
    letters = sum(character.isalpha() for character in normal)
    is_id = not name.source or name.text in (node.id, local_name(node.id))
    is_short = 2 <= len(name.text) <= _LONGEST_NAME and "\n" not in name.text
    return not is_id and is_short and letters >= max(2, len(normal) // 3)


def _named_by_key(
    nodes: Sequence[Node], properties: Sequence[PropertyWords], owner: TypeWords, schema: Schema
) -> list[NamedNode]:
    """Nodes without names, called by a number or code of which each has its own: "policy 31003000336"."""
    total = schema.node_type(owner.id).total
    for item in properties:
        is_key = item.owner == owner and item.distinct == total
        if not is_key or _KEY_WORDS.isdisjoint(item.noun.casefold().split()):
            continue
        values = [(node, node.properties.get(item.key)) for node in nodes]
        return [
            NamedNode(node.id, f"{owner.singular} {value}")
            for node, value in values
            if isinstance(value, int | str) and 0 < len(str(value)) <= _LONGEST_KEY
        ]
    return []
