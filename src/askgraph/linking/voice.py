"""Who does it to whom: in which direction the words of a question follow a relation.

In "who manages Ada" the verb stands before Ada: she is managed. In "whom does Ada manage" it stands behind her: she
manages. "By" before a name turns it round, and so do "by" at the end of a relation's own name and a name after the one
who does it ("has manager"). Where the word is used as a noun ("the manager of Ada") its place says nothing.
"""

from __future__ import annotations

from ..core.evidence import Mention
from ..core.words import normalize
from .language import Language
from .question import Question


class Voice:
    """Finds the direction of relations in one question."""

    def __init__(self, question: Question, rules: Language) -> None:
        self._question = question
        self._rules = rules

    def is_forward(self, label: str, mention: Mention) -> bool | None:
        """Whether what the mention names stands at the source of the relation ``label``; ``None`` where the words do
        not say."""
        words = normalize(label).split()
        stems = {self._rules.stem(word) for word in words if word not in self._rules.stop_words}
        places = [
            place
            for place, word in enumerate(self._question.words)
            if self._rules.stem(word.normal) in stems and not mention.start <= word.start < mention.end
        ]
        if not places:
            return None
        place = min(places, key=lambda place: abs(self._question.words[place].start - mention.start))
        if self._is_noun(place):
            return None
        forward = self._question.words[place].start > mention.start or self._follows_agent(mention)
        turns = words[-1] in self._rules.agent_words or self._is_agent(words, place)
        return forward != turns

    def _is_agent(self, label: list[str], place: int) -> bool:
        """Whether the relation is called after the one who does it ("has manager") and the question says the verb."""
        stem = self._rules.stem(self._question.words[place].normal)
        own = [part for part in label if self._rules.stem(part) == stem]
        return any(part.endswith(self._rules.agent_endings) for part in own)

    def _is_noun(self, place: int) -> bool:
        words = self._question.words
        before = words[place - 1].normal if place else ""
        after = words[place + 1].normal if place + 1 < len(words) else ""
        between = self._question.text[words[place - 1].end : words[place].start] if place else ""
        owned = "'s" in between or "’s" in between
        return owned or before in self._rules.noun_markers or after in self._rules.noun_followers

    def _follows_agent(self, mention: Mention) -> bool:
        before = [word.normal for word in self._question.words if word.end <= mention.start]
        return bool(before) and before[-1] in self._rules.agent_words
