"""Settings: what the caller says, then the environment (``ASKGRAPH_…``), then one TOML file, then the defaults."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import platformdirs
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from .budget import Budget
from .errors import SettingsError
from .hidden import Hidden
from .run import without_credentials

SETTINGS_FILE = "askgraph.toml"


def settings_file() -> Path | None:
    """The TOML file in force: ``$ASKGRAPH_CONFIG``, else ``askgraph.toml`` here, else the one in the user's
    configuration folder, else none."""
    named = os.environ.get("ASKGRAPH_CONFIG")
    if named:
        return Path(named)
    for candidate in (Path(SETTINGS_FILE), Path(platformdirs.user_config_dir("askgraph")) / SETTINGS_FILE):
        if candidate.is_file():
            return candidate
    return None


class Settings(BaseSettings):
    """Everything that can be set. Make one with :meth:`load`, which gives typed errors."""

    model_config = SettingsConfigDict(env_prefix="ASKGRAPH_", extra="forbid", frozen=True)
    file: ClassVar[Path | None] = None

    cache_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir("askgraph")),
        description="where graphs made from bare files, and vectors, are kept; safe to delete",
    )
    data_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("askgraph")),
        description="where runs are kept",
    )
    save_runs: bool = Field(default=True, description="store a record of every question")
    languages: tuple[str, ...] = Field(
        default=("en",), description="preferred languages of labels, the best first"
    )
    label_properties: tuple[str, ...] = Field(
        default=(), description="properties that name nodes, before the usual ones (keys, or predicate IRIs)"
    )
    descriptions: Path | None = Field(
        default=None,
        description="a file of your own labels, synonyms and descriptions for types and properties",
    )
    dictionaries: tuple[Path, ...] = Field(
        default=(),
        description="files of names and synonyms by identifier: UMLS, MeSH, HGNC, DisGeNET, OBO, plain tables",
    )
    embedder: str = Field(
        default="minilm",
        description="the model that compares meanings: minilm, multilingual (an extra), vendor:NAME (openai, "
        "bedrock, google, ollama), the address of a server (http://host:port/v1|NAME), or none",
    )
    embedder_key: SecretStr | None = Field(default=None, description="the key of an embedder on a server")
    reranker: str = Field(
        default="embedder",
        description="what ranks evidence by meaning: embedder, the address of a server, or none",
    )
    reranker_key: SecretStr | None = Field(default=None, description="the key of a reranker on a server")
    model: str | None = Field(
        default=None,
        description="the language model: vendor:name (openai, anthropic, bedrock, google, ollama), the address of a "
        "server (http://host:port/v1, or …|NAME), or replay:FILE",
    )
    model_key: SecretStr | None = Field(
        default=None, description="its key, in place of the vendor's own variable (OPENAI_API_KEY, …)"
    )
    model_url: str | None = Field(
        default=None, description="its vendor's address, where it is not the usual one"
    )
    model_context: int | None = Field(
        default=None,
        gt=0,
        description="tokens that it takes, prompt and reply together, where that is not known",
    )
    model_prices: dict[str, tuple[float, float]] = Field(
        default_factory=dict,
        description="dollars for a million tokens in and out, by model: openai:gpt-4o-mini, or openai:gpt-4o*",
    )
    model_calls: int = Field(
        default=20, ge=0, description="calls of the language model that a question may take"
    )
    tokens: int = Field(default=100_000, ge=0, description="its tokens, in and out, that a question may take")
    temperature: float = Field(
        default=0.0, ge=0, le=2, allow_inf_nan=False, description="0 for the likeliest reply each time"
    )
    allow_model_calls: bool = Field(
        default=True, description="false forbids every call of a model that is not on this machine's disk"
    )
    reply_cache: bool = Field(
        default=False, description="keep replies of the language model, and ask nothing twice"
    )
    record_replies: Path | None = Field(
        default=None, description="a file into which its replies are written, for replay:FILE"
    )
    prompts: Path | None = Field(
        default=None, description="a folder of your own prompts, which replace ours by name"
    )
    language: str = Field(
        default="auto", description="the language of questions: en, de, es; auto tells by their words"
    )
    user: str | None = Field(default=None, description="who to be on a database or endpoint")
    password: SecretStr | None = Field(default=None, description="the password that goes with user")
    token: SecretStr | None = Field(default=None, description="a bearer token, in place of user and password")
    impersonate: str | None = Field(
        default=None, description="on Neo4j: the user whose rights hold, where user may impersonate"
    )
    ca_file: Path | None = Field(
        default=None,
        description="certificates (PEM) of authorities that TLS trusts beside those of the system",
    )
    hidden_types: tuple[str, ...] = Field(
        default=(), description="types of nodes and edges of a database that are never seen, by anyone"
    )
    hidden_properties: tuple[str, ...] = Field(
        default=(), description='properties of a database that are never seen: "email", "Person.email"'
    )
    gate: dict[str, Any] = Field(
        default_factory=dict, description="what queries may do beyond reading: the fields of GatePolicy"
    )
    timeout: float = Field(
        default=30.0, gt=0, le=86_400, allow_inf_nan=False, description="seconds that a question may take"
    )
    rows: int = Field(default=1_000, gt=0, description="rows that an answer may have")
    query_memory: int = Field(
        default=300, gt=0, description="megabytes that a query of an embedded graph may need on its way"
    )
    query_timeout: float = Field(
        default=10.0,
        gt=0,
        le=86_400,
        allow_inf_nan=False,
        description="seconds that a query written by a model may run",
    )
    schema_tokens: int = Field(
        default=4_000, gt=0, description="tokens that a graph's schema may take in a prompt"
    )
    query_repairs: int = Field(
        default=1, ge=0, le=10, description="how often a model writes a query again that failed"
    )
    query_second_looks: int = Field(
        default=1, ge=0, le=10, description="how often a model writes a query again that found nothing"
    )
    fan_out: int = Field(default=1_000, gt=0, description="neighbours followed from one node")
    max_hops: int = Field(
        default=3,
        ge=1,
        le=6,
        description="edges from a linked node to an answer; one more to what is asked for",
    )
    least_confidence: float = Field(
        default=0.5, ge=0, le=1, description="how sure an answer must be to be given, from 0 to 1"
    )
    own_knowledge: bool = Field(
        default=False,
        description="let a model add what it knows by itself, shown as such and never with citations",
    )
    max_facts: int = Field(default=50, gt=0, description="facts shown with an answer")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Constructor, then environment, then file."""
        file = settings_file()
        sources: tuple[PydanticBaseSettingsSource, ...] = (init_settings, env_settings)
        return (*sources, TomlConfigSettingsSource(settings_cls, file)) if file is not None else sources

    @classmethod
    def load(cls, **given: Any) -> Settings:
        """The settings in force, with those given here on top (``None`` means not given).

        Raises:
            SettingsError: a setting that does not exist, or a value that cannot be used, and where it stands.
        """
        file = settings_file()
        if file is not None and not file.is_file():
            raise SettingsError(f"the settings file {file} does not exist", advice="Correct ASKGRAPH_CONFIG.")
        try:
            return cls(**{key: value for key, value in given.items() if value is not None})
        except ValidationError as error:
            raise SettingsError(_explain(error, file)) from error
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"{file} is not TOML: {error}") from error
        except (
            ValueError
        ) as error:  # pydantic-settings: an environment value that is not JSON where a list is due
            raise SettingsError(
                f"a setting in the environment cannot be read: {error}",
                advice='Lists are written as JSON: ASKGRAPH_LANGUAGES=\'["en", "de"]\'.',
            ) from error

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """What ``repr`` and ``str`` show: addresses without the passwords that they may have."""
        for name, value in super().__repr_args__():
            yield name, without_credentials(value) if isinstance(value, str) else value

    @property
    def hidden(self) -> Hidden:
        """The deny-lists."""
        return Hidden(self.hidden_types, self.hidden_properties)

    @property
    def runs_dir(self) -> Path:
        """Where runs are kept."""
        return self.data_dir / "runs"

    def budget(self) -> Budget:
        """The budget of a run that begins now."""
        return Budget(
            seconds=self.timeout,
            rows=self.rows,
            memory=self.query_memory * 1024 * 1024,
            fan_out=self.fan_out,
            model_calls=self.model_calls,
            tokens=self.tokens,
        )


_SECRETS = frozenset(
    name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation)
)


def _explain(error: ValidationError, file: Path | None) -> str:
    lines = []
    for problem in error.errors():
        name = ".".join(str(part) for part in problem["loc"])
        where = f"(from the call, ASKGRAPH_{name.upper()}{f' or {file}' if file else ''})"
        if problem["type"] == "extra_forbidden":
            known = ", ".join(sorted(Settings.model_fields))
            lines.append(f"there is no setting {name!r} {where}; there are: {known}")
        else:
            said = "" if name in _SECRETS else without_credentials(f", not {problem['input']!r}")
            lines.append(f"the setting {name!r} {where}: {problem['msg'].lower()}{said}")
    return "\n".join(lines)
