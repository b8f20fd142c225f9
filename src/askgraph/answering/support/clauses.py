"""Who does what to whom: for each word for a relation, what stands on its doer's side and what on the other.

By rules of word order, not by grammar: "A manages B", "B is managed by A", "A is the manager of B", "B's manager is A",
"B has A as manager", "A, who manages B", "B, which A manages". Where a side is not said, or is a pronoun, it is left
open, and whatever the answer speaks of may stand there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .parsing import Occurrence, Parsed, Part
from .rules import Rules
from .tokens import is_noun, is_participle


@dataclass(frozen=True, slots=True)
class Sides:
    """What stands on the doer's side of a word for a relation, and on the other; empty where it is not said.

    ``is_clear`` says whether the rules know which side is the doer's. ``subject`` is the grammatical subject, for the
    verbs that follow. ``is_noun``: the word names the doers ("the price is 2 EUR").
    """

    doers: tuple[Part, ...] = ()
    others: tuple[Part, ...] = ()
    is_clear: bool = True
    subject: tuple[Part, ...] = ()
    is_noun: bool = False


class Clauses:
    """Finds the sides of the words for relations in one sentence, from left to right."""

    def __init__(self, parsed: Parsed, rules: Rules) -> None:
        self._parsed = parsed
        self._rules = rules
        self._grammar = rules.grammar
        skipped = ("be", "have", "adverbs", "auxiliaries")
        self._skipped = (
            rules.hedges | rules.negations | frozenset().union(*(self._grammar[key] for key in skipped))
        )
        self._last_subject: tuple[Part, ...] = ()
        self._owner: tuple[Part, ...] = ()

    def sides(self) -> list[tuple[Occurrence, Sides]]:
        """The sides of every occurrence."""
        found = []
        for occurrence in self._parsed.occurrences:
            sides = self._sides_of(occurrence)
            self._last_subject = sides.subject or self._last_subject
            found.append((occurrence, sides))
        return found

    def _sides_of(self, occurrence: Occurrence) -> Sides:
        counted = self._parsed.part_at(occurrence.first - 1)
        stands_beside = self._parsed.tokens[occurrence.first].before in ("", "-")
        if (
            stands_beside
            and counted is not None
            and counted.quantity is not None
            and not self._is_verb(occurrence)
        ):
            return self._measured(occurrence, counted)
        if self._is_nominal(occurrence):
            return replace(self._of_noun(occurrence), is_noun=True)
        return self._of_verb(occurrence)

    def _head(self, occurrence: Occurrence) -> str:
        return self._parsed.normal(occurrence.last - 1)

    def _is_verb(self, occurrence: Occurrence) -> bool:
        word = self._head(occurrence)
        return is_participle(word, self._rules) or word in self._grammar["past"]

    def _is_nominal(self, occurrence: Occurrence) -> bool:
        parsed, word = self._parsed, self._head(occurrence)
        before = parsed.tokens[occurrence.first - 1] if occurrence.first else None
        named, behind = parsed.part_at(occurrence.first - 1), parsed.part_at(occurrence.last)
        if named is not None and not (before is not None and before.is_possessive):
            # "The Encoder costs 2 EUR", "Ada heads Sales", but "the Encoder price".
            return not (word.endswith("s") and behind is not None) and is_noun(word, self._rules)
        if before is not None and (
            before.is_possessive
            or before.normal in self._grammar["determiners"] | self._grammar["have"] | {"as", "no"}
        ):
            return not self._is_verb(occurrence) or before.normal in self._grammar["possessives"]
        if parsed.normal(occurrence.last) in ("of",) and not self._is_verb(occurrence):
            return True
        return is_noun(word, self._rules)

    def _measured(self, occurrence: Occurrence, counted: Part) -> Sides:
        """ "10 employees", "12 mm wide": so many of what stands before, or behind ("24 employees in Engineering")."""
        group = self._parsed.group_of(counted)
        first = group[0].first
        owner = self._subject_at(first)
        behind = self._right(occurrence.last)
        if behind and ":" in self._between(occurrence.last, behind[0].first):
            behind = ()  # What is counted is listed there.
        return Sides(
            tuple(part for part in group if part.quantity is not None), owner or behind, False, owner
        )

    def _between(self, first: int, last: int) -> str:
        """The marks before the tokens from ``first`` to ``last``."""
        return "".join(token.before for token in self._parsed.tokens[first : last + 1])

    # --- nouns

    def _of_noun(self, occurrence: Occurrence) -> Sides:
        start = self._before_determiners(occurrence.first)
        if start > 0 and self._parsed.tokens[start - 1].is_possessive:
            return self._possessed(occurrence, start)
        if self._parsed.normal(start - 1) in self._grammar["possessives"]:
            return self._possessed(occurrence, start)
        if self._parsed.normal(start - 1) == "as":
            return self._in_a_role(occurrence, start - 1)
        if self._parsed.normal(start - 1) in self._grammar["have"]:
            self._owner = self._subject_at(start - 1)
            return Sides(self._right(occurrence.last), self._owner, True, self._owner)
        if self._parsed.normal(start - 1) in self._grammar["coordinators"] and self._owner:
            # "Ada has a reserve of 5 EUR and a payment of 9 EUR".
            return Sides(self._right(occurrence.last), self._owner, True, self._owner)
        if self._parsed.normal(occurrence.last) in self._grammar["prepositions"] - self._grammar["agents"]:
            return self._of_something(occurrence, start)
        beside = self._parsed.part_at(occurrence.first - 1)
        follows = self._parsed.normal(occurrence.last)
        if beside is not None and beside.keys and start == occurrence.first:
            is_said_of_it = (
                follows in self._grammar["be"] or self._parsed.part_at(occurrence.last) is not None
            )
            if not is_said_of_it:
                # "The Marketing department": it is one.
                return Sides((beside,), (), True)
            return Sides(self._right(occurrence.last), tuple(self._parsed.group_of(beside)), True)
        if self._parsed.part_at(occurrence.last) is not None:
            return Sides(self._right(occurrence.last), self._named_before(start), True)
        if self._parsed.normal(start - 1) in self._grammar["be"]:
            holder = self._subject_at(start - 1)
            return Sides(holder, (), True, holder)
        behind = self._right(occurrence.last)
        return Sides(behind, self._named_before(start), bool(behind))

    def _named_before(self, place: int) -> tuple[Part, ...]:
        """ "For the Encoder, the price is 2 EUR": what is named before, if anything."""
        return tuple(part for part in self._parsed.group_before(place) if part.keys)

    def _before_determiners(self, place: int) -> int:
        """The first token of a noun with its article."""
        little = (
            (self._grammar["determiners"] - self._grammar["possessives"]) | {"no"} | self._grammar["adverbs"]
        )
        while (
            place > 0 and self._parsed.normal(place - 1) in little and self._parsed.part_at(place - 1) is None
        ):
            place -= 1
        return place

    def _possessed(self, occurrence: Occurrence, start: int) -> Sides:
        """ "Ada's manager is Charles", "her manager", "Charles is Ada's manager"."""
        is_named = self._parsed.tokens[start - 1].is_possessive
        owner = tuple(self._parsed.group_before(start - 1)) if is_named else self._last_subject
        behind = self._right(occurrence.last)
        if behind:
            return Sides(behind, owner, True, owner)
        begin = owner[0].first if is_named and owner else start - 1
        if self._parsed.normal(begin - 1) in self._grammar["be"]:
            holder = self._subject_at(begin - 1)
            return Sides(holder, owner, True, holder)
        return Sides((), owner, True, owner)

    def _in_a_role(self, occurrence: Occurrence, place: int) -> Sides:
        """ "Ada has Charles as her manager", "Charles serves as manager of Ada"."""
        holder = tuple(self._parsed.group_before(place))
        begin = holder[0].first if holder else place
        if self._parsed.normal(begin - 1) in self._grammar["have"]:
            owner = self._subject_at(begin - 1)
            return Sides(holder, owner, True, owner)
        return Sides(holder, self._right(occurrence.last), True, holder)

    def _of_something(self, occurrence: Occurrence, start: int) -> Sides:
        """ "Charles is the manager of Ada", "the manager of Ada is Charles", "Charles, the manager of Ada,"."""
        parsed = self._parsed
        owner = self._right(occurrence.last)
        before = parsed.part_at(start - 1)
        if parsed.normal(start - 1) in self._grammar["be"]:
            holder = self._subject_at(start - 1)
            return Sides(holder, owner, True, holder)
        if before is not None and start < len(parsed.tokens) and parsed.tokens[start].before.startswith(","):
            return Sides(tuple(parsed.group_of(before)), owner, True, tuple(parsed.group_of(before)))
        if not owner:
            return Sides((), (), False)
        if parsed.normal(start - 1) in self._grammar["have"]:
            subject = self._subject_at(start - 1)
            return Sides(owner, subject, True, subject)
        end = owner[-1].last
        behind = self._right(end)
        begins = behind[0].first if behind else end
        between = [parsed.normal(place) for place in range(end, begins)]
        has_copula = any(word in self._grammar["copulas"] for word in between)
        is_beside = behind and parsed.tokens[end].before[:1] in (",", ":", "(")
        if behind and (has_copula or is_beside):
            return Sides(behind, owner, True, behind if is_beside else owner)
        return Sides((), owner, True, owner)

    # --- verbs

    def _of_verb(self, occurrence: Occurrence) -> Sides:
        word = self._head(occurrence)
        subject = self._subject_at(occurrence.first)
        object = self._right(occurrence.last) or self._antecedent(subject)
        following = [self._parsed.normal(occurrence.last + offset) for offset in range(2)]
        if is_participle(word, self._rules) or word == "known":
            if any(item in self._grammar["agents"] for item in following):
                return Sides(object, subject, True, subject)
            if self._is_passive(occurrence):
                if following[0] in self._grammar["instruments"]:
                    return Sides(object, subject, True, subject)
                if following[0] not in self._grammar["prepositions"]:
                    return Sides((), subject, True, subject)
                return Sides(subject, object, False, subject)
        return Sides(subject, object, True, subject)

    def _is_passive(self, occurrence: Occurrence) -> bool:
        place = occurrence.first - 1
        while place >= 0 and self._parsed.normal(place) in self._skipped:
            if self._parsed.normal(place) in self._grammar["be"]:
                return True
            place -= 1
        return False

    def _right(self, place: int) -> tuple[Part, ...]:
        """The nearest group behind a place, unless another verb or the end of a clause stands between; without its last
        part where that begins a clause of its own ("A treats B and C treats D")."""
        group = self._parsed.group_after(place)
        if not group:
            return ()
        for occurrence in self._parsed.occurrences:
            if place <= occurrence.first < group[0].first:
                return ()
        between = self._parsed.tokens[place : group[0].first + 1]
        if any(token.before[:1] == ";" or token.normal in self._rules.clause_ends for token in between):
            return ()
        return tuple(group[: self._own_parts(group)])

    def _own_parts(self, group: Sequence[Part]) -> int:
        """How many parts of a group are objects of the verb before: all, or all but the subject of the next verb."""
        begin = self._clause_start(group)
        return len(group) if begin == 0 else begin

    def _clause_start(self, group: Sequence[Part]) -> int:
        """The part of a group at which the subject of the next verb begins, if a verb stands before the group too."""
        last = group[-1].last
        place = last
        while self._parsed.normal(place) in self._skipped and self._parsed.part_at(place) is None:
            place += 1
        is_before_verb = any(
            occurrence.first == place and not self._is_nominal(occurrence)
            for occurrence in self._parsed.occurrences
        )
        has_own_subject = place < len(self._parsed.tokens) and self._parsed.tokens[last].before == ""
        is_after_verb = any(occurrence.last <= group[0].first for occurrence in self._parsed.occurrences)
        is_finite = place > last or (is_before_verb and self._is_finite(place))
        if len(group) > 1 and is_before_verb and is_after_verb and has_own_subject and is_finite:
            return len(group) - 1
        return 0

    def _is_finite(self, place: int) -> bool:
        following = self._parsed.normal(place + 1)
        return not (
            is_participle(self._parsed.normal(place), self._rules)
            and following in self._grammar["prepositions"]
        )

    def _subject_at(self, place: int) -> tuple[Part, ...]:
        """What a verb at a place says something of."""
        parsed = self._parsed
        has_comma = place < len(parsed.tokens) and parsed.tokens[place].before.startswith((",", ")"))
        back = place - 1
        while back >= 0 and parsed.normal(back) in self._skipped and parsed.part_at(back) is None:
            has_comma = has_comma or parsed.tokens[back].before.startswith((",", ")"))
            back -= 1
        word = parsed.normal(back)
        if back < 0:
            return ()
        part = parsed.part_at(back)
        if part is not None and parsed.tokens[part.first].before.endswith("("):
            # "The Matrix (1999) stars …": what stands in brackets tells more of what stands before.
            part = next(iter(parsed.group_before(part.first)[-1:]), part)
            has_comma = False
        if part is not None and not (has_comma and self._last_subject):
            group = parsed.group_of(part)
            return tuple(group[self._clause_start(group) :])
        if (
            word in self._grammar["relatives"]
            and parsed.normal(back - 1) not in self._grammar["prepositions"]
        ):
            return tuple(parsed.group_before(back))
        if word in self._grammar["pronouns"]:
            return self._last_subject
        if (word in self._grammar["coordinators"] | {"but", "then"} or has_comma) and self._last_subject:
            return self._last_subject
        return tuple(parsed.group_before(place))

    def _antecedent(self, subject: Sequence[Part]) -> tuple[Part, ...]:
        """ "The film in which Ada acted": what a clause without an object of its own is about."""
        if not subject:
            return ()
        back = subject[0].first - 1
        while (
            back >= 0
            and self._parsed.normal(back) in self._grammar["determiners"] - self._grammar["relatives"]
        ):
            back -= 1
        if self._parsed.normal(back) in self._grammar["relatives"]:
            return tuple(self._parsed.group_before(back))
        return ()
