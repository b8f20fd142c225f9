"""A program that uses a model ends when it is told to, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from tests.conftest import ROOT
from tests.servers.fault_server import Exchange, fault_server

PROGRAM = """
import sys
from askgraph.core.budget import Budget
from askgraph.core.model_call import Message
from askgraph.core.settings import Settings
from askgraph.models.language_model import Request
from askgraph.models.registry import make_model

model = make_model(Settings.load(model=sys.argv[1], allow_model_calls=True))
for piece in model.stream(Request((Message("user", "x"),), max_tokens=50), Budget(seconds=150)):
    print(piece, flush=True)
"""


def program(url: str) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
    }
    command = [sys.executable, "-W", "error", "-c", PROGRAM, f"{url}|m"]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def test_it_ends_by_itself_without_a_word_of_complaint():
    with fault_server(lambda x: x.say("hello you")) as server, program(server.url) as running:
        out, complaints = running.communicate(timeout=150)
    assert out.startswith("hello \nyou \n")
    assert (complaints, running.returncode) == ("", 0)


def test_control_c_in_the_middle_of_a_stream_ends_it_at_once_here_and_at_the_server():
    def behave(exchange: Exchange) -> None:
        exchange.begin_stream()
        while True:
            exchange.piece("more ")
            time.sleep(0.02)

    with fault_server(behave) as server, program(server.url) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "more \n"
        running.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, complaints = running.communicate(timeout=150)
        assert time.monotonic() - began < 60
        assert server.hung_up.wait(30)
    assert complaints.rstrip().endswith("KeyboardInterrupt")
    assert complaints.count("Traceback") == 1
