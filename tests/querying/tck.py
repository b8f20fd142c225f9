"""Reads the scenarios of the openCypher Technology Compatibility Kit (Gherkin files), where they lie."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFORMANCE = Path(os.environ.get("ASKGRAPH_CONFORMANCE", ROOT.parent / "shared" / "data" / "conformance"))
FEATURES = CONFORMANCE / "opencypher" / "tck" / "features"

_STRINGS_AND_NAMES = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.DOTALL
)
_WRITING = re.compile(
    r"(?<![.:$\w])(MERGE|SET|DELETE|REMOVE|FOREACH|DETACH|CREATE)\s+(\(|DELETE\b|\d|\w+\s*(\.|=|:|\+=|,|$|\n))",
    re.IGNORECASE,
)
_CREATES = re.compile(r"(?<![.:$\w])(CREATE|MERGE)\s*(\(|\w+\s*=\s*\()", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TckQuery:
    """A query of a scenario.

    Attributes:
        place: file and scenario, for messages.
        text: the query.
        error: the error that the scenario expects (``"SyntaxError at compile time: UndefinedVariable"``), or empty.
        writes: whether the text has a clause that writes, told by a pattern of its own and not by our parser.
        setup: queries that build the graph before it; all of them write.
    """

    place: str
    text: str
    error: str
    writes: bool
    setup: tuple[str, ...] = ()


def tck_queries() -> list[TckQuery]:
    """Every query that a scenario executes; skips the test, and says so, where the kit is not there."""
    if not FEATURES.is_dir():
        pytest.skip(
            f"the openCypher TCK is not in {FEATURES}; set ASKGRAPH_CONFORMANCE to the folder that holds it"
        )
    return [query for path in sorted(FEATURES.rglob("*.feature")) for query in _queries_of(path)]


def _queries_of(path: Path) -> Iterator[TckQuery]:
    for name, lines in _scenarios(path.read_text(encoding="utf-8").splitlines()):
        for row in _example_rows(lines):
            steps = [_filled(line, row) for line in lines]
            yield from _executed(f"{path.stem}: {name}", steps)


def _scenarios(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    name = ""
    body: list[str] = []
    for line in lines:
        stripped = line.strip()
        if stripped.startswith(("Scenario:", "Scenario Outline:")):
            if name:
                yield name, body
            name, body = stripped.split(":", 1)[1].strip(), []
        else:
            body.append(line)
    if name:
        yield name, body


def _example_rows(lines: list[str]) -> list[dict[str, str]]:
    """The rows of ``Examples:`` tables, or one empty row."""
    rows: list[dict[str, str]] = []
    header: list[str] | None = None
    inside = False
    for line in lines:
        stripped = line.strip()
        if stripped.startswith("Examples:"):
            inside, header = True, None
        elif inside and stripped.startswith("|"):
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", stripped)[1:-1]]
            if header is None:
                header = cells
            else:
                rows.append(dict(zip(header, cells, strict=True)))
    return rows or [{}]


def _filled(line: str, row: dict[str, str]) -> str:
    for key, value in row.items():
        line = line.replace(f"<{key}>", value)
    return line


def _executed(place: str, lines: list[str]) -> Iterator[TckQuery]:
    """The texts after "When executing query:" and "When executing control query:", with the error that follows."""
    position = 0
    setup = _named_graph(lines)
    while position < len(lines):
        stripped = lines[position].strip()
        if stripped.endswith("having executed:"):
            text, position = _doc_string(lines, position + 1)
            setup.append(text)
        elif stripped.startswith("When executing") and stripped.endswith("query:"):
            text, position = _doc_string(lines, position + 1)
            yield TckQuery(place, text, _error(lines[position:]), _writes(text), tuple(setup))
        else:
            position += 1


def _named_graph(lines: list[str]) -> list[str]:
    """The query that builds a graph which scenarios name, as a list of one; empty without."""
    for line in lines:
        if found := re.match(r"\s*Given the (\S+) graph", line):
            path = FEATURES.parent / "graphs" / found[1] / f"{found[1]}.cypher"
            return [path.read_text(encoding="utf-8").strip().rstrip(";")]
    return []


def _doc_string(lines: list[str], position: int) -> tuple[str, int]:
    while lines[position].strip() != '"""':
        position += 1
    end = position + 1
    while lines[end].strip() != '"""':
        end += 1
    indent = len(lines[position]) - len(lines[position].lstrip())
    return "\n".join(line[indent:] for line in lines[position + 1 : end]), end + 1


def _error(lines: list[str]) -> str:
    for line in lines:
        stripped = line.strip()
        if stripped.startswith("When executing"):
            return ""
        found = re.match(
            r"Then an? (\w+) should be raised at (compile time|runtime|any time): (\S+)", stripped
        )
        if found:
            return f"{found[1]} at {found[2]}: {found[3]}"
    return ""


def _writes(text: str) -> bool:
    plain = _STRINGS_AND_NAMES.sub("''", text)
    return bool(_WRITING.search(plain) or _CREATES.search(plain))
