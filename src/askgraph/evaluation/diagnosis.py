"""Where a question went wrong: the first step that did not do what the gold query does.

==========  ==========================================================================================
linking     a node or value that the gold query names was not linked
relation    an edge type or property of the gold query is not in the reading that was chosen
path        the reading has the right relations, and joins them otherwise or adds others
form        the pattern is right, and what is made of it (a count, an order, a bound …) is not
abstention  the right reading was found and not trusted; or an answer was given where there is none
error       the question ended in an error
unknown     there is no gold query, and no reading gives the right answers: nothing says what was wrong
==========  ==========================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from ..core.evidence import Answer, Link
from ..core.graph import Node
from ..core.schema import Schema
from ..core.words import local_name, normalize
from .plan_content import content_of_plan
from .query_content import QueryContent
from .run_record import UnderstandingRecord

FailingStep = Literal["linking", "relation", "path", "form", "abstention", "error", "unknown"]
STEPS: Final[tuple[FailingStep, ...]] = (
    "linking", "relation", "path", "form", "abstention", "error", "unknown"
)  # fmt: skip

_NAME_KEYS: Final = frozenset({"label", "preflabel", "altlabel", "name", "title", "id"})
_FORM_WORDS: Final = {
    "yes/no": "asks whether",
    "count": "counts",
    "figure": "works out a figure",
    "group": "groups",
    "order": "takes the first of an order",
    "filter": "has a bound",
    "negation": "has a not",
}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The first failing step, and in a sentence what failed there."""

    step: FailingStep
    reason: str


@dataclass(frozen=True, slots=True)
class Understanding:
    """What is known of how a question was understood, to find what was wrong.

    Attributes:
        gold: what the gold query is made of; ``None`` where there is none.
        answer: what was answered.
        record: the record of the run.
        right_reading: which reading, from 0, gives the right answers; ``None``: none of them.
        name_keys: properties that give the nodes their names, which answers need not speak of.
        names: what the nodes that the gold query names are called, by id.
    """

    gold: QueryContent | None
    answer: Answer
    record: UnderstandingRecord
    right_reading: int | None
    name_keys: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)


def diagnose(understanding: Understanding, schema: Schema) -> Diagnosis:
    """Why an answer is not all right."""
    record, answer = understanding.record, understanding.answer
    wanted = understanding.gold
    if understanding.right_reading is not None:
        if understanding.right_reading == 0:
            return _not_taken_as_read(understanding)
        # What the right reading is made of says more than another query with the same answers.
        wanted = content_of_plan(record.readings[understanding.right_reading].plan)
    if wanted is None:
        if record.unlinked and answer.abstained:
            return Diagnosis("linking", record.unlinked[0])
        return Diagnosis("unknown", record.reason or "no gold query says what is named and asked")
    missing = unlinked_things(wanted, answer.links)
    if missing:
        missing = [understanding.names.get(item) or local_name(item) for item in missing]
        names = ", ".join(missing[:3])
        return Diagnosis("linking", f"{names} {'was' if len(missing) == 1 else 'were'} not linked")
    return _compare_readings(wanted, understanding, schema)


def _not_taken_as_read(understanding: Understanding) -> Diagnosis:
    if understanding.answer.abstained:
        reason = understanding.record.reason or "it was not trusted"
        return Diagnosis("abstention", f"the right reading was found; but: {reason}")
    return Diagnosis("form", "the rows are right, and something else of them was answered")


def _compare_readings(wanted: QueryContent, understanding: Understanding, schema: Schema) -> Diagnosis:
    record = understanding.record
    if not record.readings:
        return Diagnosis("relation", record.reason or "no reading was found")
    own = content_of_plan(record.readings[0].plan)
    ranked = (
        ""
        if understanding.right_reading is None
        else f" (the right reading is number {understanding.right_reading + 1})"
    )
    ignored = understanding.name_keys
    lacking = missing_relations(wanted.relations, own.relations, schema, ignored)
    if lacking:
        return Diagnosis("relation", f"lacks {_labels(lacking, schema)}{ranked}")
    surplus = missing_relations(own.relations, wanted.relations, schema, ignored)
    if surplus:
        return Diagnosis("path", f"adds {_labels(surplus, schema)}{ranked}")
    if own.edges != wanted.edges:
        return Diagnosis("path", f"has {own.edges} edges where {wanted.edges} are right{ranked}")
    forms = _form_difference(wanted, own, understanding.answer)
    if forms:
        return Diagnosis("form", f"{forms}{ranked}")
    types = [type for type in wanted.types if type not in own.types]
    others = [type for type in own.types if type not in wanted.types]
    if types and others:
        return Diagnosis("path", f"asks for {_labels(others, schema)}, not {_labels(types, schema)}{ranked}")
    return Diagnosis("path", f"joins the right relations otherwise{ranked}")


def _form_difference(wanted: QueryContent, own: QueryContent, answer: Answer) -> str:
    forms = set(own.forms)
    if len(answer.answers) == 1 and isinstance(answer.answers[0].value, bool):
        forms.add("yes/no")
    elif answer.abstained:
        forms.update(wanted.forms & {"yes/no"})
    lacking = [words for form, words in _FORM_WORDS.items() if form in wanted.forms and form not in forms]
    surplus = [words for form, words in _FORM_WORDS.items() if form in forms and form not in wanted.forms]
    parts = [f"the gold query {' and '.join(lacking)}"] if lacking else []
    parts += [f"the reading {' and '.join(surplus)}"] if surplus else []
    return ", ".join(parts)


# --- what is missing


def unlinked_things(wanted: QueryContent, links: Sequence[Link]) -> list[str]:
    """The nodes (by id) and texts of a query that no link leads to."""
    linked = {link.id for link in links if link.kind == "node"}
    missing = [id for id in wanted.things if id not in linked]
    return missing + [text for text in wanted.texts if not is_text_linked(text, links)]


def is_text_linked(text: str, links: Iterable[Link]) -> bool:
    """Whether a link has this text as its name, or as a part of it."""
    wanted = normalize(text)
    return any(wanted in normalize(link.name) for link in links)


def link_recall(wanted: QueryContent, links: Sequence[Link]) -> float | None:
    """The share of what a query names that was linked; ``None`` where it names nothing."""
    named = len(wanted.things) + len(wanted.texts)
    return 1 - len(unlinked_things(wanted, links)) / named if named else None


def missing_relations(
    wanted: Iterable[str], present: Iterable[str], schema: Schema, ignored: frozenset[str]
) -> list[str]:
    """The relations that are not present. An edge type is the same as its inverse; what gives names is left out."""
    there = {_one_of_inverses(relation, schema) for relation in present}
    return [
        relation
        for relation in wanted
        if _one_of_inverses(relation, schema) not in there and not gives_names(relation, ignored)
    ]


def relation_coverage(
    wanted: QueryContent, present: Iterable[str], schema: Schema, ignored: frozenset[str]
) -> float | None:
    """The share of a query's relations that are present; ``None`` where it has none that count."""
    counted = [relation for relation in wanted.relations if not gives_names(relation, ignored)]
    if not counted:
        return None
    return 1 - len(missing_relations(counted, present, schema, ignored)) / len(counted)


def gives_names(relation: str, name_keys: frozenset[str]) -> bool:
    """Whether a relation is a property that gives nodes their names."""
    return relation in name_keys or normalize(local_name(relation)) in _NAME_KEYS


def name_keys_of(nodes: Mapping[str, Node]) -> frozenset[str]:
    """The properties that gave these nodes their names."""
    return frozenset(name.source for node in nodes.values() for name in node.names if name.source)


def _one_of_inverses(relation: str, schema: Schema) -> str:
    if schema.has_edge_type(relation):
        inverse = schema.edge_type(relation).inverse
        if inverse is not None:
            return min(relation, inverse)
    return relation


def _labels(relations: Sequence[str], schema: Schema) -> str:
    shown = [schema.label_of(relation) for relation in relations[:3]]
    return ", ".join(local_name(label) if "://" in label else label for label in shown)
