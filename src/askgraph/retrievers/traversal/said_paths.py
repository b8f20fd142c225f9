"""What the words of a question say of paths that are equally, or nearly equally, like it in meaning.

A cosine knows no direction: whoever beat Lyon is as like "Which team beat Lyon?" as whoever Lyon beat. And it knows
little of the small words that set ``plays for`` apart from ``plays in``. Both stand in the question word for word, so
they are weighed afterwards: the probabilities of paths, and when a traversal ends, stay what the cosine makes them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

from ...core.evidence import Mention
from ...core.schema import Schema
from ...core.words import normalize
from ...linking.language import Language
from ...linking.question import Question, Word
from ...linking.voice import Voice
from ..hop_table import HopTable
from ..path_scores import TURN
from ..said_direction import SaidDirection
from ..seeds import Seed
from .subgraph import Subgraph

# What a hop takes from the cosine of a path whose relation is taken for another; set by hand.
_MISTAKEN: Final = 0.10
# A hop against the words leads as far astray as one that turns back.
_AGAINST: Final = TURN
_SAME: Final = 6


class SaidPaths:
    """Weighs the subgraphs of one question by its words.

    Args:
        schema: of the graph.
        table: of its hops.
        question: taken apart.
        rules: of its language.
        seeds: where paths begin; what names them says nothing of a relation.
        label_of: what a relation is called.
    """

    def __init__(
        self,
        schema: Schema,
        table: HopTable,
        question: Question,
        rules: Language,
        seeds: Sequence[Seed],
        label_of: Callable[[str], str],
    ) -> None:
        self._schema = schema
        self._direction = SaidDirection(schema, table, Voice(question, rules))
        self._rules = rules
        self._label_of = label_of
        self._seeds = {seed.nodes: seed for seed in seeds}
        mentions = [seed.mention for seed in seeds]
        # A name keeps its place: what stands before it and what stands behind it are not side by side.
        self._stems = [
            "" if _is_within(word, mentions) else rules.stem(word.normal) for word in question.words
        ]

    def ordered(self, subgraphs: Sequence[Subgraph]) -> tuple[Subgraph, ...]:
        """Those first that are most like the question by meaning, small words and direction together."""
        return tuple(sorted(subgraphs, key=lambda item: -round(self._fit(item), _SAME)))

    def equals_ordered(self, subgraphs: Sequence[Subgraph]) -> tuple[Subgraph, ...]:
        """By their probabilities, and of equals those first that go with the words."""
        return tuple(
            sorted(subgraphs, key=lambda item: (-round(item.probability, _SAME), self.against(item)))
        )

    def against(self, subgraph: Subgraph) -> int:
        """By how many hops a path goes against the direction that the question says."""
        seed = self._seeds.get(subgraph.seed)
        if seed is None or not seed.mention.text:
            return 0
        uses: Counter[str] = Counter()
        against = 0
        types: Sequence[str] = seed.types
        for hop in subgraph.kinds:
            against += self._direction.is_against(hop.type, hop.forward, seed.mention, types, uses[hop.type])
            uses[hop.type] += 1
            types = (hop.end,) if hop.end else ()
        return against

    def is_undecided(self, subgraphs: Sequence[Subgraph]) -> bool:
        """Whether another path differs from the first in directions only, leads elsewhere, and goes with the words as
        well as it does."""
        best, against = subgraphs[0], self.against(subgraphs[0])
        return any(
            item.seed == best.seed
            and [hop.type for hop in item.kinds] == [hop.type for hop in best.kinds]
            and set(item.ends) != set(best.ends)
            and self.against(item) == against
            for item in subgraphs[1:]
        )

    def _fit(self, subgraph: Subgraph) -> float:
        mistaken = sum(hop.type in self._mistaken for hop in subgraph.kinds)
        return math.log(subgraph.probability) - _MISTAKEN * mistaken - _AGAINST * self.against(subgraph)

    @cached_property
    def _mistaken(self) -> frozenset[str]:
        """The relations that differ in small words from one that the question says word for word, and that it does not
        say themselves."""
        alike: dict[frozenset[str], list[str]] = {}
        for edge_type in self._schema.edge_types:
            words = self._rules.content_words(normalize(self._label_of(edge_type.id)))
            alike.setdefault(frozenset(map(self._rules.stem, words)), []).append(edge_type.id)
        found: list[str] = []
        for types in alike.values():
            unsaid = [type for type in types if not self._is_said(self._label_of(type))]
            if len(unsaid) < len(types):
                found += unsaid
        return frozenset(found)

    def _is_said(self, label: str) -> bool:
        """Whether all words of a label stand side by side in the question, whatever their endings; one that consists
        of small words alone is said by chance. Of "has manager" the manager is enough."""
        words = normalize(label).split()
        if all(self._rules.is_filler(word) for word in words):
            return False
        if words[0] in self._rules.have_words:
            del words[0]
        stems = [self._rules.stem(word) for word in words]
        runs = (self._stems[first : first + len(stems)] for first in range(len(self._stems) - len(stems) + 1))
        return any(
            all(said and self._rules.is_same_word(said, stem) for said, stem in zip(run, stems, strict=True))
            for run in runs
        )


def _is_within(word: Word, mentions: Sequence[Mention]) -> bool:
    return any(mention.start <= word.start < mention.end for mention in mentions)
