"""Who does it to whom: in which direction the words of a question follow a relation.

A relation joins one who does something to one to whom it is done ("manages", and "managed by" the other way round), or
one who has something to what is had ("has manager", and "manager of" the other way round). A question says which of
these a name is by where the name stands: before the verb it does it, behind it it is done to, and in the passive the
other way round; behind "the manager of", or before "'s manager", it has one. Where the words of the question do not
say, or the order of words says nothing in its language (``order_tells``), neither does this module.
"""

from __future__ import annotations

from typing import Literal

from ..core.evidence import Mention
from ..core.words import normalize
from .language import Language
from .question import Question

Role = Literal["agent", "patient", "owner", "owned"]

_APOSTROPHES = "'’"


class Voice:
    """Finds the direction of relations in one question."""

    def __init__(self, question: Question, rules: Language) -> None:
        self._question = question
        self._rules = rules
        self._words = [word.said for word in question.words]
        # Labels are in English as a rule.
        self._label_rules = [rules] if rules.pattern is None else [rules, rules.pattern]
        self.asks_what_is_common = any(word in rules.common_words for word in self._words)
        # A question meets the same few relations on thousands of paths.
        self._known: dict[tuple[str, Mention, int], bool | None] = {}

    def is_forward(self, label: str, mention: Mention, use: int = 0) -> bool | None:
        """Whether what stands on the mention's side is the source of the relation ``label``; ``None`` where the words
        do not say.

        Args:
            label: of the relation.
            mention: where the path begins.
            use: how often the path has followed this relation before: a word for each time counts, the nearest first.
        """
        asked = (label, mention, use)
        if asked not in self._known:
            self._known[asked] = self._leads_forward(label, mention, use)
        return self._known[asked]

    def _leads_forward(self, label: str, mention: Mention, use: int) -> bool | None:
        words = normalize(label).split()
        spoken = self._spoken(words, mention)
        if not spoken:
            return None
        first, last = spoken[min(use, len(spoken) - 1)]
        role = self._role(first, last, mention)
        if role is None:
            return None
        source = self._role_of_source(words, self._question.words[last].normal, role)
        return None if source is None else role == source

    def _spoken(self, label: list[str], mention: Mention) -> list[tuple[int, int]]:
        """Where the question says words of the label: first and last place of each run, the nearest to the mention
        first. Of "product manager" the last word counts."""
        stems = [self._rules.stem(word) for word in label if word not in self._rules.stop_words]
        runs: list[tuple[int, int]] = []
        for place, word in enumerate(self._question.words):
            is_said = any(self._is_same(word.normal, stem) for stem in stems)
            if not is_said or mention.start <= word.start < mention.end:
                continue
            if runs and runs[-1][1] == place - 1 and self._words[place] != self._words[place - 1]:
                runs[-1] = (runs[-1][0], place)
            else:
                runs.append((place, place))
        words = self._question.words
        return sorted(runs, key=lambda run: abs(words[run[1]].start - mention.start))

    # --- the question

    def _role(self, first: int, last: int, mention: Mention) -> Role | None:
        is_before = mention.start < self._question.words[last].start
        if self._is_noun(first, last):
            return self._role_beside_noun(first, last, mention)
        if not self._rules.order_tells:
            # "Was leitet Ada", "wer leitet Ada"
            return "agent" if self._follows_agent(mention) else None
        if self._is_passive(last):
            return "patient" if is_before else "agent"
        if not is_before and self._follows_agent(mention):
            return "agent"
        return "agent" if is_before else "patient"

    def _role_beside_noun(self, first: int, last: int, mention: Mention) -> Role | None:
        """ "The manager of Ada" and "Ada's manager": she has one. "Is Ada the manager of", "the manager Ada" and "has
        Ada as a manager": she is one."""
        words = self._question.words
        is_before = mention.start < words[last].start
        if is_before and self._is_owned(first):
            return "owner"
        if self._word(last + 1) in self._rules.noun_followers:
            return "owned" if is_before else "owner"
        if not is_before and last + 1 < len(words) and words[last + 1].start == mention.start:
            return "owned"
        if not is_before and self._word(last + 1) in self._rules.be_words:
            return "owned"
        marker = next(
            (at for at in (first - 1, first - 2) if self._word(at) in self._rules.role_markers), None
        )
        if marker is not None:
            return "owned" if is_before and self._is_had(mention, marker) else "owner"
        having = [place for place, word in enumerate(self._words) if word in self._rules.have_words]
        return "owner" if any(mention.end <= words[place].start for place in having) else None

    def _is_had(self, mention: Mention, marker: int) -> bool:
        """Whether a mention is, or stands within, what is said to be had as something."""
        words = self._question.words
        having = [place for place in range(marker) if self._words[place] in self._rules.have_words]
        return mention.start > words[having[-1]].start if having else words[marker - 1].end == mention.end

    def _is_noun(self, first: int, last: int) -> bool:
        before = self._word(first - 1)
        return (
            self._is_owned(first)
            or before in self._rules.noun_markers
            or before in self._rules.role_markers
            or self._word(last + 1) in self._rules.noun_followers
        )

    def _is_owned(self, first: int) -> bool:
        """Whether a possessive stands before the noun: "Ada's manager"."""
        if not first:
            return False
        before, text = self._question.words[first - 1], self._question.text
        if before.normal in self._rules.possessives and text[max(0, before.start - 1)] in _APOSTROPHES:
            return True
        return text[before.end : self._question.words[first].start].strip() in tuple(_APOSTROPHES)

    def _is_passive(self, place: int) -> bool:
        """Whether who does it is named behind the verb ("managed by"), or before all ("by whom was she managed")."""
        return self._word(place + 1) in self._rules.agent_words or self._word(0) in self._rules.agent_words

    def _follows_agent(self, mention: Mention) -> bool:
        before = [word.said for word in self._question.words if word.end <= mention.start]
        return bool(before) and before[-1] in self._rules.agent_words

    def _word(self, place: int) -> str:
        return self._words[place] if 0 <= place < len(self._words) else ""

    # --- the label

    def _role_of_source(self, label: list[str], word: str, role: Role) -> Role | None:
        """Which role the source of a relation has, in the terms in which the question gives the other one."""
        said = self._said(label, word)
        is_noun = any(label[0] in rules.have_words for rules in self._label_rules) or self._is_doer(said)
        if role in ("owner", "owned"):
            is_noun = is_noun or said == self._rules.singular(word)
        own: Role = "owner" if is_noun else "agent"
        if any(label[-1] in rules.agent_words for rules in self._label_rules):
            own = "patient"
        elif any(label[-1] in rules.noun_followers for rules in self._label_rules):
            own = "owned"
        return self._translated(own, role, said, word)

    def _translated(self, own: Role, role: Role, said: str, word: str) -> Role | None:
        """Owning a manager is being managed, where the noun is called after the one who does it."""
        if (own in ("owner", "owned")) == (role in ("owner", "owned")):
            return own
        noun = self._rules.singular(word) if role in ("owner", "owned") else said
        if not self._is_doer(noun):
            return None
        pairs: dict[Role, Role] = {"owner": "patient", "owned": "agent", "patient": "owner", "agent": "owned"}
        return pairs[own]

    def _is_doer(self, word: str) -> bool:
        """Whether a word is for one who does something: "manager"."""
        return any(word.endswith(rules.agent_endings) for rules in self._label_rules)

    def _said(self, label: list[str], word: str) -> str:
        """The word of the label that the question says."""
        same = (part for part in label if self._is_same(word, self._rules.stem(part)))
        return next(same, label[-1])

    def _is_same(self, word: str, stem: str) -> bool:
        """Whether a word of the question has this stem, or names the one who does it: "leader" for "led"."""
        return self._rules.is_same_word(self._rules.stem(word), stem) or stem in self._rules.deeds(word)
