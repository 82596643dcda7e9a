"""The BLAS that NumPy brings: its products of matrices, called without Python."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from runtime.executors.native.code import Code, register
from runtime.executors.native.vectorised_loops import each
from runtime.graph.dtypes import DType

_ROW_MAJOR, _AS_IS, _TRANSPOSED = 101, 111, 112


@functools.cache
def _library() -> tuple[ctypes.CDLL, str, str] | None:
    """NumPy's OpenBLAS, the stem of its functions' names, and their ending; None if NumPy uses another."""
    folder = Path(np.__file__).parent
    places = [folder.parent / "numpy.libs", folder / ".dylibs", folder.parent / "numpy" / ".libs"]
    for path in (p for place in places if place.is_dir() for p in sorted(place.glob("*openblas*"))):
        try:
            library = ctypes.CDLL(str(path))
        except OSError:
            continue
        for stem, ending, integer in (
            ("scipy_", "64_", "i64"),
            ("", "64_", "i64"),
            ("scipy_", "", "i32"),
            ("", "", "i32"),
        ):
            if hasattr(library, f"{stem}cblas_sgemm{ending}"):
                return library, f"{stem}cblas_{{}}{ending}", integer
    return None


def found() -> bool:
    return _library() is not None


def _symbol(code: Code, name: str, function: bool = False) -> tuple[str, str]:
    """The name of a routine (or of a function of the library's own) for the linker, and the type of its integers."""
    known = _library()
    assert known is not None
    library, names, integer = known
    full = names.format(name) if not function else names.format(name).replace("cblas_", "")
    code.module.link(full, library, full)
    return full, integer


def gemm(
    code: Code, dtype: DType, a_transposed: bool, b_transposed: bool, m: str, n: str, k: str,
    a: str, lda: str, b: str, ldb: str, c: str, ldc: str,
) -> None:  # fmt: skip
    """c = a @ b, all in rows; by loops where NumPy's BLAS is not one that can be called."""
    if not found():
        a_strides, b_strides = ("1", lda) if a_transposed else (lda, "1"), ("1", ldb) if b_transposed else (ldb, "1")
        by_loops(code, dtype, m, n, k, (a, *a_strides), (b, *b_strides), (c, ldc, "1"))
        return
    name, integer = _symbol(code, _NAMES[dtype.name])
    kind, one, zero = _scalars(code, dtype)

    def number(text: str) -> tuple[str, str]:
        return integer, text if integer == "i64" else code.let(f"trunc i64 {text} to i32")

    code.call(
        name, "void",
        [
            ("i32", str(_ROW_MAJOR)), ("i32", str(_TRANSPOSED if a_transposed else _AS_IS)),
            ("i32", str(_TRANSPOSED if b_transposed else _AS_IS)), number(m), number(n), number(k), (kind, one),
            ("ptr", a), number(code.most(lda, "1")), ("ptr", b), number(code.most(ldb, "1")),
            (kind, zero), ("ptr", c), number(code.most(ldc, "1")),
        ],
    )  # fmt: skip


_NAMES = {"float32": "sgemm", "float64": "dgemm", "complex64": "cgemm", "complex128": "zgemm"}


def gemv(
    code: Code, dtype: DType, transposed: bool, m: str, n: str, a: str, lda: str, x: str, step: str, y: str
) -> None:
    """y = a @ x, for a matrix of m rows and n columns as it lies in memory, or for its transpose."""
    name, integer = _symbol(code, _NAMES[dtype.name].replace("mm", "mv"))
    kind, one, zero = _scalars(code, dtype)

    def number(text: str) -> tuple[str, str]:
        return integer, text if integer == "i64" else code.let(f"trunc i64 {text} to i32")

    code.call(
        name, "void",
        [
            ("i32", str(_ROW_MAJOR)), ("i32", str(_TRANSPOSED if transposed else _AS_IS)), number(m), number(n),
            (kind, one), ("ptr", a), number(code.most(lda, "1")), ("ptr", x), number(step), (kind, zero), ("ptr", y),
            number("1"),
        ],
    )  # fmt: skip


def _scalars(code: Code, dtype: DType) -> tuple[str, str, str]:
    """One and zero as BLAS takes them, and their LLVM type: complex numbers by their place."""
    if not dtype.is_complex:
        return register(dtype), "0x3FF0000000000000", "0x0000000000000000"
    one, zero = (code.module.constant(np.array(x, dtype.dtype).tobytes()) for x in (1, 0))
    return "ptr", one, zero


Matrix = tuple[str, str, str]  # where it is, and the distances of rows and of columns


def by_loops(code: Code, dtype: DType, m: str, n: str, k: str, a: Matrix, b: Matrix, c: Matrix) -> None:
    """Row by row: each number of `a` times a row of `b`, so that rows are read and written straight through."""
    kind = register(dtype)
    add, mul, zero = ("add", "mul", "0") if not dtype.is_floating else ("fadd contract", "fmul contract", "0.0")

    def at(x: Matrix, i: str, j: str) -> str:
        return code.at(kind, x[0], code.offset((i, j), x[1:]))

    with code.loop(m) as i:
        with each(code, n) as j:
            code.store(kind, zero, at(c, i, j))
        with code.loop(k) as p:
            x = code.load(kind, at(a, i, p))
            with each(code, n) as j:
                term = code.let(f"{mul} {kind} {x}, {code.load(kind, at(b, p, j))}")
                place = at(c, i, j)
                code.store(kind, code.let(f"{add} {kind} {code.load(kind, place)}, {term}"), place)


# How many threads BLAS uses by itself: the most that was seen, since another thread of Python's may be in the middle of
# work that uses none.
_threads = ctypes.c_int32(0)


@contextmanager
def alone(code: Code) -> Iterator[None]:
    """Have BLAS use no threads of its own meanwhile."""
    if not found():
        yield
        return
    get, _ = _symbol(code, "openblas_get_num_threads", function=True)
    code.module.declared["blas.threads"] = "@blas.threads = external global i32"
    code.module.symbols["blas.threads"] = ctypes.addressof(_threads)
    now = code.call(get, "i32", [])
    before = code.load("i32", "@blas.threads")
    most = code.call("llvm.smax.i32", "i32", [("i32", now), ("i32", before)])
    code.store("i32", most, "@blas.threads")
    _set(code, "1")
    yield
    _set(code, most)


def _set(code: Code, threads: str) -> None:
    name, _ = _symbol(code, "openblas_set_num_threads", function=True)
    code.call(name, "void", [("i32", threads)])
