"""A file of vectors that an embedder made for one version of a graph: what every index of vectors says of itself."""

from __future__ import annotations

from pathlib import Path

from .array_file import ArrayFile


class EmbeddedFile:
    """The array ``vectors``, a row for each text, and where the vectors are from."""

    def __init__(self, file: ArrayFile) -> None:
        self._file = file

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    @property
    def embedder(self) -> str:
        """The name of the embedder that made the vectors; queries must come from one of the same name."""
        return str(self._file.facts["embedder"])

    @property
    def fingerprint(self) -> str:
        """What the builder said that the vectors were made from: the version of the graph."""
        return str(self._file.facts["fingerprint"])

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self._file["vectors"].shape[1])
