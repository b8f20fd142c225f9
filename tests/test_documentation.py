"""What the documentation shows is what happens: every block is run, every link leads somewhere.

A page is run from top to bottom in a folder of its own that has ``examples/`` in it. How a page says what its blocks
are: a language (``python``, ``console``, ``bash``, or that of a data file); a file name after it, under which later
blocks find the text; ``<!-- not run: why -->`` or ``<!-- exit code: 1 -->`` in the line above. See CONTRIBUTING.md.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import doctest
import inspect
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any
from xml.sax.saxutils import unescape

import pytest
from scripts.draw_terminal import picture, printed_by
from tests.markdown_blocks import Block, Command, blocks_of, commands_of, output_pattern, with_output

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("README.md")),
]
SHELLS = {"console", "bash", "sh"}
DATA = {"csv", "json", "jsonl", "toml", "turtle", "sparql", "cypher", "text", "yaml"}
# Commands that a page may use around ours. All else must be marked as not run.
HARMLESS = ("askgraph ", "cat ", "head ", "ls ", "mkdir ")
COMMAND_SECONDS = 60
_NEEDS_A_SHELL = re.compile(r"^(?!askgraph )|[|<>*;&$`]")


@dataclass(frozen=True, slots=True)
class Difference:
    """A command that prints something else than the page shows."""

    page: Path
    command: Command
    printed: str

    def __str__(self) -> str:
        wanted = "\n".join(self.command.output).strip("\n")
        place = f"{self.page.name}:{self.command.output_line}"
        return f"{place}: $ {self.command.line}\n{self.printed}\n\nthe page shows:\n{wanted}"


def _name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data_directory: Path) -> Path:
    """Where a page is run: the example graphs, and the askgraph command first on the path."""
    work = tmp_path / "page"
    work.mkdir()
    shutil.copytree(ROOT / "examples", work / "examples")
    programs = tmp_path / "bin"
    programs.mkdir()
    command = programs / "askgraph"
    start = "import sys; from askgraph.cli.main import main; sys.exit(main())"
    command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{start}' \"$@\"\n", encoding="utf-8")
    command.chmod(0o755)
    monkeypatch.chdir(work)
    monkeypatch.setenv("PATH", str(programs) + os.pathsep + os.environ["PATH"])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.environ["PYTHONPATH"], str(ROOT / "src")]))
    for name, value in {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    return work


@pytest.mark.timeout(240)
@pytest.mark.parametrize("page", PAGES, ids=_name_of)
def test_every_block_of_the_page_runs_as_shown(
    page: Path, folder: Path, request: pytest.FixtureRequest
) -> None:
    differences = _run_page(page, folder)
    if differences and request.config.getoption("--update-docs"):
        # From the bottom, so that the lines above stay where they are.
        for difference in reversed(differences):
            by_hand = any("..." in line for line in difference.command.output)
            assert not by_hand, f"to be brought up to date by hand: {difference}"
            page.write_text(with_output(page, difference.command, difference.printed), encoding="utf-8")
        pytest.fail(
            f"{_name_of(page)} is brought up to date: read what changed, and run again", pytrace=False
        )
    assert not differences, "\n\n".join(map(str, differences))


def _run_page(page: Path, folder: Path) -> list[Difference]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    differences: list[Difference] = []
    for block in blocks_of(page):
        if block.not_run is not None:
            assert len(block.not_run) > 5, f"{block.place}: say why this block is not run"
        elif block.language == "python":
            _run_python(block, namespace)
        elif block.language in SHELLS:
            differences += _run_commands(block, folder)
        elif block.language in DATA:
            if block.file:
                (folder / block.file).write_text(block.text, encoding="utf-8")
        else:
            pytest.fail(
                f"{block.place}: a block of language {block.language!r} is neither run nor known as data"
            )
    return differences


def _run_python(block: Block, namespace: dict[str, Any]) -> None:
    if block.text.startswith(">>>"):
        _run_doctest(block, namespace)
        return
    # Blank lines in front give tracebacks the page's own line numbers.
    source = "\n" * block.line + textwrap.dedent(block.text)
    code: CodeType = compile(source, str(block.page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    if code.co_flags & inspect.CO_COROUTINE:
        asyncio.run(eval(code, namespace))  # A notebook awaits at top level.
    else:
        exec(code, namespace)


def _run_doctest(block: Block, namespace: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(
        block.text, namespace, block.place, str(block.page), block.line
    )
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    result = runner.run(test, out=report.append, clear_globs=False)
    namespace.update(test.globs)
    assert not result.failed, "".join(report)


def _run_commands(block: Block, folder: Path) -> list[Difference]:
    commands = commands_of(block)
    assert commands, f"{block.place}: no command in it"
    for command in commands:
        if not command.line.startswith(HARMLESS):
            pytest.fail(f"{block.place}: mark the block as not run, with the reason: {command.line}")
    found = [_run_command(block, command, folder) for command in commands]
    return [difference for difference in found if difference]


def _run_command(block: Block, command: Command, folder: Path) -> Difference | None:
    code, output = (_run_by_shell if _NEEDS_A_SHELL.search(command.line) else _run_here)(command.line, folder)
    printed = "\n".join(line.rstrip() for line in output.splitlines()).strip("\n")
    if code != block.exit_code:
        raise AssertionError(f"{block.place}: exit code {code}\n$ {command.line}\n{printed}")
    as_shown = not any(command.output) or output_pattern(command.output).fullmatch(printed)
    return None if as_shown else Difference(block.page, command, printed)


def _run_here(line: str, folder: Path) -> tuple[int, str]:
    """The command in this process, which has loaded everything already: a page has many of them."""
    from askgraph.cli.main import main

    written = io.BytesIO()
    terminal = io.TextIOWrapper(written, encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
        code = main(shlex.split(line)[1:])
    return code, written.getvalue().decode()


def _run_by_shell(line: str, folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=COMMAND_SECONDS,
        check=False,
    )
    return done.returncode, done.stdout.decode()


@pytest.mark.parametrize(
    "image", sorted((ROOT / "docs" / "images").glob("*.svg")), ids=lambda image: image.name
)
def test_the_picture_shows_what_the_command_prints(
    image: Path, folder: Path, request: pytest.FixtureRequest
) -> None:
    drawn = image.read_text(encoding="utf-8")
    title = re.search(r"<title>(.*?)</title>", drawn, re.DOTALL)
    assert title, f"{image.name} was not made by scripts/draw_terminal.py"
    command = unescape(title[1])
    today = picture(command, printed_by(command))
    if today != drawn and request.config.getoption("--update-docs"):
        image.write_text(today, encoding="utf-8")
    assert today == drawn


def test_every_command_is_shown_on_some_page() -> None:
    from askgraph.cli.dispatch import COMMANDS

    serves = {"serve-text2sparql"}  # a server has no end: its page shows it, and its own tests run it
    shown = {
        command.line.split()[1]
        for page in PAGES
        for block in blocks_of(page)
        if block.language in SHELLS
        for command in commands_of(block)
        if command.line.startswith("askgraph ")
        if block.not_run is None or command.line.split()[1] in serves
    }
    assert {name for name, *_ in COMMANDS} - shown == set()


_LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ +(.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=_name_of)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    prose = re.sub(r"^(```|~~~).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in _LINK.findall(prose):
        if re.match(r"[a-z]+:", target):
            continue  # Pages elsewhere are not ours to check, and nothing here may reach them.
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{_name_of(page)} links to {target}, which does not exist"
        assert not anchor or anchor in _anchors(file), f"{_name_of(page)} links to {target}: no such heading"


def test_the_runner_notices_an_output_that_differs(tmp_path: Path, folder: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ cat words.txt\nnot what is in it\n```\n", encoding="utf-8")
    (folder / "words.txt").write_text("first\nsecond\nlast\n", encoding="utf-8")
    (block,) = blocks_of(page)
    (difference,) = _run_commands(block, folder)
    assert str(difference).endswith("first\nsecond\nlast\n\nthe page shows:\nnot what is in it")
    page.write_text("```console\n$ cat words.txt\nfirst\n...\nlast\n```\n", encoding="utf-8")
    (block,) = blocks_of(page)
    assert _run_commands(block, folder) == []


@pytest.mark.parametrize(
    ("shown", "printed", "fits"),
    [
        ("3 nodes, in 0.3 s.", "3 nodes, in 12.75 s.", True),
        ("took 12 ms", "took 3.1 ms", True),
        ("3 nodes, in 0.3 s.", "4 nodes, in 0.3 s.", False),
        ("20261130-030450-282-77cc9c  a.graph", "20270101-000000-001-abcdef  a.graph", True),
        ("20261130-030450-282-77cc9c  a.graph", "20270101-000000-001-abcdef  b.graph", False),
        ("made 2026-11-30T03:04:53+00:00", "made 2027-01-01T00:00:00.123+00:00", True),
        ("first\n...\nlast", "first\n1\n2\nlast", True),
        ("first\n...\nlast", "first\n1\n2\nlost", False),
        ("a (b) [c] *", "a (b) [c] *", True),
    ],
)
def test_what_differs_from_run_to_run_is_no_difference(shown: str, printed: str, fits: bool) -> None:
    assert bool(output_pattern(shown.splitlines()).fullmatch(printed)) is fits


def test_the_runner_notices_a_command_that_fails(tmp_path: Path, folder: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```bash\ncat not-there.txt\n```\n", encoding="utf-8")
    (block,) = blocks_of(page)
    with pytest.raises(AssertionError, match="exit code 1"):
        _run_commands(block, folder)


def test_the_runner_notices_a_failing_python_block(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "Words.\n\n```python\nassert 1 == 2\n```\n\n```python\n>>> 1 + 1\n3\n```\n", encoding="utf-8"
    )
    plain, doctested = blocks_of(page)
    with pytest.raises(AssertionError):
        _run_python(plain, {})
    with pytest.raises(AssertionError, match="Expected"):
        _run_python(doctested, {})


def test_a_block_that_is_not_run_needs_the_marker_right_above(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- not run: it would set up this clone -->\n\n```bash\nmake try\n```\n\n```bash\nmake test\n```\n",
        encoding="utf-8",
    )
    first, second = blocks_of(page)
    assert first.not_run == "it would set up this clone"
    assert second.not_run is None


def test_a_command_goes_on_after_a_backslash(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ askgraph load a.csv \\\n    --into a.graph\ndone\n```\n", encoding="utf-8")
    (block,) = blocks_of(page)
    (command,) = commands_of(block)
    assert command.line == "askgraph load a.csv --into a.graph"
    assert command.output == ["done"]


def test_a_shown_output_can_be_brought_up_to_date(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\n```console\n$ cat a \\\n  b\nold\nolder\n$ cat c\n```\nEnd.\n", encoding="utf-8"
    )
    (block,) = blocks_of(page)
    updated = with_output(page, commands_of(block)[0], "new")
    assert updated == "# Page\n\n```console\n$ cat a \\\n  b\nnew\n$ cat c\n```\nEnd.\n"
