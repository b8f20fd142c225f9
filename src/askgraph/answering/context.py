"""What of the evidence a model is shown: the facts that matter most for the question, as many as there is room for.

Facts are ranked by three things: how well they were said to fit by the retriever that found them, how near they are to
the question in meaning (or, without an embedder, in words), and how little they repeat those before them (maximal
marginal relevance: Carbonell and Goldstein, 1998). What does not fit is left out from the end of that ranking, never
from the end of the evidence, and is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..core.evidence import Evidence, Fact
from ..core.values import Value
from ..core.words import normalize, quantity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..models.base import Embedder

_BY_RETRIEVER, _BY_MEANING = 0.5, 0.5
_DIVERSITY = 0.25
# More facts than these are cut by relevance alone before repeats are weighed: that takes time by the square.
_MOST_RANKED = 400
_NEARLY_THE_SAME = 0.9
# A fact is shown in at most so many characters, or a quarter of the room.
_LONGEST_FACT = 1_200
_SHORTEST_CUT = 80


@dataclass(frozen=True, slots=True)
class Context:
    """The facts that a model is shown, numbered from 1 in this order.

    Attributes:
        facts: the facts, whole, the most relevant first.
        lines: each as it is shown: its number, its text, shortened where it is long.
        notes: what was merged, shortened or left out, in plain sentences.
        left_out: how many facts there was no room for.
    """

    facts: tuple[Fact, ...]
    lines: tuple[str, ...]
    notes: tuple[str, ...]
    left_out: int = 0

    @property
    def text(self) -> str:
        """The lines, ready for a prompt."""
        return "\n".join(self.lines)


def build_context(
    question: str,
    evidence: Evidence,
    *,
    room: int,
    tokens: Callable[[str], int],
    embedder: Embedder | None = None,
    most: int | None = None,
) -> Context:
    """Choose, order and number the facts for a model.

    Args:
        question: what was asked.
        evidence: what was found.
        room: tokens that all lines together may take.
        tokens: how many tokens a text takes.
        embedder: compares meanings; ``None``: words are compared.
        most: facts at most, whatever the room.
    """
    facts = _merged(evidence.facts)
    ranked = [facts[place] for place in _ranking(question, facts, embedder)]
    kept: list[Fact] = []
    lines: list[str] = []
    used = shortened = 0
    longest = max(_SHORTEST_CUT, min(_LONGEST_FACT, room))
    for fact in ranked if most is None else ranked[:most]:
        line, is_cut = _line(len(kept) + 1, fact, longest)
        size = tokens(line)
        if used + size > room:
            continue
        kept.append(fact)
        lines.append(line)
        used += size
        shortened += is_cut
    left_out = len(facts) - len(kept)
    notes = []
    if left_out:
        notes.append(
            f"The model was shown {len(kept):,} of {quantity(len(facts), 'fact')}, the most relevant ones."
        )
    if shortened:
        notes.append(
            f"{quantity(shortened, 'long fact')} of these {'was' if shortened == 1 else 'were'} shortened for it."
        )
    return Context(tuple(kept), tuple(lines), tuple(notes), left_out)


# --- near-duplicates


def _merged(facts: Sequence[Fact]) -> list[Fact]:
    """Facts without repeats: those that say the same of the same are one, with the provenance of all."""
    kept: list[Fact] = []
    seen: dict[str, list[int]] = {}
    for fact in facts:
        key = " ".join(sorted(set(normalize(fact.text).split())))
        places = seen.setdefault(key, [])
        same = next((place for place in places if _is_same(kept[place], fact)), None)
        if same is None:
            places.append(len(kept))
            kept.append(fact)
        else:
            better, other = sorted((kept[same], fact), key=lambda item: -item.score)
            kept[same] = replace(better, provenance=_joined(better.provenance, other.provenance))
    return kept


def _is_same(one: Fact, other: Fact) -> bool:
    """Whether two facts of the same words are one: two nodes of one name are not. The order of the words counts."""
    if normalize(one.text) != normalize(other.text):
        return False
    return not one.elements or not other.elements or bool(set(one.elements) & set(other.elements))


def _joined(one: Mapping[str, Value], other: Mapping[str, Value]) -> dict[str, Value]:
    joined = dict(one)
    for key, value in other.items():
        if key not in joined:
            joined[key] = value
        elif joined[key] != value:
            mine = joined[key]
            values = [
                *(mine if isinstance(mine, list) else [mine]),
                *(value if isinstance(value, list) else [value]),
            ]
            joined[key] = [item for place, item in enumerate(values) if item not in values[:place]]
    return joined


# --- order


def _ranking(question: str, facts: Sequence[Fact], embedder: Embedder | None) -> list[int]:
    if not facts:
        return []
    import numpy as np

    likeness, between = _likeness(question, facts, embedder)
    best = max(fact.score for fact in facts)
    least = min(fact.score for fact in facts)
    given = np.array([(fact.score - least) / (best - least) if best > least else 1.0 for fact in facts])
    # A count is what a question for a number asks for, and is like it in no word.
    counts = np.array([fact.kind == "count" for fact in facts])
    relevance = _BY_RETRIEVER * given + _BY_MEANING * np.where(counts, 1.0, likeness)
    order = np.argsort(-relevance, kind="stable")
    ranked: list[int] = []
    candidates = [int(place) for place in order[:_MOST_RANKED]]
    repeats = np.zeros(len(facts))
    while candidates:
        weights = relevance[candidates] - _DIVERSITY * repeats[candidates]
        chosen = candidates.pop(int(np.argmax(weights)))
        ranked.append(chosen)
        repeats = np.maximum(repeats, between(chosen))
    return ranked + [int(place) for place in order[_MOST_RANKED:]]


def _likeness(
    question: str, facts: Sequence[Fact], embedder: Embedder | None
) -> tuple[NDArray[np.float64], Callable[[int], NDArray[np.float64]]]:
    """How like the question each fact is, from 0 to 1; and, for one fact, how like it each is."""
    import numpy as np

    if embedder is not None:
        vectors = embedder.embed([question, *(fact.text[:_LONGEST_FACT] for fact in facts)]).astype(
            np.float64
        )
        asked = np.clip(vectors[1:] @ vectors[0], 0.0, 1.0)
        return asked, lambda place: np.where(vectors[1:] @ vectors[1 + place] >= _NEARLY_THE_SAME, 1.0, 0.0)
    words = [frozenset(normalize(fact.text).split()) for fact in facts]
    wanted = frozenset(normalize(question).split())
    shares = np.array([len(own & wanted) / max(1, len(wanted)) for own in words])

    def repeated(place: int) -> NDArray[np.float64]:
        mine = words[place]
        shared = [len(own & mine) / max(1, len(own | mine)) for own in words]
        return np.where(np.array(shared) >= _NEARLY_THE_SAME, 1.0, 0.0)

    return shares, repeated


# --- lines


def _line(number: int, fact: Fact, longest: int) -> tuple[str, bool]:
    """A fact as one line, and whether something of it was left out."""
    text = " ".join(fact.text.split())
    if len(text) <= longest:
        return f"[{number}] {text}", False
    cut = text.rfind(" ", _SHORTEST_CUT // 2, longest - 40)
    shown = text[: cut if cut > 0 else longest - 40].rstrip(" ,;")
    return f"[{number}] {shown} … (shortened: {len(text) - len(shown):,} more characters)", True
