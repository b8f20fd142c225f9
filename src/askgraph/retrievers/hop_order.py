"""In which order a question speaks of the hops of a path: the one it says nearest to a name leads away from it first.

In "films that a person who acted in X directed" and "films in which a person acted who directed X" the words are the
same, and so are the types; only their order tells the paths apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.evidence import Mention
from ..linking.linker import LinkedQuestion

# "Who acted in X directed": a verb right before a name has it for its object, and is nearer than one right behind it.
_BEHIND = 0.5


class HopOrder:
    """Compares the order of hops with that of the words of one question."""

    def __init__(self, question: LinkedQuestion) -> None:
        self._words = question.question.words
        self._places = question.places

    def misplaced(self, rows: Sequence[Sequence[int]], mention: Mention) -> int:
        """How many hops come before one that the question says nearer to the mention.

        Args:
            rows: for each hop the rows of the content words that speak of it; hops of which none does don't count.
            mention: where the path begins.
        """
        distances = []
        taken: set[int] = set()
        for spoken in rows:
            free = [row for row in spoken if row not in taken]
            if free:
                nearest = min(free, key=lambda row: (self._distance(row, mention), row))
                taken.add(nearest)
                distances.append(self._distance(nearest, mention))
        return sum(
            any(later < distance for later in distances[place + 1 :])
            for place, distance in enumerate(distances)
        )

    def _distance(self, row: int, mention: Mention) -> float:
        """The content words between a word and the mention."""
        word = self._words[self._places[row]]
        is_behind = word.start > mention.start
        start, end = (mention.end, word.start) if is_behind else (word.end, mention.start)
        between = sum(not item.is_stop and start <= item.start < end for item in self._words)
        return between + (_BEHIND if is_behind else 0.0)
