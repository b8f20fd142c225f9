"""Servers end with the test run that asked for them, however that one ends; where one is missing, the test says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from scripts.servers import places
from tests.servers import keeper

ROOT = places.ROOT
KEEPER = str(Path(keeper.__file__))
# Ends at once when it is asked to, and writes that it was.
POLITE = "trap 'echo asked; exit 0' TERM; echo up; while :; do sleep 0.05; done"
# Never ends by itself.
STUBBORN = "trap '' TERM; echo up; while :; do sleep 0.05; done"


def lives(pid: int) -> bool:
    """Whether there is such a process, and not just what is left of one."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(condition: object, seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.05)
    return False


def kept(log: Path, script: str) -> tuple[subprocess.Popen[bytes], int]:
    process = subprocess.Popen(
        [sys.executable, KEEPER, str(log), "sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout
    pid = int(process.stdout.readline())
    assert wait_until(lambda: "up" in log.read_text(encoding="utf-8"))
    return process, pid


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
class TestKeeper:
    def test_a_server_is_asked_to_end_when_the_leash_is_let_go(self, tmp_path: Path) -> None:
        log = tmp_path / "log"
        process, pid = kept(log, POLITE)
        with process:
            pass
        assert not lives(pid)
        assert log.read_text(encoding="utf-8") == "up\nasked\n"

    def test_one_that_does_not_listen_is_killed(self, tmp_path: Path) -> None:
        process, pid = kept(tmp_path / "log", STUBBORN)
        with process:
            pass
        assert not lives(pid)

    def test_a_paused_one_ends_too(self, tmp_path: Path) -> None:
        process, pid = kept(tmp_path / "log", POLITE)
        os.kill(pid, signal.SIGSTOP)
        with process:
            pass
        assert not lives(pid)

    def test_its_exit_code_is_passed_on(self, tmp_path: Path) -> None:
        command = [sys.executable, KEEPER, str(tmp_path / "log"), "sh", "-c", "exit 7"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as keeper:
            # The leash is held until the keeper has ended: let go before, it would end its server itself.
            assert keeper.wait(30) == 7

    @pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
    def test_a_server_does_not_outlive_a_run_that_was_ended(
        self, end: signal.Signals, tmp_path: Path
    ) -> None:
        code = textwrap.dedent(
            """
            import sys, time
            from pathlib import Path
            from tests.servers.processes import Server

            class Sleeper(Server):
                kind = "sleeper"
                def command(self): return ["sleep", "600"]
                def answers(self): return bool(self.pid)

            print(Sleeper(Path(sys.argv[1])).start().pid, flush=True)
            time.sleep(600)
            """
        )
        run = subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with run:
            assert run.stdout
            pid = int(run.stdout.readline())
            assert lives(pid)
            run.send_signal(end)
        assert wait_until(lambda: not lives(pid))


class TestMissingServer:
    def run(self, tmp_path: Path, **environment: str) -> str:
        """What pytest says of a test that wants a server, in a project where none is installed."""
        test = tmp_path / "test_it.py"
        test.write_text("def test_it(oxigraph): pass\ndef test_other(): pass\n", encoding="utf-8")
        plugin = tmp_path / "conftest.py"
        plugin.write_text(
            "from pathlib import Path\nfrom scripts.servers import places\n"
            f"places.SERVERS = Path({str(tmp_path / 'nothing')!r})\n"
            "from tests.servers.fixtures import *\nfrom tests.servers.fixtures import _oxigraph\n",
            encoding="utf-8",
        )
        options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-rsE", "-q", "--rootdir", str(tmp_path)]
        variables = {name: value for name, value in os.environ.items() if name != "ASKGRAPH_REQUIRE_SERVERS"}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, str(test)],
            cwd=ROOT,
            env={**variables, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    def test_it_is_skipped_with_what_to_do(self, tmp_path: Path) -> None:
        shown = self.run(tmp_path)
        assert "1 passed, 1 skipped" in shown, shown
        assert "the server oxigraph is not installed; `make servers` does that (python missing)" in shown

    def test_it_fails_where_servers_are_required(self, tmp_path: Path) -> None:
        shown = self.run(tmp_path, ASKGRAPH_REQUIRE_SERVERS="1")
        assert "1 passed" in shown, shown
        assert "1 error" in shown
        assert "`make servers` does that" in shown
