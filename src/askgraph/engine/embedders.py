"""The embedder that the settings name."""

from __future__ import annotations

from collections.abc import Callable

from ..core.errors import SettingsError
from ..core.settings import Settings
from ..models.base import Embedder


def _minilm() -> Embedder:
    from ..models.minilm import MiniLM

    return MiniLM()


def _multilingual() -> Embedder:
    from ..models.multilingual import MultilingualE5

    return MultilingualE5()


_EMBEDDERS: dict[str, Callable[[], Embedder]] = {"minilm": _minilm, "multilingual": _multilingual}


def make_embedder(settings: Settings) -> Embedder | None:
    """The embedder, its vectors cached; ``None`` where the settings want none. Raises :class:`SettingsError`."""
    if settings.embedder == "none":
        return None
    if settings.embedder not in _EMBEDDERS:
        known = ", ".join([*_EMBEDDERS, "none"])
        raise SettingsError(f"there is no embedder {settings.embedder!r}", advice=f"There are: {known}.")
    from ..models.cache import CachedEmbedder

    return CachedEmbedder(_EMBEDDERS[settings.embedder](), settings.cache_dir / "vectors.sqlite")
