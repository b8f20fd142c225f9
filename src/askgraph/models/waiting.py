"""When a call that failed is made again: full jitter, under one deadline.

Full jitter (Brooker, "Exponential Backoff and Jitter", 2015): the wait is drawn evenly between nothing and a bound that
doubles, so that many callers who failed together do not return together.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from ..core.budget import Budget
from ..core.errors import ModelBusyError, ModelError, ModelUnreachableError


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to try again.

    Attributes:
        busy_attempts: calls made in all where the provider is busy.
        unreachable_attempts: calls made in all where nobody answers, or the provider itself fails.
        first_wait: seconds that the first wait is at most; each further one may be twice as long.
        longest_wait: seconds that any wait is at most, one that the provider asks for aside.
        seed: waits are the same for the same seed and call.
    """

    busy_attempts: int = 6
    unreachable_attempts: int = 3
    first_wait: float = 0.5
    longest_wait: float = 20.0
    seed: int = 0

    def wait(self, error: ModelError, attempt: int, call: int, budget: Budget) -> None:
        """Wait before the next attempt of a call, or raise ``error`` where there is to be none.

        Args:
            error: how the last attempt failed.
            attempt: how many were made, from 1.
            call: the number of the call, so that parallel calls do not wait in step.
            budget: its deadline is never waited past: an error that says so comes at once instead.
        """
        if isinstance(error, ModelBusyError):
            most, asked = self.busy_attempts, error.retry_after
        elif isinstance(error, ModelUnreachableError):
            most, asked = self.unreachable_attempts, None
        else:
            raise error
        if attempt >= most:
            raise error
        seconds = self._jitter(attempt, call)
        if asked is not None:
            # What the provider asks for, and a little more: everybody was told the same.
            seconds = asked + min(seconds, 0.1 * asked)
        if seconds >= budget.remaining:
            raise _no_time_for(error, asked if asked is not None else seconds, budget) from error
        time.sleep(seconds)

    def _jitter(self, attempt: int, call: int) -> float:
        bound = min(self.longest_wait, self.first_wait * 2 ** (attempt - 1))
        return random.Random(f"{self.seed}/{call}/{attempt}").uniform(0.0, bound)


def _no_time_for(error: ModelError, seconds: float, budget: Budget) -> ModelError:
    message = f"{error.message}; trying again takes {seconds:.3g} s, and {budget.remaining:.3g} s are left"
    advice = error.advice or "Ask again later, or allow more time with --timeout."
    if isinstance(error, ModelBusyError):
        return ModelBusyError(message, retry_after=error.retry_after, advice=advice)
    return type(error)(message, advice=advice)
