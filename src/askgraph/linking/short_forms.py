"""What the keys of a database are short for: ``usr_cnt`` is the user count, ``ram_gb`` the RAM.

Keys are abbreviated by habits that hold across databases: vowels dropped, nouns cut, units put behind. What a label is
short for is one more name of the same thing; the label itself stays what it is called.
"""

from __future__ import annotations

from functools import cache

from ..core.words import normalize, split_identifier
from .language import PATTERN, language


@cache
def written_out(label: str) -> tuple[str, ...]:
    """What a label is short for, normalised: with its words written out, and without the unit behind it; nothing where
    it is short for nothing."""
    rules = language(PATTERN)
    words = normalize(split_identifier(label)).split()
    full = [rules.abbreviations.get(word, word) for word in words]
    found = [" ".join(full)] if full != words else []
    if len(words) > 1 and words[-1] in rules.label_units:
        found.append(" ".join(full[:-1]))
    return tuple(dict.fromkeys(found))
