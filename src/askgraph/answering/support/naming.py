"""What a sentence names without a word for how it belongs to the rest: a type beside a name, a place, a figure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .basis import Basis
from .contents import Statement
from .parsing import Part
from .quantities import Number

_MAKERS = ("by", "author", "create", "make")


def naming_fault(basis: Basis) -> str:
    """What no statement joins with the rest of the sentence or with what the answer is about."""
    fault = _types_fault(basis)
    if fault:
        return fault
    said = [item for occurrence in basis.parsed.occurrences for item in occurrence.statements]
    for part in basis.parsed.parts:
        if part in basis.parts or part.kinds:
            continue
        statements = _joining(basis, part, [*said, *basis.statements])
        if not statements:
            shown = basis.text_of(part)
            if basis.joiner.wrong_unit(part, basis.contents.statements):
                return f"the facts have another unit than {shown!r}"
            return f"no fact joins {shown!r} with the rest of the sentence"
        basis.rest_on(statements, [part])
    return ""


# --- types


def _types_fault(basis: Basis) -> str:
    """A type beside a name must be one of its types: "the gene APP", "BRAF, a gene", "APP is a gene"."""
    for group in basis.parsed.groups:
        named = [part for part in group if part.keys]
        for place, part in enumerate(group):
            is_counted = place > 0 and group[place - 1].quantity is not None
            if part.kinds and named and not is_counted:
                nearest = min(named, key=lambda name: abs(name.first - part.first))
                if not _has_type(basis, nearest, part):
                    return _no_type(basis, nearest, part)
    for one, other in pairwise(basis.parsed.groups):
        if one[-1].kinds and basis.parsed.tokens[other[0].first].before.startswith(":"):
            # "Genes: A, B": each of them must be one.
            wrong = next((name for name in other if name.keys and not _has_type(basis, name, one[-1])), None)
            if wrong is not None and other[0].first == one[-1].last:
                return _no_type(basis, wrong, one[-1])
        if other[0].kinds and len(other) == 1 and _is_a(basis, one[-1].last, other[0].first):
            for name in one:
                if name.keys and not _has_type(basis, name, other[0]):
                    return _no_type(basis, name, other[0])
                if name.keys:
                    basis.rest_on(_first_of(basis, name.keys), [name])
    return ""


def _is_a(basis: Basis, first: int, last: int) -> bool:
    between = [token.normal for token in basis.parsed.tokens[first:last]]
    grammar = basis.rules.grammar
    return (
        bool(between)
        and between[0] in grammar["be"]
        and set(between[1:]) <= {"a", "an", "the"} | grammar["adverbs"] | basis.rules.pairs
    )


def _has_type(basis: Basis, name: Part, kind: Part) -> bool:
    ends = basis.contents.ends
    return any(kind.kinds & ends[key].types for key in name.keys if key in ends)


def _no_type(basis: Basis, name: Part, kind: Part) -> str:
    return f"no fact says that {basis.text_of(name)!r} is a {basis.text_of(kind)!r}"


def _first_of(basis: Basis, keys: frozenset[str]) -> list[Statement]:
    return [item for item in basis.contents.statements if any(end.key in keys for end in item.ends)][:1]


# --- names and figures


def _joining(basis: Basis, part: Part, said: Sequence[Statement]) -> list[Statement]:
    """Statements that join a part with something else that the sentence, or the answer, speaks of."""
    others = [other for other in _neighbours(basis, part) if other is not part]
    for statements in (said, _unspoken(basis, part)):
        own = [item for item in statements if _reaches(basis, part, item)]
        found = [item for item in own if any(_is_other_end(basis, part, other, item) for other in others)]
        if not found and not _must_be_joined(basis, part):
            found = [
                item
                for item in own
                if item.subject is item.object or any(end.key in basis.topic for end in item.ends)
            ]
        if found:
            return found
    if part.keys & basis.topic:
        # What the question names may be named again; what is said of it is judged by its own words.
        return sorted(basis.statements, key=lambda item: item.fact)[:1] or _first_of(basis, part.keys)
    return _counted(basis, part) if part.counts else []


def _must_be_joined(basis: Basis, part: Part) -> bool:
    """Whether a name stands beside other names, in a sentence without a word for a relation: then it is said to belong
    to these, and not to what the question names."""
    if basis.parsed.occurrences or not part.keys:
        return False
    named = [group for group in basis.parsed.groups if any(item.keys for item in group)]
    return len(named) > 1


def _reaches(basis: Basis, part: Part, statement: Statement) -> bool:
    return any(basis.joiner.is_end(part, end) for end in statement.ends)


def _is_other_end(basis: Basis, part: Part, other: Part, statement: Statement) -> bool:
    return any(
        basis.joiner.is_end(other, end) and not basis.joiner.is_end(part, end) for end in statement.ends
    )


def _neighbours(basis: Basis, part: Part) -> list[Part]:
    """What a part may be joined with: of a figure the name nearest before it; of a name, all others."""
    if part.quantity is None:
        beside = {
            id(kind)
            for group in basis.parsed.groups
            if any(item.keys for item in group)
            for kind in group
            if kind.kinds
        }
        return [other for other in basis.parsed.parts if id(other) not in beside]
    named = [other for other in basis.parsed.parts if other.keys]
    before = [other for other in named if other.last <= part.first]
    return before[-1:] or named[:1]


def _unspoken(basis: Basis, part: Part) -> list[Statement]:
    """Statements that need no word of their own: "Ada in Rome", "films by Ada"; and any, where the sentence has no
    word for a relation at all: then it says what the question asks, and is judged by that."""
    place = part.first - 1
    while place >= 0 and basis.parsed.normal(place) in basis.rules.grammar["determiners"]:
        place -= 1
    word = basis.parsed.normal(place)
    own = [item for item in basis.contents.statements if _reaches(basis, part, item)]
    if _is_aside(basis, part):
        return own
    if word in basis.rules.grammar["places"] | basis.rules.grammar["agents"]:
        return [item for item in own if _says_preposition(basis, word, item, part)]
    return own if not basis.parsed.occurrences else []


def _is_aside(basis: Basis, part: Part) -> bool:
    """Whether a part only tells more of the name beside it: "The Matrix (1999)", "the 1999 film", "Ada (Engines)"."""
    tokens = basis.parsed.tokens
    if tokens[part.first].before.endswith("("):
        return True
    number = part.quantity
    is_year = isinstance(number, Number) and number.is_year
    behind = basis.parsed.part_at(part.last)
    return is_year and behind is not None and not tokens[part.last].before


def _says_preposition(basis: Basis, word: str, statement: Statement, part: Part) -> bool:
    """Whether a preposition alone says a relation: "in" of a place, "by" of a maker."""
    relations = basis.relations
    if word in relations.words_of(statement.label):
        return True
    if word in basis.rules.grammar["agents"]:
        return any(relations.match(item, statement.label) is not None for item in _MAKERS)
    is_object = basis.joiner.is_end(part, statement.object)
    return is_object and relations.match("located", statement.label) is not None


def _counted(basis: Basis, part: Part) -> list[Statement]:
    """ "Three drugs", of three that the sentence lists behind a colon, or that the facts have."""
    number = part.quantity
    assert isinstance(number, Number)
    behind = [other for other in basis.parsed.parts if other.first > part.first and other.keys]
    marks = "".join(token.before for token in basis.parsed.tokens[part.last :])
    if behind and ":" in marks:
        keys = frozenset(key for other in behind for key in other.keys)
        return _about(basis, keys) if len(behind) == number.value else []
    group = basis.parsed.group_of(part)
    following = group[group.index(part) + 1 : group.index(part) + 2]
    kinds = [other for other in following if other.kinds]
    ends = basis.joiner.number_of(kinds) if kinds else []
    return _about(basis, frozenset(end.key for end in ends)) if len(ends) == number.value else []


def _about(basis: Basis, keys: frozenset[str]) -> list[Statement]:
    return [item for item in basis.contents.statements if any(end.key in keys for end in item.ends)]
