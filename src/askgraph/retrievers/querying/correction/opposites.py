"""Whether two names say the opposite of each other: near in spelling and to an embedder, and never meant.

``inactive`` is one slip or two from ``active``, and vectors lie close for both; a query that asks for the one must not
be answered with the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....querying.tokens import words

_DENYING = frozenset(words("not non never without isnt un"))
_SAYING_LITTLE = frozenset(words("is are was were"))
_PREFIXES = tuple(words("un in im il ir dis non de anti a ab mis counter"))
_SHORTEST_DENIED = 4
_EXCHANGED = tuple(
    words(
        "hyper-hypo up-down pre-post in-ex im-ex in-de over-under out-in micro-macro intra-extra intra-inter"
        " sub-super pro-anti en-dis en-de homo-hetero mono-poly mono-bi as-des endo-exo ante-post"
    )
)
_PAIRS = frozenset(
    frozenset(pair.split("-"))
    for pair in words(
        "north-south east-west north-east north-west south-east south-west northern-southern eastern-western"
        " left-right upper-lower up-down top-bottom front-back inner-outer internal-external over-under above-below"
        " min-max minimum-maximum first-last start-end begin-end started-ended before-after early-late earliest-latest"
        " previous-next predecessor-successor birth-death born-died old-new young-old open-closed opened-closed"
        " male-female man-woman men-women boy-girl mother-father maternal-paternal son-daughter brother-sister"
        " husband-wife parent-child parents-children ancestor-descendant uncle-aunt king-queen employer-employee"
        " buy-sell buyer-seller bought-sold lender-borrower credit-debit sender-receiver source-target"
        " arrival-departure import-export input-output win-lose winner-loser won-lost home-away positive-negative"
        " high-low large-small big-small long-short major-minor good-bad true-false yes-no day-night summer-winter"
        " benign-malignant benign-malign acute-chronic dominant-recessive odd-even public-private latitude-longitude"
        " likes-hates like-hate love-hate friend-enemy accepted-rejected approved-rejected allowed-forbidden"
    )
)


def are_opposite(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether names, given as their words in small letters, differ in nothing but what makes them opposites."""
    left = [word for word in one if word not in other and word not in _SAYING_LITTLE]
    right = [word for word in other if word not in one and word not in _SAYING_LITTLE]
    if not left or not right:
        return bool(left or right) and _DENYING.issuperset(left or right)
    if len(left) > 1 or len(right) > 1:
        return False
    return _are_opposite_words(left[0], right[0])


def are_turned(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether relations, given as their words in small letters, may say the same of the same two things the other way
    round: who ``manages`` somebody is not who ``has manager`` somebody."""
    mine, theirs = _doer(one), _doer(other)
    return bool(mine and theirs) and mine != theirs


def _doer(name: Sequence[str]) -> str:
    """Which end of a relation does what its name says; empty where that cannot be told.

    "manages", "is manager of": the subject; "has manager", "manager", "managed by": the object.
    """
    if len(name) > 1 and name[-1] in ("of", "by"):
        return "subject" if name[-1] == "of" else "object"
    said = [word for word in name if word not in _SAYING_LITTLE and word not in ("has", "have")]
    if len(said) != 1:
        return ""
    is_noun = said[0].endswith(("er", "or", "ist", "ant", "ent"))
    is_verb = said[0].endswith("s") and not said[0].endswith(("ers", "ors", "ss")) and len(name) == 1
    return "object" if is_noun else "subject" if is_verb else ""


def _are_opposite_words(one: str, other: str) -> bool:
    if frozenset((one, other)) in _PAIRS:
        return True
    long, short = sorted((one, other), key=len, reverse=True)
    if len(short) >= _SHORTEST_DENIED and any(_is_with(long, prefix, short) for prefix in _PREFIXES):
        return True
    pairs = (pair.split("-") for pair in _EXCHANGED)
    return any(
        _have(one, first, other, second) or _have(one, second, other, first) for first, second in pairs
    )


def _is_with(long: str, prefix: str, short: str) -> bool:
    return long.startswith(prefix) and _bare(long.removeprefix(prefix)) == _bare(short)


def _have(one: str, first: str, other: str, second: str) -> bool:
    if not (one.startswith(first) and other.startswith(second)):
        return False
    rest = _bare(one.removeprefix(first))
    return len(rest) >= _SHORTEST_DENIED - 1 and rest == _bare(other.removeprefix(second))


def _bare(word: str) -> str:
    """A word without the endings of number and tense, roughly: both sides are treated alike."""
    return word.rstrip("sd").rstrip("e")
