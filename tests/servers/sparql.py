"""What the servers have in common that speak the SPARQL 1.1 Protocol."""

from __future__ import annotations

import http.client
import json
import urllib.parse
from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path

from tests.servers.processes import Server

# Bytes after which a reply is read no further: some servers send rows for as long as anybody takes them.
READ_AT_MOST = 5_000_000


@dataclass(frozen=True, slots=True)
class Reply:
    """What came over HTTP, unread: a store has to find out for itself whether it can trust it."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")

    @property
    def bindings(self) -> list[dict[str, dict[str, str]]]:
        """The rows of a JSON result.

        Raises:
            ValueError: the body is no whole JSON.
        """
        rows: list[dict[str, dict[str, str]]] = json.loads(self.body)["results"]["bindings"]
        return rows

    def values(self, name: str) -> list[str]:
        """What one variable is in each row that has it."""
        return [row[name]["value"] for row in self.bindings if name in row]


class SparqlServer(Server):
    """An RDF graph over HTTP. ``load`` is a test's own hand; what clients see is ``url``."""

    # Seconds after which the server ends a query.
    timeout: int

    @property
    @abstractmethod
    def url(self) -> str:
        """The query endpoint."""

    @abstractmethod
    def load(self, turtle: str | Path) -> None:
        """Replaces everything in the default graph by this Turtle, text or file."""

    def answers(self) -> bool:
        try:
            return self.ask("ASK {}", patience=2).status == 200
        except (OSError, http.client.HTTPException):
            return False

    def ask(
        self, query: str, *, accept: str = "application/sparql-results+json", patience: float = 30
    ) -> Reply:
        """Sends a query by POST and gives whatever comes back within ``patience`` seconds of silence.

        Raises:
            OSError: the connection failed or was silent for too long.
        """
        return post(self.url, {"query": query}, accept=accept, patience=patience)


def post(
    url: str,
    form: dict[str, str],
    *,
    accept: str = "*/*",
    patience: float = 30,
    at_most: int = READ_AT_MOST,
) -> Reply:
    """Sends a form and reads the reply up to so many bytes, a broken one too."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=patience)
    headers = {"Accept": accept, "Content-Type": "application/x-www-form-urlencoded"}
    try:
        connection.request("POST", parts.path, urllib.parse.urlencode(form), headers)
        response = connection.getresponse()
        try:
            body = response.read(at_most)
        except http.client.IncompleteRead as cut:
            body = cut.partial
        return Reply(response.status, {name.lower(): value for name, value in response.getheaders()}, body)
    finally:
        connection.close()


def turtle_file(folder: Path, turtle: str | Path) -> Path:
    """The Turtle as a file that a server can read."""
    if isinstance(turtle, Path):
        return turtle
    file = folder / "loaded.ttl"
    file.write_text(turtle, encoding="utf-8")
    return file
