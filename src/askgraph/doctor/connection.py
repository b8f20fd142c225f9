"""Looks at the way to a server: whether what is said on it can be read by others."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from ..stores.address import Address
from .finding import Finding


def connection(address: Address) -> Iterator[Finding]:
    """Whether the connection is encrypted, and whether it has to be."""
    if address.scheme.endswith("+ssc"):
        yield Finding(
            "warning",
            "connection",
            "TLS, but the certificate is not checked: whoever stands between can be taken for the server",
            f"Name the file of its authority's certificate in ASKGRAPH_CA_FILE, or give the server one that this "
            f"machine trusts; then use {address.scheme[:-2]}://.",
        )
    elif address.scheme.endswith(("+s", "https")):
        also = f", or signed by an authority of {address.ca_file}" if address.ca_file is not None else ""
        yield Finding(
            "ok", "connection", f"TLS, with a certificate that has to be trusted by this machine{also}"
        )
    elif is_loopback(address.host):
        yield Finding("ok", "connection", "plain text, which does not leave this machine")
    else:
        safe = {"http": "https", "sparql+http": "sparql+https"}.get(address.scheme, f"{address.scheme}+s")
        what = "the password and everything" if address.credentials else "everything"
        yield Finding(
            "warning",
            "connection",
            f"plain text to another machine: {what} can be read on the way",
            f"Let the server offer TLS, then use {safe}://{address.authority}{address.path}",
        )


def is_loopback(host: str) -> bool:
    """Whether an address is of this machine."""
    if host.lower() == "localhost" or host.lower().endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
