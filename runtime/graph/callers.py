"""Who has called this library."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

_OURS = tuple(str(Path(__file__).parents[2] / package) + os.sep for package in ("runtime", "autograph"))


def warn(message: str) -> None:
    """Warn whoever called this library, at the line of the call."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)
