"""Ages run against dates: the oldest has the least date of birth, and the most years."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.plan import Comparator
from ...core.schema import Schema
from ...core.words import normalize, split_identifier
from ..hop_table import AttributeRoute

# What a property is called that says how old something is, in the languages of questions.
_AGE_WORDS = frozenset({"age", "ages", "aged", "alter", "lebensalter", "edad", "edades", "antiguedad"})
# The words by which the rules speak of being old or new have this one among them; those for early and late do not.
_OF_BEING_OLD = "founded"
_TURNED: dict[Comparator, Comparator] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def speaks_of_being_old(words: Sequence[str]) -> bool:
    """Whether the words by which the rules speak of a property are those of "old" and "young"."""
    return _OF_BEING_OLD in words


def runs_against_dates(schema: Schema, route: AttributeRoute, words: Sequence[str]) -> bool:
    """Whether a question that speaks of being old by ``words`` measures it by an age.

    The rules of a language give "oldest" and "older" as they are of dates: the least, and less.
    """
    if not speaks_of_being_old(words) or not route.is_property or route.is_time:
        return False
    said = normalize(split_identifier(schema.label_of(route.hops[-1].type))).split()
    return not _AGE_WORDS.isdisjoint(said)


def turned(comparator: Comparator) -> Comparator:
    """The comparator for the other direction."""
    return _TURNED.get(comparator, comparator)
