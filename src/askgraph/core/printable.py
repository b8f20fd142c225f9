"""Text from a graph made safe to show: nothing in it can steer a terminal, reorder a line or break one."""

from __future__ import annotations

import re

# Control characters (C0, DEL, C1), halves of surrogate pairs, marks that turn the direction of the text around them,
# deprecated format characters, the byte order mark, interlinear annotation, and invisible tags.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u061c\u202a-\u202e\u2028\u2029\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """The text on one line: blanks of every kind collapsed, and what cannot be shown written as an escape.

    ``"Evil\\x1b[31m\\nname"`` gives ``"Evil\\\\x1b[31m name"``: what is there can be seen, and does nothing.
    """
    return _UNPRINTABLE.sub(_escape, " ".join(text.split()))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def shortened(text: str, length: int, ellipsis: str = "…") -> str:
    """The text, or its beginning and its end with ``ellipsis`` between, where it is longer than ``length`` characters.

    An identifier's end tells more than its middle.
    """
    if len(text) <= length:
        return text
    kept = max(0, length - len(ellipsis))
    tail = kept // 3
    return text[: kept - tail] + ellipsis + (text[-tail:] if tail else "")
