"""Switches for the whole process."""

from __future__ import annotations

import ctypes
import os

_eager = [False]
# Not 0 while calls of functions have to go the long way: something is traced, or functions run eagerly. Native code
# looks here.
busy = ctypes.c_int64(0)
tapes = [0]  # how many gradient tapes take note of operations that run at once


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Have each `function` run its Python body on every call, without a graph: for debugging.

    Args:
      run_eagerly: whether it is to be so from now on, for the whole process.

    >>> tf.config.run_functions_eagerly(True)
    >>> tf.function(lambda: tf.executing_eagerly())()
    True
    >>> tf.config.run_functions_eagerly(False)
    """
    busy.value += bool(run_eagerly) - _eager[0]
    _eager[0] = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether functions run without graphs.

    >>> tf.config.functions_run_eagerly()
    False
    """
    return _eager[0]


_checks = [False]


def check_numerics(wanted: bool) -> None:
    """Whether operations check that the floats that they make are finite; functions are traced anew for it."""
    busy.value += bool(wanted) - _checks[0]
    _checks[0] = bool(wanted)


def checks_numerics() -> bool:
    """Whether operations check what they make."""
    return _checks[0]


_cache: list[str | None] = [os.environ.get("AUTOGRAPH_NATIVE_CACHE") or None]


def native_cache() -> str | None:
    """The folder in which compiled code is kept from one process to the next, or None.

    >>> before = tf.config.native_cache()
    >>> tf.config.set_native_cache("compiled")
    >>> tf.config.native_cache()
    'compiled'
    >>> tf.config.set_native_cache(before)
    """
    return _cache[0]


def set_native_cache(folder: str | os.PathLike[str] | None) -> None:
    """Keep compiled code in a folder, so that another process need not compile it.

    The environment variable AUTOGRAPH_NATIVE_CACHE does the same.

    Args:
      folder: where; None or "" to keep nothing. It is made if there is none. It has to be the user's own, with nobody
        else allowed to write there: otherwise there is a warning, and nothing is kept.

    >>> tf.config.set_native_cache(tf.config.native_cache())
    """
    _cache[0] = os.fspath(folder) or None if folder is not None else None


_unrolled: list[int | None] = [500]


def unroll_limit() -> int | None:
    """How many operations a loop that Python could run may add to a graph before it becomes a loop of the graph.

    >>> tf.config.unroll_limit()
    500
    """
    return _unrolled[0]


def set_unroll_limit(operations: int | None) -> None:
    """Say when a loop that Python could run, as ``for i in range(1000)`` or ``while i < 999``, is one of the graph.

    Such a loop is traced iteration by iteration. When that has come to more operations than this, or would, what was
    recorded is taken back, and the loop is traced once for all iterations, with a counter that only the graph knows. It
    stays unrolled where that cannot be: where the body does something outside of the graph (prints, draws one of
    Python's random numbers), or needs the counter as Python's own number. In a loop of the graph the limit is a tenth.

    Args:
      operations: the limit for what is traced from now on, in the whole process; 0 for a loop of the graph wherever one
        can be, None to unroll all.
    Raises:
      ValueError: if it is negative.

    >>> tf.config.set_unroll_limit(0)
    >>> triangle = tf.function(lambda x: sum([x * i for i in range(3)]))
    >>> tf.config.set_unroll_limit(500)
    """
    if operations is not None and operations < 0:
        raise ValueError(f"the limit of operations must not be negative: {operations}; None unrolls all loops.")
    _unrolled[0] = operations
