"""A server of ours as a process of its own, and what it takes to ask it."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CK25 = ROOT / "examples" / "ck25"
CK25_GRAPH = CK25 / "graph" / "prod-inst.ttl"
PATIENCE = 120.0


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What came over HTTP."""

    status: int
    type: str
    body: Any


class OwnServer:
    """`askgraph serve-text2sparql` on a free port.

    Attributes:
        port: where it listens.
        said: what it told on standard error so far.
    """

    def __init__(self, words: list[str], folder: Path) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT / "src"),
            "ASKGRAPH_CACHE_DIR": str(folder),
            "COLUMNS": "200",
        }
        command = [sys.executable, "-m", "askgraph", "serve-text2sparql", *words, "--port", "0"]
        # A test may have been started with Ctrl-C turned off, as shells do for what runs in the background.
        reset = (lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) if os.name == "posix" else None
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            preexec_fn=reset,
        )
        self.said: list[str] = []
        self._listens = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._listens.wait(PATIENCE), self.said
        found = re.search(r"http://127\.0\.0\.1:(\d+) ", "".join(self.said))
        assert found, self.said
        self.port = int(found[1])

    def _read(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.said.append(line)
            if "Listening at" in line:
                self._listens.set()
        self._listens.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, *, method: str = "GET", headers: dict[str, str] | None = None) -> HttpReply:
        """Sends a request, and gives what comes, which has to be JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, headers=headers or {})
            response = connection.getresponse()
            return HttpReply(
                response.status, response.getheader("Content-Type", ""), json.loads(response.read())
            )
        finally:
            connection.close()

    def ask(self, question: str, dataset: str) -> HttpReply:
        """Asks as the protocol has it."""
        return self.get("/?" + urllib.parse.urlencode({"dataset": dataset, "question": question}))

    def end(self, number: int = signal.SIGINT) -> int:
        """Ends it by a signal, and gives the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., OwnServer]]:
    """Starts servers of ours; they end with the module."""
    folder = tmp_path_factory.mktemp("cache")
    servers: list[OwnServer] = []

    def start(*words: str) -> OwnServer:
        servers.append(OwnServer(list(words), folder))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait(PATIENCE)
        if server.process.stderr:
            server._reader.join(PATIENCE)
            server.process.stderr.close()
