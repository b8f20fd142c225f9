"""The verdict on a sentence with its citations: it stands as cited, or by other facts, or by none."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ...core.evidence import Fact
from ...linking.language import PATTERN
from ...models.base import Embedder
from .checker import Checker, Verdict
from .contents import Contents
from .fact_reading import contents_of
from .figures import figures_verdict
from .parsing import speaks_of_itself
from .relations import Relations
from .rules import Rules, has_rules, support_rules
from .tokens import tokens_of

LONGEST_SENTENCE = 3_000
"""Characters of a sentence that is judged. Nobody reads a longer one; a model that does not end writes it."""

Citing = Literal["as cited", "cited anew", "not at all"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and whether the facts behind it are those that the sentence cites."""

    verdict: Verdict
    citing: Citing


class Judge:
    """Judges the sentences of one answer, one after another.

    Args:
        facts: all facts that the answer may rest on, in the order of their numbers.
        question: what was asked.
        types: labels of the types of nodes in the facts, by node id.
        embedder: for words that mean the same; ``None``: only equal words and those of the rules do.
        language: of the answer. Where there are no rules for it, only names, numbers and dates are checked.
    """

    def __init__(
        self,
        facts: Sequence[Fact],
        question: str,
        *,
        types: Mapping[str, Sequence[str]] | None = None,
        embedder: Embedder | None = None,
        language: str = PATTERN,
    ) -> None:
        self._rules = support_rules(language if has_rules(language) else PATTERN)
        self.checks_everything = has_rules(language) and not _is_foreign(question, self._rules)
        self._language = language
        self._facts = facts
        self._question = question
        self._contents = contents_of(facts, types or {}, self._rules)
        labels = [statement.label for statement in self._contents.statements]
        self._relations = Relations(self._rules, embedder, labels)
        self._checkers: dict[tuple[int, ...], Checker] = {}
        self._topic: frozenset[str] = frozenset()

    @property
    def contents(self) -> Contents:
        """What all facts say."""
        return self._contents

    def topic_of(self, text: str) -> frozenset[str]:
        """Keys of what a text names."""
        every = tuple(range(1, len(self._facts) + 1))
        return self._checker(every).topic_of(text)

    def speaks_of_itself(self, text: str) -> bool:
        """Whether a sentence says that the facts do not answer."""
        return speaks_of_itself(text, self._rules)

    def judge(self, text: str, cited: Sequence[int] = ()) -> Judged:
        """Judge a sentence, without its citations, by the facts that it cites, else by all."""
        if len(text) > LONGEST_SENTENCE:
            reason = f"it has {len(text):,} characters, too many for one sentence"
            return Judged(Verdict("unsupported", reason=reason), "not at all")
        numbers = tuple(sorted({number for number in cited if 1 <= number <= len(self._facts)}))
        every = tuple(range(1, len(self._facts) + 1))
        first = self._check(text, numbers) if numbers else None
        if first is not None and first.kind != "unsupported":
            return self._remembered(Judged(first, "as cited"))
        by_all = self._check(text, every) if numbers != every else first
        if by_all is None or by_all.kind == "unsupported":
            # What the facts cited lack is told, if there are any.
            return Judged(
                first or by_all or Verdict("unsupported", reason="there are no facts"), "not at all"
            )
        return self._remembered(Judged(by_all, "as cited" if by_all.kind == "no claim" else "cited anew"))

    def _remembered(self, judged: Judged) -> Judged:
        self._topic = judged.verdict.keys or self._topic
        return judged

    def _check(self, text: str, numbers: tuple[int, ...]) -> Verdict:
        if not self.checks_everything:
            facts = [self._facts[number - 1] for number in numbers]
            return figures_verdict(text, facts, numbers, self._question, self._rules, self._language)
        return self._checker(numbers).check(text, question=self._question, topic=self._topic)

    def _checker(self, numbers: tuple[int, ...]) -> Checker:
        if numbers not in self._checkers:
            self._checkers[numbers] = Checker(self._contents.only(numbers), self._relations, self._rules)
        return self._checkers[numbers]


def _is_foreign(question: str, rules: Rules) -> bool:
    """Whether a question is of no language that there are rules for: in another script, or by its little words."""
    letters = [character for character in question if character.isalpha()]
    latin = sum("LATIN" in unicodedata.name(character, "") for character in letters)
    words = {token.normal for token in tokens_of(question)}
    if letters and latin < len(letters) / 2:
        return True
    return len(words & rules.foreign_words) > 1 and not words & (rules.function_words - rules.foreign_words)
