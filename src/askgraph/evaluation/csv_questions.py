"""Questions in a table: a column for the question, one for its answer, and perhaps one for a query or a form.

A question with several answers has several lines, one after another, or its answers stand in one cell with ``|``
between them. An empty cell says that the graph cannot answer the question.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from ..core.errors import Location, QuestionsError
from .gold import GoldItem, GoldQuestion
from .question_objects import Fault, query_of_text

_DELIMITERS: Final = (",", ";", "\t")
_COLUMNS: Final = {
    "question": ("question", "questions", "text", "utterance"),
    "answer": ("answer", "answers", "gold", "expected"),
    "query": ("query", "sparql", "cypher"),
    "form": ("form", "type", "category"),
    "id": ("id", "number"),
}
_SEPARATOR: Final = "|"


def looks_like_csv(text: str, *, needs_gold: bool = True) -> bool:
    """Whether the first line is that of a table of questions: known headings, or a question and something after it."""
    return _layout(text, needs_gold) is not None


def csv_questions(text: str, path: Path, *, needs_gold: bool = True) -> tuple[list[GoldQuestion], list[int]]:
    """The questions of a table, and the line where each begins. Raises :class:`QuestionsError` with the line of a
    fault."""
    layout = _layout(text, needs_gold)
    assert layout is not None
    delimiter, places = layout
    questions: list[GoldQuestion] = []
    lines: list[int] = []
    for line, row in _rows(text, delimiter, path, has_header=bool(places)):
        try:
            question = _question(row, places or {"question": 0, "answer": 1}, len(questions) + 1)
        except Fault as fault:
            raise QuestionsError(str(fault), location=Location(str(path), line)) from fault
        if questions and _continues(question, questions[-1]):
            before = questions[-1]
            questions[-1] = replace(before, answers=(*(before.answers or ()), *(question.answers or ())))
        else:
            questions.append(question)
            lines.append(line)
    return questions, lines


def _layout(text: str, needs_gold: bool) -> tuple[str, dict[str, int]] | None:
    """The delimiter, and the places of the columns; no places where there is no header."""
    first = next(filter(str.strip, text.splitlines()), "")
    for delimiter in _DELIMITERS:
        try:
            cells = next(csv.reader([first], delimiter=delimiter), [])
        except csv.Error:  # a cell beyond what the reader takes
            return None
        headings = [cell.strip().casefold() for cell in cells]
        places = {
            column: headings.index(name)
            for column, names in _COLUMNS.items()
            for name in names[:1] + tuple(other for other in names[1:] if names[0] not in headings)
            if name in headings
        }
        has_gold = "answer" in places or "query" in places
        # A column of questions alone is text: a comma in it is part of a question.
        if "question" in places and (has_gold or (not needs_gold and len(cells) > 1)):
            return delimiter, places
        if len(cells) == 2 and cells[0].strip().endswith("?"):
            return delimiter, {}
    return None


def _rows(text: str, delimiter: str, path: Path, *, has_header: bool) -> Iterator[tuple[int, Sequence[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    end = 0
    try:
        for number, row in enumerate(reader):
            line, end = end + 1, reader.line_num
            if (number or not has_header) and any(cell.strip() for cell in row):
                yield line, row
    except csv.Error as error:
        raise QuestionsError(
            f"not a table: {error}", location=Location(str(path), reader.line_num or 1)
        ) from error


def _question(row: Sequence[str], places: dict[str, int], number: int) -> GoldQuestion:
    cells = {column: row[place].strip() if place < len(row) else "" for column, place in places.items()}
    if max(places.values()) >= len(row) and "answer" in places and places["answer"] >= len(row):
        raise Fault(f"the line has {len(row)} of at least {places['answer'] + 1} cells")
    if not cells["question"]:
        raise Fault("the question is empty")
    query = query_of_text(cells["query"]) if cells.get("query") else None
    texts = [text.strip() for text in cells.get("answer", "").split(_SEPARATOR)]
    answers = tuple(GoldItem((text,)) for text in texts if text)
    says_nothing = not answers and (query is not None or "answer" not in places)
    return GoldQuestion(
        cells.get("id") or str(number),
        cells["question"],
        None if says_nothing else answers,
        query,
        cells.get("form", ""),
    )


def _continues(question: GoldQuestion, before: GoldQuestion) -> bool:
    """Whether a line only adds an answer to the question of the line before."""
    return bool(
        question.text == before.text and question.answers and before.answers and question.query is None
    )
