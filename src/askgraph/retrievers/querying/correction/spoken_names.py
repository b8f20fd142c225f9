"""What people put around a name that the graph does not: articles, titles, legal forms, the name of the type.

``"the J&J company"`` is J&J, ``"Ms. Brant"`` Brant, ``"BRCA1 gene"`` BRCA1 where it is a gene that is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ....core.words import normalize
from ....querying.tokens import words

_ARTICLES = frozenset(words("the a an"))
_TITLES = frozenset(words("mr mrs ms miss dr prof professor sir dame lord lady"))
_LEGAL_FORMS = frozenset(words("inc corp corporation company co ltd limited llc gmbh plc ag sa"))
_JOINED_INITIALS = re.compile(r"[A-Z](?:\s?[&+]\s?[A-Z]){1,4}")
_WORD = re.compile(r"\S+")


def spoken_names(text: str, type_words: Collection[str] = ()) -> tuple[str, ...]:
    """What a text may name, as it is first, then without what people put around names; each once."""
    found = [text]
    parts = [part[0] for part in _WORD.finditer(text)]
    bare = list(parts)
    while len(bare) > 1 and normalize(bare[0]) in _ARTICLES | _TITLES:
        bare = bare[1:]
    found.append(" ".join(bare))
    while len(bare) > 1 and (normalize(bare[-1]) in _LEGAL_FORMS or normalize(bare[-1]) in type_words):
        bare = bare[:-1]
    found.append(" ".join(bare))
    if len(bare) > 1 and normalize(bare[0]) in type_words:
        found.append(" ".join(bare[1:]))
    return tuple(dict.fromkeys(item for item in found if normalize(item)))


def joined_initials(text: str) -> tuple[str, ...]:
    """The letters of initials with signs between them (``J&J``); none for any other text."""
    plain = text.strip()
    return tuple(re.findall(r"[A-Z]", plain)) if _JOINED_INITIALS.fullmatch(plain) else ()


def initials_in_order(text: str) -> str:
    """The first letters of the words of a text, small words among them left out."""
    return "".join(word[0] for word in normalize(text).split() if word not in ("and", "of", "the", "und"))
