"""Neo4j Community, 5.26 and 2026.08, with a password and a short time-out for transactions."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from scripts.servers import launching, places
from tests.servers.bolt import BoltServer

# Seconds after which the server ends a transaction that sets no time-out of its own.
TRANSACTION_TIMEOUT = 2


class Neo4jServer(BoltServer):
    """A Neo4j with the one database that Community has, ``neo4j``."""

    user = "neo4j"
    password = launching.PASSWORD
    database = "neo4j"

    def __init__(
        self,
        folder: Path,
        *,
        part: str = places.NEO4J_5,
        settings: Iterable[str] = (),
        flags: Iterable[str] = (),
    ) -> None:
        """``settings`` are lines of ``neo4j.conf``, ``flags`` those of Java; both override those of the tests."""
        super().__init__(folder)
        self.part = part
        self.kind = part
        self._settings = [f"db.transaction.timeout={TRANSACTION_TIMEOUT}s", *settings]
        self._flags = list(flags)

    def command(self) -> list[str]:
        launching.write_configuration(self.folder, self.port, self._settings)
        initial = self.folder / "data" / "dbms" / "auth.ini"
        if not initial.parent.exists():
            initial.parent.mkdir(parents=True)
            shutil.copy(places.initial_user(self.part), initial)
        cache = f"-XX:AOTCache={places.class_cache(self.part)}"
        return launching.neo4j_command(self.part, self.folder, [cache, *self._flags])

    def environment(self) -> dict[str, str]:
        return {**super().environment(), "NEO4J_HOME": str(self.folder), "NEO4J_CONF": f"{self.folder}/conf"}

    def clear(self) -> None:
        super().clear()
        for row in self.rows("SHOW CONSTRAINTS YIELD name"):
            self.rows(f"DROP CONSTRAINT `{row['name']}`")
        for row in self.rows("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'"):
            self.rows(f"DROP INDEX `{row['name']}`")
