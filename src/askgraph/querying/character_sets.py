"""Sets of characters, as regular expressions write them: ``a``, ``\\d``, ``[a-z_]``, ``[^,]``."""

from __future__ import annotations

import string
from dataclasses import dataclass

_LONGEST_RANGE = 1_000
_DIGITS = frozenset(string.digits)
_SPACES = frozenset(" \t\n\r\f\v")
_WORDS = frozenset(string.ascii_letters) | _DIGITS | {"_"}
_ESCAPES = {"d": _DIGITS, "s": _SPACES, "w": _WORDS}


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """These characters, or all but these. Letters are there in both cases, for an expression may ignore case."""

    characters: frozenset[str]
    is_complement: bool = False

    @classmethod
    def of(cls, characters: str) -> CharacterSet:
        """These characters, in both cases."""
        return cls(frozenset(characters.lower() + characters.upper() + characters))

    def is_disjoint(self, other: CharacterSet) -> bool:
        """Whether no character is in both."""
        if self.is_complement and other.is_complement:
            return False
        if self.is_complement:
            return other.characters <= self.characters
        if other.is_complement:
            return self.characters <= other.characters
        return self.characters.isdisjoint(other.characters)


def set_of_escape(letter: str) -> CharacterSet | None:
    """What ``\\d``, ``\\W`` or ``\\.`` matches; ``None`` for what is not known here."""
    if not letter.isalnum():
        return CharacterSet.of(letter)
    known = _ESCAPES.get(letter.lower())
    if known is None or letter == "w":
        # Some engines count the letters of all languages to \\w.
        return CharacterSet(_NO_WORDS, is_complement=True) if letter == "w" else None
    return CharacterSet(known, is_complement=letter.isupper())


_NO_WORDS = frozenset(chr(code) for code in range(128)) - _WORDS


def set_of_class(text: str) -> CharacterSet | None:
    """What ``[…]`` matches; ``None`` for classes in classes and other rarities."""
    inner = text[1:-1]
    is_complement = inner.startswith("^")
    inner = inner[is_complement:]
    if not text.endswith("]") or "[" in inner or "&&" in inner:
        return None
    found: set[str] = set()
    position = 0
    while position < len(inner):
        first, position = _member(inner, position)
        if first is None:
            return None
        if len(first) == 1 and inner[position : position + 1] == "-" and position + 1 < len(inner):
            last, position = _member(inner, position + 1)
            if last is None or len(last) != 1 or not 0 <= ord(min(last)) - ord(min(first)) < _LONGEST_RANGE:
                return None
            found.update(map(chr, range(ord(min(first)), ord(min(last)) + 1)))
        else:
            found |= first
    # The complement of what is only known to be in it would be too small: both cases are left out of it.
    return CharacterSet(CharacterSet.of("".join(sorted(found))).characters if not is_complement else
                        frozenset(found), is_complement)  # fmt: skip


def _member(inner: str, position: int) -> tuple[frozenset[str] | None, int]:
    """The characters of one member of a class, and the place after it."""
    if inner[position] != "\\":
        return frozenset(inner[position]), position + 1
    letter = inner[position + 1 : position + 2]
    if letter.isalnum():
        return (_ESCAPES.get(letter) if letter != "w" else None), position + 2
    return frozenset(letter), position + 2
