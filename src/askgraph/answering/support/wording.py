"""The words of a sentence that make its claim stronger, or deny it, or that nothing accounts for."""

from __future__ import annotations

from .basis import Basis
from .tokens import places_of, tokens_of

_TO_ALL = frozenset({"neither", "nor", "none", "nobody", "nothing"})


def makes_a_claim(basis: Basis) -> bool:
    """Whether a sentence claims anything of the graph: a heading, a greeting, a promise do not."""
    parsed, rules = basis.parsed, basis.rules
    tokens = tokens_of(parsed.text)
    spoken = {
        place + offset
        for place, phrase in places_of(tokens, rules.no_claim_phrases)
        for offset in range(len(phrase))
    }
    content = [
        place
        for place in range(len(tokens))
        if place not in spoken and not basis.is_little(parsed.tokens[place])
    ]
    if not content:
        return False
    if parsed.text.rstrip(" *_").endswith(":"):
        # "The genes of asthma are:" announces; "There are three genes:" counts.
        return any(part.quantity is not None for part in parsed.parts)
    names = [part for part in parsed.parts if part.keys or part.quantity is not None]
    return not (0 in spoken and not names)


# --- claims of a whole


def whole_fault(basis: Basis) -> str:
    """What claims the whole of something: "only", "all", "most". Facts that were found say nothing of others."""
    parsed, rules = basis.parsed, basis.rules
    for place, token in enumerate(parsed.tokens):
        word = token.normal
        if parsed.part_at(place) is not None or not word:
            continue
        if word in rules.totals:
            following = {parsed.normal(place + offset) for offset in (1, 2, 3)}
            if word in rules.limitable and (following & rules.totals_limited or _sums_up(basis, place)):
                parsed.cover(place, place + 1)
            elif not (word in rules.language.degrees and parsed.normal(place - 1) == "the"):
                return f"no fact says {token.text!r}"
        if word in rules.pairs | rules.several:
            if not _has_several(basis, place):
                return f"no fact says {token.text!r}"
            parsed.cover(place, place + 1)
    return ""


def _sums_up(basis: Basis, place: int) -> bool:
    """Whether "all" and "each" only sum up names before them: "A, B and C are all drugs"."""
    parsed = basis.parsed
    back = place - 1
    while back >= 0 and parsed.normal(back) in basis.rules.grammar["be"] | basis.rules.grammar["have"]:
        back -= 1
    part = parsed.part_at(back)
    return part is not None and len([item for item in parsed.group_of(part) if item.keys]) > 1


def _has_several(basis: Basis, place: int) -> bool:
    """Whether "both" and "several" stand by two things or more."""
    behind = [part for part in basis.parsed.parts if part.first > place]
    before = [part for part in basis.parsed.parts if part.last <= place]
    return any(
        len([part for part in parts if part.keys]) > 1
        or any(len(basis.joiner.number_of([part])) > 1 for part in parts if part.kinds)
        for parts in (behind, before)
    )


# --- denial


def negated_places(basis: Basis) -> frozenset[int]:
    """The tokens that a negation reaches."""
    parsed, rules = basis.parsed, basis.rules
    spared = {place for place, _ in places_of(parsed.tokens, rules.no_negations)}
    found: set[int] = set()
    for place, token in enumerate(parsed.tokens):
        if token.normal not in rules.negations or place in spared or parsed.part_at(place) is not None:
            continue
        if _answers_no(basis, place):
            parsed.cover(0, 1)
        elif token.normal in _TO_ALL:
            return frozenset(range(len(parsed.tokens)))
        else:
            found.update(range(place, _end_of_clause(basis, place)))
    return frozenset(found)


def _answers_no(basis: Basis, place: int) -> bool:
    """ "No, it does not": the first word answers, and denies nothing else."""
    tokens = basis.parsed.tokens
    return place == 0 and tokens[0].normal == "no" and len(tokens) > 1 and tokens[1].before == ","


def _end_of_clause(basis: Basis, place: int) -> int:
    parsed = basis.parsed
    for after in range(place + 1, len(parsed.tokens)):
        if parsed.normal(after) in basis.rules.clause_ends or parsed.tokens[after].before[:1] in (",", ";"):
            return after
    return len(parsed.tokens)


# --- words that nothing accounts for


def unaccounted(basis: Basis, negated: frozenset[int], *, by_any_fact: bool = False) -> str:
    """The first word that claims something and that nothing accounts for, as a fault; empty where there is none.

    ``by_any_fact``: a word that any fact says is accounted for, whether or not the sentence rests on it.
    """
    parsed, rules = basis.parsed, basis.rules
    spared = {
        place + offset
        for place, phrase in places_of(parsed.tokens, rules.no_negations)
        for offset in range(len(phrase))
    }
    judged_elsewhere = rules.totals | rules.pairs | rules.several | rules.grammar["titles"]
    judged_elsewhere |= frozenset(rules.aggregates)
    for place, token in enumerate(parsed.tokens):
        if parsed.covered[place] or place in spared or basis.is_little(token):
            continue
        if token.normal in judged_elsewhere or (token.normal in rules.negations and negated):
            continue
        if basis.is_said(token.normal, by_any_fact=by_any_fact):
            continue
        name = _whole_name(basis, place)
        return f"no fact names {name!r}" if token.is_capital else f"no fact says {token.text!r}"
    return ""


def _whole_name(basis: Basis, place: int) -> str:
    """A name as written, from its first capital to its last."""
    parsed = basis.parsed
    last = place
    while last + 1 < len(parsed.tokens):
        following = parsed.tokens[last + 1]
        if parsed.covered[last + 1] or not following.is_capital or following.before not in ("", "-", "."):
            break
        last += 1
    return parsed.text[parsed.tokens[place].start : parsed.tokens[last].end]
