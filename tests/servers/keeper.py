"""Runs a server for as long as the process that asked for it lives, however that one ends.

    python keeper.py LOG COMMAND [ARGUMENT …]

The first line on standard output is the server's process id. Standard input is the leash: when it closes, because the
test run is over, was interrupted or was killed, the server is asked to end and killed if it does not. The keeper ends
when its server does. Imports the standard library alone, and little of it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

PATIENCE = 5.0  # seconds between asking and killing


def keep(log: str, command: list[str]) -> int:
    """Runs the command until it ends or the leash is let go; gives its exit code."""
    with open(log, "ab") as output:  # noqa: PTH123 (pathlib costs time at each start)
        # A session of its own: Ctrl-C in a terminal goes to the tests, which then end the server in order.
        server = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )
    print(server.pid, flush=True)
    threading.Thread(target=_end_when_let_go, args=(server,), daemon=True).start()
    return server.wait()


def _end_when_let_go(server: subprocess.Popen[bytes]) -> None:
    while os.read(0, 1024):
        pass
    server.terminate()
    # One that was paused hears nothing until it goes on.
    server.send_signal(signal.SIGCONT)
    try:
        server.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        server.kill()


if __name__ == "__main__":
    sys.exit(keep(sys.argv[1], sys.argv[2:]))
