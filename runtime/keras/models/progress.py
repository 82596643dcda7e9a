"""How training goes on, line by line or as a bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, SupportsFloat

if TYPE_CHECKING:
    from tqdm import tqdm


class Progress:
    """What is printed while an epoch runs.

    Args:
      verbose: 0 for nothing, 1 for a bar, 2 for one line an epoch.
      steps: how many there are, None if nobody knows.
    """

    def __init__(self, verbose: int, steps: int | None) -> None:
        self.verbose, self.steps = verbose, steps
        self.begun = time.perf_counter()
        self.bar: tqdm | None = None
        if verbose == 1 and sys.stdout.isatty() and find_spec("tqdm") is not None:
            from tqdm import tqdm

            self.bar = tqdm(total=steps, file=sys.stdout, leave=False, dynamic_ncols=True)

    def step(self, done: int, logs: Mapping[str, float]) -> None:
        """Tell of a step."""
        if self.bar is not None:
            self.bar.set_postfix_str(shown(logs, ": ", ", "), refresh=False)
            self.bar.update(done - self.bar.n)

    def end(self, done: int, logs: Mapping[str, float]) -> None:
        """Tell of the whole epoch."""
        if self.bar is not None:
            self.bar.close()
        if not self.verbose:
            return
        seconds = time.perf_counter() - self.begun
        each = _time_of(seconds / max(done, 1))
        bar = f"{'━' * 20} " if self.verbose == 1 else "- "
        between = " " if self.verbose == 1 else " - "
        text = shown(logs, ": ", " - ")
        print(
            f"{done}/{self.steps or done} {bar}{seconds:.0f}s{between}{each}/step{' - ' * bool(text)}{text}", flush=True
        )


def shown(logs: Mapping[str, float], between: str, apart: str) -> str:
    """Numbers with their names.

    >>> shown({"loss": 0.25, "accuracy": 0.00012}, ": ", " - ")
    'loss: 0.2500 - accuracy: 1.2000e-04'
    """
    return apart.join(f"{name}{between}{_number(value)}" for name, value in logs.items())


def _number(value: SupportsFloat) -> str:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return f"{number:.4f}" if abs(number) > 1e-3 or number == 0 else f"{number:.4e}"


def _time_of(seconds: float) -> str:
    """A duration as people read it.

    >>> _time_of(0.0123), _time_of(2.4)
    ('12ms', '2s')
    """
    if seconds >= 1:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"
