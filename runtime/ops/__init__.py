"""The table of operations: one row each, a file per family."""

from runtime.ops import (  # noqa: F401 - each enters its rows
    boxes,
    effects,
    elementwise,
    hashing,
    indexing,
    linalg,
    lists,
    matrix_functions,
    nn,
    printing,
    random,
    reduce,
    shape,
    streams,
    strings,
    structure,
    texts,
)
