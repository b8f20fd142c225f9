"""The citations in what a model wrote, in every shape that models give them.

``[1]``, ``[1, 2]``, ``[1-3]``, ``[1][2]``, ``(1)``, ``【1†source】``, ``^1``, ``[^1]``, ``¹``, ``<sup>1</sup>``,
``(fact 3)``, "according to facts 1 and 2", ``[Data: Reports (1, 2)]``. They are taken out of the text; the numbers are
the model's own, and which of them there are is for the caller to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_NOUN = r"(?:facts?|sources?|refs?|references?|citations?|evidence|docs?|documents?|items?|reports?)"
# Numbers with what may stand between them: "1, 2 and 4-6", "1; 2", "fact 1, fact 2".
_NUMBER = rf"(?:{_NOUN}\.?\s*)?[#^]?\d{{1,4}}(?:†[^\]】]*)?"
_LIST = rf"{_NUMBER}(?:\s*(?:,|;|&|-|–|—|to|and|,\s*and)\s*{_NUMBER})*"
_LEAD = rf"(?:(?:see|cf\.?|from|{_NOUN})[:\s]*)?"
_SHAPES = (
    # As GraphRAG's own answers cite.
    rf"\[\s*Data:\s*Reports?\s*\(\s*{_LIST}\s*(?:,\s*\+\s*more\s*)?\)\s*\]",
    rf"\[\s*{_LEAD}{_LIST}\s*\]",
    rf"【\s*{_LEAD}{_LIST}\s*】",
    rf"\{{\s*{_LEAD}{_LIST}\s*\}}",
    rf"<sup>\s*[\[(]?{_LIST}[\])]?\s*</sup>",
    rf"\^\[?\s*{_LIST}\s*\]?\^?",
    r"(?<=\S)[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[⁻,˒][⁰¹²³⁴⁵⁶⁷⁸⁹]+)*",
    rf"\(\s*(?:see\s+|cf\.?\s+|from\s+)?{_NOUN}s?[:\s]*{_LIST}\s*\)",
    # As words of the sentence: "According to fact 3, …", "as facts 1 and 2 show".
    rf"\b(?:as\s+)?(?:according\s+to|as\s+(?:stated|shown|given)\s+(?:in|by)|based\s+on|from|per|see)\s+(?:the\s+)?(?:facts?|sources?|reports?)\s+{_LIST}\s*,?",
    rf"\b(?:facts?|reports?)\s+{_LIST}\s+(?:says?|shows?|states?|tells?|indicates?|confirms?)(?:\s+us)?(?:\s+that)?\b",
    rf"(?:,\s*)?\bas\s+(?:facts?|reports?)\s+{_LIST}\s+(?:says?|shows?|states?)\b",
)
_CITATION = re.compile("|".join(f"(?:{shape})" for shape in _SHAPES), re.IGNORECASE)
# Numbers in plain brackets may be years or measures: they cite where they close a sentence or a clause.
_BRACKETED = re.compile(
    r"(?<=[\w.!?\"'”’)\]])\s*\((\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\)(?=\s*(?:[.,;:!?(\[]|$))"
)
_RANGE = re.compile(r"(\d+)\s*(?:-|–|—|to)\s*[#^]?(\d+)")
_SINGLE = re.compile(r"\d+")
_MARK = re.compile("\ue000(\\d+)\ue001")
_LONGEST_RANGE = 200


@dataclass(frozen=True, slots=True)
class Cited:
    """A text without its citations, and the numbers that it cites, in their order, without repeats."""

    text: str
    numbers: tuple[int, ...]


class Citations:
    """Takes the citations out of a reply and leaves a mark in the place of each, so that the text can be split into
    sentences without breaking them.

    Args:
        most: the highest number that there is; a number in plain brackets beyond it is no citation.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._found: list[tuple[int, ...]] = []

    def marked(self, text: str) -> str:
        """The text with a mark for each citation."""
        text = _MARK.sub("", text)
        return _BRACKETED.sub(self._mark_bracketed, _CITATION.sub(self._mark, text))

    def _mark(self, match: re.Match[str]) -> str:
        if match[0].startswith("^") and match.start() > 0 and match.string[match.start() - 1].isdigit():
            return match[0]  # A power: 10^3.
        return self._put(numbers_in(match[0].translate(_DIGITS)))

    def _mark_bracketed(self, match: re.Match[str]) -> str:
        numbers = numbers_in(match[1])
        if self._most is None or not numbers or max(numbers) > self._most:
            return match[0]
        return self._put(numbers)

    def _put(self, numbers: tuple[int, ...]) -> str:
        self._found.append(numbers)
        return f"\ue000{len(self._found) - 1}\ue001"

    def taken_from(self, marked: str) -> Cited:
        """A text without its marks, and what they stand for."""
        numbers = [number for match in _MARK.finditer(marked) for number in self._found[int(match[1])]]
        return Cited(_tidied(_MARK.sub(" ", marked)), tuple(dict.fromkeys(numbers)))


def numbers_in(citation: str) -> tuple[int, ...]:
    """The numbers of one citation, ranges written out (up to 200 long)."""
    citation = re.sub(r"†[^\]】]*", "", citation)
    numbers: list[int] = []
    end = 0
    for match in _RANGE.finditer(citation):
        numbers += [int(number) for number in _SINGLE.findall(citation[end : match.start()])]
        first, last = int(match[1]), int(match[2])
        is_range = first <= last <= first + _LONGEST_RANGE
        numbers += list(range(first, last + 1)) if is_range else [first, last]
        end = match.end()
    numbers += [int(number) for number in _SINGLE.findall(citation[end:])]
    return tuple(dict.fromkeys(numbers))


def parse_citations(text: str, most: int | None = None) -> Cited:
    """A sentence without its citations, and the numbers that it cites."""
    citations = Citations(most)
    return citations.taken_from(citations.marked(text))


def _tidied(text: str) -> str:
    """Without the blanks and empty brackets that citations leave behind."""
    text = re.sub(r"\(\s*[,;]?\s*\)|\[\s*\]", "", text)
    text = re.sub(r"[ \t]+", " ", text)
    text = re.sub(r"\s+([.,;:!?…。！？，；：])", r"\1", text)
    text = re.sub(r"([.!?])\s*,|,\s*([.!?])", r"\1\2", text.strip())
    text = re.sub(r"(?<!\.)\.\.(?!\.)", ".", text)
    return re.sub(r"^[\s,;:]+(?=\w)", "", text).strip()
