"""IRIs of nodes that a query guesses: the graph has none of that IRI, but one of that name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from urllib.parse import quote, unquote

from ....core.schema import UNTYPED, Schema
from ....core.words import local_name, normalize, split_identifier
from ....indexes.names import NameMatch
from ....querying.rewriting import Place, place_of
from ....querying.sparql.named_places import NodePlace, named_places
from ....querying.sparql.prologue import namespaces_declared
from ....querying.sparql.query_tree import Query
from ....querying.sparql.term_tree import Iri
from ....querying.tree import SyntaxNode
from .draft import Doubt, Draft
from .schema_words import SchemaWords
from .sparql_names import iri_of
from .sparql_text import COMMON_NAMESPACES as COMMON
from .value_lookup import CLEAR, MARGIN, ValueLookup

_SAME_IRI = 0.97
_LONGEST_ABBREVIATION = 5
_SHOWN = 5


def correct_nodes(draft: Draft[Query], words: SchemaWords, lookup: ValueLookup) -> None:
    """Put right the IRIs of nodes that the graph does not have."""
    _Nodes(draft, words, lookup).correct()


class _Nodes:
    def __init__(self, draft: Draft[Query], words: SchemaWords, lookup: ValueLookup) -> None:
        self.draft = draft
        self.words = words
        self.schema = words.schema
        self.lookup = lookup

    def correct(self) -> None:
        """Look every IRI up at once, and those that are not there one by one."""
        places = [
            place for place in named_places(self.draft.tree).nodes if self._may_be_node(place.iri.value)
        ]
        known = self.lookup.nodes([place.iri.value for place in places])
        if known is None:
            return
        there = {node.id for node in known}
        replacements: dict[Place, Callable[[SyntaxNode], SyntaxNode]] = {}
        for place in places:
            if place.iri.value not in there and place_of(place.iri) not in replacements:
                new = self._meant(place)
                if new is not None:
                    replacements[place_of(place.iri)] = _always(iri_of(self.draft, new))
        self.draft.replace(replacements)

    def _may_be_node(self, value: str) -> bool:
        is_schema = self.schema.has_node_type(value) or self.schema.has_edge_type(value)
        return not is_schema and not value.startswith(COMMON) and not self._is_key(value)

    def _is_key(self, value: str) -> bool:
        return any(item.key == value for item in self.schema.properties)

    def _meant(self, place: NodePlace) -> str | None:
        iri = place.iri
        same = self._same_iri(iri.value)
        if same is not None:
            self._note(iri, same, "the graph has it under this IRI", _SAME_IRI)
            return same
        types = self._types(place)
        found: Sequence[NameMatch] = ()
        for text in self._names_in(iri.value):
            found = self.lookup.named(text, types) or (self.lookup.named(text, None) if not types else ())
            if found and found[0].score >= CLEAR:
                break
        if found and _is_clear(found):
            best = found[0]
            self._note(iri, best.id, f"the graph has no such node, and {best.name} is this one", best.score)
            return best.id
        self._doubt(iri, found)
        return None

    def _same_iri(self, value: str) -> str | None:
        """The same IRI with other characters escaped, or the same last part where the graph has its nodes."""
        local = value[max(value.rfind("#"), value.rfind("/")) + 1 :]
        own = value[: len(value) - len(local)]
        spellings = dict.fromkeys(
            [local, quote(unquote(local), safe=""), quote(unquote(local), safe="@:+"), unquote(local)]
        )
        candidates = [
            f"{namespace}{spelling}"
            for namespace in dict.fromkeys([own, *self.lookup.namespaces()])
            for spelling in spellings
        ]
        prefix, _, rest = value.partition(":")
        declared = namespaces_declared(self.draft.tree)
        if prefix in declared:
            candidates.append(f"{declared[prefix]}{rest}")
        wanted = [candidate for candidate in candidates if candidate != value and " " not in candidate]
        found = self.lookup.nodes(wanted) or []
        ids = {node.id for node in found}
        there = [candidate for candidate in wanted if candidate in ids]
        return there[0] if len(there) == 1 else None

    def _names_in(self, value: str) -> Iterator[str]:
        """What the last part of an IRI may name: its words, and those without words of types (``employee-brant``)."""
        words = split_identifier(local_name(value)).split()
        yield " ".join(words)
        of_types = {
            word
            for item in self.schema.node_types
            if item.id != UNTYPED
            for word in normalize(split_identifier(local_name(item.id))).split()
        }
        own = [word for word in words if normalize(word) not in of_types and not _is_short(word, of_types)]
        if own and own != words:
            yield " ".join(own)

    def _types(self, place: NodePlace) -> frozenset[str] | None:
        """The types of nodes that stand at such a place."""
        for verb, is_object in place.verbs:
            if self.schema.has_edge_type(verb.value):
                return end_types(self.schema, verb.value, is_object=is_object)
        return None

    def _note(self, iri: Iri, new: str, reason: str, confidence: float) -> None:
        shown = iri_of(self.draft, new)
        before, after = iri.written or f"<{iri.value}>", shown.written or f"<{new}>"
        self.draft.note("node", before, after, reason, confidence, iri.span)

    def _doubt(self, iri: Iri, found: Sequence[NameMatch]) -> None:
        near = [match for match in found[:_SHOWN] if match.score >= _LEAST]
        names = " or ".join(dict.fromkeys(f"{match.name} <{match.id}>" for match in near[:3]))
        written = iri.written or f"<{iri.value}>"
        self.draft.doubt(
            Doubt(
                "unknown-node",
                f"the graph has no node {written}",
                iri.span,
                f"Did you mean {names}?" if names else None,
                tuple(match.id for match in near),
            )
        )


_LEAST = 0.6


def _is_clear(found: Sequence[NameMatch]) -> bool:
    best = found[0]
    others = [match for match in found[1:] if match.id != best.id]
    return best.score >= CLEAR and (not others or best.score - others[0].score >= MARGIN)


def _is_short(word: str, of_types: Iterable[str]) -> bool:
    """Abbreviations of types, as in ``empl-Ann`` and ``dept-Sales``."""
    if word.isdigit():
        return False
    return len(word) <= 2 or (
        len(word) <= _LONGEST_ABBREVIATION and any(_abbreviates(word.lower(), full) for full in of_types)
    )


def _abbreviates(word: str, full: str) -> bool:
    """Whether the letters of a word stand in another one in their order, beginning with its first."""
    letters = iter(full)
    return len(word) < len(full) and word[0] == full[:1] and all(letter in letters for letter in word)


def end_types(schema: Schema, edge_type: str, *, is_object: bool) -> frozenset[str] | None:
    """The types of the nodes at one end of a predicate; ``None`` if it also has others, or that is not known."""
    ends = schema.edge_type(edge_type).ends
    types = frozenset(item.target if is_object else item.source for item in ends)
    return None if UNTYPED in types or not types else types


def _always(new: Iri) -> Callable[[SyntaxNode], SyntaxNode]:
    return lambda _: new
