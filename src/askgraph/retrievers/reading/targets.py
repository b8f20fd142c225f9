"""Which nodes a question may ask for: those of a type that it names, or that its words lead to.

Half of real questions name a class and no node. Not all name it as the schema does: a "company" is a shipping company
where there is no other, "the highest budget" is of what has a budget, and "who leads the project" asks for those from
whom the relation comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...core.evidence import Link
from ...core.schema import UNTYPED, Schema
from ...core.words import normalize
from ...linking.language import language
from ...linking.linked_question import LinkedQuestion
from ...linking.schema_terms import HopKind
from ..hop_table import AttributeRoute, HopTable
from ..relevance import Relevance

# How far behind a type that is named first the others stand.
_LATER_TYPE = 0.15
# What a noun at the beginning of a question speaks of is asked for.
_AT_THE_BEGINNING = 0.10
_IMPLIED_TYPE = 0.05
_SAID_TO_BE_ANOTHER = 0.20
# Nodes are asked for rather than values of theirs.
_BY_VALUES = 0.04
# So much of a word the name of a type must explain for the word to name it, and that of a relation to speak of it.
_NAMES = 0.85
_SPEAKS = 0.75
_MOST_LED_TO = 6
_MOST_IMPLIED = 3


@dataclass(frozen=True, slots=True)
class Target:
    """What may be asked for.

    Attributes:
        type: the type's id; ``None``: whatever the routes lead to.
        handicap: how much speaks against it from the start.
        link: by which it is named outright.
        present: what its nodes must have, where they are asked for by that.
        grouped_by: the property whose values are asked for in their place.
        is_group: something is asked for each of its nodes or values.
    """

    type: str | None
    handicap: float = 0.0
    link: Link | None = None
    present: tuple[AttributeRoute, ...] = ()
    grouped_by: AttributeRoute | None = None
    is_group: bool = False


class TargetFinder:
    """Finds what questions to one graph may ask for."""

    def __init__(self, schema: Schema, table: HopTable) -> None:
        self._schema = schema
        self._table = table

    def find(self, question: LinkedQuestion, relevance: Relevance) -> list[Target]:
        """What a question may ask for, the likeliest first."""
        groups = list(self._groups(question, relevance))
        named = [] if groups else self._in_order(question, relevance)
        heads = [] if groups else list(self._by_property_head(question, named))
        owners = [] if groups or named or question.things else list(self._owners(question))
        owners += [] if groups or named or question.things or owners else list(self._people(question))
        types = [*groups, *named, *heads, *owners]
        led_to = [] if groups else [*self._doers(question), *self._led_to(question, relevance, types)]
        is_said = any(question.says_which(link.mention) for link in question.asked)
        whatever = [Target(None, _SAID_TO_BE_ANOTHER if is_said else 0.0)] if question.things else []
        return [*types, *led_to, *whatever]

    # --- what is named

    def _in_order(self, question: LinkedQuestion, relevance: Relevance) -> list[Target]:
        """The types that the question names, outright or by another word: what stands behind "which" it asks for, and
        else what it names first."""
        named = {link.id: link for link in reversed(question.asked)}
        found: list[tuple[int, str, Target]] = [
            (
                -1 if question.says_which(link.mention) else link.mention.start,
                link.id,
                Target(link.id, link=link),
            )
            for link in named.values()
        ]
        for row, type_id in self._implied(question, relevance, frozenset(named)):
            start = question.question.words[question.places[row]].start
            found.append((start, type_id, Target(type_id, _IMPLIED_TYPE)))
        found.sort(key=lambda item: item[:2])
        return [
            replace(target, handicap=target.handicap + _LATER_TYPE * place)
            for place, (_, _, target) in enumerate(found)
        ]

    def _groups(self, question: LinkedQuestion, relevance: Relevance) -> Iterable[Target]:
        """What rows are asked by: "for each department", "per chromosome", "by policy number"."""
        form = question.form
        places = [form.groups] if form.groups is not None else []
        is_figure = form.counts or form.aggregate is not None or form.superlative is not None
        places += [place for place in form.by_places if self._may_group(question, place, is_figure=is_figure)]
        found = [target for place in places for target in self._group_at(question, relevance, place)]
        found = found or [
            Target(type_id, is_group=True)
            for row, type_id in self._implied(question, relevance, frozenset())
            if question.places[row] == form.groups
        ]
        kinds = {target.type for target in found if target.grouped_by is None}
        # "Each policy holder by policy holder id" is one group: its values.
        values = [target for target in found if target.grouped_by is not None]
        merged = [target for target in values if target.type in kinds]
        yield from merged or found

    def _group_at(self, question: LinkedQuestion, relevance: Relevance, place: int) -> Iterable[Target]:
        terms = _terms_at(question, place)
        if not terms:
            yield from self._by_year(question, relevance, place)
        for rank, link in enumerate(terms):
            handicap = _LATER_TYPE * rank
            if link.kind == "node type":
                yield Target(link.id, handicap, link, is_group=True)
            elif link.kind == "edge type":
                for end in self._ends(link.id):
                    yield Target(end, handicap, is_group=True)
            elif link.kind == "property":
                yield from self._by_property(question, link, handicap)

    def _by_property_head(self, question: LinkedQuestion, named: Sequence[Target]) -> Iterable[Target]:
        """Values that are asked for themselves: "Which chromosome has the most genes?", "What genres are there?"."""
        form = question.form
        head = form.counted if form.counts else self._first_place(question)
        if head is None or form.aggregate is not None or form.is_yes_no:
            return
        if question.things and not form.counts and form.superlative is None:
            return
        if form.superlative is not None and form.superlative.place < head:
            return
        terms = _terms_at(question, head)
        if any(link.kind == "node type" for link in terms):
            return
        asked = frozenset(self._schema.with_subtypes([target.type for target in named if target.type]))
        for link in terms:
            if link.kind == "property" and not (form.counts and self._is_measurable([link])):
                for target in self._by_property(question, link, _BY_VALUES):
                    if not asked or target.type in asked:
                        yield target

    def _first_place(self, question: LinkedQuestion) -> int | None:
        """The place of the first word that says something."""
        free = [place for place in question.places if place not in question.form.used]
        return min(free, default=None)

    def _by_property(self, question: LinkedQuestion, link: Link, handicap: float) -> Iterable[Target]:
        asked = self._schema.with_subtypes([item.id for item in question.asked])
        owners = sorted(link.types, key=lambda owner: (owner not in asked, owner))
        kinds = {owner: self._table.properties([owner]).get(link.id) for owner in owners}
        for place, owner in enumerate(owners):
            kind = kinds[owner]
            if kind is not None and owner != UNTYPED:
                hop = HopKind(link.id, True, owner, None, True)
                route = AttributeRoute((hop,), kind.value_types, kind.has_written_dates, kind.has_years)
                yield Target(owner, handicap + _IMPLIED_TYPE * place, grouped_by=route, is_group=True)

    def _by_year(self, question: LinkedQuestion, relevance: Relevance, place: int) -> Iterable[Target]:
        """ "Each year" is by the one property of what is asked about that holds years."""
        if not any(question.places[row] == place for row in relevance.matcher.time_rows):
            return
        for target in self._in_order(question, relevance):
            kinds = self._table.properties([target.type or UNTYPED])
            years = [key for key, kind in kinds.items() if kind.has_years]
            if len(years) == 1:
                hop = HopKind(years[0], True, target.type, None, True)
                route = AttributeRoute((hop,), kinds[years[0]].value_types, has_years=True)
                yield replace(target, grouped_by=route, is_group=True)

    def _may_group(self, question: LinkedQuestion, place: int, *, is_figure: bool) -> bool:
        """Whether "by" begins a group: behind a verb it names who did it, unless it is a property."""
        terms = _terms_at(question, place)
        kinds = {link.kind for link in terms}
        if "property" in kinds and "node type" not in kinds:
            # "The top 3 by budget" is an order.
            return question.form.superlative is None or not self._is_measurable(terms)
        words = question.question.words
        before = next((word for word in range(place - 1, -1, -1) if not words[word].is_stop), None)
        return is_figure and before is not None and bool(_terms_at(question, before))

    def _is_measurable(self, terms: Sequence[Link]) -> bool:
        kinds = [
            self._table.properties([owner]).get(link.id)
            for link in terms
            if link.kind == "property"
            for owner in link.types
        ]
        return any(kind is not None and AttributeRoute((), kind.value_types).is_measurable for kind in kinds)

    def _ends(self, edge_type: str) -> Sequence[str]:
        counts: dict[str, int] = {}
        for ends in self._schema.edge_type(edge_type).ends:
            if ends.target:
                counts[ends.target] = counts.get(ends.target, 0) + ends.count
        return sorted(counts, key=lambda end: (-counts[end], end))[:2]

    # --- what is implied

    def _implied(
        self, question: LinkedQuestion, relevance: Relevance, known: frozenset[str]
    ) -> Iterable[tuple[int, str]]:
        """Types that a word names by a part of their name, or by another word for it; with the row of the word."""
        taken = {row for rows in question.named_rows().values() for row in rows}
        free = [
            row for row in range(len(question.words)) if row not in taken and not _is_in_term(question, row)
        ]
        if not free:
            return
        found: list[tuple[float, int, str]] = []
        for node_type in self._schema.node_types:
            if node_type.id == UNTYPED or node_type.id in known or not node_type.total:
                continue
            explained = relevance.matcher.explained_by_type(node_type.label)
            best = max(free, key=lambda row: explained[row])
            if explained[best] >= _NAMES and self._is_head(node_type.label, best, relevance):
                found.append((-float(explained[best]), best, node_type.id))
        for _, row, type_id in sorted(found)[:_MOST_IMPLIED]:
            yield row, type_id

    def _is_head(self, label: str, row: int, relevance: Relevance) -> bool:
        """Whether the word is the noun of the name: a company is a shipping company, what is shipped is not."""
        head = label.split()[-1] if label.split() else label
        return bool(relevance.matcher.explained_by_type(head)[row] >= _NAMES)

    def _owners(self, question: LinkedQuestion) -> Iterable[Target]:
        """ "What is the highest budget?" asks of what has one."""
        properties = [link for link in question.terms if link.kind == "property"]
        owners = dict.fromkeys(owner for link in properties for owner in link.types if owner != UNTYPED)
        for place, owner in enumerate(owners):
            yield Target(owner, _IMPLIED_TYPE + _LATER_TYPE * place)

    def _people(self, question: LinkedQuestion) -> Iterable[Target]:
        """ "Who died before 1900?" names no type: whatever has what only people have is asked for."""
        marks = frozenset(question.form.asked_marks)
        for node_type in self._schema.node_types if marks else ():
            labels = [self._schema.label_of(key) for key in self._table.properties([node_type.id])]
            if any(not marks.isdisjoint(normalize(label).split()) for label in labels):
                yield Target(node_type.id, _IMPLIED_TYPE)

    # --- what words lead to

    def _doers(self, question: LinkedQuestion) -> Iterable[Target]:
        """ "Actors who appeared in five films" asks for those who acted, however the graph calls them."""
        rules = language(question.language)
        named = {row for rows in question.named_rows().values() for row in rows}
        if not question.words or 0 in named or question.form.is_yes_no:
            return
        deeds = rules.deeds(question.words[0])
        for edge_type in self._schema.edge_types if deeds else ():
            words = normalize(edge_type.label).split()
            if deeds.isdisjoint(map(rules.stem, words)):
                continue
            backward = words[-1] in rules.agent_words
            for hop in self._doing_hops(edge_type.id, forward=not backward):
                yield Target(hop.start, -_AT_THE_BEGINNING, present=(AttributeRoute((hop,)),))

    def _doing_hops(self, edge_type: str, *, forward: bool) -> Iterable[HopKind]:
        """From each type whose nodes stand at one end of an edge type the hop to the other end, the most frequent
        first."""
        ends = sorted(self._schema.edge_type(edge_type).ends, key=lambda item: -item.count)
        for item in ends[:2]:
            start, end = (item.source, item.target) if forward else (item.target, item.source)
            if start and start != end and item.count:
                yield HopKind(edge_type, forward, start, end or None)

    def _led_to(
        self, question: LinkedQuestion, relevance: Relevance, types: Sequence[Target]
    ) -> Iterable[Target]:
        """ "Who leads the largest project?" asks for those from whom, or to whom, a relation leads of which a word
        speaks."""
        if question.form.asked_kind != "node" or question.form.is_yes_no:
            return
        known = {target.type for target in types}
        named = {row for rows in question.named_rows().values() for row in rows}
        speaking = [row for row in range(len(question.words)) if row not in named]
        found: Mapping[tuple[str, HopKind], float] = {}
        for target in types:
            if target.type is None:
                continue
            for hop in self._table.edge_hops([target.type]):
                labels = [
                    self._schema.label_of(id) for id in (hop.type, *self._table.edge_properties(hop.type))
                ]
                spoken = max(
                    float(relevance.matcher.explained(label)[speaking].max(initial=0.0)) for label in labels
                )
                if hop.end and hop.end not in known and spoken >= _SPEAKS:
                    back = HopKind(hop.type, not hop.forward, hop.end, target.type)
                    found = {**found, (hop.end, back): max(spoken - target.handicap, 0.0)}
        ordered = sorted(found.items(), key=lambda item: (-item[1], repr(item[0])))
        for place, ((end, back), _) in enumerate(ordered[:_MOST_LED_TO]):
            yield Target(end, 0.02 * place, present=(AttributeRoute((back,)),))


def _terms_at(question: LinkedQuestion, place: int) -> list[Link]:
    """The terms that begin at a word, or contain it: types first."""
    if place >= len(question.question.words):
        return []
    word = question.question.words[place]
    order = {"node type": 0, "property": 1, "edge type": 2}
    terms = [
        link for link in question.terms if link.mention.start <= word.start and word.end <= link.mention.end
    ]
    return sorted(terms, key=lambda link: (order.get(link.kind, 3), link.id))


def _is_in_term(question: LinkedQuestion, row: int) -> bool:
    word = question.question.words[question.places[row]]
    return any(link.mention.start <= word.start and word.end <= link.mention.end for link in question.terms)
