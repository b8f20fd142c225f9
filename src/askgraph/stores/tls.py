"""Whom TLS trusts: the authorities of the system, and those of a file of the user's own."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import httpcore2

from ..core.errors import SettingsError, UnreachableError

# Numbers of OpenSSL for what is wrong with a certificate (X509_V_ERR_…).
_NOT_YET_VALID, _EXPIRED, _SELF_SIGNED = 9, 10, 18
_OTHER_NAME: Final = (62, 64)
_HOW_TO_TRUST: Final = (
    "Name the file of its authority's certificate (PEM) in ASKGRAPH_CA_FILE, or install that one"
)


def trusting_context(ca_file: Path | None = None) -> ssl.SSLContext:
    """What clients of every protocol verify certificates by.

    The authorities that are trusted are those of the system (in their place those of ``SSL_CERT_FILE`` or
    ``SSL_CERT_DIR``, where the environment names them), and besides those of a file.

    Args:
        ca_file: certificates of further authorities, in PEM.

    Raises:
        SettingsError: a file of certificates that is not there, or that holds none.
    """
    try:
        context = httpcore2.default_ssl_context()
    except (OSError, ssl.SSLError) as error:
        name = "SSL_CERT_FILE" if os.environ.get("SSL_CERT_FILE") else "SSL_CERT_DIR"
        raise _unusable(Path(os.environ.get(name, "")), name, error) from error
    if ca_file is not None:
        try:
            context.load_verify_locations(ca_file.expanduser())
        except (OSError, ssl.SSLError) as error:
            raise _unusable(ca_file, "the setting ca_file", error) from error
    return context


def _unusable(file: Path, named_by: str, error: Exception) -> SettingsError:
    # An SSLError is an OSError too, and says of a text that is no certificate what only its makers understand.
    why = "it holds no certificates in PEM" if isinstance(error, ssl.SSLError) else "it cannot be read"
    if isinstance(error, FileNotFoundError):
        why = "it is not there"
    return SettingsError(f"the certificates of {file}, which {named_by} names, cannot be used: {why}")


def distrusted(error: ssl.SSLCertVerificationError, place: str, also: str = "") -> UnreachableError:
    """The error for a certificate that was refused.

    Args:
        error: what TLS said.
        place: the server, for people.
        also: what else can be done about one that nobody signed.
    """
    if error.verify_code in _OTHER_NAME:
        return UnreachableError(
            f"the certificate of {place} is made out to another name",
            advice="Use the name that stands in the certificate, or let the server have one for this name.",
        )
    if error.verify_code in (_EXPIRED, _NOT_YET_VALID):
        when = "has expired" if error.verify_code == _EXPIRED else "is not valid yet"
        return UnreachableError(
            f"the certificate of {place} {when}",
            advice="Let the server have a new one; or is this machine's clock wrong?",
        )
    why = (
        "it signed it itself"
        if error.verify_code == _SELF_SIGNED
        else "no authority that is known here signed it"
    )
    return UnreachableError(
        f"the certificate of {place} cannot be trusted: {why}", advice=f"{_HOW_TO_TRUST}{also}."
    )


def refused_certificate(causes: Iterable[BaseException]) -> ssl.SSLCertVerificationError | None:
    """The first of an error's causes that is a refused certificate."""
    return next((cause for cause in causes if isinstance(cause, ssl.SSLCertVerificationError)), None)
