"""Which of several queries a model means, and what it says where there is none.

The rule, for queries that stand in one answer:

1. A query in what was answered comes before one in what was thought; one in a block of code or in JSON before one in
   running text; one that could be read, or was meant in full, before the beginning of one.
2. Of those, the last that is announced as final ("corrected", "final", "full") is meant;
3. else the last that is announced neither as an alternative ("or", "option 2", "you could also") nor as wrong;
4. else the first alternative; else the last.
5. Of three or more in a row with nothing said between them the first: the model did not stop.

What a model goes on to ask itself after its answer is no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from .extracted import CandidateQuery, Outcome

UNANSWERABLE = "UNANSWERABLE"
"""The word with which prompts ask a model to begin where the schema has no answer to the question."""

_FINAL = re.compile(
    r"""(?ix)\b(?:final(?:ly|ized|ised)?|corrected|fixed|revised|improved|updated|refined|full|complete|combined|optimi[sz]ed|merged
    |(?:the|a)\s+correct|right\s+(?:query|one)|instead|should\s+be|better|actual\s+query|endgültig\w*|korrigiert\w*
    |korrekte?\w*|stattdessen|vollständig\w*|corregid\w*|correct[ao]|definitiv\w*|en\s+su\s+lugar|completa)\b"""
)
_WRONG = re.compile(
    r"""(?ix)\b(?:incorrect\w*|wrong\w*|not\s+(?:be\s+)?(?:correct|work|valid|right|use|write)|(?:doesn|won|wouldn|don|shouldn)['’]t\s+(?:work|use|write|do)
    |bad|avoid|do\s+not|fail(?:s|ed)?|mistake\w*|invalid|original(?:ly)?|previous(?:ly)?|initial(?:ly)?|draft|first\s+attempt|naive|before
    |instead\s+of|rather\s+than|falsch\w*|fehlerhaft\w*|ursprünglich\w*|incorrect[ao]|en\s+lugar\s+de)\b"""
)
_ALTERNATIVE = re.compile(
    r"""(?ix)\b(?:alternativ\w*|another|option\s*\#?(?:[2-9]|[b-z])\b|variant\w*|(?:you|we)\s+(?:can|could|may|might)\s+(?:also|alternatively)
    |if\s+you(?:['’]d)?\s+(?:want|need|prefer|only|like|would|also)|optional(?:ly)?|for\s+(?:example|instance)|e\.g\.|similar(?:ly)?|or(?=[\s,:]*$)
    |or,|simpler|sub-?quer(?:y|ies)|oder(?=[\s,:]*$)|(?:zum\s+)?beispiel|otra|por\s+ejemplo|también|auch)"""
)
_LATER_NUMBER = re.compile(r"(?:^|\n)[ \t]*(?:\#+[ \t]*|\*\*)?\(?(?:[2-9]|\d\d)[.)][^\n]*\s*$")
_STEP = re.compile(r"(?i)\bstep\b|\bschritt\b|\bpaso\b")
_LABEL_LENGTH = 240
_RUNNING_ON = 3

_CANNOT = re.compile(
    r"""(?ix)\b(?:
      (?:can(?:no|['’])t|cannot|could\s*n[o'’]t|(?:am|is|are)\s+(?:unable|not\s+able)|unable\s+to|not\s+possible|impossible|won['’]t|will\s+not)\b
      (?!\s+be\s+(?:null|empty))
    | sorry | apologi[sz]e | as\s+an\s+ai | i\s+(?:do\s*n[o'’]t|do\s+not)\s+(?:know|have|understand)
    | kann\s+(?:ich\s+)?(?:leider\s+)?(?:das\s+|diese\s+\w+\s+)?nicht | leider | nicht\s+möglich | tut\s+mir\s+leid
    | no\s+(?:puedo|es\s+posible|se\s+puede) | lo\s+siento | je\s+ne\s+peux\s+pas | désolée?
    )\b"""
)
_STORE = r"(?:schema|graph|database|data(?:set)?|ontology)"
_NOT_IN_GRAPH = re.compile(
    rf"""(?ix)\b(?:
      {_STORE}\b[^.\n]{{0,60}}?\b(?:does\s*n[o'’]t|do\s*n[o'’]t|not|no|lacks?|missing)\b
    | (?:not|n['’]t)\s+(?:be\s+)?(?:answer(?:ed|able)?|contain(?:ed)?|present|available|part\s+of|found|exist)\b
      [^.\n]{{0,60}}?\b{_STORE}
    | no\s+(?:such\s+)?(?:information|data|property|relationship|node|label|type|field|predicate|class)s?\b
    | unanswerable | not\s+answerable | (?:schema|graph|datenbank)\b[^.\n]{{0,60}}?\b(?:kein\w*|nicht)\b
    | (?:esquema|grafo)\b[^.\n]{{0,60}}?\bno\b
    )"""
)
_FIXED = re.compile(
    rf"""(?imx) ^[ \t\r>*_\#`"'/{{}}-]*+ (?:answer|query|cypher|sparql|output|result)?+ [ \t:>*_`"'\#-]*+
    (?:{UNANSWERABLE}|CANNOT[ _]ANSWER)\b [`*_]*+ [ \t:.,;–—-]*+ (?P<reason>[^\n]*)"""
)
_QUOTED_RULE = re.compile(r"(?i)\b(?:if|when|reply|write|say|respond|otherwise|unless)\b[^\n]*$")


def meant_one(candidates: Sequence[CandidateQuery], labels: Sequence[str], fragments: set[int]) -> int | None:
    """Which candidate is meant, by its place; ``labels`` are the words before each, ``fragments`` the places of those
    that are only the beginning of a query."""
    ranks = [
        (
            candidate.in_reasoning,
            place in fragments,
            candidate.setting == "text",
        )
        for place, candidate in enumerate(candidates)
    ]
    if not ranks:
        return None
    best = min(ranks)
    places = [place for place, rank in enumerate(ranks) if rank == best]
    said = {place: announced(labels[place]) for place in places}
    for wanted, which in (("final", -1), ("plain", -1), ("alternative", 0), ("wrong", -1)):
        found = [place for place in places if said[place] == wanted]
        if found:
            return _before_running_on(found, labels) if which else found[0]
    return places[-1]


def _before_running_on(places: Sequence[int], labels: Sequence[str]) -> int:
    """The last of some candidates; where it ends a row of at least three with nothing said between them, the first of
    the row: the model did not stop."""
    first = len(places) - 1
    while first > 0 and not re.search(r"\w", labels[places[first]]):
        first -= 1
    return places[first] if len(places) - first >= _RUNNING_ON else places[-1]


def announced(label: str) -> Literal["final", "plain", "alternative", "wrong"]:
    """As what the words before a query announce it; the last word counts: "this is wrong; the corrected query is"."""
    label = label[-_LABEL_LENGTH:]
    paragraphs = [part for part in re.split(r"\n[ \t]*\n", label.strip()) if part.strip()]
    near = paragraphs[-1] if paragraphs else ""
    ends: list[tuple[int, Literal["final", "wrong", "alternative"]]] = []
    for kind, pattern in (("final", _FINAL), ("wrong", _WRONG), ("alternative", _ALTERNATIVE)):
        ends += [(match.end(), kind) for match in pattern.finditer(near)]  # type: ignore[misc]
    if ends:
        return max(ends)[1]
    if _LATER_NUMBER.search(near) and not _STEP.search(near):
        return "alternative"
    return "plain"


def outcome_without_query(said: str, *, lacks_query: bool) -> Outcome:
    """What a reply comes to that has no query; ``lacks_query``: it has a place for one that is empty."""
    if not re.search(r"\w", said):
        return "unanswerable" if lacks_query else "empty"
    if _NOT_IN_GRAPH.search(said):
        return "unanswerable"
    if _CANNOT.search(said):
        return "refusal"
    return "unanswerable" if lacks_query else "prose"


def fixed_words(said: str, has_query: bool) -> str | None:
    """The reason given after the words agreed on for a question without an answer; ``None`` where they are not said.

    They count at the beginning of a reply, and at its end; in a reply with a query not where a rule is quoted.
    """
    found = list(_FIXED.finditer(said))
    if not found:
        return None
    first, last = found[0], found[-1]
    if not said[: first.start()].strip() or not has_query:
        return _reason(first)
    is_last_word = not said[last.end() :].strip()
    return _reason(last) if is_last_word and not _QUOTED_RULE.search(last["reason"]) else None


def _reason(found: re.Match[str]) -> str:
    return found["reason"].strip(" `*_\"'}]")
