"""Reports of a whole graph take long: who interrupts the writing gets away at once, and loses nothing."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tests.conftest import ROOT
from tests.servers.fault_server import Exchange, fault_server

from askgraph import load_graph

REPORT = json.dumps(
    {
        "title": "Genes",
        "summary": "They interact.",
        "rating": 5,
        "rating_explanation": "Counted.",
        "findings": [{"summary": "Links", "explanation": "They interact.", "references": ["E1"]}],
    }
)
SOON = 12


def communities(folder: Path, cache: Path, url: str) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        "ASKGRAPH_CACHE_DIR": str(cache),
        "ASKGRAPH_ALLOW_MODEL_CALLS": "true",
        "ASKGRAPH_MODEL_CONTEXT": "16000",
    }
    command = [
        sys.executable,
        "-m",
        "askgraph.cli.main",
        "communities",
        str(folder),
        "NAT2",
        "--model",
        f"{url}|m",
    ]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def test_after_ctrl_c_the_same_command_goes_on_from_there(tmp_path: Path) -> None:
    files = ROOT / "examples" / "hetionet"
    folder, cache = tmp_path / "hetionet.graph", tmp_path / "cache"
    load_graph([files / "nodes.csv", files / "edges.csv"], folder)

    numbers, is_patient = itertools.count(1), threading.Event()

    def first_two_then_never(exchange: Exchange) -> None:
        if next(numbers) <= 2 or is_patient.is_set():
            exchange.say(REPORT)
        else:
            exchange.hang()

    with fault_server(first_two_then_never) as server:
        with communities(folder, cache, server.url) as running:
            _wait_for(lambda: len(server.asked) >= 4 and _kept(cache) == 2)
            running.send_signal(signal.SIGINT)
            began = time.monotonic()
            _, complaints = running.communicate(timeout=60)
            # The calls that hang are not waited for.
            assert time.monotonic() - began < SOON
            assert running.returncode == 130
            assert complaints.endswith("Interrupted.\n")
        is_patient.set()
        before = len(server.asked)
        with communities(folder, cache, server.url) as again:
            out, complaints = again.communicate(timeout=120)
    assert again.returncode == 0, complaints
    assert "2 reports kept from before" in complaints.replace("\n", " ")
    assert f"writes {len(server.asked) - before}:" in complaints.replace("\n", " ")
    assert "This is an extract" not in out


def _kept(cache: Path) -> int:
    file = cache / "reports.sqlite"
    if not file.is_file():
        return 0
    with contextlib.closing(sqlite3.connect(file)) as database, contextlib.suppress(sqlite3.Error):
        return int(database.execute("SELECT count(*) FROM reports").fetchone()[0])
    return 0


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 90
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)
    assert condition()
