"""Literals of a SPARQL query, put right by the values that the graph has: their text, language, datatype, property.

In a triple a literal must be the very term that the graph has: ``"Berlin"`` is none where the graph has
``"Berlin"@de``, and ``"5"`` none where it has 5. What is compared by FILTER is compared by value, and languages count
there as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....core.values import LanguageText, ValueType
from ....querying.rewriting import Place, place_of
from ....querying.schema_check import SchemaRules
from ....querying.sparql.expression_tree import BuiltInCall, Membership, Operation
from ....querying.sparql.literals import literal_kind, literal_text
from ....querying.sparql.named_places import LiteralPlace, named_places, plain_text
from ....querying.sparql.pattern_tree import (
    GroupPattern,
    InlineValues,
    PatternElement,
    PropertyList,
    Triples,
    TriplesBlock,
    ValuesRow,
)
from ....querying.sparql.printer import text_of
from ....querying.sparql.property_values import PropertyValues, values_of
from ....querying.sparql.query_tree import Query
from ....querying.sparql.term_tree import (
    XSD,
    BooleanLiteral,
    Expression,
    Iri,
    NumericLiteral,
    RdfLiteral,
    StringLiteral,
    Variable,
)
from ....querying.sparql.value_sources import Source
from ....querying.tree import SyntaxNode, walk
from .draft import Doubt, Draft
from .literals import as_date, as_number, folded, holds
from .schema_words import SchemaWords
from .sparql_names import iri_of
from .sparql_nodes import end_types
from .value_lookup import CLEAR, MARGIN, SAME_NAME, Held, ValueLookup, Verdict

Elements = tuple[PatternElement, ...]
_GroupEdit = Callable[[Elements], Elements]
_EQUAL = ("object", "values", "=", "!=", "IN")
_PARTS = ("CONTAINS", "STRSTARTS", "STRENDS", "REGEX")
_SAME_KIND = 0.97
_OTHER_LANGUAGE = 0.95
_SHORTEST_PART = 2
_PATTERN_CHARACTERS = frozenset(r".*?+[](){}|^$\\")


def correct_values(draft: Draft[Query], words: SchemaWords, lookup: ValueLookup) -> None:
    """Put right the literals of a query whose names are right."""
    _Values(draft, words, lookup).correct()


class _Values:
    def __init__(self, draft: Draft[Query], words: SchemaWords, lookup: ValueLookup) -> None:
        self.draft = draft
        self.words = words
        self.schema = words.schema
        self.lookup = lookup
        self.rules = SchemaRules(words.schema, draft.source)
        self.replacements: dict[Place, Callable[[SyntaxNode], SyntaxNode]] = {}
        self._group_edits: dict[Place, list[_GroupEdit]] = {}
        # For each variable a predicate that leads to it.
        self._leading_to: dict[str, str] = {}

    def correct(self) -> None:
        """Look at every literal that is compared with a property."""
        places = named_places(self.draft.tree)
        self._leading_to = {
            verb.object.name: verb.iri.value
            for verb in places.verbs
            if isinstance(verb.object, Variable) and self.schema.has_edge_type(verb.iri.value)
        }
        for place in places.literals:
            if place_of(place.literal) in self.replacements or not place.sources:
                continue
            self._look_at(place, place.sources[0])
        self.draft.replace(self.replacements)
        self._apply_group_edits()

    def _look_at(self, place: LiteralPlace, source: Source) -> None:
        key = source.predicate.value
        held = values_of(self.rules, source)
        text = plain_text(place.literal)
        if held is None:
            if (
                text is not None
                and self.schema.has_edge_type(key)
                and place.test in _EQUAL
                and not place.is_text
            ):
                self._as_node(place, source, text)
            return
        if place.test in (*_EQUAL, "<") and self._convert(place, held):
            return
        if text is None or ValueType.TEXT not in held.kinds:
            return
        if place.test in _EQUAL:
            self._equal(place, source, held, text)
        elif place.test in _PARTS:
            self._part(place, source, text)

    # Kinds of value

    def _convert(self, place: LiteralPlace, held: PropertyValues) -> bool:
        """Write a literal as the kind that the property holds; whether it was of another kind."""
        kind = literal_kind(place.literal)
        if kind is None or kind in held.kinds or ValueType.OTHER in held.kinds or place.is_text:
            return False
        by_value = place.test not in ("object", "values")
        if by_value and kind.is_number and any(item.is_number for item in held.kinds):
            return False
        for wanted in held.kinds:
            new = _written_as(literal_text(place.literal), wanted, held.languages or ())
            if new is not None:
                reason = f"{held.name} holds {' or '.join(item.value for item in held.kinds)}"
                self._replace(place, new, reason, _SAME_KIND, "literal")
                return True
        return False

    # Equal to a value

    def _equal(self, place: LiteralPlace, source: Source, held: PropertyValues, text: str) -> None:
        key, owners = source.predicate.value, self._known(source)
        verdict = self.lookup.judge(text, key, owners, folding=place.folded)
        if verdict.kind in ("there", "unknown"):
            self._language(place, held, text, verdict)
            return
        if verdict.kind == "one" and self._accept(place, source, held, text, verdict):
            return
        if not (place.owner and self._is_name_of_end(place, source, text)):
            self._doubt(place, source, text, verdict)

    def _accept(
        self, place: LiteralPlace, source: Source, held: PropertyValues, text: str, verdict: Verdict
    ) -> bool:
        found = tuple({item.text: item for item in verdict.held}.values())
        best = found[0]
        if best.key != source.predicate.value:
            # Of a node of which nothing is known it cannot be said which other properties it has.
            return self._known(source) is not None and self._moved(place, best, text)
        if len(found) > 1:
            return self._several(place, found, held)
        new = _literal_of(best, held.languages)
        if place.folded or place.is_text:
            new = StringLiteral(folded(best.text, place.folded))
        self._replace(place, new, f"the graph has {best.text}, and no {text}", best.score, "value")
        if isinstance(best.value, str) and not place.is_text:
            self._language_of(place, new, held)
        return True

    def _moved(self, place: LiteralPlace, best: Held, text: str) -> bool:
        """The value stands in another property of the same node."""
        node = place.node
        if not isinstance(node, PropertyList) or len(node.objects) != 1 or not isinstance(node.verb, Iri):
            return False
        verb, literal = iri_of(self.draft, best.key), _literal_of(best, None)
        before = f"{text_of(node.verb)} {text_of(place.literal)}"
        self.replacements[place_of(node)] = lambda found: found.changed(verb=verb, objects=(literal,))
        after = f"{text_of(verb)} {text_of(literal)}"
        reason = f"{best.text} is a value of {text_of(verb)}, and {text} none of the other"
        self.draft.note("value", before, after, reason, best.score, place.literal.span)
        return True

    def _several(self, place: LiteralPlace, found: Sequence[Held], held: PropertyValues) -> bool:
        """One name that the graph writes in several ways."""
        literals = tuple(_literal_of(item, held.languages) for item in found)
        return self._one_of(place, literals, "the graph writes the name in several ways", found[0].score)

    def _is_name_of_end(self, place: LiteralPlace, source: Source, text: str) -> bool:
        """A node that a predicate leads to is asked for by a name that it has no property for, but the index knows."""
        predicate = self._leading_to.get(place.owner)
        if predicate is None or source.owners is not None:
            return False
        found = self.lookup.named_or_short(text, end_types(self.schema, predicate, is_object=True))
        if (
            not found
            or found[0].score < SAME_NAME
            or len({match.id for match in found if match.score >= SAME_NAME}) > 1
        ):
            return False
        nodes = self.lookup.nodes([found[0].id])
        node, group = place.node, place.group
        if not nodes or source.predicate.value in nodes[0].properties or group is None:
            return False
        if not isinstance(node, PropertyList) or len(node.objects) != 1:
            return False
        new = iri_of(self.draft, found[0].id)
        row = InlineValues((Variable(place.owner),), (ValuesRow((new,)),))
        self._edit_group(group, lambda elements: (row, *without_property(elements, node)))
        before = f"?{place.owner} {text_of(node.verb)} {text_of(place.literal)}"
        after = f"VALUES ?{place.owner} {{ {text_of(new)} }}"
        reason = f"it has no {text_of(node.verb)}, and {found[0].name} is this one"
        self.draft.note("node", before, after, reason, found[0].score, place.literal.span)
        return True

    # Languages

    def _language(self, place: LiteralPlace, held: PropertyValues, text: str, verdict: Verdict) -> None:
        literal = place.literal
        assert isinstance(literal, StringLiteral)
        if place.is_text or (verdict.kind == "unknown" and held.languages is None):
            return
        self._language_of(place, literal, held)

    def _language_of(self, place: LiteralPlace, literal: RdfLiteral, held: PropertyValues) -> None:
        """Give a text the language tag that the graph's texts have."""
        tags = held.languages
        if not isinstance(literal, StringLiteral) or not tags or literal.datatype is not None:
            return
        if literal.language.lower() in [tag.lower() for tag in tags]:
            return
        if place.folded and place.test in ("=", "!=", "IN"):
            return
        right = tuple(StringLiteral(literal.value, tag) for tag in tags)
        reason = _about_languages(held.name, tags)
        if len(right) == 1:
            self._replace(place, right[0], reason, _OTHER_LANGUAGE, "literal")
        else:
            self._one_of(place, right, reason, _OTHER_LANGUAGE)

    def _one_of(
        self, place: LiteralPlace, literals: tuple[RdfLiteral, ...], reason: str, confidence: float
    ) -> bool:
        """Any of these in the place of one literal; whether that can be written there."""
        node = place.node
        shown = " or ".join(map(text_of, literals))
        if place.test == "=" and isinstance(node, Operation) and place.subject is not None:
            subject = place.subject
            self.replacements[place_of(node)] = lambda _: Membership(subject, literals)
        elif place.test == "IN" and isinstance(node, Membership):
            earlier = self.replacements.get(place_of(node))
            old = place.literal

            def with_all(found: SyntaxNode) -> SyntaxNode:
                found = earlier(found) if earlier else found
                assert isinstance(found, Membership)
                items: list[Expression] = []
                for item in found.items:
                    items += literals if item.span == old.span and isinstance(item, RdfLiteral) else [item]
                return found.changed(items=tuple(items))

            self.replacements[place_of(node)] = with_all
        elif place.test == "object" and place.group is not None:
            self._stand_for(place, literals)
        else:
            return False
        self.draft.note("literal", text_of(place.literal), shown, reason, confidence, place.literal.span)
        return True

    def _stand_for(self, place: LiteralPlace, literals: tuple[RdfLiteral, ...]) -> None:
        """A variable in the place of a literal in a triple, and VALUES for what it may be."""
        assert place.group is not None
        used = {node.name for node in walk(self.draft.tree) if isinstance(node, Variable)}
        taken = sum(map(len, self._group_edits.values()))
        name = next(name for number in range(1, 10_000) if (name := f"value{number + taken}") not in used)
        variable = Variable(name)
        self.replacements[place_of(place.literal)] = lambda _: variable
        rows = tuple(ValuesRow((literal,)) for literal in literals)
        self._edit_group(place.group, lambda elements: (InlineValues((variable,), rows), *elements))

    def _edit_group(self, group: GroupPattern, edit: _GroupEdit) -> None:
        """Change what stands in a group, after everything in it has been put right."""
        self._group_edits.setdefault(place_of(group), []).append(edit)

    def _apply_group_edits(self) -> None:
        self.draft.replace({place: _editing(edits) for place, edits in self._group_edits.items()})

    # A node that is called so

    def _as_node(self, place: LiteralPlace, source: Source, text: str) -> None:
        """A predicate that leads to nodes is given the name of one."""
        types = end_types(self.schema, source.predicate.value, is_object=True)
        found = self.lookup.named_or_short(text, types)
        if not found or found[0].score < CLEAR:
            short = self.lookup.end_with_initials(source.predicate.value, text)
            found = (short,) if short is not None else found
        best = found[0] if found else None
        others = [match for match in found[1:] if best is not None and match.id != best.id]
        margin = best.score - (others[0].score if others else 0.0) if best is not None else 0.0
        if best is not None and best.score >= CLEAR and margin >= MARGIN:
            new = iri_of(self.draft, best.id)
            reason = f"{text_of(source.predicate)} leads to nodes, and {best.name} is this one"
            self.replacements[place_of(place.literal)] = lambda _: new
            self.draft.note(
                "node", text_of(place.literal), text_of(new), reason, best.score, place.literal.span
            )
            return
        near = [match for match in found[:5] if match.score >= _LEAST]
        names = " or ".join(f"{match.name} <{match.id}>" for match in near[:3])
        self.draft.doubt(
            Doubt(
                "unknown-node",
                f"{text_of(source.predicate)} leads to nodes, and none is called {text!r}",
                place.literal.span,
                f"Did you mean {names}?" if names else None,
                tuple(match.id for match in near),
            )
        )

    # Parts of a value

    def _part(self, place: LiteralPlace, source: Source, text: str) -> None:
        if len(text) < _SHORTEST_PART or (place.test == "REGEX" and _PATTERN_CHARACTERS & {*text}):
            return
        key, owners = source.predicate.value, self._known(source)
        known = self.lookup.values_containing(text, key, owners)
        if known is None:
            return
        texts = [str(item) for item in known]
        folds = place.folded or ("any" if _ignores_case(place) else "")
        if folds in ("lower", "upper"):
            meant = text.lower() if folds == "lower" else text.upper()
            if any(holds(place.test, folded(item, folds), meant) for item in texts):
                if meant != text:
                    why = (
                        "it is compared in small letters"
                        if folds == "lower"
                        else "it is compared in capitals"
                    )
                    self._replace(place, StringLiteral(meant), why, _OTHER_LANGUAGE, "value")
                return
        elif any(holds(place.test, item, text) for item in texts) or (folds == "any" and texts):
            return
        elif any(holds(place.test, item.lower(), text.lower()) for item in texts):
            self._ignore_case(place, text)
            return
        verdict = self.lookup.judge(text, key, owners)
        if verdict.kind == "one" and verdict.held[0].key == key and place.test != "REGEX":
            best = verdict.held[0]
            new = StringLiteral(folded(best.text, folds))
            self._replace(place, new, f"the graph has {best.text}", best.score, "value")
        elif verdict.kind not in ("unknown", "there"):
            self._doubt(place, source, text, verdict)

    def _ignore_case(self, place: LiteralPlace, text: str) -> None:
        node = place.node
        if not isinstance(node, BuiltInCall):
            return
        if place.test == "REGEX":
            new = node.changed(arguments=(*node.arguments[:2], StringLiteral("i")))
        else:
            subject = BuiltInCall("LCASE", (node.arguments[0],))
            new = node.changed(arguments=(subject, StringLiteral(text.lower())))
        self.replacements[place_of(node)] = lambda _: new
        reason = "the graph has it in other letters, large for small"
        self.draft.note("value", text_of(node), text_of(new), reason, _OTHER_LANGUAGE, place.literal.span)

    # Helpers

    def _known(self, source: Source) -> frozenset[str] | None:
        owners = source.owners
        return owners if owners and all(map(self.schema.has_node_type, owners)) else None

    def _replace(
        self, place: LiteralPlace, new: RdfLiteral, reason: str, confidence: float, kind: str
    ) -> None:
        self.replacements[place_of(place.literal)] = lambda _: new
        self.draft.note(
            "literal" if kind == "literal" else "value",
            text_of(place.literal),
            text_of(new),
            reason,
            confidence,
            place.literal.span,
        )

    def _doubt(self, place: LiteralPlace, source: Source, text: str, verdict: Verdict) -> None:
        names = tuple(dict.fromkeys(item.text for item in verdict.held))
        advice = f"Did you mean {' or '.join(map(repr, names[:3]))}?" if names else None
        advice = " ".join(part for part in (advice, verdict.note) if part) or None
        is_sure = place.test in ("object", "=") and bool(place.origin.certain)
        self.draft.doubt(
            Doubt(
                "ambiguous-value" if names else "unknown-value",
                f"no value of {text_of(source.predicate)} is {text!r}",
                place.literal.span,
                advice,
                names,
                "error" if is_sure else "warning",
            )
        )


_LEAST = 0.6


def _editing(edits: Sequence[_GroupEdit]) -> Callable[[SyntaxNode], SyntaxNode]:
    def change(node: SyntaxNode) -> SyntaxNode:
        assert isinstance(node, GroupPattern)
        elements = node.elements
        for edit in edits:
            elements = edit(elements)
        return node.changed(elements=elements)

    return change


def without_property(elements: Elements, gone: PropertyList) -> Elements:
    """The elements of a group without one thing that its triples say."""
    kept: list[PatternElement] = []
    for element in elements:
        if isinstance(element, TriplesBlock):
            block = tuple(
                left for triples in element.triples if (left := _saying_less(triples, gone)) is not None
            )
            if block:
                kept.append(element.changed(triples=block))
        else:
            kept.append(element)
    return tuple(kept)


def _saying_less(triples: Triples, gone: PropertyList) -> Triples | None:
    """Triples without one property; ``None`` if nothing is left of them."""
    left = tuple(item for item in triples.properties if item.span != gone.span)
    if len(left) == len(triples.properties):
        return triples
    return triples.changed(properties=left) if left else None


def _literal_of(held: Held, languages: tuple[str, ...] | None) -> RdfLiteral:
    """A value as the term that the graph has."""
    if isinstance(held.value, LanguageText):
        return StringLiteral(held.value.text, held.value.language)
    if isinstance(held.value, int) and not isinstance(held.value, bool):
        return NumericLiteral(str(held.value))
    tag = languages[0] if languages and len(languages) == 1 else ""
    return StringLiteral(held.text, tag)


def _written_as(text: str, kind: ValueType, languages: tuple[str, ...]) -> RdfLiteral | None:
    """A literal of another kind that says the same."""
    number = as_number(text)
    if kind is ValueType.TEXT:
        return StringLiteral(text, languages[0] if len(languages) == 1 else "")
    if kind is ValueType.INTEGER:
        whole = number.removesuffix(".0") if number else None
        return NumericLiteral(whole) if whole and "." not in whole else None
    if kind is ValueType.DECIMAL:
        return NumericLiteral(number if "." in number else f"{number}.0") if number else None
    if kind is ValueType.FLOAT:
        return NumericLiteral(f"{number}e0") if number else None
    if kind is ValueType.BOOLEAN and text.lower() in ("true", "false"):
        return BooleanLiteral(text.lower() == "true")
    day = as_date(text[:10])
    if kind is ValueType.DATE and day:
        return StringLiteral(day, "", Iri(XSD + "date"))
    if kind is ValueType.DATETIME and day:
        return StringLiteral(text if "T" in text else f"{day}T00:00:00", "", Iri(XSD + "dateTime"))
    return None


def _about_languages(name: str, tags: tuple[str, ...]) -> str:
    if tags == ("",):
        return f"texts of {name} have no language tag"
    return f"texts of {name} have the language tag {' or '.join(tag or 'none' for tag in tags)}"


def _ignores_case(place: LiteralPlace) -> bool:
    node = place.node
    if not isinstance(node, BuiltInCall) or node.name != "REGEX" or len(node.arguments) < 3:
        return False
    flags = node.arguments[2]
    return isinstance(flags, StringLiteral) and "i" in flags.value
