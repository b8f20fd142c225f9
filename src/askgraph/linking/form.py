"""What a question wants, read from its words by the rules of its language: how many, the most, those over …

Only the form is read here; which property "cheapest" or "under 20 euro" speaks of is found later, in the schema.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..core.plan import AggregateFunction
from .comparisons import (
    Comparison,
    NameComparison,
    OwnComparison,
    read_comparisons,
    read_name_comparison,
    read_own_comparison,
)
from .form_words import FormWords
from .language import AskedKind, Extreme, Language
from .question import Question

# A question word says what is asked for if it is among the first.
_LATEST_QUESTION_WORD = 3


@dataclass(frozen=True, slots=True)
class Superlative:
    """The ``limit`` ends of a scale, without the first ``skip`` of them. ``words`` speak of the property; if empty, the
    words of the question do. ``place`` is the last of its own words: what follows may be what is measured. ``share``:
    not so many, but such a part of all ("the top 10 %").
    """

    extreme: Extreme
    words: tuple[str, ...]
    limit: int = 1
    place: int = 0
    skip: int = 0
    share: float | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much something differs in two things that are named. ``words`` speak of the property; empty: the words of
    the question do. ``is_less``: the first is said to have less of it; ``is_signed``: that it has more is no matter of
    course."""

    words: tuple[str, ...]
    is_less: bool = False
    is_signed: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """What a question wants.

    Attributes:
        counts: it asks how many; ``count_place`` is where, ``counted`` the first word of what is counted.
        asks_how_much: it asks how much, so that what it counts may be one number.
        is_yes_no: it is answered by yes or no.
        superlative: it asks for the ends of a scale.
        comparisons: bounds that it sets by numbers and times.
        than: the bound that it sets by what something named has.
        negated: it asks for what something is not true of; ``negation_place`` is where it says so.
        asked_kind: what its question word wants as an answer ("when": a time).
        asks_connection: it asks whether things are connected at all.
        asks_by_noun: a noun says what is asked for ("who is the manager").
        relates: a word that names nothing speaks of a relation ("what does Ada belong to").
        asked_for: words for what its question word asks for ("who": a person).
        asked_marks: words for what only such things have ("who": a birth).
        aggregate: it asks for one figure made of many values; ``aggregate_place`` is the last of its words.
        is_of_counts: the figure is of numbers of things ("the average number of ships").
        groups: the place of the word after "for each", "per" and the like, or ``None``.
        by_places: the places of the words after "by": what rows may be grouped or listed by.
        chooses: it begins by asking which of some things are meant.
        clause_places: where a relative clause or the like begins, which says what things must have.
        listing_places: where something begins that is asked for beside the things themselves ("and their phones").
        of_places: where words stand that tie a noun to the next ("of").
        share: of some things such a part is asked for as meets a condition: 1 as a fraction, 100 in percent.
        difference: it asks by how much two things differ.
        own: the bound that it sets by another property of the same things.
        used: places of the words that the form is made of, and that name nothing.
    """

    counts: bool = False
    asks_how_much: bool = False
    count_place: int | None = None
    counted: int | None = None
    is_yes_no: bool = False
    superlative: Superlative | None = None
    comparisons: tuple[Comparison, ...] = ()
    than: NameComparison | None = None
    negated: bool = False
    negation_place: int | None = None
    asked_kind: AskedKind | None = None
    asks_by_noun: bool = False
    relates: bool = False
    asks_connection: bool = False
    asked_for: tuple[str, ...] = ()
    asked_marks: tuple[str, ...] = ()
    aggregate: AggregateFunction | None = None
    aggregate_place: int | None = None
    is_of_counts: bool = False
    groups: int | None = None
    by_places: tuple[int, ...] = ()
    chooses: bool = False
    clause_places: tuple[int, ...] = ()
    listing_places: tuple[int, ...] = ()
    of_places: tuple[int, ...] = ()
    share: int | None = None
    difference: Difference | None = None
    own: OwnComparison | None = None
    used: frozenset[int] = frozenset()

    @property
    def asks_nothing(self) -> bool:
        """Whether it asks nothing of what is named, so that this itself is meant: "Who is Ada?"."""
        asks = (self.counts, self.superlative, self.comparisons, self.than, self.negated, self.is_yes_no)
        figures = (self.aggregate, self.groups is not None, self.relates)
        return not any(asks) and not any(figures) and self.asked_kind in (None, "node")


def read_form(question: Question, rules: Language, taken: frozenset[int] = frozenset()) -> Form:
    """Read the form of a question. ``taken`` are places of words that belong to names, and so not to the form."""
    return _Reader(FormWords(question, rules, taken)).read()


class _Reader:
    def __init__(self, words: FormWords) -> None:
        self._words = words
        self._rules = words.rules

    def read(self) -> Form:
        words, rules = self._words, self._rules
        difference = self._read_difference()
        share = self._read_share()
        own = read_own_comparison(words)
        count = self._read_count()
        comparisons = read_comparisons(words)
        than = None if difference is not None else read_name_comparison(words)
        superlative = self._read_superlative() or self._read_choice(than is not None)
        aggregate = self._read_aggregate(is_count=count is not None)
        groups = self._read_group()
        by_places = self._read_by_places()
        negation = self._negation_place()
        question_word = self._question_word()
        return Form(
            counts=count is not None,
            asks_how_much=count is not None and words.word(count[0] + 1) in rules.much_words,
            count_place=count[0] if count else None,
            counted=count[1] if count else None,
            is_yes_no=words.word(0) in rules.yes_no_words,
            superlative=superlative,
            comparisons=comparisons,
            than=than,
            negated=negation is not None,
            negation_place=negation,
            asked_kind=rules.asked_kinds.get(question_word),
            asks_connection=any(word in rules.connection_words for word in words.words),
            asks_by_noun=words.word(1) in rules.be_words,
            relates=any(word in rules.weak_words for word in words.words),
            asked_for=tuple(rules.asked.get(question_word, "").split()),
            asked_marks=tuple(rules.asked_marks.get(question_word, "").split()),
            aggregate=aggregate[0] if aggregate else None,
            aggregate_place=aggregate[1] if aggregate else None,
            is_of_counts=aggregate is not None and aggregate[2],
            groups=groups,
            by_places=by_places,
            chooses=any(word in rules.choosing_words for word in words.words[:_LATEST_QUESTION_WORD]),
            clause_places=tuple(place for place in range(1, len(words)) if self._begins_clause(place)),
            listing_places=tuple(place for place in range(len(words)) if self._begins_listing(place)),
            of_places=tuple(place for place, word in enumerate(words.words) if word in rules.of_words),
            share=share,
            difference=difference,
            own=own,
            used=frozenset(words.used),
        )

    def _begins_clause(self, place: int) -> bool:
        rules, word = self._rules, self._words.words[place]
        if word in rules.with_words:
            return self._words.word(place + 1) in rules.articles or place + 1 in self._words.used
        return word in rules.clause_words

    def _begins_listing(self, place: int) -> bool:
        rules, word = self._rules, self._words.words[place]
        if word in rules.with_words:
            return not self._begins_clause(place)
        return word in rules.listing_words

    def _read_share(self) -> int | None:
        """What a part of some things is asked for as: 1 or 100."""
        words, rules = self._words, self._rules
        for phrases, whole in ((rules.share_phrases, 1), (rules.percentage_phrases, 100)):
            for place in range(len(words)):
                found = words.phrase_at(place, phrases)
                if found is not None:
                    words.use(range(place, place + found[1]))
                    return whole
        return None

    def _read_difference(self) -> Difference | None:
        """ "How much longer did A last than B", "the difference in length between A and B"."""
        words, rules = self._words, self._rules
        for place in range(len(words)):
            found = words.phrase_at(place, rules.difference_phrases)
            if found is not None:
                words.use(range(place, place + found[1]))
                return Difference((), is_signed=False)
            found = words.phrase_at(place, rules.count_questions)
            if found is None:
                continue
            than = next((at for at in range(place, len(words)) if words.words[at] in rules.than_words), None)
            compared = words.word(place + found[1])
            sign, own = rules.comparatives.get(compared, (None, ""))
            if sign is None:
                sign = next(
                    (rules.comparators.get(f"{compared} {word}") for word in sorted(rules.than_words)), None
                )
            if sign is not None and than is not None and words.is_taken(words.skip_stop_words(than + 1)):
                words.use([*range(place, place + found[1] + 1), than])
                return Difference(tuple(own.split()), is_less=sign in ("<", "<="))
        return None

    def _question_word(self) -> str:
        """The word that asks, before anything is named: "who" in "tell me who", not in "captains who"."""
        words = self._words
        for place in range(min(_LATEST_QUESTION_WORD, len(words))):
            if words.words[place] in self._rules.asked:
                return words.words[place]
            if words.is_taken(place) or not words.is_stop[place]:
                break
        return ""

    def _read_count(self) -> tuple[int, int] | None:
        words = self._words
        for place in range(len(words)):
            found = words.phrase_at(place, self._rules.count_questions)
            # In "the phone number of Ada" a number is asked for, and nothing is counted.
            if found is None and (place == 0 or self._rules.is_filler(words.words[place - 1])):
                found = words.phrase_at(place, self._rules.count_phrases)
            if found is not None:
                behind = place + found[1]
                words.use(range(place, behind))
                return place, words.skip_stop_words(behind)
        return None

    def _negation_place(self) -> int | None:
        words = self._words
        places = (place for place, word in enumerate(words.words) if word in self._rules.negations)
        found = next((place for place in places if words.is_free(place)), None)
        if found is not None:
            words.use([found])
        return found

    def _read_superlative(self) -> Superlative | None:
        words, rules = self._words, self._rules
        for place, word in enumerate(words.words):
            if not words.is_free(place):
                continue
            if word in rules.superlatives and not self._is_verb(place):
                extreme, own = rules.superlatives[word]
                return self._superlative(place, place, extreme, tuple(own.split()))
            if self._compares_adjectives(place):
                continue
            if word in rules.degrees and f"{words.word(place - 1)} {word}" not in rules.comparators:
                adjective = words.word(place + 1) if words.is_free(place + 1) else ""
                much, own = rules.adjectives.get(adjective, ("most", ""))
                last = place + 1 if own else place
                # The least cheap is the most expensive.
                extreme = "most" if rules.degrees[word] == much else "least"
                return self._superlative(place, last, extreme, tuple(own.split()))
        return None

    def _is_verb(self, place: int) -> bool:
        """Whether a word is no superlative but a verb: "how long did it last", "last more than two hours"."""
        words, rules = self._words, self._rules
        if words.words[place] not in rules.verbs_like_superlatives:
            return False
        behind = words.word(place + 1)
        return not behind or any(
            phrase.split()[0] == behind for phrase in (*rules.comparators, *rules.than_words)
        )

    def _compares_adjectives(self, place: int) -> bool:
        """Spanish says "mas anchos que altos" for wider than tall, and "el mas ancho" for the widest."""
        words, rules = self._words, self._rules
        is_compared = words.word(place + 2) in rules.than_words
        return is_compared and all(words.word(at) in rules.adjectives for at in (place + 1, place + 3))

    def _read_choice(self, is_compared: bool) -> Superlative | None:
        """ "Which is bigger, Ada or Bob?" asks for the one at the end of a scale."""
        words, rules = self._words, self._rules
        if is_compared or not any(word in rules.alternatives for word in words.words):
            return None
        for place, word in enumerate(words.words):
            if not words.is_free(place):
                continue
            than = next((f"{word} {than}" for than in sorted(rules.than_words)), "")
            sign, own = rules.comparatives.get(word, (rules.comparators.get(than), ""))
            if sign is not None:
                words.use([place])
                return Superlative(
                    "most" if sign in (">", ">=") else "least", tuple(own.split()), place=place
                )
        return None

    def _superlative(self, place: int, last: int, extreme: Extreme, own: tuple[str, ...]) -> Superlative:
        words = self._words
        words.use(range(place, last + 1))
        share = self._share_at(last + 1)
        limit, skip = (1, 0) if share is not None else self._limit(place, last)
        measures = self._rules.number_of_phrases | self._rules.amount_of_phrases
        counted = words.phrase_at(last + 1, measures)
        if counted is not None:
            # "The highest number of berths": what is measured is said, whatever the adjective speaks of.
            words.use(range(last + 1, last + 1 + counted[1]))
            return Superlative(extreme, (), limit, last + counted[1], skip, share)
        # "The top 5 suppliers with best average reliability": the first gives the number, the second the scale.
        for later in range(last + 1, len(words)):
            if not own and words.is_free(later) and words.words[later] in self._rules.superlatives:
                second, others = self._rules.superlatives[words.words[later]]
                words.use([later])
                return Superlative(second, tuple(others.split()), limit, later, skip, share)
        return Superlative(extreme, own, limit, last, skip, share)

    def _share_at(self, place: int) -> float | None:
        """The part of all that a number in percent is, as 0.1 for "10 %"."""
        words = self._words
        number = words.number_at(place)
        if number is None:
            return None
        behind = place + number[1]
        says_percent = words.word(behind) in self._rules.percent_words
        if not says_percent and behind - 1 not in words.percents:
            return None
        words.use(range(place, behind + says_percent))
        return number[0] / 100

    def _limit(self, place: int, last: int) -> tuple[int, int]:
        """How many are asked for, and how many are passed over: "the 5 cheapest", "the second cheapest"."""
        words = self._words
        if words.is_free(place - 1) and words.word(place - 1) in self._rules.ordinals:
            words.use([place - 1])
            return 1, self._rules.ordinals[words.word(place - 1)] - 1
        for near in (last + 1, place - 1):
            number = words.number_at(near)
            if number is not None and isinstance(number[0], int) and number[0] > 0:
                words.use(range(near, near + number[1]))
                return number[0], 0
        return self._number_of_things(place), 0

    def _number_of_things(self, last: int) -> int:
        """ "The two ships with the highest tonnage": a number before what is asked for, ahead of the superlative."""
        words = self._words
        for place in range(last):
            number = words.number_at(place)
            if number is None or not isinstance(number[0], int) or number[0] < 1:
                continue
            behind = place + number[1]
            if words.is_taken(behind) and (place == 0 or words.is_stop[place - 1]):
                words.use(range(place, behind))
                return number[0]
        return 1

    def _read_aggregate(self, *, is_count: bool) -> tuple[AggregateFunction, int, bool] | None:
        """The function, the last of its words, and whether it is of numbers of things."""
        words, rules = self._words, self._rules
        known = {**rules.aggregates, **rules.counted_aggregates} if is_count else rules.aggregates
        for place in range(len(words)):
            found = words.phrase_at(place, known)
            if found is not None:
                last = place + found[1]
                words.use(range(place, last))
                counted = words.phrase_at(last, rules.number_of_phrases)
                if counted is not None:
                    last += counted[1]
                    words.use(range(place, last))
                return known[found[0]], last - 1, counted is not None
        return None

    def _read_group(self) -> int | None:
        words = self._words
        for place in range(len(words)):
            found = words.phrase_at(place, self._rules.group_phrases)
            if found is None:
                continue
            behind = words.skip_stop_words(place + found[1])
            if behind < len(words) and words.word(place + found[1]) not in self._rules.not_grouped:
                words.use(range(place, place + found[1]))
                return behind
        return None

    def _read_by_places(self) -> tuple[int, ...]:
        words = self._words
        return tuple(
            words.skip_stop_words(place + 1)
            for place, word in enumerate(words.words)
            if word in self._rules.by_words
            and words.is_free(place)
            and words.word(place - 1) not in self._rules.sort_words
            and place + 1 < len(words)
        )
