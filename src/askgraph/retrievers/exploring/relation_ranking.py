"""Which relations of some nodes a question speaks of: by meaning first, by a model only where that cannot tell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from ...core.schema import Schema
from ...core.words import normalize
from ...linking.schema_terms import HopKind, hop_text
from ...models.calls import ModelCalls
from ...stores.base import RelationCount
from ..hop_table import HopTable
from ..relevance import Relevance
from .metapath_text import short_name
from .tagged_reply import FINISH, lines, sections

# Types at the far end of one relation that are weighed.
_ENDS: Final = 5
# A relation that fits so much less than the best one is not followed beside it.
_MUCH_LESS: Final = 0.25
# Options that a model is shown at a time, and tokens of its choice.
_MOST_SHOWN: Final = 60
_REPLY_TOKENS: Final = 400
_NUMBER: Final = re.compile(r"^\W*(\d{1,3})\b")


@dataclass(frozen=True, slots=True)
class RankedRelation:
    """A relation of some nodes, and how well it fits a question.

    Attributes:
        count: the relation, its direction, and its edges.
        hop: the same as a kind of hop, to the type at its far end that fits best.
        score: 0 to 1; comparable within one question.
        is_spoken_of: whether a word of the question says it, or where it leads.
    """

    count: RelationCount
    hop: HopKind
    score: float
    is_spoken_of: bool


class RelationRanker:
    """Ranks the relations of nodes of one graph."""

    def __init__(self, schema: Schema, table: HopTable) -> None:
        self._schema = schema
        self._table = table

    def rank(
        self,
        relevance: Relevance,
        counts: Sequence[RelationCount],
        types: Sequence[str] = (),
        before: Sequence[HopKind] = (),
    ) -> list[RankedRelation]:
        """The relations, the best first.

        Args:
            relevance: of the question.
            counts: what there is to choose from.
            types: of the nodes.
            before: the hops that led to the nodes: a relation is ranked as the end of the whole way.
        """
        ranked = [self._ranked(relevance, count, types, before) for count in counts]
        return sorted(ranked, key=lambda item: (-item.score, item.count.type, not item.count.forward))

    def _ranked(
        self, relevance: Relevance, count: RelationCount, types: Sequence[str], before: Sequence[HopKind]
    ) -> RankedRelation:
        start = types[0] if types else None
        ends = self._table.ends_of(count.type, count.forward, types)[:_ENDS]
        # Of the types that it leads to, the one that the question speaks of; else the most frequent.
        end = max(ends, key=lambda kind: float(relevance.explained_by_type(kind).sum()), default=None)
        hop = HopKind(count.type, count.forward, start, end)
        score = relevance.score([*before, hop])
        # How much the whole way explains beyond what it did before tells whether the question speaks of this hop.
        heard = score.heard > (relevance.score(before).heard if before else 0)
        return RankedRelation(count, hop, min(1.0, max(0.0, score.total)), heard)

    def choose(
        self,
        question: str,
        ranked: Sequence[RankedRelation],
        most: int,
        *,
        calls: ModelCalls | None = None,
    ) -> tuple[list[RankedRelation], bool]:
        """At most ``most`` of the relations, and whether the model was asked.

        It is asked, once for all nodes together, where no word of the question speaks of any relation and there are
        more than may be followed.

        Raises:
            ModelError, BudgetError: as the model call.
        """
        if len(ranked) <= most:
            return list(ranked), False
        if calls is not None and not any(item.is_spoken_of for item in ranked):
            shown = ranked[:_MOST_SHOWN]
            picked = choose(
                calls, "choose_relations", question, [self._in_words(item) for item in shown], most
            )
            if picked:
                return [shown[place] for place in picked], True
        return best_of(ranked, most), False

    def _in_words(self, item: RankedRelation) -> str:
        arrow = "->" if item.count.forward else "<-"
        return f"{arrow} {short_name(item.count.type)}: {hop_text(self._schema, item.hop)}"


def best_of(ranked: Sequence[RankedRelation], most: int) -> list[RankedRelation]:
    """The best relations: those that the question speaks of where there are such, and none that fits much less."""
    spoken = [item for item in ranked if item.is_spoken_of] or ranked
    return [item for item in spoken if item.score >= spoken[0].score - _MUCH_LESS][:most]


def choose(
    calls: ModelCalls, purpose: str, question: str, options: Sequence[str], most: int
) -> tuple[int, ...]:
    """Which of some options a model takes: their places, at most ``most``. None where it takes none of them.

    Whatever it says that is no option is passed over.

    Raises:
        ModelError, BudgetError: as the model call.
    """
    numbered = "\n".join(f"{number}. {option}" for number, option in enumerate(options, start=1))
    data = {"question": question, "options": numbered, "most": str(most)}
    reply = calls.text(purpose, data, max_tokens=_REPLY_TOKENS).text
    found = sections(reply)
    said = [body for name in ("selected", "next-entities") for body in found.get(name, ())] or [reply]
    by_name = _places_by_name(options)
    chosen: dict[int, None] = {}
    for body in said:
        for raw in body.splitlines():
            number = _NUMBER.match(raw)
            if number and 1 <= int(number[1]) <= len(options):
                chosen[int(number[1]) - 1] = None
        for line in lines([body]):
            if line.upper() != FINISH:
                chosen |= dict.fromkeys(by_name.get(normalize(line), ()))
    return tuple(chosen)[:most]


def _places_by_name(options: Sequence[str]) -> Mapping[str, tuple[int, ...]]:
    """The places of options by what a model may call them: the whole line, or its part before the colon."""
    named = [
        (form, place)
        for place, option in enumerate(options)
        for form in dict.fromkeys((normalize(option), normalize(option.partition(": ")[0])))
    ]
    ordered = sorted(named)
    return {
        form: tuple(place for _, place in group) for form, group in groupby(ordered, key=lambda item: item[0])
    }
