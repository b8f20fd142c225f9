"""What the façade tells while it works, on standard error: by the variable ``ASKGRAPH_LOG_LEVEL``, or in code."""

from __future__ import annotations

import logging
import os
import sys
from typing import Final

from ..core.errors import SettingsError
from ..core.suggestions import did_you_mean

LEVEL_VARIABLE: Final = "ASKGRAPH_LOG_LEVEL"
"""The environment variable that says from which level on is told."""

_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_DEFAULT: Final = "WARNING"
_FORMAT: Final = "%(asctime)s %(name)s %(levelname)s %(message)s"

logger: Final = logging.getLogger("askgraph.kgnode")
"""Where the façade tells what it does."""


class _StandardError(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to what is standard error at the moment of writing: a notebook and a test put another in its place."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        self.stream = sys.stderr
        super().emit(record)


def set_log_level(level: str | int) -> None:
    """Tell what is at least as grave as a level: ``"DEBUG"``, ``"INFO"``, ``"WARNING"``, ``"ERROR"``, ``"CRITICAL"``,
    in any case, or its number. Raises :class:`SettingsError` for one that does not exist."""
    if isinstance(level, str):
        if level.upper() not in _LEVELS:
            advice = did_you_mean(level.upper(), _LEVELS) or f"There are: {', '.join(_LEVELS)}."
            raise SettingsError(f"there is no log level {level!r}", advice=advice)
        level = level.upper()
    _insist_on_handler()
    logger.setLevel(level)


def disable_logging() -> None:
    """Tell nothing at all."""
    _insist_on_handler()
    logger.setLevel(logging.CRITICAL + 1)


def _insist_on_handler() -> None:
    if not any(isinstance(handler, _StandardError) for handler in logger.handlers):
        handler = _StandardError()
        handler.setFormatter(logging.Formatter(_FORMAT))
        logger.addHandler(handler)
        # Told once, whatever the program's own logging does.
        logger.propagate = False


def set_level_of_environment() -> None:
    """The level that the environment names, when the façade is first used. One that does not exist is told there."""
    if logger.level == logging.NOTSET:
        level = os.environ.get(LEVEL_VARIABLE, _DEFAULT)
        set_log_level(_DEFAULT if level.upper() not in _LEVELS else level)
        if level.upper() not in _LEVELS:
            logger.warning("%s=%s is no log level; there are: %s", LEVEL_VARIABLE, level, ", ".join(_LEVELS))


set_level_of_environment()
