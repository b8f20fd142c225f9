"""Whether statements join what stands on the two sides of a word, and in the direction that the sentence says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .contents import Contents, End, Statement
from .parsing import Part
from .quantities import Number, agrees, has_other_unit, number_agrees
from .relations import Match, Relations
from .rules import Rules


@dataclass(frozen=True, slots=True)
class Joined:
    """The statements that join two sides, and the parts that they join; or, in ``fault``, what no statement does."""

    statements: frozenset[Statement] = frozenset()
    parts: frozenset[Part] = frozenset()
    fault: str = ""


class Joiner:
    """Joins the parts of one sentence by the statements of some facts."""

    def __init__(self, contents: Contents, relations: Relations, rules: Rules) -> None:
        self._contents = contents
        self._relations = relations
        self._rules = rules

    def is_end(self, part: Part, end: End) -> bool:
        """Whether a part of a sentence names an end of a statement."""
        if part.quantity is not None:
            return end.held is not None and agrees(part.quantity, end.held, self._rules)
        if part.kinds:
            return bool(part.kinds & end.types)
        return end.key in part.keys

    def join(
        self,
        said: Mapping[Statement, Match],
        doers: Sequence[Part],
        others: Sequence[Part],
        *,
        is_clear: bool,
        is_negated: bool,
        is_noun: bool = False,
        is_literal: bool = False,
    ) -> Joined:
        """Join each part of either side with one of the other; an empty side is whatever the answer speaks of.

        Args:
            said: the statements whose label is said, and how.
            doers: what stands on the doer's side.
            others: what stands on the other side.
            is_clear: whether it is sure which side is which.
            is_negated: whether the sentence denies it.
            is_noun: whether the doers are named by the word: of a property, they are then its values.
            is_literal: whether the sentence has a label word for word between its ends: they stand as in the fact.
        """
        fitting = {
            statement: _as_written(match)
            if is_literal
            else Match(False)
            if is_noun and statement.object.is_value
            else match
            for statement, match in said.items()
            if self._is_so(statement, is_negated)
        }
        if not fitting:
            return Joined(fault="not" if is_negated else "so")
        used: set[Statement] = set()
        joined: set[Part] = set()
        left, right = _with_counts(doers), _with_counts(others)
        for mine, theirs, forward in ((left, right, True), (right, left, False)):
            for one in mine:
                found = [
                    statement
                    for other in (theirs or [()])
                    for statement in self._joining(
                        fitting, one, other, forward, is_clear, is_noun or is_literal
                    )
                ]
                if not found:
                    return Joined(fault="joined")
                used.update(found)
                joined.update(one)
        if not left and not right:
            used.update(fitting)
        return Joined(frozenset(used), frozenset(joined))

    def _is_so(self, statement: Statement, is_negated: bool) -> bool:
        if statement.object.flag is not None or statement.is_denied or is_negated:
            return statement.is_false == is_negated
        return True

    def _joining(
        self,
        said: Mapping[Statement, Match],
        one: tuple[Part, ...],
        other: tuple[Part, ...],
        forward: bool,
        is_clear: bool,
        is_noun: bool,
    ) -> list[Statement]:
        """The statements that join a part with another; each may be a number with what it counts."""
        found = [
            statement
            for statement, match in said.items()
            if self._joins(statement, match, one, other, forward, is_clear, is_noun)
        ]
        if found or not any(part.counts for part in (*one, *other)):
            return found
        counting, counted = (one, other) if any(part.counts for part in one) else (other, one)
        return self._counted(said, counting, counted)

    def _joins(
        self,
        statement: Statement,
        match: Match,
        one: tuple[Part, ...],
        other: tuple[Part, ...],
        forward: bool,
        is_clear: bool,
        is_noun: bool,
    ) -> bool:
        acts = match.subject_acts
        if statement.subject is statement.object:
            return False
        is_clear = is_clear or self._relations.is_located_form(statement.label)
        ways: list[tuple[End, End]] = []
        # A figure does nothing: "costs 2 EUR" and "2 EUR is what it costs" are the same.
        is_figure = statement.object.is_value and not is_noun
        if acts is None or not is_clear or is_figure:
            ways = [(statement.subject, statement.object), (statement.object, statement.subject)]
        elif acts == forward:
            ways = [(statement.subject, statement.object)]
        else:
            ways = [(statement.object, statement.subject)]
        return any(self._are(one, mine) and self._are(other, theirs) for mine, theirs in ways)

    def _are(self, parts: tuple[Part, ...], end: End) -> bool:
        return all(self.is_end(part, end) for part in parts)

    def _counted(
        self, said: Mapping[Statement, Match], counting: tuple[Part, ...], counted: tuple[Part, ...]
    ) -> list[Statement]:
        """Statements whose ends are so many as a number says: "three drugs" of three rows."""
        number = next(part.quantity for part in counting if part.counts)
        kinds = [part for part in counting if part.quantity is None]
        if (
            self._is_counted_by_a_fact(said, kinds)
            or not isinstance(number, Number)
            or number.bound in ("<", "<=")
        ):
            # How many there are at most is not known from those that were found.
            return []
        partners: dict[str, list[Statement]] = {}
        for statement in said:
            for mine, theirs in (statement.ends, statement.ends[::-1]):
                is_of_them = (
                    not mine.is_open and mine.held is None and all(self.is_end(part, mine) for part in kinds)
                )
                if is_of_them and self._are(counted, theirs) and mine.key != theirs.key:
                    partners.setdefault(mine.key, []).append(statement)
        if partners and number_agrees(number, len(partners)):
            return [statement for statements in partners.values() for statement in statements]
        return []

    def _is_counted_by_a_fact(self, said: Iterable[Statement], kinds: Sequence[Part]) -> bool:
        return any(
            end.held is not None and all(part.kinds & end.types for part in kinds) and bool(end.types)
            for statement in said
            for end in statement.ends
        )

    def number_of(self, parts: Sequence[Part]) -> list[End]:
        """The different nodes of the facts that are of the types of some parts."""
        return [
            end
            for end in self._contents.ends.values()
            if not end.is_open and end.held is None and all(part.kinds & end.types for part in parts)
        ]

    def wrong_unit(self, part: Part, statements: Iterable[Statement]) -> bool:
        """Whether a quantity would be right but for its unit."""
        quantity = part.quantity
        return quantity is not None and any(
            statement.object.held is not None and has_other_unit(quantity, statement.object.held, self._rules)
            for statement in statements
        )


def _as_written(match: Match) -> Match:
    return match if match.subject_acts is None else Match(True)


def _with_counts(parts: Sequence[Part]) -> list[tuple[Part, ...]]:
    """Parts one by one, but a number together with the type that it counts, and a type with the name beside it."""
    units: list[tuple[Part, ...]] = []
    for part in parts:
        previous = units[-1][-1] if units else None
        if (previous is not None and part.first == previous.last and _belong_together(previous, part)) or (
            part.kinds and previous is not None and previous.keys
        ):
            units[-1] = (*units[-1], part)
        else:
            units.append((part,))
    return units


def _belong_together(one: Part, other: Part) -> bool:
    return (one.quantity is not None and bool(other.kinds)) or (bool(one.kinds) and bool(other.keys))
