"""What is checked of a sentence in a language without rules: its names, numbers and dates, and no more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from ...core.evidence import Fact
from ...core.words import normalize
from ...linking.language import Language, language, languages
from .checker import Verdict
from .quantities import Held, Moment, Number, Quantity, agrees, quantities_of
from .rules import Rules
from .tokens import plain_text, tokens_of

# Words of scripts that have capitals, side by side; what stands between them in another script parts them.
_WORD = r"[A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff0-9'’.-]+"
_NUMERAL = re.compile(r"\d[\d.,]*\d")
_WORDS = re.compile(rf"{_WORD}(?: {_WORD})*")


def figures_verdict(
    text: str, facts: Sequence[Fact], numbers: Sequence[int], question: str, rules: Rules, code: str
) -> Verdict:
    """The verdict by names, numbers and dates alone. The facts that share most with the sentence stand behind it.

    Args:
        text: the sentence.
        facts: what it may rest on, with their ``numbers``.
        numbers: of the facts.
        question: what was asked: its names may be used.
        rules: of units and the like.
        code: of the language, for its months, its decimal mark and its capitals, where those are known.
    """
    if code in languages():
        rules = replace(rules, language=language(code))
    plain = _with_english_marks(plain_text(text), rules.language)
    if not tokens_of(plain):
        return Verdict("no claim")
    own = [set(normalize(fact.text).split()) for fact in facts]
    known = set(normalize(question).split()).union(*own)
    names = _names_in(plain, has_capital_nouns=has_capital_nouns(code))
    quantities = _quantities_in(plain, rules)
    fault = next((f"no fact names {name!r}" for name in names if _is_unknown(name, known)), "")
    fault = fault or _missing_figure(plain, quantities, facts, rules)
    said = normalize(plain)
    shared = [sum(len(word) > 1 and word in said for word in words) for words in own]
    best = max(shared, default=0)
    if not fault and not best:
        if not names and not quantities and plain.rstrip().endswith(":"):
            return Verdict("no claim")
        fault = "it names nothing of the facts"
    if fault:
        return Verdict("unsupported", reason=fault)
    return Verdict(
        "supported", tuple(number for number, count in zip(numbers, shared, strict=True) if count == best)
    )


def _with_english_marks(text: str, rules: Language) -> str:
    """Numbers with the marks of English: "3.487,50" becomes "3,487.50" where the language writes so."""
    if rules.decimal_mark != ",":
        return text
    swap = str.maketrans(",.", ".,")
    return _NUMERAL.sub(lambda match: match[0].translate(swap), text)


def _quantities_in(text: str, rules: Rules) -> list[Quantity]:
    tokens = tokens_of(text)
    return quantities_of(text, tokens, [False] * len(tokens), rules)


def _missing_figure(text: str, quantities: Sequence[Quantity], facts: Sequence[Fact], rules: Rules) -> str:
    held = [_held(item) for fact in facts for item in _quantities_in(fact.text, rules)]
    tokens = tokens_of(text)
    for quantity in quantities:
        if not any(agrees(quantity, value, rules) for value in held):
            return f"no fact has {text[tokens[quantity.first].start : tokens[quantity.last - 1].end]}"
    return ""


def has_capital_nouns(code: str) -> bool:
    """Whether a language writes every noun with a capital, as German does."""
    return code in languages() and language(code).nouns_have_capitals


def _names_in(text: str, *, has_capital_nouns: bool) -> list[str]:
    """What is written as a name: words with a capital but for the first; where all nouns have capitals, two side by
    side."""
    found = []
    for match in _WORDS.finditer(text):
        words = match[0].split(" ")
        if not text[: match.start()].strip(" \"'“«¿¡("):
            words[0] = words[0][:1].lower() + words[0][1:]
        for first, group in groupby(words, key=lambda word: word[:1].isupper()):
            names = list(group) if first else []
            found += [" ".join(pair) for pair in pairwise(names)] if has_capital_nouns else names
    return found


def _is_unknown(name: str, known: set[str]) -> bool:
    """Whether no word of a name is one that the facts or the question have, its ending aside."""
    words = normalize(name).split()
    return bool(words) and not any(word in known or word.removesuffix("s") in known for word in words)


def _held(quantity: Quantity) -> Held:
    if isinstance(quantity, Moment):
        return Held(begin=quantity.begin, end=quantity.end)
    assert isinstance(quantity, Number)
    return Held(quantity.value, quantity.unit)
