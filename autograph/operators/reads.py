"""A variable that is only passed on."""

from __future__ import annotations

import operator

from autograph import dispatch


def read(value: object) -> object:
    """A variable that may be unbound, where a clause around would catch that it is: the graph checks it here."""
    if dispatch.active and (backend := dispatch.backend_of(value)) is not None:
        backend.call(operator.is_, (value, None), {})
    return value
