"""A question and what its words were resolved to: what the linker gives, and everything after it reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..core.evidence import Link, Mention
from ..indexes.names import NameMatch
from .form import Form
from .language import PATTERN
from .question import Question


@dataclass(frozen=True)
class Unlinked:
    """Words that may name something and were not linked, and why."""

    mention: Mention
    reason: str
    nearest: tuple[NameMatch, ...] = ()


@dataclass(frozen=True)
class LinkedQuestion:
    """A question and what its words were resolved to.

    Attributes:
        question: the question, taken apart.
        things: links to nodes and to values of properties; several for one mention where the name is shared.
        terms: links to node types, edge types and properties.
        edge_values: links to values that edges have; several for one mention where edges have it under several keys.
        unlinked: what was not linked, and why.
        form: what the question wants.
        masked: the question with each mention replaced by the name of its type.
        asked: the links to node types that the question may be asking for: not "department" in "the department Sales".
        words: the content words that belong to no mention and not to the form, normalised, in order.
        places: the place of each of ``words`` in the question.
        language: the code of the language that it was read as.
        choosing: the words before what is asked for ("which").
        doing: the forms of "to do", behind which somebody does something.
    """

    question: Question
    things: tuple[Link, ...]
    terms: tuple[Link, ...]
    unlinked: tuple[Unlinked, ...]
    form: Form
    masked: str
    asked: tuple[Link, ...]
    words: tuple[str, ...]
    places: tuple[int, ...]
    language: str = PATTERN
    choosing: frozenset[str] = frozenset()
    doing: frozenset[str] = frozenset()
    edge_values: tuple[Link, ...] = ()

    @property
    def links(self) -> tuple[Link, ...]:
        """All links in the order of the question."""
        return tuple(
            sorted(
                (*self.things, *self.edge_values, *self.terms),
                key=lambda link: (link.mention.start, link.kind, link.id),
            )
        )

    @property
    def ranked(self) -> Mention | None:
        """The name right behind a superlative: things of this kind are ranked ("the most reliable Inductor")."""
        if self.form.superlative is None:
            return None
        after = self.form.superlative.place + 1
        starts = {word.start for word in self.question.words[after : after + 2]}
        return next((mention for mention in self.mentions if mention.start in starts), None)

    def says_which(self, mention: Mention) -> bool:
        """Whether the question says outright that this is what it asks for: "which films", "which German films"."""
        words = self.question.words
        place = next(place for place, word in enumerate(words) if word.start >= mention.start) - 1
        things = self.mentions
        while place > 0 and any(item.start <= words[place].start < item.end for item in things):
            place -= 1
        return place >= 0 and words[place].normal in self.choosing

    def row_before(self, mention: Mention) -> int | None:
        """The row of the content word right before a mention; ``None`` where none stands there, or it names a type."""
        place = (
            next((at for at, word in enumerate(self.question.words) if word.start == mention.start), 0) - 1
        )
        if place not in self.places:
            return None
        row = self.places.index(place)
        return None if any(row in rows for rows in self.named_rows().values()) else row

    def is_verb_of_mention(self, place: int) -> bool:
        """Whether a word says what joins something that is named and what is asked for, and is no condition of its own:
        it stands right before a name ("run Debian"), or a name between "did" and the word ("did Ada write")."""
        words = self.question.words
        starts = {mention.start for mention in self.mentions}
        if place + 1 < len(words) and words[place + 1].start in starts:
            return True
        doing = [at for at in range(place) if words[at].said in self.doing]
        return bool(doing) and any(words[doing[-1]].start < start < words[place].start for start in starts)

    def phrases(self) -> list[tuple[int, int]]:
        """Pairs of rows of :attr:`words` that stand side by side in the question."""
        return [(row, row + 1) for row, (one, other) in enumerate(pairwise(self.places)) if other == one + 1]

    def named_rows(self) -> dict[str, list[int]]:
        """For each node type that the question names, the rows of :attr:`words` that name it."""
        rows: dict[str, list[int]] = {}
        for link in self.terms:
            if link.kind == "node type":
                within = [
                    row for row, place in enumerate(self.places) if self._is_within(place, link.mention)
                ]
                rows.setdefault(link.id, []).extend(within)
        return rows

    def mention_of(self, rows: Sequence[int]) -> Mention:
        """The words of some rows, and what stands between them."""
        return self.question.mention(self.places[rows[0]], self.places[rows[-1]] + 1)

    def rows_from(self, place: int) -> list[int]:
        """The rows of the content words that stand side by side from a word on; a word that says nothing by itself
        breaks them only outside a term of the schema ("policy coverage detail id")."""
        rows: list[int] = []
        within = {
            other
            for link in self.terms
            for other in range(len(self.question.words))
            if self._is_within(other, link.mention)
        }
        while place < len(self.question.words):
            if place in self.places:
                rows.append(self.places.index(place))
            elif place not in within:
                break
            place += 1
        return rows

    def _is_within(self, place: int, mention: Mention) -> bool:
        word = self.question.words[place]
        return mention.start <= word.start and word.end <= mention.end

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """The mentions of nodes and values, in order, without repeats."""
        return tuple(dict.fromkeys(link.mention for link in self.things))
