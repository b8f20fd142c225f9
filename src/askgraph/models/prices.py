"""What tokens cost: the table of a package, dated by its version, and the user's own prices before it.

The table is that of ``genai-prices``, read from the installed package; nothing is fetched. A model that it does not
know has no price, and none is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from ..core.model_call import Usage
from .language_model import LanguageModel

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float

    def of(self, usage: Usage) -> float:
        """What a usage costs."""
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / _MILLION


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of models.

    Attributes:
        own: the user's, by the name of a model (``"openai:gpt-4o-mini"``) or its beginning and ``*``.
    """

    own: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def cost(
        self, model: str, usage: Usage, *, vendor: str | None = None, is_free: bool = False
    ) -> float | None:
        """US dollars, or ``None`` where the price is not known.

        Args:
            model: the model's name as settings have it, the vendor's prefix included.
            usage: what was taken.
            vendor: the vendor's name in the table.
            is_free: nothing is paid for this model, unless the user says so.
        """
        own = self._own(model)
        if own is not None:
            return own.of(usage)
        if is_free:
            return 0.0
        return _listed(vendor, model.partition(":")[2], usage) if vendor is not None else None

    def priced(self, usage: Usage, model: str, *, vendor: str | None = None, is_free: bool = False) -> Usage:
        """The usage with its cost."""
        return replace(usage, cost=self.cost(model, usage, vendor=vendor, is_free=is_free))

    def _own(self, model: str) -> Price | None:
        if model in self.own:
            return Price(*self.own[model])
        fitting = [key for key in self.own if key.endswith("*") and model.startswith(key[:-1])]
        return Price(*self.own[max(fitting, key=len)]) if fitting else None


def cost_of(model: LanguageModel, usage: Usage) -> float | None:
    """US dollars for a usage of a model, ``None`` where it does not know its price."""
    cost = getattr(model, "cost", None)
    found = cost(usage) if callable(cost) else None
    return None if found is None else float(found)


def table_version() -> str | None:
    """Which table of prices is in use, ``None`` where none is installed."""
    try:
        return f"genai-prices {version('genai-prices')}"
    except PackageNotFoundError:
        return None


def _listed(vendor: str, model: str, usage: Usage) -> float | None:
    try:
        from genai_prices import Usage as Taken
        from genai_prices import calc_price
    except ImportError:
        return None
    taken = Taken(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens)
    try:
        return float(calc_price(taken, model, provider_id=vendor).total_price)
    except (LookupError, ValueError):
        return None


@cache
def listed_context_window(vendor: str, model: str) -> int | None:
    """Tokens that a model of a vendor takes, as the same table has it; ``None`` where it does not say."""
    try:
        from genai_prices import Usage as Taken
        from genai_prices import calc_price
    except ImportError:
        return None
    try:
        return calc_price(
            Taken(input_tokens=1, output_tokens=1), model, provider_id=vendor
        ).model.context_window
    except (LookupError, ValueError):
        return None
