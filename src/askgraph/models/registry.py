"""The models that settings name. Nothing is imported, connected or called before it is used."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from askgraph.core.errors import SettingsError
from askgraph.core.settings import Settings

from .base import Embedder, Reranker
from .connection import Access, parse_url
from .language_model import LanguageModel

if TYPE_CHECKING:
    from pydantic import SecretStr

    from .prompts.prompts import Prompts

_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_VECTORS = "vectors.sqlite"
_REPLIES = "replies.sqlite"


# --- language models


def make_model(settings: Settings, model: str | object | None = None) -> LanguageModel:
    """The language model that ``model`` or else the settings name.

    Args:
        settings: whence keys, addresses, caches and permissions come.
        model: ``vendor:name``; the address of a server that speaks OpenAI's protocol, ``|`` and a model's name after it
            where it has several; ``replay:FILE``; a :class:`LanguageModel`; or any object with
            ``generate(prompt, system_prompt)``.

    Raises:
        SettingsError: none is named, or what is named is none.
        MissingPackageError: it needs a package that is not installed.
        ModelAuthenticationError: it needs a key, and there is none.
    """
    named = model if model is not None else settings.model
    if named is None:
        raise SettingsError(
            "no language model is set",
            advice="Name one with --model, the setting model or ASKGRAPH_MODEL: openai:gpt-4o-mini, "
            "http://localhost:8080/v1, …",
        )
    if not isinstance(named, str):
        return _kept(_from_object(named), settings, may_call=True)
    if named.startswith("replay:"):
        from .kept_replies import ReplayingModel

        return ReplayingModel(Path(named.removeprefix("replay:")), **_window(settings))
    return _kept(_hosted(named, settings), settings, may_call=settings.allow_model_calls)


def make_prompts(settings: Settings) -> Prompts:
    """The prompts, the user's own before ours. Raises :class:`SettingsError`."""
    from .prompts.prompts import Prompts

    return Prompts(settings.prompts)


def _from_object(thing: object) -> LanguageModel:
    if isinstance(thing, LanguageModel):
        return thing
    from .generating import GeneratingModel

    return GeneratingModel(thing)


def _hosted(named: str, settings: Settings) -> LanguageModel:
    from .hosted import HostedModel
    from .prices import Prices
    from .vendor import vendor

    if _ADDRESS.match(named):
        address, _, name = named.partition("|")
        maker, access = vendor("compatible"), _access(address, settings.model_key, settings)
        prefix = str(access.url)
    else:
        prefix, colon, name = named.partition(":")
        if not colon or not name or prefix == "compatible":
            raise SettingsError(
                f"the model {named!r} is not of the form vendor:name or http://host:port/v1",
                advice="For example openai:gpt-4o-mini, anthropic:claude-haiku-4-5, ollama:llama3.2.",
            )
        maker, access = vendor(prefix), _access(settings.model_url, settings.model_key, settings)
    maker.insist_on_packages()
    return HostedModel(
        maker,
        prefix,
        name or None,
        maker.completed(access),
        prices=Prices(settings.model_prices),
        allowed=settings.allow_model_calls,
        **_window(settings),
    )


def _kept(model: LanguageModel, settings: Settings, *, may_call: bool) -> LanguageModel:
    """The model with what settings put in front of it."""
    from .kept_replies import CachedModel, ForbiddenModel, RecordingModel

    if not may_call:
        model = ForbiddenModel(model)
    if settings.record_replies is not None:
        model = RecordingModel(model, settings.record_replies)
    if settings.reply_cache:
        model = CachedModel(model, settings.cache_dir / _REPLIES)
    return model


def _window(settings: Settings) -> dict[str, int]:
    return {} if settings.model_context is None else {"context_window": settings.model_context}


def _access(address: str | None, key: SecretStr | None, settings: Settings) -> Access:
    access = parse_url(address) if address else Access()
    return replace(access, key=key, ca_file=settings.ca_file)


# --- embedders and rerankers


def _minilm() -> Embedder:
    from .minilm import MiniLM

    return MiniLM()


def _multilingual() -> Embedder:
    from .multilingual import MultilingualE5

    return MultilingualE5()


_EMBEDDERS: dict[str, Callable[[], Embedder]] = {"minilm": _minilm, "multilingual": _multilingual}


def make_embedder(settings: Settings) -> Embedder | None:
    """The embedder, its vectors cached; ``None`` where the settings want none.

    Raises:
        SettingsError: there is none of that name.
        ModelAuthenticationError: it needs a key, and there is none.
        ModelError: a server that is to embed does not answer.
    """
    if settings.embedder == "none":
        return None
    from .cache import CachedEmbedder

    file = settings.cache_dir / _VECTORS
    if settings.embedder in _EMBEDDERS:
        return CachedEmbedder(_EMBEDDERS[settings.embedder](), file)
    from .calibration import CalibratedEmbedder
    from .served_embedder import ServedEmbedder

    known = [*_EMBEDDERS, "none"]
    access, name, prefix = _served(settings.embedder, settings.embedder_key, settings, "embedder", known)
    served = ServedEmbedder(access, name, prefix=prefix, allowed=settings.allow_model_calls)
    return CalibratedEmbedder(CachedEmbedder(served, file))


def make_reranker(settings: Settings, embedder: Embedder | None) -> Reranker | None:
    """The reranker; ``None`` where the settings want none, or want the embedder where there is none.

    Raises:
        SettingsError: there is none of that name.
    """
    from .reranking import EmbeddingReranker, ServedReranker

    if settings.reranker == "none" or (settings.reranker == "embedder" and embedder is None):
        return None
    if settings.reranker == "embedder":
        assert embedder is not None
        return EmbeddingReranker(embedder)
    access, name, _ = _served(
        settings.reranker, settings.reranker_key, settings, "reranker", ["embedder", "none"]
    )
    return ServedReranker(access, name, allowed=settings.allow_model_calls)


def _served(
    named: str, key: SecretStr | None, settings: Settings, what: str, known: list[str]
) -> tuple[Access, str | None, str]:
    """How to reach a server that embeds or reranks, the model's name there, and what to call the place."""
    if _ADDRESS.match(named):
        address, _, name = named.partition("|")
        access = _access(address, key, settings)
        return access, name or None, str(access.url)
    if named.startswith("openai:") and what == "embedder":
        from .vendor import vendor

        access = vendor("openai").completed(_access(None, key, settings))
        return (
            replace(access, url=access.url or "https://api.openai.com/v1"),
            named.removeprefix("openai:"),
            "openai",
        )
    usual = " or openai:NAME" if what == "embedder" else ""
    raise SettingsError(
        f"there is no {what} {named!r}",
        advice=f"There are: {', '.join(known)}; or the address of a server (http://…/v1|NAME){usual}.",
    )
