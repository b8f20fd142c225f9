"""Commands run in this process, as a user would see them in a pipe of 80 columns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from askgraph.cli.main import main


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON document and nothing else."""
        return json.loads(self.out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


Askgraph = Callable[..., Done]


@pytest.fixture
def askgraph(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data_directory: object
) -> Askgraph:
    """Runs a command: ``askgraph("schema", path)``. Runs are kept in a folder of this test alone."""
    monkeypatch.setenv("COLUMNS", "80")
    for variable in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(variable, raising=False)

    def run(*words: object) -> Done:
        capsys.readouterr()
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return run


def in_process(*words: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Runs a command in a process of its own."""
    environment = {**os.environ, "COLUMNS": "80", **options.pop("env", {})}
    command = [sys.executable, "-m", "askgraph.cli.main", *map(str, words)]
    return subprocess.run(command, capture_output=True, timeout=120, check=False, env=environment, **options)
