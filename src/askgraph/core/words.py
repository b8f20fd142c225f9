"""Text as names see it: normal forms, identifiers taken apart, the last part of an IRI."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS = re.compile(r"[\s_\-./:]+")
_LONGEST_ABBREVIATION = 3
# Letters that Unicode does not take apart into a base letter and an accent.
_UNDECOMPOSED = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "o", "đ": "d", "ł": "l", "Ł": "l", "æ": "ae", "œ": "oe"}
)


@lru_cache(maxsize=65_536)
def normalize(text: str) -> str:
    """The form in which two spellings of one name are equal.

    Compatibility-decomposed, case-folded, without accents; everything but letters and digits of any script
    becomes a blank; blanks are collapsed. ``"  Müller-Lüdenscheidt, Dr."`` gives ``"muller ludenscheidt dr"``.
    The result may be empty (``"!?"``).
    """
    if text.isascii():
        folded = text.lower()
        kept = "".join(character if character.isalnum() else " " for character in folded)
        return " ".join(kept.split())
    decomposed = unicodedata.normalize("NFKD", text).casefold().translate(_UNDECOMPOSED)
    decomposed = unicodedata.normalize("NFKD", decomposed)
    return " ".join("".join(map(_kept, decomposed)).split())


def _kept(character: str) -> str:
    """Accents go; vowel signs that take room of their own (as in Devanagari) stay with their word."""
    category = unicodedata.category(character)
    if category == "Mn":
        return ""
    return character if category == "Mc" or character.isalnum() else " "


def split_identifier(identifier: str) -> str:
    """``"hasProductManager"`` as ``"has product manager"``; ``"Gene_interacts-Gene"`` as ``"gene interacts gene"``.

    A word in capitals stays as it is (``"partOfBOM"`` gives ``"part of BOM"``).
    """
    words = _SEPARATORS.sub(" ", _CAMEL.sub(" ", identifier)).split()
    return " ".join(word if len(word) > 1 and word.isupper() else word.lower() for word in words)


def human_label(identifier: str) -> str:
    """What to call a label, an edge type or a key: as it is if it is one word or has blanks, else its words.

    ``"PRODUCES_ITEM"`` gives ``"produces item"``, ``"hasManager"`` ``"has manager"``, ``"Gene"`` stays.
    """
    if not identifier or any(character.isspace() for character in identifier.strip()):
        return identifier.strip()
    is_shouted = identifier.isupper() and (len(identifier) > _LONGEST_ABBREVIATION or "_" in identifier)
    words = split_identifier(identifier.lower() if is_shouted else identifier) or identifier
    return words if " " in words or is_shouted else identifier


def local_name(iri: str) -> str:
    """The part of an IRI after its last ``#``, ``/`` or ``:``, percent-decoded; the whole if that is empty."""
    stripped = iri.rstrip("#/:")
    cut = max(stripped.rfind("#"), stripped.rfind("/"), stripped.rfind(":"))
    return unquote(stripped[cut + 1 :]) or iri


def quantity(count: int, singular: str, plural: str | None = None) -> str:
    """``quantity(1, "node")`` is ``"1 node"``; ``quantity(2000, "node")`` is ``"2,000 nodes"``."""
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"
