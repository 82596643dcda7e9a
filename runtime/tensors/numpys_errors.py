"""What NumPy itself raises where an operation of the graph refuses what it is given, for programs that catch it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph import StagingError
from autograph.errors import Refuses, refused_so_far
from runtime.graph.dtypes import python_numbers
from runtime.graph.owner import Owner
from runtime.graph.shapes import is_known, product
from runtime.tensors.conversion import static_value
from runtime.tensors.from_numpy import owner_of, type_of
from runtime.tensors.growing import Growing, has_grown
from runtime.tensors.tensor import Meaning, Tensor

_RAISED = (ValueError, TypeError, IndexError)
_MOST = 10**6  # elements of an array that stands for one of the graph


class _Unknown(Exception):
    """No array can stand for a value."""


def numpys(error: Exception, function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, Any]) -> Any:
    """What NumPy's function raises for arrays of the same shapes and dtypes, if it does; otherwise the error."""
    ours = isinstance(error, Refuses | StagingError) or any(error is told.error for told in refused_so_far())
    if ours or not python_numbers.are_numpys or not isinstance(error, _RAISED):
        return error
    if any(isinstance(part, Tensor) for part in error.args):
        return error  # the graph makes NumPy's own words
    try:
        given, named = _standing_for([*args]), _standing_for(dict(kwargs))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function(*given, **named)
    except _RAISED as theirs:
        if any(isinstance(error, kind) and isinstance(theirs, kind) for kind in _RAISED):
            return _told(theirs, error)
    except Exception:
        return error
    return error


def _told(theirs: Exception, error: Exception) -> Exception:
    if str(theirs) != str(error):
        theirs.add_note(str(error))
    for note in getattr(error, "__notes__", ()):
        theirs.add_note(note)
    return theirs.with_traceback(error.__traceback__)


def _standing_for(value: object) -> Any:
    """A value as a program has it without a graph, with zeros where only the graph knows."""
    value = [*value] if isinstance(value, Growing) and not value.is_grown else value
    if isinstance(value, list | tuple):
        return type(value)(map(_standing_for, value)) if type(value) in (list, tuple) else _unknown()
    if isinstance(value, dict):
        return {name: _standing_for(part) for name, part in value.items()}
    if not isinstance(value, Tensor):
        return _unknown() if has_grown(value) or (callable(value) and not isinstance(value, type)) else value
    if (known := static_value(value)) is not None:
        return known if owner_of(value) is not Owner.PYTHON else known.item()
    if owner_of(value) is Owner.PYTHON:
        return type_of(value)(0)
    dims = value.type.shape
    if not is_known(dims) or product(dims) > _MOST:
        return _unknown()
    zeros = np.zeros(dims, value.type.dtype.dtype)
    return zeros if owner_of(value) is Owner.ARRAY else zeros[()]


def _unknown() -> Any:
    raise _Unknown


Meaning.error = numpys
