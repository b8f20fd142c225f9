"""Graph folders of bare files, in the user's cache, keyed by what the files contain."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import MissingFileError


def cache_directory() -> Path:
    """Where cached graphs lie: ``ASKGRAPH_CACHE_DIR``, else the user's cache folder."""
    chosen = os.environ.get("ASKGRAPH_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("askgraph"))


def cached_folder(
    files: Sequence[Path], options: Mapping[str, Any] | None = None, *, directory: Path | None = None
) -> Path:
    """Where the graph made of these files with these options lies or is to be made.

    The path depends on the names and the content of the files, in their order, and on the options (JSON data), so a
    changed file gets another folder. The caller opens it if :meth:`GraphFolder.open` finds a graph there, and writes it
    otherwise (``GraphFolder.writing(path, wait=…)``: another process may be making the same one). ``directory`` is the
    cache folder, :func:`cache_directory` by default.

    Raises:
        MissingFileError: a file cannot be read.
    """
    digest = hashlib.sha256(json.dumps(dict(options or {}), sort_keys=True).encode())
    for file in files:
        try:
            with file.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").digest()
        except OSError as error:
            raise MissingFileError(f"{file} cannot be read: {error.strerror}") from error
        digest.update(json.dumps(file.name).encode() + b"\n" + content)
    stem = (
        "".join(character if character.isalnum() else "-" for character in files[0].stem[:40])
        if files
        else "empty"
    )
    return (directory or cache_directory()) / "graphs" / f"{stem}-{digest.hexdigest()[:20]}.graph"


def remote_folder(identity: str, *, directory: Path | None = None) -> Path:
    """Where what is derived from a graph on a server (indexes) lies.

    Args:
        identity: all that decides what is seen of it: address, user, deny-lists. It is hashed, never written.
        directory: the cache folder, :func:`cache_directory` by default.
    """
    digest = hashlib.sha256(identity.encode()).hexdigest()[:24]
    return (directory or cache_directory()) / "remote" / digest
