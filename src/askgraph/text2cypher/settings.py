"""Settings of the documented class, from the environment (``RETRIEVAL_…``)."""

from __future__ import annotations

from typing import Any

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from ..core.errors import SettingsError

_PREFIX = "RETRIEVAL_"


class RetrievalSettings(BaseSettings):
    """What bounds a generated query. Which model writes it, and its key, are askgraph's own settings.

    Raises:
        SettingsError: a value that cannot be one.
    """

    model_config = SettingsConfigDict(env_prefix=_PREFIX, extra="ignore", frozen=True)

    text2cypher_timeout: float = Field(
        default=10.0, gt=0, le=86_400, allow_inf_nan=False, description="seconds that a query may run"
    )
    text2cypher_max_rows: int = Field(default=1_000, gt=0, description="rows that a query may give")

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            raise SettingsError("\n".join(map(_in_words, error.errors()))) from error


def _in_words(problem: Any) -> str:
    name = ".".join(str(part) for part in problem["loc"])
    where = f"(from the call or {_PREFIX}{name.upper()})"
    return f"the setting {name!r} {where}: {problem['msg'].lower()}, not {problem['input']!r}"
