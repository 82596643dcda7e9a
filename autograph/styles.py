"""Converted source as one of the formatters that people use would have it; loaded where one is asked for."""

from __future__ import annotations

import importlib
import subprocess
import sys


def styled(text: str, style: str, width: int) -> str:
    """Text as black or ruff lays it out; raises ImportError where that is not installed, ValueError for
    what it does not take."""
    formatter = importlib.import_module(style)
    if style == "black":
        made: str = formatter.format_str(text, mode=formatter.Mode(line_length=width))
        return made
    command = [sys.executable, "-m", style, "format", "--isolated", f"--line-length={width}", "-"]
    done = subprocess.run(command, input=text, capture_output=True, check=False, encoding="utf-8")
    if done.returncode:
        raise ValueError(f"{style} does not take this: {done.stderr.strip()}")
    return done.stdout
