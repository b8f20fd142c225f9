"""Words that only say what kind of thing is meant, in a graph whose nodes have no types.

In "which films were directed by Ada" a graph of bare triples knows what it is to be directed by somebody, and nothing
of films: whatever she directed is one. There the word is no part of what must be found. A noun that is asked *of*
something ("the colour of Ada") is a relation, and stays; and so does the only thing that a question says.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..core.schema import UNTYPED, Schema
from ..core.words import normalize
from .language import Language
from .question import Question


class KindWords:
    """Finds the nouns of one graph's questions that only name a kind of thing."""

    def __init__(self, schema: Schema, rules: Language) -> None:
        self._rules = rules
        self.are_idle = all(item.id == UNTYPED for item in schema.node_types)
        labels = [item.label for item in schema.edge_types] + [item.label for item in schema.properties]
        words = {word for label in labels for word in rules.content_words(normalize(label))}
        self._known = frozenset(rules.stem(word) for word in words) | {
            deed for word in words for deed in rules.deeds(word)
        }

    def without(
        self, contents: Mapping[int, str], question: Question, covered: frozenset[int]
    ) -> dict[int, str]:
        """The content words by their places, without such nouns.

        Args:
            contents: the content words by their places.
            question: the question.
            covered: the places of words that belong to mentions.
        """
        kept = {
            place: word
            for place, word in contents.items()
            if self._is_known(word) or not self._is_kind(place, contents, question, covered)
        }
        return kept if self.are_idle and kept else dict(contents)

    def _is_known(self, word: str) -> bool:
        """Whether a label of the graph has the word, or one that means the same."""
        others = self._rules.synonyms.get(word, "").split()
        stems = {self._rules.stem(item) for item in (word, *others)} | self._rules.deeds(word)
        return not stems.isdisjoint(self._known)

    def _is_kind(
        self, place: int, contents: Mapping[int, str], question: Question, covered: frozenset[int]
    ) -> bool:
        words = question.words
        following = words[place + 1].said if place + 1 < len(words) else ""
        if following in self._rules.noun_followers:
            return False
        before = place - 1
        while before in covered:  # "which German films"
            before -= 1
        marker = words[before].said if before >= 0 else ""
        if marker in self._rules.kind_markers:
            return True
        is_noun = before == place - 1 and marker in self._rules.noun_markers
        said_more = self._rules.relative_words | self._rules.agent_words
        return is_noun and (place + 1 in covered or place + 1 in contents or following in said_more)
