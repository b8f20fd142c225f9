"""A server as a process that a test can start, wait for, pause, kill and start again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Self

from scripts.servers.launching import free_port
from tests.servers import keeper

_KEEPER = Path(keeper.__file__)
START_PATIENCE = 120.0  # seconds; a busy machine is no fault of the server
_ATTEMPTS = 3


class ServerDidNotStart(RuntimeError):
    """The server ended or was silent; the message has its last words."""


class Server(ABC):
    """One server on a free port of 127.0.0.1, with its data and its log in a folder of its own.

    Attributes:
        folder: everything that the server writes.
        port: the port on which clients find it; the same after ``restart``.
    """

    kind: str

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self._keeper: subprocess.Popen[bytes] | None = None
        self.pid = 0

    @abstractmethod
    def command(self) -> list[str]:
        """The command that runs the server on ``self.port``; writes whatever configuration it needs."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether the server answers its clients' protocol."""

    def environment(self) -> dict[str, str]:
        """What the server sees of the environment."""
        return dict(os.environ)

    @property
    def log(self) -> Path:
        """What the server printed."""
        return self.folder / "console.log"

    def start(self) -> Self:
        """Starts the server and waits until it answers.

        Raises:
            ServerDidNotStart: three times in a row it did not (once may be a port that somebody else took).
        """
        for attempt in range(_ATTEMPTS):
            if not self.port or attempt:
                self.port = free_port()
            try:
                self._run()
                return self
            except ServerDidNotStart:
                self.kill()
                if attempt == _ATTEMPTS - 1:
                    raise
        raise AssertionError("unreachable")

    def _run(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, str(_KEEPER), str(self.log), *self.command()]
        self._keeper = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self.environment(),
            # Some write logs into the folder that they are started in.
            cwd=self.folder,
            start_new_session=True,
        )
        assert self._keeper.stdout
        self.pid = int(self._keeper.stdout.readline() or 0)
        end = time.monotonic() + START_PATIENCE
        while not self.answers():
            if not self.is_running():
                raise ServerDidNotStart(f"{self.kind} ended at its start.\n{self.last_words()}")
            if time.monotonic() > end:
                raise ServerDidNotStart(
                    f"{self.kind} did not answer within {START_PATIENCE:g} s.\n{self.last_words()}"
                )
            time.sleep(0.05)

    def is_running(self) -> bool:
        """Whether the process lives."""
        return self._keeper is not None and self._keeper.poll() is None

    def last_words(self) -> str:
        """The end of what it printed."""
        if not self.log.exists():
            return "(it printed nothing)"
        return self.log.read_text(encoding="utf-8", errors="replace")[-3000:]

    def stop(self) -> None:
        """Ends the server in order; nothing happens if it has ended."""
        if self._keeper is None:
            return
        assert self._keeper.stdin
        assert self._keeper.stdout
        self._keeper.stdin.close()
        self._keeper.wait(keeper.PATIENCE + 10)
        self._keeper.stdout.close()
        self._keeper = None

    def kill(self) -> None:
        """Ends the server as a crash would: at once, with its connections cut."""
        if self.pid and self.is_running():
            os.kill(self.pid, signal.SIGKILL)
        self.stop()

    def pause(self) -> None:
        """Makes the server silent: connections stay open, nothing is answered."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Lets a paused server go on."""
        os.kill(self.pid, signal.SIGCONT)

    def restart(self) -> Self:
        """Starts the server again on the same port and with the same data, after ``stop`` or ``kill``."""
        self.stop()
        self._run()
        return self

    def processor_seconds(self) -> float:
        """The time that the server has computed since its start, on all cores together."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_at_work(self, seconds: float = 1.0) -> bool:
        """Whether it computes more than now and then, judged by so many seconds. A busy machine leaves it little."""
        before = self.processor_seconds()
        time.sleep(seconds)
        return self.processor_seconds() - before > 0.1 * seconds

    def resident_megabytes(self) -> int:
        """The memory that the server holds now."""
        for line in Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) // 1024
        return 0
