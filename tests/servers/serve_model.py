"""Serves a small language model over OpenAI's protocol; run by the interpreter of ``.servers/model-server``.

    python serve_model.py FILE PORT TOKENS PARALLEL KEY EMBEDS

``KEY`` and ``EMBEDS`` may be empty: no key, text in place of vectors. It ends when its process does.
"""

from __future__ import annotations

import sys
import threading
from typing import Any


def serve(file: str, port: str, tokens: str, parallel: str, key: str, embeds: str) -> Any:
    """Starts the server and gives it back: it works as long as it is held."""
    import xllamacpp  # type: ignore[import-not-found, unused-ignore]

    parameters = xllamacpp.CommonParams()
    parameters.model.path = file
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = int(port)
    parameters.n_ctx = int(tokens) * int(parallel)
    parameters.n_parallel = int(parallel)
    # One thread, which does not spin while it waits: others work on this machine too.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.cpuparams.poll = 0
    parameters.cpuparams_batch.poll = 0
    parameters.warmup = False
    parameters.model_alias = ["smollm2"]
    if key:
        parameters.api_keys = [key]
    if embeds:
        parameters.embedding = True
        parameters.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    return xllamacpp.Server(parameters)


if __name__ == "__main__":
    server = serve(*sys.argv[1:])
    threading.Event().wait()
