"""What must not be seen is taken out of what is shown: keys in the words of providers, passwords in addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from ..core.run import without_credentials

_HIDDEN = "***"
# The shapes of keys, whoever they belong to: some providers repeat (a part of) the key that they refuse.
_KEYS = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|key|AIza|AKIA|ASIA|ABSK)[-_]?[A-Za-z0-9*_\-.]{8,}"
    r"|(?i:\b(?:authorization|x-api-key|api[-_]?key)\b[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic)\s+)?)[^\s\"',}]+"
    r"|(?i:\b(?:bearer|basic)\s+)[A-Za-z0-9+/=._~\-]{16,}"
)
_LONGEST_MESSAGE = 500
_SHORTEST_SECRET = 4


def scrubbed(text: str, secrets: Iterable[str] = ()) -> str:
    """The text on one line and not too long, without these secrets, without what looks like a key or a password."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, _HIDDEN).replace(unquote(secret), _HIDDEN)
    text = _KEYS.sub(_HIDDEN, without_credentials(" ".join(text.split())))
    return text if len(text) <= _LONGEST_MESSAGE else text[:_LONGEST_MESSAGE] + "…"
