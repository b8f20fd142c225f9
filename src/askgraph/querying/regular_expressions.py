"""Which regular expressions may take a time that grows without bound.

Most engines match by backtracking (Java's, and so Neo4j's, does). A part that repeats without end inside a part that
repeats makes them try every way of sharing out the text: ``(a+)+$`` against thirty letters takes minutes, and no
time-out of a transaction interrupts it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .character_sets import CharacterSet, set_of_class, set_of_escape

_LONGEST = 1_000
# A bounded repetition of an unbounded one makes a polynomial of this degree.
_MOST_REPEATS_OF_A_LOOP = 3
_WIDE = "\0"


@dataclass(slots=True)
class _Atom:
    """What matches one character, and how often it stands there.

    Attributes:
        characters: which; ``None`` if that is not known, and for groups.
        times: ``"once"``, ``"loop"`` (without end) or ``"other"``.
    """

    characters: CharacterSet | None
    times: Literal["once", "loop", "other"] = "once"


@dataclass(slots=True)
class _Group:
    """What is known of an open group.

    Attributes:
        loops: whether something inside repeats without end.
        atoms: the characters, classes and groups of the only alternative, in their order.
        begins: for each alternative what it may begin with, as far as is known: a character, ``_WIDE`` for many, or
            nothing yet.
    """

    loops: bool = False
    atoms: list[_Atom] = field(default_factory=list)
    begins: list[str] = field(default_factory=lambda: [""])

    def see(self, beginning: str) -> None:
        if not self.begins[-1]:
            self.begins[-1] = beginning

    def overlaps(self) -> bool:
        """Whether two alternatives may begin alike, so that a text matches in several ways."""
        if len(self.begins) < 2:
            return False
        return _WIDE in self.begins or "" in self.begins or len(set(self.begins)) < len(self.begins)

    def is_fenced(self) -> bool:
        """Whether the text itself tells where each round ends: there is one loop, and what must come after it (at the
        end, the beginning of the next round) is no character of the loop. So are ``(a+,)*`` and ``(,a+)*``."""
        if len(self.begins) > 1 or len(self.atoms) < 2:
            return False
        loops = [place for place, atom in enumerate(self.atoms) if atom.times == "loop"]
        if len(loops) != 1 or any(atom.times == "other" for atom in self.atoms):
            return False
        inside = self.atoms[loops[0]].characters
        after = self.atoms[(loops[0] + 1) % len(self.atoms)].characters
        return inside is not None and after is not None and inside.is_disjoint(after)


def may_backtrack_forever(pattern: str) -> bool:
    """Whether a regular expression repeats, without end, a part that can match one text in several ways.

    The answer is on the safe side: a few harmless expressions are taken for harmful ones.
    """
    if len(pattern) > _LONGEST:
        return True
    position, open_groups = 0, [_Group()]
    last: _Group | None = None
    while position < len(pattern):
        character = pattern[position]
        group = open_groups[-1]
        if character == "(":
            position = _skip_group_head(pattern, position)
            open_groups.append(_Group())
            last = None
            continue
        if character == ")" and len(open_groups) > 1:
            last = open_groups.pop()
            open_groups[-1].see(last.begins[0] if len(last.begins) == 1 and last.begins[0] else _WIDE)
            open_groups[-1].loops |= last.loops
            open_groups[-1].atoms.append(_Atom(None, "other"))
            position += 1
        elif character == "|":
            group.begins.append("")
            last = None
            position += 1
        elif (repeat := _repetition(pattern, position)) is not None:
            most, position = repeat
            if last is not None and _is_harmful(last, most):
                return True
            group.loops |= most is None
            if group.atoms:
                group.atoms[-1].times = "loop" if most is None else "other"
            last = None
        else:
            last = None
            start = position
            beginning, position = _single(pattern, start)
            group.see(beginning)
            group.atoms.append(_atom(pattern[start:position]))
    return False


def _is_harmful(repeated: _Group, most: int | None) -> bool:
    if repeated.is_fenced():
        return False
    if most is None:
        return repeated.loops or repeated.overlaps()
    return repeated.loops and most > _MOST_REPEATS_OF_A_LOOP


def _skip_group_head(pattern: str, position: int) -> int:
    """The place after ``(``, ``(?:``, ``(?=``, ``(?<name>``, ``(?i)`` …"""
    position += 1
    if not pattern.startswith("?", position):
        return position
    end = position + 1
    while end < len(pattern) and pattern[end] not in ":=!>)":
        end += 1
    return end if pattern[end : end + 1] == ")" else end + 1


def _repetition(pattern: str, position: int) -> tuple[int | None, int] | None:
    """If a repetition stands here: how often it repeats at most (``None``: without end), and the place after it."""
    character = pattern[position]
    if character in "*+":
        most: int | None = None
        end = position + 1
    elif character == "?":
        most, end = 1, position + 1
    elif character == "{":
        closing = pattern.find("}", position)
        bounds = pattern[position + 1 : closing] if closing > 0 else ""
        low, comma, high = bounds.partition(",")
        if not low.isdecimal() or (high and not high.isdecimal()):
            return None
        most = None if comma and not high else int(high or low)
        end = closing + 1
    else:
        return None
    if pattern[end : end + 1] in ("?", "+"):
        end += 1
    return most, end


def _single(pattern: str, position: int) -> tuple[str, int]:
    """What one character, class or escape may begin with, and the place after it."""
    character = pattern[position]
    if character == "\\":
        escaped = pattern[position + 1 : position + 2]
        return (_WIDE if escaped.isalpha() else escaped), position + 2
    if character == "[":
        return _WIDE, _end_of_class(pattern, position)
    if character in "^$":
        return "", position + 1
    return (_WIDE if character == "." else character), position + 1


def _atom(text: str) -> _Atom:
    """What a character, a class or an escape matches."""
    if text in ("^", "$"):
        return _Atom(None, "other")
    if text.startswith("["):
        return _Atom(set_of_class(text))
    if text.startswith("\\"):
        return _Atom(set_of_escape(text[1:]))
    return _Atom(CharacterSet(frozenset(), is_complement=True) if text == "." else CharacterSet.of(text))


def _end_of_class(pattern: str, position: int) -> int:
    """The place after ``[…]``; classes may hold classes, and a ``]`` right at the beginning stands for itself."""
    depth, position = 1, position + 1
    if pattern.startswith("^", position):
        position += 1
    if pattern.startswith("]", position):
        position += 1
    while position < len(pattern) and depth:
        if pattern[position] == "\\":
            position += 1
        elif pattern[position] == "[":
            depth += 1
        elif pattern[position] == "]":
            depth -= 1
        position += 1
    return position
