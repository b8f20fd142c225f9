"""Neo4j Community, 5.26 and 2026.08, with a password and a short time-out for transactions."""

from __future__ import annotations

import shutil
import socket
import ssl
from collections.abc import Iterable
from pathlib import Path

from scripts.servers import launching, places
from tests.servers.bolt import BoltServer
from tests.servers.certificates import Certificate

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
        without: Iterable[str] = (),
        certificate: Certificate | None = None,
    ) -> None:
        """A server that is yet to be started.

        Args:
            folder: of its data.
            part: which of the installed ones.
            settings: lines of ``neo4j.conf``; they override those of the tests.
            flags: of Java; they override those of the tests as well.
            without: names of settings that are to be left to the server.
            certificate: with it, clients have to speak TLS.
        """
        super().__init__(folder)
        self.part = part
        self.kind = part
        self._settings = [f"db.transaction.timeout={TRANSACTION_TIMEOUT}s", *settings]
        self._without = list(without)
        self._flags = list(flags)
        self._certificate = certificate
        if certificate is not None:
            self._settings += _speaking_tls(certificate)

    @property
    def url(self) -> str:
        return super().url if self._certificate is None else f"bolt+ssc://127.0.0.1:{self.port}"

    def wrapped(self, client: socket.socket) -> socket.socket:
        if self._certificate is None:
            return client
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(client)

    def command(self) -> list[str]:
        launching.write_configuration(self.folder, self.port, self._settings)
        self._leave_out(self.folder / "conf" / "neo4j.conf")
        initial = self.folder / "data" / "dbms" / "auth.ini"
        if not initial.parent.exists():
            initial.parent.mkdir(parents=True)
            shutil.copy(places.initial_user(self.part), initial)
        cache = f"-XX:AOTCache={places.class_cache(self.part)}"
        return launching.neo4j_command(self.part, self.folder, [cache, *self._flags])

    def _leave_out(self, configuration: Path) -> None:
        lines = configuration.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if line.partition("=")[0] not in self._without]
        configuration.write_text("".join(kept), encoding="utf-8")

    def environment(self) -> dict[str, str]:
        return {**super().environment(), "NEO4J_HOME": str(self.folder), "NEO4J_CONF": f"{self.folder}/conf"}

    def clear(self) -> None:
        super().clear()
        for row in self.rows("SHOW CONSTRAINTS YIELD name"):
            self.rows(f"DROP CONSTRAINT `{row['name']}`")
        for row in self.rows("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'"):
            self.rows(f"DROP INDEX `{row['name']}`")


def _speaking_tls(certificate: Certificate) -> list[str]:
    policy = "dbms.ssl.policy.bolt"
    return [
        "server.bolt.tls_level=REQUIRED",
        f"{policy}.enabled=true",
        f"{policy}.base_directory={certificate.folder}",
        f"{policy}.private_key={certificate.key.name}",
        f"{policy}.public_certificate={certificate.chain.name}",
        f"{policy}.client_auth=NONE",
    ]
