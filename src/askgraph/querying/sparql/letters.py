"""The characters beyond ASCII that names of SPARQL may have (§19.8, PN_CHARS). Loaded when a text has one."""

from __future__ import annotations

import re

_LETTERS = (
    "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_MARKS = "\u00b7\u0300-\u036f\u203f-\u2040"
_NO_LETTER = re.compile(rf"[^\x00-\x7f{_LETTERS}{_MARKS}]")
_MARK = re.compile(f"[{_MARKS}]")


def misplaced_letter(name: str) -> int | None:
    """The place of the first character that cannot stand where it does, if there is one.

    ``name`` is a variable, a prefixed name or the label of a blank node, with all its signs. A mark, as an accent by
    itself, may follow a letter but not be the first.
    """
    found = _NO_LETTER.search(name)
    if found is not None:
        return found.start()
    for place in _first_letters(name):
        if _MARK.match(name, place):
            return place
    return None


def _first_letters(name: str) -> tuple[int, ...]:
    """Where the parts of a name begin."""
    if name[0] in "?$":
        return (1,)
    if name.startswith("_:"):
        return (2,)
    return (0, name.index(":") + 1)
