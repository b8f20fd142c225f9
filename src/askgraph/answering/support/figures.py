"""What is checked of a sentence in a language without rules: its names, numbers and dates, and no more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.evidence import Fact
from ...core.words import normalize
from .checker import Verdict
from .quantities import Held, Moment, Number, Quantity, agrees, quantities_of
from .rules import Rules
from .tokens import plain_text, tokens_of

_NAME = re.compile(r"[^\W\d_][\w'’.-]*", re.UNICODE)


def figures_fault(
    text: str, facts: Sequence[Fact], numbers: Sequence[int], question: str, rules: Rules
) -> Verdict:
    """The verdict by names, numbers and dates alone. The facts that share most with the sentence stand behind it."""
    plain = plain_text(text)
    tokens = tokens_of(plain)
    if not tokens:
        return Verdict("no claim")
    quantities = quantities_of(plain, tokens, [False] * len(tokens), rules)
    names = _names_in(plain)
    asked = set(normalize(question).split())
    own = [set(normalize(fact.text).split()) for fact in facts]
    every = set().union(*own) if own else set()
    for name in names:
        if not set(normalize(name).split()) <= every | asked:
            return Verdict("unsupported", reason=f"no fact names {name!r}")
    held = [_held_in(fact, rules) for fact in facts]
    for quantity in quantities:
        if not any(agrees(quantity, value, rules) for values in held for value in values):
            shown = plain[tokens[quantity.first].start : tokens[quantity.last - 1].end]
            return Verdict("unsupported", reason=f"no fact has {shown}")
    words = {token.normal for token in tokens}
    shared = [len(words & own_words) for own_words in own]
    if not names and not quantities and not any(shared):
        return (
            Verdict("no claim")
            if plain.rstrip().endswith(":")
            else Verdict("unsupported", reason="it names nothing of the facts")
        )
    best = max(shared, default=0)
    chosen = tuple(number for number, count in zip(numbers, shared, strict=True) if count == best and count)
    return (
        Verdict("supported", chosen)
        if chosen
        else Verdict("unsupported", reason="it names nothing of the facts")
    )


def _names_in(text: str) -> list[str]:
    """Words with a capital but for the first, in scripts that have capitals."""
    found = []
    for match in _NAME.finditer(text):
        is_first = not text[: match.start()].strip(" \"'“«¿¡(")
        if match[0][0].isupper() and not is_first:
            found.append(match[0])
    return found


def _held_in(fact: Fact, rules: Rules) -> list[Held]:
    tokens = tokens_of(fact.text)
    return [_held(item) for item in quantities_of(fact.text, tokens, [False] * len(tokens), rules)]


def _held(quantity: Quantity) -> Held:
    if isinstance(quantity, Moment):
        return Held(begin=quantity.begin, end=quantity.end)
    assert isinstance(quantity, Number)
    return Held(quantity.value, quantity.unit)
