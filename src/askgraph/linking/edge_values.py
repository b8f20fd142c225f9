"""Values that edges have, and the words of a question that name them: "commander" in "who commanded Apollo 11".

Where what edges say is one of a few words (a role, a vote), a question names it as it names a thing. The
values are few, so they are kept whole, and words are compared with them by spelling and by stem.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..core.budget import Budget
from ..core.errors import AskgraphError
from ..core.evidence import Link
from ..core.plan import Column, EdgePattern, NodePattern, Pattern, Plan, PropertyOf
from ..core.schema import UNTYPED, Property, Schema
from ..core.values import ValueType
from ..core.words import normalize, split_identifier
from ..stores.base import GraphStore
from .language import Language
from .property_values import value_id
from .question import Question
from .spans import all_spans

# With more different values a property tells edges apart, and is no choice among a few words.
_MOST_VALUES = 200
_LONGEST_VALUE = 40
_LONGEST_WORDS = 4
_SHORTEST_STEM = 4
_SECONDS = 10.0
_INFLECTED = 0.9


@dataclass(frozen=True, slots=True)
class EdgeValue:
    """A text that edges of some types have under a key."""

    key: str
    text: str
    edge_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamedEdgeValue:
    """Words ``first`` to before ``last`` of a question, and what they are the value of."""

    first: int
    last: int
    links: tuple[Link, ...]


def read_edge_values(store: GraphStore, schema: Schema) -> tuple[EdgeValue, ...]:
    """The values of the edges of a graph, of each property that has few; of one that takes too long to look through
    those that the schema shows."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for item in schema.properties:
        if not item.of_edges or ValueType.TEXT not in item.value_types or schema.kind != "property":
            continue
        for text in _texts_of(store, item):
            if 0 < len(text) <= _LONGEST_VALUE:
                found.setdefault((item.key, text), {})[item.owner] = None
    return tuple(EdgeValue(key, text, tuple(owners)) for (key, text), owners in sorted(found.items()))


def _texts_of(store: GraphStore, item: Property) -> list[str]:
    nodes = (NodePattern("source"), NodePattern("target"))
    edge = EdgePattern("source", "target", (item.owner,), variable="edge")
    column = Column("value", PropertyOf("edge", item.key))
    plan = Plan(Pattern(nodes, (edge,)), (column,), limit=_MOST_VALUES + 2)
    try:
        table = store.run(plan, Budget(seconds=_SECONDS))
    except AskgraphError:
        return [value for value in item.samples if isinstance(value, str)]
    texts = [row[0] for row in table.rows if isinstance(row[0], str)]
    return texts if len(texts) <= _MOST_VALUES else []


class EdgeValueWords:
    """Finds the words that name values of edges of one graph."""

    def __init__(self, values: Sequence[EdgeValue], schema: Schema, rules: Language) -> None:
        self._schema = schema
        self._rules = rules
        self._by_text: dict[str, list[EdgeValue]] = {}
        self._by_stem: dict[str, list[EdgeValue]] = {}
        for value in values:
            text = normalize(value.text)
            self._by_text.setdefault(text, []).append(value)
            if " " not in text and len(text) >= _SHORTEST_STEM:
                # Who is a commander commanded.
                for stem in sorted({rules.stem(text), *rules.deeds(text)}):
                    self._by_stem.setdefault(stem, []).append(value)
        self._labels = _stems_of_labels(schema, rules)
        self._numbered = _numbered(schema, rules)

    def find(self, question: Question, taken: frozenset[int]) -> list[NamedEdgeValue]:
        """The words that name values of edges. ``taken`` are places of words that name something else."""
        found: list[NamedEdgeValue] = []
        used = set(taken)
        if not self._by_text and not self._numbered:
            return found
        for first, last in all_spans(len(question.words), _LONGEST_WORDS):
            places = range(first, last)
            if used.intersection(places):
                continue
            links = tuple(self._links(question, first, last))
            if links:
                found.append(NamedEdgeValue(first, last, links))
                used.update(places)
        return sorted(found, key=lambda item: item.first)

    def _links(self, question: Question, first: int, last: int) -> Iterable[Link]:
        mention = question.mention(first, last)
        values, score = self._meant(question, first, last)
        for value in values:
            id = value_id(value.key, value.text)
            method = "exact" if score == 1.0 else "fuzzy"
            yield Link(mention, "value", id, value.text, score, method, value.edge_types)
        if last - first == 1 and question.words[first].text.isdigit():
            for key, owners in self._numbered.get(self._stem_at(question, first - 1), ()):
                number = int(question.words[first].text)
                yield Link(mention, "value", value_id(key, number), str(number), 1.0, "exact", owners)

    def _meant(self, question: Question, first: int, last: int) -> tuple[Sequence[EdgeValue], float]:
        words = question.words[first:last]
        normal = " ".join(word.normal for word in words)
        exact = self._by_text.get(normal) or self._by_text.get(self._rules.singular_phrase(normal), [])
        if any(word.is_stop or word.normal in self._rules.negations for word in words):
            # In "voted no" the "no" is a vote, because the word before speaks of what has it.
            return [value for value in exact if self._is_said_before(question, first, value)], 1.0
        if exact and (last - first > 1 or self._is_free(question, first)):
            return exact, 1.0
        if last - first > 1 or not self._is_free(question, first):
            return [], 0.0
        return self._by_stem.get(self._rules.stem(normal), []), _INFLECTED

    def _is_free(self, question: Question, place: int) -> bool:
        """Whether a word speaks of nothing that the schema has, or is said to be what somebody is ("as a member")."""
        if self._stem_at(question, place) not in self._labels:
            return True
        before = [question.words[other].said for other in (place - 1, place - 2) if other >= 0]
        return bool(before) and (
            before[0] in self._rules.role_markers
            or (before[0] in self._rules.articles and before[-1] in self._rules.role_markers)
        )

    def _is_said_before(self, question: Question, place: int, value: EdgeValue) -> bool:
        labels = [self._schema.label_of(id) for id in (value.key, *value.edge_types)]
        stems = {self._rules.stem(word) for label in labels for word in normalize(label).split()}
        return place > 0 and self._stem_at(question, place - 1) in stems

    def _stem_at(self, question: Question, place: int) -> str:
        return self._rules.stem(question.words[place].normal) if place >= 0 else ""


def _stems_of_labels(schema: Schema, rules: Language) -> frozenset[str]:
    """The stems of the words that types, edge types and properties are called by."""
    labels = [item.label for item in schema.node_types if item.id != UNTYPED]
    labels += [item.label for item in schema.edge_types]
    labels += [item.label for item in schema.properties]
    words = (word for label in labels for word in normalize(split_identifier(label)).split())
    return frozenset(rules.stem(word) for word in words if word not in rules.stop_words)


def _numbered(schema: Schema, rules: Language) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """By the stem of the last word of its label each property by which edges are numbered: "port 9000"."""
    owners: dict[str, dict[str, None]] = {}
    for item in schema.properties:
        if item.of_edges and ValueType.INTEGER in item.value_types:
            owners.setdefault(item.key, {})[item.owner] = None
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for key, own in owners.items():
        words = normalize(split_identifier(schema.label_of(key))).split()
        if words:
            found.setdefault(rules.stem(words[-1]), []).append((key, tuple(own)))
    return found
