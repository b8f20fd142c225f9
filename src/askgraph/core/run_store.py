"""Where runs are kept: one JSON file each, in a folder of the user's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import RunNotFoundError
from .json_folder import JsonFolder
from .run import RUN_FORMAT_VERSION, Run

_RUN_ID = re.compile(r"[0-9a-z-]{1,64}")


class RunStore:
    """The stored runs in a folder. The folder is made when the first run is saved."""

    def __init__(self, folder: Path) -> None:
        self._documents = JsonFolder(folder)

    @property
    def folder(self) -> Path:
        """Where they are."""
        return self._documents.folder

    def save(self, run: Run) -> Path:
        """Write a finished run; whole or not at all."""
        return self._documents.save(run.id, run.to_dict())

    def ids(self) -> list[str]:
        """The ids of all stored runs, the newest first."""
        return self._documents.ids()

    def all(self) -> Iterator[dict[str, Any]]:
        """All stored runs as JSON data, the newest first. A file that is not a run is passed over."""
        for id in self.ids():
            try:
                yield self.read(id)
            except RunNotFoundError:
                continue

    def read(self, id: str) -> dict[str, Any]:
        """One run as JSON data; the first characters of an id are enough where they name one run.

        Raises:
            RunNotFoundError: no run, or several, begin so.
        """
        path = self._find(id)
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise RunNotFoundError(
                f"the file of run {path.stem} cannot be read", advice=f"Delete it: {path}"
            ) from error
        if not isinstance(data, dict) or "question" not in data:
            raise RunNotFoundError(f"the file of run {path.stem} is not a run", advice=f"Delete it: {path}")
        if data.get("format") != RUN_FORMAT_VERSION:
            raise RunNotFoundError(
                f"run {path.stem} was kept by another version of askgraph and cannot be shown by this one",
                advice=f"Ask the question again, or delete it: {path}",
            )
        return data

    def resolve(self, id: str) -> str:
        """The whole id of the one run that begins with these characters. Raises :class:`RunNotFoundError`."""
        return self._find(id).stem

    def delete(self, id: str) -> str:
        """Delete one run and give its whole id. Raises :class:`RunNotFoundError`."""
        path = self._find(id)
        path.unlink(missing_ok=True)
        return path.stem

    def _find(self, id: str) -> Path:
        candidates = self._documents.beginning_with(id) if _RUN_ID.fullmatch(id) else []
        if len(candidates) == 1:
            return self._documents.path(candidates[0])
        if candidates:
            raise RunNotFoundError(
                f"{len(candidates)} runs begin with {id!r}",
                advice="Give more characters of the id.",
            )
        raise RunNotFoundError(
            f"there is no run {id!r}", advice="`askgraph runs list` shows the stored runs."
        )
