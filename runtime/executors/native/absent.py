"""The operations without a native form, and why; every other operation of the table has one, at shapes of any kind."""

from __future__ import annotations

_DRAWN = "NumPy's generators draw its numbers"
_TEXT = "it is about text"
_LAPACK = "LAPACK computes it"
_PYTHON = "it calls Python"

ABSENT = {
    "cholesky": _LAPACK, "det": _LAPACK, "inverse": _LAPACK, "solve": _LAPACK,
    "einsum": "NumPy orders its sums", "unique": "its size is that of what it finds",
    "list_concat": "its elements differ in size", "list_split": "its elements differ in size",
    "list_scatter": "its elements come out of order",
    "categorical": _DRAWN, "random_normal": _DRAWN, "random_shuffle": _DRAWN, "random_uniform": _DRAWN,
    "truncated_normal": _DRAWN,
    "as_string": _TEXT, "string_change": _TEXT, "string_fixed": _TEXT, "string_join": _TEXT, "string_length": _TEXT,
    "string_lower": _TEXT, "string_strip": _TEXT, "string_to_number": _TEXT, "string_upper": _TEXT, "text": _TEXT,
    "print": _PYTHON, "py_function": _PYTHON, "native": "it is native code",
}  # fmt: skip
