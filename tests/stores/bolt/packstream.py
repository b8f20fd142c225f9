"""The values of Bolt as bytes and back (PackStream 1), as its specification says: for servers that tests make up."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Structure:
    """A tag and its fields: a message, a node, a date."""

    tag: int
    fields: tuple[Any, ...]


def node(id: int, labels: list[str], properties: dict[str, Any]) -> Structure:
    """A node as Bolt 5 sends it."""
    return Structure(0x4E, (id, labels, properties, str(id)))


def pack(value: Any) -> bytes:
    """A value as bytes."""
    match value:
        case None:
            return b"\xc0"
        case bool():
            return b"\xc3" if value else b"\xc2"
        case int():
            return struct.pack(">b", value) if -16 <= value < 128 else b"\xcb" + struct.pack(">q", value)
        case float():
            return b"\xc1" + struct.pack(">d", value)
        case str():
            text = value.encode()
            return _sized(len(text), 0x80, b"\xd2") + text
        case list() | tuple():
            return _sized(len(value), 0x90, b"\xd6") + b"".join(map(pack, value))
        case dict():
            body = b"".join(pack(key) + pack(item) for key, item in value.items())
            return _sized(len(value), 0xA0, b"\xda") + body
        case Structure(tag, fields):
            return bytes((0xB0 + len(fields), tag)) + b"".join(map(pack, fields))
    raise TypeError(type(value))


def _sized(size: int, small: int, large: bytes) -> bytes:
    return bytes((small + size,)) if size < 16 else large + struct.pack(">I", size)


def unpack(data: bytes) -> Any:
    """The value that bytes hold."""
    return _Reader(data).value()


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def _take(self, count: int) -> bytes:
        part = self._data[self._place : self._place + count]
        self._place += count
        return part

    def _number(self, form: str) -> Any:
        return struct.unpack(form, self._take(struct.calcsize(form)))[0]

    def value(self) -> Any:
        marker = self._take(1)[0]
        high, low = marker & 0xF0, marker & 0x0F
        if marker < 0x80:
            return marker
        if marker >= 0xF0:
            return marker - 0x100
        if high == 0x80:
            return self._take(low).decode()
        if high == 0x90:
            return [self.value() for _ in range(low)]
        if high == 0xA0:
            return self._map(low)
        if high == 0xB0:
            return Structure(self._take(1)[0], tuple(self.value() for _ in range(low)))
        return self._wide(marker)

    def _map(self, count: int) -> dict[str, Any]:
        return {self.value(): self.value() for _ in range(count)}

    def _wide(self, marker: int) -> Any:
        plain = {0xC0: None, 0xC2: False, 0xC3: True}
        if marker in plain:
            return plain[marker]
        numbers = {0xC1: ">d", 0xC8: ">b", 0xC9: ">h", 0xCA: ">i", 0xCB: ">q"}
        if marker in numbers:
            return self._number(numbers[marker])
        size = self._number((">B", ">H", ">I")[(marker - 0xCC) % 4])
        if 0xCC <= marker <= 0xCE:
            return self._take(size)
        if 0xD0 <= marker <= 0xD2:
            return self._take(size).decode()
        if 0xD4 <= marker <= 0xD6:
            return [self.value() for _ in range(size)]
        return self._map(size)
