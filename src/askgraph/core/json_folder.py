"""A folder of the user's with one JSON document in each file: what runs and results of evaluations are kept in."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class JsonFolder:
    """Documents by their id. The folder is made when the first is saved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, id: str, document: Mapping[str, Any]) -> Path:
        """Write a document; whole or not at all. Gives its file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=self.folder, prefix=".unfinished-", suffix=".json")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(document, file, ensure_ascii=False, allow_nan=False, indent=1)
            target = self.path(id)
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return target

    def path(self, id: str) -> Path:
        """The file of a document."""
        return self.folder / f"{id}.json"

    def ids(self) -> list[str]:
        """The ids of all documents, from the last in order to the first: ids begin with their time."""
        if not self.folder.is_dir():
            return []
        return sorted((path.stem for path in self.folder.glob("[!.]*.json")), reverse=True)

    def beginning_with(self, text: str) -> list[str]:
        """The ids that begin so; a whole id means itself alone."""
        ids = self.ids()
        return [text] if text in ids else [id for id in ids if id.startswith(text)]
