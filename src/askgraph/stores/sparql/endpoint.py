"""Where an endpoint is, and how it is asked: its URL, its data set, who asks."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

from ...core.errors import SettingsError
from ...core.version import __version__
from ..address import NO_CREDENTIALS, Address, Credentials

DEFAULT_USER_AGENT: Final = f"askgraph/{__version__} (question answering over knowledge graphs)"

_DATA_SET: Final = ("default-graph-uri", "named-graph-uri")
# Parameters of the protocol that are ours to send, and that of Virtuoso that gives parts for the whole.
_NOT_OPTIONS: Final = ("query", "update", "using-graph-uri", "using-named-graph-uri", "timeout", "format")
_PATH_SAFE: Final = "/:@!$&'()*+,;=~-._%"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A SPARQL endpoint. Nothing of ``repr`` is secret.

    Attributes:
        scheme: ``"http"`` or ``"https"``.
        host: without brackets.
        port: ``None`` for the scheme's own.
        path: of the URL, escaped.
        shown: the address for people.
        options: further parameters that go with every request, as they stand in the address.
        default_graphs: graphs that make up the default graph; none: the server's own default graph.
        named_graphs: graphs that ``GRAPH`` may see; none: the server decides.
        credentials: a user and a password, or a token.
        user_agent: who asks.
        ca_file: certificates of authorities that TLS trusts beside those of the system.
    """

    scheme: str
    host: str
    port: int | None
    path: str
    shown: str
    options: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    credentials: Credentials = field(default=NO_CREDENTIALS, repr=False)
    user_agent: str = DEFAULT_USER_AGENT
    ca_file: Path | None = None

    @classmethod
    def of(cls, address: Address, *, user_agent: str = DEFAULT_USER_AGENT) -> Endpoint:
        """The endpoint at an address (``sparql+https://…``, ``sparql+http://…``, ``https://…``, ``http://…``).

        Of what stands after ``?``, ``default-graph-uri`` and ``named-graph-uri`` (which may come again) make the data
        set; everything else goes along with every request.

        Raises:
            SettingsError: another scheme, or an option that is the protocol's own.
        """
        scheme = address.scheme.removeprefix("sparql+")
        if scheme not in ("http", "https"):
            raise SettingsError(
                f"{address.scheme}:// is no address of a SPARQL endpoint",
                advice="It begins with sparql+https://, sparql+http://, https:// or http://.",
            )
        for name in _NOT_OPTIONS:
            if name in address.repeated:
                raise SettingsError(
                    f"the address of an endpoint cannot say {name}=…",
                    advice="After ? may stand default-graph-uri, named-graph-uri, and what this server wants besides.",
                )
        if any(ord(character) < 0x20 or ord(character) > 0xFF for character in user_agent):
            raise SettingsError("a User-Agent is one line of Latin letters")
        return cls(
            scheme=scheme,
            host=address.host,
            port=address.port,
            path=quote(address.path, safe=_PATH_SAFE) or "/",
            shown=address.shown,
            options=tuple(
                (name, value)
                for name, values in address.repeated.items()
                if name not in _DATA_SET
                for value in values
            ),
            default_graphs=address.repeated.get("default-graph-uri", ()),
            named_graphs=address.repeated.get("named-graph-uri", ()),
            credentials=address.credentials,
            user_agent=user_agent,
            ca_file=address.ca_file,
        )

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        host = f"[{self.host}]" if ":" in self.host else _ascii(self.host)
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port is not None else "")

    @property
    def url(self) -> str:
        """Where requests go. It may hold secrets (a key among the options), and is not to be shown."""
        return f"{self.origin}{self.path}" + (f"?{urlencode(self.options)}" if self.options else "")

    @property
    def data_set(self) -> tuple[tuple[str, str], ...]:
        """The parameters that choose the graphs."""
        graphs = [("default-graph-uri", graph) for graph in self.default_graphs]
        return (*graphs, *(("named-graph-uri", graph) for graph in self.named_graphs))

    @property
    def authorization(self) -> str | None:
        """The value of the Authorization header."""
        if self.credentials.token:
            return f"Bearer {self.credentials.token}"
        if not self.credentials:
            return None
        pair = f"{self.credentials.user}:{self.credentials.password}".encode()
        return f"Basic {base64.b64encode(pair).decode('ascii')}"

    def fingerprint(self, *more: object) -> str:
        """Changes with the URL, the data set and ``more``; tells nothing of them."""
        parts = (self.url, self.data_set, *more)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def _ascii(host: str) -> str:
    """A host's name as the network knows it."""
    try:
        return host.encode("idna").decode("ascii") if not host.isascii() else host
    except UnicodeError:
        raise SettingsError(f"{host!r} is no name of a host") from None
