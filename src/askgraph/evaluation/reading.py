"""Files of questions with their right answers: which layout one has is seen from what it holds, not from its name.

Read are JSON Lines and JSON (:mod:`askgraph.evaluation.question_objects` has the layouts), the YAML of CK25, CSV, and
SPARQL examples in Turtle, also a folder of these.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from ..core.errors import Location, MissingPackageError, QuestionsError
from .csv_questions import csv_questions, looks_like_csv
from .gold import GoldQuestion, QuestionSet
from .question_objects import Fault, question_of_object

_LARGEST_FILE: Final = 512 * 1024 * 1024
_SHACL: Final = "http://www.w3.org/ns/shacl#"
_SELECTS: Final = re.compile(r"\b(?:select|ask)\b", re.IGNORECASE)
_QUESTIONS_KEY: Final = re.compile(r"(?m)^questions\s*:")
_HEADINGS: Final = ("question", "questions")
_LIST_OF_QUESTIONS: Final = re.compile(r'"questions"\s*:\s*\[')


class _Item(NamedTuple):
    """What a question is made of, and the line where it begins, worked out only where it is wanted."""

    data: Any
    line: Callable[[], int | None]


class _Wanted(NamedTuple):
    """What is wanted of a file: which wording of a question, and whether each must say what is right."""

    language: str
    needs_gold: bool


def read_questions(path: Path | str, *, language: str = "en", needs_gold: bool = True) -> QuestionSet:
    """Read a file of questions.

    Args:
        path: JSON Lines, JSON, YAML, CSV or Turtle, in UTF-8; or a folder of Turtle files, one example in each.
        language: which wording to take where a question has several.
        needs_gold: whether each question must say what is right. If not, a file of questions alone will do as well:
            CSV with the one column, or plain text with a question on each line.

    Raises:
        QuestionsError: the file cannot be read, has no known layout, or a question in it is at fault (file, line).
        MissingPackageError: it is YAML, and the package that reads this is not installed.
    """
    path = Path(path)
    if path.is_dir():
        return _read_folder(path, language)
    text, digest = _text(path)
    if not text.strip():
        raise QuestionsError("the file is empty", location=Location(str(path)))
    format, questions, line_of = _read(text, path, _Wanted(language, needs_gold))
    if not questions:
        raise QuestionsError("the file has no questions", location=Location(str(path)))
    return QuestionSet(path.name, format, tuple(questions), digest, line_of)


def _read_folder(folder: Path, language: str) -> QuestionSet:
    """The SPARQL examples of all Turtle files in a folder and those below it."""
    read = [(*_text(file), file) for file in sorted(folder.rglob("*.ttl"))]
    if not read:
        raise QuestionsError("the folder has no Turtle files", location=Location(str(folder)))
    from .turtle_questions import turtle_questions

    format, questions = turtle_questions([(text, file) for text, _, file in read], language)
    if not questions:
        raise QuestionsError("no file of the folder has a SPARQL example", location=Location(str(folder)))
    digest = hashlib.sha256("".join(own for _, own, _ in read).encode()).hexdigest()[:16]
    return QuestionSet(folder.name, format, tuple(questions), digest)


def _text(path: Path) -> tuple[str, str]:
    location = Location(str(path))
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise QuestionsError(f"the file has more than {_LARGEST_FILE:,} bytes", location=location)
        content = path.read_bytes()
    except OSError as error:
        raise QuestionsError(f"cannot be read: {error.strerror or error}", location=location) from error
    try:
        return content.decode("utf-8-sig"), hashlib.sha256(content).hexdigest()[:16]
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise QuestionsError(
            "the text is not UTF-8", location=Location(str(path), line), advice="Save it as UTF-8."
        ) from error


_Read = tuple[str, list[GoldQuestion], Callable[[int], int | None]]


def _read(text: str, path: Path, wanted: _Wanted) -> _Read:
    start = text.lstrip()[:1]
    if start in ("{", "["):
        return _read_objects(text, path, wanted)
    if _QUESTIONS_KEY.search(text):
        return _from_items("CK25 YAML", _yaml_items(text, path), path, wanted)
    if _SHACL in text and _SELECTS.search(text):
        from .turtle_questions import turtle_questions

        return (*turtle_questions([(text, path)], wanted.language), lambda place: None)
    if looks_like_csv(text, needs_gold=wanted.needs_gold):
        questions, lines = csv_questions(text, path, needs_gold=wanted.needs_gold)
        return "CSV", questions, lambda place: lines[place]
    if not wanted.needs_gold:
        return _read_lines(text)
    raise QuestionsError(
        "no known layout of questions was found",
        location=Location(str(path), 1),
        advice='JSON Lines are read, each line as {"question": "…", "answers": ["…"]}; CSV with the columns question '
        "and answer; JSON of QALD and DBLP-QuAD; YAML of CK25; SPARQL examples in Turtle. Questions alone, one on each "
        "line, will do with --compare, which puts them to two strategies.",
    )


def _read_lines(text: str) -> _Read:
    """Questions alone, one a line, in quotes or not; a heading, blank lines and comments behind ``#`` are none."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.strip()
        if len(said) > 1 and said[0] == said[-1] == '"':
            said = said[1:-1].replace('""', '"').strip()
        if said and not said.startswith("#") and (found or said.casefold() not in _HEADINGS):
            found.append((number, said))
    questions = [GoldQuestion(str(place), line) for place, (_, line) in enumerate(found, start=1)]
    return "plain text", questions, lambda place: found[place][0]


# --- JSON


def _read_objects(text: str, path: Path, wanted: _Wanted) -> _Read:
    document = _document(text)
    if document is None:
        items = list(_lines(text, path))
        layout = _name_of_layout([item.data for item in items], "JSON Lines")
        return _from_items(layout, items, path, wanted)
    questions = document["questions"] if isinstance(document, dict) else document
    if not isinstance(questions, list):
        raise QuestionsError("'questions' is not a list", location=Location(str(path)))
    items = [_Item(data, _line_finder(text, number)) for number, data in enumerate(questions)]
    return _from_items(_name_of_layout(questions, "JSON"), items, path, wanted)


def _document(text: str) -> Any:
    """The whole text as one JSON document of questions, or ``None`` where it is lines, or nothing of the kind."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_document = isinstance(document, list) or (isinstance(document, dict) and "questions" in document)
    return document if is_document else None


def _lines(text: str, path: Path) -> Iterator[_Item]:
    if re.match(r"\s*(?:\[|\{\s*\n)", text):
        # Not lines but one document, and it cannot be read: the fault is where the document breaks.
        _fail_as_document(text, path)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                data = json.loads(line)
            except (ValueError, RecursionError) as error:
                message = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
                column = error.colno if isinstance(error, json.JSONDecodeError) else None
                raise QuestionsError(
                    f"not JSON: {message}", location=Location(str(path), number, column)
                ) from error
            yield _Item(data, lambda number=number: number)  # type: ignore[misc]


def _fail_as_document(text: str, path: Path) -> NoReturn:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        place = Location(str(path), error.lineno, error.colno)
        raise QuestionsError(f"not JSON: {error.msg}", location=place) from error
    except (ValueError, RecursionError) as error:
        raise QuestionsError(f"not JSON: {error}", location=Location(str(path), 1)) from error
    raise QuestionsError(
        "the JSON document has no list 'questions'",
        location=Location(str(path), 1),
        advice="JSON Lines have one whole object on each line.",
    )


def _line_finder(text: str, number: int) -> Callable[[], int | None]:
    return lambda: _line_of_element(text, number)


def _line_of_element(text: str, number: int) -> int | None:
    """The line where an element of the list of questions begins."""
    found = _LIST_OF_QUESTIONS.search(text)
    place = found.end() if found else text.find("[") + 1
    decoder = json.JSONDecoder()
    try:
        for _ in range(number):
            _, place = decoder.raw_decode(text, _next_element(text, place))
    except ValueError:
        return None
    return text.count("\n", 0, _next_element(text, place)) + 1


def _next_element(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n,":
        place += 1
    return place


def _name_of_layout(items: list[Any], container: str) -> str:
    first = next((item for item in items if isinstance(item, Mapping)), {})
    question = first.get("question")
    if isinstance(question, list):
        return "QALD JSON"
    if isinstance(question, Mapping) and "string" in question:
        return "DBLP-QuAD JSON"
    if "cypher" in first:
        return f"text2cypher {container}"
    return container


# --- YAML


def _yaml_items(text: str, path: Path) -> list[_Item]:
    try:
        import yaml
    except ImportError as error:
        raise MissingPackageError(
            "questions in YAML need the package PyYAML", advice="pip install pyyaml"
        ) from error
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        document = yaml.load(text, Loader=loader)
        marks = _yaml_lines(yaml.compose(text, Loader=loader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = Location(str(path), mark.line + 1, mark.column + 1) if mark else Location(str(path))
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise QuestionsError(f"not YAML: {problem}", location=place) from error
    except RecursionError as error:
        raise QuestionsError("not YAML: nested too deeply", location=Location(str(path))) from error
    questions = document.get("questions") if isinstance(document, dict) else None
    if not isinstance(questions, list):
        raise QuestionsError("'questions' is not a list", location=Location(str(path)))
    return [
        _Item(data, lambda number=number: marks[number] if number < len(marks) else None)  # type: ignore[misc]
        for number, data in enumerate(questions)
    ]


def _yaml_lines(root: Any) -> list[int]:
    """For each question of the document the line where it begins."""
    for key, value in getattr(root, "value", []):
        if key.value == "questions" and isinstance(value.value, list):
            return [node.start_mark.line + 1 for node in value.value]
    return []


# --- questions


def _from_items(layout: str, items: list[_Item], path: Path, wanted: _Wanted) -> _Read:
    questions = []
    for number, item in enumerate(items, start=1):
        try:
            questions.append(
                question_of_object(item.data, number, wanted.language, needs_gold=wanted.needs_gold)
            )
        except Fault as fault:
            raise QuestionsError(
                f"question {number}: {fault}", location=Location(str(path), item.line())
            ) from fault
    return layout, questions, lambda place: items[place].line()
