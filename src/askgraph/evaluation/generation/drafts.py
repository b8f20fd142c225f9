"""Drafts of questions: a gold plan, and the templates and words to ask for it with. One method for each kind."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ...core.plan import AggregateFunction, Plan
from ...stores.base import GraphStore
from .english import English
from .gold_plans import (
    Condition,
    absence_plan,
    aggregate_plan,
    bound_plan,
    chain_plan,
    count_plan,
    each_plan,
    extreme_plan,
    most_plan,
    property_plan,
    type_plan,
)
from .material import Material, NamedNode, PropertyWords, Step, TypeWords

_MOST_NEIGHBORS: Final = 200


@dataclass(frozen=True, slots=True)
class Draft:
    """A question before it is worded.

    Attributes:
        kind: what kind of question it is.
        plan: what gives its answers.
        one, many: templates for one right answer, and for several.
        slots: what fills them.
        asks: it is answered by yes or no.
        is_absent: the graph has no answer, and that is the point.
        start: the id of the node that it begins at; it is no answer to itself.
    """

    kind: str
    plan: Plan | None
    one: Sequence[str]
    many: Sequence[str]
    slots: Mapping[str, str] = field(default_factory=dict)
    asks: bool = False
    is_absent: bool = False
    start: str = ""


@dataclass(frozen=True, slots=True)
class Anchored:
    """Steps that lead from a named node to the nodes asked for."""

    start: NamedNode
    steps: tuple[Step, ...]

    @property
    def end(self) -> TypeWords:
        """The type asked for."""
        return self.steps[-1].end

    def condition(self) -> Condition:
        """The same for a plan."""
        return Condition(self.start.id, self.steps)


class Drafter:
    """Makes drafts from the material of a graph. Every choice is by lot."""

    def __init__(self, material: Material, store: GraphStore, language: English, draw: random.Random) -> None:
        self.material = material
        self._store = store
        self._language = language
        self.templates = language.templates
        self.draw = draw

    # --- choices

    def pick(self, items: Sequence[Any]) -> Any:
        """One of some items, or ``None`` if there are none."""
        return self.draw.choice(items) if items else None

    def named(self, type: TypeWords) -> NamedNode | None:
        """A node of a type that has a name."""
        found: NamedNode | None = self.pick(self.material.names[type.id])
        return found

    def _anchored(self, hops: int) -> Anchored | None:
        """A walk of so many steps from a named node, along edges that are there."""
        first = self.pick([step for step in self.material.steps if self.material.names[step.start.id]])
        start = self.named(first.start) if first is not None else None
        if first is None or start is None:
            return None
        steps: list[Step] = [first]
        while len(steps) < hops:
            last = steps[-1]
            onward = [
                step
                for step in self.material.steps
                if step.start == last.end and not (step.type == last.type and step.forward != last.forward)
            ]
            step = self.pick(onward)
            if step is None:
                return None
            steps.append(step)
        return Anchored(start, tuple(steps))

    # --- words

    def clause(self, anchored: Anchored, *, one: bool = False) -> str:
        """The nodes asked for, as a relative clause: "that are members of Sales"."""
        pair = self.templates["clause"][anchored.steps[-1].side][anchored.steps[-1].words.kind]
        return self._filled(pair[1 if one else 0], anchored)

    def predicate(self, anchored: Anchored) -> str:
        """The same behind the type asked for: Which employees "are members of Sales"."""
        step = anchored.steps[-1]
        return self._filled(self.templates["predicate"][step.side][step.words.kind], anchored)

    def _filled(self, template: str, anchored: Anchored) -> str:
        step = anchored.steps[-1]
        return template.format(name=self._beginning(anchored), **step.words.slots())

    def _beginning(self, anchored: Anchored) -> str:
        """What the last step begins at: the named node, or one of a type with its clause."""
        if len(anchored.steps) == 1:
            return anchored.start.name
        before = Anchored(anchored.start, anchored.steps[:-1])
        last = before.steps[-1]
        if last.forward and last.words.kind == "noun":
            return f"the {last.words.noun} of {self._beginning(before)}"
        return f"{self._language.one(before.end.singular)} {self.clause(before, one=True)}"

    def _of_type(self, type: TypeWords) -> dict[str, str]:
        return {"type": type.singular, "types": type.plural}

    def _of_kind(self, kind: str) -> Sequence[str]:
        found: Sequence[str] = self.templates["kinds"][kind]
        return found

    def _of_property(self, kind: str, item: PropertyWords) -> Sequence[str]:
        found: Sequence[str] = self.templates["kinds"]["how many"].get(kind, ()) if item.is_counted else ()
        return found or self._of_kind(kind)

    def _slots_of_property(self, item: PropertyWords) -> dict[str, str]:
        return {"noun": item.noun, "a_noun": item.a_noun, **self._of_type(item.owner)}

    # --- what is reached from a name

    def reached(self, hops: int) -> Draft | None:
        """What is one, two or three relations away from a node."""
        anchored = self._anchored(hops)
        if anchored is None:
            return None
        one, many = self.templates_of(anchored.steps[-1])
        slots = self._slots_of(anchored.steps[-1]) | {"name": self._beginning(anchored)}
        kind = ("one hop", "two hops", "three hops")[hops - 1]
        return Draft(kind, chain_plan([anchored.condition()]), one, many, slots, start=anchored.start.id)

    def templates_of(self, step: Step) -> tuple[list[str], list[str]]:
        """The templates that ask for what a step leads to, for one and for several.

        Where it leads to several types, only those that say which is asked for; where its noun is that type's name,
        only those that do not say it again.
        """
        found = self.templates[step.side][step.words.kind]
        is_said_twice = bool(set(step.words.noun.split()) & set(step.end.singular.split())) and step.forward
        one, many = (
            [item for item in found[number] if self._fits(item, step, is_said_twice)]
            for number in ("one", "many")
        )
        return one, many

    def _fits(self, template: str, step: Step, is_said_twice: bool) -> bool:
        says_type = "{type" in template
        return (not says_type or not is_said_twice) and (says_type or is_said_twice or step.has_one_end)

    def _slots_of(self, step: Step) -> dict[str, str]:
        return {**step.words.slots(), **self._of_type(step.end)}

    def two_conditions(self) -> Draft | None:
        """What stands in two relations to two named nodes. One node that does is found first."""
        type = self.pick([type for type in self.material.types if self.material.names[type.id]])
        middle = self.named(type) if type is not None else None
        if middle is None:
            return None
        around = self._around(middle)
        if len(around) < 2:
            return None
        first, second = self.draw.sample(around, 2)
        if first.end != second.end or first.start.id == second.start.id:
            return None
        slots = {
            "predicate": self.predicate(first),
            "other_predicate": self._second_predicate(second),
            "clause": self.clause(first),
            "other_clause": self.clause(second),
            **self._of_type(first.end),
        }
        templates = self._of_kind("two conditions")
        if first.steps[0].forward and first.steps[0].words.kind in ("verb", "state"):
            templates = templates[1:]  # "does A cause and …" cannot be said
        plan = chain_plan([first.condition(), second.condition()])
        return Draft("two conditions", plan, templates, templates, slots)

    def _second_predicate(self, anchored: Anchored) -> str:
        step = anchored.steps[-1]
        if step.forward and step.words.kind in ("verb", "state"):
            return self.clause(anchored)
        return self.predicate(anchored)

    def _around(self, node: NamedNode) -> list[Anchored]:
        """The steps that lead to a node from named nodes around it."""
        hops = self._store.neighbors([node.id], "both", limit_per_node=_MOST_NEIGHBORS)
        found = []
        names = {other.id: other for nodes in self.material.names.values() for other in nodes}
        for place, other in enumerate(hops.nodes):
            type = hops.type_names[int(hops.edge_types[place])]
            # Seen from the other end the edge runs the other way.
            forward = not bool(hops.forward[place])
            if other not in names or other == node.id:
                continue
            for step in self.material.steps:
                is_this = step.type == type and (step.forward == forward or step.is_symmetric)
                if is_this and self._is_of(other, step.start) and self._is_of(node.id, step.end):
                    found.append(Anchored(names[other], (step,)))
        return found

    def _is_of(self, id: str, type: TypeWords) -> bool:
        return any(node.id == id for node in self.material.names[type.id])

    def count(self) -> Draft | None:
        """How many nodes are reached."""
        anchored = self._anchored(self.draw.choice((1, 1, 2)))
        if anchored is None:
            return None
        slots = {
            "predicate": self.predicate(anchored),
            "clause": self.clause(anchored),
            **self._of_type(anchored.end),
        }
        templates = self._of_kind("count")
        return Draft("count", count_plan([anchored.condition()]), templates, templates, slots)

    def yes_no(self) -> Draft | None:
        """Whether a relation holds between two named nodes; as often as not it does."""
        step = self.pick([step for step in self.material.steps if step.forward])
        if step is None:
            return None
        source, target = self.named(step.start), self.named(step.end)
        if source is None or target is None:
            return None
        if self.draw.random() < 0.5:
            hops = self._store.neighbors(
                [source.id], "out", types=[step.type], limit_per_node=_MOST_NEIGHBORS
            )
            reached = set(hops.nodes)
            target = self.pick([node for node in self.material.names[step.end.id] if node.id in reached])
        if target is None or source.id == target.id:
            return None
        condition = Anchored(source, (step,)).condition()
        slots = {"name": source.name, "object": target.name, **step.words.slots()}
        templates = self.templates["yes/no"][step.words.kind]
        return Draft("yes/no", chain_plan([condition], target.id), templates, templates, slots, asks=True)

    # --- what a property says

    def property_value(self) -> Draft | None:
        """The value that a node has."""
        item = self.pick([item for item in self.material.properties if self.material.names[item.owner.id]])
        node = self.named(item.owner) if item is not None else None
        if item is None or node is None or item.noun in node.name:
            return None
        templates = self._of_property("property", item)
        slots = {"name": node.name, "noun": item.noun}
        return Draft("property", property_plan(node.id, item), templates, templates, slots)

    def bound(self) -> Draft | None:
        """What is beyond a number or a date, or has a value."""
        item = self.pick(self.material.properties)
        if item is None:
            return None
        found = bound_plan(item, self._store, self.draw)
        if found is None:
            return None
        plan, template, value = found
        many = self._of_property(template, item)
        one = self._of_kind("equal to one") if template == "equal" else many
        slots = self._slots_of_property(item) | {"value": value}
        return Draft("filter", plan, one, many, slots)

    def extreme(self) -> Draft | None:
        """What has the most of a property."""
        item = self.pick([item for item in self.material.properties if item.kind != "text"])
        if item is None:
            return None
        descending = self.draw.random() < 0.5
        words = ("latest", "earliest") if item.kind == "date" else ("highest", "lowest")
        templates = self._of_property(words[0 if descending else 1], item)
        slots = self._slots_of_property(item)
        return Draft("superlative", extreme_plan(item, descending=descending), templates, [], slots)

    def figure(self) -> Draft | None:
        """One figure of all values."""
        item = self.pick([item for item in self.material.properties if item.kind == "number"])
        if item is None:
            return None
        # What is not counted, as a year or a rating, does not add up.
        functions: tuple[AggregateFunction, ...] = ("average", "maximum", "minimum", "sum")
        function: AggregateFunction = self.draw.choice(functions if item.is_counted else functions[:3])
        templates = self._of_property(function, item)
        slots = self._slots_of_property(item)
        return Draft("figure", aggregate_plan(item, function), templates, templates, slots)

    # --- what a relation says of all nodes of a type

    def most(self) -> Draft | None:
        """What has the most of something."""
        step = self.pick([step for step in self.material.steps if step.forward])
        if step is None:
            return None
        templates = self.templates["most"][step.words.kind]
        slots = self._of_step(step)
        return Draft("superlative", most_plan(step), templates, [], slots)

    def each(self) -> Draft | None:
        """How many of something each one has."""
        step = self.pick([step for step in self.material.steps if step.forward])
        if step is None:
            return None
        templates = self.templates["each"][step.words.kind]
        return Draft("for each", each_plan(step), templates, templates, self._of_step(step))

    def without(self) -> Draft | None:
        """What has none of something."""
        step = self.pick([step for step in self.material.steps if step.forward and step.words.kind != "past"])
        if step is None:
            return None
        templates = self.templates["none"][step.words.kind]
        return Draft("negation", absence_plan(step), templates, templates, self._of_step(step))

    def count_all(self) -> Draft | None:
        """How many nodes of a type there are."""
        type = self.pick(self.material.types)
        if type is None:
            return None
        templates = self._of_kind("count all")
        return Draft("count", type_plan(type), templates, templates, self._of_type(type))

    def _of_step(self, step: Step) -> dict[str, str]:
        slots = {**step.words.slots(), **self._of_type(step.start)}
        return slots | {"other": step.end.singular, "others": step.end.plural}
