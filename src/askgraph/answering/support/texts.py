"""Whether a text says what a sentence says, for facts that are texts: sentences of documents, reports.

A text has no statements to go by. So every word of the sentence that says something must stand in one and the same
text (or a word like it), with the same negations, the same numbers, and in the same order about its verb.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .contents import Content
from .quantities import Number, Quantity, agrees, held_of, quantities_of
from .relations import Relations
from .rules import Rules
from .tokens import Token, is_noun, is_participle, places_of, plain_text, tokens_of

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[\"“(]?\w)")
_NEAR = 8


class TextSupport:
    """Compares sentences with texts."""

    def __init__(self, relations: Relations, rules: Rules) -> None:
        self._relations = relations
        self._rules = rules

    def fault(self, sentence: str, content: Content) -> str:
        """What a sentence says that a text does not; empty where the text says it all."""
        faults = [
            self._fault_in(sentence, part) for part in (*_SENTENCE_END.split(content.text), content.text)
        ]
        return min(faults, key=len) if "" in faults else faults[-1]

    def _fault_in(self, sentence: str, text: str) -> str:
        said, held = tokens_of(plain_text(sentence)), tokens_of(plain_text(text))
        words = self._content(said)
        own = [token.normal for token in held]
        numbers = quantities_of(plain_text(sentence), said, [False] * len(said), self._rules)
        counted = {place for item in numbers for place in range(item.first, item.last)}
        for place, token in words:
            if place not in counted and not self._has(token.normal, own):
                return f"no fact says {token.text!r}"
        missing = self._missing_number(numbers, text, held)
        if missing is not None:
            shown = " ".join(token.text for token in said[missing.first : missing.last])
            return f"no fact has {shown}"
        if self._is_negated(said) != self._is_negated_near(words, held):
            return "the facts say the opposite"
        if self._is_turned(said, held):
            return "the facts say it the other way round"
        return self._torn(said, held, counted) or self._misplaced(said, held, numbers)

    def _torn(self, said: Sequence[Token], held: Sequence[Token], counted: set[int]) -> str:
        """Whether words that stand side by side as a name stand apart in the text: "British soldiers" of "French
        soldiers" and "the British Museum"."""
        little = self._rules.function_words | self._rules.hedges
        own = [token.normal for token in held]
        for place, token in enumerate(said[:-1]):
            other = said[place + 1]
            is_pair = (
                token.is_capital
                and other.normal not in little
                and not other.before
                and place + 1 not in counted
            )
            if not is_pair or token.normal in little or place in counted or self._is_verb(other):
                continue
            beside = {
                near
                for at, word in enumerate(own) if word == token.normal
                for near in own[at + 1 : at + 3]
            }  # fmt: skip
            if not self._has(other.normal, sorted(beside)):
                return f"no fact names '{token.text} {other.text}'"
        return ""

    def _is_verb(self, token: Token) -> bool:
        word, grammar = token.normal, self._rules.grammar
        is_present = word.endswith("s") and not token.is_capital and not is_noun(word, self._rules)
        return is_participle(word, self._rules) or word in grammar["past"] or is_present

    def _content(self, tokens: Sequence[Token]) -> list[tuple[int, Token]]:
        little = self._rules.function_words | self._rules.hedges | self._rules.negations
        return [(place, token) for place, token in enumerate(tokens) if token.normal not in little]

    def _has(self, word: str, own: Sequence[str]) -> bool:
        return any(self._relations.match(word, other) is not None for other in own)

    def _missing_number(
        self, numbers: Sequence[Quantity], text: str, held: Sequence[Token]
    ) -> Quantity | None:
        theirs = quantities_of(plain_text(text), held, [False] * len(held), self._rules)
        for item in numbers:
            if not any(self._is_same(item, other, held) for other in theirs):
                return item
        return None

    def _is_same(self, quantity: Quantity, other: Quantity, held: Sequence[Token]) -> bool:
        if isinstance(other, Number):
            value = held_of(other.value, "", self._rules)
            if value is not None and other.unit:
                value = held_of(f"{other.value} {other.unit}", "", self._rules)
            return value is not None and agrees(quantity, value, self._rules)
        value = held_of(other.begin.isoformat(), "", self._rules) if other.begin == other.end else None
        return value is not None and agrees(quantity, value, self._rules)

    # --- negation, direction, dates

    def _is_negated(self, tokens: Sequence[Token]) -> bool:
        spared = {
            place + offset
            for place, phrase in places_of(tokens, self._rules.no_negations)
            for offset in range(len(phrase))
        }
        return any(
            token.normal in self._rules.negations and place not in spared
            for place, token in enumerate(tokens)
        )

    def _is_negated_near(self, words: Sequence[tuple[int, Token]], held: Sequence[Token]) -> bool:
        """Whether a negation of the text belongs to what the sentence speaks of."""
        said = [token.normal for _, token in words]
        last = max(
            (place for place, token in enumerate(held) if self._has(token.normal, said)), default=len(held)
        )
        first = min((place for place, token in enumerate(held) if self._has(token.normal, said)), default=0)
        return self._is_negated(held[max(0, first - 1) : last + 1])

    def _is_turned(self, said: Sequence[Token], held: Sequence[Token]) -> bool:
        """Whether what stands on the two sides of a verb has changed places."""
        for place, token in enumerate(said):
            if not self._is_verb(token):
                continue
            for at, other in enumerate(held):
                if self._relations.match(token.normal, other.normal) is None:
                    continue
                mine, theirs = self._around(said, place), self._around(held, at)
                same = len(mine[0] & theirs[0]) + len(mine[1] & theirs[1])
                crossed = len(mine[0] & theirs[1]) + len(mine[1] & theirs[0])
                if crossed > same:
                    return True
                break
        return False

    def _around(self, tokens: Sequence[Token], place: int) -> tuple[frozenset[str], frozenset[str]]:
        """The words on the doer's side of a verb, and on the other."""
        left = frozenset(
            self._rules.language.stem(token.normal) for _, token in self._content(tokens[:place])
        )
        right = frozenset(
            self._rules.language.stem(token.normal) for _, token in self._content(tokens[place + 1 :])
        )
        following = [token.normal for token in tokens[place + 1 : place + 3]]
        is_passive = any(word in self._rules.grammar["agents"] for word in following)
        return (right, left) if is_passive else (left, right)

    def _misplaced(self, said: Sequence[Token], held: Sequence[Token], numbers: Sequence[Quantity]) -> str:
        """Whether a date or number belongs to another verb of the text: found in 1799, on display since 1802."""
        theirs = quantities_of(" ".join(token.text for token in held), held, [False] * len(held), self._rules)
        if len(theirs) < 2:
            return ""
        verbs = [
            token.normal for place, token in self._content(said)
            if is_participle(token.normal, self._rules) or token.normal in self._rules.grammar["past"]
        ]  # fmt: skip
        for item in numbers:
            places = [other.first for other in theirs if self._is_same(item, other, held)]
            for verb in verbs[-1:]:
                spoken = [at for at, token in enumerate(held) if self._relations.match(verb, token.normal)]
                if spoken and places and not self._belongs(spoken[0], places, theirs, held):
                    return "the facts give another figure for it"
        return ""

    def _belongs(
        self, verb: int, places: Sequence[int], theirs: Sequence[Quantity], held: Sequence[Token]
    ) -> bool:
        nearest = next((other.first for other in theirs if other.first > verb), None)
        return nearest is None or nearest in places
