"""What the schema tells of the values of one RDF property, and what can therefore not be among them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...core.schema import Property
from ...core.values import LanguageText, Value, ValueType, display
from ..schema_check import SchemaRules, Severity
from .findings import Finding
from .literals import literal_kind, literal_text, written_as
from .printer import text_of
from .term_tree import RdfLiteral, StringLiteral, Variable
from .value_sources import Source

_LEAST_SAMPLES = 3
_ANNOTATIONS = (
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://www.w3.org/2002/07/owl#",
    "http://www.w3.org/2004/02/skos/core#",
    "http://purl.org/dc/",
    "http://purl.org/vocab/vann/",
    "http://schema.org/",
    "https://schema.org/",
)
"""Vocabularies whose properties classes and ontologies have too, which a schema does not count among the nodes."""


@dataclass(frozen=True, slots=True)
class PropertyValues:
    """The values of a property.

    Attributes:
        name: the property, as the query writes it.
        kinds: the kinds of value, the most frequent first.
        languages: the tags of its texts (``""``: none); ``None`` if not all were looked at.
        samples: a few of them.
        is_sure: whether these are all the values that the query can meet.
    """

    name: str
    kinds: tuple[ValueType, ...]
    languages: tuple[str, ...] | None
    samples: tuple[Value, ...]
    is_sure: bool

    @property
    def severity(self) -> Severity:
        """How sure it is that a value which is not among them is nowhere."""
        return "error" if self.is_sure else "warning"

    # What a query asks for

    def lacks(self, literal: RdfLiteral) -> list[Finding]:
        """Whether no value is this very literal, as triples and VALUES ask for it."""
        kind = literal_kind(literal)
        if kind is None or ValueType.OTHER in self.kinds:
            return []
        if kind not in self.kinds:
            # Engines do not agree whether 5 and 5.0 are one term.
            is_near = kind.is_number and any(held.is_number for held in self.kinds)
            return [self._wrong_value(literal, kind, "warning" if is_near else self.severity)]
        return self._other_language(literal) if kind is ValueType.TEXT else []

    def never_compares(self, literal: RdfLiteral, operator: str) -> list[Finding]:
        """Whether no value can compare with this literal as ``=`` or ``<`` ask for."""
        kind = literal_kind(literal)
        if kind is None or any(_are_comparable(kind, held) for held in self.kinds):
            is_text = kind is ValueType.TEXT and self.kinds == (ValueType.TEXT,)
            return self._other_language(literal) if is_text and operator == "=" else []
        # Some engines compare a date with the day of a time.
        is_near = kind.is_temporal and any(held.is_temporal for held in self.kinds)
        return [self._wrong_value(literal, kind, "warning" if is_near else self.severity)]

    def is_no_text(self, node: Variable, function: str) -> list[Finding]:
        """Whether no value is a text, as a function needs."""
        if ValueType.TEXT in self.kinds or ValueType.OTHER in self.kinds:
            return []
        message = f"{self.name} holds {self._held}, and {function} takes text"
        advice = f"Write {function}(STR(?{node.name}){'' if function in _OF_ONE else ', …'})."
        return [Finding("wrong-value", message, node.span, advice, (), self.severity)]

    def lacks_language(self, wanted: StringLiteral, *, is_range: bool) -> list[Finding]:
        """Whether no value has this language tag. A range (RFC 4647) holds more special ones too; ``*`` is any."""
        tag = wanted.value.lower()
        if self.languages is None or ValueType.OTHER in self.kinds:
            return []
        tags = [language.lower() for language in self.languages]
        if not is_range and tag == "" and self.kinds != (ValueType.TEXT,):
            return []  # Numbers and dates have no tag.
        if any(_is_in_range(tag, item) if is_range else tag == item for item in tags):
            return []
        languages = tuple(language for language in self.languages if language)
        if not languages:
            message = f"no value of {self.name} has a language tag"
            return [
                Finding("wrong-language", message, wanted.span, "Leave the condition out.", (), self.severity)
            ]
        message = (
            f"no value of {self.name} has the language tag {wanted.value}"
            if tag
            else (f"every value of {self.name} has a language tag")
        )
        near = tuple(item for item in languages if _are_near(item.lower(), tag))
        advice = f"Did you mean {near[0]}?" if near else f"There is {_listed(languages)}."
        return [Finding("wrong-language", message, wanted.span, advice, near or languages, self.severity)]

    # Findings

    @property
    def _held(self) -> str:
        return " or ".join(kind.value for kind in self.kinds)

    def _wrong_value(self, literal: RdfLiteral, kind: ValueType, severity: Severity) -> Finding:
        texts = [written_as(literal_text(literal), held, self.languages or ()) for held in self.kinds]
        right = tuple(text for text in texts if text is not None)
        samples = ", ".join(display(value) for value in self.samples[:3])
        if right:
            advice = f"Write {right[0]}."
        else:
            shown = f", such as {samples}" if samples else ""
            advice = f"Ask for a value of the type {self._held}{shown}."
        message = f"{self.name} holds {self._held}, not {kind.value}"
        return Finding("wrong-value", message, literal.span, advice, right, severity)

    def _other_language(self, literal: RdfLiteral) -> list[Finding]:
        """Whether a text has a language tag that no value has, or none where all have one."""
        if not isinstance(literal, StringLiteral):
            return []
        tag, tags, severity = literal.language.lower(), self.languages, self.severity
        if tags is None:
            tags, severity = self._sampled_languages(tag), "warning"
        if not tags or tag in [language.lower() for language in tags]:
            return []
        if tags == ("",):
            message = f"no text of {self.name} has a language tag"
        elif tag:
            message = f"no text of {self.name} has the language tag {literal.language}"
        else:
            message = f"every text of {self.name} has a language tag"
        right = tuple(text_of(StringLiteral(literal.value, language)) for language in tags)
        advice = f"Write {_either(right)}." if len(right) <= _FEW else f"There is {_listed(tags)}."
        return [Finding("wrong-language", message, literal.span, advice, right, severity)]

    def _sampled_languages(self, tag: str) -> tuple[str, ...]:
        """The languages of the samples, where they say at least whether texts have tags at all, and this text differs
        in that."""
        texts = [value for value in self.samples if isinstance(value, str | LanguageText)]
        found = tuple(
            dict.fromkeys(value.language if isinstance(value, LanguageText) else "" for value in texts)
        )
        if len(texts) < _LEAST_SAMPLES or (bool(tag) == any(found)) or ("" in found and len(found) > 1):
            return ()
        return found


_FEW = 3
_OF_ONE = ("STRLEN", "LCASE", "UCASE")


def values_of(rules: SchemaRules, source: Source) -> PropertyValues | None:
    """What is known of the values that come from a property; ``None`` if nothing is."""
    key, owners = source.predicate.value, source.owners
    if owners is not None and not all(rules.schema.has_node_type(owner) for owner in owners):
        owners = None
    found = rules.values(key, owners)
    kinds = tuple(dict.fromkeys(kind for item in found for kind in item.value_types))
    if not kinds:
        return None
    languages = _languages_of(found)
    return PropertyValues(
        name=source.predicate.written or f"<{key}>",
        kinds=kinds,
        languages=languages,
        samples=tuple(value for item in found for value in item.samples),
        is_sure=languages is not None and (owners is not None or not key.startswith(_ANNOTATIONS)),
    )


def _languages_of(found: Iterable[Property]) -> tuple[str, ...] | None:
    tags: dict[str, None] = {}
    for item in found:
        if item.languages is None:
            return None
        tags.update(dict.fromkeys(item.languages))
    return tuple(tags)


def _are_comparable(one: ValueType, other: ValueType) -> bool:
    return one is other or other is ValueType.OTHER or (one.is_number and other.is_number)


def _is_in_range(range: str, tag: str) -> bool:
    return bool(tag) if range == "*" else tag == range or tag.startswith(f"{range}-")


def _are_near(one: str, other: str) -> bool:
    """Whether two tags are of one language: en and en-GB, or eng for en."""
    return bool(other) and (one.partition("-")[0] == other.partition("-")[0] or other.startswith(one[:2]))


def _either(texts: Iterable[str]) -> str:
    return " or ".join(texts)


def _listed(tags: Iterable[str]) -> str:
    return ", ".join(tag or "no tag" for tag in tags)
