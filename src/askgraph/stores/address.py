"""Where a graph on a server is: its address taken apart, and the credentials that go with it.

Credentials come from the address (``bolt://user:password@host``), else from the settings. They are kept out of every
text that is made here: what :attr:`Address.shown` gives may be printed, logged and stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from ..core.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Credentials:
    """A user and a password, or a token alone. Nothing of it is in its ``repr``."""

    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)

    def __bool__(self) -> bool:
        """Whether there is anything to show a server."""
        return bool(self.user or self.password or self.token)


NO_CREDENTIALS = Credentials()


@dataclass(frozen=True, slots=True)
class Address:
    """An address taken apart.

    Attributes:
        scheme: in lower case, such as ``"neo4j+s"`` or ``"sparql+https"``.
        host: name or number, IPv6 without its brackets.
        port: ``None`` where the address names none.
        path: with its leading slash; empty where there is none.
        options: what stands after ``?``, each name once. A name that comes again keeps all its values in ``repeated``.
        repeated: all values of each name, in order.
        credentials: from the address, else those given.
        ca_file: certificates of authorities that TLS trusts there beside those of the system.
    """

    scheme: str
    host: str
    port: int | None
    path: str
    options: Mapping[str, str] = field(repr=False)
    repeated: Mapping[str, tuple[str, ...]] = field(repr=False)
    credentials: Credentials = field(repr=False)
    ca_file: Path | None = None

    @property
    def authority(self) -> str:
        """Host and port as they stand in an address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"

    @property
    def shown(self) -> str:
        """The address for people: without credentials and without options."""
        return f"{self.scheme}://{self.authority}{self.path}"


def parse_address(text: str, given: Credentials | None = None, ca_file: Path | None = None) -> Address:
    """Take an address apart. Raises :class:`SettingsError` for one that is none; the message has no credentials in it.

    Args:
        text: such as ``neo4j+s://host:7687/database``.
        given: credentials from elsewhere, used where the address has none.
        ca_file: certificates of authorities to trust there.
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise SettingsError(
            "the graph's address cannot be read: "
            + ("its port is no number" if "port" in str(error).lower() else "it is malformed"),
            advice="An address looks like neo4j://host:7687/database or sparql+https://host/sparql.",
        ) from None
    if not parts.hostname:
        raise SettingsError(
            f"the address {parts.scheme}:// names no host",
            advice=f"Write it as {parts.scheme}://host:port/….",
        )
    own = Credentials(unquote(parts.username or ""), unquote(parts.password or ""))
    repeated: dict[str, tuple[str, ...]] = {}
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        repeated[name] = (*repeated.get(name, ()), value)
    return Address(
        scheme=parts.scheme.lower(),
        host=parts.hostname,
        port=port,
        path=parts.path,
        options={name: values[-1] for name, values in repeated.items()},
        repeated=repeated,
        credentials=own or given or NO_CREDENTIALS,
        ca_file=ca_file,
    )
