"""Small files and whole folders written so that a power cut leaves the old state or the new one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

NEW_SUFFIX: Final = ".new"
"""What :func:`replace_text` adds to a name while it writes; a file of such a name is the remains of a killed writer."""


def replace_text(file: Path, text: str) -> None:
    """Write a small file so that a reader sees the old text or the new one, whatever happens in between."""
    new = file.with_name(file.name + NEW_SUFFIX)
    with new.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    new.replace(file)
    flush_folder(file.parent)


def flush_tree(folder: Path) -> None:
    """Force a folder with everything in it to the disk."""
    for file in sorted(folder.rglob("*")):
        if file.is_dir():
            flush_folder(file)
        else:
            with file.open("rb+") as stream:
                os.fsync(stream.fileno())
    flush_folder(folder)


def flush_folder(folder: Path) -> None:
    """Force a folder's list of names to the disk."""
    if os.name == "nt":
        return  # Windows has no handle to a folder
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
