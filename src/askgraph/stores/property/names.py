"""Which properties give a node its names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.graph import Name
from ...core.values import LanguageText, Value
from ...core.words import local_name
from .layout import ALIAS_PROPERTIES, NAME_PROPERTIES

# These name a work or a place, and qualify a person ("Dr.") or a kind: names only where there is no better one.
_WEAK_NAMES: Final = ("title", "label")
_FIRST_NAMES: Final = ("firstname", "givenname", "forename")
_LAST_NAMES: Final = ("lastname", "surname", "familyname")
_BETWEEN_NAMES: Final = re.compile(r"[|;]")
_OTHERWISE_USED: Final = (
    *_FIRST_NAMES,
    *_LAST_NAMES,
    *("".join(name.split("_")) for name in NAME_PROPERTIES),
)


@dataclass(frozen=True, slots=True)
class NameRules:
    """How names are read from a node's properties.

    Attributes:
        keys: every value of these is a name, in this order.
        fallbacks: where those give none: the first of these groups that has values gives one name, its values joined
            by blanks.
        aliases: every value of these is a further name.
    """

    keys: tuple[str, ...]
    fallbacks: tuple[tuple[str, ...], ...]
    aliases: tuple[str, ...]

    def names(self, id: str, properties: Mapping[str, Value]) -> tuple[Name, ...]:
        """The names of a node, each text once, the preferred first.

        A node without any is called by its id, with an empty ``source``.
        """
        found: dict[str, Name] = {}
        for key in self.keys:
            _collect(found, key, properties.get(key))
        if not found:
            for group in self.fallbacks:
                parts = [name for key in group for name in _names_in(key, properties.get(key))]
                if len(parts) >= len(group):
                    text = " ".join(part.text for part in parts[: len(group)])
                    found[text] = Name(text, group[0], parts[0].language)
                    break
        for key in self.aliases:
            for alias in _names_in(key, properties.get(key)):
                for text in _apart(alias.text):
                    found.setdefault(text, Name(text, key, alias.language))
        return tuple(found.values()) or (Name(id),)


def name_rules(
    keys: Sequence[str], *, chosen: Sequence[str] | None = None, aliases: Sequence[str] | None = None
) -> NameRules:
    """The rules for a graph whose nodes have these property keys.

    Args:
        keys: all keys of nodes.
        chosen: the keys that its user names, the preferred first; they alone give names then.
        aliases: the keys of further names that its user names.
    """
    forms = {key: _form(key) for key in sorted(keys)}
    if aliases is None:
        aliases = _matching(forms, [_form(name) for name in ALIAS_PROPERTIES])
    if chosen is not None:
        return NameRules(tuple(chosen), (), tuple(aliases))
    known = [_form(name) for name in NAME_PROPERTIES]
    strong = _matching(forms, [name for name in known if name not in _WEAK_NAMES])
    weak = _matching(forms, list(_WEAK_NAMES))
    first, last = _matching(forms, _FIRST_NAMES), _matching(forms, _LAST_NAMES)
    persons = [(given, family) for given in first for family in last]
    # "product_name", "companyName": a name of something that has no plainer one.
    others = [key for key, form in forms.items() if form.endswith("name") and form not in _OTHERWISE_USED]
    fallbacks = (*persons, *((key,) for key in (*weak, *others, *first, *last)))
    return NameRules(tuple(strong), fallbacks, tuple(aliases))


def _form(key: str) -> str:
    """A key as it is compared: without case, blanks, underscores, and a prefix that ends in ``:``, ``/`` or ``#``."""
    return "".join(local_name(key).casefold().replace("_", " ").split())


def _matching(forms: Mapping[str, str], wanted: Sequence[str]) -> list[str]:
    """The keys whose form is wanted, in the order of what is wanted."""
    return [key for form in wanted for key in forms if forms[key] == form]


def _collect(found: dict[str, Name], key: str, value: Value) -> None:
    for name in _names_in(key, value):
        found.setdefault(name.text, name)


def _apart(text: str) -> list[str]:
    """The names of a cell that holds several."""
    parts = [part.strip() for part in _BETWEEN_NAMES.split(text)]
    return [part for part in parts if part]


def _names_in(key: str, value: Value) -> Iterator[Name]:
    if isinstance(value, str | LanguageText):
        text = str(value).strip()
        if text:
            yield Name(text, key, value.language if isinstance(value, LanguageText) else None)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield Name(str(value), key)
    elif isinstance(value, list):
        for item in value:
            yield from _names_in(key, item)
