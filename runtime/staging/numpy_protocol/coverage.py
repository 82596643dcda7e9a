"""NumPy's public functions, and what becomes of each in a graph: the table that the documentation shows."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from runtime.graph.op import NUMPY
from runtime.ops.indexing import COMBINED, combining
from runtime.staging.numpy_protocol.meanings import ACCUMULATIONS, FUNCTIONS, MAKERS, METHODS, REDUCTIONS, UFUNCS
from runtime.staging.numpy_protocol.remedies import INSTEAD
from runtime.staging.random_numbers import OF_PROCESS
from runtime.tensors.from_numpy import WRITERS
from runtime.tensors.views import Array


class State(Enum):
    """What becomes of a function in a graph."""

    NATIVE = "staged"
    NUMPY = "staged, run by NumPy"
    DRAWN = "drawn with numpy=True"
    REFUSED = "refused"
    PYTHON = "stays Python"


class Row(NamedTuple):
    """A function, by its dotted name, what becomes of it, and what to write instead of one that is refused."""

    name: str
    state: State
    instead: str = ""


# What has no machine code, since LAPACK, or another part of NumPy's, computes it; with what is made of these.
ON_NUMPY = frozenset(
    "einsum linalg.cholesky linalg.cond linalg.det linalg.eigh linalg.eigvalsh linalg.inv linalg.lstsq "
    "linalg.matrix_norm linalg.matrix_rank sort_complex linalg.pinv linalg.qr linalg.slogdet linalg.solve "
    "linalg.svd linalg.svdvals fft.fft fft.fft2 fft.fftn fft.hfft fft.ifft fft.ifft2 fft.ifftn fft.ihfft fft.irfft "
    "fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftn".split()
)

# What is about dtypes, text, files, settings or the memory of arrays rather than about what arrays hold.
_PYTHON = frozenset(
    "array2string array_repr array_str base_repr binary_repr datetime_as_string datetime_data "
    "einsum_path errstate finfo format_float_positional format_float_scientific from_dlpack frombuffer fromfile "
    "fromiter fromfunction mask_indices frompyfunc fromregex fromstring genfromtxt get_include get_printoptions "
    "getbufsize geterr geterrcall iinfo info is_busday busday_count busday_offset isdtype isfortran isnat isscalar "
    "issubdtype iterable load loadtxt min_scalar_type mintypecode nested_iters printoptions "
    "promote_types require row_stack save savetxt savez savez_compressed set_printoptions setbufsize "
    "seterr seterrcall show_config show_runtime test typename asmatrix bmat "
    "random.get_state random.set_state random.get_bit_generator random.set_bit_generator".split()
)


def functions() -> Iterator[Row]:
    """A row for each public function of numpy, numpy.linalg, numpy.fft and numpy.random."""
    for prefix, module in (("", np), ("linalg.", np.linalg), ("fft.", np.fft), ("random.", np.random)):
        for last in sorted(set(module.__all__)):
            function: object = getattr(module, last)
            if callable(function) and (not isinstance(function, type) or function in MAKERS):
                yield _row(prefix + last, function)


def _row(name: str, function: object) -> Row:
    if name in _PYTHON:
        return Row(name, State.PYTHON)
    staged = any(function in table for table in (FUNCTIONS, MAKERS, UFUNCS, NUMPY, WRITERS))
    if staged:
        return Row(name, State.NUMPY if name in ON_NUMPY else State.NATIVE)
    module, _, last = name.rpartition(".")
    if module == "random":
        known = last in OF_PROCESS
        return Row(name, State.DRAWN if known else State.REFUSED, "" if known else "draw before the call")
    return Row(name, State.REFUSED, INSTEAD.get(function, ""))


def ufunc_methods() -> Iterator[Row]:
    """A row for each method of a universal function that is staged."""
    tables: dict[str, Any] = {"accumulate": ACCUMULATIONS, "reduce": REDUCTIONS, "reduceat": REDUCTIONS}
    for method, table in tables.items():
        for function in table:
            yield Row(f"{function.__name__}.{method}", State.NATIVE)
    for how in COMBINED:
        yield Row(f"{combining(how).__name__}.at", State.NATIVE)
    for function in NUMPY:
        if isinstance(function, np.ufunc) and function.nin == 2 and function.signature is None:
            yield Row(f"{function.__name__}.outer", State.NATIVE)


def methods() -> Iterator[Row]:
    """A row for each method and attribute of arrays."""
    for name in sorted(n for n in dir(np.ndarray) if not n.startswith("_")):
        if name in _OF_MEMORY:
            yield Row(name, State.REFUSED, _OF_MEMORY[name])
        elif name in METHODS or name in ("size", "T") or hasattr(Array, name):
            yield Row(name, State.NATIVE)
        else:
            yield Row(name, State.REFUSED)


# What asks for the values, or how they lie in memory.
_OF_MEMORY = {
    "byteswap": "do it before the call", "itemset": "a[i] = value",
    "resize": "a = np.resize(a, shape)", "setfield": "a[...] = value", "setflags": "do it before the call",
    "view": "astype(), or a slice a[...]",
    "tobytes": "return the array", "tofile": "return the array", "dump": "return the array",
    "dumps": "return the array", "getfield": "astype()",
}  # fmt: skip


def table(rows: Iterator[Row]) -> str:
    """Rows as a table of Markdown, those of one state and one remedy together."""
    groups: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        groups.setdefault((row.state.value, row.instead), []).append(f"`{row.name}`")
    order = [state.value for state in State]
    lines = ["| | functions | instead |", "|---|---|---|"]
    for (state, instead), names in sorted(groups.items(), key=lambda g: (order.index(g[0][0]), not g[0][1], g[0][1])):
        lines.append(f"| {state} | {' '.join(names)} | {f'`{instead}`' if instead else ''} |")
    return "\n".join(lines)
