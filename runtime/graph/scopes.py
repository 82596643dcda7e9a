"""The blocks of names that are open: what is made in them bears their name before its own."""

from __future__ import annotations

import threading


class _Scopes(threading.local):
    def __init__(self) -> None:
        self.open: list[str] = [""]


_scopes = _Scopes()


def enter(scope: str) -> None:
    """Open a block, by its whole name: empty, or with a slash at its end."""
    _scopes.open.append(scope)


def leave() -> None:
    """Close the block that was opened last."""
    _scopes.open.pop()


def in_scope(name: str) -> str:
    """A name with those of the blocks around it before it: ``layer/kernel``.

    >>> enter("layer/")
    >>> in_scope("kernel")
    'layer/kernel'
    >>> leave()
    """
    return f"{_scopes.open[-1]}{name}"
