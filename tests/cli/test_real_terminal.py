"""Commands in a pseudo-terminal: what a person sees, byte for byte."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.made_answers import MANAGER

from askgraph.core.run import Run
from askgraph.core.run_store import RunStore

SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def in_terminal(
    *words: str, width: int = 80, folder: Path | None = None, interrupt_at: bytes = b"", **environment: str
) -> tuple[int, str]:
    """Runs a command in a terminal of this width; its exit code and all that the terminal received.

    With ``interrupt_at`` Ctrl-C is pressed when that has appeared.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    inherited = {
        key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "LINES")
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "askgraph.cli.main", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env={**inherited, "TERM": "xterm-256color", **environment},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
    )
    os.close(theirs)
    received = b""
    try:
        while chunk := os.read(ours, 65536):
            received += chunk
            if interrupt_at and interrupt_at in received:
                interrupt_at = b""
                process.send_signal(signal.SIGINT)
    except OSError:  # Linux tells the end so
        pass
    os.close(ours)
    return process.wait(timeout=60), received.decode("utf-8")


@pytest.fixture
def run_id(data_directory: Path) -> str:
    """A stored run."""
    run = Run(MANAGER.question, graph="company.graph", graph_version="1")
    run.finish(MANAGER)
    RunStore(data_directory / "runs").save(run)
    return run.id


def test_a_terminal_gets_colours_and_plain_text_under_them(run_id: str):
    code, received = in_terminal("runs", "show", run_id)
    assert code == 0
    assert "\x1b[1;32mNina Quast.\x1b[0m" in received
    assert "[1] Heinrich Hoch ─has manager→ Nina Quast" in SEQUENCE.sub("", received)


def test_no_color_means_none(run_id: str):
    code, received = in_terminal("runs", "show", run_id, NO_COLOR="1")
    assert code == 0
    # Bold and dim are no colours.
    colours = {number for found in SEQUENCE.findall(received) for number in re.findall(r"\d+", found)}
    assert colours <= {"0", "1", "2"}


def test_a_dumb_terminal_gets_no_sequences(run_id: str):
    _, received = in_terminal("runs", "show", run_id, TERM="dumb")
    assert "\x1b" not in received


@pytest.mark.parametrize("width", [50, 200])
def test_lines_follow_the_width_of_the_terminal_up_to_what_reads_well(run_id: str, width: int):
    _, received = in_terminal("runs", "show", run_id, width=width)
    longest = max(cell_len(line) for line in SEQUENCE.sub("", received).splitlines())
    assert longest <= min(width, 100)


def test_a_bar_shows_work_and_is_gone_when_it_is_done(tmp_path: Path):
    nodes = tmp_path / "nodes.csv"
    nodes.write_text("id,name\n1,Ann\n", encoding="utf-8")
    code, received = in_terminal("load", "nodes.csv", "--into", "g", folder=tmp_path)
    assert code == 0
    assert "Reading nodes.csv" in received
    assert received.count("\x1b[?25l") == received.count("\x1b[?25h") > 0
    # The last thing before the result is the erasing of the bar's line.
    before, result = received.split("1 node and 0 edges added", 1)
    assert re.search(r"\r\x1b\[2K\x1b\[\?25h\r?$", before)
    assert "Next: askgraph ask " in SEQUENCE.sub("", result)


def test_ctrl_c_gives_the_terminal_back_as_it_was(tmp_path: Path):
    edges = tmp_path / "edges.csv"
    rows = (f"{number % 9973},{number % 9967},knows\n" for number in range(400_000))
    edges.write_text("source,target,type\n" + "".join(rows), encoding="utf-8")
    code, received = in_terminal(
        "load", "edges.csv", "--into", "g", folder=tmp_path, interrupt_at=b"Reading edges.csv"
    )
    assert code == 130
    assert received.endswith("Interrupted.\r\n")
    assert received.count("\x1b[?25l") == received.count("\x1b[?25h") > 0
    assert not (tmp_path / "g").exists()
