"""What is looked up for a name: its form, and keys under which other ways to write it are the same.

Each kind of key is the hash of a text that begins otherwise, so that all kinds can lie in one table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from ..core.words import normalize
from .similarity import singulars

# Words beyond this are not looked at one by one; the name is still found when it is written out in full.
MOST_WORDS = 64
# How many letters an acronym has.
FEWEST_INITIALS = 3
MOST_INITIALS = 8
_LONGEST_JOINT = 3
# No normalised text begins with it, so a name without letters or digits cannot be mistaken for one that has some.
_AS_WRITTEN = "\0"
_POSSESSIVE = re.compile(r"(?<=\w)['’ʼ′`]s\b|(?<=s)['’ʼ′`](?=\s|$)", re.IGNORECASE)


def form_of(name: str) -> str:
    """What two spellings of one name have in common: normalised text, or the name itself where that is empty."""
    return normalize(name) or _AS_WRITTEN + name.strip()


def words_of(form: str) -> tuple[str, ...]:
    """The words of a form; none for a name without letters or digits."""
    return () if form.startswith(_AS_WRITTEN) else tuple(form.split(" ", MOST_WORDS)[:MOST_WORDS])


def variants_of(name: str) -> list[str]:
    """Other forms that mean the same name: without the possessive ending, in the singular."""
    form = form_of(name)
    variants = [form_of(_POSSESSIVE.sub("", name))]
    *before, last = words_of(form) or ("",)
    variants += [" ".join([*before, singular]) for singular in singulars(last)]
    return [variant for variant in dict.fromkeys(variants) if variant != form]


def without_possessive(name: str) -> str:
    """``"Karen Brant's"`` as ``"Karen Brant"``."""
    return _POSSESSIVE.sub("", name)


def spelling_key(form: str) -> int:
    """Equal for forms that differ only in their blanks (``data base`` and ``database``). 64 bits."""
    return _hash(form.replace(" ", ""))


def order_key(words: Sequence[str]) -> int:
    """Equal for forms that differ only in the order of their words. 64 bits."""
    return _hash("\1" + " ".join(sorted(words)))


def initials_of(words: Sequence[str]) -> tuple[str, ...]:
    """The acronyms that words may have: all their initials, and those of all but the short words (of, and, the).

    Fewer than three letters, or more than eight, make none.
    """
    long_words = [word for word in words if len(word) > _LONGEST_JOINT]
    found = dict.fromkeys("".join(word[0] for word in chosen) for chosen in (words, long_words))
    return tuple(text for text in found if FEWEST_INITIALS <= len(text) <= MOST_INITIALS and text.isalpha())


def acronym_key(initials: str) -> int:
    """Equal for names that have these initials. 64 bits."""
    return _hash("\2" + initials)


def as_keys(keys: Iterable[int]) -> NDArray[np.uint64]:
    """Keys as an array."""
    return np.array(list(keys), dtype=np.uint64)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
