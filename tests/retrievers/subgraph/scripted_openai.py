"""A server on loopback that speaks the protocol of OpenAI and answers by rule, for programs that ask a model.

Chats are answered by what they ask for: a report on a community, points of a report, or a text. Vectors are made of the
letters of a text, so that like texts have like vectors. Everything that was asked is kept.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

DIMENSIONS = 64

REPORT = {
    "title": "A scripted report",
    "summary": "What the community is.",
    "rating": 5.0,
    "rating_explanation": "By rule.",
    "findings": [{"summary": "One finding", "explanation": "It is there [Data: Entities (0)]."}],
}
POINTS = {"points": [{"description": "A scripted point [Data: Reports (0)]", "score": 80}]}
TEXT = "A scripted answer."


class _Handler(BaseHTTPRequestHandler):
    asked: ClassVar[list[str]]

    def do_POST(self) -> None:
        data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/embeddings"):
            texts = data["input"] if isinstance(data["input"], list) else [data["input"]]
            vectors = [
                {"object": "embedding", "index": n, "embedding": _vector(text)}
                for n, text in enumerate(texts)
            ]
            self._send({"object": "list", "model": "scripted", "data": vectors, "usage": _USAGE})
            return
        prompt = "\n".join(str(message["content"]) for message in data["messages"])
        self.asked.append(prompt)
        content = _reply(prompt, data)
        if data.get("stream"):
            self._stream(content)
        else:
            message = {"role": "assistant", "content": content}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self._send(_envelope("chat.completion", choice) | {"usage": _USAGE})

    def _send(self, data: Any) -> None:
        body = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, content: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for delta, reason in (({"role": "assistant", "content": content}, None), ({}, "stop")):
            choice = {"index": 0, "delta": delta, "finish_reason": reason}
            self.wfile.write(f"data: {json.dumps(_envelope('chat.completion.chunk', choice))}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_: Any) -> None:
        """Silent."""


_USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


def _envelope(kind: str, choice: Any) -> dict[str, Any]:
    return {"id": "scripted", "object": kind, "created": 0, "model": "scripted", "choices": [choice]}


def _reply(prompt: str, data: Any) -> str:
    wanted = json.dumps(data.get("response_format") or {})
    if "findings" in wanted or '"findings"' in prompt:
        return json.dumps(REPORT)
    if '"points"' in prompt or "json_object" in wanted:
        return json.dumps(POINTS)
    return TEXT


def _vector(text: Any) -> list[float]:
    counts = Counter(hash_of(letter) for letter in str(text))
    return [1.0 + counts[place] for place in range(DIMENSIONS)]


def hash_of(letter: str) -> int:
    """The place of a letter among the dimensions, whatever the seed of Python's hashes."""
    return ord(letter) % DIMENSIONS


@contextmanager
def scripted_openai() -> Iterator[tuple[str, list[str]]]:
    """The server's base URL, and the prompts of the chats as they come."""
    asked: list[str] = []
    handler = type("Handler", (_Handler,), {"asked": asked})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
