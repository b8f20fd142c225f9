"""Values that a Cypher query compares with properties, put right by those that the graph has.

``{name: 'J&J'}`` finds nothing where the graph writes ``Johnson & Johnson``, and no engine says so. A value that the
graph has stays; one that it clearly has under another spelling, name or property becomes that; of the rest it is said
what comes nearest. Bounds (``<``, ``>``) and parts of texts that some value holds stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ....core.values import Value, ValueType, display
from ....querying.cypher.bindings import PropertyValue
from ....querying.cypher.clause_tree import Statement
from ....querying.cypher.expression_tree import (
    Expression,
    FunctionCall,
    ListLiteral,
    MapEntry,
    Operation,
    Parameter,
    PropertyAccess,
    Text,
)
from ....querying.cypher.named_places import ComparisonPlace, named_places
from ....querying.cypher.printer import text_of
from ....querying.rewriting import Place, place_of
from ....querying.tree import SyntaxNode
from .cypher_literals import boolean_literal, literal_of, number_literal, text_literal
from .draft import Doubt, Draft
from .literals import are_numbers, as_date, as_number, folded, holds
from .schema_words import SchemaWords
from .value_lookup import Held, ValueLookup, Verdict

_EQUAL = ("=", "<>", "IN")
_PARTS = ("CONTAINS", "STARTS WITH", "ENDS WITH")
_BOUNDS = ("<", ">", "<=", ">=")
_ENUMERATED = 40
_SAME_KIND = 0.97
_LISTED = 0.9
_IGNORING_CASE = 0.95
_PLAIN_PATTERN = frozenset(r".*?+[](){}|^$\\")


def correct_values(
    draft: Draft[Statement],
    words: SchemaWords,
    lookup: ValueLookup,
    parameters: Mapping[str, Value],
) -> dict[str, Value]:
    """Put right the values of a query whose names are right; gives the parameters, linked in the same way."""
    values = _Values(draft, words, lookup, dict(parameters))
    values.correct()
    return values.parameters


class _Values:
    def __init__(
        self, draft: Draft[Statement], words: SchemaWords, lookup: ValueLookup, parameters: dict[str, Value]
    ) -> None:
        self.draft = draft
        self.words = words
        self.schema = words.schema
        self.lookup = lookup
        self.parameters = parameters
        self.replacements: dict[Place, Callable[[SyntaxNode], SyntaxNode]] = {}

    def correct(self) -> None:
        """Look at every comparison of a property with a value."""
        for place in named_places(self.draft.tree, self.schema, self.draft.source).comparisons:
            kinds = self._kinds(place.value)
            for literal in place.literals:
                if kinds and self._convert(place, literal, kinds):
                    continue
                if isinstance(literal, Parameter) and place.operator == "IN":
                    self._listed(place, literal)
                    continue
                text = self._text(literal)
                if text is None or (
                    kinds and not {ValueType.TEXT, ValueType.LIST, ValueType.OTHER} & {*kinds}
                ):
                    continue
                if place.operator in _EQUAL:
                    self._equal(place, literal, text)
                elif place.operator in _PARTS:
                    self._part(place, literal, text)
                elif place.operator == "=~":
                    self._pattern(place, literal, text)
        self.draft.replace(self.replacements)

    def _kinds(self, value: PropertyValue) -> tuple[ValueType, ...]:
        types = value.types
        if types is not None and not value.of_edges and all(map(self.schema.has_node_type, types)):
            types = frozenset(self.schema.with_subtypes(types)) | frozenset(self.schema.supertypes(types))
        return tuple(
            dict.fromkeys(
                kind
                for item in self.schema.properties
                if item.key == value.key
                and item.of_edges == value.of_edges
                and (types is None or item.owner in types)
                for kind in item.value_types
            )
        )

    def _text(self, literal: Expression) -> str | None:
        if isinstance(literal, Text):
            return literal.value
        if isinstance(literal, Parameter):
            value = self.parameters.get(literal.name)
            return value if isinstance(value, str) else None
        return None

    # Kinds of value

    def _convert(self, place: ComparisonPlace, literal: Expression, kinds: tuple[ValueType, ...]) -> bool:
        """Write a value as the kind that the property holds; whether it was one of another kind."""
        if place.operator not in (*_EQUAL, *_BOUNDS) or place.folded:
            return False
        new: Expression | None = None
        if kinds == (ValueType.TEXT,) and place.operator in _EQUAL and text_literal(literal) is not None:
            return self._convert_to_text(place, literal)
        if isinstance(literal, Text) and are_numbers(kinds):
            new = number_literal(as_number(literal.value))
        elif isinstance(literal, Text) and ValueType.DATE in kinds and len(kinds) == 1:
            day = as_date(literal.value)
            new = FunctionCall("date", (Text(day),)) if day else None
        elif isinstance(literal, Text) and kinds == (ValueType.BOOLEAN,):
            new = boolean_literal(literal.value)
        if new is None:
            return False
        key = place.value.key
        held = " or ".join(kind.value for kind in kinds)
        self._replace_literal(place, literal, new, f"{key} holds {held}", _SAME_KIND, kind="literal")
        return True

    def _convert_to_text(self, place: ComparisonPlace, literal: Expression) -> bool:
        """A number or a date in the place of a text: the text that says the same, or the value that is meant."""
        new = text_literal(literal)
        assert new is not None
        self._equal(place, literal, new.value)
        if place_of(literal) not in self.replacements and place_of(place.node) not in self.replacements:
            self._replace_literal(
                place, literal, new, f"{place.value.key} holds text", _SAME_KIND, kind="literal"
            )
        return True

    # Equal to a value

    def _equal(self, place: ComparisonPlace, literal: Expression, text: str) -> None:
        verdict = self._verdict(place, text)
        if verdict.kind in ("there", "unknown"):
            return
        if verdict.kind == "one" and self._accept(place, literal, text, verdict):
            return
        self._doubt(place, literal, text, verdict)

    def _verdict(self, place: ComparisonPlace, text: str) -> Verdict:
        value = place.value
        judge = self.lookup.judge_edge if value.of_edges else self.lookup.judge
        verdict = judge(text, value.key, value.types, folding=place.folded)
        if verdict.kind != "unknown" and (verdict.kind != "none" or not value.of_edges):
            return verdict
        known = self._enumerated(value)
        return verdict if known is None else _among(text, value.key, known, place.folded)

    def _enumerated(self, value: PropertyValue) -> list[str] | None:
        """All values of a property, where the schema has them all."""
        found: dict[str, None] = {}
        owners = [
            item
            for item in self.schema.properties
            if item.key == value.key
            and item.of_edges == value.of_edges
            and (value.types is None or item.owner in value.types)
        ]
        for item in owners:
            if item.distinct is None or item.distinct > min(len(item.samples), _ENUMERATED):
                return None
            found.update(dict.fromkeys(str(sample) for sample in item.samples))
        return list(found) if owners else None

    def _accept(self, place: ComparisonPlace, literal: Expression, text: str, verdict: Verdict) -> bool:
        """Write what is meant in the place of the value; whether that can be done."""
        held = tuple({item.text: item for item in verdict.held}.values())
        if len(held) > 1 or held[0].key != place.value.key:
            moved = held[0].key != place.value.key
            if self._accept_other_form(place, literal, text, held, moved=moved):
                return True
            own = self.lookup.in_property(held[0], place.value.key, place.value.types) if moved else None
            if own is None:
                return False
            held = (own,)
        best = held[0]
        new: Expression = literal_of(best, place.folded)
        if isinstance(literal, Parameter):
            return self._accept_parameter(literal, text, best)
        reason = f"the graph has {display(best.value)}, and no {text}"
        self._replace_literal(place, literal, new, reason, best.score, kind="value")
        return True

    def _listed(self, place: ComparisonPlace, literal: Parameter) -> None:
        """The texts of a parameter that is a list, each by itself."""
        given = self.parameters.get(literal.name)
        if not isinstance(given, list):
            return
        items: list[Any] = []
        for item in given:
            verdict = self._verdict(place, item) if isinstance(item, str) else Verdict("there")
            meant = self._in_asked_property(place, verdict) if verdict.kind == "one" else ()
            if verdict.kind not in ("there", "unknown") and not meant:
                self._doubt(place, literal, item, verdict)
            items += meant or [item]
        if items != given:
            self.parameters[literal.name] = items
            before, after = (f"${literal.name} = {display(value)}" for value in (given, items))
            self.draft.note("value", before, after, "as the graph has them", _LISTED, literal.span)

    def _in_asked_property(self, place: ComparisonPlace, verdict: Verdict) -> tuple[str, ...]:
        """The values that are meant, as the property that is asked for has them."""
        found: list[str] = []
        for held in verdict.held:
            own: Held | None = held
            if held.key != place.value.key:
                own = self.lookup.in_property(held, place.value.key, place.value.types)
            if own is not None:
                found.append(folded(own.text, place.folded))
        return tuple(dict.fromkeys(found))

    def _accept_parameter(self, literal: Parameter, text: str, best: Held) -> bool:
        self.parameters[literal.name] = best.text
        self.draft.note(
            "value",
            f"${literal.name} = {text}",
            f"${literal.name} = {best.text}",
            f"the graph has {best.text}, and no {text}",
            best.score,
            literal.span,
        )
        return True

    def _accept_other_form(
        self,
        place: ComparisonPlace,
        literal: Expression,
        text: str,
        held: tuple[Held, ...],
        *,
        moved: bool,
    ) -> bool:
        """A value that stands in another property, or in several spellings: only a plain comparison can say so."""
        node, best = place.node, held[0]
        new = literal_of(best, "")
        if isinstance(literal, Parameter) or place.folded:
            return False
        if isinstance(node, MapEntry):
            if len(held) > 1:
                return False
            self.replacements[place_of(node)] = lambda entry: entry.changed(key=best.key, value=new)
        else:
            if len(node.operators) != 1 or place.operator not in ("=", "IN") or place.property is None:
                return False
            if place.operator == "IN" and (moved or len(place.literals) != 1):
                return False
            access = place.property.changed(key=best.key)
            self.replacements[place_of(node)] = lambda _: _comparison(node, access, held)
        before = f"{place.value.key} = {text}"
        after = f"{best.key} = {' or '.join(item.text for item in held)}"
        reason = (
            f"{best.text} is a value of {best.key}" if moved else "the graph writes the name in several ways"
        )
        self.draft.note("value", before, after, reason, best.score, literal.span)
        return True

    def _replace_literal(
        self,
        place: ComparisonPlace,
        literal: Expression,
        new: Expression,
        reason: str,
        confidence: float,
        *,
        kind: str,
    ) -> None:
        if place_of(literal) in self.replacements:
            return
        self.replacements[place_of(literal)] = lambda _: new.changed() if new is literal else new
        self.draft.note(
            "literal" if kind == "literal" else "value",
            text_of(literal),
            text_of(new),
            reason,
            confidence,
            literal.span,
        )

    # Parts of a value

    def _part(self, place: ComparisonPlace, literal: Expression, text: str) -> None:
        """A part that some value holds stays; one that values hold in other letters is compared without case; one that
        is a slip becomes the name that is meant."""
        value = place.value
        if value.of_edges or len(text) < _SHORTEST_PART:
            return
        known = self.lookup.values_containing(text, value.key, self._known_types(value))
        if known is None:
            return
        texts = [str(item) for item in known if item is not None]
        if place.folded:
            meant = text.lower() if place.folded == "lower" else text.upper()
            if any(holds(place.operator, folded(item, place.folded), meant) for item in texts):
                if text != meant:
                    reason = f"it is compared in {'small letters' if place.folded == 'lower' else 'capitals'}"
                    self._set_text(place, literal, text, meant, reason, _IGNORING_CASE)
                return
        elif any(holds(place.operator, item, text) for item in texts):
            return
        elif any(holds(place.operator, item.lower(), text.lower()) for item in texts):
            self._ignore_case(place, literal, text)
            return
        verdict = self.lookup.judge(text, value.key, value.types)
        if verdict.kind == "one" and verdict.held[0].key == value.key:
            best = verdict.held[0]
            new = folded(best.text, place.folded)
            self._set_text(place, literal, text, new, f"the graph has {best.text}", best.score)
        elif verdict.kind != "unknown":
            self._doubt(place, literal, text, verdict)

    def _ignore_case(self, place: ComparisonPlace, literal: Expression, text: str) -> None:
        node = place.node
        if not isinstance(node, Operation) or len(node.operators) != 1 or place.property is None:
            return
        if isinstance(literal, Parameter):
            self.parameters[literal.name] = text.lower()
        access = place.property
        right: Expression = literal if isinstance(literal, Parameter) else Text(text.lower())
        lowered = Operation(node.operators, (FunctionCall("toLower", (access,)), right))
        self.replacements[place_of(node)] = lambda _: lowered.changed()
        self.draft.note(
            "value",
            text_of(node),
            text_of(lowered),
            "the graph has it in other letters, large for small",
            _IGNORING_CASE,
            literal.span,
        )

    def _set_text(
        self, place: ComparisonPlace, literal: Expression, text: str, new: str, reason: str, score: float
    ) -> None:
        if isinstance(literal, Parameter):
            self.parameters[literal.name] = new
            self.draft.note(
                "value", f"${literal.name} = {text}", f"${literal.name} = {new}", reason, score, literal.span
            )
        else:
            self._replace_literal(place, literal, Text(new), reason, score, kind="value")

    def _pattern(self, place: ComparisonPlace, literal: Expression, text: str) -> None:
        """A regular expression that is a plain text, or one with ``.*`` around it, is treated as what it says."""
        inner = text.removeprefix("(?i)")
        core = inner.removeprefix(".*").removesuffix(".*")
        if not core or _PLAIN_PATTERN & {*core} or place.value.of_edges or place.folded:
            return
        known = self.lookup.values_containing(core, place.value.key, self._known_types(place.value))
        if known is None or any(core in str(item) for item in known):
            return
        if known and not text.startswith("(?i)"):
            reason = "the graph has it in other letters, large for small"
            self._set_text(place, literal, text, f"(?i){text}", reason, _IGNORING_CASE)
        elif not known:
            self._doubt(place, literal, core, self.lookup.judge(core, place.value.key, place.value.types))

    def _known_types(self, value: PropertyValue) -> frozenset[str] | None:
        types = value.types
        if types is None or not all(map(self.schema.has_node_type, types)):
            return None
        return frozenset(self.schema.with_subtypes(sorted(types)))

    # What is left

    def _doubt(self, place: ComparisonPlace, literal: Expression, text: str, verdict: Verdict) -> None:
        names = tuple(dict.fromkeys(item.text for item in verdict.held))
        owner = " or ".join(sorted(place.value.types)) if place.value.types else "node"
        meant = f"Did you mean {' or '.join(names[:3])}?" if names else ""
        is_sure = place.operator != "<>" and len(place.literals) == 1
        self.draft.doubt(
            Doubt(
                "ambiguous-value" if names else "unknown-value",
                f"no {owner} has {place.value.key} {text!r}",
                literal.span,
                " ".join(part for part in (meant, verdict.note) if part) or None,
                names,
                "error" if is_sure else "warning",
            )
        )


_SHORTEST_PART = 2


def _among(text: str, key: str, values: Iterable[str], folding: str) -> Verdict:
    """A verdict from all values that a property has."""
    from .text_likeness import likeness
    from .value_lookup import CLEAR, MARGIN

    if any(folded(value, folding) == text for value in values):
        return Verdict("there")
    scored = sorted(
        (Held(key, value, likeness(text, value), value) for value in values),
        key=lambda item: (-item.score, item.text),
    )
    near = [item for item in scored if item.score >= _LEAST]
    if not near:
        return Verdict("none", tuple(scored[:5]))
    second = near[1].score if len(near) > 1 else 0.0
    is_clear = near[0].score >= CLEAR and near[0].score - second >= MARGIN
    return Verdict("one", (near[0],)) if is_clear else Verdict("several", tuple(near[:5]))


_LEAST = 0.6


def _comparison(node: Operation, access: PropertyAccess, held: tuple[Held, ...]) -> Operation:
    if len(held) == 1 and node.operators[0] == "=":
        return Operation(("=",), (access, literal_of(held[0], "")), span=node.span)
    items = ListLiteral(tuple(literal_of(item, "") for item in held))
    return Operation(("IN",), (access, items), span=node.span)
