"""Drafts of plausible questions that the graph cannot answer.

Four kinds: about somebody whom the graph does not know, about something that it does not tell, about a relation that it
does not have, and about one that it has, but not for the node that is named.
"""

from __future__ import annotations

from typing import Final

from rapidfuzz import fuzz, process

from ...core.words import normalize
from .drafts import Draft, Drafter
from .gold_plans import Condition, chain_plan
from .material import NamedNode, Step

_TOO_ALIKE: Final = 80.0
_SHORTEST: Final = 5


class AbsentDrafter:
    """Makes questions without an answer from the same material as the others."""

    def __init__(self, drafter: Drafter) -> None:
        self._drafter = drafter
        self._material = drafter.material
        self._templates = drafter.templates
        self._draw = drafter.draw
        self._all_names = sorted(self._material.all_names)
        self._said = {
            word
            for item in (*(words.noun for words in self._material.properties), *self._nouns())
            for word in normalize(item).split()
        }

    def _nouns(self) -> list[str]:
        words = [step.words for step in self._material.steps]
        said = [" ".join(item.slots().values()) for item in words]
        return said + [type.singular for type in self._material.types]

    def unknown_name(self) -> Draft | None:
        """A relation of somebody whom the graph does not know."""
        steps = [step for step in self._material.steps if len(self._material.names[step.start.id]) > 1]
        step: Step | None = self._drafter.pick(steps)
        name = self._invented(step) if step is not None else None
        return None if step is None or name is None else self._draft(step, name)

    def _invented(self, step: Step) -> str | None:
        """A name made of two others, that is like none in the graph."""
        first, second = self._draw.sample(self._material.names[step.start.id], 2)
        if any(character.isdigit() for character in first.name + second.name):
            return None  # a number that is not there is no name that is not there
        if " " in first.name and " " in second.name:
            name = f"{first.name.split()[0]} {' '.join(second.name.split()[1:])}"
        else:
            half = max(2, len(first.name) // 2)
            name = first.name[:half] + second.name[len(second.name) // 2 :]
        normal = normalize(name)
        if len(normal) < _SHORTEST or normal in self._material.all_names:
            return None
        nearest = process.extractOne(normal, self._all_names, scorer=fuzz.ratio, score_cutoff=_TOO_ALIKE)
        return None if nearest is not None else name

    def unknown_attribute(self) -> Draft | None:
        """Something about a node that the graph does not tell of any."""
        node = self._any_name()
        attributes = [item.strip() for item in self._templates["absent"]["attributes"].split(";")]
        noun = self._drafter.pick(
            [item for item in attributes if item and self._said.isdisjoint(normalize(item).split())]
        )
        if node is None or noun is None:
            return None
        templates = self._templates["absent"]["attribute"]
        return Draft(
            "absent attribute",
            None,
            templates,
            templates,
            {"noun": " ".join(noun.split()), "name": node.name},
            is_absent=True,
        )

    def unknown_relation(self) -> Draft | None:
        """A relation that the graph does not have."""
        node = self._any_name()
        type = self._drafter.pick(self._material.types)
        verb = self._drafter.pick(
            [item for item in self._templates["absent"]["verbs"] if item not in self._said]
        )
        if node is None or type is None or verb is None:
            return None
        templates = self._templates["absent"]["verb"]
        slots = {"verb": verb, "name": node.name, "types": type.plural}
        return Draft("absent relation", None, templates, templates, slots, is_absent=True)

    def no_such_fact(self) -> Draft | None:
        """A relation that the graph has, of a node for which it has none."""
        step: Step | None = self._drafter.pick(
            [step for step in self._material.steps if self._material.names[step.start.id]]
        )
        node = self._drafter.named(step.start) if step is not None else None
        if step is None or node is None:
            return None
        draft = self._draft(step, node.name)
        plan = chain_plan([Condition(node.id, (step,))])
        return Draft("absent fact", plan, draft.one, draft.many, draft.slots, is_absent=True)

    def _draft(self, step: Step, name: str) -> Draft:
        one, many = self._drafter.templates_of(step)
        slots = {
            "name": name,
            **step.words.slots(),
            "type": step.end.singular,
            "types": step.end.plural,
        }
        return Draft("absent name", None, one, many, slots, is_absent=True)

    def _any_name(self) -> NamedNode | None:
        type = self._drafter.pick([type for type in self._material.types if self._material.names[type.id]])
        return self._drafter.named(type) if type is not None else None
