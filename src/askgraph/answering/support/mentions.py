"""Where a sentence names what facts speak of: by full name, a part of it, initials, an acronym, with a typo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import OSA

from .contents import Contents, End
from .rules import Rules
from .tokens import Token

_SHORTEST_WITH_TYPO = 7
_SHORTEST_PART = 3
_LONGEST_NAME = 16
_FEWEST_INITIALS = 2


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of tokens that names something: ``keys`` are the ends that it may be."""

    first: int
    last: int
    keys: frozenset[str]


class Names:
    """Every name that the facts have, for finding them in sentences."""

    def __init__(self, contents: Contents, rules: Rules) -> None:
        self._rules = rules
        self._ends = {key: end for key, end in contents.ends.items() if end.name}
        self._type_words = frozenset(
            word for end in contents.ends.values() for kind in end.types for word in kind.split()
        )
        self._by_first: dict[str, dict[tuple[str, ...], set[str]]] = {}
        for key, end in self._ends.items():
            if end.words and end.flag is None and not self._is_bare_number(end):
                self._add(end.words, key)
        self._add_parts()

    @staticmethod
    def _is_bare_number(end: End) -> bool:
        """Numbers and dates are compared by what they are worth, not by how they are written; long ones are names."""
        held = end.held
        return held is not None and not (
            held.number is not None and not held.unit and abs(held.number) >= 1e6
        )

    def _add(self, words: tuple[str, ...], key: str) -> None:
        self._by_first.setdefault(words[0], {}).setdefault(words, set()).add(key)

    def _add_parts(self) -> None:
        """Parts of names: the first or last words, where no other name has them, and acronyms."""
        parts: dict[tuple[str, ...], set[str]] = {}
        for key, end in self._ends.items():
            if end.held is None and end.flag is None:
                for part in self._parts(end.words):
                    parts.setdefault(part, set()).add(key)
        for part, keys in parts.items():
            if len(keys) == 1 and part not in self._by_first.get(part[0], {}):
                self._add(part, next(iter(keys)))

    def _parts(self, words: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
        if not 2 <= len(words) <= _LONGEST_NAME:
            return
        for size in range(1, len(words)):
            for part in (words[:size], words[len(words) - size :]):
                if self._tells(part):
                    yield part
        if words[-1].isalpha():
            yield (words[0][0], words[-1])
        initials = "".join(word[0] for word in words if word not in self._rules.function_words)
        if len(initials) > _FEWEST_INITIALS:
            yield (initials,)

    def _tells(self, part: tuple[str, ...]) -> bool:
        """Whether words are enough of a name: not only common ones, not only numbers."""
        own = [
            word for word in part
            if len(word) >= _SHORTEST_PART
            and word not in self._rules.function_words
            and word not in self._rules.units
            and word not in self._type_words
            and not word.isdigit()
        ]  # fmt: skip
        # A part does not end within "of the".
        return (bool(own) and part[-1] not in self._rules.function_words | {"s"}) or (
            bool(own) and part[-1] == "s" and len(part) > 1
        )

    def found_in(self, tokens: Sequence[Token]) -> list[Mention]:
        """The mentions of a sentence, the longest first where they overlap."""
        found: list[Mention] = []
        place = 0
        while place < len(tokens):
            mention = self._at(tokens, place)
            if mention is None:
                place += 1
            else:
                found.append(mention)
                place = mention.last
        return found

    def _at(self, tokens: Sequence[Token], place: int) -> Mention | None:
        token = tokens[place]
        candidates = self._by_first.get(token.normal)
        if candidates:
            for words in sorted(candidates, key=len, reverse=True):
                if self._stands(tokens, place, words):
                    found = Mention(place, place + len(words), frozenset(candidates[words]))
                    typed = None if words in self._whole else self._with_typo(tokens, place)
                    # "Charles Babbadge" is no other Charles.
                    return typed if typed is not None and typed.last > found.last else found
        singular = self._rules.language.singular(token.normal)
        if singular != token.normal and (singular,) in self._by_first.get(singular, {}):
            return Mention(place, place + 1, frozenset(self._by_first[singular][singular,]))
        return self._with_typo(tokens, place)

    def _stands(self, tokens: Sequence[Token], place: int, words: tuple[str, ...]) -> bool:
        last = place + len(words)
        if last > len(tokens) or any(
            token.normal != word for token, word in zip(tokens[place:last], words, strict=True)
        ):
            return False
        span = tokens[place:last]
        if len(words) == 1 and words not in self._whole:
            # A part of a name is written as a name.
            return span[0].is_capital
        return not any(token.before.strip("'’.-&/+@:(),") for token in span[1:])

    @cached_property
    def _whole(self) -> frozenset[tuple[str, ...]]:
        return frozenset(end.words for end in self._ends.values())

    def _with_typo(self, tokens: Sequence[Token], place: int) -> Mention | None:
        first = tokens[place].normal
        for words, keys in self._long_words.get(first[:1], ()):
            last = place + len(words)
            if (first != words[0] and not _is_typo(first, words[0])) or last > len(tokens):
                continue
            if all(
                token.normal == word or _is_typo(token.normal, word)
                for token, word in zip(tokens[place:last], words, strict=True)
            ):
                return Mention(place, last, keys)
        return None

    @cached_property
    def _long_words(self) -> Mapping[str, list[tuple[tuple[str, ...], frozenset[str]]]]:
        """Whole names with a word that is long enough to be mistyped, by their first letter."""
        found: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]] = {}
        for first, candidates in self._by_first.items():
            for words, keys in sorted(candidates.items()):
                if words in self._whole and any(len(word) >= _SHORTEST_WITH_TYPO for word in words):
                    found.setdefault(first[0], []).append((words, frozenset(keys)))
        return found


def _is_typo(word: str, other: str) -> bool:
    if len(other) < _SHORTEST_WITH_TYPO or abs(len(word) - len(other)) > 1 or word[0] != other[0]:
        return False
    if any(character.isdigit() for character in word + other):
        return False
    return OSA.distance(word, other, score_cutoff=1) == 1
