"""Asks a Bolt server what bears on its safety: who we are there, what we may do, how it is configured. Reads only.

Each question may be refused or not understood (most servers know only some of them): then its answer is empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...core.budget import Budget
from ...core.errors import DeadlineExceededError, QueryFailedError
from .engines import product_of
from .server import BoltServer, Statement

_TIME_OUT = 5.0

SETTINGS = (
    "db.transaction.timeout",
    "dbms.memory.transaction.total.max",
    "dbms.security.allow_csv_import_from_file_urls",
    "dbms.security.auth_enabled",
    "dbms.security.procedures.allowlist",
    "server.directories.import",
)
"""Settings of Neo4j that are asked for."""

_OWN_NAMESPACES = ("db", "dbms", "tx", "fleetManagement", "genai", "internal", "jwt")
"""Where Neo4j's own procedures live; all others are add-ons."""

_WRITING = re.compile(
    r"GRANT( IMMUTABLE)? (WRITE|CREATE|DELETE|SET|REMOVE|MERGE|ALL( GRAPH)?( PRIVILEGES)?)\b"
)


@dataclass(frozen=True, slots=True)
class BoltInspection:
    """What a server said.

    Attributes:
        product: who made it, such as ``"Neo4j"``, ``"ArcadeDB"``; empty where it does not say.
        version: of the product.
        edition: ``"community"``, ``"enterprise"``; of Neo4j alone.
        protocol: the version of Bolt that is spoken.
        cypher_versions: such as ``("5", "25")``; empty where it does not say.
        database: the database that is looked at.
        access: ``"read-write"``, ``"read-only"``.
        user: whose rights hold.
        must_change_password: whether that user's password is expired.
        roles: of the user; empty where the server has none.
        privileges: as commands; of Neo4j's Enterprise edition alone.
        settings: those of :data:`SETTINGS` that the server told; ``None`` for one that has no value.
        add_ons: namespaces of procedures that do not come with the server, with their numbers.
    """

    product: str = ""
    version: str = ""
    edition: str = ""
    protocol: str = ""
    cypher_versions: tuple[str, ...] = ()
    database: str = ""
    access: str = ""
    user: str = ""
    must_change_password: bool = False
    roles: tuple[str, ...] = ()
    privileges: tuple[str, ...] = ()
    settings: Mapping[str, str | None] = field(default_factory=dict)
    add_ons: Mapping[str, int] = field(default_factory=dict)

    @property
    def may_write(self) -> bool | None:
        """Whether the user could change the graph outside a read session; ``None`` where the server cannot tell."""
        if self.product != "Neo4j":
            return None
        if self.access == "read-only":
            return False
        if self.edition == "community":
            return True
        if self.privileges:
            return any(_WRITING.match(command) for command in self.privileges)
        if self.roles:
            return not set(self.roles) <= {"reader", "PUBLIC"}
        return None


def inspect(server: BoltServer) -> BoltInspection:
    """Ask a server all of this, in some ten short requests.

    Raises:
        ServerError: the server cannot be reached, or does not let us in.
    """
    summary = server.read(Statement("RETURN 1 AS one", doing="connecting"), _ignore).summary
    agent = summary.server.agent if summary is not None else ""
    protocol = ".".join(map(str, summary.server.protocol_version)) if summary is not None else ""
    product, version = product_of(agent)
    user = _first(_ask(server, "SHOW CURRENT USER YIELD user, roles, passwordChangeRequired"))
    said = BoltInspection(
        product=product,
        version=version,
        protocol=protocol,
        user=str(user[0] or "") if user else "",
        must_change_password=bool(user[2]) if user else False,
        roles=tuple(sorted(user[1] or ())) if user else (),
    )
    return _of_neo4j(server, said) if product == "Neo4j" else said


def _of_neo4j(server: BoltServer, said: BoltInspection) -> BoltInspection:
    """What only Neo4j can be asked."""
    components = _ask(server, "CALL dbms.components() YIELD name, versions, edition")
    kernel = _first(row for row in components if row[0] == "Neo4j Kernel")
    cypher = _first(row for row in components if row[0] == "Cypher")
    edition = str(kernel[2]) if kernel else ""
    database = _first(_ask(server, "CALL db.info() YIELD name"))
    name = str(database[0]) if database else ""
    # Neo4j 5 has one version and does not speak of it.
    cypher_versions = tuple(map(str, cypher[1])) if cypher else ("5",)
    return replace(
        said,
        edition=edition,
        cypher_versions=cypher_versions,
        database=name,
        access=_access(server, name),
        privileges=_privileges(server) if edition == "enterprise" else (),
        settings=_settings(server),
        add_ons=_add_ons(server),
    )


def _budget() -> Budget:
    return Budget(seconds=_TIME_OUT)


def _ignore(row: list[Any]) -> bool:
    return True


def _first(rows: Iterable[list[Any]]) -> list[Any] | None:
    return next(iter(rows), None)


def _ask(server: BoltServer, text: str) -> list[list[Any]]:
    """The rows that a question gives; none where the server refuses it, knows it not, or takes too long."""
    try:
        return server.rows(Statement(text, doing="asking what the server is"), _budget())
    except (QueryFailedError, DeadlineExceededError):
        return []


def _access(server: BoltServer, database: str) -> str:
    rows = _ask(server, "SHOW DATABASES YIELD name, access")
    return next((str(access) for name, access in rows if name == database), "")


def _privileges(server: BoltServer) -> tuple[str, ...]:
    rows = _ask(server, "SHOW USER PRIVILEGES AS COMMANDS YIELD command")
    return tuple(sorted(str(command) for (command,) in rows))


def _settings(server: BoltServer) -> dict[str, str | None]:
    names = ", ".join(f"'{name}'" for name in SETTINGS)
    return {
        str(name): None if value in (None, "No Value") else str(value)
        for name, value in _ask(server, f"SHOW SETTINGS {names} YIELD name, value")
    }


def _add_ons(server: BoltServer) -> dict[str, int]:
    rows = _ask(
        server, "SHOW PROCEDURES YIELD name RETURN split(name, '.')[0] AS namespace, count(*) AS number"
    )
    found = sorted((str(namespace), int(number)) for namespace, number in rows)
    return {namespace: number for namespace, number in found if namespace not in _OWN_NAMESPACES}
