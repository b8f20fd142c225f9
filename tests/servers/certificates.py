"""Certificates for servers of the tests, made on the spot: by an authority of their own, by none, or out of date."""

from __future__ import annotations

import datetime
import ssl
from dataclasses import dataclass
from pathlib import Path

import trustme

# Neo4j takes no keys on elliptic curves as trustme writes them.
_KIND = trustme.KeyType.RSA


@dataclass(frozen=True, slots=True)
class Certificate:
    """A server's certificate and its key, as files in a folder of their own."""

    folder: Path

    @property
    def chain(self) -> Path:
        """The certificate."""
        return self.folder / "certificate.pem"

    @property
    def key(self) -> Path:
        """The key."""
        return self.folder / "key.pem"

    def context(self) -> ssl.SSLContext:
        """What a server in Python answers with."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.chain, self.key)
        return context


class Authority:
    """An authority that no system knows. ``file`` holds the certificate by which it is trusted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._authority = trustme.CA(key_type=_KIND)
        self.file = folder / "authority.pem"
        self._authority.cert_pem.write_to_path(self.file)

    def signed(self, *names: str, expired: bool = False) -> Certificate:
        """A certificate for these names or addresses."""
        yesterday = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
        made = self._authority.issue_cert(
            *names, key_type=_KIND, not_before=_LONG_AGO, not_after=yesterday if expired else None
        )
        folder = self._folder / f"{'expired' if expired else 'valid'}-{'-'.join(names)}"
        return _written(folder, made.private_key_pem, made.cert_chain_pems)

    def own(self) -> Certificate:
        """Its own certificate, which it signed itself: as good as that of a server whose certificate nobody signed."""
        return _written(self._folder / "own", self._authority.private_key_pem, [self._authority.cert_pem])


_LONG_AGO = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)


def _written(folder: Path, key: trustme.Blob, chain: list[trustme.Blob]) -> Certificate:
    folder.mkdir(exist_ok=True)
    certificate = Certificate(folder)
    key.write_to_path(certificate.key)
    certificate.chain.write_bytes(b"".join(part.bytes() for part in chain))
    return certificate
