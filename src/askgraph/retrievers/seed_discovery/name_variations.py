"""Other ways to write a name: inverted, with initials or without, without accents and hyphens.

An index of ours finds most of them by itself; a server's index of texts finds what is written so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_MOST_WORDS: Final = 6
_HYPHENS: Final = re.compile(r"[-‐‑‒–—_]+")
_INITIAL: Final = re.compile(r"\w\.?")
_BRACKETS: Final = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")


def name_variations(name: str) -> tuple[str, ...]:
    """Other ways to write ``name``, without itself, the likeliest first."""
    own = " ".join(name.split())
    found = dict.fromkeys(variation for variation in _variations(own) if variation)
    found.pop(own, None)
    return tuple(found)


def _variations(name: str) -> Iterator[str]:
    yield _BRACKETS.sub("", name)
    yield _without_accents(name)
    yield " ".join(_HYPHENS.sub(" ", name).split())
    yield _HYPHENS.sub("", name)
    last, comma, first = name.partition(",")
    if comma and first.strip():
        # "Lovelace, Ada"
        yield from _of_person([*first.split(), *last.split()])
    else:
        yield from _of_person(name.split())


def _of_person(words: list[str]) -> Iterator[str]:
    """A name of several words as that of a person: family name last, family name first, given names cut short."""
    if not 2 <= len(words) <= _MOST_WORDS:
        return
    *given, family = words
    yield " ".join(words)
    yield f"{family}, {' '.join(given)}"
    yield " ".join([family, *given])
    full = [word for word in given if not _INITIAL.fullmatch(word)]
    if full and len(full) < len(given):
        yield " ".join([*full, family])
    initials = [f"{word[0].upper()}." for word in given]
    if full:
        yield " ".join([*initials, family])
        yield f"{family}, {' '.join(initials)}"
        yield " ".join([full[0], family])


def _without_accents(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if unicodedata.category(c) != "Mn"))
