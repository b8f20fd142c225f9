"""What RDF nodes are called: which properties name them, which language comes first, and what is in an IRI."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.graph import Name
from ...core.values import LanguageText, Value
from ...core.words import local_name, normalize, split_identifier
from .vocabulary import ALIAS_PROPERTIES, LABEL_PROPERTIES

_NAME_WORDS: Final = frozenset({
    "name", "label", "title", "pref label", "preferred label", "preferred name", "full name", "display name",
    "display label", "common name", "official name", "scientific name", "symbol", "headline",
})  # fmt: skip
_ALIAS_WORDS: Final = frozenset({
    "alias", "aliases", "synonym", "synonyms", "alt label", "alternative label", "alternate name", "alternative name",
    "alt name", "other name", "also known as", "aka", "short name", "nickname", "nick", "acronym", "abbreviation",
    "exact synonym", "has synonym", "has exact synonym", "related synonym", "has related synonym", "alternate label",
    "other names", "alternative names", "alternate names", "brand name", "trade name",
})  # fmt: skip
_LONGEST_NAME: Final = 500
_UUID: Final = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_CODE: Final = re.compile(r"[A-Za-z]{0,4}[-_:.]?\d+|[A-Za-z]|[0-9a-f]{12,}|\d[\d\W_]*", re.IGNORECASE)
_CAMEL: Final = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)+")


@dataclass(frozen=True, slots=True)
class LabelSettings:
    """How names are chosen.

    Attributes:
        languages: preferred language tags, the best first; ``en`` means ``en-GB`` too. A name without a language comes
            after these, and other languages after that.
        properties: properties that name nodes, the best first, before those that are known and those of the graph that
            are called name, label, title or the like.
        aliases: properties that give further names, in the same way.
    """

    languages: tuple[str, ...] = ("en",)
    properties: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    def language_rank(self, language: str | None) -> int:
        """How far down a language is; smaller is better."""
        if not language:
            return len(self.languages)
        folded = language.lower()
        for rank, wanted in enumerate(self.languages):
            if folded == wanted.lower() or folded.startswith(wanted.lower() + "-"):
                return rank
        return len(self.languages) + 1


DEFAULT_LABELS: Final = LabelSettings()


class NameRules:
    """Label settings applied to the predicates of one graph."""

    def __init__(
        self,
        settings: LabelSettings,
        predicates: Sequence[str],
        classes: Iterable[str] = (),
        guessed: Sequence[str] = (),
    ) -> None:
        """``classes``: those of the graph, so that ``catastropheName`` is seen to name a ``Catastrophe``. ``guessed``:
        predicates that look as if they gave names, after all others."""
        words = {iri: _words_of(iri) for iri in predicates}
        own_names = {f"{_words_of(iri)} {word}" for iri in classes for word in ("name", "title", "label")}
        naming = sorted(iri for iri, found in words.items() if found in _NAME_WORDS)
        naming += sorted(iri for iri, found in words.items() if found in own_names)
        aliasing = sorted(iri for iri, found in words.items() if found in _ALIAS_WORDS)
        labels = (*settings.properties, *LABEL_PROPERTIES, *naming, *guessed)
        aliases = (*settings.aliases, *ALIAS_PROPERTIES, *aliasing)
        self.settings = settings
        self.label_ranks: Mapping[str, int] = _ranks(labels)
        self.alias_ranks: Mapping[str, int] = {
            iri: rank for iri, rank in _ranks(aliases).items() if iri not in self.label_ranks
        }
        self._languages: dict[str | None, int] = {}

    def names(self, id: str, texts: Iterable[tuple[str, Value]]) -> tuple[Name, ...]:
        """The names of a node, the best first.

        Args:
            id: the node's id, from which a name is read if nothing else names it.
            texts: pairs of predicate and value; those that name nothing are passed over.
        """
        ranked: list[tuple[bool, int, int, str, str, Name]] = []
        for predicate, value in texts:
            rank = self.label_ranks.get(predicate)
            is_alias = rank is None
            if rank is None:
                rank = self.alias_ranks.get(predicate)
            if rank is None:
                continue
            text, language = (
                (value.text, value.language) if isinstance(value, LanguageText) else (value, None)
            )
            if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST_NAME:
                continue
            name = Name(" ".join(text.split()), predicate, language)
            ranked.append((is_alias, self._language_rank(language), rank, name.text, language or "", name))
        if all(is_alias for is_alias, *_ in ranked):
            return (*names_in_iri(id), *(entry[-1] for entry in sorted(ranked, key=lambda entry: entry[:5])))
        if len(ranked) == 1:
            return (ranked[0][-1],)
        found: dict[tuple[str, str | None], Name] = {}
        for entry in sorted(ranked, key=lambda entry: entry[:5]):
            found.setdefault((entry[-1].text, entry[-1].language), entry[-1])
        return tuple(found.values())

    def _language_rank(self, language: str | None) -> int:
        if language not in self._languages:
            self._languages[language] = self.settings.language_rank(language)
        return self._languages[language]


def names_in_iri(id: str) -> tuple[Name, ...]:
    """What the last part of an IRI says, if it is words: ``…/Karl_Marx`` and ``…#KarlMarx`` give ``Karl Marx``.

    Codes, numbers and UUIDs are no names, nor are blank nodes.
    """
    if id.startswith("_:"):
        return ()
    text = " ".join(local_name(id).replace("_", " ").replace("+", " ").split())
    if not text or "://" in text or _UUID.fullmatch(text) or _CODE.fullmatch(text):
        return ()
    if not any(character.isalpha() for character in text):
        return ()
    if _CAMEL.fullmatch(text):
        apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
        return (Name(apart), Name(text))
    return (Name(text),)


def _words_of(iri: str) -> str:
    return normalize(split_identifier(local_name(iri)))


def _ranks(iris: Iterable[str]) -> dict[str, int]:
    return {iri: rank for rank, iri in enumerate(dict.fromkeys(iris))}
