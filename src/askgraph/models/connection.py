"""Where a model server is and how we speak HTTP with it: addresses without their secrets, clients with limits."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from pydantic import SecretStr

from ..core.errors import ModelReplyError, SettingsError

if TYPE_CHECKING:
    import httpx2

# A reply is some thousand words; a server that goes on and on must not fill the memory.
_MOST_BYTES = 32 * 1024 * 1024
_CONNECT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Access:
    """How to reach a provider.

    Attributes:
        url: its address, without user and password; ``None`` for the vendor's own.
        key: the key, if any.
        user: who to be by basic authentication, where the address said so.
        password: the password that goes with it.
        ca_file: certificates of authorities to trust beside those of the system.
    """

    url: str | None = None
    key: SecretStr | None = None
    user: str | None = None
    password: SecretStr | None = field(default=None)
    ca_file: Path | None = None

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be shown."""
        return tuple(secret.get_secret_value() for secret in (self.key, self.password) if secret is not None)

    @property
    def is_local(self) -> bool:
        """Whether the address is this machine's."""
        return self.url is not None and is_loopback(self.url)

    def client(self) -> httpx2.AsyncClient:
        """A client that sends the password if there is one, follows no redirect, and reads no reply without end."""
        import httpx2

        auth = None
        if self.user is not None:
            auth = (self.user, self.password.get_secret_value() if self.password else "")
        return httpx2.AsyncClient(
            auth=auth,
            timeout=httpx2.Timeout(600.0, connect=_CONNECT_SECONDS),
            limits=httpx2.Limits(max_connections=100, max_keepalive_connections=10, keepalive_expiry=30.0),
            follow_redirects=False,
            # A proxy is for the way out, not for a server on this machine.
            trust_env=not self.is_local,
            verify=_trust(self.ca_file),
            event_hooks={"response": [_limit]},
        )


def parse_url(address: str) -> Access:
    """The address of an HTTP server taken apart, its credentials set aside.

    Raises:
        SettingsError: it is no such address, or has a part that would be sent along (``?…``).
    """
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        parts, port = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SettingsError(
            "the address of a model server is not of the form http://host:port/v1",
            advice="Write http://localhost:8080/v1, or http://localhost:8080/v1|NAME for one of its models.",
        )
    if parts.query or parts.fragment:
        raise SettingsError(
            "the address of a model server has a ? or # part",
            advice="Leave it out; a key goes into the setting model_key (ASKGRAPH_MODEL_KEY).",
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    url = urlunsplit((parts.scheme, f"{host}{port}", parts.path.rstrip("/"), "", ""))
    user = unquote(parts.username) if parts.username is not None else None
    password = SecretStr(unquote(parts.password)) if parts.password is not None else None
    return Access(url, user=user, password=password)


def is_loopback(url: str) -> bool:
    """Whether an address is this machine's own."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _trust(ca_file: Path | None) -> ssl.SSLContext | bool:
    if ca_file is None:
        return True
    try:
        context = ssl.create_default_context()
        context.load_verify_locations(ca_file)
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(f"the certificates in {ca_file} cannot be used: {error}") from error
    return context


async def _limit(response: httpx2.Response) -> None:
    import httpx2

    class Limited(httpx2.AsyncByteStream):
        """The body, up to the most that is read of one."""

        def __init__(self, body: httpx2.AsyncByteStream) -> None:
            self._body = body

        async def __aiter__(self) -> AsyncIterator[bytes]:
            read = 0
            async for chunk in self._body:
                read += len(chunk)
                if read > _MOST_BYTES:
                    raise ModelReplyError(f"the model server sent more than {_MOST_BYTES // 2**20} MB")
                yield chunk

        async def aclose(self) -> None:
            await self._body.aclose()

    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = Limited(response.stream)
