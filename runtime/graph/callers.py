"""Who has called this library."""

from __future__ import annotations

import os
import sys
import warnings

_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
_OURS = tuple(os.path.join(_PACKAGES, package, "") for package in ("runtime", "autograph"))


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn whoever called this library, at the line of the call."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, level)
