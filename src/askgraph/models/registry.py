"""The models that settings name. Nothing is imported, connected or called before it is used."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ..core.errors import SettingsError
from ..core.settings import Settings
from .base import Embedder, Reranker
from .connection import Access, parse_url
from .language_model import LanguageModel

if TYPE_CHECKING:
    from pydantic import SecretStr

    from .prompts.prompts import Prompts
    from .served_embedder import ServedEmbedder

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

        file = named.removeprefix("replay:").strip()
        if not file:
            raise SettingsError(
                f"the model {named!r} names no file of recorded replies",
                advice="Write replay:FILE. A run with the setting record_replies and a real model makes the file.",
            )
        return ReplayingModel(Path(file), **_window(settings))
    return _kept(_hosted(named, settings), settings, may_call=settings.allow_model_calls)


def make_judge(settings: Settings, model: str) -> LanguageModel:
    """A second model, which judges what the first wrote. The key and address of the settings' model are not for it,
    unless it comes from the same house: a key goes to nobody that it was not given for.

    Raises as :func:`make_model`.
    """
    if settings.model is None or _house_of(model) != _house_of(settings.model):
        settings = settings.model_copy(update={"model_key": None, "model_url": None})
    return make_model(settings, model)


def _house_of(model: str) -> str:
    """The vendor of a model, or the host that serves it."""
    if not _ADDRESS.match(model):
        return model.partition(":")[0]
    return urlsplit(model.partition("|")[0]).netloc.rpartition("@")[2].lower()


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


def make_embedder(settings: Settings, *, cached: bool = True) -> Embedder | None:
    """The embedder, its vectors cached unless said otherwise; ``None`` where the settings want none.

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
        embedder = _EMBEDDERS[settings.embedder]()
        return CachedEmbedder(embedder, file) if cached else embedder
    from .calibration import CalibratedEmbedder

    served = _served_embedder(settings)
    return CalibratedEmbedder(CachedEmbedder(served, file) if cached else served)


def _served_embedder(settings: Settings) -> ServedEmbedder:
    from .served_embedder import ServedEmbedder, first_model, openai_vectors, vendor_vectors
    from .vendor import vendor, vendor_names

    named, allowed = settings.embedder, settings.allow_model_calls
    if _ADDRESS.match(named):
        address, _, model = named.partition("|")
        access = _access(address, settings.embedder_key, settings)
        model = model or first_model(access, allowed=allowed)
        return ServedEmbedder(f"{access.url}|{model}", openai_vectors(access, model), allowed=allowed)
    prefix, _, model = named.partition(":")
    able = [
        name for name in vendor_names() if vendor(name).connect_embedder or vendor(name).has_openai_embeddings
    ]
    if prefix not in able or not model:
        raise SettingsError(
            f"there is no embedder {named!r}",
            advice=f"There are: {', '.join([*_EMBEDDERS, 'none'])}; vendor:NAME, with {', '.join(able)} as vendors; "
            "or the address of a server (http://…/v1|NAME).",
        )
    maker = vendor(prefix)
    access = maker.completed(_access(None, settings.embedder_key, settings))
    if maker.has_openai_embeddings:
        return ServedEmbedder(named, openai_vectors(access, model), allowed=allowed)
    maker.insist_on_packages()
    return ServedEmbedder(named, vendor_vectors(maker, access, model), allowed=allowed)


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
    if not _ADDRESS.match(settings.reranker):
        raise SettingsError(
            f"there is no reranker {settings.reranker!r}",
            advice="There are: embedder, none; or the address of a server (http://…/v1|NAME).",
        )
    address, _, name = settings.reranker.partition("|")
    access = _access(address, settings.reranker_key, settings)
    return ServedReranker(access, name or None, allowed=settings.allow_model_calls)
