"""Settings of the documented class, from the environment (``RETRIEVAL_…``)."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class RetrievalSettings(BaseSettings):
    """What bounds a generated query. Which model writes it, and its key, are askgraph's own settings."""

    model_config = SettingsConfigDict(env_prefix="RETRIEVAL_", extra="ignore", frozen=True)

    text2cypher_timeout: float = Field(
        default=10.0, gt=0, le=86_400, allow_inf_nan=False, description="seconds that a query may run"
    )
    text2cypher_max_rows: int = Field(default=1_000, gt=0, description="rows that a query may give")
