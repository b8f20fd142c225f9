"""A sentence taken apart: what it names, which quantities it gives, and which words of it speak of relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from .contents import Contents, Statement
from .mentions import Mention, Names
from .quantities import Number, Quantity, quantities_of
from .relations import Match, Relations, statements_saying
from .rules import Rules
from .tokens import Token, is_noun, places_of, plain_text, tokens_of, with_phrases


@dataclass(frozen=True, slots=True)
class Part:
    """Something that a sentence names: ends by their keys, nodes of a type, a quantity, or so many of a type.

    ``first`` and ``last`` are its tokens, half-open. A number ``is_of_things`` if it stands before what it may count.
    """

    first: int
    last: int
    keys: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    quantity: Quantity | None = None

    is_of_things: bool = False

    @property
    def counts(self) -> bool:
        """Whether it may be a number of things, and no measure."""
        return self.is_of_things and isinstance(self.quantity, Number) and not self.quantity.unit


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Words side by side that speak of a relation, and the statements whose label they say."""

    first: int
    last: int
    statements: Mapping[Statement, Match]


@dataclass
class Parsed:
    """A sentence taken apart.

    Attributes:
        text: without Markdown.
        tokens: its words.
        parts: what it names, in order.
        groups: parts that stand together ("A, B and C"), in order; each a range of ``parts``.
        occurrences: its words for relations, in order.
        covered: for each token whether something accounts for it.
    """

    text: str
    tokens: list[Token]
    parts: list[Part]
    groups: list[list[Part]]
    occurrences: list[Occurrence]
    covered: list[bool] = field(default_factory=list)

    def group_before(self, place: int) -> list[Part]:
        """The nearest group that ends at a place or before it."""
        return next((group for group in reversed(self.groups) if group[-1].last <= place), [])

    def group_after(self, place: int) -> list[Part]:
        """The nearest group that begins at a place or behind it."""
        return next((group for group in self.groups if group[0].first >= place), [])

    def part_at(self, place: int) -> Part | None:
        """The part that a token belongs to."""
        return next((part for part in self.parts if part.first <= place < part.last), None)

    def group_of(self, part: Part) -> list[Part]:
        """The group that a part belongs to."""
        return next(group for group in self.groups if part in group)

    def normal(self, place: int) -> str:
        """The normal form of a token; empty beyond the sentence."""
        return self.tokens[place].normal if 0 <= place < len(self.tokens) else ""

    def cover(self, first: int, last: int) -> None:
        """Account for some tokens."""
        self.covered[first:last] = [True] * (last - first)


class Parser:
    """Takes sentences apart by the names that some facts have."""

    def __init__(self, contents: Contents, names: Names, relations: Relations, rules: Rules) -> None:
        self._contents = contents
        self._names = names
        self._relations = relations
        self._rules = rules
        kinds = sorted({kind for end in contents.ends.values() for kind in end.types if kind})
        # The last word of a type's label says what it is: a loss reserve is a reserve.
        self._kinds = [(kind, rules.language.singular(kind.split()[-1])) for kind in kinds]
        self._known_kinds: dict[str, frozenset[str]] = {}

    def parse(self, text: str) -> Parsed:
        """Take a sentence apart."""
        plain = plain_text(text)
        tokens = tokens_of(plain)
        mentions = self._names.found_in(tokens)
        taken = [False] * len(tokens)
        for mention in mentions:
            taken[mention.first : mention.last] = [True] * (mention.last - mention.first)
        quantities = quantities_of(plain, tokens, taken, self._rules)
        for quantity in quantities:
            taken[quantity.first : quantity.last] = [True] * (quantity.last - quantity.first)
        tokens = with_phrases(tokens, self._rules.phrases, taken)
        parts = [self._of_mention(mention) for mention in mentions]
        parts += [Part(item.first, item.last, quantity=item) for item in quantities]
        occurrences = self._occurrences(tokens, taken)
        used = [*taken]
        for occurrence in occurrences:
            used[occurrence.first : occurrence.last] = [True] * (occurrence.last - occurrence.first)
        parts += self._types(tokens, used)
        parts = [part for item in parts for part in self._all_of(item, tokens, occurrences)]
        followed = {part.first for part in parts if part.kinds} | {item.first for item in occurrences}
        parts = [
            replace(part, is_of_things=part.quantity is not None and part.last in followed) for part in parts
        ]
        parts.sort(key=lambda part: (part.first, sorted(part.keys)))
        parsed = Parsed(plain, tokens, parts, self._groups(tokens, parts), occurrences)
        parsed.covered = [token.normal == "" for token in tokens]
        for part in parts:
            parsed.cover(part.first, part.last)
        for occurrence in occurrences:
            parsed.cover(occurrence.first, occurrence.last)
        return parsed

    def _of_mention(self, mention: Mention) -> Part:
        """With what a value names: a policy number stands for its policy, where only one has it."""
        keys = set(mention.keys)
        for key in mention.keys:
            subjects = self._contents.subjects_of_values.get(key, frozenset())
            if len(subjects) == 1 and key in self._contents.naming_values(self._rules.grammar["naming"]):
                keys |= subjects
        return Part(mention.first, mention.last, frozenset(keys))

    def _all_of(self, part: Part, tokens: Sequence[Token], occurrences: Sequence[Occurrence]) -> list[Part]:
        """ "All three", "the two", "both": each of so many things that the facts are about."""
        number = part.quantity
        before = tokens[part.first - 1].normal if part.first else ""
        after = tokens[part.last].normal if part.last < len(tokens) else ""
        is_listed = before in self._rules.limited_by and (not after or after in self._rules.function_words or any(
            occurrence.first == part.last and not is_noun(after, self._rules) for occurrence in occurrences
        ))  # fmt: skip
        if not (isinstance(number, Number) and is_listed and not number.unit and not number.bound):
            return [part]
        for subjects in (self._contents.subjects, self._contents.objects):
            if len(subjects) == number.value:
                return [Part(part.first, part.last, frozenset([key])) for key in sorted(subjects)]
        return [part]

    # --- words for types and relations

    def _types(self, tokens: Sequence[Token], taken: Sequence[bool]) -> list[Part]:
        found = []
        for place, token in enumerate(tokens):
            if not taken[place]:
                kinds = self.kinds_of(token.normal)
                if kinds:
                    found.append(Part(place, place + 1, kinds=kinds))
        return found

    def kinds_of(self, word: str) -> frozenset[str]:
        """The types of nodes of the facts that a word means."""
        if word not in self._known_kinds:
            self._known_kinds[word] = self._kinds_of(word)
        return self._known_kinds[word]

    def _kinds_of(self, word: str) -> frozenset[str]:
        if word in self._rules.function_words:
            return frozenset()
        singular = self._rules.language.singular(word)
        types = self._rules.types
        wanted = {singular} | types.get(singular, frozenset()) | types.get(word, frozenset())
        return frozenset(kind for kind, head in self._kinds if head in wanted)

    def _occurrences(self, tokens: Sequence[Token], taken: Sequence[bool]) -> list[Occurrence]:
        found: list[Occurrence] = []
        for place in range(len(tokens)):
            if taken[place] or not tokens[place].normal:
                continue
            word = tokens[place].normal
            before = self._compound(found, tokens, place)
            if before is not None:
                found[-1] = before
                continue
            if not self._may_say(tokens, place, taken):
                continue
            statements = statements_saying([word], self._contents.statements, self._relations)
            if statements:
                found.append(self._with_words_before(Occurrence(place, place + 1, statements), tokens, taken))
        return found

    def _with_words_before(
        self, occurrence: Occurrence, tokens: Sequence[Token], taken: Sequence[bool]
    ) -> Occurrence:
        """With the words of a compound that say nothing alone: the "loss" of a "loss reserve"."""
        while occurrence.first > 0:
            place = occurrence.first - 1
            word = tokens[place].normal
            if taken[place] or not word or word in self._rules.function_words or tokens[place + 1].before:
                break
            words = [token.normal for token in tokens[place : occurrence.last] if token.normal]
            together = statements_saying(words, self._contents.statements, self._relations)
            if not together:
                break
            occurrence = Occurrence(place, occurrence.last, together)
        return occurrence

    def _compound(
        self, found: Sequence[Occurrence], tokens: Sequence[Token], place: int
    ) -> Occurrence | None:
        """The words before together with this one, where a label has them all: "loss payment", "area of expertise"."""
        if (
            not found
            or tokens[place].before not in ("", "-")
            or tokens[place].normal in self._rules.function_words
        ):
            return None
        last = found[-1]
        between = [token.normal for token in tokens[last.last : place]]
        if between not in ([], ["of"]):
            return None
        words = [token.normal for token in tokens[last.first : place + 1] if token.normal not in ("", "of")]
        together = statements_saying(words, self._contents.statements, self._relations)
        if between:
            together = {
                item: match
                for item, match in together.items()
                if "of" in self._relations.words_of(item.label)
            }
        return Occurrence(last.first, place + 1, together) if together else None

    def _may_say(self, tokens: Sequence[Token], place: int, taken: Sequence[bool]) -> bool:
        """Whether a token may be a word for a relation: no little word, and no type of the nodes that it stands by."""
        word = tokens[place].normal
        if not word or word in self._rules.function_words or word in self._rules.negations:
            return False
        kinds = self.kinds_of(word)
        if not kinds:
            return True
        if place and all(tokens[place - 1].normal in kind.split()[:-1] for kind in kinds):
            # "Loss reserve" is the name of a type, and of a relation if there is one.
            return True
        after = tokens[place + 1].normal if place + 1 < len(tokens) else ""
        before = tokens[place - 1] if place else None
        if 0 < place < len(tokens) - 1 and taken[place - 1] and taken[place + 1]:
            return True
        grammar = self._rules.grammar
        start = place
        while start > 0 and not taken[start - 1] and self.kinds_of(tokens[start - 1].normal):
            # "Has product manager": both are types, and together a relation.
            start -= 1
        before = tokens[start - 1] if start else None
        if after in grammar["of_words"] or (before is not None and before.is_possessive):
            return True
        return before is not None and before.normal in grammar["possessives"] | grammar["have"]

    def _groups(self, tokens: Sequence[Token], parts: Sequence[Part]) -> list[list[Part]]:
        groups: list[list[Part]] = []
        for part in parts:
            before = groups[-1][0].quantity if groups else None
            if part.keys and isinstance(before, Number) and before.is_year and len(groups[-1]) > 1:
                # "The 1999 film The Matrix": the year tells more of it, and is none of a list.
                groups[-1:] = [groups[-1][:1], groups[-1][1:]]
            if groups and self._stand_together(tokens, groups[-1], part):
                groups[-1].append(part)
            else:
                groups.append([part])
        return groups

    def _stand_together(self, tokens: Sequence[Token], group: Sequence[Part], other: Part) -> bool:
        one = group[-1]
        named = next((part for part in reversed(group) if part.keys), None)
        if named is not None and other.keys and named.first != other.first:
            # Names in a list have a comma or "and" between them.
            listed = tokens[named.last : other.first + 1]
            if not any("," in token.before or "&" in token.before for token in listed) and not any(
                token.normal in self._rules.grammar["coordinators"] for token in listed[:-1]
            ):
                return False
        if (one.quantity is None) != (other.quantity is None) and (one.keys or other.keys):
            # "0.85 EUR and the Sensor 1.2 EUR": a figure and a name are no list.
            return False
        between = tokens[one.last : other.first]
        grammar = self._rules.grammar
        joining = (
            grammar["coordinators"]
            | (grammar["determiners"] - grammar["possessives"])
            | grammar["titles"]
            | {"a"}
        )
        if not all(token.normal in joining for token in between):
            return False
        marks = [token.before for token in tokens[one.last : other.first + 1]]
        return all(mark.strip("\"'“”‘’*()[]") in ("", ",", "-", "&") for mark in marks)


def speaks_of_itself(text: str, rules: Rules) -> bool:
    """Whether a sentence only says what the facts do not."""
    return any(True for _ in places_of(tokens_of(plain_text(text)), rules.missing_phrases))
