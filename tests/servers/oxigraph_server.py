"""Oxigraph's own server, read-only, on a store of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

from scripts.servers import places
from tests.servers.sparql import SparqlServer, turtle_file


class OxigraphServer(SparqlServer):
    """An Oxigraph. A load makes a new store and starts the server on it again: that takes a tenth of a second."""

    kind = "oxigraph"

    def __init__(self, folder: Path, *, timeout: int = 1, takes_updates: bool = False) -> None:
        """``timeout`` is the server's own, in seconds; with ``takes_updates`` it takes them, at ``update_url``."""
        super().__init__(folder)
        self._mode = "serve" if takes_updates else "serve-read-only"
        self.timeout = timeout
        self._loads = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/query"

    @property
    def update_url(self) -> str:
        """Where updates are taken, if they are."""
        return f"http://127.0.0.1:{self.port}/update"

    @property
    def store(self) -> Path:
        """The folder of the data."""
        return self.folder / f"store-{self._loads}"

    def command(self) -> list[str]:
        if not self.store.exists():
            self._fill("")
        place = ["--location", str(self.store), "--bind", f"127.0.0.1:{self.port}"]
        return [str(places.oxigraph()), self._mode, *place, "--timeout-s", str(self.timeout)]

    def load(self, turtle: str | Path) -> None:
        self.stop()
        self._loads += 1
        self._fill(turtle)
        self.restart()

    def _fill(self, turtle: str | Path) -> None:
        file = turtle_file(self.folder, turtle)
        command = [str(places.oxigraph()), "load", "--location", str(self.store), "--file", str(file)]
        subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
