"""A small language model (SmolLM2, 135 million parameters) behind llama.cpp's server.

It speaks OpenAI's protocol, streams, and keeps to a JSON Schema; what it says is worth nothing.
"""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

from scripts.servers import places
from tests.servers.processes import Server

_SCRIPT = Path(__file__).with_name("serve_model.py")


class ModelServer(Server):
    """A model server; ``tokens`` is what each of ``parallel`` requests may take, prompt and reply together."""

    kind = "model"

    def __init__(
        self, folder: Path, *, tokens: int = 2048, parallel: int = 2, key: str = "", embeds: bool = False
    ) -> None:
        super().__init__(folder)
        self.tokens = tokens
        self.key = key
        self._parallel = parallel
        self._embeds = embeds

    @property
    def url(self) -> str:
        """The address that clients are given."""
        return f"http://127.0.0.1:{self.port}/v1"

    def command(self) -> list[str]:
        words = [
            places.language_model(),
            self.port,
            self.tokens,
            self._parallel,
            self.key,
            "1" * self._embeds,
        ]
        return [str(places.model_server_python()), str(_SCRIPT), *map(str, words)]

    def answers(self) -> bool:
        try:
            return bool(self.get("/health").get("status") == "ok")
        except (OSError, ValueError):
            return False

    def get(self, path: str) -> Any:
        """What it answers to a GET, as JSON."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
            return json.load(answer)

    def count(self, text: str) -> int:
        """How many tokens the model's own tokenizer makes of a text."""
        return len(self.token_ids(text))

    def token_ids(self, text: str, *, control: bool = False) -> list[int]:
        """The tokens; with ``control``, the texts of control tokens become such, as where a server is careless."""
        body = json.dumps({"content": text, "parse_special": control}).encode("utf-8")
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/tokenize", data=body)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return [int(token) for token in json.load(answer)["tokens"]]
