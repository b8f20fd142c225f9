"""In which order a question tells of a path: what stands nearest to a name speaks of what is nearest to it.

"Who acted in the films made by the director of Alien" tells, from Alien outward, of a director, of what was made, of
films, of acting. A path from Alien to actors and on to a director explains the same words, and in another order: it is
the answer to another question.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..core.evidence import Mention
from ..linking.language import Language
from ..linking.linked_question import LinkedQuestion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class WordOrder:
    """The order of the content words of one question, as seen from each of its mentions."""

    def __init__(self, question: LinkedQuestion, rules: Language) -> None:
        self._question = question
        self._rules = rules

    @cached_property
    def mentions(self) -> int:
        """How many things the question names."""
        return len(self._question.mentions)

    def sharing(self, mention: Mention) -> int:
        """How many words before a mention say that something is shared with what it names: "the same director as
        Alien", "co-starred with Ada", and "by" of which no verb says what was done ("the films by the director of
        Alien"). What Ada and Charles wrote together stands beside each of them."""
        words = self._question.question.words
        return sum(
            self._says_shared(word.normal.split()) or self._is_bare_agent(place) or self._is_company(place)
            for place, word in enumerate(words)
            if word.end <= mention.start and place not in self._within_mentions
        )

    @cached_property
    def _within_mentions(self) -> frozenset[int]:
        words = self._question.question.words
        return frozenset(
            place
            for place, word in enumerate(words)
            if any(mention.start <= word.start < mention.end for mention in self._question.mentions)
        )

    def _says_shared(self, parts: Sequence[str]) -> bool:
        rules = self._rules
        return parts[-1] in rules.sharing_words or (len(parts) > 1 and parts[0] in rules.sharing_prefixes)

    def _is_company(self, place: int) -> bool:
        """Whether a "with" before a name says in whose company: "who flew with Ada"."""
        words = self._question.question.words
        if words[place].said not in self._rules.with_words or self._question.form.asked_kind != "node":
            return False
        following = words[place + 1].start if place + 1 < len(words) else 0
        is_name = any(mention.start == following for mention in self._question.mentions)
        return is_name and place - 1 in self._question.places and self._question.form.asked_for != ()

    def _is_bare_agent(self, place: int) -> bool:
        words = self._question.question.words
        if words[place].normal not in self._rules.agent_words or not place:
            return False
        before = words[place - 1]
        types = [link.mention for link in self._question.terms if link.kind == "node type"]
        is_type = any(mention.start <= before.start < mention.end for mention in types)
        # "By Ada" needs no word for what she did; "by the director of Alien" says what somebody else did.
        following = words[place + 1].start if place + 1 < len(words) else 0
        is_name = any(mention.start == following for mention in self._question.mentions)
        return (is_type or before.is_stop) and not is_name

    @cached_property
    def sharing_rows(self) -> list[int]:
        """The rows of the content words among them."""
        return [row for row, word in enumerate(self._question.words) if word in self._rules.sharing_words]

    def times(self, saying: Sequence[NDArray[np.bool_]]) -> int:
        """How often the question speaks of a relation: as often as it says one word of the relation's name in places
        that stand apart. Of each word of the name it is given which words of the question say it."""
        return max(map(self._times, saying), default=0)

    def _times(self, saying: NDArray[np.bool_]) -> int:
        said = [place for place, says in zip(self._question.places, saying, strict=True) if says]
        # "A policy coverage detail" says nothing of whose policy something is.
        places = [place for place in said if place not in self._within_types]
        return 1 + sum(self._stand_apart(one, other) for one, other in pairwise(places)) if places else 0

    @cached_property
    def _within_types(self) -> frozenset[int]:
        """The places of words that are only a part of the name of a node type."""
        words = self._question.question.words
        types = [link.mention for link in self._question.terms if link.kind == "node type"]
        longer = [mention for mention in types if len(mention.text.split()) > 1]
        return frozenset(
            place
            for place, word in enumerate(words)
            if any(mention.start <= word.start < mention.end for mention in longer)
        )

    def _stand_apart(self, one: int, other: int) -> bool:
        """Whether two words speak of two things: "directed by the director", not "a city in city X"."""
        between = range(one + 1, other)
        words = self._question.question.words
        is_told = any(place in between for place in self._question.places)
        return is_told or any(words[place].normal in self._rules.noun_markers for place in between)

    def outward(self, mention: Mention) -> tuple[NDArray[np.intp], ...]:
        """Rows of the content words as they follow each other from a mention: first what stands before it, or first
        what stands behind it ("the films that Ada made"). Which of the two only the meaning tells."""
        words = self._question.question.words
        starts = [words[place].start for place in self._question.places]
        before = [row for row, start in enumerate(starts) if start < mention.start][::-1]
        behind = [row for row, start in enumerate(starts) if start >= mention.start]
        ways = [[*before, *behind], [*behind, *before]] if before and behind else [[*before, *behind]]
        return tuple(np.array(way, dtype=np.intp) for way in ways)


def begin(ways: Sequence[NDArray[np.intp]]) -> list[Floats]:
    """What a path of no hop tells: nothing, however many words have been read."""
    return [np.zeros(len(way) + 1) for way in ways]


def go_on(
    told: Sequence[Floats], explained: Floats, ways: Sequence[NDArray[np.intp]], *, least: float, bonus: float
) -> list[Floats]:
    """What a path tells with one hop more.

    Entry ``i`` is the most that its hops explain of the first ``i`` words, when each speaks of words that stand behind
    those of the hops before it: the best split of the words among the hops, found as for any alignment in order. A hop
    to which a word falls that it explains by ``least`` adds ``bonus``: the question speaks of it.

    ``explained`` may have rows, for several hops with any of which it may go on; then so has what each way tells.
    """
    further = []
    for known, way in zip(told, ways, strict=True):
        of_words = explained[..., way]
        nothing = np.zeros((*explained.shape[:-1], 1))
        so_far = np.concatenate((nothing, np.cumsum(of_words, axis=-1)), axis=-1)
        best = np.maximum.accumulate(known - so_far, axis=-1)
        places = np.arange(len(way) + 1)
        is_heard = np.concatenate((nothing > 0, of_words >= least), axis=-1)
        last_heard = np.maximum.accumulate(np.where(is_heard, places, 0), axis=-1)
        before = np.take_along_axis(best, np.maximum(last_heard - 1, 0), axis=-1)
        heard = np.where(last_heard > 0, before + bonus, -np.inf)
        further.append(so_far + np.maximum(best, heard))
    return further
