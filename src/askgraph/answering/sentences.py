"""A reply as sentences: paragraphs, lists, headings and tables of Markdown, and every common end of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_ITEM = re.compile(r"^\s*(?:[-*+•‣◦]|\(?\d{1,3}[.)]|[a-z][.)])\s+")
_HEADING = re.compile(r"^\s*#{1,6}\s+")
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_MARK = "\ue000\\d+\ue001"
# The end of a sentence with closing quotes and citations behind it. In Chinese and Japanese no blank follows.
_END = re.compile(
    rf"(?:[.!?…]+[\"'”’»)\]*_]*(?:\s*(?:{_MARK}))*(?=\s|$)|[。！？]+[」』”’）]*(?:\s*(?:{_MARK}))*)"
)
# Characters before a full stop that tell whether it ends a sentence.
_LOOKED_BACK = 100
_INITIAL = re.compile(r"(?:^|[\s(.\-\"'])[^\W\d_]$")
_STARTS_SMALL = re.compile(r"^\s*[a-zà-öø-ÿ]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of a reply.

    Attributes:
        text: as it is shown.
        claim: as it is checked: a row of a table with its headings.
        begins_line: whether a line begins with it.
    """

    text: str
    claim: str
    begins_line: bool = False


def split_sentences(text: str) -> list[Piece]:
    """The sentences of a reply, in order."""
    return [piece for block in _blocks(text) for piece in _pieces_of(block)]


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that belong together: a paragraph, an item of a list, a row of a table with its headings."""

    text: str
    is_row: bool = False
    headings: tuple[str, ...] = ()


def _blocks(text: str) -> Iterator[_Block]:
    lines: list[str] = []
    headings: tuple[str, ...] = ()
    all_lines = text.replace("\r\n", "\n").split("\n")
    for place, line in enumerate(all_lines):
        is_row = line.strip().startswith("|") or (bool(headings) and "|" in line)
        begins = not line.strip() or _ITEM.match(line) or _HEADING.match(line) or is_row or _FENCE.match(line)
        if begins and lines:
            yield _Block("\n".join(lines))
            lines = []
        if not line.strip() or _FENCE.match(line) or (_RULE.match(line) and not is_row):
            headings = () if not line.strip() else headings
        elif _TABLE_RULE.match(line) and is_row:
            continue
        elif is_row:
            following = all_lines[place + 1] if place + 1 < len(all_lines) else ""
            if _TABLE_RULE.match(following) and "-" in following:
                headings = _cells(line)
                continue
            yield _Block(line.strip(), True, headings)
        elif _HEADING.match(line):
            yield _Block(line.strip())
        else:
            lines.append(line.strip() if lines else line.rstrip())
    if lines:
        yield _Block("\n".join(lines))


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


def _pieces_of(block: _Block) -> Iterator[Piece]:
    if block.is_row:
        cells = _cells(block.text)
        named = [
            f"{heading} {cell}" if heading else cell
            for heading, cell in zip((*block.headings, *[""] * len(cells)), cells, strict=False)
            if cell
        ]
        yield Piece(block.text, ", ".join(named), True)
        return
    flat = " ".join(block.text.split("\n")).strip()
    for number, sentence in enumerate(_sentences(flat)):
        yield Piece(sentence, sentence, number == 0)


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(text):
        if match.end() >= len(text):
            break
        if _goes_on(text, match, start):
            continue
        sentence = text[start : match.end()].strip()
        if sentence:
            yield sentence
        start = match.end()
    rest = text[start:].strip()
    if rest:
        yield rest


def _goes_on(text: str, match: re.Match[str], start: int) -> bool:
    """Whether a full stop ends no sentence: an abbreviation, an initial, a number of a list, or it goes on in small
    letters."""
    if match[0][0] != ".":
        return match[0][0] == "…" and bool(_STARTS_SMALL.match(text[match.end() :]))
    before = text[max(start, match.start() - _LOOKED_BACK) : match.start()]
    word = re.split(r"[\s(\[\"'“‘/]", before)[-1].casefold()
    if word in _ABBREVIATIONS or (word + ".").replace("..", ".") in _ABBREVIATIONS:
        return True
    if re.fullmatch(r"(?:[^\W\d_]\.)*[^\W\d_]", word) and _INITIAL.search(before):
        # "J. Smith", "U.S. companies", but not "vitamin C. It …": an initial stands at the beginning or behind a name.
        previous = before.split()[-2:-1]
        return not previous or previous[0][:1].isupper() or "." in word or len(before.split()) == 1
    if before.strip().isdigit() and not text[:start].strip():
        return True
    return bool(_STARTS_SMALL.match(text[match.end() :]))


def _read_abbreviations() -> frozenset[str]:
    file = resources.files(__package__).joinpath("abbreviations.txt")
    lines: Iterable[str] = file.read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


_ABBREVIATIONS = _read_abbreviations()
