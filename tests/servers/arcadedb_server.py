"""ArcadeDB over Bolt, with a user who may do anything and one who can only read."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from scripts.servers import places
from scripts.servers.launching import free_port
from tests.servers.bolt import BoltServer

# Milliseconds after which the server ends a query of the user who can only read. For root there is no such limit.
READ_TIMEOUT = 1000

_ALL_RECORDS = ["createRecord", "readRecord", "updateRecord", "deleteRecord"]


def _group(access: list[str], records: list[str], timeout: int = -1) -> dict[str, Any]:
    return {
        "resultSetLimit": -1,
        "readTimeout": timeout,
        "access": access,
        "types": {"*": {"access": records}},
    }


# What each group may do, in every database; "*" is whoever is in none.
_GROUPS = {
    "admin": _group(["updateSecurity", "updateSchema", "updateDatabaseSettings"], _ALL_RECORDS),
    "readonly": _group([], ["readRecord"], READ_TIMEOUT),
    "*": _group([], []),
}


class ArcadeDbServer(BoltServer):
    """An ArcadeDB. ``auth`` is root; ``reader`` is in a group that may read records and nothing else."""

    kind = "arcadedb"
    user = "root"
    password = "root-password-of-tests"
    reader = "reader"
    reader_password = "reader-password-of-tests"
    database = "graph"

    def __init__(self, folder: Path, *, mode: str = "development") -> None:
        """In the mode ``production`` the server itself refuses LOAD CSV from files."""
        super().__init__(folder)
        self._mode = mode
        self.http_port = 0

    @property
    def reader_auth(self) -> tuple[str, str]:
        """User and password of the one who can only read."""
        return (self.reader, self.reader_password)

    def command(self) -> list[str]:
        self.http_port = free_port()
        self._write_groups()
        settings = {
            "server.rootPath": self.folder,
            "server.rootPassword": self.password,
            "server.mode": self._mode,
            "server.httpIncomingHost": "127.0.0.1",
            "server.httpIncomingPort": self.http_port,
            "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
            "bolt.host": "127.0.0.1",
            "bolt.port": self.port,
        }
        flags = [
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
        ]
        flags += [f"-Darcadedb.{name}={value}" for name, value in settings.items()]
        jars = ":".join(str(jar) for jar in places.arcadedb_jars())
        modules = ["--add-modules", "jdk.incubator.vector"]
        return [
            str(places.arcadedb_java()),
            *flags,
            *modules,
            "-cp",
            jars,
            "com.arcadedb.server.ArcadeDBServer",
        ]

    def _write_groups(self) -> None:
        """Before the first start: the server reads them then."""
        file = self.folder / "config" / "server-groups.json"
        file.parent.mkdir(exist_ok=True)
        groups = {"version": 1, "databases": {"*": {"groups": _GROUPS}}}
        file.write_text(json.dumps(groups), encoding="utf-8")

    def answers(self) -> bool:
        if not super().answers():
            return False
        try:
            self._make_database()
        except (urllib.error.URLError, OSError):
            return False
        return True

    def _make_database(self) -> None:
        """Makes the reader and, last, the database where they are not there yet."""
        if self.database in self._administer("list databases"):
            return
        reader = {
            "name": self.reader,
            "password": self.reader_password,
            "databases": {self.database: ["readonly"]},
        }
        self._administer(f"create user {json.dumps(reader)}")
        self._administer(f"create database {self.database}")

    def _administer(self, command: str) -> str:
        word = base64.b64encode(":".join(self.auth).encode()).decode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.http_port}/api/v1/server",
            data=json.dumps({"command": command}).encode(),
            headers={"Authorization": f"Basic {word}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            text: str = response.read().decode()
            return text

    def clear(self) -> None:
        """Makes the database anew: types outlive the last of their records."""
        self.close_driver()
        self._administer(f"drop database {self.database}")
        self._administer(f"create database {self.database}")
