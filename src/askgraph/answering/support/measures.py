"""What a sentence works out of several values: which is more, the most, the sum, the average, how many."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...core.words import normalize
from .contents import Contents, Statement
from .joining import Joiner
from .parsing import Occurrence, Parsed, Part
from .quantities import Held, Number, agrees, compares
from .relations import Relations
from .rules import Rules

_MORE, _LESS = (
    frozenset(["more", "greater", "higher", "larger", "bigger", "longer", "later"]),
    frozenset(["less", "fewer", "lower", "smaller", "shorter", "earlier"]),
)
_AGE_LABELS = frozenset({"age", "ages", "old"})
_AGES = frozenset({"older", "younger"})


@dataclass(frozen=True, slots=True)
class Worked:
    """What was worked out: the statements that it rests on, the parts and tokens that it accounts for; or a fault."""

    statements: frozenset[Statement] = frozenset()
    parts: frozenset[Part] = frozenset()
    spans: tuple[tuple[int, int], ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class _Comparison:
    """ "X is heavier than Y": the sign, what is measured, and where the words stand."""

    sign: str
    measures: frozenset[str]
    first: int
    than: int
    is_age: bool = False


class Measures:
    """Works out what one sentence says of several values."""

    def __init__(
        self, parsed: Parsed, contents: Contents, joiner: Joiner, relations: Relations, rules: Rules
    ) -> None:
        self._parsed = parsed
        self._contents = contents
        self._joiner = joiner
        self._relations = relations
        self._rules = rules
        self._said = ""

    def all(self, topic: frozenset[str], asked: str = "") -> list[Worked]:
        """Everything that the sentence works out. ``asked``: the question, for what it confines the answer to."""
        self._said = f" {normalize(f'{asked} {self._parsed.text}')} "
        comparison = self._comparison()
        if comparison is not None:
            return [self._compared(comparison, topic)]
        worked = [*self._aggregated(topic), *self._extremes()]
        return worked

    # --- comparisons

    def _comparison(self) -> _Comparison | None:
        parsed, language = self._parsed, self._rules.language
        for than, token in enumerate(parsed.tokens):
            is_time = token.normal in ("before", "after") and parsed.part_at(than) is None
            if not (token.normal == "than" and parsed.part_at(than) is None) and not is_time:
                continue
            behind = parsed.group_after(than + 1)
            reached = (
                {parsed.normal(place) for place in range(than + 1, behind[0].first)} if behind else {"?"}
            )
            is_measured = not behind and self._occurrence_after(than) is not None
            if not is_measured and not reached <= self._rules.grammar["determiners"] | {
                "that",
                "of",
                "those",
            }:
                continue
            if behind and behind[0].quantity is not None:
                continue
            if is_time:
                return _Comparison("<" if token.normal == "before" else ">", frozenset(), than, than)
            for first in range(max(0, than - 5), than):
                for size in (2, 1):
                    phrase = " ".join(parsed.normal(place) for place in range(first, first + size))
                    if phrase in language.comparatives and first + size <= than:
                        sign, words = language.comparatives[phrase]
                        measures = frozenset(words.split()) | self._between(first + size, than)
                        return _Comparison(sign, measures, first, than, phrase in _AGES)
                word = parsed.normal(first)
                if word in _MORE | _LESS:
                    return _Comparison(
                        ">" if word in _MORE else "<", self._between(first + 1, than), first, than
                    )
        return None

    def _between(self, first: int, last: int) -> frozenset[str]:
        return frozenset(
            self._parsed.normal(place) for place in range(first, last) if self._parsed.part_at(place) is None
        ) - {"", "s"}

    def _occurrence_after(self, place: int) -> Occurrence | None:
        return next((item for item in self._parsed.occurrences if item.first > place), None)

    def _compared(self, comparison: _Comparison, topic: frozenset[str]) -> Worked:
        parsed = self._parsed
        left = parsed.group_before(comparison.first) or []
        right = parsed.group_after(comparison.than + 1)
        said = [item for item in parsed.occurrences if item.last <= comparison.than]
        words = set(comparison.measures)
        if not right:
            return self._compared_measures(comparison, topic)
        first = parsed.groups[0] if left and not any(part.keys for part in left) else left
        spans = [(comparison.first, comparison.than + 1)]
        labels = [
            statement.label
            for statement in self._contents.statements
            if (words and any(self._relations.match(word, statement.label) for word in words))
            or any(statement in item.statements for item in said)
        ]
        for label in dict.fromkeys(labels):
            mine = self._values(first, label, topic if not first else frozenset())
            theirs = self._values(right, label)
            if mine and theirs:
                sign = self._sign(comparison, label)
                if all(compares(_size(one), sign, _size(other)) for one, _ in mine for other, _ in theirs):
                    spans += [(item.first, item.last) for item in said]
                    used = frozenset(statement for _, statement in (*mine, *theirs))
                    return Worked(used, frozenset((*first, *right)), tuple(spans))
                return Worked(fault="the values say otherwise")
        return Worked(fault="no fact gives values to compare")

    def _sign(self, comparison: _Comparison, label: str) -> str:
        """The older of two was born earlier, and has the greater age."""
        words = self._relations.words_of(label)
        if comparison.is_age and not _AGE_LABELS.isdisjoint(words):
            return ">" if comparison.sign == "<" else "<"
        return comparison.sign

    def _compared_measures(self, comparison: _Comparison, topic: frozenset[str]) -> Worked:
        """ "The reserve is higher than the payment": two measures of one thing."""
        before = [item for item in self._parsed.occurrences if item.last <= comparison.first]
        after = self._occurrence_after(comparison.than)
        if not before or after is None:
            return Worked(fault="no fact gives values to compare")
        pairs = [self._only_value(item) for item in (before[0], after)]
        if pairs[0] is None or pairs[1] is None:
            return Worked(fault="no fact gives values to compare")
        (mine, one), (theirs, other) = pairs[0], pairs[1]
        if not compares(_size(mine), comparison.sign, _size(theirs)):
            return Worked(fault="the values say otherwise")
        spans = [(item.first, item.last) for item in (before[0], after)]
        return Worked(frozenset((one, other)), frozenset(), ((comparison.first, comparison.than + 1), *spans))

    def _only_value(self, occurrence: Occurrence) -> tuple[Held, Statement] | None:
        found = {
            item.object.key: (item.object.held, item)
            for item in occurrence.statements
            if item.object.held is not None
        }
        return next(iter(found.values())) if len(found) == 1 else None

    def _values(
        self, parts: Sequence[Part], label: str, topic: frozenset[str] = frozenset()
    ) -> list[tuple[Held, Statement]]:
        # "Claim 1" is the one, and not every claim.
        named = [part for part in parts if part.keys] or [part for part in parts if part.kinds]
        return [
            (statement.object.held, statement)
            for statement in self._contents.statements
            if statement.label == label
            and statement.object.held is not None
            and (
                statement.subject.key in topic
                or any(self._joiner.is_end(part, statement.subject) for part in named)
            )
        ]

    # --- the most, the sum, the average

    def _aggregated(self, topic: frozenset[str]) -> Iterator[Worked]:
        for place, token in enumerate(self._parsed.tokens):
            kind = self._rules.aggregates.get(token.normal)
            if kind in ("sum", "average", "difference") and self._parsed.part_at(place) is None:
                if kind == "sum" and not self._adds_up(place):
                    continue
                yield self._total(place, kind)

    def _adds_up(self, place: int) -> bool:
        """Whether "total" means a sum: not in "a total of three genes", and not where there are no figures to add."""
        part = self._parsed.part_at(place + 2)
        is_count = self._parsed.normal(place + 1) == "of" and part is not None and part.counts
        return not is_count and any(len(valued) > 1 for _, valued in self._by_label())

    def _total(self, place: int, kind: str) -> Worked:
        sums = [item for item in self._by_label() if len(item[1]) > 1]
        for part in self._parsed.parts:
            number = part.quantity
            if not isinstance(number, Number):
                continue
            for _, valued in sums:
                value = _worked_out(kind, [held.number for held, _ in valued if held.number is not None])
                unit = valued[0][0].unit
                if value is not None and agrees(number, Held(value, unit), self._rules):
                    return Worked(
                        frozenset(item for _, item in valued), frozenset((part,)), ((place, place + 1),)
                    )
        return Worked(
            fault="the values add up to something else"
            if sums
            else f"no fact has values to work out the {kind}"
        )

    def _by_label(self) -> list[tuple[str, list[tuple[Held, Statement]]]]:
        """The values of what the sentence speaks of, by label: of the things named, else of all."""
        named = [part for part in self._parsed.parts if part.keys]
        labels = dict.fromkeys(
            item.label
            for occurrence in self._parsed.occurrences
            for item in occurrence.statements
            if item.object.held is not None and item.object.held.number is not None
        )
        found = []
        for label in labels:
            everyone = [
                (item.object.held, item)
                for item in self._contents.statements
                if item.label == label and item.object.held is not None
            ]
            own = self._values(named, label)
            found.append((label, own if len({item.subject.key for _, item in own}) > 1 else everyone))
        return found

    def _extremes(self) -> Iterator[Worked]:
        """ "Of the three, Sales has the most employees"; and what a row was chosen by."""
        language = self._rules.language
        for place, token in enumerate(self._parsed.tokens):
            word = token.normal
            if self._parsed.part_at(place) is not None:
                continue
            if word in language.superlatives:
                sign, words = language.superlatives[word]
            elif word in language.degrees:
                sign, words = (
                    language.degrees[word],
                    language.adjectives.get(self._parsed.normal(place + 1), ("most", ""))[1],
                )
            else:
                continue
            if self._parsed.normal(place - 1) in ("at",):
                continue
            after = self._parsed.normal(place + 1)
            is_degree = word in language.degrees
            # "The most expensive" says one thing in two words; "the most employees" is of what the noun says.
            last = place + 2 if is_degree and after in language.adjectives else place + 1
            measures = words.split() or ([after] if is_degree and after else [])
            yield self._extreme((place, last), sign, frozenset(measures))

    def _extreme(self, span: tuple[int, int], sign: str, measures: frozenset[str]) -> Worked:
        place = span[0]
        if chosen := self._chosen_by(sign, measures):
            return Worked(frozenset(chosen), frozenset(), (span,))
        if not self._is_limited():
            return Worked(fault=f"no fact says which of all is {self._parsed.tokens[place].text!r}")
        labels = {item.label for occurrence in self._parsed.occurrences for item in occurrence.statements}
        labels |= {
            item.label
            for item in self._contents.statements
            if any(self._relations.match(word, item.label) for word in measures)
        }
        for label in sorted(labels):
            valued = [
                (item.object.held, item)
                for item in self._contents.statements
                if item.label == label and item.object.held is not None
            ]
            if len(valued) < 2:
                continue
            best = (max if sign == "most" else min)(_size(held) for held, _ in valued)
            return self._best_of(valued, best, label, span)
        return Worked(fault="no fact gives values to compare")

    def _best_of(
        self, valued: Sequence[tuple[Held, Statement]], best: float, label: str, span: tuple[int, int]
    ) -> Worked:
        """Whether the thing named, and the figure given, are those of the extreme value."""
        chosen = [(held, item) for held, item in valued if _size(held) == best]
        named = [item for _, item in valued if self._is_named(item, but_all=True)]
        figures = [
            part for part in self._parsed.parts
            if isinstance(part.quantity, Number) and any(agrees(part.quantity, held, self._rules) for held, _ in valued)
        ]  # fmt: skip
        of_best = [
            part for part in figures
            if isinstance(part.quantity, Number) and any(agrees(part.quantity, held, self._rules) for held, _ in chosen)
        ]  # fmt: skip
        is_other = any(item.object.held is not None and _size(item.object.held) != best for item in named)
        if not (named or figures) or is_other or len(of_best) < len(figures):
            return Worked(fault="the values say otherwise")
        said = [
            (item.first, item.last)
            for item in self._parsed.occurrences
            if any(statement.label == label for statement in item.statements)
        ]
        parts = [part for part in self._parsed.parts if part.keys or part in of_best]
        return Worked(frozenset(item for _, item in valued), frozenset(parts), (span, *said))

    def _is_named(self, statement: Statement, *, but_all: bool = False) -> bool:
        """Whether the sentence names what a statement is about; not only as one of "the three"."""
        parts = [part for part in self._parsed.parts if part.keys]
        if but_all:
            alone = Counter((part.first, part.last) for part in parts)
            parts = [part for part in parts if alone[part.first, part.last] == 1]
        return any(self._joiner.is_end(part, statement.subject) for part in parts)

    def _is_limited(self) -> bool:
        """Whether the sentence speaks of what was listed and no more: "of the three"."""
        words = [token.normal for token in self._parsed.tokens]
        return any(
            word == "of" and set(words[place + 1 : place + 3]) & self._rules.totals_limited - {"the"}
            for place, word in enumerate(words)
        )

    def _chosen_by(self, sign: str, measures: frozenset[str]) -> list[Statement]:
        said = {statement for item in self._parsed.occurrences for statement in item.statements}
        found = []
        for content in self._contents.contents:
            # The cheapest of Anderson's parts is not the cheapest part, unless that is what was asked.
            if not all(f" {name} " in self._said for name in content.among):
                continue
            for extreme, label in content.extremes:
                is_meant = any(self._relations.match(word, label) for word in measures) or any(
                    statement.label == label for statement in said
                )
                # "The oldest" has the least date of birth, and the most years.
                is_age = "age" in measures and not _AGE_LABELS.isdisjoint(self._relations.words_of(label))
                wanted = {"most": "least", "least": "most"}[sign] if is_age else sign
                if extreme == wanted and is_meant:
                    found += [item for item in content.statements if self._is_named(item)]
        return found


def _worked_out(kind: str, numbers: Sequence[float]) -> float | None:
    if len(numbers) < 2:
        return None
    if kind == "sum":
        return math.fsum(numbers)
    if kind == "average":
        return math.fsum(numbers) / len(numbers)
    return abs(numbers[0] - numbers[1]) if len(numbers) == 2 else None


def _size(held: Held) -> float:
    """A value as a number that grows with it: days for moments."""
    if held.number is not None:
        return held.number
    return float(held.begin.toordinal()) if held.begin is not None else math.nan
