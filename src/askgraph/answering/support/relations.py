"""Whether a word says what a relation's label says, and which end of the relation it speaks of.

Every relation has two ends, and every word for it makes one of them the doer: who manages, is the manager of, or is
what somebody has as manager. A label and a sentence say the same if they have the same doer. Which side of a word its
doer stands on is decided here for labels; for sentences, in :mod:`askgraph.answering.support.clauses`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.words import human_label, normalize
from ...models.base import Embedder
from .contents import Statement
from .rules import Rules
from .tokens import is_noun, is_participle

if TYPE_CHECKING:
    from numpy.typing import NDArray


# "runtime (minutes)" is a runtime.
_WITH_UNIT = re.compile(r"(?<=\S)\s*[(\[][^)\]]*[)\]]\s*$")


@dataclass(frozen=True, slots=True)
class Match:
    """A word that says a label.

    Attributes:
        subject_acts: whether the doer is the label's subject; ``None`` where either end may be, or nobody can tell.
        is_enough: whether the word says it alone: "manager" of "product manager" does, "product" does not.
    """

    subject_acts: bool | None
    is_enough: bool = True


class Relations:
    """Matches words with labels.

    Args:
        rules: of the language of both.
        embedder: for words that neither rules nor stems join with a label; ``None``: those match nothing.
        labels: the labels that there are; their words are embedded all at once.
    """

    def __init__(self, rules: Rules, embedder: Embedder | None = None, labels: Sequence[str] = ()) -> None:
        self._all_labels = tuple(dict.fromkeys(labels))
        self._rules = rules
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._known: dict[tuple[str, str], Match | None] = {}
        self._labels: dict[str, tuple[str, ...]] = {}

    def words_of(self, label: str) -> tuple[str, ...]:
        """The words of a label, in normal form, with phrases made one word as in sentences."""
        if label not in self._labels:
            words = normalize(human_label(_WITH_UNIT.sub("", label))).split()
            for phrase, meant in self._rules.phrases.items():
                for place in range(len(words) - len(phrase) + 1):
                    if tuple(words[place : place + len(phrase)]) == phrase:
                        words[place : place + len(phrase)] = meant.split()
            self._labels[label] = tuple(words)
        return self._labels[label]

    def match(self, word: str, label: str) -> Match | None:
        """How a word says a label; ``None`` if it does not."""
        if (word, label) not in self._known:
            self._known[word, label] = self._match(word, label)
        return self._known[word, label]

    def _match(self, word: str, label: str) -> Match | None:
        words = self.words_of(label)
        found: Match | None = None
        for place, part in enumerate(words):
            if part in self._rules.function_words and not self._is_only_word(words):
                continue
            said = self._says(word, part)
            if said is None:
                continue
            if self._is_symmetric(part):
                return Match(None)
            is_enough = self._is_enough(words, place)
            match = Match(self._subject_acts(words, place) == said, is_enough)
            if is_enough:
                return match
            found = found or match
        return found

    def _is_enough(self, words: Sequence[str], place: int) -> bool:
        """Whether a word of a label is not only the first half of a compound of it."""
        following = words[place + 1] if place + 1 < len(words) else ""
        grammar = self._rules.grammar
        if not following or following in self._rules.function_words | grammar["heads"]:
            return True
        return words[place].endswith(tuple(grammar["adjective_endings"])) or is_participle(
            words[place], self._rules
        )

    def _is_only_word(self, words: Sequence[str]) -> bool:
        return all(word in self._rules.function_words for word in words)

    def _is_symmetric(self, word: str) -> bool:
        return self._rules.language.stem(word) in self._rules.symmetric

    def _says(self, word: str, part: str) -> bool | None:
        """Whether a word has the same doer as a part of a label (``True``), the other end (``False``), or says
        something else (``None``)."""
        own = self._rules.language
        stems = own.stem(word), own.stem(part)
        here = dict(self._families(word))
        for number, is_converse in self._families(part):
            if number in here:
                return here[number] == is_converse
        if stems[0] == stems[1] or own.singular(word) == own.singular(part):
            return True
        if stems[1] in own.deeds(word) or stems[0] in own.deeds(part):
            return True
        return True if self._is_near(word, part) else None

    def _families(self, word: str) -> list[tuple[int, bool]]:
        own = self._rules.language
        singular = own.singular(word)
        for form in dict.fromkeys((word, singular, own.stem(word), own.stem(singular))):
            found = self._rules.families_of(form)
            if found:
                return found
        return []

    def _is_near(self, word: str, part: str) -> bool:
        """Whether an embedder takes the two for the same."""
        if self._embedder is None or min(len(word), len(part)) < 3 or word.isdigit() or part.isdigit():
            return False
        parts = () if self._vectors else (item for label in self._all_labels for item in self.words_of(label))
        missing = [text for text in dict.fromkeys((word, part, *parts)) if text not in self._vectors]
        if missing:
            self._vectors.update(zip(missing, self._embedder.embed(missing), strict=True))
        return float(self._vectors[word] @ self._vectors[part]) >= self._embedder.same

    # --- which end of a label acts

    def _subject_acts(self, words: Sequence[str], place: int) -> bool:
        """Whether the doer of a word of a label is the label's subject: "manages", "student of"; or its object: "has
        manager", "painted by"."""
        word, rest = words[place], words[place + 1 :]
        grammar = self._rules.grammar
        if any(item in grammar["agents"] for item in words):
            return False
        if len(rest) == 1 and rest[0] in grammar["of_words"]:
            return True
        if words[0] in grammar["have"] or is_noun(word, self._rules):
            return False
        if rest and rest[0] in grammar["prepositions"]:
            return True
        if is_participle(word, self._rules) or word in grammar["past"]:
            return True
        return word.endswith("s") and not word.endswith("ss")

    def is_located_form(self, label: str) -> bool:
        """Whether a label is a participle with a preposition, "shown at": a sentence may say it in the passive."""
        words = self.words_of(label)
        return any(
            is_participle(word, self._rules) and place + 1 < len(words)
            and words[place + 1] in self._rules.grammar["prepositions"] - self._rules.grammar["agents"]
            for place, word in enumerate(words)
        )  # fmt: skip


def statements_saying(
    words: Sequence[str], statements: Sequence[Statement], relations: Relations
) -> Mapping[Statement, Match]:
    """The statements whose label every one of some words says, and how the last of them says it."""
    found: dict[Statement, Match] = {}
    for statement in statements:
        if not statement.label:
            continue
        matches = [relations.match(word, statement.label) for word in words]
        known = [match for match in matches if match is not None]
        if len(known) == len(matches) and any(match.is_enough for match in known):
            found[statement] = next(match for match in reversed(known) if match.is_enough)
    return found
