"""Where the results of evaluations are kept: one JSON file each, in a folder of the user's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..core.errors import EvaluationError, ResultsNotFoundError
from ..core.json_folder import JsonFolder
from ..core.settings import Settings
from .evaluated import Evaluation

FOLDER: Final = "evaluations"
LAST: Final = "last"
_BEFORE_LAST: Final = "before-last"


class ResultStore:
    """The results kept in a folder. The folder is made when the first are saved."""

    def __init__(self, folder: Path) -> None:
        self._documents = JsonFolder(folder)

    @property
    def folder(self) -> Path:
        """Where they are."""
        return self._documents.folder

    @classmethod
    def of(cls, settings: Settings) -> ResultStore:
        """The store in the data folder of these settings."""
        return cls(settings.data_dir / FOLDER)

    def save(self, evaluation: Evaluation) -> Path:
        """Write results; whole or not at all."""
        return self._documents.save(evaluation.id, evaluation.to_dict())

    def ids(self) -> list[str]:
        """The ids of all stored results, the newest first."""
        return self._documents.ids()

    def all(self) -> Iterator[Evaluation]:
        """All stored results, the newest first. A file that holds none is passed over."""
        for id in self.ids():
            try:
                yield read_results(self._documents.path(id))
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
        if name in (LAST, _BEFORE_LAST):
            place = 0 if name == LAST else 1
            found = self.ids()[place : place + 1]
        else:
            found = self._documents.beginning_with(name) if name else []
        if len(found) == 1:
            return read_results(self._documents.path(found[0]))
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
