"""How the Java servers are run: the one set of flags and settings for the training run and for the tests."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path

from scripts.servers import places

_MAIN_CLASS = {
    places.NEO4J_5: "org.neo4j.server.CommunityEntryPoint",
    places.NEO4J_2026: "org.neo4j.server.Neo4jCommunity",
}
# Of the user neo4j of every Neo4j that tests start.
PASSWORD = "a-password-of-tests"
# As in the server's own packages, less what is for tuning.
_FLAGS = (
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dfile.encoding=UTF-8",
    # Small data on a machine with few cores: less compiling and collecting at once is faster.
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Xmx512m",
    "-Xlog:disable",
    "-Xlog:all=error:stderr",
)
# A server of tests has small data, no web page, nothing to report home, and no time for a graceful good-bye.
_SETTINGS = """server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.directories.import=import
server.memory.pagecache.size=64m
dbms.usage_report.enabled=false
db.tx_log.rotation.retention_policy=keep_none
db.tx_log.preallocate=false
internal.dbms.bolt.netty_server_shutdown_quiet_period=0
"""


def write_configuration(home: Path, port: int, settings: Sequence[str]) -> None:
    """Writes the configuration of a Neo4j on this port of loopback; later settings override earlier ones."""
    for name in ("conf", "import", "plugins", "logs"):
        (home / name).mkdir(parents=True, exist_ok=True)
    lines = dict(line.split("=", 1) for line in [*_SETTINGS.format(port=port).splitlines(), *settings])
    text = "".join(f"{name}={value}\n" for name, value in lines.items())
    (home / "conf" / "neo4j.conf").write_text(text, encoding="utf-8")


def neo4j_command(part: str, home: Path, flags: Sequence[str] = ()) -> list[str]:
    """The command that runs this Neo4j from a folder with its configuration."""
    return [
        *java_command(part, [*_FLAGS, *flags]),
        _MAIN_CLASS[part],
        f"--home-dir={home}",
        f"--config-dir={home}/conf",
    ]


def admin_command(part: str, words: Sequence[str]) -> list[str]:
    """A command of ``neo4j-admin``."""
    return [*java_command(part, ["-XX:TieredStopAtLevel=1"]), "org.neo4j.cli.AdminTool", *words]


def java_command(part: str, flags: Sequence[str]) -> list[str]:
    """Java with these flags and the jars of a server, to be followed by a main class."""
    class_path = ":".join(str(jar) for jar in places.jars(part))
    return [str(places.java()), *flags, "-cp", class_path]


def free_port() -> int:
    """A port of loopback on which nothing listens now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port
