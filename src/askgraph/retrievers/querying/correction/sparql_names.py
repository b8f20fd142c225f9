"""Classes and predicates of a SPARQL query, and the directions of its triples, put right by the schema.

A name that the graph does not have may be right in another namespace, spelt in another way, or be called by its label.
Variables are of the classes that they are said to have, else of those that have the properties asked of them; nodes are
of the classes that the graph says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import cast

from ....core.schema import UNTYPED
from ....core.words import local_name, normalize, split_identifier
from ....querying.rewriting import Place, place_of
from ....querying.sparql.named_places import ClassPlace, NamedPlaces, VerbPlace, named_places
from ....querying.sparql.path_tree import InversePath, RepeatedPath, SequencePath
from ....querying.sparql.printer import text_of
from ....querying.sparql.prologue import namespaces_declared
from ....querying.sparql.query_tree import Query
from ....querying.sparql.term_tree import RDF_TYPE, Iri, Term, Variable
from ....querying.tree import SyntaxNode
from .draft import Doubt, Draft
from .schema_words import CLEAR, CLEAR_IN_CONTEXT, Choice, SchemaWords
from .sparql_text import COMMON_NAMESPACES as COMMON
from .value_lookup import ValueLookup

Types = frozenset[str]
_SAME_LOCAL_NAME = 0.96
_TURNED = 0.95
_BY_SUBCLASSES = 0.9
_SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
_ITS_NAME = 0.85
_FEW = 12
_NAME_WORDS = ("name", "label", "title", "pref label", "full name", "has name", "preferred label")


def correct_names(draft: Draft[Query], words: SchemaWords, lookup: ValueLookup) -> None:
    """Put right the classes and predicates of a query, then the direction of its triples."""
    # Each step sees what the one before has put right.
    _Names(draft, words, lookup).class_names()
    _Names(draft, words, lookup).classes_with_subclasses()
    _Names(draft, words, lookup).predicate_names()
    _Names(draft, words, lookup).directions()


def iri_of(draft: Draft[Query], value: str) -> Iri:
    """An IRI as the query would write it: with a prefix that it declares, else in full."""
    for name, namespace in namespaces_declared(draft.tree).items():
        local = value[len(namespace) :]
        if namespace and value.startswith(namespace) and _is_plain(local):
            return Iri(value, f"{name}:{local}")
    return Iri(value)


def _is_plain(local: str) -> bool:
    return (
        bool(local)
        and local.isascii()
        and local.replace("_", "a").replace("-", "a").isalnum()
        and (local[0] != "-")
    )


class _Names:
    def __init__(self, draft: Draft[Query], words: SchemaWords, lookup: ValueLookup) -> None:
        self.draft = draft
        self.words = words
        self.schema = words.schema
        self.lookup = lookup
        self.places: NamedPlaces = named_places(draft.tree)
        self.keys = frozenset(item.key for item in self.schema.properties if not item.of_edges)
        self.replacements: dict[Place, Callable[[SyntaxNode], SyntaxNode]] = {}
        self._renamed: dict[str, str] = {}

    # Names

    def class_names(self) -> None:
        """Classes that the graph does not have become those that are meant."""
        for place in self.places.classes:
            self._class(place)
        self.draft.replace(self.replacements)

    def classes_with_subclasses(self) -> None:
        """A class that nodes only have by one of its subclasses is asked for with these: engines do not conclude it."""
        for place in self.places.classes:
            verb, name = place.verb, place.iri.value
            if not isinstance(verb, Iri) or not self.schema.has_node_type(name):
                continue
            node_type = self.schema.node_type(name)
            if node_type.count == 0 and node_type.total > 0:
                path = SequencePath((Iri(RDF_TYPE), RepeatedPath(Iri(_SUBCLASS), "*")))
                before, after = text_of(verb), text_of(path)
                reason = f"nodes are of {text_of(place.iri)} by its subclasses only"
                self.draft.note("type", before, after, reason, _BY_SUBCLASSES, verb.span)
                self.replacements[place_of(verb)] = _always(path)
        self.draft.replace(self.replacements)

    def predicate_names(self) -> None:
        """The same for predicates."""
        for verb in self.places.verbs:
            self._predicate(verb)
        self.draft.replace(self.replacements)

    def _class(self, place: ClassPlace) -> None:
        iri = place.iri
        if self.schema.has_node_type(iri.value) or iri.value.startswith(COMMON):
            return
        choice = self._chosen(iri.value, self.words.node_types, self.words.node_types)
        if choice.name is not None:
            self._rename(iri, choice, "type")

    def _predicate(self, place: VerbPlace) -> None:
        iri = place.iri
        if self._is_known(iri.value) or iri.value == RDF_TYPE:
            return
        every = (*self.words.edge_types, *sorted(self.keys))
        if iri.value.startswith(COMMON):
            self._name_predicate(place)
            return
        fitting = self._fitting(place)
        choice = self._chosen(iri.value, every, fitting)
        if choice.name is not None and self._may_be_turned(place, choice.name):
            written = iri.written or f"<{iri.value}>"
            message = f"the graph has no predicate {written}; {self._short(choice.name)} may say it the other way round"
            advice = "Write it from who has it to who is it."
            self.draft.doubt(Doubt("unknown-relation", message, iri.span, advice, (choice.name,)))
            return
        if choice.name is not None:
            self._rename(iri, choice, "relation")
            return
        self._name_predicate(place)

    def _may_be_turned(self, place: VerbPlace, name: str) -> bool:
        """Whether a predicate may say what is meant the other way round, and the ends do not tell which it is."""
        if not self.schema.has_edge_type(name) or name in self.keys:
            return False
        if not self.words.may_be_turned(place.iri.value, name):
            return False
        subject, target = self._types_of(place.subject, place), self._types_of(place.object, place)
        return self._joins(name, subject, target) == self._joins(name, target, subject)

    def _chosen(self, wrong: str, every: Sequence[str], fitting: Sequence[str]) -> Choice:
        """The name that is meant: the same one in another namespace, else the one that is most like it."""
        if wrong in self._renamed:
            return Choice(self._renamed[wrong], 1.0, (), "as before")
        local = local_name(wrong)
        same = [id for id in every if local_name(id) == local]
        same = [id for id in same if id in fitting] or same
        if len(same) == 1:
            return Choice(same[0], _SAME_LOCAL_NAME, tuple(same), "it has that name in another namespace")
        choice = self.words.choose(wrong, every)
        if choice.name is not None or not fitting or len(fitting) >= len(every):
            return choice
        clear = CLEAR_IN_CONTEXT if len(fitting) <= _FEW else CLEAR
        near = self.words.choose(wrong, fitting, clear=clear)
        return near if near.name is not None else choice

    def _fitting(self, place: VerbPlace) -> tuple[str, ...]:
        """The predicates that nodes as at the ends of this one have."""
        subject, target = self._types_of(place.subject, place), self._types_of(place.object, place)
        if subject is None and target is None:
            return ()
        edges = [
            name
            for name in self.words.edge_types
            if self._joins(name, subject, target) or self._joins(name, target, subject)
        ]
        keys: tuple[str, ...] = ()
        if subject is not None and target is None:
            keys = self.words.keys(sorted(subject), of_edges=False)
        return tuple(dict.fromkeys([*edges, *keys]))

    def _name_predicate(self, place: VerbPlace) -> None:
        """What things are called by, where the graph does not call them by ``rdfs:label`` or the like."""
        local = normalize(split_identifier(local_name(place.iri.value)))
        if local not in _NAME_WORDS:
            return
        subject = self._types_of(place.subject, place)
        own = self.words.keys(sorted(subject) if subject else None, of_edges=False)
        naming = [key for key in own if normalize(split_identifier(local_name(key))) in _NAME_WORDS]
        if len(naming) == 1:
            choice = Choice(naming[0], _ITS_NAME, tuple(naming), "it is what such nodes are called by")
            self._rename(place.iri, choice, "property")

    def _rename(self, iri: Iri, choice: Choice, kind: str) -> None:
        assert choice.name is not None
        if place_of(iri) in self.replacements:
            return
        new = iri_of(self.draft, choice.name)
        before, after = iri.written or f"<{iri.value}>", new.written or f"<{new.value}>"
        reason = f"the graph has no {'class' if kind == 'type' else 'predicate'} {before}; {choice.reason}"
        self._renamed[iri.value] = choice.name
        if kind == "type":
            self.draft.note("type", before, after, reason, choice.likeness, iri.span)
        elif kind == "property":
            self.draft.note("property", before, after, reason, choice.likeness, iri.span)
        else:
            self.draft.note("relation", before, after, reason, choice.likeness, iri.span)
        self.replacements[place_of(iri)] = lambda _: Iri(new.value, new.written, span=iri.span)

    def _is_known(self, value: str) -> bool:
        return value in self.keys or self.schema.has_edge_type(value)

    # Directions

    def directions(self) -> None:
        """Predicates between nodes that they join the other way round are read against their direction."""
        for place in self.places.verbs:
            name = place.iri.value
            if not self.schema.has_edge_type(name) or name in self.keys or place.subject is None:
                continue
            subject, target = self._types_of(place.subject, place), self._types_of(place.object, place)
            if (subject is None and target is None) or not self.schema.edge_type(name).ends:
                continue
            if self._joins(name, subject, target):
                continue
            if self._surely_joins(name, target, subject):
                self._turn(place)
            else:
                self._does_not_join(place, subject, target)
        self.draft.replace(self.replacements)

    def _turn(self, place: VerbPlace) -> None:
        verb, iri = place.verb, place.iri
        written = iri.written or f"<{iri.value}>"
        is_inverse = isinstance(verb, InversePath)
        before, after = (f"^{written}", written) if is_inverse else (written, f"^{written}")
        ends = self.schema.edge_type(iri.value).ends[0]
        reason = f"{written} leads from {self._short(ends.source)} to {self._short(ends.target)}"
        self.draft.note("direction", before, after, reason, _TURNED, iri.span)
        self.replacements[place_of(verb)] = _turned

    def _does_not_join(self, place: VerbPlace, subject: Types | None, target: Types | None) -> None:
        fitting = [
            name
            for name in self.words.edge_types
            if self._surely_joins(name, subject, target) or self._surely_joins(name, target, subject)
        ]
        iri = place.iri
        written = iri.written or f"<{iri.value}>"
        if subject is None or target is None:
            return
        ends = f"{self._names_of(subject)} with {self._names_of(target)}"
        advice = f"{' or '.join(map(self._short, fitting[:3]))} does." if fitting else None
        message = f"{written} does not join {ends}"
        self.draft.doubt(Doubt("wrong-ends", message, iri.span, advice, tuple(fitting[:5])))

    # What is known of the ends

    def _types_of(self, node: Term | None, place: VerbPlace) -> Types | None:
        if isinstance(node, Iri):
            return self._classes_of_node(node.value)
        if not isinstance(node, Variable):
            return None
        classes = place.classes.get(node.name)
        if classes is not None:
            return classes if all(map(self.schema.has_node_type, classes)) else None
        return self._by_properties(node.name)

    def _classes_of_node(self, id: str) -> Types | None:
        found = self.lookup.nodes([id])
        if not found:
            return None
        types = frozenset(found[0].types)
        return types if types and all(map(self.schema.has_node_type, types)) else None

    def _by_properties(self, variable: str) -> Types | None:
        """The classes that have every property that is asked of a variable."""
        fitting: Types | None = None
        for place in self.places.verbs:
            is_subject = isinstance(place.subject, Variable) and place.subject.name == variable
            if (
                is_subject
                and place.certain
                and place.iri.value in self.keys
                and not self.schema.has_edge_type(place.iri.value)
            ):
                owners = frozenset(
                    item.owner
                    for item in self.schema.properties
                    if item.key == place.iri.value and not item.of_edges
                )
                fitting = owners if fitting is None else fitting & owners
        every = frozenset(self.words.node_types)
        return fitting if fitting and fitting != every and UNTYPED not in fitting else None

    def _joins(self, name: str, source: Types | None, target: Types | None) -> bool:
        wide_source, wide_target = self._widened(source), self._widened(target)
        return any(
            (wide_source is None or ends.source in wide_source or ends.source == UNTYPED)
            and (wide_target is None or ends.target in wide_target or ends.target == UNTYPED)
            for ends in self.schema.edge_type(name).ends
        )

    def _surely_joins(self, name: str, source: Types | None, target: Types | None) -> bool:
        """The same, where ends without a type do not count for any."""
        wide_source, wide_target = self._widened(source), self._widened(target)
        return any(
            (wide_source is None or ends.source in wide_source)
            and (wide_target is None or ends.target in wide_target)
            for ends in self.schema.edge_type(name).ends
        )

    def _widened(self, types: Types | None) -> Types | None:
        if types is None:
            return None
        return frozenset(self.schema.with_subtypes(types)) | frozenset(self.schema.supertypes(types))

    def _short(self, id: str) -> str:
        return self.schema.label_of(id) if id else "untyped"

    def _names_of(self, types: Iterable[str]) -> str:
        return " or ".join(self._short(id) for id in sorted(types))


def _always(new: SyntaxNode) -> Callable[[SyntaxNode], SyntaxNode]:
    return lambda _: new


def _turned(verb: SyntaxNode) -> SyntaxNode:
    """A predicate read against its direction, or again along it."""
    if isinstance(verb, InversePath):
        return verb.path
    return InversePath(cast("Iri", verb))
