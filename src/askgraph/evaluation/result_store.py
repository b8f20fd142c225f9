"""Where the results of evaluations are kept: one JSON file each, in a folder of the user's."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..core.errors import EvaluationError, ResultsNotFoundError
from ..core.settings import Settings
from .evaluated import Evaluation

FOLDER: Final = "evaluations"
LAST: Final = "last"
_BEFORE_LAST: Final = "before-last"


class ResultStore:
    """The results kept in a folder. The folder is made when the first are saved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def of(cls, settings: Settings) -> ResultStore:
        """The store in the data folder of these settings."""
        return cls(settings.data_dir / FOLDER)

    def save(self, evaluation: Evaluation) -> Path:
        """Write results; whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        target = self.folder / f"{evaluation.id}.json"
        handle, temporary = tempfile.mkstemp(dir=self.folder, prefix=".unfinished-", suffix=".json")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(evaluation.to_dict(), file, ensure_ascii=False, allow_nan=False, indent=1)
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return target

    def ids(self) -> list[str]:
        """The ids of all stored results, the newest first."""
        if not self.folder.is_dir():
            return []
        return sorted((path.stem for path in self.folder.glob("[!.]*.json")), reverse=True)

    def all(self) -> Iterator[Evaluation]:
        """All stored results, the newest first. A file that holds none is passed over."""
        for id in self.ids():
            try:
                yield read_results(self.folder / f"{id}.json")
            except EvaluationError:
                continue

    def find(self, name: str) -> Evaluation:
        """Results by their file, by the first characters of their id, or as ``last`` or ``before-last``.

        Raises:
            ResultsNotFoundError: none, or several, are called so.
            EvaluationError: the file does not hold results.
        """
        path = Path(name)
        if path.suffix == ".json" or path.is_file():
            return read_results(path)
        ids = self.ids()
        if name in (LAST, _BEFORE_LAST):
            place = 0 if name == LAST else 1
            found = ids[place : place + 1]
        else:
            found = [id for id in ids if id.startswith(name)] if name else []
        if len(found) == 1:
            return read_results(self.folder / f"{found[0]}.json")
        if found:
            raise ResultsNotFoundError(
                f"{len(found)} results begin with {name!r}", advice="Give more characters of the id."
            )
        raise ResultsNotFoundError(
            f"there are no results {name!r}", advice="`askgraph eval --list` shows what is stored."
        )


def read_results(path: Path) -> Evaluation:
    """Results from a file. Raises :class:`EvaluationError` if it is not there or holds none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultsNotFoundError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise EvaluationError(f"{path} is not the result of an evaluation: {error}") from error
    try:
        return Evaluation.from_dict(data)
    except EvaluationError as error:
        raise EvaluationError(f"{path}: {error.message}", advice=error.advice) from error
