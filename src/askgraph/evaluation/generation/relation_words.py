"""How the label of a relation is said in a sentence: as a noun, a verb, a state, or in the past; or not at all.

=======  ================================  ==========================================
kind     labels                            said
=======  ================================  ==========================================
noun     "manager", "has manager"          "the manager of Ada"
verb     "works for", "participates"       "Ada works for Acme", "does Ada work for"
state    "member of", "employed by"        "Ada is a member of Acme"
past     "directed", "acted in"            "Ada directed Titanic"
=======  ================================  ==========================================

A label that fits none of these, or is a code, has no words: no question is made of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ...core.words import human_label
from .english import English, VerbForms, is_speakable, without_aside

RelationKind = Literal["noun", "verb", "state", "past"]

_BE: Final = ("is ", "are ", "was ", "were ", "be ")
_HAS: Final = ("has ", "have ", "had ")


@dataclass(frozen=True, slots=True)
class RelationWords:
    """A relation as words. Those of its kind are set, the others are empty.

    Attributes:
        kind: how it is said.
        noun, nouns, a_noun: "manager", "managers", "a manager".
        base, third, verb: "work for", "works for", and the plural form, which is the base.
        state, states: what stands behind "is" and "are": "a member of", "members of".
        past: "directed".
        is_symmetric: whether it holds in both directions, however it was drawn.
    """

    kind: RelationKind
    noun: str = ""
    nouns: str = ""
    a_noun: str = ""
    base: str = ""
    third: str = ""
    verb: str = ""
    state: str = ""
    states: str = ""
    past: str = ""
    is_symmetric: bool = False

    def slots(self) -> dict[str, str]:
        """What fills the slots of a template."""
        return {
            "noun": self.noun,
            "a_noun": self.a_noun,
            "nouns": self.nouns,
            "base": self.base,
            "third": self.third,
            "verb": self.verb,
            "state": self.state,
            "states": self.states or self.state,
            "past": self.past,
        }


def relation_words(label: str, target: str, language: English) -> RelationWords | None:
    """The words of a relation from its label; ``None`` where it cannot be said.

    Args:
        label: of the edge type.
        target: the label of the type at its target: "sold by agent" is said "sold by" where that is an agent.
        language: the words that are known.
    """
    text = without_aside(human_label(label))
    if not is_speakable(text):
        return None
    text = _without_target(
        _in_small_letters(text, language), _in_small_letters(human_label(target), language), language
    )
    for prefix in _HAS:
        if text.startswith(prefix):
            return _noun(text.removeprefix(prefix), language)
    for prefix in _BE:
        if text.startswith(prefix):
            return _state(text.removeprefix(prefix), language)
    first, _, rest = text.partition(" ")
    if first in language.prepositions:
        return None if rest else RelationWords("state", state=first)
    verb = language.verb(first)
    if verb is None or (first == verb.base and first != verb.past):
        return _of_base_form(text, rest, verb, language)
    return _of_verb(first, rest, verb, language)


def noun_words(label: str, language: English) -> str | None:
    """A property's label as a noun, without "has" and what stands in parentheses; ``None`` where it cannot be said:
    what is founded, or where something is painted in, are no nouns.
    """
    text = _in_small_letters(without_aside(human_label(label)), language)
    for prefix in (*_HAS, *_BE):
        text = text.removeprefix(prefix)
    words = text.split()
    if not is_speakable(text) or words[-1] in language.prepositions:
        return None
    verb = language.verb(words[-1])
    return None if verb is not None and words[-1] in (verb.past, verb.participle) else text


def _in_small_letters(text: str, language: English) -> str:
    """The words in small letters, but for abbreviations."""

    def is_abbreviation(word: str) -> bool:
        return word.isupper() and len(word) > 1 and language.verb(word.lower()) is None

    return " ".join(word if is_abbreviation(word) else word.lower() for word in text.split())


def _without_target(text: str, target: str, language: English) -> str:
    """The label without the type's name at its end, if a verb or a preposition stands before it."""
    for ending in (target, language.plural(target)):
        rest = text.removesuffix(f" {ending}")
        last = rest.rpartition(" ")[2]
        if (
            rest != text
            and (last in language.prepositions or language.verb(last))
            and last not in ("has", "have")
        ):
            return rest
    return text


def _noun(text: str, language: English) -> RelationWords | None:
    last = text.rpartition(" ")[2]
    if last in language.prepositions or not is_speakable(text) or f"{text} " in (*_HAS, *_BE):
        return None
    return RelationWords("noun", noun=text, nouns=language.plural(text), a_noun=language.one(text))


def _state(text: str, language: English) -> RelationWords | None:
    """What follows "is": it must end in a preposition, or nothing can stand behind it."""
    first, _, rest = text.rpartition(" ")
    if rest not in language.prepositions or not first:
        return None
    is_noun = rest == "of" and language.verb(first) is None
    if is_noun and first not in language.without_article:
        return RelationWords(
            "state", state=f"{language.one(first)} {rest}", states=f"{language.plural(first)} {rest}"
        )
    return RelationWords("state", state=text)


def _of_base_form(text: str, rest: str, verb: VerbForms | None, language: English) -> RelationWords | None:
    """ "member of", "manager", "belong to"; but not "follow", which may be a noun or a verb."""
    last = text.rpartition(" ")[2]
    if verb is not None:
        return _verb(verb, rest, language) if rest in language.prepositions else None
    if last in language.prepositions:
        return _state(text, language)
    return _noun(text, language)


def _of_verb(first: str, rest: str, verb: VerbForms, language: English) -> RelationWords | None:
    if rest and rest not in language.prepositions:
        return None  # "uses version", "produced film": too much else may be meant
    if first == verb.third:
        return _verb(verb, rest, language)
    if rest and verb.base not in language.intransitive:
        return RelationWords(
            "state", state=f"{verb.participle} {rest}", is_symmetric=_is_symmetric(verb, language)
        )
    past = " ".join(filter(None, (verb.past, rest or language.needed_preposition(verb.base))))
    return RelationWords("past", past=past, is_symmetric=_is_symmetric(verb, language))


def _verb(verb: VerbForms, rest: str, language: English) -> RelationWords:
    if not rest and verb.base == "associate":
        # Things are associated with each other; that one associates another is not said.
        return RelationWords("state", state="associated with", is_symmetric=True)
    preposition = rest or language.needed_preposition(verb.base)
    base, third = (" ".join(filter(None, (form, preposition))) for form in (verb.base, verb.third))
    return RelationWords(
        "verb", base=base, third=third, verb=base, is_symmetric=_is_symmetric(verb, language)
    )


def _is_symmetric(verb: VerbForms, language: English) -> bool:
    return verb.base in language.symmetric
