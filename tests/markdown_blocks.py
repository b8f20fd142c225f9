"""Finds the fenced code blocks of a Markdown page and what its author says about running them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,}) *(?P<info>[^`]*)$")
_NOT_RUN = re.compile(r"<!-- not run: *(?P<reason>.*?) *-->")
_EXIT_CODE = re.compile(r"<!-- exit code: *(?P<code>\d+) *-->")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block.

    Attributes:
        page: the Markdown file.
        line: the line of the opening fence, from 1.
        language: the first word after the fence, ``""`` if there is none.
        file: the second word: the name under which the page's later blocks find this block's text.
        text: what stands between the fences, without their indentation.
        not_run: why the block is not run (``<!-- not run: why -->`` above it), else ``None``.
        exit_code: what its commands exit with (``<!-- exit code: 1 -->`` above it).
    """

    page: Path
    line: int
    language: str
    file: str
    text: str
    not_run: str | None = None
    exit_code: int = 0

    @property
    def place(self) -> str:
        """Where to look when it fails."""
        return f"{self.page.name}:{self.line}"


@dataclass(slots=True)
class Command:
    """One command line of a console block, the output that the page shows for it, and the page's line after it."""

    line: str
    output: list[str] = field(default_factory=list)
    output_line: int = 0


def blocks_of(page: Path) -> Iterator[Block]:
    """The blocks of a page, from top to bottom."""
    lines = page.read_text(encoding="utf-8").splitlines()
    marker = ""
    position = 0
    while position < len(lines):
        opening = _FENCE.match(lines[position])
        if not opening:
            if lines[position].strip():
                marker = lines[position].strip()
            position += 1
            continue
        end = next(
            (
                number
                for number in range(position + 1, len(lines))
                if lines[number].strip() == opening["fence"]
            ),
            None,
        )
        if end is None:
            raise AssertionError(f"{page.name}:{position + 1}: this block is never closed")
        yield _block(page, position, opening, lines[position + 1 : end], marker)
        marker = ""
        position = end + 1


def _block(page: Path, position: int, opening: re.Match[str], lines: list[str], marker: str) -> Block:
    words = opening["info"].split()
    not_run = _NOT_RUN.fullmatch(marker)
    exit_code = _EXIT_CODE.fullmatch(marker)
    indent = len(opening["indent"])
    return Block(
        page=page,
        line=position + 1,
        language=words[0] if words else "",
        file=words[1] if len(words) > 1 else "",
        text="".join(line[indent:] + "\n" for line in lines),
        not_run=not_run["reason"] if not_run else None,
        exit_code=int(exit_code["code"]) if exit_code else 0,
    )


def commands_of(block: Block) -> list[Command]:
    """The commands of a shell block: lines after ``$ `` with the output under each; without any ``$ ``, every line.

    A command goes on in the next line after a backslash. Comments and empty lines between commands are dropped.
    """
    lines = block.text.splitlines()
    if not any(line.startswith("$ ") for line in lines):
        joined = re.sub(r"\\\n\s*", "", block.text).splitlines()
        return [Command(line) for line in joined if line.strip() and not line.startswith("#")]
    commands: list[Command] = []
    goes_on = False
    for number, line in enumerate(lines, start=block.line + 2):
        if goes_on:
            commands[-1].line += line.removeprefix("> ").strip().rstrip("\\")
            commands[-1].output_line = number
        elif line.startswith("$ "):
            commands.append(Command(line.removeprefix("$ ").rstrip("\\"), output_line=number))
        elif commands:
            commands[-1].output.append(line.rstrip())
        else:
            raise AssertionError(f"{block.place}: output before the first command")
        goes_on = line.endswith("\\") and (goes_on or line.startswith("$ "))
    return commands


def with_output(page: Path, command: Command, printed: str) -> str:
    """The page's text with this output in place of the one that it shows for a command."""
    lines = page.read_text(encoding="utf-8").splitlines()
    start = command.output_line - 1
    lines[start : start + len(command.output)] = printed.splitlines()
    return "\n".join(lines) + "\n"


# What differs from run to run, as it looks after re.escape: times, ids of runs, moments.
_VOLATILE = (
    (re.compile(r"\d+(?:\\\.\d+)?\\ (m?s)\b"), r"[\\d.,]+\\ \1"),
    (re.compile(r"\d{8}\\-\d{6}\\-\d{3}\\-[0-9a-f]{6}"), r"\\d{8}-\\d{6}-\\d{3}-[0-9a-f]{6}"),
    (re.compile(r"\d{4}\\-\d\d\\-\d\dT[\d:.\\]+[\d:.\\+Z]*"), r"[\\d:.T+Z-]+"),
)


def output_pattern(lines: list[str]) -> re.Pattern[str]:
    """What a command may print where the page shows these lines.

    ``...`` stands for anything, also many lines; a time (``0.3 s``), a run's id and a moment for any other.
    """
    pattern = re.escape("\n".join(lines).strip("\n")).replace(r"\.\.\.", ".*?")
    for volatile, any_other in _VOLATILE:
        pattern = volatile.sub(any_other, pattern)
    return re.compile(pattern, re.DOTALL)
